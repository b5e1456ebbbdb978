"""Text of a hand-in, for a person's eyes: every control and bidirectional character is written out.

Everything that comes from a hand-in (names, messages of its build, what it printed) goes through here on
its way to a card, once, whatever the format of the card.
"""
import hashlib
import re
import unicodedata

TAKEN = ("ranking",)
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls, directions, halves of pairs, no character

FOLDERS = re.compile(r"(?<![\w./<*])/(?:[\w.+@~-]+/)+(?=[\w.+-])")  # of an absolute path


def without_folders(text):
    """The text with the name alone of each file of the judge's machine."""
    return FOLDERS.sub("", text)


def printable(text, keep=""):
    """The text with each hidden character as \\xNN or \\u{NNNN}; keep: characters that are left."""
    return "".join(one if one in keep or unicodedata.category(one) not in HIDDEN else written(one)
                   for one in text)


def written(one):
    code = ord(one)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"


def clean(value):
    """A card with all its texts printable, and no folder of the judge's machine; programs and logs keep their
    lines."""
    if isinstance(value, str):
        return printable(without_folders(value), "\n")
    if isinstance(value, dict):
        return {printable(name): clean(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(inner) for inner in value]
    return value


def counted(number, one, more=None):
    """A number with its noun: 1 error, 2 errors."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def cell(value):
    """For CSV: one line, and nothing that a spreadsheet takes for a formula."""
    text = printable(str(value))
    return "'" + text if text[:1] in ("=", "+", "-", "@") else text


def file_name(name):
    """A name for a file of ours: letters, figures and a few marks, everything else written out."""
    safe = "".join(one if one.isascii() and (one.isalnum() or one in "._- ") else
                   "%" + "%".join(f"{byte:02X}" for byte in one.encode("utf-8", "surrogateescape"))
                   for one in name)
    if safe.startswith("long-") or safe.lower() in TAKEN:  # such names are the judge's own
        safe = f"%{ord(safe[0]):02X}{safe[1:]}"
    return safe if len(safe) <= 150 and not safe.startswith(".") else \
        "long-" + hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:32]
