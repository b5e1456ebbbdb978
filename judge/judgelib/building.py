"""A hand-in's own build, in a box of its own; what leaves that box is bytes.

1. The hand-in is read by intake.py: regular files only, below its folder. Where it has one folder per
   level, one of them is taken. Old objects and libraries beside sources are left out.
2. It is built as the challenge's page says: make liblinked_list.so libqueue.so; then plain make; a
   CMakeLists.txt by cmake; and when all that makes no libraries, by the compiler alone. Bare files come
   to that at once.
3. Taken from there: the two libraries and the headers, as bytes. Nothing else of the box lives on.
"""
import os
import pathlib
import re
from shlex import quote

import apart
import elf
import intake
import levels
import recipes
from printable import counted
from sandbox import Job, Limits, Sandbox

MEBIBYTE = intake.MEBIBYTE
HERE = pathlib.Path(__file__).resolve().parents[1]  # judge, with its C files
CHALLENGE_FILES = next((place for place in (HERE.parent / "perf" / "challenge", HERE.parent / "challenge")
               if place.is_dir()), HERE)  # in the tree, and as it is installed: the challenge's own
LIBRARIES = ("liblinked_list.so", "libqueue.so")
HEADERS = ("linked_list.h", "queue.h")
CHALLENGE = dict(zip(HEADERS, ("challenge_list.h", "challenge_queue.h")))
SOURCES, HEADER_ENDS = (".c", ".cc", ".cpp", ".cxx"), (".h", ".hh", ".hpp", ".hxx", ".inc")
BINARY = re.compile(r"\.(o|so|a|obj|lo|la|dylib|gch|d|exe)$|\.so\.[0-9.]+$")
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
BUILD_FILES = (*MAKEFILES, "CMakeLists.txt")
BUILD_SECONDS = 300
BUILD_LIMITS = {"memory": 4096 * MEBIBYTE, "processes": 64, "file_size": 256 * MEBIBYTE, "files": 256}
COMPILER = os.environ.get("CC", "cc")
HEADER_FILES, HEADER_BYTES = 300, MEBIBYTE
LOG_LINES = 10
# Each of these looks at a byte a few times at most, whatever the text is: no run of blanks spans lines twice.
CLASS = re.compile(rb"^[ \t]*class[ \t]+(LinkedList|Queue|linked_list|queue)\b", re.M | re.I)
CREATES = re.compile(rb"^[ \t]*struct[ \t]+linked_list[ \t]*\*[ \t]*linked_list_create\b", re.M)
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,200})"', re.M)
PUBLISHED_INCLUDES = ("mmio.h", "queue.h", "linked_list.h", "arm_pmu.h")
PROGRAM = "queue_performance"
PROGRAM_SOURCE = PROGRAM + ".c"
DEFINES = re.compile(rb"^[ \t]*(?:bool|_Bool|size_t|void|struct[ \t]+\w{1,40}[ \t]*\*)[ \t]*(?:linked_list|queue)_\w{1,40}"
                     rb"[ \t]*\([^;{}]{0,200}\)\s{0,20}\{", re.M)
MAIN = re.compile(rb"^[ \t]*(?:int|void)\s+main\s*\(", re.M)

ADVICE = (
    (r"\[-Werror|warnings being treated as errors",
     "A warning is an error in this build, and compilers differ in their warnings: mend the warning, or "
     "leave out -Werror."),
    (r"recompile with -fPIC|relocation R_\S+ against .* can not be used",
     "What goes into a shared library is compiled with -fPIC."),
    (r"redefinition of .(struct )?(node|linked_list|iterator|queue)\b",
     "A header is read twice: its include guard does not work. The name after #ifndef and the name after "
     "#define are the same."),
    (r"unknown type name .class",
     "C++ is compiled as C here: the files of C++ end in .cpp or .cc, and functions are extern \"C\"."),
    (r"No rule to make target .lib(queue|linked_list)\.so",
     "The Makefile has no rule for liblinked_list.so or libqueue.so, which the challenge's page calls by "
     "these names; level 1 hands in the first alone, level 2 and above both."),
    (r"No rule to make target", "The Makefile names a file that was not handed in."),
    (r"fatal error: (vcruntime|windows|Windows|conio|stdafx|pch|crtdbg|tchar|sal)\.h: No such file",
     "That header is of Visual Studio alone: leave it out; size_t and NULL are in <stddef.h>, bool in "
     "<stdbool.h>."),
    (r"fatal error: \S+\.(c|cc|cpp|cxx): No such file", "The build names a source that was not handed in."),
    (r"fatal error: .*: No such file or directory",
     "A header that was not handed in, or is in a folder that the build does not name by -I."),
    (r"multiple definition of",
     "Two files define the same function: hand in one version, or a Makefile that chooses."),
    (r"linked_list.*has no member named|no member named .* in .(struct )?linked_list",
     "The challenge's struct linked_list has head, tail and size: with other members, hand in your own "
     "linked_list.h, too."),
    (r"cannot find -l", "A library that was not handed in, or was not built first."))


def shown_by_libraries(names, words="-I .", folders=(".",)):
    """How a student compiles a program of the card with finished libraries."""
    link = " ".join(f"-L {quote(one)} -Wl,-rpath,{quote(one)}" for one in folders)
    link += "".join(" -l" + name[3:-3] for name in reversed(names))
    return f"cc -g {words} shown.c {link} -o shown && ./shown"


class Refused(Exception):
    """One line: why nothing of this hand-in can be built. It ends in a card."""


class Made:
    """libraries {name: bytes}, headers {path: bytes}, include (folders of headers), problem; program (bytes) of a
    search of its own, or program_problem; wanted: the libraries that its files ask for, if that is known;
    is_linked_here: by the judge, and not by a build of the hand-in."""

    def __init__(self, wanted=()):
        self.libraries, self.headers, self.include, self.wanted = {}, {}, [], wanted
        self.problem = self.program = self.program_problem = None
        self.is_linked_here = False

    def asked_level(self):
        """1 or 2 by the files alone; None where nothing was to be built."""
        return len(self.wanted) or None


def base(path):
    return path.rpartition("/")[2]


def nearest(paths, name):
    """The path with that name nearest to the root, or None."""
    found = [path for path in paths if base(path) == name]
    return min(found, key=lambda path: (path.count("/"), path)) if found else None


def last_error(text):
    """The first line that says error, or the last of all."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror:|undefined reference|cannot find|\*\*\*", line)]
    return (errors or lines[-1:] or ["nothing was printed"])[0].strip()[:200]


def is_utf_16(text):
    """True if it begins with the mark of UTF-16, or more than a third of it is 0, as of a Latin text in it."""
    return text[:2] in (b"\xff\xfe", b"\xfe\xff") or 3 * text.count(0) > len(text)


def advice(log):
    for pattern, words in ADVICE:
        if re.search(pattern, log):
            return words
    return None


def below(paths, folder):
    return [path for path in paths if not folder or path.startswith(folder + "/")]


def has_own_build(paths, folder):
    """"cmake", "make" or None: what is at the root of a folder."""
    there = {path[len(folder) + 1 if folder else 0:] for path in below(paths, folder)}
    if there & set(MAKEFILES):
        return "make"
    return "cmake" if "CMakeLists.txt" in there else None


class Workshop:
    """Builds one hand-in. build and notes: of the card; level: as told, or None."""

    def __init__(self, isolation, say, build, notes, level=None):
        self.isolation, self.say, self.build, self.notes = isolation, say, build, notes
        self.level = level
        self.extra = []           # further flags of the compiler
        self.has_program = False  # a search of its own is to be built
        self.program_problem = None
        self.box = None
        self.log = self.printed = ""
        self.recipes = {}  # of its own build: recipes.py
        self.sources = []
        self.compiled = None

    # Reading -----------------------------------------------------------------------------------

    def take(self, path):
        """What a folder holds, built when it is to be: Made."""
        try:
            with intake.Tree(path) as tree:
                self.note_skipped(tree)
                names = tree.names()
                sources = [name for name in names if name.endswith(SOURCES)]
                at_root = [name for name in names if "/" not in name]
                if not has_own_build(names, "") and LIBRARIES[0] in at_root and \
                        not any(name in sources for name in at_root):
                    return self.take_prebuilt(tree, at_root)
                self.refuse_classes(tree, names)
                return self.take_sources(tree, names)
        except (intake.TooMuch, apart.TooSlow, Refused) as problem:
            made = Made()
            made.problem = str(problem)
            return made

    def note_skipped(self, tree):
        if tree.skipped:
            self.notes.append("What is neither file nor folder, or leads out of the hand-in, was left out: "
                              f"{counted(tree.skipped, 'entry', 'entries')}.")
        if tree.too_deep:
            self.notes.append(f"Folders more than {intake.DEPTH} deep were left out.")

    def take_prebuilt(self, tree, names):
        """Two libraries as they are, with their headers beside them."""
        made = Made()
        self.build["how"] = "libraries as handed in"
        for name in LIBRARIES:
            data = tree.read(name) if name in names else None
            if data is not None:
                made.libraries[name] = data
            elif name in names:
                raise Refused(f"{name} is not a regular file of the hand-in, or too large")
        self.build["shown_by"] = [shown_by_libraries(list(made.libraries))]
        self.take_headers(tree, [name for name in names if name.endswith(HEADER_ENDS)], made)
        return made

    @staticmethod
    def refuse_classes(tree, names):
        """The challenge's C++ edition has classes where the interface has functions."""
        text = [tree.read(name, MEBIBYTE) or b"" for name in names
                if name.endswith(SOURCES + HEADER_ENDS)]
        if apart.call(has_classes, text):
            raise Refused("this is a hand-in to the challenge's C++ edition: it has classes where the "
                          "interface has functions, and this judge plays functions only")

    # Building ----------------------------------------------------------------------------------

    def choose_folder(self, names):
        """The folder that is built: "" for the root, or the folder of a level."""
        def is_one(folder):
            return has_own_build(names, folder) or any(
                path.rpartition("/")[0] == folder and path.endswith(SOURCES) for path in names)
        if is_one(""):
            return ""
        folders = {path.rpartition("/")[0] for path in names if path.count("/") in (1, 2)}
        found = {}
        for folder in sorted(folders):
            number = levels.of_folder(base(folder))
            if number is not None and is_one(folder):
                found.setdefault(number, folder)
        if not found:
            alone = [folder for folder in sorted(folders) if has_own_build(names, folder)]
            return alone[0] if len(alone) == 1 else ""
        if self.level is not None and self.level not in found:
            raise Refused(f"there is no folder of level {self.level}; there are "
                          + ", ".join(found.values()))
        chosen = found[self.level or max(found)]
        self.notes.append(f"There is one folder per level; {chosen} was built.")
        self.level = self.level or max(found)
        return chosen

    def take_sources(self, tree, names):
        folder = self.choose_folder(names)
        inside = below(names, folder)
        sources = [path for path in inside if path.endswith(SOURCES)]
        self.look_for_program(tree, inside)
        how = has_own_build(names, folder)
        if not sources and not how:
            raise Refused("no sources, no build and no libraries")
        old = {path for path in names if BINARY.search(path)} if sources else set()
        if old:
            self.notes.append("What an earlier build left beside the sources was left out: "
                              f"{counted(len(old), 'file')}.")
        wanted = LIBRARIES if self.wants_queue(inside) else LIBRARIES[:1]
        made = None
        if how:
            made = self.try_in(tree, old, folder, wanted, how)
        if made is None or made.problem:
            problem, log = (made.problem, self.log) if made else (None, "")
            alone = self.try_in(tree, old, folder, wanted, "compiler")
            if made and alone.problem:
                self.log = log
                self.build["how"] = how
            elif made:
                self.notes.append(f"{problem.rstrip('.')}. So it was built by the compiler alone.")
                self.log = log
            made = made if made and alone.problem else alone
        self.build["log"] = self.log.splitlines()[-LOG_LINES:]
        self.build["advice"] = self.advice_of(tree, inside) if self.log else None
        return made

    def advice_of(self, tree, names):
        """What the files themselves say of a build that failed, else what its log says; None if neither does."""
        for path in names:
            if path.endswith(SOURCES + HEADER_ENDS) and is_utf_16(tree.read(path, MEBIBYTE) or b""):
                return f"{path} is UTF-16, which no compiler here reads: save it as UTF-8."
        missing = re.search(r"fatal error: (\S+): No such file", self.log)
        near = [base(path) for path in [*names, *HEADERS] if missing and base(path) != base(missing[1])
                and base(path).lower() == base(missing[1]).lower()]
        if near:
            return f'The file is named {near[0]}, not {base(missing[1])}: here capitals are other letters.'
        return advice(self.log)

    def take_by_compiler(self, path):
        """The libraries once more, by the compiler alone, with the extra flags: Made."""
        made = Made()
        try:
            with intake.Tree(path) as tree:
                names = tree.names()
                folder = self.choose_folder(names)
                if not any(name.endswith(SOURCES) for name in below(names, folder)):
                    raise Refused("there are no sources")
                old = {name for name in names if BINARY.search(name)}
                made = self.try_in(tree, old, folder, LIBRARIES[:1 if self.level == 1 else 2], "compiler")
        except (intake.TooMuch, apart.TooSlow, Refused) as problem:
            made.problem = str(problem)
        return made

    def look_for_program(self, tree, names):
        """A hand-in of level 3 has its own search program, which is built and timed. If no level was named, a
        program that includes its own headers makes the hand-in one of level 3. The card then says that no rule
        covers an allocator that only this program registers."""
        path = nearest(names, PROGRAM_SOURCE)
        own = apart.call(own_includes, tree.read(path, MEBIBYTE) or b"") if path else []
        if self.level is None and own:
            self.level = 3
            self.notes.append(f"{path} includes {own[0]}. The judge registers malloc, so an allocator that only this "
                              "program registers is not in the rules and not in the queue's speed; the "
                              "program is timed as it is.")
        self.has_program = self.level == 3

    def wants_queue(self, names):
        if self.level is not None:
            return self.level > 1
        return any("queue" in base(path).lower() for path in names
                   if path.endswith(SOURCES) or base(path) == HEADERS[1])

    def try_in(self, tree, old, folder, wanted, how):
        """Build in a fresh copy, in a box of its own, so that one attempt leaves the next its disk;
        Made, with a problem when there are no libraries."""
        with Sandbox(self.isolation, builds=True) as self.box:
            copy = self.box.make(f"{how}-of-it")
            tree.copy(copy, lambda path: path not in old)
            self.box.give(copy)
            place = os.path.join(copy, folder)
            self.log = ""
            if how == "make":
                problem = self.run_make(copy, place, wanted)
            elif how == "cmake":
                problem = self.run_cmake(copy, place)
            else:
                problem = self.run_compiler(copy, place, wanted)
            return self.collect(place, wanted, problem, how)

    def command(self, words, copy, place):
        """None, or what went wrong. All commands of a build share its time."""
        seconds = max(BUILD_SECONDS - self.build["seconds"], 10)
        outcome = self.box.run(Job(words, place, Limits(seconds=seconds, **BUILD_LIMITS),
                                   environment={"TMPDIR": copy, "HOME": copy}, writable=[copy]))
        self.build["seconds"] = round(self.build["seconds"] + outcome.seconds, 3)
        if outcome.strays:
            self.notes.append(f"The build left processes running ({outcome.strays}); they were ended.")
        text = outcome.output.decode("utf-8", "backslashreplace")
        self.printed += text
        warnings = [line.strip()[:200] for line in text.splitlines() if "warning:" in line]
        self.build["warnings"] += len(warnings)
        self.build["first_warnings"] = (self.build["first_warnings"] + warnings)[:10]
        if outcome.status == 0:
            return None
        self.log += "".join(line[:200] + "\n" for line in text.splitlines())
        if outcome.status is None:
            self.log += f"{words[0]}: {outcome.text()}\n"
            return f"{words[0]}: {outcome.text()}"
        return f"{words[0]}: {last_error(text)}"

    def is_there(self, place, wanted):
        """All libraries, as a look at the names finds them."""
        try:
            with intake.Tree(place) as tree:
                return all(nearest(tree.names(), name) for name in wanted)
        except (intake.TooMuch, OSError):
            return False

    def run_make(self, copy, place, wanted):
        """As the challenge's page says, and then as everybody does."""
        self.say("building with make")
        self.build["how"] = "make"
        self.build["command"] = "make " + " ".join(wanted)
        first = self.command(["make", *wanted], copy, place)
        if self.is_there(place, wanted):
            self.recipes = apart.call(recipes.read, self.printed, LIBRARIES)
            if self.has_program:
                self.program_problem = self.command(["make", PROGRAM], copy, place)
            return None
        self.build["command"] = "make"
        problem = self.command(["make"], copy, place) or first
        self.recipes = apart.call(recipes.read, self.printed, LIBRARIES)
        return problem

    def run_cmake(self, copy, place):
        self.say("building with cmake")
        self.build["how"] = "cmake"
        self.build["command"] = "cmake -DCMAKE_BUILD_TYPE=Release"
        return (self.command(["cmake", "-S", ".", "-B", "judge-build",
                              "-DCMAKE_BUILD_TYPE=Release"], copy, place)
                or self.command(["cmake", "--build", "judge-build"], copy, place))

    def run_compiler(self, copy, place, wanted):
        """Bare files: those with queue in their name are the queue, the others the list."""
        self.say("compiling")
        self.build["how"] = "compiler"
        with intake.Tree(place) as tree:
            names = tree.names()
            files = [path for path in names if path.endswith(SOURCES)]
            sources = []
            for path in files:
                text = tree.read(path)
                why = None if text is None else apart.call(why_no_library, text, [base(name) for name in names])
                if why is not None:
                    self.notes.append(f"{path} defines no function of the interface and {why}; it was left out.")
                elif text is not None:
                    sources.append(path)
            folders = {os.path.dirname(path) for path in sources}
            folders |= {os.path.dirname(path) for path in names if base(path) in HEADERS}
        self.sources = sources
        compiler = "c++" if any(not path.endswith(".c") for path in sources) else COMPILER
        challenge = self.box.make("challenge", is_theirs=False)
        write_challenge_headers(challenge)
        flags = ["-O2", "-g", "-Wall", "-Wextra", "-fPIC", "-shared", *self.extra,
                 *(word for folder in sorted(folders) for word in ("-I", os.path.join(".", folder))),
                 "-I", challenge]
        self.build["command"] = f"{compiler} -O2 -g -Wall -Wextra -fPIC -shared"
        queue = [f"./{path}" for path in sources if "queue" in base(path).lower()]
        others = [f"./{path}" for path in sources if f"./{path}" not in queue]
        parts = [self.recipes.get(name, ((), ())) for name in wanted]
        if all(own and set(own) <= set(files) for own, _ in parts):
            others, queue = ([f"./{path}" for path in own] for own in (parts[0][0], parts[-1][0]))
            flags += [flag for _, given in parts for flag in given]
        if len(wanted) == 1:
            self.sources = [path for path in sources if f"./{path}" in others]
        if not others:
            return "no sources of a list"
        if len(wanted) > 1 and not queue:
            return "no sources of a queue"
        os.makedirs(os.path.join(copy, "judge-made"))
        self.box.give(os.path.join(copy, "judge-made"))
        out = [os.path.join(copy, "judge-made", name) for name in LIBRARIES]
        self.compiled = os.path.join(copy, "judge-made")
        problem = self.link([compiler, *flags, *others, "-o", out[0], f"-Wl,-soname,{LIBRARIES[0]}"], copy, place)
        if problem is None and len(wanted) > 1:
            link = ["-L", os.path.dirname(out[0]), "-Wl,--no-as-needed", "-llinked_list"]
            problem = self.link([compiler, *flags, *queue, *link, "-o", out[1]], copy, place)
        if problem is None and self.has_program:
            path = nearest(files, PROGRAM_SOURCE)
            self.program_problem = "there is no " + PROGRAM_SOURCE if path is None else self.command(
                [compiler, *(flag for flag in flags if flag != "-shared"), path, "-L", os.path.dirname(out[0]),
                 "-lqueue", "-llinked_list", "-o", os.path.join(copy, "judge-made", PROGRAM)], copy, place)
        return problem

    def link(self, words, copy, place):
        """A library without start files, so that no code of it runs when it is loaded; with them if it
        leaves work for the end of the program, which needs one."""
        log, warnings, first = self.log, self.build["warnings"], self.build["first_warnings"]
        problem = self.command([*words, "-nostartfiles"], copy, place)
        if problem is None or "__dso_handle" not in self.log:
            return problem
        self.log, self.build["warnings"], self.build["first_warnings"] = log, warnings, first
        return self.command(words, copy, place)

    def shown_by(self, how, wanted, places, include, sources):
        """How a student compiles a program of the card, in the folder that was handed in; without headers of its own, with
        the challenge's copied there."""
        words = " ".join(f"-I {quote(folder or '.')}" for folder in include or ["."])
        words = "-pthread " + words if self.level == 4 else words
        if how == "compiler":
            cc = "c++" if any(not path.endswith(".c") for path in sources) else "cc"
            files = " ".join(quote(path) for path in sources)
            if cc == "c++":
                return [f"cc -g -c {words} shown.c && c++ -g {words} shown.o {files} -o shown && ./shown"]
            return [f"cc -g {words} shown.c {files} -o shown && ./shown"]
        build = {"make": "make " + " ".join(wanted), "cmake": "cmake -B judge-build && cmake --build "
                 "judge-build"}[how]
        folders = sorted({os.path.dirname(path) or "." for path in places})
        return [self.build["command"] if how == "make" else build, shown_by_libraries(wanted, words, folders)]

    # What came of it ---------------------------------------------------------------------------

    def collect(self, place, wanted, problem, how):
        """The box's processes have ended: nobody changes these files any more."""
        made, places = Made(wanted), []
        try:
            with intake.Tree(self.compiled if how == "compiler" and problem is None else place) as tree:
                names = tree.names()
                for name in wanted if problem is None or how == "make" else ():
                    path = nearest(names, name)
                    data = None if path is None else tree.read(path)
                    if data is not None:
                        made.libraries[name] = data
                        places.append(path)
                    elif path is not None:
                        problem = problem or f"{path} is not a regular file of the build, or too large"
                path = nearest(names, PROGRAM) if self.has_program else None
                made.program = None if path is None else tree.read(path)
                made.program_problem = self.program_problem
            if len(made.libraries) == len(wanted):
                self.log = ""
                made.is_linked_here = how == "compiler"
                with intake.Tree(place) as tree:
                    self.take_headers(tree, [path for path in tree.names()
                                             if path.endswith(HEADER_ENDS)], made)
                self.build["shown_by"] = self.shown_by(how, wanted, places, made.include, self.sources)
                return made
        except (intake.TooMuch, OSError) as wrong:
            problem = problem or f"the build made {wrong}"
        missing = " and ".join(name for name in wanted if name not in made.libraries)
        made.problem = problem or f"{how} made no {missing}"
        return made

    @staticmethod
    def take_headers(tree, names, made):
        for path in names[:HEADER_FILES]:
            data = tree.read(path, HEADER_BYTES)
            if data is not None:
                made.headers[path] = data
        for name in HEADERS:
            path = nearest(made.headers, name)
            if path is not None and os.path.dirname(path) not in made.include:
                made.include.append(os.path.dirname(path))


def has_classes(texts):
    """True if it is the C++ edition of the challenge: the list or the queue is a class, and no line begins as
    the function does that makes a list."""
    return any(CLASS.search(one) for one in texts) and not any(CREATES.search(one) for one in texts)


def own_includes(text):
    """Headers that a program includes beside the challenge's."""
    found = [name.decode("utf-8", "replace") for name in INCLUDE.findall(text)]
    return [name for name in found if name not in PUBLISHED_INCLUDES]


def why_no_library(text, names):
    """None, or why a file that defines nothing of the interface is a program beside the library. A library may
    have a main."""
    if DEFINES.search(text) is not None:
        return None
    missing = [name for name in own_includes(text) if base(name) not in names]
    return "has a main" if has_main(text) else f"includes {missing[0]}, which is not here" if missing else None


def has_main(text):
    return MAIN.search(text) is not None


def write_challenge_headers(folder):
    for name, source in CHALLENGE.items():
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            intake.write_new(path, (CHALLENGE_FILES / source).read_bytes())


def read_library(name, data):
    """The tables of a library; Refused when the file is not a library."""
    try:
        return apart.call(elf.Library, data)
    except (elf.NoLibrary, apart.TooSlow) as problem:
        raise Refused(f"{name}: {problem}") from None
