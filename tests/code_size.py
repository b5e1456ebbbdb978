#!/usr/bin/env python3
"""code_size.py - how many lines of C each folder has, and the limits of the core and the product.

A line counts as code when it has more than a comment on it, as a comment when it has nothing else,
and not at all when it is blank. The core is the folders to read first, as README.md names them. The
product may grow only with what it can do: raise its limit in the commit of a new capability, and
lower it with every cut. Examples do not count.

Usage: tests/code_size.py [--check]     --check: exit 1 when a limit is exceeded, or README.md names
another core or another size of it
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PRODUCT = ["base", "alloc", "liblist", "libqueue", "data", "bfs", "perf"]
CORE = ["base", "alloc", "alloc/nodes", "liblist", "libqueue", "data/graph", "data/read",
        "bfs/search", "bfs/engines", "bfs/engines/parts", "bfs/run", "perf/report"]
CORE_LIMIT = 14_000     # code and comments
PRODUCT_LIMIT = 49_072  # code; 26,500 before hardening and first contact; lowered with every cut
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def count(path):
    """The number of code lines and of comment lines of a file."""
    text = path.read_text()

    def without_comment(match):
        return re.sub(r"[^\n]", "", match[0]) if match[0][0] == "/" else match[0]
    code = sum(1 for line in TOKEN.sub(without_comment, text).split("\n") if line.strip())
    return code, sum(1 for line in text.split("\n") if line.strip()) - code


def readme_is_true(core_lines):
    """Whether README.md names the folders of the core in this order, and its lines in thousands."""
    text = re.search(r"read its core.*?lines with comments", (ROOT / "README.md").read_text(), re.S)
    folders = [name for name in re.findall(r"`([a-z/]+)`", text[0]) if (ROOT / name).is_dir()]
    return folders == CORE and f"some {round(core_lines, -3):,} lines" in " ".join(text[0].split())


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__)
        return 2
    folders = {}
    for path in sorted(p for top in PRODUCT for p in (ROOT / top).rglob("*.[ch]")
                       if "example" not in p.parts):
        folder = str(path.parent.relative_to(ROOT))
        code, comment = count(path)
        files, code_before, comment_before = folders.get(folder, (0, 0, 0))
        folders[folder] = (files + 1, code_before + code, comment_before + comment)
    print("folder                  files    code comment")
    for folder, (files, code, comment) in sorted(folders.items()):
        core = " core" if folder in CORE else ""
        print(f"{folder:22}  {files:5}  {code:6}  {comment:6}{core}")
    core_code = sum(folders[folder][1] for folder in CORE)
    core_all = core_code + sum(folders[folder][2] for folder in CORE)
    product = sum(code for _, code, _ in folders.values())
    print(f"core: {core_code:,} code lines, {core_all:,} with comments "
          f"(limit {CORE_LIMIT:,} with comments)")
    print(f"product: {product:,} code lines (limit {PRODUCT_LIMIT:,})")
    if not readme_is_true(core_all):
        print("README.md names another core, or another size of it")
    return int("--check" in sys.argv and (core_all > CORE_LIMIT or product > PRODUCT_LIMIT
                                          or not readme_is_true(core_all)))


if __name__ == "__main__":
    sys.exit(main())
