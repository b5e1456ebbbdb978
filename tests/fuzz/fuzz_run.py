#!/usr/bin/env python3
"""fuzz_run.py - build the fuzz targets with clang and run each for some minutes.

Usage: tests/fuzz/run MINUTES [OPTION...] [TARGET...]

TARGET is a name of the table that --list prints, such as queue or queue/fast; default: all.
  -j N          N targets at a time (default: 1)
  --build DIR   build in DIR instead of build/
  --no-build    run what was built before
  --log FILE    append a line of CSV for each target
  --list        list the targets

Every target starts from its seeds and regressions in the tree, and from the inputs that earlier
runs found, which are kept in BUILD/fuzz-corpus. An input that fails is kept in
BUILD/fuzz-findings/TARGET, and the command that replays it is printed.

Exit: 0 no finding, 1 a finding, 2 wrong usage, 77 skipped: no clang with libFuzzer.
"""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FORMATS = ["text", "edges", "matrix_market", "dimacs", "metis", "names", "graphml", "gml"]
# name: (longest input in bytes, dictionary or None, also without AddressSanitizer)
TARGETS = {f"graph_{name}": (1500, "graph", False) for name in FORMATS}
TARGETS.update({
    "packed": (1500, "graph", False),
    "names": (400, "graph", False),
    "pairs": (400, "graph", False),
    "round_trip": (400, "graph", False),
    "segments": (400, "graph", False),
    "edge_scan": (600, None, True),
    "sql": (900, "sql", True),
    "trace": (4400, None, True),
    "wiki": (700, "wiki", False),
    "snapshot": (100, None, False),
    "pwgraph": (100, None, False),
    "library": (900, None, True),
    "replay": (400, None, True),
    "specification": (100, "specification", True),
    "events": (60, "events", True),
    "options": (300, "options", True),
    "number": (40, None, True),
    "report": (200, None, True),
    "list": (300, None, True),
    "queue": (300, None, True),
    "allocator": (300, None, True),
    "engines": (300, None, True),
    "engines_threads": (200, None, False),
})
FOLDERS = {"": "fuzz", "/fast": "fuzz-fast"}
# The preset fuzz, and without AddressSanitizer and assertions: faster, and with the inline paths of
# the allocators.
OPTIONS = {"fuzz": [], "fuzz-fast": ["-DCMAKE_BUILD_TYPE=Release", "-DPW_SANITIZE=undefined",
                                     "-DCMAKE_C_FLAGS=-fno-sanitize-coverage=trace-cmp"]}
COLUMNS = ["target", "executions", "cpu_s", "per_cpu_s", "edges", "of", "inputs", "findings"]


def all_names():
    return [name + suffix for name, (_, _, fast) in TARGETS.items()
            for suffix in ([""] + (["/fast"] if fast else []))]


def parts(name):
    """The target of a name, and the folder of its build."""
    base = name.split("/")[0]
    return base, FOLDERS[name[len(base):]]


def has_fuzzer():
    """True if there is a clang that links libFuzzer."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "probe.c"
        source.write_text("#include <stddef.h>\n#include <stdint.h>\n"
                          "int LLVMFuzzerTestOneInput(const uint8_t *b, size_t n);\n"
                          "int LLVMFuzzerTestOneInput(const uint8_t *b, size_t n)\n"
                          "{ (void)b; (void)n; return 0; }\n")
        try:
            return subprocess.run(["clang", "-fsanitize=fuzzer,address", source, "-o",
                                   pathlib.Path(folder) / "probe"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  check=False).returncode == 0
        except OSError:
            return False


def build(names, folder):
    for kind in sorted({parts(name)[1] for name in names}):
        where = folder / kind
        wanted = [f"fuzz_{parts(name)[0]}" for name in names if parts(name)[1] == kind]
        print(f"building {kind}", flush=True)
        for command in (["cmake", "--preset", "fuzz", "-B", where, *OPTIONS[kind]],
                        ["cmake", "--build", where, "-j", str(os.cpu_count()), "--target"] + wanted):
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != 0:
                sys.exit(done.stdout + f"fuzz_run.py: failed: {' '.join(map(str, command))}")


def command_of(name, folder, minutes, findings):
    base, kind = parts(name)
    longest, dictionary, _ = TARGETS[base]
    corpus = folder / "fuzz-corpus" / base
    corpus.mkdir(parents=True, exist_ok=True)
    findings.mkdir(parents=True, exist_ok=True)
    command = [folder / kind / "tests/fuzz" / f"fuzz_{base}",
               f"-max_total_time={max(1, round(minutes * 60))}", f"-max_len={longest}",
               "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", "-entropic=0",
               f"-artifact_prefix={findings}/"]
    if kind == "fuzz-fast": # many executions rather than many inputs
        command.append("-use_counters=0")
    if dictionary:
        command.append(f"-dict={HERE / 'dictionaries' / dictionary}.dict")
    command.append(corpus)
    command += [place for place in (HERE / "seeds" / base, HERE / "regressions" / base)
                if place.is_dir()]
    return command


def run(name, folder, minutes):
    """Run one target. Returns its line of the table; what it printed is kept in a log."""
    base, _ = parts(name)
    findings = folder / "fuzz-findings" / name.replace("/", "-")
    log = folder / "fuzz-logs" / (name.replace("/", "-") + ".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    before = set(findings.glob("*-*"))
    with open(log, "wb") as output:
        process = subprocess.Popen(list(map(str, command_of(name, folder, minutes, findings))),
                                   stdout=output, stderr=subprocess.STDOUT,
                                   env=dict(os.environ, ASAN_OPTIONS="quarantine_size_mb=16:"
                                            "detect_stack_use_after_return=0"))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text(errors="replace")
    executions = re.search(r"number_of_executed_units: (\d+)", text)
    if executions is None:
        print(text[-3000:], f"fuzz_run.py: {name} did not run, see {log}", file=sys.stderr)
    covered = re.findall(r"cov: (\d+)", text)
    inputs = re.findall(r"corp: (\d+)", text)
    total = re.search(r"\((\d+) inline 8-bit counters\)", text)
    new = sorted(path for path in set(findings.glob("*-*")) - before
                 if not path.name.startswith("slow-unit"))
    cpu = used.ru_utime + used.ru_stime
    row = {"target": name, "executions": int(executions[1]) if executions else 0,
           "cpu_s": round(cpu, 1), "edges": int(covered[-1]) if covered else 0,
           "of": int(total[1]) if total else 0, "inputs": int(inputs[-1]) if inputs else 0,
           "findings": len(new)}
    row["per_cpu_s"] = round(row["executions"] / cpu) if cpu > 0 else 0
    failed = process.returncode != 0
    for path in new:
        print(f"finding: replay with\n  {folder / parts(name)[1] / 'tests/fuzz' / ('fuzz_' + base)} "
              f"{path}", flush=True)
    if failed and not new:
        print(f"{name} ended with {process.returncode}, see {log}", flush=True)
    return row, failed


def print_row(row, started):
    print(f"{row['target']:20} {row['executions']:>11} {row['cpu_s']:>8} {row['per_cpu_s']:>9} "
          f"{row['edges']:>6} {row['of']:>6} {row['inputs']:>6} {row['findings']:>8}"
          if row else
          f"{'target':20} {'executions':>11} {'CPU s':>8} {'per CPU s':>9} {'edges':>6} {'of':>6} "
          f"{'inputs':>6} {'findings':>8}", flush=True)
    if row and started:
        with open(started, "a", newline="") as file:
            csv.writer(file).writerow([int(time.time())] + [row[column] for column in COLUMNS])


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("minutes", nargs="?")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("-j", type=int, default=1, dest="jobs")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--no-build", action="store_true")
    parser.add_argument("--log")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    asked = parser.parse_intermixed_args()
    if asked.help or asked.list:
        print(__doc__ if asked.help else "\n".join(all_names()))
        return 0
    try:
        minutes = float(asked.minutes)
    except (TypeError, ValueError):
        print("tests/fuzz/run: MINUTES is missing; --help explains", file=sys.stderr)
        return 2
    names = asked.targets or all_names()
    for name in names:
        if name not in all_names():
            print(f"tests/fuzz/run: no target \"{name}\"; --list lists them", file=sys.stderr)
            return 2
    if not has_fuzzer():
        print("skipped: no clang with libFuzzer (./setup.sh test fuzz)")
        return 77
    folder = asked.build.resolve()
    if not asked.no_build:
        build(names, folder)
    print_row(None, None)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(max(1, asked.jobs)) as pool:
        for row, bad in pool.map(lambda name: run(name, folder, minutes), names):
            print_row(row, asked.log)
            failed |= bad
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
