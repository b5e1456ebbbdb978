#!/usr/bin/env python3
"""test_answer_fields.py - the fields of the answers to questions.

The table of bfs/answers/README.md and what is written agree, both ways, with their types.
PW_PROGRAMS is the folder of the programs.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ["PW_PROGRAMS"])
BORDERS = ROOT / "data/sample/borders.tsv"
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="answers ä "))


def run(*words):
    done = subprocess.run([PROGRAMS / words[0], *map(str, words[1:])], check=False,
                          capture_output=True)
    assert done.returncode == 0, (words, done.returncode, done.stderr)
    return done.stdout.decode()


def ask(graph, *options):
    return json.loads(run("bfs", graph, "--quiet", *options, "--format=json"))


def graph_of(name, *edges):
    path = FOLDER / name
    path.write_text("".join("\t".join(edge) + "\n" for edge in edges), encoding="utf-8")
    return path


def wiki():
    run("../tests/wikipedia-generate", "--pages=300", "--links=12", FOLDER / "dumps")
    run("wikipedia-import", "--quiet", FOLDER / "dumps", FOLDER / "wiki.pwg")
    return FOLDER / "wiki.pwg"


# The fields ----------------------------------------------------------------------------------

def rows():
    """The table of the page: (field, kinds, is always there, types)."""
    page = (ROOT / "bfs/answers/README.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `(\w+)` \| ([\w, ]+) \| ([^|]+) \| ([\w, ]+) \| [^|]+ \|$", page, re.M)
    assert len(found) > 25, found
    return [(name, kinds.split(", "), there == "always", types.split(", "))
            for name, kinds, there, types in found]


def type_of(value):
    return ("null" if value is None else "boolean" if isinstance(value, bool)
            else "number" if isinstance(value, (int, float))
            else "text" if isinstance(value, str) else "array")


def answers_of_all_kinds():
    """(kind, answer) of each kind, with all that it may have."""
    graph = wiki()
    diamonds = [(a, b) for i in range(70) for j in "xy"
                for a, b in [(f"n{i}", f"{j}{i}"), (f"{j}{i}", f"n{i + 1}")]]
    digits = graph_of("diamonds.tsv", *diamonds)
    source, target, aside = "Ada Lovelace", "Banana", "--without=United States"
    for name in source, source.upper():
        for options in [], [aside]:
            yield "question", ask(graph, f"--from={name}", f"--to={target.upper()}", *options)
            yield "histogram", ask(graph, f"--from={name}", "--histogram", *options)
    for ends in ("Laos", "Haiti"), ("Haiti", "Laos"):
        yield "question", ask(BORDERS, f"--from={ends[0]}", f"--to={ends[1]}")
    one_way = graph_of("one way.tsv", ("a", "b"), ("b", "c"))
    yield "question", ask(one_way, "--from=c", "--to=a")
    yield "histogram", ask(one_way, "--from=c", "--histogram")
    yield "question", ask(digits, "--from=n0", "--to=n70")
    middle, last = range(2, 2102), range(2102, 4202)  # 4.4 M edges between these
    dense = FOLDER / "dense.txt"
    dense.write_text("\n".join([" ".join(map(str, [0, *middle])), *(
        " ".join(map(str, [node, *last])) for node in middle), *(f"{node} 1" for node in last)]) + "\n")
    yield "question", ask(dense, "--from=0", "--to=1", "--input-format=adjacency")
    yield "question", ask(BORDERS, "--from=laos", "--to=Poland", "--verify")
    yield "question", ask(BORDERS, "--from=Laos", "--to=Poland", "--engine=array")["answer"]
    yield "all", ask(graph, f"--from={source}", f"--to={target}", "--all-shortest")
    longer = "--all-shortest", "--longer=1"
    yield "all", ask(graph, f"--from={source}", f"--to={target}", *longer)
    answer = ask(graph_of("aside.tsv", ("x0", "y0"), *diamonds), "--from=n0", "--to=n70", *longer)
    assert answer["longer_path_count"] == str(2 ** 69), answer
    yield "all", answer


def the_page_names_every_field_and_no_other():
    table, unseen = rows(), {(name, kind) for name, kinds, _, _ in rows() for kind in kinds}
    unseen_types = {(name, kinds[0], word) for name, kinds, _, types in table for word in types}
    for kind, answer in answers_of_all_kinds():
        kinds = {"question", "all"} if kind == "all" else {kind}
        known = {name: types for name, of, _, types in table if kinds & set(of)}
        for name, value in answer.items():
            assert name in known, f"{name} of {kind} is not on the page"
            assert type_of(value) in known[name], (kind, name, value, known[name])
            unseen -= {(name, each) for each in kinds}
            unseen_types -= {(name, each, type_of(value)) for each in kinds}
        missing = {name for name, of, always, _ in table if always and kinds & set(of)} - set(answer)
        assert not missing, (kind, missing)
    assert not unseen, f"on the page and never written: {sorted(unseen)}"
    assert not unseen_types, f"types that are never written: {sorted(unseen_types)}"


def longer_paths_are_in_text_and_json():
    question = ["--from=Chad", "--to=Kenya", "--all-shortest=3", "--longer=1"]
    answer = ask(BORDERS, *question)
    hops, paths = answer["hops"], answer["longer_paths"]
    assert len(paths) == 3 < answer["longer_path_count"]
    assert all(len(set(path)) == len(path) == hops + 2 for path in paths)
    assert answer["paths"] == ask(BORDERS, *question[:3])["paths"]
    lines = run("bfs", BORDERS, *question).splitlines()
    assert lines[-4:-1] == [" -> ".join(path) for path in paths], lines
    assert lines[-1] == f"{hops + 1} hops, the first 3 of {answer['longer_path_count']} paths", lines
    chain = graph_of("chain.tsv", ("a", "b"), ("b", "c"), ("b", "b"))
    words = ["--from=a", "--to=c", "--all-shortest", "--longer=1"]
    assert run("bfs", chain, *words).splitlines()[-1] == "3 hops, 0 paths"
    assert ask(chain, *words)["longer_paths"] == []
    nowhere = ask(chain, "--from=c", "--to=a", *words[2:])
    assert (nowhere["longer_path_count"], nowhere["longer_paths"]) == (0, [])
    assert ask(chain, *words, "--without=b")["longer_path_count"] == 0
    for wrong, why in ((words[:2] + words[3:], "needs --all-shortest"), (words + ["-v"], "no -v"),
                       (words + ["--engine=array"], "measures nothing"), (words[:3] + ["--longer=2"], "from 0 to 1"),
                       (words + ["--format=csv"], "no --format=csv"), (words + ["--format=dot"], "no --longer")):
        done = subprocess.run([PROGRAMS / "bfs", chain, *wrong], stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 2 and why in done.stderr, (wrong, done)


def what_has_no_report_refuses_each_option_that_asks_for_one():
    chain = graph_of("short chain.tsv", ("k", "l"), ("l", "m"))
    why = "bfs: --histogram counts nodes and measures nothing: no -v, "
    for option in ("-v", "--format=csv", "--trials=2", "--warmup=1", "--engine=array", "--only=1",
                   "--alloc=slab", "--counters=auto", "--passes", "--require-counters"):
        words = [PROGRAMS / "bfs", chain, "--from=k", "--histogram", option]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stdout == "", (option, done)
        assert done.stderr.startswith(why) and done.stderr.count("\n") == 1, (option, done)


def answers_are_verified_if_that_is_asked_for():
    for options in ["--verify"], ["--verify", "--engine=array"], ["--verify", "--without=China"]:
        for ends in ("Laos", "Poland"), ("Laos", "Haiti"):
            answer = ask(BORDERS, f"--from={ends[0]}", f"--to={ends[1]}", *options)
            assert answer.get("answer", answer)["verified"], answer
    assert ask(BORDERS, "--from=Laos", "--to=Poland", "--all-shortest", "--verify")["verified"]
    assert "verified" not in ask(BORDERS, "--from=Laos", "--to=Poland")


def main():
    for test in (the_page_names_every_field_and_no_other, longer_paths_are_in_text_and_json,
                 what_has_no_report_refuses_each_option_that_asks_for_one,
                 answers_are_verified_if_that_is_asked_for):
        print(test.__name__, flush=True)
        test()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        subprocess.run(["rm", "-rf", FOLDER], check=True)
