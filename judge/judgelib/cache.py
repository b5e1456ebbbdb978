"""What does not depend on a hand-in is made once: objects of the judge's own programs, references, their counts.

1. A thing is known by a digest of all that it comes from: sources, command, compiler, bytes of libraries.
2. It is kept in this process. Judges that are given the same folder (--cache; a batch makes one for its
   own time) share it there, too: a name per digest, written elsewhere and renamed.
   Judges that begin at the same time may each make it.
3. A file holds a digest of its name and its content. One that does not is made again and replaced.
4. The folder belongs to the judge's user alone. It is used where the box holds a hand-in, by bubblewrap
   or by a user of its own: what a hand-in could write to is neither read nor written.
Not for what a hand-in has a part in: its headers, its objects and its counts are never kept.
"""
import errno
import hashlib
import os
import shutil
import stat
import tempfile

FOLDERS = []  # the folder that is shared, if there is one
KEPT = {}     # of this process: {digest: bytes}


def use(folder):
    """Share what is made with all judges that get the same folder."""
    status = os.stat(folder)
    if status.st_uid != os.geteuid() or status.st_mode & 0o077 or not stat.S_ISDIR(status.st_mode):
        raise PermissionError(errno.EPERM, "a cache is a folder that its user alone may use", folder)
    FOLDERS[:] = [folder]


def identity(program, path=None):
    """Words that change when a program is another one."""
    place = shutil.which(program, path=path)
    if place is None:
        return [program]
    status = os.stat(place)
    return [program, os.path.realpath(place), str(status.st_size), str(status.st_mtime_ns)]


def digest(parts):
    """Of strings and bytes, with the end of each."""
    made = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else os.fsencode(part)
        made.update(b"%d:" % len(data) + data)
    return made.hexdigest()


def once(box, parts, make):
    """What make() gives: bytes, or None, which is not kept. parts: all that these bytes come from."""
    name = digest(parts)
    if name not in KEPT:
        path = os.path.join(FOLDERS[0], name) if FOLDERS and box.holds_files else None
        data = path and read(path, name)
        if data is None:
            data = make()
            if data is None:
                return None
            if path is not None:
                write(path, name, data)
        KEPT[name] = data
    return KEPT[name]


def read(path, name):
    """The content, or None if there is no such file or it is damaged."""
    try:
        with open(path, "rb") as file:
            mark, data = file.read(64), file.read()
    except OSError:
        return None
    return data if mark == digest([name, data]).encode() else None


def write(path, name, data):
    """Whole or not at all. A full disk costs nothing but the time that it would have saved."""
    try:
        file, part = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".part-")
    except OSError:
        return
    try:
        with os.fdopen(file, "wb") as out:
            out.write(digest([name, data]).encode() + data)
        os.replace(part, path)
    except OSError:
        os.unlink(part)
