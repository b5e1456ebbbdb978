"""What was handed in, in the box where it is judged: two libraries, headers, and the judge's programs.

1. The hand-in is built in a box of its own (building.py). Of that come bytes: they are written here into
   folders that the judge owns, and that nothing in the box may write to.
2. The libraries are looked at before they are used: what they need beyond each other comes, by name,
   from the system, or is a finding.
3. The judge's programs are compiled against the headers in this box, where nothing of the hand-in runs,
   and are copied out of the compiler's folder before anything does.
"""
import copy
import ctypes
import difflib
import os
import pathlib
import re
import secrets
import struct
import tempfile

import apart
import archives
import building
import cache
import elf
import intake
import levels
from building import BUILD_LIMITS, COMPILER, HEADERS, HERE, LIBRARIES, Made, Refused, Workshop
from printable import counted, printable
from rules import Rule
from sandbox import PATH, Job, Limits

NEAR_SECONDS = 3
NOTHING_ELSE = re.compile(r"(_init|_fini|_edata|_end|__bss_start|_Z.*|__gmon_start__)$")
SYSTEM_LIBRARIES = ("/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib")
PARTS = ("door.h",)  # what the judge's programs include
FLAGS = ("-O1", "-g", "-D_GNU_SOURCE")

# Registering malloc is a precondition, also for the list; the queue's function need not do that, and a
# program of the queue alone has no other way to the list's.
QUEUE_ALONE = """#define DOOR_WORDS 1
#include "door.h"
#include <dlfcn.h>
#include <queue.h>
#include <stdlib.h>

int main(void)
{
    bool (*set_malloc)(void *(*)(size_t)) = NULL;
    bool (*set_free)(void (*)(void *)) = NULL;
    *(void **)&set_malloc = dlsym(RTLD_DEFAULT, "linked_list_register_malloc");
    *(void **)&set_free = dlsym(RTLD_DEFAULT, "linked_list_register_free");
    if (set_malloc != NULL && set_free != NULL) {
        set_malloc(malloc);
        set_free(free);
    }
    queue_register_malloc(malloc);
    queue_register_free(free);
    struct queue *queue = queue_create();
    unsigned int data = 0;
    queue_push(queue, 3);
    queue_pop(queue, &data);
    queue_delete(queue);
    return 0;
}
"""
# The only files of the judge that see the hand-in's headers; nothing that they compile to is linked or run.
IS = ("#define IS(type, expression) _Static_assert(_Generic((expression), type: 1, default: 0), "
      "#expression)\n")
SIGNATURES = {
    "linked_list.h": """IS(struct node *, ((struct node *)0)->next);
IS(unsigned int, ((struct node *)0)->data);
IS(struct node *, ((struct linked_list *)0)->head);
IS(struct linked_list *, ((struct iterator *)0)->ll);
IS(struct node *, ((struct iterator *)0)->current_node);
IS(size_t, ((struct iterator *)0)->current_index);
IS(unsigned int, ((struct iterator *)0)->data);
""", "queue.h": ""}
MEMBERS = (("node", "next"), ("node", "data"), ("linked_list", "head"), ("iterator", "ll"),
           ("iterator", "current_node"), ("iterator", "current_index"), ("iterator", "data"))
MACRO = re.compile(r"^#define (\w+)\b", re.M)


class CannotGrade(Exception):
    """One line."""


def prototypes(header, has_cleanup=True):
    """The lines of one of the challenge's headers that declare functions."""
    text = (building.CHALLENGE_FILES / building.CHALLENGE[header]).read_text(encoding="utf-8")
    return [line for line in re.findall(r"^\S.*\);$", text, re.M)
            if has_cleanup or levels.CLEANUP not in line]


def layout_lines(mark):
    """C that puts a mark and the places of the members into an object."""
    marks = ", ".join(f"0x{mark[at:at + 8][::-1].hex()}u" for at in (0, 8))
    offsets = ", ".join(f"offsetof(struct {owner}, {member})" for owner, member in MEMBERS)
    return f"const unsigned long long judge_layout[] = {{{marks}, {offsets}}};\n"


def headers_of(level):
    return HEADERS[:1 if level == 1 else 2]


def function_names(headers=HEADERS, has_cleanup=True):
    return [re.search(r"(\w+)\(", line)[1] for header in headers for line in prototypes(header, has_cleanup)]


def near_names(missing, others):
    """{name: the one other that is spelled almost so}. Who has very many others may have all of its time used up."""
    found = {}
    for name in sorted(missing):
        alike = [one for one in others if abs(len(one) - len(name)) <= len(name) // 5]
        near = difflib.get_close_matches(name, alike, 2, 0.9)
        if len(near) == 1 and near[0] not in found.values():
            found[name] = near[0]
    return found


def is_of_the_system(name):
    """A library that the machine has under this name, in the folders that are searched."""
    if "/" in name or "$" in name:
        return False
    folders = [pathlib.Path(place) for place in SYSTEM_LIBRARIES]
    folders += [below for place in ("/lib", "/usr/lib")
                for below in pathlib.Path(place).glob("*-linux-gnu*")]
    return any((folder / name).is_file() for folder in folders)


def only_folder(place):
    """The folder in which everything is: archives often have one folder at their root."""
    while True:
        inside = [one for one in place.iterdir() if one.name not in intake.LEFT_OUT and one.name[0] != "."]
        if len(inside) != 1 or not inside[0].is_dir() or inside[0].is_symlink():
            return place
        place = inside[0]


class Submission:
    """label, stage (ours), libraries (a folder), include (folders), level, build (for the card)."""

    def __init__(self, paths, box, say, name="", level=None, isolation="auto"):
        self.box = box
        self.say = say
        self.paths = [pathlib.Path(path) for path in paths]
        self.label = printable(os.path.basename(os.path.abspath(self.paths[0])))
        self.stage = pathlib.Path(box.make(f"{name}stage", is_theirs=False))
        self.name = name
        self.isolation = isolation
        self.libraries = self.stage / "lib"
        self.include = []
        self.told_level = self.level = level
        self.has_cleanup = False  # linked_list_final_cleanup, as the header or a library has it
        self.declares_cleanup = False
        self.missing, self.misspelled = set(), {}  # functions of the interface; {name: as it is spelled}
        self.own_program = self.program_problem = None  # of level 3: its bytes, or why it is missing
        self.layout = []    # words for the compiler: where the members of the hand-in's structs are
        self.tables = {}    # of each library: elf.Library
        self.build = {"how": None, "command": None, "seconds": 0.0, "warnings": 0,
                      "first_warnings": [], "headers": None, "level": None, "log": [],
                      "advice": None, "shown_by": []}
        self.notes = []
        self.is_built = False
        self.is_linked_here = False  # by the judge itself; made_here: what is, once it is asked for
        self.made_here = ()
        self.recipes = {}   # what its own build compiled: recipes.py
        self.is_reference = False  # built from files of the judge, or of this project
        self.compiled = 0

    def copy(self):
        """CannotGrade when there is nothing to grade."""
        for path in self.paths:
            if not path.exists():
                raise CannotGrade(f"{path}: no such file or folder")
        if len(self.paths) == 1:
            self.open_archive()
        if not (len(self.paths) == 1 and self.paths[0].is_dir()
                or sorted(path.name for path in self.paths) == sorted(LIBRARIES)):
            found = " ".join(path.name for path in self.paths)
            raise CannotGrade(f"expected a folder, a zip or tar file, or {' and '.join(LIBRARIES)}; found {found}")

    def open_archive(self):
        """A zip or tar file, alone or as all that a folder holds, is opened, as it was uploaded."""
        path = self.paths[0]
        if path.is_dir():
            try:
                with intake.Tree(path) as tree:
                    name = archives.alone_in(tree.names(), lambda one: one.endswith(
                        (*building.SOURCES, *LIBRARIES)) or os.path.basename(one) in building.BUILD_FILES)
            except (intake.TooMuch, OSError):
                return
            if name is None or (path / name).is_symlink():
                return
            path = path / name
        if not path.is_file() or not archives.is_archive(path.name):
            return
        folder = self.box.make(f"{self.name}unpacked", is_theirs=False)
        try:
            left_out = archives.unpack(path, folder)
        except (archives.NoArchive, intake.TooMuch) as problem:
            raise CannotGrade(f"{path}: {problem}") from None
        self.notes.append(f"{printable(path.name)} was opened.")
        if left_out:
            self.notes.append(f"Links, and entries that lead out of it, were left out: {left_out}.")
        self.paths = [only_folder(pathlib.Path(folder))]

    def make(self):
        """Build; the rules of the group "build", the first of which failed when there is nothing
        to play on."""
        rules = [self.make_unchecked()]
        if self.is_built:
            rules += [self.check_exports(), self.check_headers()]
            if self.level != 1:
                rules.append(self.check_queue_alone())
        return rules

    def make_unchecked(self):
        """Build, and no more: what a reference needs. The rule of that."""
        rule = Rule("builds")
        made = self.made()
        problem = made.problem
        if problem is None:
            try:
                self.take(made)
                problem = self.why_mangled()
            except (Refused, apart.TooSlow) as wrong:
                problem = str(wrong)
        if problem is not None:
            if self.build["advice"]:
                problem = problem.rstrip(".") + ". " + self.build["advice"]
            self.build["level"] = self.level = self.level or made.asked_level()
            wanted = LIBRARIES[:1 if self.level == 1 else 2] if self.level else ["a hand-in that can be built"]
            return rule.failed(" and ".join(wanted), problem)
        self.is_built, self.is_linked_here = True, made.is_linked_here
        return rule.passed()

    def why_mangled(self):
        """None, or that the functions have the names of C++."""
        names = [name for name in sorted(self.defined) if re.match(r"_Z\d+linked_list_create", name)]
        if "linked_list_create" in self.defined or not names:
            return None
        return f'{names[0]} is in the library: in C++ the functions need extern "C"'

    def made(self):
        if self.is_reference and len(self.paths) == 1:
            return self.made_reference()
        if len(self.paths) == 1:
            shop = Workshop(self.isolation, self.say, self.build, self.notes, self.told_level)
            made = shop.take(self.paths[0])
            self.recipes = shop.recipes
            self.told_level = self.told_level or (3 if shop.has_program else None)
            return made
        made = Made()
        self.build["how"] = "libraries as handed in"
        self.build["shown_by"] = [building.shown_by_libraries(LIBRARIES)]
        for path in self.paths:
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            made.libraries[path.name] = intake.read_beneath(folder, path.name)
            os.close(folder)
            if made.libraries[path.name] is None:
                made.problem = f"{path.name} is not a regular file below its folder, or too large"
        return made

    def built_again(self, *flags):
        """Its sources once more, by the compiler alone and with these flags: Made."""
        made = Made()
        if len(self.paths) != 1:
            made.problem = "there are no sources"
            return made
        build = {"how": None, "command": None, "seconds": 0.0, "warnings": 0, "first_warnings": []}
        shop = Workshop(self.isolation, self.say, build, [], self.level)
        shop.extra, shop.recipes = list(flags), self.recipes
        return shop.take_by_compiler(self.paths[0])

    def linked_here(self):
        """This submission as the judge compiles and links its sources itself; None where it cannot. What the build
        of a hand-in links may run code before the judge is ready for it."""
        if self.is_linked_here or self.is_reference:
            return self
        if self.made_here == ():
            made, self.made_here = self.built_again(), None
            if not made.problem:
                own = copy.copy(self)
                own.name, own.libraries = self.name + "own-", pathlib.Path(self.write_libraries("lib-own", made.libraries))
                own.tables = {name: building.read_library(name, data) for name, data in made.libraries.items()}
                own.is_linked_here = True
                self.made_here = own if self.defined - own.defined <= self.defined - set(function_names()) else None
        return self.made_here

    @property
    def runs_on_load(self):
        return any(table.runs_on_load for table in self.tables.values())

    @property
    def runs_early(self):
        return any(table.runs_early for table in self.tables.values())

    def made_reference(self):
        """Both libraries of a folder of the judge's own files, built by the compiler, and kept."""
        made = Made()

        def build():
            shop = Workshop(self.isolation, self.say, self.build, self.notes, self.told_level)
            done = shop.take(self.paths[0])
            if done.problem:
                raise Refused(done.problem)
            return len(done.libraries[LIBRARIES[0]]).to_bytes(8, "little") + b"".join(
                done.libraries[name] for name in LIBRARIES)
        sources = [part for path in sorted(self.paths[0].iterdir()) for part in (path.name, path.read_bytes())]
        sources += [(building.CHALLENGE_FILES / name).read_bytes() for name in building.CHALLENGE.values()]
        sources.append(pathlib.Path(building.__file__).read_bytes())  # which has the command
        try:
            data = cache.once(self.box, ["reference", *cache.identity(COMPILER, PATH), *sources], build)
        except Refused as problem:
            made.problem = str(problem)
            return made
        end = 8 + int.from_bytes(data[:8], "little")
        made.libraries = dict(zip(LIBRARIES, (data[8:end], data[end:])))
        return made

    # What came of the build ----------------------------------------------------------------------

    def take(self, made):
        """Into folders of ours, which nothing in the box writes to."""
        self.tables = {name: building.read_library(name, data)
                       for name, data in made.libraries.items()}
        if LIBRARIES[0] not in self.tables:
            raise Refused(f"there is no {LIBRARIES[0]}")
        self.find_level(made)
        self.libraries.mkdir(mode=0o755)
        for name, data in made.libraries.items():
            if self.tables[name].asks_valgrind:
                self.notes.append(f"{name} speaks to Valgrind; what it asks there is not heard.")
            intake.write_new(self.libraries / name, elf.unheard(data), 0o755)
            soname = self.tables[name].soname
            if soname and re.fullmatch(re.escape(name) + r"[0-9.]*", soname) and soname != name:
                os.symlink(name, self.libraries / soname)
        headers = self.stage / "include"
        headers.mkdir(mode=0o755)
        for path, data in made.headers.items():
            target = headers / path
            target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            intake.write_new(target, data)
        self.include = [str(headers / folder) for folder in made.include]
        self.build["headers"] = "the submission's" if self.include else "the challenge's"
        challenge = self.stage / "challenge"
        challenge.mkdir(mode=0o755)
        building.write_challenge_headers(challenge)
        self.include.append(str(challenge))
        self.find_functions()
        self.own_program, self.program_problem = made.program, made.program_problem
        for name in PARTS:
            intake.write_new(self.stage / name, (HERE / name).read_bytes())

    @property
    def defined(self):
        """The names that its libraries define."""
        return set().union(*(table.defined for table in self.tables.values()))

    @property
    def renames(self):
        """Words for the compiler: a misspelled function goes by the name that it has."""
        return [f"-D{name}={near}" for name, near in self.misspelled.items()]

    def find_level(self, made):
        path = building.nearest(made.headers, HEADERS[0])
        header = made.headers[path].decode("utf-8", "replace") if path else ""
        self.level = self.told_level or (2 if LIBRARIES[1] in made.libraries else 1)
        self.declares_cleanup = apart.call(levels.declares_cleanup, header)
        self.has_cleanup = levels.CLEANUP in self.defined or self.declares_cleanup
        self.build["level"] = self.level
        if self.level > 1 and LIBRARIES[1] not in made.libraries:
            raise Refused(f"there is no {LIBRARIES[1]}, which level {self.level} asks for")

    def find_functions(self):
        """What of the interface no library defines, and what is there under a name that is almost right: that
        one is played in its place, so that the spelling costs "exports" alone."""
        known = set(function_names())
        self.missing = set(function_names(headers_of(self.level), self.has_cleanup)) - self.defined
        others = sorted(one for one in self.defined - known if re.fullmatch(r"\w+", one))
        try:
            self.misspelled = apart.call(near_names, self.missing, others, seconds=NEAR_SECONDS)
        except apart.TooSlow:
            self.misspelled = {}  # they are missing, then
        self.missing -= set(self.misspelled)

    def compile(self, source, program, *extra, libraries=None, by_theirs=False):
        """A program of the judge for this submission: None, or why it could not be made. by_theirs: in one
        step, with the hand-in's headers, which may hold anything. Else its object is compiled with the
        challenge's headers alone, and kept (cache.py); a reference's program is kept, too."""
        if libraries is None:
            libraries = ("-llinked_list",) if self.level == 1 else ("-llinked_list", "-lqueue")
        link = ["-L", str(self.libraries), "-Wl,-z,relro,-z,now", f"-Wl,-rpath-link,{self.libraries}",
                "-Wl,--no-as-needed", *libraries]
        try:
            if by_theirs:
                include = (word for place in (self.stage, *self.include) for word in ("-I", str(place)))
                data = self.made_by_compiler([*FLAGS, *extra, *self.layout, str(source), *include, *link])
            else:
                data = self.made_in_two_steps(source, program, extra, link)
        except Refused as problem:
            return str(problem)
        bin_folder = self.stage / "bin"
        bin_folder.mkdir(mode=0o755, exist_ok=True)
        intake.write_new(bin_folder / program, data, 0o755)
        return None

    def made_in_two_steps(self, source, program, extra, link):
        """The bytes of a program: the object of a source of the judge, linked with the libraries."""
        parts = self.parts_of(source, extra)

        def compiled():
            copy = self.stage / source.name
            if not copy.exists():
                intake.write_new(copy, source.read_bytes())
            return self.made_by_compiler([*FLAGS, *extra, *self.renames, *self.layout, "-c", str(copy),
                                          "-I", str(self.stage), "-I", self.include[-1]])

        def linked():
            place = self.stage / f"object-{program}.o"
            intake.write_new(place, cache.once(self.box, ["object", *parts], compiled))
            return self.made_by_compiler([str(place), *link])
        if not self.is_reference:
            return linked()
        words = [word for word in link if str(self.libraries) not in word]
        return cache.once(self.box, ["program", *parts, *words, *self.contents()], linked)

    def parts_of(self, source, extra):
        """All that the object of a source of the judge comes from."""
        headers = [self.stage / name for name in PARTS]
        headers += [pathlib.Path(self.include[-1], name) for name in HEADERS]
        return [*cache.identity(COMPILER, PATH), *FLAGS, *extra, *self.renames, *self.layout, source.name,
                *(path.read_bytes() for path in (source, *headers))]

    def contents(self):
        """The bytes of its libraries, as parts for cache.py."""
        return [part for name in sorted(self.tables)
                for part in (name, (self.libraries / name).read_bytes())]

    def made_by_compiler(self, words):
        """The bytes of what the compiler makes; Refused with its error. It writes into a folder of its own;
        what it made is copied from there."""
        self.compiled += 1
        out = self.box.make(f"{self.name}out-{self.compiled}")
        outcome = self.box.run(Job([COMPILER, *words, "-o", os.path.join(out, "made")], out,
                                   Limits(seconds=120, **BUILD_LIMITS), writable=[out]))
        if outcome.status != 0:
            text = outcome.output.decode("utf-8", "backslashreplace")
            why = outcome.text() if outcome.status is None else building.last_error(text)
            raise Refused(f"{COMPILER}: {why}")
        place = os.open(out, os.O_RDONLY | os.O_DIRECTORY)
        data = intake.read_beneath(place, "made")
        os.close(place)
        if data is None:
            raise Refused(f"{COMPILER} made no program")
        return data

    def program(self, name):
        return str(self.stage / "bin" / name)

    def environment(self, more=None):
        return {"LD_LIBRARY_PATH": str(self.libraries), **(more or {})}

    def source_line(self, file, line):
        """The text of a line of the hand-in's sources, or "" when they have no such line."""
        if len(self.paths) != 1:
            return ""
        try:
            with intake.Tree(self.paths[0]) as tree:
                path = building.nearest(tree.names(), file)
                data = path and tree.read(path, intake.MEBIBYTE)
        except (intake.TooMuch, OSError):
            return ""
        lines = (data or b"").decode("utf-8", "backslashreplace").splitlines()
        return lines[line - 1].strip()[:100] if 0 < line <= len(lines) else ""

    def fresh_libraries(self):
        """A copy for one process: nothing that an earlier one left on the files."""
        place = tempfile.mkdtemp(prefix="lib-", dir=self.stage)
        os.chmod(place, 0o755)
        for path in self.libraries.iterdir():
            if path.is_symlink():
                os.symlink(os.readlink(path), os.path.join(place, path.name))
            else:
                intake.write_new(os.path.join(place, path.name), path.read_bytes(), 0o755)
        return place

    def write_libraries(self, name, libraries):
        """A folder of ours with these: its path."""
        place = self.stage / name
        place.mkdir(mode=0o755)
        for library, data in libraries.items():
            intake.write_new(place / library, data, 0o755)
        return str(place)

    def write_source(self, name, text):
        intake.write_new(self.stage / name, text.encode())
        return self.stage / name

    # Rules -------------------------------------------------------------------------------------

    def check_exports(self):
        """By the tables of the libraries themselves."""
        rule = Rule("exports")
        own = {name for table in self.tables for name in (table, self.tables[table].soname)}
        strange = [f"{name} needs {needed}" for name, table in self.tables.items()
                   for needed in table.needed if needed not in own and not is_of_the_system(needed)]
        if strange:
            return rule.failed("nothing needed beyond the two libraries and the system's",
                               "; ".join(strange[:4]))
        early = [name for name, table in self.tables.items() if table.runs_early]
        if early:
            return rule.failed("no code that runs before the program begins",
                               f"{early[0]} has functions that are chosen then (IFUNC), is initialised first, or audits")
        names = function_names(headers_of(self.level), self.has_cleanup)
        missing = [name + (f" (there is {self.misspelled[name]}, which was played)"
                           if name in self.misspelled else "")
                   for name in names if name in self.missing or name in self.misspelled]
        if missing:
            return rule.failed(counted(len(names), "function"), "missing: " + ", ".join(missing))
        system = ctypes.CDLL(None)
        taken = [name for name in sorted(self.defined) if not NOTHING_ELSE.match(name)
                 and name not in function_names() and hasattr(system, name)]
        if taken:
            return rule.failed("no function of the C library replaced",
                               "defined: " + ", ".join(taken[:8]))
        return rule.passed()

    def check_headers(self):
        """Each header by itself, as a program includes it; then twice. One compilation shows that a header is
        right; only of one that is not, more are made to say why."""
        rule = Rule("headers")
        problem = None
        for header in headers_of(self.level):
            if problem is None and not self.is_right(header):
                problem = self.find_layout() if header == HEADERS[0] else None
                problem = problem or self.check_header(header)
        if problem is not None:
            return rule.failed("the challenge's functions, types and members", problem)
        return rule.passed()

    def is_right(self, header):
        """True if one source with all that is asked of a header compiles; the layout is then known."""
        stem, include = header.partition(".")[0], f"#include <{header}>\n"
        mark = secrets.token_bytes(16)
        macros = "".join(f"#ifdef {name}\n#error a macro\n#endif\n" for name in function_names())
        source = self.write_source(f"whole_{stem}.c", include + macros + include + self.declarations(header)
                                   + (layout_lines(mark) if header == HEADERS[0] else ""))
        if self.compile(source, f"whole_{stem}.o", "-c", by_theirs=True) is not None:
            return False
        return header != HEADERS[0] or self.read_layout(f"whole_{stem}.o", mark) is None

    def declarations(self, header):
        """C that uses what a header declares, declares it once more, and asks for the types of members."""
        body = "#include <stddef.h>\n" + IS + SIGNATURES[header] + \
            "\n".join(prototypes(header, self.declares_cleanup)) + "\n"
        names = "static inline void judge_names(void)\n{\n" + "".join(  # it declares them all
            f"    (void){self.misspelled.get(name, name)};\n"
            for name in function_names([header], self.declares_cleanup)) + "}\n"
        return names + body

    def check_header(self, header):
        """None, or one sentence."""
        stem = header.partition(".")[0]
        include = f"#include <{header}>\n"
        source = self.write_source(f"signatures_{stem}.c", include + self.declarations(header))
        problem = self.compile(source, f"{stem}.o", "-c", by_theirs=True)
        if problem is not None:
            return problem + (". It has classes, as the challenge's C++ edition; this judge plays functions"
                              if re.search(r"unknown type name .class", problem) else "")
        source = self.write_source(f"twice_{stem}.c", include * 2)
        if self.compile(source, f"twice_{stem}.o", "-c", by_theirs=True) is not None:
            return f"{header} cannot be included twice: its include guard does not work"
        source = self.write_source(f"macros_{stem}.c", include)
        if self.compile(source, f"{stem}.macros", "-E", "-dM", by_theirs=True) is None:
            text = (self.stage / "bin" / f"{stem}.macros").read_text("utf-8", "replace")
            taken = sorted(set(MACRO.findall(text)) & set(function_names()))
            if taken:
                return f"{header} has a macro named {taken[0]}, as a function of the interface"
        return None

    def find_layout(self):
        """Where the hand-in's header puts the members that the judge looks at, read out of an object that is not
        linked: None, or why there is no such object; the challenge's own places serve then."""
        mark = secrets.token_bytes(16)
        source = self.write_source("layout.c", "#include <linked_list.h>\n#include <stddef.h>\n"
                                   + layout_lines(mark))
        return self.compile(source, "layout.o", "-c", by_theirs=True) or self.read_layout("layout.o", mark)

    def read_layout(self, name, mark):
        """The places that follow the mark of an object: None, or why it has no places."""
        data = (self.stage / "bin" / name).read_bytes()
        form = struct.Struct(f"<{len(MEMBERS)}Q")
        at = data.find(mark) + len(mark)
        if at < len(mark) or at + form.size > len(data):
            return "the members of its structs have no place that can be read"
        self.layout = [f"-DLAYOUT_{owner.upper()}_{member.upper()}={place}u"
                       for (owner, member), place in zip(MEMBERS, form.unpack_from(data, at))]
        return None

    def check_queue_alone(self):
        rule = Rule("queue-alone")
        source = self.write_source("queue_alone.c", QUEUE_ALONE)
        problem = self.compile(source, "queue_alone", libraries=("-lqueue", "-ldl"))
        if problem is not None:
            return rule.failed("it links", problem)
        outcome = self.box.run(Job([self.program("queue_alone")], str(self.stage), Limits(),
                                   environment=self.environment(), plays=True))
        if outcome.status != 0:
            return rule.failed("it runs", outcome.text())
        return rule.passed()
