"""cases.py - the cases of tests/faults: every program, engine, allocator, input and report."""
import bz2
import gzip
import io
import lzma
import random
import re
import shutil
import subprocess
import tarfile

from faultlib import BUILD, ROOT, Case, program

ENGINES = ["plain", "classic", "mark-on-push", "array", "bitmap", "direction-optimizing",
           "bidirectional", "multi-source", "challenge"]
ALLOCATORS = ["malloc", "pool", "pool:order=fifo", "slab", "slab:pages=huge",
              "first-fit:heap=1M", "first-fit32:heap=1M", "first-fit:heap=4K", "block:heap=1M",
              "bump:heap=1M", "count(slab)", "no-free(pool)",
              "lib:c"]
NODES, EDGES = 60, 240
FORMATS = ["graph.txt", "graph.mtx", "graph.gr", "graph.metis", "names.tsv", "graph.txt.gz",
           "graph.txt.bz2", "graph.txt.xz", "graph.tar", "graph.tar.gz", "graph.pwg",
           "reverse.pwg", "names.pwg", "graph.graphml", "names.gml"]


def make_inputs(folder):
    """The graphs of all cases, in every format; the same in each run."""
    rng = random.Random(2007)
    edges = [(n, n % NODES + 1) for n in range(1, NODES + 1)]
    edges += [(rng.randint(1, NODES), rng.randint(1, NODES)) for _ in range(EDGES)]
    text = "".join(f"{a} {b}\n" for a, b in edges)
    both = {n: sorted(({b for a, b in edges if a == n} | {a for a, b in edges if b == n}) - {n})
            for n in range(1, NODES + 1)}
    twice = sum(map(len, both.values()))
    files = {
        "graph.txt": text,
        "graph.mtx": f"%%MatrixMarket matrix coordinate pattern general\n{NODES} {NODES} "
                     f"{len(edges)}\n{text}",
        "graph.gr": f"p sp {NODES} {len(edges)}\n" + "".join(f"a {a} {b} 1\n" for a, b in edges),
        "graph.metis": f"{NODES} {twice // 2}\n" +
                       "".join(" ".join(map(str, both[n])) + "\n" for n in both),
        "names.tsv": "".join(f"n{a}\tn{b}\n" for a, b in edges),
        "sparse.txt": "".join(f"{a * 70000001} {b * 70000001}\n" for a, b in edges),
        "names.gml": "graph [\n  directed 1\n" +
                     "".join(f'  node [ id {n} label "n{n}" ]\n' for n in range(1, NODES + 1)) +
                     "".join(f"  edge [ source {a} target {b} ]\n" for a, b in edges) + "]\n",
        "names.txt": "".join(f"n{n}\n" for n in range(1, NODES + 1)),
        "pairs.txt": "1 7\n2 9\n3 3\n",
        "pairs-names.txt": "n1\tn7\nn2\tn9\nn3\tn3\n",
        "pairs-spelt.txt": "n1\tn7\nN2\tn9\n",
        "sizes.txt": "".join(f"{size}\n" for size in (16, 300, 24, 4096) * 10),
        "histogram.txt": "16 20\n300 3\n",
    }
    for name, content in files.items():
        (folder / name).write_text(content)
    data = text.encode()
    (folder / "graph.txt.gz").write_bytes(gzip.compress(data, mtime=0))
    (folder / "graph.txt.bz2").write_bytes(bz2.compress(data))
    (folder / "graph.txt.xz").write_bytes(lzma.compress(data))
    for name, mode in (("graph.tar", "w"), ("graph.tar.gz", "w:gz")):
        with tarfile.open(folder / name, mode) as tar:
            info = tarfile.TarInfo("graph.txt")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    convert = ("graph-convert", "--quiet", "--threads=1")
    program(*convert, folder / "graph.txt", folder / "graph.graphml")
    program(*convert, folder / "graph.txt", folder / "graph.pwg")
    program(*convert, "--with-reverse", folder / "graph.txt", folder / "reverse.pwg")
    program(*convert, folder / "names.tsv", folder / "names.pwg")
    program("bfs", folder / "graph.txt", folder / "pairs.txt", "--alloc",
            f"record(first-fit:heap=1M,file={folder}/run.script)", "--quiet", "--threads=1")
    make_dumps(folder)


def make_dumps(folder):
    """The dumps of a small wiki: plain and packed, in order and not, with templates."""
    for name, options in (("plain", "--level=0 --layout=both --form=rows"), ("packed", "--level=6"),
                          ("backwards", "--level=0 --backwards"),
                          ("templates", "--level=6 --templates=5")):
        program("../tests/wikipedia-generate", "--pages=60", "--links=12", *options.split(),
                folder / name)


def little_memory(dumps, threads, short):
    """A memory limit below what links that are not in order take together, by that many bytes."""
    def suffices(limit):
        done = subprocess.run([BUILD / "bin/wikipedia-import", dumps, dumps / "made.pwg",
                               f"--threads={threads}", f"--memory-limit={limit}"],
                              capture_output=True)
        return done.returncode == 0 and re.search(rb"passes over the links +3\n", done.stdout)
    low, high = 1 << 20, 32 << 20
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high - short


def compiled_plugin(at):
    """The example of a plug-in, where there is a compiler."""
    compiler = shutil.which("cc")
    return compiler is not None and subprocess.run(
        [compiler, "-std=c17", "-shared", "-fPIC", "-I", str(BUILD / "include"), "-o",
         str(at / "lifo.so"), str(ROOT / "alloc/foreign/example/lifo.c")],
        capture_output=True).returncode == 0


def bfs(name, arguments, essence="json", **options):
    """A case of bfs without counters, which differ from host to host."""
    if essence == "json":
        arguments += " --format=json"
    if "--counters" not in arguments:
        arguments += " --counters=none"
    return Case("bfs/" + name, "bfs", arguments, essence, **options)


def search_cases(at):
    graph, pairs = f"{at}/graph.txt", f"{at}/pairs.txt"
    one = "--threads=1"
    for engine in ENGINES:
        yield bfs("engine-" + engine, f"{graph} {pairs} --engine={engine} {one} --path")
    for engine in ("classic", "array", "bidirectional", "multi-source"):
        yield bfs(f"engine-{engine}-2-threads", f"{graph} {pairs} --engine={engine} --threads=2")
    for engine in ("array", "bitmap", "direction-optimizing"):
        yield bfs(f"engine-{engine}-together",
                  f"{graph} {pairs} --engine={engine} --threads=2 --parallel=search --pin")
    for allocator in ALLOCATORS:
        yield bfs("alloc-" + allocator, f"{graph} {pairs} {one} --alloc={allocator}")
    yield bfs("alloc-record", f"{graph} {pairs} {one} --alloc=record(first-fit:heap=1M,file=script)",
              leaves=("script",))
    if compiled_plugin(at):
        yield bfs("alloc-plugin", f"{graph} {pairs} {one} --alloc=plugin:{at}/lifo.so")
    yield bfs("alloc-of-environment", f"{graph} {pairs} {one}",
              environment={"LINKED_LIST_ALLOC": "count(slab)"})
    yield bfs("alloc-replay", f"{graph} {pairs} {one} --alloc=replay:file={at}/run.script")
    for name in FORMATS:
        names = "-names" if name.startswith("names") else ""
        told = "--input-format=metis" if name.endswith("metis") else ""  # not known by its content
        yield bfs("input-" + name, f"{at}/{name} {at}/pairs{names}.txt {one} --engine=array {told}")
    yield bfs("input-2-threads", f"{graph} {pairs} --threads=2 --engine=array")
    yield bfs("input-sparse", f"{at}/sparse.txt random:3 {one} --compact --engine=array")
    yield bfs("input-named", f"{graph} {at}/pairs-names.txt --names={at}/names.txt {one} "
              "--engine=array --reverse")
    yield bfs("input-spelt", f"{at}/names.tsv {at}/pairs-spelt.txt {one} --engine=array --quiet")
    yield bfs("input-undirected", f"{graph} {pairs} --undirected {one} --engine=bidirectional")
    yield bfs("input-published", f"{at}/graph.mtx {pairs} --as-published {one}")
    yield bfs("input-stdin", f"- {pairs} {one} --engine=array", stdin=b"1 7\n7 9\n2 9\n3 3\n")
    yield bfs("input-generated", f"generate:nodes=200,edges=900,seed=1 random:3 {one} "
              "--engine=direction-optimizing")
    yield bfs("input-huge", f"{graph} {pairs} {one} --engine=bitmap --huge-pages=all")
    yield bfs("input-limit", f"{graph} {pairs} {one} --engine=array --memory-limit=1G")


def question_cases(at):
    graph, one = f"{at}/graph.txt", "--threads=1"
    yield bfs("ask", f"{graph} --from 1 --to 7 --path {one}")
    yield Case("bfs/ask-alone-json", "bfs", f"{at}/names.tsv --from n1 --to n30 --format=json "
               f"--all-shortest=3 --longer=1 {one} --quiet", "json")
    yield bfs("ask-all", f"{at}/names.tsv --from n1 --to n30 --all-shortest=3 {one} --quiet")
    yield bfs("ask-without", f"{at}/names.tsv --from n1 --to n30 --without=n2,n5 {one} --quiet")
    yield bfs("ask-spelt", f"{at}/names.tsv --from N1 --to n30 --without=N2,n5 {one} --quiet")
    yield bfs("ask-dot", f"{at}/names.tsv --from n1 --to n30 --all-shortest --format=dot {one}")
    yield bfs("pairs-without", f"{graph} {at}/pairs.txt --without=3,4 --path --verify {one} "
              "--format=csv", "csv")
    yield bfs("ask-histogram", f"{graph} --from 1 --histogram {one}", "whole")
    yield bfs("ask-verify", f"{graph} {at}/pairs.txt --verify {one} --engine=bitmap")
    for name, line in ("pipe", b"n1\tn7\nn2\tn9\nn3\tn3\n"), ("spelt-pipe", b"N1\tn7\n"):
        yield bfs("pairs-" + name, f"{at}/names.tsv - {one} --format=csv --path", "csv", stdin=line)


def report_cases(at):
    graph, pairs, one = f"{at}/graph.txt", f"{at}/pairs.txt", "--threads=1"
    for kind, essence in (("text", "whole"), ("csv", "csv"), ("json", "json")):
        yield bfs("report-" + kind, f"{graph} {pairs} {one} --format={kind}", essence)
        yield bfs(f"output-{kind}", f"{graph} {pairs} {one} --format={kind} --output=report",
                  essence, writes=("report",), checks_stdout=False)
    yield bfs("report-verbose", f"{graph} {pairs} {one} --verbose --path", "whole")
    yield bfs("report-trials", f"{graph} {pairs} {one} --trials=3 --warmup=1 --engine=array")
    yield bfs("report-counters", f"{graph} {pairs} {one} --counters=auto", "json")
    yield bfs("report-passes", f"{graph} {pairs} {one} --passes --counters=memory --engine=array")
    for what in ("help", "version", "list-engines"):
        yield Case("bfs/" + what, "bfs", "--" + what)
    yield Case("bfs/list-allocs", "bfs", "--list-allocs", "any")  # says where memory was short
    yield Case("bfs/doctor", "bfs", "--doctor", "any")
    yield bfs("cache-cold", f"{graph} {pairs} {one} --engine=array --cache=kept --quiet",
              leaves=("kept",))

    def keep(folder):
        (folder / "kept").mkdir()
        program("bfs", graph, pairs, "--engine=array", f"--cache={folder}/kept", one, "--quiet")
    yield bfs("cache-warm", f"{graph} {pairs} {one} --engine=direction-optimizing --cache=kept "
              "--quiet", prepare=keep, leaves=("kept",))


def graph_cases(at):
    graph, one = f"{at}/graph.txt", "--threads=1"
    small = "generate:nodes=100,edges=400"

    def convert(name, arguments):
        return Case("graph-convert/" + name, "graph-convert", f"{arguments} made.pwg {one}", "bytes",
                    writes=("made.pwg",))
    yield convert("plain", graph)
    yield convert("reverse", f"{graph} --with-reverse")
    for order in ("degree", "bfs"):
        yield convert("order-" + order, f"{graph} --order={order} --with-reverse")
    yield convert("names", f"{at}/names.tsv --order=degree")
    yield convert("source", f"{graph} --record-source")
    yield convert("gzip", f"{at}/graph.txt.gz --undirected")
    yield convert("sparse", f"{at}/sparse.txt --compact")
    for to in ("matrix-market", "edges", "graphml", "dot"):
        yield convert("to-" + to, f"{graph} --to={to}")
    for model in ("nodes=100", "kronecker,scale=6", "uniform,nodes=100", "grid,rows=8"):
        yield convert("model-" + model.split(",")[0], f"generate:{model}")
    yield convert("by-target", f"{small} --to=edges --by-target")
    yield convert("pairs", f"{small} --pairs=50")
    yield Case("graph-convert/stdout", "graph-convert", f"{small} - --to=edges {one}", "lines")
    yield convert("to-names", f"{at}/names.tsv --to=names")
    yield Case("graph-convert/write-names", "graph-convert",
               f"{at}/names.tsv made.pwg {one} --write-names=list", "bytes", writes=("made.pwg", "list"))
    for name in ("graph.txt", "names.tsv", "reverse.pwg"):
        yield Case("graph-info/" + name, "graph-info", f"{at}/{name} {one} --quiet", "whole")
    yield Case("graph-info/verify", "graph-info",
               f"{at}/reverse.pwg --verify-snapshot {one} --quiet", "whole")


def wikipedia_cases(at):
    def load(name, arguments, essence="bytes"):
        quiet = "--quiet" if essence == "bytes" else ""
        return Case("wikipedia-import/" + name, "wikipedia-import", f"{arguments} made {quiet}",
                    essence, writes=("made",) if essence == "bytes" else (),
                    leaves=() if essence == "bytes" else ("made",))
    for threads in (1, 2):
        told = f"--threads={threads}"
        yield load(f"plain-{threads}", f"{at}/plain {told}")
        yield load(f"packed-{threads}", f"{at}/packed {told}")
        yield load(f"forward-{threads}", f"{at}/packed {told} --without-reverse --keep-self-links "
                   "--keep-duplicates")
        yield load(f"passes-{threads}", f"{at}/backwards {told} --without-reverse "
                   f"--memory-limit={little_memory(at / 'backwards', threads, 1000)}")
        yield load(f"dropped-{threads}", f"{at}/plain {told} --namespaces=0,14 --drop-title=A* "
                   "--drop-disambiguation")
        yield load(f"templates-{threads}", f"{at}/templates {told} --without-templates")
    yield load("packed-4", f"{at}/packed --threads=4")
    yield load("report", f"{at}/plain --threads=1 --verbose", "whole")


def allocbench_cases(at):
    few = "--runs=1 --quiet --alloc=malloc,slab"
    job = f"--graph={at}/graph.txt --pairs={at}/pairs.txt --searches=2"
    experiments = {
        "sizes": f"--counts=1,3 {few}", "exhaustion": f"--counts=1 {few}",
        "worst-case": "--counts=1 --runs=1 --quiet --alloc=block:small=no",
        "purge": f"--allocations=1k --pause=0 {few}", "distributions": f"--rounds=10 {few}",
        "estimate": f"--rounds=10 --histogram={at}/histogram.txt {few}",
        "queue": f"--depth=100 --repeats=1 {few}", "ageing": f"--depth=100 --repeats=2 {few}",
        "pointer-wars": f"{few} {job}", "replay": f"--runs=1 --quiet {job} "
        "--workloads=bfs"}
    for name, options in experiments.items():
        yield Case("allocbench/" + name, "allocbench", f"{name} {options} --format=csv", "any")
    yield Case("allocbench/text", "allocbench", f"ageing {experiments['ageing']}", "any")
    yield Case("allocbench/article", "allocbench",
               f"sizes {experiments['sizes']} --output=results", "any", leaves=("results",))
    yield Case("allocbench/output", "allocbench",
               f"queue {experiments['queue']} --output=results", "any", leaves=("results",))
    yield Case("allocbench/help", "allocbench", "--help")
    yield Case("allocbench/list-allocs", "allocbench", "--list-allocs")


def library_cases(at):
    def calls(name, arguments):
        return Case("library/" + name, "library_calls", arguments, "any")
    for allocator in ("malloc", "pool", "slab", "first-fit:heap=64K", "block:heap=1M",
                      "bump:heap=1M", "count(pool:order=fifo)"):
        yield calls("list-" + allocator, f"list - {allocator}")
        yield calls("queue-" + allocator, f"queue - {allocator}")
        yield calls("threads-" + allocator, f"threads - {allocator}")
    for name in ("names.tsv", "names.pwg"):
        yield calls("graph-" + name, f"graph {at}/{name}")


def all_cases(at):
    """Every case, the inputs being in the folder at."""
    parts = (search_cases, question_cases, report_cases, graph_cases, wikipedia_cases,
             allocbench_cases)
    made = [case for part in parts for case in part(at)]
    if (BUILD / "tests/library_calls").exists():
        made += library_cases(at)
    return made
