"""What a library says of itself, by one look of pyelftools: what it needs, what it defines, and whether code of it
runs when it is loaded.

1. The look is the loader's: pyelftools gets the file without its table of sections, and follows the segment
   PT_DYNAMIC to the tables of names and relocations.
2. What is timed the judge has linked itself. A file made by hand is refused where the loader, the linker and
   pyelftools would find other tags: the linker copies the name of an auditing library into the judge's program.
3. Whatever is slow to read ends its reader (apart.py).
"""
import contextlib
import functools
import io
import mmap

with contextlib.suppress(ImportError):  # judge has said so, unless it prints its help
    from elftools.elf.elffile import ELFFile

MAGIC = b"\x7fELF\x02\x01"  # of 64 bits, little-endian
SECTIONS = (slice(40, 48), slice(60, 64))  # of the header: where its table is; how many there are, which has names
ON_LOAD = {"DT_INIT", "DT_INIT_ARRAY"}
FIRST = 0x20  # of DT_FLAGS_1: its constructors run before all others
SECTION_LIMIT = 4096
EARLY = {"DT_PREINIT_ARRAY", "DT_AUDIT", "DT_DEPAUDIT"}
INDIRECT_SYMBOLS, INDIRECT_RELOCATIONS = ("STT_LOOS", "STT_GNU_IFUNC"), (37, 1032)  # of x86-64, of AArch64
# The rotations that do nothing but ask Valgrind, and what does as little and asks nobody: of rdi; of x12.
REQUESTS = {bytes.fromhex("48c1c70348c1c70d48c1c73d48c1c733"): bytes.fromhex("48c1c700" * 4),
            bytes.fromhex("8c0dcc938c35cc938ccdcc938cf5cc93"): bytes.fromhex("8c01cc93" * 4)}


class NoLibrary(Exception):
    """Why these bytes are not a shared library."""


def unheard(data):
    """The library with each of its requests to Valgrind turned into nothing: the checked does not say
    where the checker looks."""
    for request, nothing in REQUESTS.items():
        data = data.replace(request, nothing)
    return data


class Library:
    """defined and called (names of functions, its own among those), needed, soname, asks_valgrind; runs_early: code
    of it runs before the program begins; runs_on_load: then, or in a constructor."""

    def __init__(self, data):
        self.asks_valgrind = any(request in data for request in REQUESTS)
        if not data.startswith(MAGIC):
            raise NoLibrary("it is not a 64-bit ELF file")
        loaded = bytearray(data)
        for part in SECTIONS:
            loaded[part] = bytes(part.stop - part.start)
        try:
            file = ELFFile(io.BytesIO(loaded))
            if file.header["e_type"] != "ET_DYN":
                raise NoLibrary("it is not a shared library")
            dynamic = dynamic_of(file)
            if places_for_the_linker(ELFFile(io.BytesIO(data))) != {dynamic["p_offset"]}:
                raise ValueError("its sections say something else than the loader reads")
            self.read(dynamic)
        except (NoLibrary, MemoryError):
            raise
        except Exception as problem:  # pylint: disable=broad-except # of whatever the bytes led the reader to
            raise NoLibrary(f"its tables are damaged ({problem})") from None

    def read(self, dynamic):
        tags = list(dynamic.iter_tags())
        kinds = [tag["d_tag"] for tag in tags]
        if any(kinds.count(kind) > 1 for kind in kinds if kind != "DT_NEEDED"):
            raise ValueError("a table is named twice")
        self.soname = next((tag.soname for tag in tags if tag["d_tag"] == "DT_SONAME"), None)
        self.needed = [tag.needed for tag in tags if tag["d_tag"] == "DT_NEEDED"]
        symbols = list(dynamic.iter_symbols())
        self.defined = {one.name for one in symbols if one["st_shndx"] != "SHN_UNDEF"} - {""}
        rows = [row for name, table in dynamic.get_relocation_tables().items() if name != "RELR"  # which has no symbols
                for row in table.iter_relocations()]
        named = [dynamic.get_symbol(number) for number in {row["r_info_sym"] for row in rows}]  # also beyond the table
        self.called = {one.name for one in named} - {""}
        self.runs_early = bool(EARLY & set(kinds)) or any(
            tag["d_tag"] == "DT_FLAGS_1" and tag["d_val"] & FIRST for tag in tags) or any(
            row["r_info_type"] in INDIRECT_RELOCATIONS for row in rows) or any(
            one["st_info"]["type"] in INDIRECT_SYMBOLS for one in symbols + named)
        self.runs_on_load = self.runs_early or bool(ON_LOAD & set(kinds))


def dynamic_of(file):
    """The one dynamic segment, where the loader has it, too."""
    segments = list(file.iter_segments())
    loads = [one for one in segments if one["p_type"] == "PT_LOAD"]
    ends = [one["p_vaddr"] + max(one["p_filesz"], one["p_memsz"]) for one in loads]
    pages = [(one["p_vaddr"] // mmap.PAGESIZE, -(-end // mmap.PAGESIZE)) for one, end in zip(loads, ends)]
    if any(before[1] > after[0] for before, after in zip(pages, pages[1:])):
        raise ValueError("its segments overlap")
    (dynamic,) = (one for one in segments if one["p_type"] == "PT_DYNAMIC")
    if dynamic["p_offset"] not in file.address_offsets(dynamic["p_vaddr"], dynamic["p_filesz"]):
        raise ValueError("its dynamic segment is elsewhere")
    dynamic.get_table_offset = functools.cache(dynamic.get_table_offset)  # which is asked for each symbol
    return dynamic


def places_for_the_linker(file):
    """Where in the file it finds tags: it goes by names, and others by kinds."""
    if not 0 < file.header["e_shnum"] <= SECTION_LIMIT:
        raise ValueError("too many sections, or no section")
    return {one["sh_offset"] for one in file.iter_sections()
            if one["sh_type"] == "SHT_DYNAMIC" or one.name == ".dynamic"}
