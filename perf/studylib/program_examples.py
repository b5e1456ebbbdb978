"""perf/study program --examples: what malloc costs in programs that many machines have.

Each example runs under `allocbench program` with three allocators of this project; the table goes
to standard output, and with --write into perf/program/five_minutes.md.
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from cases import program
from figures import machine_text
from figures_pages import between, filled
from own_name import complain
from runner import Failed

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "alloc/nodes/slab.c"
PAGE = ROOT / "perf/program/five_minutes.md"
RUNS = 15
ALLOCATORS = ("pool", "slab", "block")

# (name, program that must be there, environment, options of allocbench, command). FOLDER has
# words.txt and numbers.txt.
EXAMPLES = (
    ("cc1 -O2, a file of 500 lines", "gcc", {}, ["--only", "cc1"],
     ["gcc", "-std=c17", "-D_GNU_SOURCE", f"-I{ROOT}", "-O2", "-S",
      str(SOURCE), "-o", "FOLDER/slab.s"]),
    ("SQLite in memory, 100,000 rows and an index", "sqlite3", {}, [],
     ["sqlite3", ":memory:", "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t SELECT "
      "value, hex(value * 7919 % 100003) FROM generate_series(1, 100000); CREATE INDEX i ON t(b); "
      "SELECT count(DISTINCT b) FROM t;"]),
    ("jq, 100,000 small objects", "jq", {}, ["--input", "FOLDER/numbers.txt"],
     ["jq", "-c", "[., {a: .}]"]),
    ("awk, an array of 200,000", "awk", {}, [],
     ["awk", 'BEGIN { for (i = 0; i < 200000; i++) a["k" i] = i; print length(a) }']),
    ("sort, 300,000 lines", "sort", {}, [], ["sort", "--parallel=1", "FOLDER/words.txt"]),
    ("Python, a dictionary of 200,000", "python3",
     {"PYTHONHASHSEED": "0", "PYTHONMALLOC": "malloc"}, [],
     [sys.executable, "-S", "-c", "print(len({str(i): [i] for i in range(200000)}))"]),
    ("Perl, a hash of 200,000", "perl", {"PERL_HASH_SEED": "0"}, [],
     ["perl", "-e", '$h{"k$_"} = [$_] for 1 .. 200000; print scalar(%h), "\\n"']),
)


def measure(options, example, folder):
    """(requests, {row's name: (share, spread)}) of an example."""
    _, _, environment, words, command = example
    output = folder / "result"
    words = [word.replace("FOLDER", str(folder)) for word in words]
    command = [word.replace("FOLDER", str(folder)) for word in command]
    done = subprocess.run([str(program(options, "allocbench")), "program", "--output", str(output),
                           "--alloc", ",".join(ALLOCATORS), "--runs", str(options.runs or RUNS),
                           *words, "--", *command], env={**os.environ, **environment}, check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr.strip().splitlines()[-1] if done.stderr else "allocbench failed")
    with open(output / "program.csv", encoding="utf-8", newline="") as file:
        rows = {row["allocator"]: row for row in csv.DictReader(file)}
    with open(output / "program-requests.csv", encoding="utf-8", newline="") as file:
        requests = int(next(csv.DictReader(file))["requests"])
    return requests, rows


def share_text(row):
    """A share in percent with its spread; "~" if it is not larger than that."""
    if row is None or not row["share_percent"]:
        return "-"
    share = float(row["share_percent"])
    if not row["share_spread"]:
        return f"{share:.1f}"
    spread = float(row["share_spread"])
    return f"{'' if abs(share) > spread else '~'}{share:.1f} ± {spread:.1f}"


def table(options):
    """The lines of the table; an example whose program is not installed has none."""
    about = ("The share of the processor time that is allocation, in percent: the median of "
             f"{options.runs or RUNS} runs and half the distance of the quartiles, on "
             f"{machine_text()}. Blocks of the last three have a header of 16 bytes.")
    lines = [filled(about), "",
             "| program | requests | glibc | " + " | ".join(f"`{a}`" for a in ALLOCATORS) + " |",
             "|---|---:|---:|" + "---:|" * len(ALLOCATORS)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "numbers.txt").write_text("".join(f"{i}\n" for i in range(100000)))
        (folder / "words.txt").write_text("".join(f"{i * 7919 % 300007}\n" for i in range(300000)))
        for example in EXAMPLES:
            if shutil.which(example[1]) is None or (example[1] == "gcc" and not SOURCE.exists()):
                complain("study", f"{example[0]} is left out: {example[1]} or its input is missing")
                continue
            requests, rows = measure(options, example, folder)
            shares = [share_text(rows.get(one)) for one in ("as it is", *ALLOCATORS)]
            lines.append(f"| {example[0]} | {requests:,} | " + " | ".join(shares) + " |")
            complain("study", f"{example[0]}: done")
    return lines


def main(options):
    lines = table(options)
    print("\n".join(lines))
    if options.write:
        PAGE.write_text(between(PAGE.read_text(encoding="utf-8"), "examples", "\n".join(lines)),
                        encoding="utf-8")
    return 0
