"""perf/study program: what malloc costs in any program, or where its memory went, on a page with
plots.

1. allocbench records the command, makes its requests of each allocator (trace), and measures the
   command with and without allocation (program).
2. The tables and plots of both go on one page.
3. --memory: the page is of `allocbench memory` in place of these.
"""
import argparse
import pathlib
import subprocess

from cases import program, programs
from experiments import write_page
from own_name import as_called, complain, own_name
from runner import Failed, attend

RECORDING = "program.rec"

EPILOGUE = """\
examples:
  perf/study program -- sort words.txt
  perf/study program --alloc malloc,lib:mimalloc --only cc1 -- gcc -O2 -c big.c
  perf/study program --memory -- sort words.txt
Prints the tables and writes FOLDER/index.html, index.md, the plots (SVG and PNG), the recording, and
the CSV of allocbench. Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130
interrupted."""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog=own_name("study") + " program", description="What malloc costs in any program, by eliminating it.",
        usage=own_name("study") + " program [OPTION]... -- COMMAND...", epilog=as_called(EPILOGUE),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--alloc", metavar="LIST", default="malloc",
        help="the allocators beside the command's own malloc (default: none)")
    add("--runs", metavar="N", type=int, help="runs of each case (default: 9)")
    add("--only", metavar="NAME", help="of the programs that the command starts, this one")
    add("--input", metavar="FILE", help="standard input of the command (default: empty)")
    add("--memory", action="store_true", help="where its memory went, and which allocator gives it back")
    add("--no-replay", action="store_true", help="compare allocators only")
    add("--bin", type=pathlib.Path, default=programs(), metavar="DIR",
        help="the folder of allocbench (default: of this source tree, or installed beside)")
    add("--output", type=pathlib.Path, default=pathlib.Path("study-program"), metavar="DIR",
        help="the folder for page, data and plots (default: %(default)s)")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:end])
    options.command = arguments[end + 1:]
    if not options.command:
        parser.error(f"which command? {own_name('study')} program -- sort words.txt")
    return options


def run(options, words, **more):
    """Run allocbench; its exit status."""
    return attend([str(program(options, "allocbench")), *words], **more)


def measure(options):
    """The status of the first step that fails."""
    options.output.mkdir(parents=True, exist_ok=True)
    folder, recording = str(options.output), str(options.output / RECORDING)
    only = ["--only", options.only] if options.only else []
    runs = ["--runs", str(options.runs)] if options.runs else []
    given = ["--input", options.input] if options.input else []
    if options.memory:
        return run(options, ["memory", "--output", folder, "--alloc", options.alloc, *only, *runs, *given,
                             "--", *options.command], stdout=subprocess.DEVNULL)
    measured = [*only, *runs, *given, *(["--no-replay"] if options.no_replay else [])]
    status = run(options, ["program", "--output", folder, "--alloc", options.alloc, *measured, "--",
                           *options.command], stdout=subprocess.DEVNULL)
    if status != 0:
        return status
    with open(options.input or "/dev/null", "rb") as stdin:
        run(options, ["record", "--output", recording, *only, "--", *options.command], stdin=stdin,
            stdout=subprocess.DEVNULL)
    if not (options.output / RECORDING).exists():
        return 1
    return run(options, ["trace", recording, "--output", folder, "--alloc", options.alloc, *runs],
               stdout=subprocess.DEVNULL)


def main(arguments):
    options = parse(arguments)
    try:
        status = measure(options)
        if status != 0:
            return status if status in (2, 130) else 1  # allocbench has said why
        page = write_page(options.output, ["memory"] if options.memory else ["program", "trace"])
    except (Failed, OSError, ValueError, KeyError) as problem:
        complain("study", problem)
        return 1
    print("\n".join(page.text))
    print(options.output / "index.html")
    for failure in page.failures:
        complain("study", failure)
    return 1 if page.failures else 0
