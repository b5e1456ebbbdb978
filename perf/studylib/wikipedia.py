"""perf/study wikipedia: how long an import takes, beside the decompression of its links alone.

1. Dumps of a made-up wiki, or of a real one (--dumps), in the page cache.
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
                   read_rows, rounds_text, run_study, size)
from runner import Failed

EPILOGUE = """\
examples:
  perf/study wikipedia
  perf/study wikipedia --full --rounds 6
  perf/study wikipedia --dumps .cache/simplewiki-20261101 --threads 2,8
--full takes 1.1 GB of disk for the dumps, 1 GB for the graph, and some minutes to make them.
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
    add("--full", action="store_true", help="a tenth of the English Wikipedia: 6.4M pages")
    add("--pages", type=size, default=640000, metavar="N", help="pages of the made-up wiki "
        "(default: 640k)")
    add("--links", type=size, default=60, metavar="N", help="links per article (default: %(default)s)")
    add("--dumps", type=pathlib.Path, metavar="FOLDER", help="dumps to import instead")
    add("--threads", type=thread_counts, default=usual, metavar="LIST", help="numbers of threads, "
        f"at commas (default: {','.join(map(str, usual))})")
    options = parser.parse_args(arguments)
    if options.full:
        options.pages = 6400000
    return options


def find_dumps(options, folder):
    """The folder of the dumps, and the one of the links."""
    where = options.dumps or folder / "dumps"
    if options.dumps is None:
        capture([str(program(options, "wikipedia-generate")), "--quiet", f"--pages={options.pages}",
                 f"--links={options.links}", str(where)])
    links = sorted(where.glob("*-pagelinks.sql.gz"))
    if len(links) != 1:
        raise Failed(f"{where} has no file *-pagelinks.sql.gz, or several")
    return where, links[0]


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
        study.say("making the dumps")
        where, links = find_dumps(options, pathlib.Path(name))
        cases = import_cases(options, where, links, pathlib.Path(name) / "out.pwg")
        study.say("filling the page cache")
        for path in sorted(where.glob("*.sql.gz")):
            capture([sys.executable, "-c", loading.READ, str(path)])
        title = "Importing a Wikipedia"
        study.page.paragraph(f"{where if options.dumps else 'A made-up wiki'}: "
                             f"{links.stat().st_size / 1e6:,.0f} MB of compressed links. " + rounds_text(options.rounds))
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
