#!/usr/bin/env python3
"""test_interactive.py - the line protocol of bfs --interactive, and the fields of all answers.

The table of bfs/answers/README.md and what is written agree, both ways, with their types. Each
command says the same as the option of bfs that does the same, on the text of a graph and on its
snapshot. 2,000 random lines have one line of JSON each.
PW_PROGRAMS is the folder of the programs; PW_TEST_SEED=N repeats a run.
"""
import csv
import io
import json
import os
import pathlib
import pty
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ["PW_PROGRAMS"])
BORDERS = ROOT / "data/sample/borders.tsv"
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="interactive ä "))
TIMES = ("seconds",)


def run(*words, text=None, status=0):
    done = subprocess.run([PROGRAMS / words[0], *map(str, words[1:])], input=text, check=False,
                          capture_output=True)
    assert done.returncode == status, (words, done.returncode, done.stderr)
    return done.stdout.decode()


def talk(graph, *lines, options=()):
    """The replies to these lines, with counts."""
    return talk_quickly(graph, ":count=yes", *lines, options=options)[1:]


def talk_quickly(graph, *lines, options=()):
    text = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    replies = run("bfs", graph, "--interactive", "--quiet", *options, text=text).splitlines()
    assert len(replies) == len(lines), (len(replies), len(lines))
    return [json.loads(reply) for reply in replies]


def ask(graph, *options):
    return json.loads(run("bfs", graph, "--quiet", *options, "--format=json"))


def timeless(answer):
    return {name: value for name, value in answer.items() if name not in TIMES}


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
    assert len(found) > 30, found
    return [(name, kinds.split(", "), there == "always", types.split(", "))
            for name, kinds, there, types in found]


def type_of(value):
    return ("null" if value is None else "boolean" if isinstance(value, bool)
            else "number" if isinstance(value, (int, float))
            else "text" if isinstance(value, str) else "array")


def answers_of_all_kinds():
    """(kind, answer) of each kind, with all that it may have."""
    graph = wiki()
    digits = graph_of("diamonds.tsv", *[(a, b) for i in range(70) for j in "xy"
                                        for a, b in [(f"n{i}", f"{j}{i}"), (f"{j}{i}", f"n{i + 1}")]])
    names = talk(graph, ":complete=degree,5 ")[0]["completions"]
    pair = f"{names[1]}\t{names[2]}"
    lines = [("question", pair), ("question", pair.upper()), ("question", ":back"), ("all", ":all"),
             ("histogram", f":histogram {names[1]}"), ("histogram", f":histogram {names[1].upper()}"),
             ("count", ":count=no"), ("question", pair), ("count", ":count=yes"),
             ("avoid", f":avoid {names[3]}"), ("question", pair), ("histogram", ":histogram"),
             ("completion", "?A"), ("help", ":help"), ("error", "no\tsuch"), ("error", ":no")]
    for (kind, _), reply in zip(lines, talk(graph, *[line for _, line in lines])):
        yield kind, reply
    for reply in talk(BORDERS, "Laos\tHaiti", "Haiti\tLaos"):
        yield "question", reply
    one_way = graph_of("one way.tsv", ("a", "b"), ("b", "c"))
    yield from (("question", reply) for reply in talk(one_way, "c\ta"))
    yield from (("histogram", reply) for reply in talk(one_way, ":histogram c"))
    yield "question", talk(digits, "n0\tn70")[0]
    yield "question", ask(BORDERS, "--from=laos", "--to=Poland", "--verify")
    yield "question", ask(BORDERS, "--from=Laos", "--to=Poland", "--engine=array")["answer"]
    yield "all", ask(graph, "--from", names[1], "--to", names[2], "--all-shortest")
    longer = "--all-shortest", "--longer=1"
    yield "all", ask(graph, "--from", names[1], "--to", names[2], *longer)
    aside = graph_of("aside.tsv", ("x0", "y0"), *[(a, b) for i in range(70) for j in "xy" for a, b in
                                                  [(f"n{i}", f"{j}{i}"), (f"{j}{i}", f"n{i + 1}")]])
    answer = ask(aside, "--from=n0", "--to=n70", *longer)
    assert answer["longer_path_count"] == str(2 ** 69), answer
    yield "all", answer
    yield "histogram", ask(graph, "--from", names[1], "--histogram")


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


def csv_has_the_same_fields():
    question = [name for name, kinds, _, _ in rows() if "question" in kinds and name != "schema"]
    for options in [], ["--all-shortest=2"]:
        text = run("bfs", FOLDER / "wiki.pwg", "--quiet", "--from=Ada Lovelace", "--to=Banana",
                   "--format=csv", *options)
        table = list(csv.DictReader(io.StringIO(text)))
        answer = ask(FOLDER / "wiki.pwg", "--from=Ada Lovelace", "--to=Banana", *options)
        assert set(table[0]) == set(question), set(table[0]) ^ set(question)
        paths = answer.get("paths", [answer["path"]])
        pages = answer.get("paths_page_ids", [answer["page_ids"]])
        assert [row["path"] for row in table] == [" -> ".join(path) for path in paths]
        assert [row["page_ids"] for row in table] == [" -> ".join(map(str, ids)) for ids in pages]
        for name in set(question) - {"seconds", "path", "page_ids", "found"}:
            value = answer.get(name)
            assert table[0][name] == ("" if value is None else str(value)), (name, value)


# The commands --------------------------------------------------------------------------------

def longer_paths_are_in_every_format():
    question = ["--from=Chad", "--to=Kenya", "--all-shortest=3", "--longer=1"]
    answer = ask(BORDERS, *question)
    hops, paths = answer["hops"], answer["longer_paths"]
    assert len(paths) == 3 < answer["longer_path_count"]
    assert all(len(set(path)) == len(path) == hops + 2 for path in paths)
    assert answer["paths"] == ask(BORDERS, *question[:3])["paths"]
    table = list(csv.DictReader(io.StringIO(run("bfs", BORDERS, *question, "--format=csv"))))
    listed = answer["paths"] + paths
    assert [row["path"] for row in table] == [" -> ".join(path) for path in listed]
    assert [int(row["hops"]) for row in table] == [len(path) - 1 for path in listed]
    assert {int(row["longer_path_count"]) for row in table} == {answer["longer_path_count"]}
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
                       (words + ["--format=dot"], "no --longer")):
        done = subprocess.run([PROGRAMS / "bfs", chain, *wrong], stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 2 and why in done.stderr, (wrong, done)


def a_command_says_what_the_option_says():
    snapshot = FOLDER / "borders.pwg"
    run("graph-convert", "--quiet", "--with-reverse", BORDERS, snapshot)
    for graph in BORDERS, snapshot:
        replies = talk(graph, "chad\tkenya", ":all=2", ":back", ":histogram", ":all=1 laos -> poland",
                       ":histogram South Africa", ":ask Chad -> Kenya")
        chad = ask(graph, "--from=Chad", "--to=Kenya")
        assert timeless(replies[0]) == {**timeless(chad), "from_note": '"chad" is taken for "Chad"',
                                        "to_note": '"kenya" is taken for "Kenya"'}
        assert replies[1]["paths"] == ask(graph, "--from=Chad", "--to=Kenya",
                                          "--all-shortest=2")["paths"]
        assert replies[1]["shortest_path_count"] == 3 and len(replies[1]["paths"]) == 2
        assert timeless(replies[2]) == timeless(ask(graph, "--from=Kenya", "--to=Chad"))
        assert timeless(replies[3]) == timeless(ask(graph, "--from=Kenya", "--histogram"))
        assert replies[4]["paths"] == [["Laos", "China", "Russia", "Poland"]]
        assert timeless(replies[5]) == timeless(ask(graph, "--from=South Africa", "--histogram"))
        assert timeless(replies[6]) == timeless(chad)


def nodes_are_avoided_shown_and_forgotten():
    lines = [":avoid", ":avoid russia", ":avoid Sudan\tRussia", "Laos\tPoland", ":all Chad -> Kenya",
             ":histogram Laos", ":avoid Nowhere", ":avoid", ":histogram Russia", ":avoid=none",
             "Laos\tPoland"]
    replies = talk(BORDERS, *lines)
    assert [replies[i]["avoid"] for i in (0, 1, 2, 7, 9)] == [
        [], ["Russia"], ["Russia", "Sudan"], ["Russia", "Sudan"], []]
    without = ask(BORDERS, "--from=Laos", "--to=Poland", "--without=Russia,Sudan")
    assert timeless(replies[3]) == timeless(without) and replies[3]["avoided"] == 2
    assert replies[4]["shortest_path_count"] == 1 and replies[5]["reached"] == 130
    assert "error" in replies[6] and "error" in replies[8]
    assert replies[10]["path"] == ["Laos", "China", "Russia", "Poland"]
    first, second = talk(BORDERS, ":avoid", ":avoid Sudan", options=["--without=Russia"])
    assert first["avoid"] == ["Russia"] and second["avoid"] == ["Russia", "Sudan"]
    many = graph_of("many.tsv", *[("hub", f"n{i}") for i in range(1100)])
    kept, refused = talk(many, ":avoid " + "\t".join(f"n{i}" for i in range(1000)), ":avoid n1000")
    assert len(kept["avoid"]) == 1000 and "at most 1000" in refused["error"]


def names_are_completed_by_degree_and_by_name():
    edges = {tuple(line.split("\t")) for line in BORDERS.read_text(encoding="utf-8").splitlines()
             if line and line[0] not in "#%"}
    degrees = {}
    for edge in edges:
        for name in edge:
            degrees[name] = degrees.get(name, 0) + 1
    names = [name for name in degrees if name.startswith("S")]
    for graph in BORDERS, FOLDER / "borders.pwg":
        found, degree, name, all_names = talk(graph, "?S", ":complete=degree,4 S", ":complete=name,4 S",
                                              ":complete=1000,name ")
        assert sorted(found["completions"]) == sorted(names) and found["matches"] == len(names)
        listed = [degrees[each] for each in degree["completions"]]
        assert listed == sorted((degrees[each] for each in names), reverse=True)[:4]
        assert name["completions"] == sorted(names)[:4] and name["matches"] == len(names)
        assert all_names["completions"] == sorted(degrees, key=str.encode)


def a_seed_gives_the_same_random_questions():
    replies = talk(BORDERS, ":random=7", ":random", ":random=7", ":random", ":random=8")
    pairs = [(reply["from"], reply["to"]) for reply in replies]
    assert pairs[:2] == pairs[2:4] and len(set(pairs)) == 3, pairs
    replies = talk(graph_of("dead end.tsv", ("a", "b")), *[":random"] * 3)
    assert {(reply["from"], reply["to"]) for reply in replies} == {("a", "a")}


def names_that_look_like_commands_can_be_asked_for():
    names = [":all", "?", ":", ":ask x", "/", "-> x", ":all=3 b"]
    graph = graph_of("colons.tsv", *zip(names, names[1:]))
    for a, b in zip(names, names[1:]):
        assert talk(graph, f":ask {a}\t{b}")[0]["path"] == [a, b]
        assert talk(graph, f":all {a}\t{b}")[0]["paths"] == [[a, b]]
        assert talk(graph, f":histogram {b}", f":avoid {b}")[1]["avoid"] == [b]
        assert talk(graph, f":complete {b}")[0]["completions"][0].startswith(b)


def what_cannot_be_done_is_one_error_and_the_session_goes_on():
    wrong = [":all", ":back", ":histogram", ":", ":foo", ":foo=3 x", ":all=1001 a\tb", ":all=x a\tb",
             ":all=-1", ":back now", ":random x", ":help me", ":ask", ":ask a", ":avoid=all", ":count=3",
             ":avoid=none Laos", ":complete=age S", ":complete=degree,1001 S", ":complete=, S", "a",
             ":random=seed", ":back=1", ":histogram Nowhere", ":all Laos\tNowhere", "Laos\tNowhere"]
    for reply in talk(BORDERS, *wrong):
        assert set(reply) <= {"error", "suggestions"}, reply
    for line in ":random=x", ":count=maybe", ":histogram=3", ":back=1", ":avoid=all":
        assert "K is" not in talk(BORDERS, line)[0]["error"], line
    assert "K is at most 1000" in talk(BORDERS, ":all=x a\tb")[0]["error"]
    said = talk(BORDERS, ":avoid Laos", ":histogram laos")[1]["error"]
    assert said == "Laos is among the nodes to avoid", said
    replies = talk(BORDERS, "Laos\tPoland", ":all", ":avoid Russia", "Laos\tPoland",
                   options=["--engine=array"])
    assert replies[0]["hops"] == 3 and replies[0]["shortest_path_count"] == 1
    assert replies[1]["shortest_path_count"] == 1 and replies[2]["avoid"] == ["Russia"]
    assert "Russia" not in replies[3]["path"]


def each_answer_comes_before_the_next_line():
    words = [PROGRAMS / "bfs", BORDERS, "--interactive", "--quiet"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        for line in ["Laos\tPoland", ":all", "", ":help", ":back", "?S", ":nothing", "Chad\tKenya"]:
            process.stdin.write(line.encode() + b"\n")
            reply = json.loads(process.stdout.readline())
            assert line or "error" in reply, reply
        process.stdin.close()
        assert process.stdout.read() == b"" and process.wait() == 0


def a_terminal_is_read_line_by_line_too():
    mine, its = pty.openpty()
    with subprocess.Popen([PROGRAMS / "bfs", BORDERS, "--interactive", "--quiet"], stdin=its,
                          stdout=subprocess.PIPE, stderr=its, start_new_session=True) as process:
        os.close(its)
        os.write(mine, "Laos\tPoland\n".encode())
        assert json.loads(process.stdout.readline())["hops"] == 3
        os.write(mine, b"\x04")  # at the start of a line, it ends the input
        assert process.stdout.read() == b"" and process.wait() == 0
    os.close(mine)


def each_line_has_one_answer_also_if_it_is_empty():
    for line in "", "\r", b"\r\r", b"\x00x":
        replies = talk(BORDERS, line, "Laos\tPoland", line)
        assert replies[1]["hops"] == 3 and replies[0] == replies[2], replies
        assert list(replies[0]) == ["error"], replies


def answers_are_verified_if_that_is_asked_for():
    for options in ["--verify"], ["--verify", "--engine=array"], ["--verify", "--without=China"]:
        for graph in BORDERS, FOLDER / "borders.pwg":
            replies = talk(graph, "Laos\tPoland", ":back", "Laos\tHaiti", ":random=3", options=options)
            assert [reply["verified"] for reply in replies] == [True] * 4, replies
    assert talk(BORDERS, ":all Laos\tPoland", options=["--verify"])[0]["verified"]
    assert "verified" not in talk(BORDERS, "Laos\tPoland")[0]


def a_pipe_counts_when_it_is_asked_to():
    silent, counted = talk_quickly(BORDERS, "Chad\tKenya")[0], talk(BORDERS, "Chad\tKenya")[0]
    assert silent["shortest_path_count"] is None and counted["shortest_path_count"] == 3
    back = talk_quickly(graph_of("one way.tsv", ("a", "b")), "b\ta", ":count", ":count=yes", "b\ta")
    assert (back[0]["hops_back"], back[0]["reached"], back[1]["count"]) == (None, None, False), back
    assert (back[3]["hops_back"], back[3]["reached"], back[2]["count"]) == (1, 1, True), back


def random_lines_have_one_line_each():
    seed = int(os.environ.get("PW_TEST_SEED", random.randrange(10 ** 9)))
    draw = random.Random(seed)
    names = ["Laos", "laos", "South Africa", "Côte_d'Ivoire", "Haiti", "Nowhere", ":all", "?", "",
             "https://en.wikipedia.org/wiki/South_Africa", "en.m.wikipedia.org/w/index.php?title=Chad#x"]
    words = [":ask", ":all", ":back", ":histogram", ":avoid", ":complete", ":random", ":help", ":count",
             ":", "?", "", ":ALL", ":no"]
    options = ["", "=3", "=none", "=degree", "=name,2", "=yes", "=no", "=", "=,", "=9999999999999999999",
               "=1000", "=0", "==", "=degree=3"]
    gaps = ["\t", " ", " -> ", "", "->", "\t\t", "  "]

    def line():
        if draw.random() < .2:
            return bytes(draw.choice(b":?=\t ->,LaoSs\x00\xff\xc3\xa4\r") for _ in range(draw.randint(1, 30)))
        text = draw.choice(words) + draw.choice(options) + draw.choice(gaps)
        text += draw.choice(gaps).join(draw.choice(names) for _ in range(draw.randint(0, 3)))
        return text.encode()

    lines = [line() for _ in range(2000)]
    for graph in BORDERS, FOLDER / "borders.pwg":
        try:
            replies = talk(graph, *lines)
        except Exception:
            print(f"PW_TEST_SEED={seed}")
            raise
        assert all(isinstance(reply, dict) and reply for reply in replies)


def main():
    for test in (the_page_names_every_field_and_no_other, csv_has_the_same_fields, longer_paths_are_in_every_format,
                 a_command_says_what_the_option_says, nodes_are_avoided_shown_and_forgotten,
                 names_are_completed_by_degree_and_by_name, a_seed_gives_the_same_random_questions,
                 names_that_look_like_commands_can_be_asked_for,
                 what_cannot_be_done_is_one_error_and_the_session_goes_on,
                 each_answer_comes_before_the_next_line, a_terminal_is_read_line_by_line_too,
                 each_line_has_one_answer_also_if_it_is_empty,
                 answers_are_verified_if_that_is_asked_for, a_pipe_counts_when_it_is_asked_to,
                 random_lines_have_one_line_each):
        print(test.__name__, flush=True)
        test()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        subprocess.run(["rm", "-rf", FOLDER], check=True)
