"""The options of judge, and its order of work: build, contract, memory, speed, card."""
import argparse
import json
import os
import signal
import sys
import tempfile

import card_text
import contract
import grade
from rules import Rule
from sandbox import Sandbox
from speaker import Speaker
from submission import HERE, CannotGrade, Submission

DESCRIPTION = """\
Build a submission of the Pointer Wars challenge in a sandbox, hold it against every promise of the
interface, and write a card with a score from 0 to 100.

SUBMISSION is a folder with a Makefile, a CMakeLists.txt or bare C or C++ files, or with
liblinked_list.so and libqueue.so; or the two libraries."""
EPILOGUE = """\
The score is in the card; the exit status only says whether there is one.
examples:
  perf/judge/judge hand-in/
  perf/judge/judge hand-in/ --format json --output card.json
  perf/judge/judge build/release/lib
Exit status: 0 graded, 1 could not grade, 2 wrong usage, 130 interrupted."""
FORMATS = {"text": None, "json": None}


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f'expected a number above 0, found "{text}"')
    return value


def whole(text):
    if not text.isdigit() or not 0 < int(text) <= 10 ** 7:
        raise argparse.ArgumentTypeError(f'expected a number from 1 to 10000000, found "{text}"')
    return int(text)


def variable(text):
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise argparse.ArgumentTypeError(f'expected NAME=VALUE, found "{text}"')
    return name, value


def parser():
    made = argparse.ArgumentParser(
        prog="judge", description=DESCRIPTION, epilog=EPILOGUE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = made.add_argument
    add("submission", nargs="+", metavar="SUBMISSION", help="a folder, or the two libraries")
    add("-f", "--format", choices=FORMATS, default="text", help="of the card (default: text)")
    add("-o", "--output", metavar="FILE", help="write the card to FILE")
    add("--rubric", metavar="FILE", help="points, gates and weights, TOML or JSON")
    add("--limit", metavar="SECONDS", type=positive, default=10.0,
        help="for each script of calls (default: 10)")
    add("--env", metavar="NAME=VALUE", type=variable, action="append", default=[],
        help="a variable for the submission; otherwise it has an empty environment")
    add("--isolation", choices=["auto", "bubblewrap", "plain"], default="auto",
        help="auto: bubblewrap where it works; plain: without it (default: auto)")
    add("--calls", metavar="N", type=whole, default=contract.RANDOM_CALLS,
        help="random calls per seed; there are two seeds (default: 100000)")
    add("--seed", metavar="N", type=int, default=1, help="of the random calls (default: 1)")
    add("-q", "--quiet", action="store_true", help="no progress")
    add("-V", "--version", action="version", version=f"judge (pointer_wars) {version()}")
    return made


def version():
    """That of the tree, or of what is installed."""
    for place in (HERE.parents[1] / "CMakeLists.txt", HERE / "version.txt"):
        try:
            text = place.read_text(encoding="utf-8")
        except OSError:
            continue
        words = text.split("project(pointer_wars VERSION ")[-1].split()
        return words[0]
    return "unknown"


def judge(options, rubric, say):
    """The card of one submission."""
    with Sandbox(options.isolation) as box:
        submission = Submission(options.submission, box, say)
        submission.copy()
        rules = submission.make()
        if submission.is_built:
            rules += judge_built(options, submission, say)
        score, points, notes = grade.grade(rules, None, rubric, submission.is_built)
        return {
            "schema": "pointer-wars-card/1",
            "submission": {"name": submission.label,
                           "paths": [str(path) for path in submission.paths]},
            "score": score, "points": points, "rubric": rubric.as_json(),
            "build": submission.build, "rules": [rule.as_json() for rule in rules],
            "memory": None, "speed": None, "isolation": box.describe(),
            "notes": submission.notes + notes,
        }


def judge_built(options, submission, say):
    problem = submission.compile(HERE / "player.c", "player")
    if problem is not None:
        rule = Rule("harness", "build", "a harness compiles and links with headers and libraries")
        return [rule.failed("it links", problem)]
    player = contract.Player(submission, options.limit, dict(options.env))
    return contract.judge(player, say, seeds=(options.seed, options.seed + 1),
                          random_calls=options.calls)


def write_whole(path, text):
    """The file gets its name only when it is complete."""
    folder = os.path.dirname(os.path.abspath(path))
    file, name = tempfile.mkstemp(dir=folder, prefix=".judge-")
    try:
        with os.fdopen(file, "w", encoding="utf-8") as out:
            out.write(text)
        os.chmod(name, 0o666 & ~umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def render(card, form, colours=False):
    if form == "json":
        return json.dumps(card, indent=1) + "\n"
    return card_text.text(card, colours)


def main(arguments=None):
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    say = Speaker()
    try:
        rubric = grade.read_rubric(options.rubric)
        card = judge(options, rubric, (lambda text: None) if options.quiet else say)
        say.clear()
        if options.output:
            write_whole(options.output, render(card, options.format))
        else:
            sys.stdout.write(render(card, options.format, sys.stdout.isatty()))
            sys.stdout.flush()
        return 0
    except CannotGrade as problem:
        message = str(problem)
    except OSError as problem:
        message = f"{problem.filename}: {problem.strerror}" if problem.filename else str(problem)
    except KeyboardInterrupt:
        say.clear()
        print("judge: interrupted", file=sys.stderr)
        return 130
    say.clear()
    print(f"judge: {message}", file=sys.stderr)
    return 1
