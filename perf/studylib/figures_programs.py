"""perf/study figures --programs: what malloc costs in programs that many machines have.

1. Each program runs under `allocbench program`, on glibc's malloc and on three other libraries.
2. A figure is the share of a program's processor time that is allocation, in percent; its interval
   is the median less and plus half the distance of the quartiles.
3. The table goes into perf/program/five_minutes.md. A program or library that is not installed is
   left out, with a message.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from cases import ROOT, program
from own_name import complain
from runner import last_line

SOURCE = ROOT / "alloc/nodes/slab.c"
RUNS = 15
# (name in the figures and on the page, name for allocbench, Debian's package)
ALLOCATORS = (("glibc", "as it is", "libc6"), ("mimalloc", "lib:mimalloc", "libmimalloc-dev"),
              ("jemalloc", "lib:jemalloc", "libjemalloc2"),
              ("tcmalloc", "lib:tcmalloc", "libtcmalloc-minimal4"))

# (name, words, program that must be there, environment, options of allocbench, command). FOLDER has
# words.txt and numbers.txt.
PROGRAMS = (
    ("cc1", "cc1 -O2, a file of 500 lines", "gcc", {}, ["--only", "cc1"],
     ["gcc", "-std=c17", "-D_GNU_SOURCE", f"-I{ROOT}", "-O2", "-S",
      str(SOURCE), "-o", "FOLDER/slab.s"]),
    ("sqlite", "SQLite in memory, 100,000 rows and an index", "sqlite3", {}, [],
     ["sqlite3", ":memory:", "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t SELECT "
      "value, hex(value * 7919 % 100003) FROM generate_series(1, 100000); CREATE INDEX i ON t(b); "
      "SELECT count(DISTINCT b) FROM t;"]),
    ("jq", "jq, 100,000 small objects", "jq", {}, ["--input", "FOLDER/numbers.txt"],
     ["jq", "-c", "[., {a: .}]"]),
    ("awk", "awk, an array of 200,000", "awk", {}, [],
     ["awk", 'BEGIN { for (i = 0; i < 200000; i++) a["k" i] = i; print length(a) }']),
    ("sort", "sort, 300,000 lines", "sort", {}, [], ["sort", "--parallel=1", "FOLDER/words.txt"]),
    ("python", "Python, a dictionary of 200,000", "python3",
     {"PYTHONHASHSEED": "0", "PYTHONMALLOC": "malloc"}, [],
     [sys.executable, "-S", "-c", "print(len({str(i): [i] for i in range(200000)}))"]),
    ("perl", "Perl, a hash of 200,000", "perl", {"PERL_HASH_SEED": "0"}, [],
     ["perl", "-e", '$h{"k$_"} = [$_] for 1 .. 200000; print scalar(%h), "\\n"']),
)


# Measuring --------------------------------------------------------------------------------------

def measure(options, one, inputs, output):
    """Leave allocbench's tables of a program in a folder; say what it has left out."""
    name, words, needed, environment, arguments, command = one
    if shutil.which(needed) is None or (name == "cc1" and not SOURCE.exists()):
        complain("study", f"{words}: left out: {needed} or its input is missing")
        return
    arguments = [word.replace("FOLDER", str(inputs)) for word in arguments]
    command = [word.replace("FOLDER", str(inputs)) for word in command]
    done = subprocess.run([str(program(options, "allocbench")), "program", "--output", str(output),
                           "--alloc", ",".join(["malloc", *(one for _, one, _ in ALLOCATORS[1:])]),
                           "--runs", str(options.runs), *arguments, "--", *command],
                          env={**os.environ, **environment}, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode != 0:
        shutil.rmtree(output, ignore_errors=True)
        complain("study", f"{words}: left out: {last_line(done.stderr)}")
        return
    complain("study", f"{words}: done")
    for note in done.stdout.split("note: ")[1:]:
        if " is left out" in note:
            complain("study", f"{words}: {' '.join(note.split())}")


def run(options):
    """Measure every program; its tables are in a folder of its name."""
    folder = options.output / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        inputs = pathlib.Path(name)
        (inputs / "numbers.txt").write_text("".join(f"{i}\n" for i in range(100000)))
        (inputs / "words.txt").write_text("".join(f"{i * 7919 % 300007}\n" for i in range(300000)))
        for one in PROGRAMS:
            measure(options, one, inputs, folder / one[0])
    return 0


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def collect(options):
    """[(figure, what it is of, share, low, high)] of the tables in the folder."""
    found = []
    for name, *_ in PROGRAMS:
        folder = options.output / "programs" / name
        if not (folder / "program-requests.csv").exists():
            continue
        requests = read_rows(folder / "program-requests.csv")[0]["requests"]
        rows = {row["allocator"]: row for row in read_rows(folder / "program.csv")}
        for shown, allocator, _ in ALLOCATORS:
            row = rows.get(allocator, {"share_percent": ""})
            if row["share_percent"]:
                share, spread = float(row["share_percent"]), float(row["share_spread"] or 0)
                found.append((f"programs.{name}.{shown}",
                              f"{requests} requests, {options.runs} runs",
                              share, share - spread, share + spread))
    return found


# The page ---------------------------------------------------------------------------------------

def share_text(row):
    """A share in percent with its spread; "~" if it is not larger than that."""
    if row is None:
        return "-"
    share, spread = float(row["value"]), (float(row["high"]) - float(row["low"])) / 2
    if not spread:  # of one run
        return f"{share:.1f}"
    return f"{'' if abs(share) > spread else '~'}{share:.1f} ± {spread:.1f}"


def table(rows):
    """(what the table is, its lines) of rows of figures.csv, of the first machine that has it."""
    own = [row for row in rows if row["figure"].startswith("programs.")]
    if not own:
        return "", []
    found = {row["figure"]: row for row in own if row["machine"] == own[0]["machine"]}
    runs = re.search(r"\d+ runs", own[0]["graph"])[0]
    missing = [f"{shown} (Debian: `{package}`)" for shown, _, package in ALLOCATORS
               if not any(name.endswith("." + shown) for name in found)]
    about = ("The share of the processor time that is allocation, in percent: the median of "
             f"{runs} and half the distance of the quartiles, on {own[0]['machine']}."
             + (f" Not installed there: {', '.join(missing)}." if missing else ""))
    lines = ["| program | requests | " + " | ".join(shown for shown, *_ in ALLOCATORS) + " |",
             "|---|---:|" + "---:|" * len(ALLOCATORS)]
    for name, words, *_ in PROGRAMS:
        cells = [found.get(f"programs.{name}.{shown}") for shown, *_ in ALLOCATORS]
        if any(cells):
            requests = int(next(filter(None, cells))["graph"].split()[0])
            lines.append(f"| {words} | {requests:,} | " + " | ".join(map(share_text, cells)) + " |")
    return about, lines
