#!/usr/bin/env python3
"""test_layout.py - the arrows between the folders point one way, and the house style holds.

1. Arrows: every #include "..." leads to the file's own folder (by its bare name) or to a folder that
   layout.txt allows (by its path from the root); every #include <...> is the system's or one that
   layout.txt allows. Public headers name each other as users do, bare. The top-level folders are
   in one order, which the table, the files and the root's CMakeLists.txt keep.
2. Circles: none in the table, none among the C files, and none among the modules of Python, also by
   an import within a function or for types alone. No arrow in the table that nothing needs.
3. Pages: every folder has a README.md, of any length; no two files have one name.
4. Strays: no leftovers of a patch.
5. Style: a header comment of at most 15 lines, 100 columns, 500 lines per file and 20 members
   per struct unless its comment says why (700 per file in any case), 70 lines per function, no
   name that begins with an underscore, no note of unfinished work; libraries neither print nor exit.

Each finding is a line FILE:LINE: what; any finding fails.
"""
import ast
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PUBLIC = ["linked_list.h", "linked_list_more.h", "queue.h", "queue_more.h", "node_allocator.h",
          "node_front.h", "pwgraph.h"]
PYTHON = ("python/src", "judge/judgelib", "perf/studylib")  # folders whose modules are searched for circles
INTRINSICS = re.compile(r"_(i$|mm|mm256|mm512|exit|cvt|tzcnt|lzcnt|pext|pdep)")
PRINTS = re.compile(r"(?<![\w>.])(?:printf|puts|putchar|vprintf|perror|exit|quick_exit|abort|assert) *\("
                    r"|\b(?:stdout|stderr)\b")
UNDERSCORED = re.compile(r"(?<!\w)_[a-z]\w*")
INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')

findings = []


def finding(path, line, what):
    findings.append(f"{path}:{line}: {what}")


def read_table():
    """What each folder or file may use, and what no other may: the headers in angle brackets.
    Then the top-level folders, each with the ones it may use."""
    table, name, tops = {}, None, {"order": [], "wings": []}
    for line in (ROOT / "tests/layout.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        words = line.split()
        if words[0] in tops:
            tops[words[0]] = words[1:]
            continue
        if not line.startswith(" "):
            name = words.pop(0)
            table[name] = set()
        table[name].update(word for word in words if word != "-")
    order, wings = tops["order"], tops["wings"]
    below = {top: set(order[:number + 1]) for number, top in enumerate(order)}
    below.update({wing: {wing, *order} for wing in wings})
    below["tests"] = {"tests", *below}
    return table, {word for uses in table.values() for word in uses if word.startswith("<")}, below


def may_use(path, table):
    """What a file may use, by its own line and its folder's."""
    folder = str(path.parent)
    uses = table.get(folder, set()) | table.get(str(path), set())
    return uses | {"output", "tests/support"} if folder.startswith("tests/") else uses


def top_of(path):
    return pathlib.PurePath(path).parts[0]


def check_order(table):
    """The table keeps the order of the top-level folders, and so does the build."""
    below = table["below"]
    for name, uses in table["uses"].items():
        if top_of(name) not in below:
            finding("tests/layout.txt", 1, f"{name}: neither order nor wings has {top_of(name)}")
            continue
        for use in sorted(uses):
            if (ROOT / use).is_dir() and top_of(use) not in below[top_of(name)]:
                finding("tests/layout.txt", 1, f"{name} may not use {use}: {top_of(name)} is not "
                        f"above {top_of(use)}")
    for place in sorted(ROOT.iterdir()):
        if place.is_dir() and place.name not in {"build", *below} and place.name[0] != "." \
                and next(place.rglob("*.[ch]"), None):
            finding(place.name, 1, "has C files and no place in layout.txt")
    built = re.findall(r"^ *add_subdirectory\((\w+)(?: \$\{\w+\})?\)", (ROOT / "CMakeLists.txt").read_text(), re.M)
    wanted = [top for top in below if top != "tests" and (ROOT / top / "CMakeLists.txt").exists()]
    if [name for name in built if name in wanted] != wanted:
        finding("CMakeLists.txt", 1, "adds the top-level folders in another order than layout.txt")


def circle_through(start, arrows):
    """A way from start back to start along the arrows, or None."""
    stack, seen = [(start, [start])], set()
    while stack:
        place, way = stack.pop()
        for next_place in arrows.get(place, ()):
            if next_place == start:
                return way + [start]
            if next_place not in seen:
                seen.add(next_place)
                stack.append((next_place, way + [next_place]))
    return None


def check_circles(arrows, where):
    reported = set()
    for start in sorted(arrows):
        way = circle_through(start, arrows)
        if way and not reported & set(way):
            reported |= set(way)
            finding(where(start), 1, "a circle: " + " -> ".join(way))


def bare(text):
    """Code without comments, strings and characters, line by line."""
    def blank(match):
        if match.group().startswith(("/*", "//")):
            return "\n" * match.group().count("\n")
        return '""' if match.group()[0] == '"' else "0"
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(pattern, blank, text, flags=re.S).split("\n")


def check_include(path, number, name, angled, tree, table):
    """The file that an include leads to, or None."""
    folder, uses = str(path.parent), may_use(path, table["uses"])
    if angled:
        table["used"].add((folder, f"<{name}>"))
        if name in tree["by_name"] or f"<{name}>" in table["angled"]:
            if f"<{name}>" not in uses:
                finding(path, number, f"{folder} may not use <{name}>")
        return None
    target = path.parent / name
    if str(target) not in tree["files"]:
        target = pathlib.Path(name)
    if str(target) not in tree["files"] and name in PUBLIC:
        target = pathlib.Path(tree["by_name"][name])
        if path.name not in PUBLIC:
            finding(path, number, f"write the path from the root: {target}")
    if str(target) not in tree["files"]:
        table["used"].add((folder, f'"{name}"'))
        if f'"{name}"' not in uses:
            finding(path, number, f"no such file: {name}")
        return None
    used = str(target.parent)
    table["used"].add((folder, used))
    if used == folder:
        if "/" in name:
            finding(path, number, f"a file of the same folder is included by its bare name: {name}")
    elif folder not in table["uses"]:
        finding(path, number, f"tests/layout.txt does not know the folder {folder}")
    elif top_of(used) not in table["below"][top_of(folder)]:
        finding(path, number, f"{top_of(folder)} may not use {top_of(used)} ({name})")
    elif "everything" in uses:
        pass
    elif used != "base" and (top_of(used) != "base" or top_of(folder) == "base") and \
            used not in uses:
        finding(path, number, f"{folder} may not use {used} ({name})")
    return str(target)


def check_header_comment(path, lines):
    if lines[0] != "/*":
        finding(path, 1, "a file opens with a comment that says what it is")
    if not lines[1].startswith(f" * {path.name} - "):
        finding(path, 2, f'the header comment begins with "{path.name} - "')
    end = next((i for i, line in enumerate(lines) if "*/" in line), 0)
    if end - 1 > 15:
        finding(path, end, "the header comment has more than 15 lines")


def check_structs(path, text):
    """A struct of more than 20 members is split, or the comment on it says why not."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", lambda match: re.sub(r"[^\n]", " ", match[0]), text,
                  flags=re.S)
    for match in re.finditer(r"^struct (\w+) \{\n(.*?)^\}", code, re.M | re.S):
        body = re.sub(r"\([^()]*\)|\{[^{}]*\}", "", match[2])
        members = sum(1 + part.count(",") for part in body.split(";") if part.strip())
        before = text[:match.start()].rstrip()
        comment = before[before.rfind("/*"):] if before.endswith("*/") else ""
        if members > 20 and "One struct:" not in comment and path.parts[0] != "tests":
            finding(path, text[:match.start()].count("\n") + 1,
                    f"struct {match[1]} has {members} members: split it, or say why not (One struct: ...)")


def check_style(path, text, table):
    lines = text.split("\n")
    check_header_comment(path, lines)
    if len(lines) > 701:
        finding(path, 701, "a file stays below 700 lines")
    elif len(lines) > 501 and path.parts[0] != "tests" and \
            "One file:" not in text[:text.index("*/")]:
        finding(path, 1, "over 500 lines: split by chapters, or the head says why not (One file: ...)")
    check_structs(path, text)
    is_library = "output" not in may_use(path, table["uses"])
    body_start = 0
    for number, (line, code) in enumerate(zip(lines, bare(text)), 1):
        if len(line) > 100:
            finding(path, number, "longer than 100 columns")
        if line != line.rstrip() or "\t" in line:
            finding(path, number, "blanks at the end of the line, or a tab")
        if "TO" "DO" in line or "FIX" "ME" in line:
            finding(path, number, "unfinished work")
        if line.startswith("{"):
            body_start = number
        if line.startswith("}") and body_start:
            if number - body_start - 1 > 70:
                finding(path, number, f"a function of {number - body_start - 1} lines")
            body_start = 0
        if code.lstrip().startswith("#"):
            continue
        for match in UNDERSCORED.finditer(code):
            if not INTRINSICS.match(match.group()):
                finding(path, number, f"the name {match.group()} begins with an underscore")
        if PRINTS.search(code):
            table["used"].add((str(path.parent), "output"))
            if is_library:
                finding(path, number, "a library neither prints nor exits, and knows no stdout")


def check_pages(table):
    """A page in every folder of the product, and one for all of the tests."""
    for folder in sorted({f for f in table if (ROOT / f).is_dir() and not f.startswith("tests/")}):
        page = ROOT / folder / "README.md"
        if not page.exists():
            finding(f"{folder}/README.md", 1, "every folder has a page")


def check_table(table, tree):
    """No line for what is not there, no arrow that nothing needs."""
    for name, uses in table["uses"].items():
        if not (ROOT / name).exists():
            finding("tests/layout.txt", 1, f"no such folder or file: {name}")
        folder = str(pathlib.Path(name).parent) if name in tree["files"] else name
        for use in sorted(uses - {"everything", "unchecked"}):
            if (folder, use) not in table["used"]:
                finding("tests/layout.txt", 1, f"{name} does not need {use}")


def check_strays():
    """No leftovers of a patch."""
    for path in ROOT.rglob("*"):
        relative = path.relative_to(ROOT)
        if path.suffix in (".orig", ".rej") and relative.parts[0] not in ("build", ".git", ".cache"):
            finding(relative, 1, "is left over from a patch")


def module_file(folder, parts):
    """The file of a module that is in this folder, or None."""
    place = folder.joinpath(*parts)
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py")
                 if parts and file.exists()), None)


def python_imports(path, top):
    """The modules of the tree that one imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.Import):
            wanted = [([path.parent, top], name.split("."), []) for name in names]
        else:
            folders = [path.parents[node.level - 1]] if node.level else [path.parent, top]
            parts = node.module.split(".") if node.module else []
            wanted = [(folders, parts, [name]) for name in names]
        for folders, parts, name in wanted:
            places = [module_file(folder, parts + more) for more in (name, []) for folder in folders]
            places += [folders[0] / "__init__.py"] * (not parts)
            yield from [place for place in places if place is not None][:1]


def check_python():
    """No circle among the modules of Python."""
    modules = {}
    for top in PYTHON:
        for path in sorted((ROOT / top).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            modules[name] = {str(file.relative_to(ROOT))
                             for file in python_imports(path, ROOT / top) if file.exists()} - {name}
    check_circles(modules, lambda module: module)


def main():
    table = dict(zip(("uses", "angled", "below"), read_table()), used=set())
    uses = table["uses"]
    unchecked = tuple(f"{folder}/" for folder in uses if "unchecked" in uses[folder])
    paths = sorted(p.relative_to(ROOT) for top in table["below"] for p in (ROOT / top).rglob("*.[ch]"))
    paths = [p for p in paths if not str(p).startswith(unchecked)]
    tree = {"files": {str(p) for p in paths}, "by_name": {p.name: str(p) for p in paths}}
    for path in paths:
        if tree["by_name"][path.name] != str(path):
            finding(path, 1, f"a file of this name is in {tree['by_name'][path.name]}")
    modules = {}
    for path in paths:
        text = (ROOT / path).read_text()
        check_style(path, text, table)
        for number, line in enumerate(text.split("\n"), 1):
            match = INCLUDE.match(line)
            if match:
                target = check_include(path, number, match.group(1) or match.group(2),
                                       match.group(2) is not None, tree, table)
                if target and pathlib.Path(target).stem != path.stem:
                    modules.setdefault(str(path.with_suffix("")), set()).add(target[:-2])
    check_order(table)
    check_circles(uses, lambda folder: "tests/layout.txt")
    check_circles(modules, lambda module: module)
    check_python()
    check_pages(uses)
    check_table(table, tree)
    check_strays()
    print("\n".join(findings))
    return 1 if findings else 0


sys.exit(main())
