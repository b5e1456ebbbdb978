"""Find what was handed in, copy it, build it in the sandbox, and compile the judge's programs for it.

1. A folder with a CMakeLists.txt or a Makefile is built by it; one with bare C or C++ files by
   cc -O2; one with the two libraries, or two files, is taken as it is.
2. Found after that: liblinked_list.so, libqueue.so, and the headers; where there are none, the
   challenge's serve.
3. Everything that compiles or links the submission's text runs in the sandbox too.
"""
import ctypes
import os
import pathlib
import re
import shutil
import stat

from rules import Rule
from sandbox import MEBIBYTE, Limits

HERE = pathlib.Path(__file__).resolve().parents[1]  # perf/judge, with its C files
LIBRARIES = ("liblinked_list.so", "libqueue.so")
HEADERS = ("linked_list.h", "queue.h")
SOURCES = (".c", ".cc", ".cpp", ".cxx")
BUILD_SECONDS = 300
COPY_FILES, COPY_BYTES = 5000, 256 * MEBIBYTE
BUILD_LIMITS = {"memory": 4096 * MEBIBYTE, "processes": 64, "file_size": 256 * MEBIBYTE, "files": 256}
COMPILER = os.environ.get("CC", "cc")
NOTHING_ELSE = re.compile(r"(_init|_fini|_edata|_end|__bss_start|_Z.*|__gmon_start__)$")

QUEUE_ALONE = """#include <queue.h>
int main(void)
{
    struct queue *queue = queue_create();
    unsigned int data = 0;
    if (queue == NULL || !queue_push(queue, 3) || !queue_pop(queue, &data) || data != 3) {
        return 1;
    }
    return queue_delete(queue) ? 0 : 1;
}
"""
MEMBERS = """
#define IS(type, expression) _Static_assert(_Generic((expression), type: 1, default: 0), #expression)
IS(struct node *, ((struct node *)0)->next);
IS(unsigned int, ((struct node *)0)->data);
IS(struct node *, ((struct linked_list *)0)->head);
IS(struct linked_list *, ((struct iterator *)0)->ll);
IS(struct node *, ((struct iterator *)0)->current_node);
IS(size_t, ((struct iterator *)0)->current_index);
IS(unsigned int, ((struct iterator *)0)->data);
IS(struct linked_list *, ((struct queue *)0)->ll);
"""


class CannotGrade(Exception):
    """One line."""


def prototypes():
    """The lines of the challenge's headers that declare functions."""
    lines = []
    for name in ("challenge_list.h", "challenge_queue.h"):
        text = (HERE / name).read_text(encoding="utf-8")
        lines += re.findall(r"^\S.*\);$", text, re.M)
    return lines


def function_names():
    return [re.search(r"(\w+)\(", line)[1] for line in prototypes()]


def last_error(text):
    """The first line that says error, or the last of all."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"\berror:|undefined reference|cannot find|\*\*\*", line)]
    return (errors or lines[-1:] or ["nothing was printed"])[0].strip()[:200]


class Submission:
    """label, folder (the copy), libraries (a folder), include (folders), build (for the card)."""

    def __init__(self, paths, box, say, name=""):
        self.box = box
        self.say = say
        self.paths = [pathlib.Path(path) for path in paths]
        self.label = os.path.basename(os.path.abspath(self.paths[0]))
        self.folder = pathlib.Path(box.make(f"{name}submission"))
        self.stage = pathlib.Path(box.make(f"{name}stage"))
        self.libraries = self.stage / "lib"
        self.include = []
        self.build = {"how": None, "command": None, "seconds": 0.0, "warnings": 0,
                      "first_warnings": [], "headers": "the submission's"}
        self.notes = []
        self.is_built = False

    # Copying -----------------------------------------------------------------------------------

    def copy(self):
        """Into the sandbox; CannotGrade when there is nothing to grade."""
        for path in self.paths:
            if not path.exists():
                raise CannotGrade(f"{path}: no such file or folder")
        if len(self.paths) == 1 and self.paths[0].is_dir():
            self.copy_folder(self.paths[0])
        elif sorted(path.name for path in self.paths) == sorted(LIBRARIES):
            for path in self.paths:
                self.copy_libraries(path.parent, path.name)
        else:
            raise CannotGrade("expected a folder, or " + " and ".join(LIBRARIES))
        self.box.give(self.folder)

    def copy_folder(self, folder):
        inside = [name for name in LIBRARIES if (folder / name).is_file()]
        sources = [path for path in folder.iterdir() if path.suffix in SOURCES]
        is_prebuilt = len(inside) == 2 and not sources and not self.own_build(folder)
        if is_prebuilt:
            for name in LIBRARIES:
                self.copy_libraries(folder, name)
            for name in HEADERS:
                if (folder / name).is_file():
                    shutil.copy(folder / name, self.folder / name)
            return
        count = size = 0
        for top, folders, files in os.walk(folder):
            folders[:] = [name for name in folders if name not in (".git", ".svn", ".hg")]
            below = self.folder / os.path.relpath(top, folder)
            for name in list(folders):
                path = pathlib.Path(top, name)
                if path.is_symlink():
                    folders.remove(name)
                    os.symlink(os.readlink(path), below / name)
                else:
                    (below / name).mkdir()
            for name in files:
                path = pathlib.Path(top, name)
                mode = path.lstat().st_mode
                count, size = count + 1, size + path.lstat().st_size
                if count > COPY_FILES or size > COPY_BYTES:
                    raise CannotGrade(f"{folder}: more than {COPY_FILES} files or "
                                      f"{COPY_BYTES // MEBIBYTE} MiB")
                if stat.S_ISLNK(mode):
                    os.symlink(os.readlink(path), below / name)
                elif stat.S_ISREG(mode):
                    shutil.copy(path, below / name)  # a pipe or a device is no source

    def copy_libraries(self, folder, name):
        """liblinked_list.so and the names it is a link to."""
        for path in folder.glob(name + "*"):
            if path.is_file():
                shutil.copy(path, self.folder / path.name)

    # Building ----------------------------------------------------------------------------------

    @staticmethod
    def own_build(folder):
        if (folder / "CMakeLists.txt").is_file():
            return "cmake"
        if any((folder / name).is_file() for name in ("Makefile", "makefile", "GNUmakefile")):
            return "make"
        return None

    def make(self):
        """Build; the rules of the group "build", the first of which failed when there is nothing
        to play on."""
        how = self.own_build(self.folder)
        found = self.find_libraries() if how is None else None
        if found:
            self.build["how"] = "libraries as handed in"
        elif how:
            problem = self.run_own_build(how)
            found = self.find_libraries()
            if problem is None and found is None:
                problem = f"{how} made no {' and '.join(LIBRARIES)}"
        else:
            problem = self.run_compiler()
            found = self.find_libraries()
        rule = Rule("builds")
        if found is None:
            return [rule.failed("both libraries", problem)]
        rule.passed()
        self.take_libraries(found)
        self.take_headers()
        self.is_built = True
        return [rule, self.check_exports(), self.check_headers(), self.check_queue_alone()]

    def command(self, words, folder, seconds=BUILD_SECONDS, environment=None):
        outcome = self.box.run(words, str(folder), Limits(seconds=seconds, **BUILD_LIMITS),
                               environment=environment)
        self.build["seconds"] = round(self.build["seconds"] + outcome.seconds, 3)
        if outcome.strays:
            self.notes.append(f"The build left processes behind ({outcome.strays}); they were ended.")
        text = outcome.output.decode("utf-8", "replace")
        warnings = [line.strip()[:200] for line in text.splitlines() if "warning:" in line]
        self.build["warnings"] += len(warnings)
        self.build["first_warnings"] = (self.build["first_warnings"] + warnings)[:10]
        if outcome.status == 0:
            return None
        if outcome.status is None:
            return f"{words[0]}: {outcome.text()}"
        return f"{words[0]}: {last_error(text)}"

    def run_own_build(self, how):
        self.say(f"building with {how}")
        self.build["how"] = how
        if how == "make":
            self.build["command"] = "make"
            return self.command(["make"], self.folder)
        self.build["command"] = "cmake -DCMAKE_BUILD_TYPE=Release"
        return (self.command(["cmake", "-S", ".", "-B", "judge-build",
                              "-DCMAKE_BUILD_TYPE=Release"], self.folder)
                or self.command(["cmake", "--build", "judge-build"], self.folder))

    def run_compiler(self):
        """Bare files: those with queue in their name are the queue, the others the list."""
        files = sorted(path for path in self.folder.rglob("*") if path.suffix in SOURCES
                       and path.is_file() and not path.is_symlink())
        sources = []
        for path in files:
            text = path.read_text(encoding="utf-8", errors="replace")
            if re.search(r"^\s*int\s+main\s*\(", text, re.M):
                self.notes.append(f"{path.relative_to(self.folder)} has a main and was left out.")
            else:
                sources.append(path)
        if not sources:
            return "no sources, no build and no libraries"
        self.say("compiling")
        compiler = "c++" if any(path.suffix != ".c" for path in sources) else COMPILER
        self.build["how"] = "compiler"
        challenge = self.challenge_headers()
        folders = {path.parent for path in sources}
        folders |= {path.parent for name in HEADERS for path in self.folder.rglob(name)}
        flags = ["-O2", "-Wall", "-Wextra", "-fPIC", "-shared",
                 *(word for folder in sorted(folders) for word in ("-I", str(folder))),
                 "-I", str(challenge)]
        self.build["command"] = f"{compiler} -O2 -Wall -Wextra -fPIC -shared"
        queue = [str(path) for path in sources if "queue" in path.name.lower()]
        others = [str(path) for path in sources if str(path) not in queue]
        target = self.folder / "judge-build"
        target.mkdir(exist_ok=True)
        self.box.give(target)
        link = ["-L", str(target), "-Wl,--no-as-needed", "-llinked_list"]
        return (self.command([compiler, *flags, *others, "-o", str(target / LIBRARIES[0])], target)
                or self.command([compiler, *flags, *queue, *link, "-o", str(target / LIBRARIES[1])],
                                target))

    # What came of it ---------------------------------------------------------------------------

    def find_libraries(self):
        """[path of each library], the ones nearest to the root; None when one is missing."""
        found = []
        root = os.path.realpath(self.folder)
        for name in LIBRARIES:
            paths = [path for path in self.folder.rglob(name) if path.is_file()
                     and os.path.realpath(path).startswith(root + os.sep)]
            if not paths:
                return None
            found.append(min(paths, key=lambda path: (len(path.parts), str(path))))
        return found

    def take_libraries(self, found):
        """Into one folder, under all their names."""
        self.libraries.mkdir(exist_ok=True)
        root = os.path.realpath(self.folder)
        for path in [*{p for library in found for p in library.parent.glob("lib*.so*")}]:
            real = os.path.realpath(path)
            if real.startswith(root + os.sep) and os.path.isfile(real):
                shutil.copy(real, self.libraries / path.name)
        self.box.give(self.libraries)

    def challenge_headers(self):
        folder = self.stage / "challenge"
        folder.mkdir(exist_ok=True)
        for name in HEADERS:
            source = "challenge_list.h" if name == HEADERS[0] else "challenge_queue.h"
            shutil.copy(HERE / source, folder / name)
        self.box.give(folder)
        return folder

    def take_headers(self):
        for name in HEADERS:
            paths = [path for path in self.folder.rglob(name) if path.is_file()
                     and not path.is_symlink()]
            if paths:
                folder = str(min(paths, key=lambda path: (len(path.parts), str(path))).parent)
                self.include += [folder] if folder not in self.include else []
        if len(self.include) == 0:
            self.build["headers"] = "the challenge's"
        self.include.append(str(self.challenge_headers()))

    def compile(self, source, program, *extra, libraries=("-llinked_list", "-lqueue")):
        """A program of the judge for this submission: None, or why it could not be made."""
        folder = self.stage / "programs"
        folder.mkdir(exist_ok=True)
        copy = folder / pathlib.Path(source).name
        if not copy.exists():
            shutil.copy(source, copy)
        self.box.give(folder)
        words = [COMPILER, "-O1", "-D_GNU_SOURCE", "-rdynamic", *extra, str(copy),
                 *(word for place in self.include for word in ("-I", place)),
                 "-L", str(self.libraries), "-Wl,--no-as-needed", *libraries, "-o", str(folder / program)]
        before = dict(self.build)  # warnings in the judge's own programs are not the submission's
        problem = self.command(words, folder, environment={"LD_LIBRARY_PATH": str(self.libraries)})
        self.build = before
        return problem

    def program(self, name):
        return str(self.stage / "programs" / name)

    def environment(self, more=None):
        return {"LD_LIBRARY_PATH": str(self.libraries), **(more or {})}

    # Rules -------------------------------------------------------------------------------------

    def check_exports(self):
        """By the names that the libraries define, as nm lists them."""
        rule = Rule("exports")
        nm = shutil.which("nm")
        if nm is None:
            return rule.not_judged("nm is not installed")
        defined = set()
        for name in LIBRARIES:
            outcome = self.box.run([nm, "-D", "--defined-only", str(self.libraries / name)],
                                   str(self.stage), Limits(**BUILD_LIMITS))
            for line in outcome.output.decode("utf-8", "replace").splitlines():
                words = line.split()
                if len(words) == 3 and words[1] in "TtWwiuVvBDR":
                    defined.add(words[2].partition("@")[0])
        missing = [name for name in function_names() if name not in defined]
        if missing:
            return rule.failed(f"{len(function_names())} functions", "missing: " + ", ".join(missing))
        system = ctypes.CDLL(None)
        taken = [name for name in sorted(defined) if not NOTHING_ELSE.match(name)
                 and name not in function_names() and hasattr(system, name)]
        if taken:
            return rule.failed("no function of the C library replaced",
                               "defined: " + ", ".join(taken[:8]))
        return rule.passed()

    def check_headers(self):
        rule = Rule("headers")
        text = "#include <linked_list.h>\n#include <queue.h>\n#include <stddef.h>\n"
        text += "\n".join(prototypes()) + "\n" + MEMBERS
        source = self.stage / "signatures.c"
        source.write_text(text, encoding="utf-8")
        problem = self.compile(source, "signatures.o", "-c")
        if problem is not None:
            return rule.failed("the challenge's types", problem)
        return rule.passed()

    def check_queue_alone(self):
        rule = Rule("queue-alone")
        source = self.stage / "queue_alone.c"
        source.write_text(QUEUE_ALONE, encoding="utf-8")
        problem = self.compile(source, "queue_alone", libraries=("-lqueue",))
        if problem is not None:
            return rule.failed("it links", problem)
        outcome = self.box.run([self.program("queue_alone")], str(self.stage), Limits(),
                               environment=self.environment(), plays=True)
        if outcome.status != 0:
            return rule.failed("it runs", outcome.text(), program=QUEUE_ALONE)
        return rule.passed()
