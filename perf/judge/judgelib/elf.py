"""What a library says of itself, read from its bytes: nothing of a hand-in is asked to read it.

1. Read is what the loader reads: the segment PT_DYNAMIC, and the tables that it names by address.
2. The linker, which puts the judge's programs together, reads sections. Where the two say something else,
   the file is refused: such a library hides what it does.
3. Every table has a limit, and every name an end: 1 MiB of anything takes a part of a second.
Only what the judge needs of a 64-bit little-endian ELF file: the names that it defines, the libraries that
it needs, whether code of it runs while it is being linked (IFUNC), and whether it speaks to Valgrind.
"""
import mmap
import struct

MAGIC = b"\x7fELF\x02\x01"
HEADER, SECTION = struct.Struct("<16xHHIQQQIHHHHHH"), struct.Struct("<IIQQQQIIQQ")
SEGMENT = struct.Struct("<IIQQQQQQ")
SYMBOL, ENTRY, RELOCATION = struct.Struct("<IBBHQQ"), struct.Struct("<QQ"), struct.Struct("<QQq")
SHARED_OBJECT, DYNAMIC_SYMBOLS, DYNAMIC = 3, 11, 6
PT_LOAD, PT_DYNAMIC = 1, 2
NEEDED, HASH, STRINGS, SYMBOLS, RELA, RELA_SIZE, SONAME, JUMP, JUMP_SIZE, GNU_HASH = \
    1, 4, 5, 6, 7, 8, 14, 23, 2, 0x6FFFFEF5
AUDIT, DEPAUDIT, FILTER, AUXILIARY = 0x6FFFFEFC, 0x6FFFFEFB, 0x7FFFFFFF, 0x7FFFFFFD
ONCE = {HASH, STRINGS, SYMBOLS, RELA, RELA_SIZE, SONAME, JUMP, JUMP_SIZE, GNU_HASH}
INDIRECT_SYMBOL, INDIRECT_RELOCATIONS = 10, (37, 1032)  # of x86-64, of AArch64
TABLE_LIMIT, NAME_LIMIT, SECTION_LIMIT = 1 << 17, 4096, 4096
PAGE = mmap.PAGESIZE  # in which the loader maps
# The rotations that do nothing but ask Valgrind, and what does as little and asks nobody: of rdi; of x12.
REQUESTS = {bytes.fromhex("48c1c70348c1c70d48c1c73d48c1c733"): bytes.fromhex("48c1c700" * 4),
            bytes.fromhex("8c0dcc938c35cc938ccdcc938cf5cc93"): bytes.fromhex("8c01cc93" * 4)}


class NoLibrary(Exception):
    """Why these bytes are no shared library."""


def unheard(data):
    """The library with each of its requests to Valgrind turned into nothing: the checked does not say
    where the checker looks."""
    for request, nothing in REQUESTS.items():
        data = data.replace(request, nothing)
    return data


def tables(data):
    """What the judge keeps of a library: no bytes of it."""
    made = Library(data)
    made.data = b""
    return made


class Library:
    """defined (set of names), needed (list), soname, runs_early, asks_valgrind."""

    def __init__(self, data):
        self.data, self.loads, self.strings = data, [], 0
        self.defined, self.needed = set(), []
        self.soname, self.runs_early = None, False
        self.asks_valgrind = any(request in data for request in REQUESTS)
        if not data.startswith(MAGIC):
            raise NoLibrary("it is no 64-bit ELF file")
        try:
            self.read()
        except (struct.error, IndexError, ValueError) as problem:
            raise NoLibrary(f"its tables are damaged ({problem})") from None

    def read(self):
        kind, _, _, _, segments_at, sections_at, _, _, segment_size, segment_count, size, count, _ = \
            HEADER.unpack_from(self.data)
        if kind != SHARED_OBJECT or size != SECTION.size or segment_size != SEGMENT.size:
            raise NoLibrary("it is no shared library")
        if count > SECTION_LIMIT:
            raise ValueError("too many sections")
        segments = self.rows(segments_at, segment_count * SEGMENT.size, SEGMENT)
        self.loads = [one for one in segments if one[0] == PT_LOAD]
        ends = [(one[3] // PAGE, -(-(one[3] + one[5]) // PAGE)) for one in self.loads]
        if any(before[1] > after[0] for before, after in zip(ends, ends[1:])):
            raise ValueError("its segments overlap")
        dynamic = [one for one in segments if one[0] == PT_DYNAMIC]
        if len(dynamic) != 1:
            raise ValueError("it has not one dynamic segment")
        tags = self.read_dynamic(dynamic[0])
        self.read_symbols(tags)
        self.read_relocations(tags)
        self.compare_sections(self.rows(sections_at, count * SECTION.size, SECTION), dynamic[0], tags)

    def rows(self, at, size, form):
        """The rows of a table at a place of the file."""
        if size // form.size > TABLE_LIMIT or at + size > len(self.data):
            raise ValueError("a table is too long")
        return list(form.iter_unpack(self.data[at:at + size - size % form.size]))

    def place(self, address):
        """Where in the file is what the loader has at that address."""
        for _, _, offset, start, _, size, _, _ in self.loads:
            if start <= address < start + size:
                return address - start + offset
        raise ValueError("a table is in no segment")

    def text(self, at):
        start = self.strings + at
        end = self.data.find(b"\0", start, start + NAME_LIMIT)
        if end < 0:
            raise ValueError("a name has no end")
        return self.data[start:end].decode("utf-8", "backslashreplace")

    # What the loader reads ----------------------------------------------------------------------

    def read_dynamic(self, segment):
        """{tag: value} of the tags that are there once; needed and soname."""
        if self.place(segment[3]) != segment[2]:
            raise ValueError("its dynamic segment is elsewhere")
        tags, names = {}, []
        for tag, value in self.rows(segment[2], segment[5], ENTRY):
            if tag == 0:
                break
            if tag in ONCE and tag in tags:
                raise ValueError("a table is named twice")
            tags[tag] = value
            if tag in (NEEDED, SONAME, AUDIT, DEPAUDIT, FILTER, AUXILIARY):
                names.append((tag, value))
        if STRINGS not in tags or SYMBOLS not in tags:
            raise ValueError("it has no symbols")
        self.strings = self.place(tags[STRINGS])
        for tag, value in names:
            if tag == SONAME:
                self.soname = self.text(value)
            else:
                self.needed.append(("" if tag == NEEDED else "(auditing) ") + self.text(value))
        return tags

    def symbol_count(self, tags):
        """As many as the tables by which names are found reach."""
        counts = [0]
        if HASH in tags:
            counts.append(struct.unpack_from("<II", self.data, self.place(tags[HASH]))[1])
        if GNU_HASH in tags:
            at = self.place(tags[GNU_HASH])
            buckets, first, bloom, _ = struct.unpack_from("<IIII", self.data, at)
            if buckets > TABLE_LIMIT or bloom > TABLE_LIMIT:
                raise ValueError("a table is too long")
            at += 16 + 8 * bloom
            last = max(struct.unpack_from(f"<{buckets}I", self.data, at), default=0)
            at += 4 * buckets
            counts.append(first)
            while last >= first:  # a chain ends at the first odd word
                counts.append(last + 1)
                if struct.unpack_from("<I", self.data, at + 4 * (last - first))[0] & 1:
                    break
                last += 1
                if last > TABLE_LIMIT:
                    raise ValueError("a table is too long")
        return max(counts)

    def read_symbols(self, tags):
        size = self.symbol_count(tags) * SYMBOL.size
        for name, info, _, home, _, _ in self.rows(self.place(tags[SYMBOLS]), size, SYMBOL):
            self.runs_early |= info & 15 == INDIRECT_SYMBOL
            if home != 0 and name != 0:
                self.defined.add(self.text(name).partition("@")[0])

    def read_relocations(self, tags):
        for table, size in ((RELA, RELA_SIZE), (JUMP, JUMP_SIZE)):
            if table in tags and tags.get(size, 0):
                self.runs_early |= any(
                    info & 0xFFFFFFFF in INDIRECT_RELOCATIONS for _, info, _ in
                    self.rows(self.place(tags[table]), tags[size], RELOCATION))

    # What the linker reads ----------------------------------------------------------------------

    def compare_sections(self, sections, segment, tags):
        """The linker finds the same tables at the same places."""
        dynamic = [one for one in sections if one[1] == DYNAMIC]
        symbols = [one for one in sections if one[1] == DYNAMIC_SYMBOLS]
        if len(dynamic) != 1 or len(symbols) != 1:
            raise ValueError("its sections have not one table of symbols")
        count = self.symbol_count(tags)
        strings = sections[symbols[0][6]]
        same = (dynamic[0][3:5] == (segment[3], segment[2]) and
                symbols[0][3:5] == (tags[SYMBOLS], self.place(tags[SYMBOLS])) and
                strings[3:5] == (tags[STRINGS], self.strings))
        if same and symbols[0][5] // SYMBOL.size != count:  # what no table of names reaches defines nothing
            rest = self.rows(symbols[0][4] + count * SYMBOL.size,
                             max(symbols[0][5] - count * SYMBOL.size, 0), SYMBOL)
            same = symbols[0][5] // SYMBOL.size > count and not any(row[3] for row in rest)
        if not same:
            raise ValueError("its sections say something else than the loader reads")
