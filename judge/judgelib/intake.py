"""What comes from outside is read here, and nowhere else: a hand-in, and what its build made.

1. Every file is opened below a descriptor of its folder, by openat2 with RESOLVE_BENEATH: a link that
   leads out of the folder is not followed, nor one of /proc. Without openat2 no link is.
2. It is opened by O_PATH first, so that a pipe or a device is never opened for reading.
3. Regular files only; their number, their size and the depth of folders have limits. What is
   copied has the judge's modes.
"""
import ctypes
import os
import stat
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
MEBIBYTE = 1 << 20
SYS_OPENAT2 = 437
RESOLVE_NO_MAGICLINKS, RESOLVE_BENEATH = 0x02, 0x08
DEPTH, FILES, BYTES, FILE_BYTES = 24, 5000, 256 * MEBIBYTE, 64 * MEBIBYTE
LEFT_OUT = (".git", ".svn", ".hg", "__MACOSX")


class TooMuch(Exception):
    """One line: the limit that a folder goes beyond."""


def open_beneath(folder, path):
    """A descriptor for reading of a regular file below the descriptor folder, or None."""
    how = struct.pack("<QQQ", os.O_PATH | os.O_CLOEXEC, 0, RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS)
    place = LIBC.syscall(SYS_OPENAT2, folder, os.fsencode(path), ctypes.c_char_p(how), len(how))
    try:
        if place < 0 and ctypes.get_errno() == 38:  # ENOSYS
            place = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        if place < 0:
            return None
        try:
            if not stat.S_ISREG(os.fstat(place).st_mode):
                return None
            return os.open(f"/proc/self/fd/{place}", os.O_RDONLY | os.O_CLOEXEC)
        finally:
            os.close(place)
    except OSError:
        return None


def read_beneath(folder, path, limit=FILE_BYTES):
    """The bytes of a file; None when it is not regular, or larger than the limit."""
    file = open_beneath(folder, path)
    if file is None:
        return None
    with os.fdopen(file, "rb") as opened:
        if os.fstat(file).st_size > limit:
            return None
        data = opened.read(limit + 1)
    return data if len(data) <= limit else None


class Entry:
    """A regular file, or a link: path (below the folder), mode and size."""
    __slots__ = ("path", "status")

    def __init__(self, path, status):
        self.path, self.status = path, status


class Tree:
    """The files of a folder, in the order of their names. skipped: what is neither file nor folder."""

    def __init__(self, path, left_out=LEFT_OUT):
        self.folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self.left_out = left_out
        self.files, self.folders, self.skipped, self.too_deep = [], [], 0, 0
        self.newest = os.fstat(self.folder).st_mtime_ns
        try:
            self.walk(self.folder, "", 0)
        except BaseException:
            self.close()
            raise

    def walk(self, folder, path, depth):
        for name in sorted(os.listdir(folder)):
            if name.startswith("._"):
                continue  # a Mac's, beside each file of its archives
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:
                continue
            below = f"{path}/{name}" if path else name
            self.newest = max(self.newest, status.st_mtime_ns)
            if stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                self.files.append(Entry(below, status))
                if len(self.files) > FILES:
                    raise TooMuch(f"more than {FILES} files")
            elif not stat.S_ISDIR(status.st_mode):
                self.skipped += 1
            elif name not in self.left_out:
                if depth >= DEPTH:
                    self.too_deep += 1
                    continue
                self.walk_into(folder, name, below, depth)

    def walk_into(self, folder, name, below, depth):
        try:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC,
                            dir_fd=folder)
        except OSError:
            self.skipped += 1
            return
        self.folders.append(below)
        if len(self.folders) > FILES:
            os.close(inner)
            raise TooMuch(f"more than {FILES} folders")
        try:
            self.walk(inner, below, depth + 1)
        finally:
            os.close(inner)

    def names(self):
        return [entry.path for entry in self.files]

    def read(self, path, limit=FILE_BYTES):
        return read_beneath(self.folder, path, limit)

    def copy(self, target, wanted=lambda path: True):
        """Into an empty folder of ours; TooMuch when it is."""
        total = 0
        for path in self.folders:
            os.makedirs(os.path.join(target, path), mode=0o755, exist_ok=True)
        for entry in self.files:
            if not wanted(entry.path):
                continue
            if entry.status.st_size > FILE_BYTES:
                raise TooMuch(f"a file of more than {FILE_BYTES // MEBIBYTE} MiB")
            data = self.read(entry.path)
            if data is None:
                self.skipped += 1
                continue
            total += len(data)
            if total > BYTES:
                raise TooMuch(f"more than {BYTES // MEBIBYTE} MiB")
            write_new(os.path.join(target, entry.path), data,
                      0o755 if entry.status.st_mode & 0o100 else 0o644)

    def close(self):
        os.close(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()


def write_new(path, data, mode=0o644):
    """A file that is not there yet, without following anything."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with os.fdopen(file, "wb") as out:
        out.write(data)
        os.fchmod(file, mode)


def newest(path):
    """The time of the newest thing in a folder, in ns; of more than the limits, of as much as is
    looked at."""
    try:
        with Tree(path) as tree:
            return tree.newest
    except (TooMuch, OSError):
        return os.stat(path).st_mtime_ns
