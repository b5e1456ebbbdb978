#!/usr/bin/env python3
"""test_promised.py - what promised.txt lists is there: headers, options, fields, names of Python.

VERSIONING.md says what the promise is. Each line is KIND NAME..., of what its own page or test holds:
installed headers; options on the manual pages; choices, allocators and engines of bfs; fields as bfs
prints them in JSON and CSV, and as the page of answers has them; the members of a card; what
pointer_wars exports. Functions and types of C are in exports-*.txt and abi/. What is there and not
listed is no mistake, until CHANGELOG.md begins with a version that is released: then it must be
promised, or be marked in VERSIONING.md.

Usage: test_promised.py [--update]     PW_BUILD: the build; --update writes promised.txt
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = ROOT / "tests/promised.txt"
BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release"))


def options_of(page):
    """The options that a manual page describes: each begins a paragraph."""
    text = page.read_text(encoding="utf-8").replace("\\-", "-")
    return {name for line in re.findall(r"^\.TP\n(.*)", text, re.M)
            for name in re.findall(r"--[a-z][a-z-]*", line)}


def words():
    """The choices of bfs, its allocators with their options, and its engines."""
    def printed(option):
        return subprocess.run([BUILD / "bin/bfs", option], check=True, capture_output=True, text=True).stdout

    choices, allocators, name = set(), set(), ""
    for group in json.loads(printed("--option-table"))["groups"]:
        choices |= {f"{option['name']}={word}" for option in group["options"] for word in option["words"]}
    for line in printed("--list-allocs").splitlines():
        name = line.split()[0] if line[:1].strip() else name
        option = re.match(r" {4}([a-z-]+)=", line)
        allocators |= {name, f"{name}:{option[1]}"} if option else {name}
    engines = {line.split()[0] for line in printed("--list-engines").splitlines() if line[:1].strip()}
    return {"choice": choices, "allocator": allocators, "engine": engines}


def fields():
    """Of reports and comparisons as they are printed; of answers as their page has them, which
    test_answer_fields.py holds."""
    os.environ["PW_BFS"] = str(BUILD / "bin/bfs")
    sys.path.insert(0, str(ROOT / "tests/bfs"))
    from test_report_fields import COMPARISONS, REPORTS, printed
    page = (ROOT / "bfs/answers/README.md").read_text(encoding="utf-8")
    return {"report": printed(REPORTS + [["--counters=pointer-wars"]]),
            "comparison": printed(COMPARISONS),
            "answer": set(re.findall(r"^\| `(\w+)` \|.*\|.*\|.*\|", page, re.M))}


def members(schema):
    """The members that a schema of JSON names, at any depth."""
    found = set(schema.get("properties", {}))
    for inner in [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(),
                  schema.get("items")]:
        found |= members(inner) if isinstance(inner, dict) else set()
    return found


def python_names():
    """What the package exports, and the public members of its classes that are its own."""
    os.environ["POINTER_WARS_LIBRARY"] = str(BUILD / "lib/libpwgraph.so")
    sys.path.insert(0, str(ROOT / "python/src"))
    try:
        import pointer_wars
    except ModuleNotFoundError as why:
        print(f"skipped: {why.name} is not installed: ./setup.sh test")
        sys.exit(77)
    import pointer_wars.race as race
    found = set(pointer_wars.__all__) | {"race.Race", "race.Game"}
    classes = {name: getattr(pointer_wars, name) for name in pointer_wars.__all__}
    classes.update({"race.Race": race.Race, "race.Game": race.Game})
    for name, one in classes.items():
        for part in one.__mro__ if isinstance(one, type) else ():
            if part.__module__.startswith("pointer_wars"):
                found |= {f"{name}.{member}" for member, value in vars(part).items() if member[0] != "_"
                          and (callable(value) or isinstance(value, (classmethod, property)))}
    return found


def experimental():
    """What VERSIONING.md names in its line about experiments: programs, and names of Python."""
    text = (ROOT / "VERSIONING.md").read_text(encoding="utf-8")
    return set(re.findall(r"`([\w.-]+)`", re.search(r"^- Experimental:(.*?)\.$", text, re.M | re.S)[1]))


def found():
    """All that is there, by its kind, without what is experimental."""
    kinds = {"header": {path.name for path in (BUILD / "include").glob("*.h")}}
    for page in sorted((BUILD / "packaging/man1").glob("*.1")):
        if page.stem not in experimental():
            kinds[page.stem] = options_of(page)
    kinds.update(words())
    kinds.update(fields())
    kinds["card"] = members(json.loads((ROOT / "judge/card.schema.json").read_text()))
    kinds["python"] = python_names() - experimental()
    return kinds


def main():
    if not (BUILD / "packaging/stamp").exists() or not (BUILD / "lib/libpwgraph.so").exists():
        print("skipped: this build has no manual pages or no libpwgraph.so")
        return 77
    there = found()
    if sys.argv[1:] == ["--update"]:
        LIST.write_text("# Promised by VERSIONING.md; test_promised.py --update writes this.\n" + "".join(
            f"{kind} {' '.join(sorted(names))}\n" for kind, names in there.items() if names))
        return 0
    promised = {kind: set(names) for kind, *names in (
        line.split() for line in LIST.read_text().splitlines() if line[0] != "#")}
    problems = [f"{kind}: {name} is promised and gone" for kind, names in promised.items()
                for name in sorted(names - there.get(kind, set()))]
    heading = re.search(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(), re.M)[1]
    if "unreleased" not in heading:
        marked = (ROOT / "VERSIONING.md").read_text()
        problems += [f"{kind}: {name} is neither promised nor marked" for kind, names in there.items()
                     for name in sorted(names - promised.get(kind, set())) if f"`{name}`" not in marked]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
