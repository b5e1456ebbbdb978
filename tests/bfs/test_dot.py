#!/usr/bin/env python3
"""test_dot.py - DOT of bfs --all-shortest --format=dot and of graph-convert, read by a parser of this
file that refuses whatever the language does not have, and by Graphviz if it is there.

PW_PROGRAMS is the folder of the programs; PW_TEST_SEED=N repeats a run.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

PROGRAMS = pathlib.Path(os.environ["PW_PROGRAMS"])
DOT = shutil.which("dot")
GRAPHS = 15
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="dot ä "))
ODD = ['q"uote', "back\\slash", "end\\", "two\nlines", "\\N and \\G", "<b>bold</b>",
       "<script>alert(1)</script>", "Côte d'Ivoire", "東京", "a -> b; }", "{x|y}", "&lt;&amp;&#65;",
       "// no comment", "# no line", "", "-", "label", "\\\"", "100%", "a:b"]


def run(program, *words, status=0):
    done = subprocess.run([PROGRAMS / program, *map(str, words)], capture_output=True, text=True,
                          encoding="utf-8", check=False)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done


def tokens(text):
    """The words of DOT: identifiers, strings without their quotes, and punctuation."""
    pattern = re.compile(r'\s+|//[^\n]*\n|"((?:[^"\\\n]|\\[^\n])*)"|(->|[{}\[\]=;])'
                         r'|([A-Za-z_][A-Za-z_0-9]*|[0-9]+)')
    found, at = [], 0
    while at < len(text):
        match = pattern.match(text, at)
        assert match, f"no DOT at {text[at:at + 40]!r}"
        at = match.end()
        if match[1] is not None:
            found.append(("string", match[1]))
        elif match[2] or match[3]:
            found.append((match[2] or "id", match[3]))
    return found


def shown(label):
    """The text of a label, as escString says."""
    entities = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&#65;": "A"}
    label = re.sub(r"\\(.)", lambda m: {"n": "\n", '"': '"', "\\": "\\"}[m[1]], label)
    return re.sub(r"&(amp|lt|gt|#65);", lambda m: entities[m[0]], label)


def parse(text):
    """The labels by id, the edges, the ranks and the attributes of a digraph."""
    words = tokens(text)
    labels, edges, ranks, attributes = {}, [], [], {}

    def take(kind):
        assert words and words[0][0] == kind, (kind, words[:5])
        return words.pop(0)[1]

    def value():
        return take(words[0][0] if words[0][0] in ("string", "id") else "string or id")

    def statement(rank):
        if words[0][0] == "{":
            take("{")
            ranks.append([])
            assert take("id") == "rank" and take("=") is None and take("id") == "same"
            take(";")
            while words[0][0] != "}":
                statement(ranks[-1])
            take("}")
            return
        name = take("id")
        if words[0][0] == "=":
            take("=")
            attributes[name] = value()
        elif words[0][0] == "->":
            take("->")
            edges.append((name, take("id")))
        elif name == "node":
            take("[")
            take("id"), take("="), value(), take("]")
        else:
            assert name not in labels, f"{name} is there twice"
            labels[name] = name
            if words[0][0] == "[":
                take("[")
                assert take("id") == "label"
                take("=")
                labels[name] = shown(take("string"))
                take("]")
            if rank is not None:
                rank.append(name)
        take(";")

    assert take("id") == "digraph"
    if words[0][0] == "id":
        take("id")
    take("{")
    while words[0][0] != "}":
        statement(None)
    take("}")
    assert not words
    assert all(end in labels for edge in edges for end in edge)
    return labels, edges, ranks, attributes


def check_by_graphviz(text):
    """Graphviz finds the same labels and edges, and nothing to warn of."""
    if DOT is None:
        return
    done = subprocess.run([DOT, "-Tplain"], input=text, capture_output=True, text=True,
                          encoding="utf-8", check=False)
    labels, edges, _, _ = parse(text)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert sorted(line[1] for line in lines if line[0] == "node") == sorted(labels), done.stdout
    assert sum(line[0] == "edge" for line in lines) == len(edges), done.stdout


def write(edges, name="graph.tsv"):
    quoted = [[urllib.parse.quote(end, safe="") for end in edge] for edge in edges]
    (FOLDER / name).write_text("".join("\t".join(edge) + "\n" for edge in quoted), encoding="utf-8")
    return FOLDER / name


def levels_of(after, source, target):
    """The edges on shortest paths as ((level, node), node), and the number of hops; or None."""
    before, level, hops = {}, {source}, 0
    seen = set()
    while level and target not in seen:
        hops += 1
        following = {}
        for node in level:
            for end in after.get(node, ()):
                if end not in seen:
                    following.setdefault(end, set()).add(node)
        for end, froms in following.items():
            before[hops, end] = froms
        seen |= set(following)
        level = set(following)
    if target not in seen:
        return None
    found, wanted = set(), {target}
    for at in range(hops, 0, -1):
        found |= {(at, start, end) for end in wanted for start in before[at, end]}
        wanted = {start for end in wanted for start in before[at, end]}
    return found, hops


def all_shortest_paths_are_drawn(draw):
    names = draw.sample([name for name in ODD if name], 12)
    edges = sorted({(draw.choice(names), draw.choice(names)) for _ in range(draw.randint(1, 40))})
    after = {}
    for a, b in edges:
        after.setdefault(a, set()).add(b)
    nodes = sorted({end for edge in edges for end in edge})
    graph = write(edges)
    for _ in range(3):
        source, target = draw.choice(nodes), draw.choice(nodes)
        done = run("bfs", graph, "--from", source, "--to", target,
                   draw.choice(["--all-shortest", "--all-shortest=1"]), "--format=dot")
        right = levels_of(after, source, target)
        labels, drawn, ranks, attributes = parse(done.stdout)
        check_by_graphviz(done.stdout)
        if right is None:
            assert not labels and not drawn and "does not lead to" in done.stderr
            continue
        level = {name: at for at, rank in enumerate(ranks) for name in rank}
        assert len(ranks) == right[1] + 1 and set(level) == set(labels)
        assert [labels[name] for name in ranks[0] + ranks[-1]] == [source, target]
        assert {(level[b], labels[a], labels[b]) for a, b in drawn} == right[0]
        assert len(drawn) == len(right[0]) and all(level[b] == level[a] + 1 for a, b in drawn)
        assert attributes["rankdir"] == "LR"
        assert attributes["label"].endswith(f" hops: {right[1]}")


def a_whole_graph_is_drawn(draw):
    edges = [(draw.choice(ODD[:14]), draw.choice(ODD[:14])) for _ in range(60)]
    edges += [edges[0], (ODD[0], ODD[0])]
    graph = write(edges)
    out = FOLDER / "out.dot"
    assert run("graph-convert", graph, out).stderr == ""
    labels, drawn, _, _ = parse(out.read_text(encoding="utf-8"))
    assert sorted((labels[a], labels[b]) for a, b in drawn) == sorted(edges)
    check_by_graphviz(out.read_text(encoding="utf-8"))
    by_option = run("graph-convert", graph, "-", "--to=dot").stdout
    assert by_option == out.read_text(encoding="utf-8")


def ids_isolated_nodes_loops_and_repeats_stay():
    (FOLDER / "ids.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n"
                                    "5 5 4\n1 2\n1 2\n4 4\n2 4\n", encoding="utf-8")
    out = FOLDER / "ids.gv"
    run("graph-convert", FOLDER / "ids.mtx", out)
    assert out.read_text() == ("digraph {\n  1;\n  2;\n  3;\n  4;\n  5;\n  1 -> 2;\n  1 -> 2;\n"
                               "  2 -> 4;\n  4 -> 4;\n}\n")
    check_by_graphviz(out.read_text())
    drawn = run("bfs", FOLDER / "ids.mtx", "--from=4", "--to=4", "--all-shortest", "-f", "dot")
    assert drawn.stdout == (
        'digraph paths {\n  rankdir=LR;\n  node [shape=box];\n  label="shortest paths: 1, hops: 1";\n'
        '  { rank=same;\n    n4 [label="4"];\n  }\n  { rank=same;\n    n4e [label="4"];\n  }\n'
        '  n4 -> n4e;\n}\n'), drawn.stdout


def bytes_that_are_no_characters_are_shown():
    (FOLDER / "latin.txt").write_text("1 2\n2 3\n", encoding="utf-8")
    (FOLDER / "latin.names").write_bytes(b"caf\xe9\nb\x01\nc\n")
    graph = (FOLDER / "latin.txt", "--names", FOLDER / "latin.names")
    drawn = run("bfs", *graph, "--from=#1", "--to=c", "--all-shortest", "-f", "dot")
    labels, _, _, _ = parse(drawn.stdout)
    assert sorted(labels.values()) == ["b ", "c", "caf%E9"], labels
    said = run("graph-convert", *graph, FOLDER / "latin.dot").stderr
    assert "2 characters of names cannot be written and are replaced" in said, said
    labels, _, _, _ = parse((FOLDER / "latin.dot").read_text(encoding="utf-8"))
    assert sorted(labels.values()) == ["b\ufffd", "c", "caf\ufffd"], labels


def nodes_to_avoid_are_not_drawn():
    graph = write([("A", "B"), ("B", "D"), ("A", "C"), ("C", "D"), ("A", "X"), ("X", "Y")])
    ask = ("bfs", graph, "--from=A", "--to=D", "--all-shortest", "--format=dot")
    assert set(parse(run(*ask, "--verify").stdout)[0].values()) == {"A", "B", "C", "D"}
    assert set(parse(run(*ask, "--without=C").stdout)[0].values()) == {"A", "B", "D"}
    done = run(*ask, "--without=C,B")
    assert parse(done.stdout)[0] == {} and done.stderr == "bfs: note: A does not lead to D\n"


def what_cannot_be_drawn_is_refused():
    graph = write([("A", "B")])
    for words in ([], ["--path"], ["--trials=2", "--from=A", "--to=B", "--all-shortest"],
                  ["--engine=array", "--from=A", "--to=B", "--all-shortest"],
                  ["--from=A", "--to=B"], ["--from=A", "--histogram"], ["--alloc=slab,pool"]):
        pairs = [] if any("-" == word[0] and "--path" != word and "alloc" not in word
                          for word in words) else ["random:2"]
        refused = run("bfs", graph, *pairs, *words, "--format=dot", status=2)
        assert refused.stdout == "" and refused.stderr.startswith("bfs: --format=dot draws")
        assert refused.stderr.count("\n") == 1, refused.stderr


def main():
    seed = int(os.environ.get("PW_TEST_SEED", time.time_ns() % 1000000))
    print(f"seed {seed}" + ("" if DOT else "; no Graphviz here, so the parser of the test alone"))
    draw = random.Random(seed)
    try:
        for _ in range(random_share(GRAPHS)):
            all_shortest_paths_are_drawn(draw)
        for _ in range(3):
            a_whole_graph_is_drawn(draw)
        ids_isolated_nodes_loops_and_repeats_stay()
        bytes_that_are_no_characters_are_shown()
        nodes_to_avoid_are_not_drawn()
        what_cannot_be_drawn_is_refused()
    finally:
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    sys.exit(main())
