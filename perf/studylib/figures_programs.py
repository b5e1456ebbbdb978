"""perf/study figures --programs: what malloc costs in programs that many machines have, and what
memory it holds.

1. Each program runs under `allocbench program`, on glibc's malloc and on three other libraries. A
   figure is the share of its processor time that is allocation, in percent; its interval is the
   median less and plus half the distance of the quartiles. The table goes into
   perf/program/five_minutes.md.
2. Then `allocbench memory` replays its requests on the same mallocs. Figures are the bytes alive, and
   for each malloc the bytes held and the time per request. The table, and the sentence that follows
   from it, go into perf/program/memory.md.
3. A program or library that is not installed is left out, with a message.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import units
from cases import ROOT, program
from figures_rows import of_first_machine, read_rows
from own_name import complain
from runner import last_line

SOURCE = ROOT / "alloc/nodes/slab.c"
RUNS = 15
MEMORY_RUNS = 5
NEAR = 512 * 1024  # bytes more at the end that are no difference
# (name in the figures and on the page, name for allocbench, Debian's package)
ALLOCATORS = (("glibc", "as it is", "libc6"), ("mimalloc", "lib:mimalloc", "libmimalloc-dev"),
              ("jemalloc", "lib:jemalloc", "libjemalloc2"),
              ("tcmalloc", "lib:tcmalloc", "libtcmalloc-minimal4"))
THREADED = ("node",)  # allocate in threads, so that their time cannot be measured by elimination
# The row of "allocbench memory" in which a malloc gives free memory back.
RETURNING = {"glibc": "malloc, trimmed", "mimalloc": "lib:mimalloc, purge 0",
             "jemalloc": "lib:jemalloc, decay 0"}
# What is figured of each: (key, words, unit).
HELD = (("peak", "peak", "B"), ("end", "end", "B"), ("returned", "end, free memory returned", "B"),
        ("ns", "time", "ns"))

# (name, words, program that must be there, environment, options of allocbench, command). FOLDER has
# words.txt, numbers.txt and a repository with a history of a file.
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
    ("git", "git log -p, 2,000 commits", "git", {}, [],
     ["git", "-C", "FOLDER/repository", "log", "-p", "main"]),
    ("xz", "xz, 300,000 lines", "xz", {}, [], ["xz", "-k", "-c", "-T1", "FOLDER/words.txt"]),
    ("node", "Node.js, a map of 200,000", "node", {}, [],
     ["node", "-e", "const m = new Map(); for (let i = 0; i < 200000; i++) m.set('k' + i, [i]); "
      "console.log(m.size)"]),
)


# Measuring --------------------------------------------------------------------------------------

def measure(options, one, inputs, output, experiment, runs):
    """Leave allocbench's tables of a program in a folder; say what it has left out."""
    name, words, needed, environment, arguments, command = one
    if shutil.which(needed) is None or (name == "cc1" and not SOURCE.exists()):
        complain("study", f"{words}: left out: {needed} or its input is missing")
        return
    arguments = [word.replace("FOLDER", str(inputs)) for word in arguments]
    command = [word.replace("FOLDER", str(inputs)) for word in command]
    done = subprocess.run([str(program(options, "allocbench")), experiment, "--output", str(output),
                           "--alloc", ",".join(["malloc", *(one for _, one, _ in ALLOCATORS[1:])]),
                           "--runs", str(runs), *arguments, "--", *command],
                          env={**os.environ, **environment}, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 130:
        raise KeyboardInterrupt
    if done.returncode != 0:
        complain("study", f"{words}: {experiment}: left out: {last_line(done.stderr)}")
        return
    complain("study", f"{words}: {experiment}: done")
    for note in done.stdout.split("note: ")[1:]:
        if " is left out" in note:
            complain("study", f"{words}: {' '.join(note.split())}")


def make_history(folder):
    """A repository of 2,000 commits, in which four lines of 200 change at a time."""
    stream = []
    for i in range(2000):
        text = "".join(f"line {k} {i if k % 50 == i % 50 else 0}\n" for k in range(200))
        stream.append(f"commit refs/heads/main\ncommitter a <a@example.org> {10 ** 9 + i} +0000\n"
                      f"data 2\nc\nM 644 inline a.txt\ndata {len(text)}\n{text}\n")
    subprocess.run(["git", "init", "-q", "--bare", str(folder)], check=True)
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], check=True, text=True,
                   input="".join(stream))


def run(options):
    """Measure every program, or the ones that --programs names; its tables are in a folder of its name."""
    folder = options.output / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        inputs = pathlib.Path(name)
        (inputs / "numbers.txt").write_text("".join(f"{i}\n" for i in range(100000)))
        (inputs / "words.txt").write_text("".join(f"{i * 7919 % 300007}\n" for i in range(300000)))
        if shutil.which("git"):
            make_history(inputs / "repository")
        for one in PROGRAMS:
            if options.programs and one[0] not in options.programs.split(","):
                continue
            if one[0] not in THREADED:
                measure(options, one, inputs, folder / one[0], "program", options.runs)
            measure(options, one, inputs, folder / one[0], "memory", min(options.runs, MEMORY_RUNS))
    return 0


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


def collect_memory(options):
    """[(figure, what it is of, value, None, None)] of what is alive and held: bytes, and ns per request."""
    found = []
    for name, *_ in PROGRAMS:
        folder = options.output / "programs" / name
        if not (folder / "memory.csv").exists():
            continue
        own = read_rows(folder / "memory-program.csv")[0]
        of = f"{own['requests']} requests, {min(options.runs, MEMORY_RUNS)} runs"
        found += [(f"memory.{name}.alive.{key}", of, float(own[f"live_{key}_bytes"]), None, None)
                  for key in ("peak", "end")]
        rows = {row["allocator"]: row for row in read_rows(folder / "memory.csv")}
        for shown, allocator, _ in ALLOCATORS:
            for key, of_row, column, factor in (
                    ("peak", allocator, "held_peak_kib", 1024), ("end", allocator, "held_end_kib", 1024),
                    ("returned", RETURNING.get(shown), "held_end_kib", 1024),
                    ("ns", allocator, "request_ns", 1)):
                value = rows.get("malloc" if of_row == "as it is" else of_row, {column: ""})[column]
                if value:
                    found.append((f"memory.{name}.{shown}.{key}", of, float(value) * factor, None, None))
    return found


def collect_both(options):
    """What is figured of time and of memory."""
    return [*collect(options), *collect_memory(options)]


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
    machine, found = of_first_machine(rows, "programs.")
    if not found:
        return "", []
    runs = re.search(r"\d+ runs", next(iter(found.values()))["graph"])[0]
    missing = [f"{shown} (Debian: `{package}`)" for shown, _, package in ALLOCATORS
               if not any(name.endswith("." + shown) for name in found)]
    about = ("The share of the processor time that is allocation, in percent: the median of "
             f"{runs} and half the distance of the quartiles, on {machine}."
             + (f" Not installed there: {', '.join(missing)}." if missing else ""))
    lines = ["| program | requests | " + " | ".join(shown for shown, *_ in ALLOCATORS) + " |",
             "|---|---:|" + "---:|" * len(ALLOCATORS)]
    for name, words, *_ in PROGRAMS:
        cells = [found.get(f"programs.{name}.{shown}") for shown, *_ in ALLOCATORS]
        if any(cells):
            requests = int(next(filter(None, cells))["graph"].split()[0])
            lines.append(f"| {words} | {requests:,} | " + " | ".join(map(share_text, cells)) + " |")
    return about, lines


def counted(names):
    """How often each malloc is among the names, the most frequent first: "glibc 8, jemalloc 2"."""
    every = [shown for shown, *_ in ALLOCATORS]
    return ", ".join(f"{name} {names.count(name)}"
                     for name in sorted(every, key=lambda name: -names.count(name)))


def memory_table(rows):
    """(the answer, what the table is, its lines) of the memory in figures.csv, of the first machine
    that has it."""
    machine, own = of_first_machine(rows, "memory.")
    if not own:
        return "", "", []
    found = {figure: float(row["value"]) for figure, row in own.items()}
    measured = [one for one in PROGRAMS if f"memory.{one[0]}.alive.end" in found]
    near, fastest = [], []
    lines = ["| program | alive | " + " | ".join(shown for shown, *_ in ALLOCATORS) + " |",
             "|---|---:|" + "---:|" * len(ALLOCATORS)]

    def cell(name, holder):
        peak, end, returned, time = (found.get(f"memory.{name}.{holder}.{key}") for key, *_ in HELD)
        if peak is None:
            return "-"
        return (f"{peak / 2 ** 20:.1f}, {end / 2 ** 20:.1f}"
                + (f" ({returned / 2 ** 20:.1f})" if returned is not None else "")
                + (f"; {units.text(time, 'ns', 3)}" if time else ""))

    for name, words, *_ in measured:
        mallocs = [shown for shown, *_ in ALLOCATORS if f"memory.{name}.{shown}.end" in found]
        lines.append(f"| {words} | " + " | ".join(
            cell(name, holder) for holder in ["alive", *(shown for shown, *_ in ALLOCATORS)]) + " |")
        times = {shown: found[f"memory.{name}.{shown}.ns"] for shown in mallocs}
        ends = {shown: found.get(f"memory.{name}.{shown}.returned", found[f"memory.{name}.{shown}.end"])
                for shown in mallocs}
        near += [shown for shown, held in ends.items()
                 if held <= max(1.1 * min(ends.values()), min(ends.values()) + NEAR)]
        fastest.append(min(times, key=times.get))
    best, quickest = (counted(names).split()[0] for names in (near, fastest))
    answer = (f"{best} for the least memory, {quickest} for the least time: measured on {len(measured)} "
              f"everyday programs. The least memory at the end, which several may have, each with the "
              f"setting that gives free memory back: {counted(near)}. "
              f"The least time per request: {counted(fastest)}.")
    about = ("MiB at the peak and at the end: alive, and held by each malloc. In brackets is the end with "
             "the setting that gives free memory back; then the time per request and its release, "
             "with the first touch of its pages. Medians of "
             f"{next(iter(own.values()))['graph'].split(', ')[1]} on {machine}. With the setting, a tenth or 512 "
             "KiB more than the least is the least, too.")
    return answer, about, lines
