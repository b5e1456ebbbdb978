"""The options of judge, and its order of work: build, contract, memory, speed, card."""
import argparse
import contextlib
import json
import os
import secrets
import signal
import sys
import tempfile

import autograder
import batch
import building
import cache
import card_files
import card_html
import card_text
import contract
import grade
import memory
import mend
import operations
import own_search
import speed
import threads
from levels import LEVELS, not_asked
from own_name import as_called, complain, own_name
from printable import clean, counted, printable
from rules import FAILED, PASSED, RULES, Rule, not_reached
from sandbox import Sandbox
from speaker import Speaker
from submission import HERE, CannotGrade, Submission

DESCRIPTION = """\
Build a submission of the Pointer Wars challenge in a sandbox, hold it against
every promise of the interface, and write a card with a score from 0 to 100.

SUBMISSION is a folder with a Makefile, a CMakeLists.txt or bare C or C++ files,
or with liblinked_list.so and libqueue.so; a zip or tar file of such a folder;
or the two libraries."""
EPILOGUE = """\
The score is in the card; the exit status only says whether there is one.

examples:
  judge/judge hand-in/
  judge/judge hand-in/ --format json --output card.json
  judge/judge build/release/lib --env LINKED_LIST_ALLOC=slab
  judge/judge hand-in/ --graph GRAPH --pairs PAIRS --format html -o card.html
  judge/judge --batch hand-ins/ --output cards/ --jobs 4
  judge/judge --gradescope autograder.zip --level 2

Exit status: 0 graded, 1 could not grade, 2 wrong usage, 130 interrupted."""
FORMATS = {"text": card_text.text, "json": lambda card: json.dumps(card, indent=1) + "\n",
           "gradescope": card_files.gradescope, "classroom50": card_files.classroom50, "html": card_html.html}


def positive(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f'expected a number above 0, found "{text}"')
    return value


def ratios(text):
    try:
        return grade.check_scale(text.split(":"))
    except CannotGrade as problem:
        raise argparse.ArgumentTypeError(f'{problem}; found "{text}"') from None


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
        prog=own_name("judge"), description=DESCRIPTION, epilog=as_called(EPILOGUE),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    add = made.add_argument
    add("submission", nargs="*", metavar="SUBMISSION", help="a folder, a zip or tar file, or the two libraries")
    add("-f", "--format", choices=FORMATS, default="text", help="format of the card (default: text)")
    add("-o", "--output", metavar="FILE", help="write the card to FILE; of a batch, the folder")
    add("--graph", metavar="GRAPH", help="graph to search: any with ids that bfs reads (default: "
        "generate:nodes=100k, another for each run)")
    add("--pairs", metavar="PAIRS", help="pairs to search for (default: random:10, others in each round)")
    add("--time", metavar="SECONDS", type=positive, default=60.0,
        help="for the timed runs (default: 60)")
    add("--no-speed", dest="speed", action="store_false", help="do not measure speed")
    add("--no-memory", dest="memory", action="store_false", help="do not run Valgrind")
    add("--level", type=int, choices=LEVELS, help="level of the challenge: 1 is the list, 2 the "
        "list and the queue, 3 these and a search program, 4 lists and queues in several threads (default: "
        "recognised from the files)")
    add("--untimed", action="store_true", help=argparse.SUPPRESS)  # a batch times later
    add("--cache", metavar="FOLDER", help=argparse.SUPPRESS)  # of a batch: what its judges share
    add("--scale", metavar="LOW:HIGH", type=ratios,
        help="ratios to the plain list for which speed earns nothing and everything "
        "(default: 0.5:4)")
    add("--rubric", metavar="FILE", help="points, gates, scale and weights, TOML or JSON")
    add("--batch", metavar="FOLDER", help="judge every folder and every zip or tar file within, and "
        "write a ranking; FOLDER may be such a file itself")
    add("--gradescope", metavar="ZIP", help="write the zip file that Gradescope wants, for a judge with these "
        "options")
    add("--jobs", metavar="N", type=whole, default=os.cpu_count() or 1,
        help="submissions of a batch judged at a time; timed runs never overlap (default: processors)")
    add("--patience", metavar="SECONDS", type=positive, default=3600.0,
        help="wall-clock limit for one submission of a batch; its card then says so "
        "(default: 3600)")
    add("--limit", metavar="SECONDS", type=positive, default=10.0,
        help="limit of processor time, or of sleep, for each script of calls (default: 10)")
    add("--env", metavar="NAME=VALUE", type=variable, action="append", default=[],
        help="a variable for the submission; otherwise it has an empty environment")
    add("--isolation", choices=["auto", "bubblewrap", "plain"], default="auto",
        help="auto: bubblewrap where it works; plain: without it (default: auto)")
    add("--calls", metavar="N", type=whole, default=contract.RANDOM_CALLS,
        help="random calls per seed; there are two seeds (default: 100000)")
    add("--seed", metavar="N", type=int, help="seed of random calls, graph and pairs (default: 1 for calls; "
        "graph and pairs are drawn)")
    add("--bfs", metavar="BFS", help="the bfs that gives the right answers (default: of this tree, or installed)")
    add("--list-rules", action="store_true", help="print every rule and its promise")
    add("-q", "--quiet", action="store_true", help="no progress")
    add("-V", "--version", action="version", version=f"{own_name('judge')} (pointer_wars) {version()}")
    return made


def version():
    """The version of the tree, or of the installed judge."""
    for place in (HERE.parent / "CMakeLists.txt", HERE / "version.txt"):
        try:
            text = place.read_text(encoding="utf-8")
        except OSError:
            continue
        words = text.split("project(pointer_wars VERSION ")[-1].split()
        return words[0]
    return "unknown"


@contextlib.contextmanager
def open_umask():
    """What root puts into a box is for the box's user to read; the box's folder is closed to all others. The
    card keeps to the caller's umask."""
    mask = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(mask)


def judge(options, rubric, say):
    """The card of one submission."""
    with open_umask(), Sandbox(options.isolation) as box:
        submission = Submission(options.submission, box, say, level=options.level,
                                isolation=options.isolation)
        submission.copy()
        rules, figures, calls, many = submission.make(), None, None, None
        times = dict(speed.NOTHING) if options.speed else None
        if submission.level == 1:
            times = None  # no queue, no search
        if submission.is_built:
            more, figures, times, many = judge_built(options, submission, rubric, rules, say)
            rules += more
            if submission.level == 1 and options.speed and not options.untimed:
                calls = time_calls(options, submission, rules, say)
        asked = ["build", "contract"] + (["memory"] if options.memory else [])
        rules += not_reached(rules, asked, "not reached",
                             not_asked(submission.level or 2, submission.has_cleanup))
        score, points, notes = grade.grade(rules, times, rubric)
        card = {
            "schema": "pointer-wars-card/1",
            "submission": {"name": submission.label},
            "score": score, "points": points, "rubric": rubric.as_json(),
            "build": submission.build, "rules": [rule.as_json() for rule in rules],
            "memory": figures, "speed": times, "operations": calls, "threads": many,
            "isolation": box.describe(),
            "notes": submission.notes + notes,
        }
        return clean(card)


def time_calls(options, submission, rules, say):
    """Seconds of a script of list calls; None unless they do as they should."""
    if any(rule.status == FAILED and rule.group in ("build", "contract") for rule in rules):
        return None
    return operations.judge(options, submission, rules, say, options.seed or secrets.randbits(64))


def judge_built(options, submission, rubric, before, say):
    """(rules, memory, speed, threads) of what was built; times are only taken when they can count."""
    problem = submission.compile(HERE / "player.c", "player")
    if problem is not None:
        rule = Rule("harness")
        return [rule.failed("it links", problem)], None, \
            dict(speed.NOTHING) if options.speed and submission.level > 1 else None, None
    player = contract.Player(submission, options.limit, dict(options.env))
    rules = contract.judge(player, say, seeds=(options.seed or 1, (options.seed or 1) + 1),
                           random_calls=options.calls)
    figures = times = many = None
    if submission.level == 4:
        more, many = threads.judge(options, player, say)
        rules += more
    if options.memory and not any(rule.name == contract.FIRST and rule.status == FAILED for rule in rules):
        more, figures = memory.judge(player, say, options.limit)
        rules += more
    if options.speed and submission.level > 1:
        times = dict(speed.NOTHING)
        if not options.untimed and not rubric.closed(before + rules):
            rule, times = speed.judge(options, submission, say)
            rules.append(rule)
            if submission.level == 3 and rule.status == PASSED:
                with tempfile.TemporaryDirectory(prefix="judge-graph-") as scratch:
                    rule, times["own_search"] = own_search.judge(options, submission, scratch, say,
                                                                 speed.seeds(options.seed)[1])
                rules.append(rule)
    return rules, figures, times, many


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


def read_options(arguments):
    made = parser()
    options = made.parse_args(arguments)
    if options.list_rules:
        return options
    if [bool(options.batch), bool(options.submission), bool(options.gradescope)].count(True) != 1:
        made.error("expected one SUBMISSION, --batch FOLDER or --gradescope ZIP")
    if options.pairs is not None and options.graph is None:
        made.error("--pairs needs --graph")
    return options


def check_output(path):
    """Before the minute that a card takes: a name that nothing can be written to."""
    if os.path.isdir(path):
        raise CannotGrade(f"{path}: is a folder; --output of one card names a file")
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise CannotGrade(f"{path}: there is no such folder")


def judge_one(options, rubric, say):
    if options.output:
        check_output(options.output)
    card = judge(options, rubric, say)
    if options.output and options.format == "text":
        write_with_program(options.output, card)
    elif options.output:  # other formats have the program within
        write_whole(options.output, FORMATS[options.format](card))
    else:
        colours = options.format == "text" and sys.stdout.isatty()
        sys.stdout.write(card_text.text(card, True) if colours else FORMATS[options.format](card))
        sys.stdout.flush()
    if options.output:
        say(f"{card['score']:g} of 100: {options.output}", final=True)


def write_with_program(path, card):
    """The card, and beside it the program that it names with the headers that the hand-in lacks."""
    program = os.path.splitext(path)[0] + "-shown.c"
    rule = mend.first_rule(card)
    write_whole(path, card_text.text(card, program=os.path.basename(program)))
    if rule and rule["program"]:
        write_whole(program, rule["program"])
        if card["build"]["headers"] != "the submission's":
            building.write_challenge_headers(os.path.dirname(os.path.abspath(path)))
    elif os.path.exists(program):
        os.remove(program)  # of an earlier card


def words_of(options):
    """Only the options that change a card, as words for another judge."""
    words = [word for name in ("graph", "pairs", "rubric", "bfs") if getattr(options, name)
             for word in (f"--{name}", getattr(options, name))]
    words += ["--seed", str(options.seed)] if options.seed is not None else []
    words += [word for name in ("time", "limit", "isolation", "calls")
              for word in (f"--{name}", str(getattr(options, name)))]
    words += ["--level", str(options.level)] if options.level else []
    words += [word for pair in options.env for word in ("--env", "=".join(pair))]
    words += ["--scale", ":".join(map(str, options.scale))] if options.scale else []
    return words + ([] if options.memory else ["--no-memory"]) + ([] if options.speed else ["--no-speed"])


def judge_batch(options, rubric, say):
    runs = batch.Batch(options, words_of(options), rubric, say)
    cards = runs.run()
    sys.stdout.write(batch.ranking(runs, cards))
    for name, problem in sorted(runs.problems.items()):
        complain("judge", f"{printable(name)}: {problem}")
    print(f"{counted(len(cards), 'card')} and the ranking are in {runs.output}")
    return 1 if runs.problems else 0


def list_rules():
    for name, group, promise in RULES:
        print(f"{group:<9} {name:<18} {promise}")
    return 0


def main(arguments=None):
    options = read_options(arguments)
    if options.list_rules:
        return list_rules()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    say = Speaker()
    quiet = say if not options.quiet else lambda text, final=False: None
    try:
        if options.cache:
            cache.use(options.cache)
        rubric = grade.read_rubric(options.rubric)
        rubric.scale = options.scale or rubric.scale
        if options.gradescope:
            options.bfs = None  # which is built there
            autograder.write_zip(options.gradescope, words_of(options))
            return 0
        if options.batch:
            return judge_batch(options, rubric, quiet)
        judge_one(options, rubric, quiet)
        return 0
    except CannotGrade as problem:
        message = str(problem)
    except OSError as problem:
        message = f"{problem.filename}: {problem.strerror}" if problem.filename else \
            problem.strerror or str(problem)
    except KeyboardInterrupt:
        say.clear()
        complain("judge", "interrupted")
        return 130
    except Exception as problem:  # pylint: disable=broad-except
        message = f"a fault of the judge: {type(problem).__name__}: {problem}"
        if os.environ.get("JUDGE_TRACE"):
            raise
    say.clear()
    complain("judge", printable(message))
    return 1
