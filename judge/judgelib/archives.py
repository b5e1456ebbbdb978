"""A hand-in as it was uploaded: a zip or tar file, opened into a folder of the judge's.

1. Regular files only: links, devices and names that lead out of the folder are left out and counted.
2. Files, bytes and depth have intake.py's limits. What is unpacked is counted, not what the file says.
3. It is read by a child with limits (apart.py). Nothing is unpacked with a mode or an owner of its own.
"""
import os
import stat
import tarfile
import zipfile
import zlib

import apart
import intake

ENDS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
SECONDS = 60
PIECE = 1 << 20


class NoArchive(Exception):
    """One line: why it cannot be opened."""


def is_archive(name):
    return name.lower().endswith(ENDS)


def unpack(path, folder):
    """Fill an empty folder of ours; how many entries were left out. NoArchive, or intake.TooMuch."""
    try:
        return apart.call(unpack_here, os.fspath(path), os.fspath(folder), seconds=SECONDS)
    except apart.TooSlow:
        raise NoArchive("unpacking it takes more time or memory than a hand-in may") from None


def unpack_here(path, folder):
    try:
        if path.lower().endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                return write_all(folder, zip_entries(archive))
        with tarfile.open(path, "r:*") as archive:
            return write_all(folder, tar_entries(archive))
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
            OSError) as problem:
        raise NoArchive(f"it cannot be opened ({problem})") from None


def zip_entries(archive):
    """(name, how to open it or None) of what is no folder."""
    for one in archive.infolist():
        kind = stat.S_IFMT(one.external_attr >> 16)
        if not one.is_dir():
            yield one.filename, (lambda one=one: archive.open(one)) if kind in (0, stat.S_IFREG) else None


def tar_entries(archive):
    for one in archive:
        if not one.isdir():
            yield one.name, (lambda one=one: archive.extractfile(one)) if one.isreg() else None


def parts_of(name):
    """The folders and the file of a name below the folder, or None."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    is_outside = name.startswith("/") or ".." in parts or any(":" in part or "\0" in part for part in parts)
    return None if is_outside or not parts or len(parts) > intake.DEPTH else parts


def write_all(folder, entries):
    left_out = total = 0
    for number, (name, opened) in enumerate(entries):
        if number >= intake.FILES:
            raise intake.TooMuch(f"more than {intake.FILES} files")
        parts = parts_of(name)
        if parts is None or opened is None:
            left_out += 1
            continue
        place = os.path.join(folder, *parts)
        os.makedirs(os.path.dirname(place), mode=0o755, exist_ok=True)
        try:
            file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        except FileExistsError:
            left_out += 1
            continue
        with os.fdopen(file, "wb") as out, opened() as data:
            while piece := data.read(PIECE):
                total += len(piece)
                if total > intake.BYTES:
                    raise intake.TooMuch(f"more than {intake.BYTES // intake.MEBIBYTE} MiB")
                out.write(piece)
    return left_out


def alone_in(names, wanted):
    """The one archive of a folder that has nothing else to build, or None."""
    found = [name for name in names if "/" not in name and is_archive(name) and not name.startswith(".")]
    return found[0] if len(found) == 1 and not any(wanted(name) for name in names) else None
