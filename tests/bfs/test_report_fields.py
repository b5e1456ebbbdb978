#!/usr/bin/env python3
"""test_report_fields.py - the pages of bfs/report and bfs/comparison name every field that bfs prints,
in every format, and no other.

PW_BFS is the program.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BFS = os.environ["PW_BFS"]
GRAPH = ["generate:nodes=1k,edges=5k", "random:3"]
LABEL_WIDTH = 32    # where the values of a section of text begin
SECTIONS = {"summary", "context", "counters", "searches", "counter_events",
            "configurations", "runs", "agreement"}
COMMON = GRAPH + ["--progress=never"]
REPORTS = [[], ["--trials=2", "--warmup=1"], ["--path", "--verify"], ["--engine=multi-source"],
           ["--threads=2", "--engine=array", "--timeout=9"], ["--alloc=count(pool)", "--verbose"]]
COMPARISONS = [["--alloc=malloc,pool", "--trials=2"], ["--engine=classic,array", "--trials=1"]]


def run(*words):
    return subprocess.run([BFS, *words], check=True, capture_output=True, text=True).stdout


def names_of(value, found):
    """The names of all members but the events, which differ between machines."""
    for name, inner in value.items() if isinstance(value, dict) else []:
        found.add(name)
        if name == "counter_events":
            inner = next(iter(inner.values()), {})
        names_of(inner, found)
    for inner in value if isinstance(value, list) else []:
        names_of(inner, found)
    return found


def printed(options):
    """The names in JSON and CSV of runs with these options."""
    found = set()
    for more in options:
        names_of(json.loads(run(*COMMON, *more, "--format=json")), found)
        found.update(run(*COMMON, *more, "--format=csv").split("\n", 1)[0].split(","))
    return found


def labels(options):
    """The labels of sections and blocks of text, and the titles of columns."""
    found = set()
    for more in options:
        for line in run(*COMMON, *more).splitlines():
            if line.startswith("search "):
                found.update(re.split(" {2,}", line.strip()))
            elif re.match(r"  [a-z].{27}  \S", line):
                found.add(line[:LABEL_WIDTH].strip())
    return found


def check(folder, names, words):
    page = (ROOT / folder / "README.md").read_text()
    told = set(re.findall(r"`([a-z0-9_]+)`", page))
    plain = re.sub(r"\s+", " ", page.replace("_", " ").replace("`", ""))
    counted = {name for name in names if name.endswith(("_per_node", "_status"))}
    problems = [f"{name} is printed and not explained" for name in sorted(names - told - counted)]
    problems += [f'"{word}" is printed in text and not explained' for word in sorted(words)
                 if re.split(": |, ", word)[word.count(": ")] not in plain]
    rows = re.findall(r"^\| (`[^|]*) \|", page, re.M)
    rows = {name for row in rows for name in re.findall(r"`([a-z0-9_]+)`", row)}
    optional = {"shortest_path_count",  # only of a question
                "page_ids", "source_page_id", "target_page_id",  # only of a wiki
                "source_note", "target_note"}  # only of names in another spelling
    problems += [f"{name} is explained and not printed" for name in sorted(
        name for name in rows - names - optional if not (ROOT / folder / name).exists())]
    for problem in problems:
        print(f"{folder}/README.md: {problem}")
    return not problems


def main():
    report = check("bfs/report", printed(REPORTS + [["--counters=pointer-wars"]]), labels(REPORTS))
    comparison = check("bfs/comparison", printed(COMPARISONS), set())
    return 0 if report and comparison else 1


if __name__ == "__main__":
    sys.exit(main())
