#!/usr/bin/env python3
"""python_metadata.py - METADATA and entry_points.txt of an installed package, from its pyproject.toml.

Usage: python_metadata.py PYPROJECT FOLDER

pip writes the same facts when it installs. Only lines of the form name = "value" are needed, so that
every Python from 3.6 will do, which has no reader of TOML before 3.11.
"""
import pathlib
import re
import sys


def tables(text):
    """The lines name = "value" of each table, and the texts of each list, by the table's name."""
    found, table = {}, ""
    for line in re.sub(r"\[\n(.*?)\n\]", lambda part: "[" + part[1].replace("\n", "") + "]", text,
                       flags=re.S).splitlines():
        heading = re.fullmatch(r"\[([^\[\]]+)\]\s*", line)
        if heading:
            table = heading[1].replace('"', "")
            continue
        entry = re.match(r'"?([\w.-]+)"?\s*=\s*(.*)', line)
        if entry:
            values = re.findall(r'"([^"]*)"', entry[2])
            found.setdefault(table, {})[entry[1]] = (
                values if entry[2].startswith("[") else "".join(values[:1]))
    return found


def main():
    source, folder = map(pathlib.Path, sys.argv[1:])
    found = tables(source.read_text(encoding="utf-8"))
    project = found["project"]
    lines = ["Metadata-Version: 2.1"]
    for field, key in (("Name", "name"), ("Version", "version"), ("Summary", "description"),
                       ("License", "license"), ("Requires-Python", "requires-python")):
        if not project.get(key):
            sys.exit(f"python_metadata.py: {source} has no {key}")
        lines.append(f"{field}: {project[key]}")
    lines += [f"Author: {', '.join(project['authors'])}",
              f"Keywords: {','.join(project['keywords'])}"]
    lines += [f"Classifier: {text}" for text in project["classifiers"]]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    groups = [(table.split(".", 2)[2], entries) for table, entries in sorted(found.items())
              if table.startswith("project.entry-points.")]
    if "project.scripts" in found:
        groups.append(("console_scripts", found["project.scripts"]))
    if groups:
        (folder / "entry_points.txt").write_text("\n".join(
            f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in entries.items())
            for group, entries in groups), encoding="utf-8")
    (folder / "INSTALLER").write_text("debian\n", encoding="utf-8")


if __name__ == "__main__":
    main()
