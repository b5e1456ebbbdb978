"""perf/study wikipedia: how long an import takes, beside the decompression of its links alone.

1. The dumps of a wiki (--dumps), in the page cache: what wikipedia/fetch downloads, or the dumps of
   a made-up wiki, which tests/wikipedia/generate makes.
2. igzip, the program of ISA-L, which decompresses pagelinks and does nothing else.
3. wikipedia-import, by each number of threads, without and with the reverse adjacency.
The aim: 2 times the decompression on two processors, 1.25 times where there are enough.
"""
import argparse
import os
import pathlib
import re
import shutil
import sys
import tempfile

import loading
import plots
import units
from cases import (Case, capture, figure_text, make_parser, program, ranked, ratio_text,
                   read_rows, rounds_text, run_study)
from runner import Failed

EPILOGUE = """\
examples:
  perf/study wikipedia --dumps .cache/simplewiki-20261101
  perf/study wikipedia --dumps .cache/enwiki-20261101 --threads 2,8 --rounds 6
Prints the table and writes FOLDER/study.html, study.md, results.csv, results.json and the plot.
Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130 interrupted (what is done is
written)."""
TIMED = """\
import resource, subprocess, sys, time
start = time.monotonic()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=False)
seconds, use = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
print(f'seconds,processor_seconds\\n{seconds},{use.ru_utime + use.ru_stime}')
sys.exit(done.returncode)
"""


def thread_counts(text):
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", text):
        raise argparse.ArgumentTypeError(f'expected numbers such as 2,8, found "{text}"')
    return [int(word) for word in text.split(",")]


def parse(arguments):
    processors = len(os.sched_getaffinity(0))
    usual = sorted({count for count in (1, 2, 4, 8, processors) if count <= processors})
    parser = make_parser("wikipedia", "How long the import of a Wikipedia takes, beside the "
                         "decompression of its links alone.", EPILOGUE, rounds=5, of_graph=False)
    add = parser.add_argument
    add("--dumps", type=pathlib.Path, metavar="FOLDER", required=True, help="the dumps of a wiki, as "
        "wikipedia/fetch leaves them")
    add("--threads", type=thread_counts, default=usual, metavar="LIST", help="numbers of threads, "
        f"at commas (default: {','.join(map(str, usual))})")
    return parser.parse_args(arguments)


def find_links(where):
    """The dump of the links."""
    links = sorted(where.glob("*-pagelinks.sql.gz"))
    if len(links) != 1:
        raise Failed(f"{where} has no file *-pagelinks.sql.gz, or several")
    return links[0]


def import_cases(options, where, links, out):
    def timed(label, *words):
        return Case(label, [sys.executable, "-c", TIMED, *words], lambda text: read_rows(text)[0])

    cases = [timed("decompression of pagelinks", "igzip", "-dc", links)]
    for ending, more in (("", ["--without-reverse"]), (" and reverse", [])):
        cases += [timed(f"{count} thread{'s' * (count > 1)}{ending}", program(options, "wikipedia-import"), "--quiet",
                        f"--threads={count}", *more, where, out) for count in options.threads]
    return cases


def make(study):
    options = study.options
    if shutil.which("igzip") is None:
        raise Failed("igzip, which only decompresses, is not there: ./setup.sh plot installs it")
    with tempfile.TemporaryDirectory() as name:
        where = options.dumps
        links = find_links(where)
        cases = import_cases(options, where, links, pathlib.Path(name) / "out.pwg")
        study.say("filling the page cache")
        for path in sorted(where.glob("*.sql.gz")):
            capture([sys.executable, "-c", loading.READ, str(path)])
        title = "Importing a Wikipedia"
        study.page.paragraph(f"{where}: {links.stat().st_size / 1e6:,.0f} MB of compressed links. " + rounds_text(options.rounds))
        study.measure(title, cases)
        study.page.heading(title)
        study.page.table(["", "time", "processor time", "x decompression"], [
            [case.label, figure_text(case.values("seconds"), units.seconds),
             figure_text(case.values("processor_seconds"), units.seconds), ratio_text(cases[0], case)] for case in cases])
        study.page.paragraph("The aim is 2 times the decompression on two processors, and 1.25 times where there "
                             "are enough. Without \"and reverse\", the graph has no reverse adjacency.", "note")
        study.page.plot("The line is the interval.", plots.dots, "wikipedia", title, "time", ranked(cases),
                        unit="s")
        study.show()


def main(arguments=None):
    return run_study("wikipedia", "Importing a Wikipedia", parse(arguments), make)
