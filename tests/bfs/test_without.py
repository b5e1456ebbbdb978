#!/usr/bin/env python3
"""test_without.py - bfs --without: a search of this file is the judge, for questions, for all shortest
paths, and for PAIRS in each format and by threads; and what is said and refused.

PW_BFS is the program; PW_TEST_SEED=N repeats a run.
"""
import csv
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

BFS = os.environ["PW_BFS"]
GRAPHS = 25
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="without ä "))


def run(*words, status=0, text=None):
    done = subprocess.run([BFS, *map(str, words)], input=text, capture_output=True, text=True,
                          encoding="utf-8", check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def write(name, lines):
    path = FOLDER / name
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def distances(after, source, avoided):
    """The length of the shortest path with an edge to each node, and how many there are."""
    found, level, hops = {}, {source: 1}, 0
    while level and source not in avoided:
        hops += 1
        following = {}
        for node, ways in level.items():
            for target in sorted(after.get(node, ())):
                if target not in found and target not in avoided:
                    following[target] = following.get(target, 0) + ways
        found.update((node, (hops, ways)) for node, ways in following.items())
        level = following
    return found


def check_path(after, path, source, target, avoided):
    assert path[0] == source and path[-1] == target, path
    assert all(b in after[a] for a, b in zip(path, path[1:])), path
    assert not avoided & set(path), (path, avoided)


def a_random_graph_is_searched_around_nodes(draw):
    names = [f"n {i}" if draw.random() < .5 else f"n_{i}" for i in range(draw.randint(2, 16))]
    after = {}
    for _ in range(draw.randint(1, 45)):
        after.setdefault(draw.choice(names), set()).add(draw.choice(names))
    nodes = sorted(set(after) | {to for tos in after.values() for to in tos})
    graph = write("graph.tsv", [f"{a}\t{b}" for a in sorted(after) for b in sorted(after[a])])
    avoided = set(draw.choices(nodes, k=draw.randint(1, 4)))
    pairs = [(draw.choice(nodes), draw.choice(nodes)) for _ in range(12)]
    file = write("pairs.tsv", [f"{a}\t{b}" for a, b in pairs])
    command = [graph, file, "--path", "--verify", "--without", ",".join(sorted(avoided))]
    right = [distances(after, a, avoided).get(b) for a, b in pairs]
    report = json.loads(run(*command, "-f", "json").stdout)
    assert set(report["context"]["without"]) == avoided
    assert report["summary"]["verified"] == len(pairs)
    table = list(csv.DictReader(io.StringIO(run(*command, "-f", "csv", "--threads=2").stdout)))
    for (source, target), answer, search, row in zip(pairs, right, report["searches"], table):
        assert search["found"] == (answer is not None) == int(row["found"]), (source, target)
        assert search["status"] == row["status"] == "done"
        assert row["visited"] == str(search["visited"]) and search["peak_queue"] is None
        if answer is not None:
            assert search["hops"] == answer[0] == int(row["hops"]), (source, target)
            check_path(after, search["path"], source, target, avoided)
            assert row["path"] == " -> ".join(search["path"])
    for (source, target), answer in list(zip(pairs, right))[:2]:
        words = run(graph, "--from", source, "--to", target, "--all-shortest=0", "--without",
                    sorted(avoided)[0], "--without", ",".join(sorted(avoided)[1:] or nodes[:0])
                    or sorted(avoided)[0]).stdout
        if answer is None:
            among = [node for node in (source, target) if node in avoided]
            why = f": {among[0]} is among the nodes to avoid" if among else ""
            assert words.startswith(f"{source} does not lead to {target}{why}\n"), words
        else:
            number = f"{answer[1]} shortest path" + ("s" if answer[1] != 1 else "")
            assert words.startswith(f"{answer[0]} hop") and words.endswith(number + "\n"), words


def a_histogram_counts_the_nodes_that_are_reached_around_others(draw):
    names = [f"n {i}" for i in range(draw.randint(2, 16))]
    after = {}
    for _ in range(draw.randint(1, 45)):
        after.setdefault(draw.choice(names), set()).add(draw.choice(names))
    nodes = sorted(set(after) | {to for tos in after.values() for to in tos})
    graph = write("graph.tsv", [f"{a}\t{b}" for a in sorted(after) for b in sorted(after[a])])
    source = draw.choice(nodes)
    avoided = set(draw.choices(nodes, k=draw.randint(1, 4)))
    command = [graph, "--from", source, "--histogram", "--without", ",".join(sorted(avoided))]
    if source in avoided:
        refused = run(*command, status=1)
        assert (refused.stdout, refused.stderr) == \
            ("", f"bfs: {source} is among the nodes to avoid\n"), refused
        return
    found = distances(after, source, avoided)
    hops = [0] + [length for node, (length, _) in found.items() if node != source]
    counts = [hops.count(length) for length in range(max(hops) + 1)]
    answer = json.loads(run(*command, "--format=json").stdout)
    assert answer["histogram"] == counts, (answer, counts)
    assert answer["reached"] == len(hops) and answer["not_reached"] == len(nodes) - len(hops)
    assert answer["around_hops"] == (found[source][0] if source in found else None)
    assert answer["avoided"] == len(avoided), answer
    text = run(*command).stdout
    assert [int(line.split()[1]) for line in text.splitlines()[1:-1]] == counts, text
    assert text.splitlines()[-1].startswith(f"{source} reaches {len(hops)} of {len(nodes)} nodes")


def names_with_commas_are_one_node_each():
    graph = write("commas.tsv", ["A,B\tC", "C\tD", "A,B\tE", "E\tD", "A\tD", "B\tD"])
    ask = [graph, "--from", "A,B", "--to", "D"]
    assert run(*ask, "--without=C").stdout.startswith("A,B -> E -> D\n")
    assert run(*ask, "--without=a,b").stdout.startswith(
        "A,B does not lead to D: A,B is among the nodes to avoid\n")
    assert run(*ask, "--without=A,C").stdout.startswith("A,B -> E -> D\n")
    said = run(*ask, "--without=e,c")
    assert said.stdout.startswith("A,B does not lead to D\nA,B leads nowhere\n"), said.stdout
    assert said.stderr == ('bfs: note: --without: "e" is taken for "E"\n'
                           'bfs: note: --without: "c" is taken for "C"\n')
    for text, why in [("C,", "expected nodes with commas between them, found no node"),
                      (",", "expected nodes with commas between them, found no node"),
                      ("Dee", 'no node is called "Dee"; did you mean')]:
        refused = run(*ask, "--without", text, status=2 if "found no node" in why else 1)
        assert refused.stdout == "" and refused.stderr.startswith(f"bfs: --without: {why}")
    ids = write("ids.txt", ["1 2", "2 3", "1 4", "4 5", "5 3"])
    assert run(ids, "--from=1", "--to=3", "--without=2").stdout.startswith("1 -> 4 -> 5 -> 3\n")
    assert "outside" not in run(ids, "--from=1", "--to=3", "--without=7", status=1).stdout


def the_way_back_avoids_them_too():
    graph = write("back.tsv", ["A\tB", "B\tA", "A\tC", "C\tD", "D\tB", "B\tC"])
    said = run(graph, "--from=C", "--to=A", "--without=D").stdout
    assert said == ("C does not lead to A\nA leads to C in 1 hop\nC leads nowhere\n"), said
    said = run(graph, "--from=C", "--to=A", "--without=D", "-v").stdout
    assert said.endswith("\nC does not lead to A\nA leads to C in 1 hop\nC leads nowhere\n"), said


def what_does_not_fit_is_refused_with_one_line():
    graph = write("talk.tsv", ["A\tB", "B\tC"])
    for words in (["--engine=array"], ["--alloc=slab"], ["--alloc=slab,pool"], ["--sim"],
                  ["--as-published"], ["--parallel=search", "--threads=2"], ["--without="]):
        refused = run(graph, "random:3", "--without=A", *words, status=2)
        assert refused.stdout == "" and refused.stderr.count("\n") == 1, refused.stderr
        assert words[0].split("=")[0] in refused.stderr, refused.stderr


def a_search_around_nodes_times_out():
    graph = "generate:nodes=20k,edges=400k"
    row = run(graph, "random:30", "--without=1,2", "--timeout=0.000000001", "-f", "csv").stdout
    assert {line["status"] for line in csv.DictReader(io.StringIO(row))} == {"timed-out"}
    for question in (["--to=4"], ["--histogram"]):
        refused = run(graph, "--from=3", *question, "--without=1", "--timeout=0.000000001",
                      status=1)
        assert (refused.stdout, refused.stderr) == ("", "bfs: timed out\n"), refused


def main():
    seed = int(os.environ.get("PW_TEST_SEED", time.time_ns() % 1000000))
    print(f"seed {seed}")
    draw = random.Random(seed)
    try:
        for _ in range(random_share(GRAPHS)):
            a_random_graph_is_searched_around_nodes(draw)
            a_histogram_counts_the_nodes_that_are_reached_around_others(draw)
        names_with_commas_are_one_node_each()
        the_way_back_avoids_them_too()
        what_does_not_fit_is_refused_with_one_line()
        a_search_around_nodes_times_out()
    finally:
        for file in FOLDER.iterdir():
            file.unlink()
        FOLDER.rmdir()


if __name__ == "__main__":
    sys.exit(main())
