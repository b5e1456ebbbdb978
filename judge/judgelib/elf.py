"""What a library says of itself, read by pyelftools: nothing of a hand-in is asked to read it.

1. Read is what the loader reads: the segment PT_DYNAMIC, and the tables that it names by address.
2. The linker, which puts the judge's programs together, reads sections. Where the two say something else,
   the file is refused: such a library hides what it does.
3. Counts in the header have limits; whatever else is slow to read ends its reader (apart.py).
Only what the judge needs of a 64-bit little-endian ELF file: the names that it defines, the libraries that
it needs, whether code of it runs when it is loaded, and whether it speaks to Valgrind.
"""
import io
import mmap

from elftools.elf.dynamic import DynamicSection, DynamicSegment
from elftools.elf.elffile import ELFFile
from elftools.elf.enums import ENUM_D_TAG, ENUM_ST_INFO_TYPE
from elftools.elf.hash import ELFHashTable, GNUHashTable
from elftools.elf.relocation import RelocationTable
from elftools.elf.sections import SymbolTableSection

MAGIC = b"\x7fELF\x02\x01"
SECTION_LIMIT, SEGMENT_LIMIT, NAME_LIMIT = 4096, 64, 4096
NEEDED, HASH, STRINGS, SYMBOLS, RELA, RELA_SIZE, SONAME, JUMP, JUMP_SIZE, GNU_HASH = (
    ENUM_D_TAG["DT_" + name] for name in ("NEEDED", "HASH", "STRTAB", "SYMTAB", "RELA", "RELASZ", "SONAME", "JMPREL",
                                          "PLTRELSZ", "GNU_HASH"))
ON_LOAD = {ENUM_D_TAG["DT_" + name] for name in ("INIT", "INIT_ARRAY", "PREINIT_ARRAY")}
FLAGS, FIRST = ENUM_D_TAG["DT_FLAGS_1"], 0x20  # its constructors run before all others
AUDITING = {ENUM_D_TAG["DT_" + name] for name in ("AUDIT", "DEPAUDIT", "FILTER", "AUXILIARY")}
ONCE = {HASH, STRINGS, SYMBOLS, RELA, RELA_SIZE, SONAME, JUMP, JUMP_SIZE, GNU_HASH}
INDIRECT_SYMBOL, INDIRECT_RELOCATIONS = 10, (37, 1032)  # of x86-64, of AArch64
OTHERWISE = "its sections say something else than the loader reads"
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


def only(found, kind, what):
    """The one object of a class."""
    found = [one for one in found if isinstance(one, kind)]
    if len(found) != 1:
        raise ValueError(f"it has no {what}, or several")
    return found[0]


class Library:
    """defined (set of names), needed (list), soname, asks_valgrind; runs_early: code of it runs before the program
    begins; runs_on_load: then, or in a constructor."""

    def __init__(self, data):
        self.defined, self.needed = set(), []
        self.soname, self.runs_early, self.runs_on_load = None, False, False
        self.called = set()  # what it calls by name, its own functions among it
        self.named = []  # where in the strings the names of tags begin
        self.asks_valgrind = any(request in data for request in REQUESTS)
        if not data.startswith(MAGIC):
            raise NoLibrary("it is no 64-bit ELF file")
        try:
            self.read(ELFFile(io.BytesIO(data)))
        except (NoLibrary, MemoryError):
            raise
        except Exception as problem:  # pylint: disable=broad-except # of whatever the bytes led the reader to
            raise NoLibrary(f"its tables are damaged ({problem})") from None

    def read(self, file):
        header = file.header
        if header["e_type"] != "ET_DYN":
            raise NoLibrary("it is no shared library")
        if not 0 < header["e_shnum"] <= SECTION_LIMIT or not 0 < header["e_phnum"] <= SEGMENT_LIMIT:
            raise ValueError("too many sections or segments, or none")
        if header["e_shentsize"] != file.structs.Elf_Shdr.sizeof() or \
                header["e_phentsize"] != file.structs.Elf_Phdr.sizeof():
            raise ValueError("its headers have another size")
        segments, sections = list(file.iter_segments()), list(file.iter_sections())
        loads = [one for one in segments if one["p_type"] == "PT_LOAD"]
        ends = [(one["p_vaddr"] // PAGE, -(-(one["p_vaddr"] + max(one["p_filesz"], one["p_memsz"])) // PAGE)) for one in loads]
        if any(before[1] > after[0] for before, after in zip(ends, ends[1:])):
            raise ValueError("its segments overlap")
        segment = only(segments, DynamicSegment, "dynamic segment")
        dynamic = only(sections, DynamicSection, "dynamic section")
        symbols = only([one for one in sections if one["sh_type"] == "SHT_DYNSYM"], SymbolTableSection,
                       "table of symbols")
        count = self.compare(file, segment, dynamic, symbols)
        self.read_symbols(symbols, count, file.get_section(symbols["sh_link"])["sh_size"])
        self.runs_on_load |= self.runs_early
        self.called = {checked(symbols.get_symbol(number).name) for number in self.called if 0 < number < count}

    def compare(self, file, segment, dynamic, symbols):
        """The loader and the linker find the same tables at the same places; the number of symbols."""
        size = file.structs.Elf_Dyn.sizeof()
        if place(file, segment["p_vaddr"], segment["p_filesz"]) != segment["p_offset"]:
            raise ValueError("its dynamic segment is elsewhere")
        same_place(dynamic, segment["p_vaddr"], segment["p_offset"])
        tags = self.read_tags(segment, segment["p_filesz"] // size)
        for section in (dynamic, symbols):
            strings = file.get_section(section["sh_link"])
            same_place(strings, tags[STRINGS], place(file, tags[STRINGS], strings["sh_size"]))
            if not strings.data().endswith(b"\0") or any(value >= strings["sh_size"] for value in self.named):
                raise ValueError("a name has no end")
        count = symbol_count(file, tags)
        size = file.structs.Elf_Sym.sizeof()
        same_place(symbols, tags[SYMBOLS], place(file, tags[SYMBOLS], count * size))
        if symbols["sh_entsize"] != size or symbols["sh_size"] // size < count:
            raise ValueError(OTHERWISE)
        self.read_relocations(file, tags)
        self.runs_on_load = bool(ON_LOAD & set(tags))
        self.runs_early |= tags.get(FLAGS, 0) & FIRST != 0 or ENUM_D_TAG["DT_PREINIT_ARRAY"] in tags or any(
            number >= count for number in self.called)  # a name beyond the table may be of any kind
        return count

    def read_tags(self, segment, most):
        """{tag: value}; the names among them become needed and soname."""
        tags = {}
        for number in range(most):
            tag = segment.get_tag(number)
            kind = ENUM_D_TAG.get(tag.entry["d_tag"], tag.entry["d_tag"])
            if kind == 0:
                return tags
            if kind in ONCE and kind in tags:
                raise ValueError("a table is named twice")
            tags[kind] = tag.entry["d_val"]
            if kind in (SONAME, NEEDED, *AUDITING):
                self.named.append(tag.entry["d_val"])
            if kind == SONAME:
                self.soname = checked(tag.soname)
            elif kind == NEEDED:
                self.needed.append(checked(tag.needed))
            elif kind in AUDITING:
                self.needed.append("an auditing library")
        raise ValueError("its dynamic segment has no end")

    def read_symbols(self, symbols, count, strings_size):
        """What no table of names reaches is for the linker alone: it may define nothing."""
        for number, symbol in enumerate(symbols.iter_symbols()):
            is_defined = symbol["st_shndx"] != "SHN_UNDEF"
            if number >= count and is_defined:
                raise ValueError(OTHERWISE)
            if symbol["st_name"] >= strings_size:
                raise ValueError("a name has no end")
            kind = symbol["st_info"]["type"]
            self.runs_early |= ENUM_ST_INFO_TYPE.get(kind, kind) == INDIRECT_SYMBOL
            if is_defined and symbol.name:
                self.defined.add(checked(symbol.name).partition("@")[0])

    def read_relocations(self, file, tags):
        for table, size in ((RELA, RELA_SIZE), (JUMP, JUMP_SIZE)):
            if table in tags and tags.get(size):
                rows = RelocationTable(file, place(file, tags[table], tags[size]), tags[size], True)
                for row in rows.iter_relocations():
                    self.runs_early |= row["r_info_type"] in INDIRECT_RELOCATIONS
                    self.called.add(row["r_info_sym"])


def checked(name):
    if len(name) >= NAME_LIMIT:
        raise ValueError("a name has no end")
    return name


def place(file, address, size=1):
    """Where in the file is what the loader has at that address."""
    for offset in file.address_offsets(address, size):
        return offset
    raise ValueError("a table is in no segment")


def same_place(section, address, offset):
    if (section["sh_addr"], section["sh_offset"]) != (address, offset):
        raise ValueError(OTHERWISE)


def symbol_count(file, tags):
    """As many as the tables by which names are found reach."""
    counts = [kind(file, place(file, tags[tag]), None).get_number_of_symbols()
              for tag, kind in ((HASH, ELFHashTable), (GNU_HASH, GNUHashTable)) if tag in tags]
    return max(counts)
