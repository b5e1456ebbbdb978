#!/usr/bin/env python3
"""test_cancel.py - Ctrl-C ends every call of the package, and every program, within 0.3 s.

1. LONG lists the calls that may take long, PROGRAMS what each program does for long. A call of
   Graph or a program that is in no list fails the test.
2. Each runs in a process of its own. When it has computed for a while, it gets the signal; what it
   computes from then on counts, and not the time that a busy machine takes for that.
After a call the graph is asked again. PW_CALLS=NAME runs the calls whose text has NAME.
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
from importlib.util import find_spec

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release"))
sys.path.insert(0, str(ROOT / "python/src"))
for reason, wrong in (("a sanitizer's library needs its run-time library first", os.environ.get("PW_SANITIZE")),
                      ("the libraries are static archives in this build",
                       not (BUILD / "lib/libpwgraph.so").exists()),
                      ("numpy is not installed: ./setup.sh test", not find_spec("numpy"))):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)
os.environ["POINTER_WARS_LIBRARY"] = str(BUILD / "lib/libpwgraph.so")
import pointer_wars  # noqa: E402
from pointer_wars import Graph  # noqa: E402

BEFORE = 0.15        # seconds of processor time until the signal
MOST = 2 * 0.3       # and after it: two threads for 0.3 s
LOOK = 0.005         # seconds between two looks at the processor time, unless the child ends
CHILD = {signal.SIGCHLD}
NODES, EDGES = 400_000, 8_000_000

LONG = """
pointer_wars.load(text, threads=2)
pointer_wars.load(text, compact=True, threads=2)
Graph.load(text, undirected=True, threads=2)
Graph.from_edges(sources, targets, threads=2)
Graph.from_edges(sources, targets, compact=True, threads=2)
Graph.from_edges(sources, targets, undirected=True, reverse=True, threads=2)
Graph.from_edges(map(str, sources), map(str, targets))
[Graph.from_csr(graph.offsets, graph.neighbours, threads=2) for _ in range(100)]
[graph.save(folder + '/saved.pwg') for _ in range(1000)]
[graph.components('strong') for _ in range(1000)]
[graph.components('weak') for _ in range(1000)]
[graph.distances(1) for _ in range(1000)]
[graph.parents(1) for _ in range(1000)]
[graph.histogram(1) for _ in range(1000)]
[graph.path_count(1, 9) for _ in range(100000)]
graph.reach(range(1, NODES))
graph.betweenness(threads=2)
[graph.diameter(component=True) for _ in range(1000)]
[graph.radius(component=True) for _ in range(1000)]
[ring.center() for _ in range(1000)]
graph.hops(pairs, threads=2)
graph.hops(pairs, engine='plain')
graph.paths(pairs, threads=2)
[graph.path(1, 9, engine='plain') for _ in range(100000)]
[ring.hops(0, NODES - 1, engine='plain') for _ in range(100)]
[ring.path_and_counts(0, NODES - 1, engine='plain') for _ in range(100)]
[ring.path(0, NODES - 1) for _ in range(100)]
chain.paths(0, 400000)
[chain.paths(0, 200000).count for _ in range(100)]
names.resolve('ббббббб')
names.complete('б')
""".strip().split("\n")

# What ends at once, asks what is in LONG, or is a loop in Python, which Ctrl-C ends by itself.
SHORT = """adj close completions copy degree directed edge_count edges fact first_node from_igraph
from_networkx from_pandas from_scipy has_edge has_node ids in_degree in_neighbours in_neighbours_of
in_offsets is_directed is_multigraph key keys label labels neighbors neighbours neighbours_of node
node_limit nodes number_of_edges number_of_nodes offsets order out_degree owner page pages
predecessors random_node random_nodes redirects reverse size subgraph successors to_igraph
to_networkx to_pandas to_scipy understand""".split()

# What each program does; its words, with the files of the set-up.
PROGRAMS = {
    "bfs": [["{text}", "random:10"], ["{saved}", "random:100k", "--engine=plain"],
            ["{saved}", "random:1M,targets=10k"], ["generate:nodes=10M", "random:1"]],
    "graph-convert": [["{text}", "{folder}/out.mtx"], ["{saved}", "{folder}/out.graphml"],
                      ["{saved}", "{folder}/other.pwg", "--order=bfs"]],
    "graph-info": [["{text}"], ["{saved}", "--diameter"]],
    "allocbench": [["sizes", "--output", "{folder}/r"], ["ageing", "--output", "{folder}/r"],
                   ["purge", "--output", "{folder}/r"]],
    "bfs-mpi": [["{saved}", "random:1M"]],
}
# Of these, the signal's way to what they start or wait for is another test's.
ELSEWHERE = {"wikipedia-import": "wikipedia/test_wikipedia.py"}


def seconds_of(process):
    """Processor time of a process and of its children so far."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # a child has ended
        return 0.0
    children = []
    with contextlib.suppress(OSError):  # some kernels do not say
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(seconds_of, children))


def set_up(folder):
    """What the calls use, by name."""
    saved, text = f"{folder}/graph.pwg", f"{folder}/graph.edges"
    for made in ([f"generate:uniform,nodes={NODES},edges={EDGES}", saved], [saved, text, "--to=edges"]):
        subprocess.run([str(BUILD / "bin/graph-convert"), *made], check=True, stderr=subprocess.DEVNULL)
    graph = Graph.load(saved)
    sources, targets = graph.neighbours, graph.in_neighbours  # at random, and as many
    ways = [(4 * i, 4 * i + way) for i in range(100_000) for way in (1, 2, 3)]
    letters = "абвгдежзиклмнопрст"
    words = ["".join(letters[int(x) % 18] for x in str(i * 7919).zfill(12)) for i in range(1_000_000)]
    named = pathlib.Path(folder, "names.tsv")
    named.write_text("".join(f"{a}\t{b}\n" for a, b in zip(words[::2], words[1::2])), "utf-8")
    return dict(
        pointer_wars=pointer_wars, Graph=Graph, NODES=NODES, folder=folder, text=text, saved=saved,
        sources=sources, targets=targets, graph=graph, names=pointer_wars.load(str(named)),
        pairs=list(zip(sources[:1_000_000], targets[:1_000_000])),
        ring=Graph.from_edges(range(NODES), [*range(1, NODES), 0]),
        chain=Graph.from_edges([node for way in ways for node in way],
                               [node for a, b in ways for node in (b, a - a % 4 + 4)]))


def interrupted(work):
    """Run work in a child, and send SIGINT when it has computed for a while. What is wrong, or ""."""
    read, write = os.pipe()
    signal.pthread_sigmask(signal.SIG_BLOCK, CHILD)
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, CHILD)
        os.setpgid(0, 0)  # a terminal's Ctrl-C reaches what a program has started, too
        try:
            os.write(write, work().encode())
        except BaseException as why:
            os.write(write, f"raises {why!r}".encode())
        os._exit(0)
    os.close(write)
    spent, later, ended = 0.0, 0.0, 0
    while ended == 0 and later < 10:
        ended, _, usage = os.wait4(child, os.WNOHANG)
        if ended == 0 and not later:
            spent = seconds_of(child)
            if spent >= BEFORE:
                os.killpg(child, signal.SIGINT)
                later = 0.001
        elif ended == 0:
            later += max(0, seconds_of(child) - spent - later)
        signal.sigtimedwait(CHILD, LOOK)
    if ended == 0:
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return "goes on after Ctrl-C"
    with os.fdopen(read) as pipe:
        said = pipe.read()
    whole = usage.ru_utime + usage.ru_stime
    if not later:  # it ended before, or this process got no turn in time
        return said or ("" if whole >= BEFORE else "is too short to be interrupted")
    return said or (f"computes {whole - spent:.2f} s after Ctrl-C" if whole - spent > MOST else "")


def call_of(text, known):
    """What a child does with a call."""
    def work():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            eval(text, known)
            return ""
        except KeyboardInterrupt:
            return "" if known["ring"].hops(0, 9) == 9 else "leaves a graph that does not answer"
    return work


def program_of(words):
    """What a child does to become a program."""
    def work():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for descriptor in range(3):
            os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
        os.execv(words[0], words)
    return work


def check(text, work):
    if os.environ.get("PW_CALLS", "") in text:
        wrong = interrupted(work)
        if wrong:
            print(f"{text}: {wrong}", flush=True)
            check.failed += 1


check.failed = 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        known = set_up(folder)
        for name in dir(Graph):
            if name[0] != "_" and name not in SHORT and not any(f".{name}(" in text for text in LONG):
                check(name, lambda: "is in no list")
        for text in LONG:
            check(text, call_of(text, known))
        for name in sorted(os.listdir(BUILD / "bin")):
            if name not in PROGRAMS and name not in ELSEWHERE:
                check(name, lambda: "is in no list")
            for row in PROGRAMS.get(name, []):
                words = [str(BUILD / "bin" / name), *(word.format(**known) for word in row)]
                check(f"{name} {' '.join(row)}", program_of(words))
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
