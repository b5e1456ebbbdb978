#!/usr/bin/env python3
"""test_pages.py - what the pages name is there.

1. Names: each word in backticks is a file, a folder, or a word of the programs, scripts and builds;
   an option is one that a program knows; so is each function's name in a drawing. Comments do not count: they may be as old as the page.
   Words in capitals are placeholders for the user. pages.txt has the words that are others'.
2. Folders: a folder's page names each folder in it.
3. Questions: the page of each top-level folder has a table "question | place"; a place names a file
   or a folder, from the page's own folder, and a function in it is one that the file has. What
   README.md says that a folder's page answers is in that table.
4. Help: no text of a program's help names an engine by hand; the registry does.

Each finding is a line FILE:LINE: what; any finding fails.
"""
import fnmatch
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SKIPPED = {"build", "__pycache__", "seeds", "regressions"}
OWN = {"tests/test_pages.py", "tests/test_pages_finds.py", "tests/pages.txt"}
CODE = {".c", ".h", ".cc", ".hh", ".py", ".sh", ".txt", ".cmake", ".csv", ".tsv", ".json", ".in", ".yml", ""}
HISTORY = {"CHANGELOG.md"}  # names what is gone, too
ENDINGS = r"\.(?:cc?|hh?|py|sh|md|txt|csv|cmake|svg|so|tsv|json)"
# Of the user, or of the system.
PLACE = re.compile(r"[~$<]|^/|^\.cache|\.\.\.|https?:|"
                   r"(?:^|/)(?!README|CMake|CHANGELOG|CONTRIBUTING|SECURITY)[A-Z]{2,}")
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?:-[A-Za-z_0-9]+)*")
QUESTIONS = ["base", "counters", "alloc", "liblist", "libqueue", "data", "bfs", "mpi", "wikipedia",
             "perf", "python", "tests", "packaging"]

ENGLISH = ("plain", "array", "challenge", "classic", "bitmap")  # engines that are words besides

findings = []


def finding(path, line, what):
    findings.append(f"{path}:{line}: {what}")


def tree_files():
    """Every file, by its path from the root; what a build or an editor leaves does not count."""
    found = []
    for folder, inner, names in os.walk(ROOT):
        inner[:] = [name for name in inner if name not in SKIPPED
                    and (name[0] != "." or name in (".ci", ".github"))
                    and not (pathlib.Path(folder) == ROOT and name.startswith("study"))]
        found += [(pathlib.Path(folder) / name).relative_to(ROOT) for name in names]
    return sorted(found)


def without_comments(text):
    """C without its comments; texts stay, because options and messages are texts."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*")', lambda m: m[1] or " ", text,
                  flags=re.S)


class Tree:
    """The files, the folders, and the words of the code."""

    def __init__(self):
        self.files = {str(path) for path in tree_files()}
        self.folders = {str(parent) for path in self.files for parent in pathlib.PurePath(path).parents}
        self.base_names = {pathlib.PurePath(path).name for path in self.files | self.folders}
        self.words, self.options, self.texts = set(), set(), {}
        for path in sorted(self.files - OWN):
            pure = pathlib.PurePath(path)
            if pure.suffix not in CODE or path in HISTORY:
                continue
            try:
                text = (ROOT / path).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue
            text = self.texts[path] = without_comments(text) if pure.suffix in (".c", ".h") else text
            wholes = set(WORD.findall(text))
            self.words.update(wholes, *(whole.split("-") for whole in wholes if "-" in whole))
            self.options.update(re.findall(r"--([a-z][\w-]*)", text))
            self.options.update(re.findall(r'\{"([a-z][\w-]*)", ', text))
        self.words.update(part for name in self.base_names for part in (name, name.split(".")[0]))

    def has_word(self, name):
        """True if the code has the word. A name that begins or ends with "_" is a part of some; one
        with a placeholder in capitals, such as graph_FORMAT, is the name of several."""
        if name in self.words:
            return True
        if name.endswith("_") or name.startswith("_"):
            return any(word.startswith(name) or word.endswith(name) for word in self.words)
        if re.search(r"[a-z].*_[A-Z]{3}", name):
            pattern = re.compile(re.sub(r"[A-Z]{3,}", r"\\w+", name))
            return any(pattern.fullmatch(word) for word in self.words)
        return False

    def has_file(self, name):
        """True if there is a file of that name, or some of its pattern, or one that is made."""
        if "/" in name:
            return False
        if name.endswith(".so"):
            return name[:-3].replace("lib", "", 1) in self.words
        if re.search(r"[A-Z]{3}", name) and "README" not in name:
            name = re.sub(r"[A-Z]{3,}", "*", name)
        made = name.split("*")[-1].split(".")[0] if "*" in name else name
        return any(fnmatch.fnmatchcase(one, name) for one in self.base_names) or \
            any(made in text for text in self.texts.values())

    def has(self, page, place):
        """True if a path that a page names leads somewhere: from the page's folder, or the root."""
        place = place.rstrip("/")
        folder = pathlib.PurePath(page).parent
        for start in (folder, pathlib.PurePath()):
            full = os.path.normpath(start / place)
            if full in self.folders or os.path.basename(full) in SKIPPED or \
                    {full, f"{full}.h", f"{full}.c"} & self.files or \
                    ("*" in place and fnmatch.filter(self.files | self.folders, full)):
                return True
        return False


def spans(text):
    """(line, words) of what is in backticks, without the blocks of commands."""
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)
    text = re.sub(r"^    .*$", "", text, flags=re.M)
    for match in re.finditer(r"`([^`\n]+(?:\n[^`\n]+)?)`", text):
        yield text.count("\n", 0, match.start()) + 1, match[1].replace("\n", " ")


def check_path(page, line, word, tree, others):
    """True if the word is a path, which is then checked."""
    word = re.sub(r"^\./", "", word.strip(",;:()[]'\""))
    if not re.search(rf"/|\w{ENDINGS}$", word) or re.search(r"[=:(]|^\w/\d+$", word):
        return False
    if word in others or pathlib.PurePath(word).stem in others:
        return True
    if PLACE.search(word) and "/" in word and not word.startswith("build/"):
        return True
    if word.startswith("build/"):
        name = pathlib.PurePath(word).name.split(".")[0]
        if name not in tree.words:
            finding(page, line, f"`{word}` is not built")
    elif not tree.has(page, word) and not tree.has_file(word):
        finding(page, line, f"`{word}` is not there")
    return True


def blocks(text):
    """(line, text) of each line of a block of commands, of a drawing, of a program."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif inside or line.startswith("    "):
            yield number, line


def check_names(page, text, tree, others):
    for line, block in blocks(text):
        for name in re.findall(r"(?<![\w./=-])[a-z]+(?:_[a-z0-9]+)+(?![\w./*])", block):
            if "ctest " not in block and name not in others and not tree.has_word(name):
                finding(page, line, f"nothing has the name {name}")
    for line, span in spans(text):
        if span.startswith("ctest "):
            continue  # a pattern of the names of tests
        for word in span.split():
            if check_path(page, line, word, tree, others):
                continue
            for option in re.findall(r"(?<![\w-])--([a-z][\w-]*)", word):
                if option not in tree.options and f"--{option}" not in others:
                    finding(page, line, f"no program has the option `--{option}`")
            for name in WORD.findall(re.sub(r"(?<![\w-])--?[a-z][\w-]*", " ", word)):
                if len(name) > 2 and not re.fullmatch(r"[A-Z0-9]+", name) and \
                        name not in others and not tree.has_word(name):
                    finding(page, line, f"nothing has the name `{name}`")


def check_folders(page, text, tree):
    """A page names every folder in its own one."""
    folder = pathlib.PurePath(page).parent
    for name in sorted(tree.folders):
        inner = pathlib.PurePath(name)
        if name != "." and inner.parent == folder and inner.name[0] != "." and \
                not re.search(rf"`(?:[\w./]*/)?{re.escape(inner.name)}(?:/[\w.*/-]*)?`|\]\({inner.name}/",
                              text):
            finding(page, 1, f"does not name its folder {inner.name}/")


def check_questions(page, text, tree):
    rows = re.search(r"^\| question \| place \|\n\|[-|]+\|\n((?:\|.*\n?)+)", text, re.M)
    if not rows:
        finding(page, 1, 'has no table "question | place"')
        return
    line = text.count("\n", 0, rows.start(1)) + 1
    folder = pathlib.PurePath(page).parent
    for number, row in enumerate(rows[1].splitlines(), line):
        names = [word for _, span in spans(row.split("|")[2]) for word in span.split()]
        if not any(tree.has(page, name) for name in names):
            finding(page, number, "the place is no file and no folder")
            continue
        for first, place in re.findall(r"`(\w+)` in `([\w./-]+)`", row):
            code = tree.texts.get(str(folder / place), tree.texts.get(place, ""))
            if not re.search(rf"\b{first}\b", code):
                finding(page, number, f"`{place}` has no `{first}`")


def check_steps():
    """What README.md says that a folder's page answers is in the table of that page."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \|[^|]*\|([^|]*)\|$", text, re.M)
    for folder in sorted(set(QUESTIONS) - {folder for folder, _ in rows}):
        finding("README.md", 1, f"asks nothing of {folder}/")
    for folder, asked in rows:
        page = (ROOT / folder / "README.md").read_text(encoding="utf-8")
        for question in re.findall(r"[^?]+\?", asked):
            if f"\n| {question.strip()} |" not in page:
                finding("README.md", 1, f"{folder}/README.md does not answer: {question.strip()}")


def engine_names(tree):
    """The engines of the registry."""
    names = {}
    for path, text in tree.texts.items():
        if path.startswith("bfs/engines/"):
            names.update((name, path) for name in re.findall(r'^    \.name = "([\w-]+)"', text, re.M))
    return names


def check_help(tree):
    """Tables of options, and the text around them: files *_options.c and options.c."""
    names = engine_names(tree)
    for path, text in sorted(tree.texts.items()):
        if not re.search(r"(?:^|/)(?:\w+_)?options\.c$", path) or path.startswith("tests/"):
            continue
        for match in re.finditer(r'"((?:\\.|[^"\\\n])*)"', text):
            if match[1].startswith("  bfs "):
                continue  # an example, which test_examples.py runs
            for name in names:
                before = r"(?:engine[ =]|default: |, )" if name in ENGLISH else r"(?<![\w-])"
                if re.search(rf"{before}{name}(?![\w-])", match[1]):
                    finding(path, text.count("\n", 0, match.start()) + 1,
                            f'the help names the engine "{name}" by hand')


def main():
    tree = Tree()
    others = set()
    for line in (ROOT / "tests/pages.txt").read_text(encoding="utf-8").splitlines():
        others.update([] if line.startswith("#") else line.split())
    pages = sorted(path for path in tree.files if path.endswith(".md"))
    for page in pages:
        text = (ROOT / page).read_text(encoding="utf-8")
        if page not in HISTORY:
            check_names(page, text, tree, others)
        if page.endswith("README.md"):
            check_folders(page, text, tree)
    for folder in QUESTIONS:
        page = f"{folder}/README.md"
        check_questions(page, (ROOT / page).read_text(encoding="utf-8"), tree)
    check_steps()
    check_help(tree)
    print("\n".join(findings))
    return 1 if findings else 0


sys.exit(main())
