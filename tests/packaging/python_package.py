"""python_package.py SAMPLE PYPROJECT ROOT - what test_packages.sh asks of the Python package, which
is unpacked below ROOT: it answers, finds bfs, and has the metadata of pyproject.toml, whose entry
points name modules that are there."""
import importlib.metadata
import importlib.util
import pathlib
import re
import sys

import pointer_wars
from pointer_wars.web.costs import program

sample, project, root = sys.argv[1:]
assert pointer_wars.__file__.startswith(root), pointer_wars.__file__
assert program() == root + "usr/bin/pointer-wars-bfs", program()
path = pointer_wars.load(sample).path("Laos", "Poland")
assert list(path) == ["Laos", "China", "Russia", "Poland"], path

text = pathlib.Path(project).read_text(encoding="utf-8")
about = importlib.metadata.distribution("pointer-wars")
assert about.version == pointer_wars.__version__, about.version
for field, key in (("Summary", "description"), ("Requires-Python", "requires-python")):
    wanted = re.search(f'^{key} = "(.*)"', text, re.M)[1]
    assert about.metadata[field] == wanted, about.metadata[field]
wanted = []
for group, lines in re.findall(r'^\[project\.entry-points\."?([\w.]+)"?\]\n((?:[^\[\n].*\n)*)', text,
                               re.M):
    wanted += [(group, *entry) for entry in re.findall(r'^"?([\w.-]+)"? *= *"(.*?)"', lines, re.M)]
scripts = re.search(r"^\[project\.scripts\]\n((?:[^\[\n].*\n)*)", text, re.M)[1]
wanted += [("console_scripts", *entry)
           for entry in re.findall(r'^"?([\w.-]+)"? *= *"(.*?)"', scripts, re.M)]
found = [(entry.group, entry.name, entry.value) for entry in about.entry_points]
assert sorted(found) == sorted(wanted), (found, wanted)
for entry in about.entry_points:
    module = importlib.util.find_spec(entry.value.split(":")[0])
    assert module is not None and module.origin.startswith(root), entry
for name in ("page.html", "page.css", "page.js", "drawing.js", "icon.svg"):
    page = pathlib.Path(pointer_wars.__file__).parent / "web/static" / name
    assert page.stat().st_size > 100, page
