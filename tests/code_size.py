#!/usr/bin/env python3
"""code_size.py - how many lines each folder has, how many the core reaches, and how many the whole
tree has: C, Python, JavaScript and shell, product and tests apart.

A line counts as code when it has more than a comment on it, as a comment when it has nothing else,
and not at all when it is blank. A docstring is a comment. Examples do not count.

The core is the folders of README.md to read first, and all that their files include, to the end: a
header brings the .c file of its name in its folder. Of base only what is reached counts. A folder
outside of the core that is reached is listed with its files and who includes each.

The numbers are thermometers: nothing fails because of a size. Only the sentence of README.md about
the core must be the one that this command makes.

Usage: tests/code_size.py [--check | --write]
  --check  exit 1 when README.md has another sentence; --write puts it there
"""
import ast
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
PRODUCT = ["base", "counters", "alloc", "liblist", "libqueue", "data", "bfs", "mpi", "wikipedia", "perf", "judge"]
CORE = ["base", "alloc", "alloc/nodes", "liblist", "libqueue", "data/graph", "data/read",
        "bfs/search", "bfs/engines", "bfs/engines/parts", "bfs/run", "base/report"]
REACHED_ONLY = {"base"} # a box of tools: only the tools in use count
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
SENTENCE = re.compile(r"To understand the program, read its core.*?counts them\)\.", re.S)


def count(path):
    """The number of code lines and of comment lines of a file."""
    text = path.read_text()

    def without_comment(match):
        return re.sub(r"[^\n]", "", match[0]) if match[0][0] == "/" else match[0]
    code = sum(1 for line in TOKEN.sub(without_comment, text).split("\n") if line.strip())
    return code, sum(1 for line in text.split("\n") if line.strip()) - code


def docstring_lines(text):
    """The numbers of the lines of Python that docstrings take."""
    taken = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            taken.update(range(body[0].lineno, body[0].end_lineno + 1))
    return taken


def count_script(path, language):
    """The number of code lines of Python, JavaScript or shell."""
    text = path.read_text()
    if language == "JavaScript":
        return count(path)[0]
    taken = docstring_lines(text) if language == "Python" else set()
    return sum(1 for number, line in enumerate(text.split("\n"), 1)
               if line.strip() and not re.match(r"\s*#", line) and number not in taken)


def language_of(path):
    """C, Python, JavaScript or shell, by the ending or the first line; None: no code."""
    endings = {".c": "C", ".h": "C", ".py": "Python", ".js": "JavaScript", ".sh": "shell"}
    if path.suffix in endings:
        return endings[path.suffix]
    if path.suffix or not path.is_file():
        return None
    first = path.open("rb").readline(80)
    return "Python" if b"python3" in first else "shell" if first.startswith(b"#!/bin/") else None


def write_languages():
    """A table: code lines by language, of the product and of the tests."""
    sizes = {language: {"product": 0, "tests": 0} for language in ("C", "Python", "JavaScript", "shell")}
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if parts[0] in ("build", ".git") or {"seeds", "regressions", "example", "examples"} & set(parts):
            continue
        language = language_of(path)
        if language:
            side = "tests" if parts[0] in ("tests", "test.sh", ".ci") else "product"
            sizes[language][side] += count(path)[0] if language == "C" else count_script(path, language)
    print(f"{'code lines':12}  product   tests")
    for language, sides in sizes.items():
        print(f"{language:12}  {sides['product']:7,} {sides['tests']:7,}")


def leads_to(path, tree):
    """The files of the project that a file brings: what it includes, and a header its .c file."""
    found = []
    for name in INCLUDE.findall(path.read_text()):
        places = [path.parent / name, ROOT / name, *tree["public"].get(name, [])]
        found += [place for place in places if place in tree["files"]][:1]
    twin = path.with_suffix(".c")
    return found + ([twin] if path.suffix == ".h" and twin in tree["files"] else [])


def closure(starts, tree):
    """All files that the starts reach, each with the files that lead to it."""
    reached, waiting = {path: set() for path in starts}, list(starts)
    while waiting:
        path = waiting.pop()
        for target in leads_to(path, tree):
            if target not in reached:
                reached[target] = set()
                waiting.append(target)
            reached[target].add(path)
    return reached


def by_folder(paths):
    """Files, code lines and comment lines of each folder."""
    sizes = {}
    for path in paths:
        folder = str(path.parent.relative_to(ROOT))
        files, code, comment = sizes.get(folder, (0, 0, 0))
        more = count(path)
        sizes[folder] = (files + 1, code + more[0], comment + more[1])
    return sizes


def write_sizes(sizes, title):
    print(f"{title:22}  files    code comment")
    for folder, (files, code, comment) in sorted(sizes.items()):
        core = " core" if folder in CORE else ""
        print(f"{folder:22}  {files:5}  {code:6}  {comment:6}{core}")


def write_outside(reached):
    """The files outside of the core's folders, and the include that leads to each."""
    for path in sorted(reached):
        lines = sum(count(path))
        own = path.with_suffix("")
        who = sorted(str(p.relative_to(ROOT)) for p in reached[path] if p.with_suffix("") != own)
        if str(path.parent.relative_to(ROOT)) not in CORE and who:
            twin = path.with_suffix(".c")
            lines += sum(count(twin)) if path.suffix == ".h" and twin in reached else 0
            print(f"  {path.relative_to(ROOT)}, {lines} lines: {', '.join(who)}")


def sentence(lines):
    """What README.md says of the core."""
    folders = ", ".join(f"`{folder}`" for folder in CORE)
    return textwrap.fill(
        f"To understand the program, read its core, each folder from its README.md: {folders}. With "
        f"all that they include, these are some {round(lines, -3):,} lines with comments "
        "(`tests/code_size.py` counts them).",
        100, break_long_words=False, break_on_hyphens=False)


def main():
    if sys.argv[1:] not in ([], ["--check"], ["--write"]):
        print(__doc__)
        return 2
    files = {p for top in PRODUCT for p in (ROOT / top).rglob("*.[ch]") if "example" not in p.parts}
    tree = {"files": files, "public": {}}
    for path in files:
        tree["public"].setdefault(path.name, []).append(path)
    starts = {p for p in files if str(p.parent.relative_to(ROOT)) in set(CORE) - REACHED_ONLY}
    reached = closure(starts, tree)
    product, core = by_folder(files), by_folder(reached)
    code, comment = (sum(sizes[i] for sizes in core.values()) for i in (1, 2))
    write_sizes(product, "folder")
    print()
    write_sizes(core, "reached from the core")
    print("\nreached outside of the core's folders, and from where:")
    write_outside(reached)
    print(f"\ncore: {code:,} code lines, {code + comment:,} with comments")
    print()
    write_languages()
    page = ROOT / "README.md"
    text, wanted = page.read_text(), sentence(code + comment)
    if "--write" in sys.argv:
        if not SENTENCE.search(text):
            print("README.md has no sentence to replace: To understand the program, read its core")
            return 1
        page.write_text(SENTENCE.sub(lambda match: wanted, text, count=1))
    elif wanted not in text:
        print(f"README.md does not say, run tests/code_size.py --write:\n{wanted}")
        return int("--check" in sys.argv)
    return 0


if __name__ == "__main__":
    sys.exit(main())
