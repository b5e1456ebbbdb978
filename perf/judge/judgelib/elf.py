"""What a library says of itself, read from its bytes: nothing of a hand-in is asked to read it.

Only what the judge needs of a 64-bit little-endian ELF file: the names that it defines, the libraries that
it needs, where it wants them searched, and whether code of it runs while it is being linked (IFUNC).
"""
import struct

MAGIC = b"\x7fELF\x02\x01"
HEADER, SECTION = struct.Struct("<16xHHIQQQIHHHHHH"), struct.Struct("<IIQQQQIIQQ")
SYMBOL, ENTRY, RELOCATION = struct.Struct("<IBBHQQ"), struct.Struct("<QQ"), struct.Struct("<QQq")
SHARED_OBJECT, DYNAMIC_SYMBOLS, DYNAMIC, RELOCATIONS = 3, 11, 6, 4
NEEDED, SONAME, RPATH, RUNPATH, AUDIT, DEPAUDIT, FILTER, AUXILIARY = \
    1, 14, 15, 29, 0x6FFFFEFC, 0x6FFFFEFB, 0x7FFFFFFF, 0x7FFFFFFD
INDIRECT_SYMBOL, INDIRECT_RELOCATIONS = 10, (37, 1032)  # of x86-64, of AArch64
TABLE_LIMIT = 1 << 18


class NoLibrary(Exception):
    """Why these bytes are no shared library."""


class Library:
    """defined (set of names), needed (list), soname, paths (list), runs_early."""

    def __init__(self, data):
        self.data = data
        self.defined, self.needed, self.paths = set(), [], []
        self.soname, self.runs_early = None, False
        if not data.startswith(MAGIC):
            raise NoLibrary("it is no 64-bit ELF file")
        try:
            self.read()
        except (struct.error, IndexError, ValueError) as problem:
            raise NoLibrary(f"its tables are damaged ({problem})") from None

    def read(self):
        kind, _, _, _, _, offset, _, _, _, _, size, count, _ = HEADER.unpack_from(self.data)
        if kind != SHARED_OBJECT or size != SECTION.size:
            raise NoLibrary("it is no shared library")
        sections = [SECTION.unpack_from(self.data, offset + size * i) for i in range(count)]
        for section in sections:
            if section[1] == DYNAMIC_SYMBOLS:
                self.read_symbols(section, sections[section[6]])
            elif section[1] == DYNAMIC:
                self.read_dynamic(section, sections[section[6]])
            elif section[1] == RELOCATIONS:
                self.runs_early |= any(info & 0xFFFFFFFF in INDIRECT_RELOCATIONS
                                       for _, info, _ in self.rows(section, RELOCATION))

    def rows(self, section, form):
        at, size = section[4], section[5]
        if size // form.size > TABLE_LIMIT or at + size > len(self.data):
            raise ValueError("a table is too long")
        return [form.unpack_from(self.data, at + form.size * i) for i in range(size // form.size)]

    def text(self, strings, at):
        start = strings[4] + at
        end = self.data.index(b"\0", start)
        return self.data[start:min(end, start + 4096)].decode("utf-8", "backslashreplace")

    def read_symbols(self, section, strings):
        for name, info, _, place, _, _ in self.rows(section, SYMBOL):
            self.runs_early |= info & 15 == INDIRECT_SYMBOL
            if place != 0 and name != 0:
                self.defined.add(self.text(strings, name).partition("@")[0])

    def read_dynamic(self, section, strings):
        for tag, value in self.rows(section, ENTRY):
            if tag == NEEDED:
                self.needed.append(self.text(strings, value))
            elif tag == SONAME:
                self.soname = self.text(strings, value)
            elif tag in (RPATH, RUNPATH):
                self.paths.append(self.text(strings, value))
            elif tag in (AUDIT, DEPAUDIT, FILTER, AUXILIARY):
                self.needed.append("(auditing) " + self.text(strings, value))
