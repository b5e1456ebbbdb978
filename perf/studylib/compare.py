"""perf/compare: two reports of bfs made earlier, beside each other."""
import argparse
import json

import model
import units
from own_name import as_called, complain, own_name
from stats import median, ratio_interval

EPILOGUE = """\
A and B are reports of bfs --format json on the same graph and pairs; with --trials N each has N
times of every search. In brackets: the interval of the change, with 95 % confidence. A change whose
interval includes zero is no measurable difference, and is marked ~.
examples:
  bfs GRAPH PAIRS --trials 9 --format json --output before.json
  perf/compare before.json after.json --fail-if-slower 5%
Exit status: 0 done, 1 slower than allowed or a file that is not such a report, 2 wrong usage."""


class Problem(Exception):
    """One line."""


def share(text):
    """"5%" or "0.05"."""
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 100:
        raise argparse.ArgumentTypeError(f'expected a share such as 5%, found "{text}"')
    return value


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except OSError as problem:
        raise Problem(f"{path}: {problem.strerror}") from None
    except ValueError as problem:
        raise Problem(f"{path}: not JSON: {problem}") from None
    if not isinstance(report, dict) or not str(report.get("schema", "")).startswith(
            "pointer-wars-bfs/"):
        raise Problem(f"{path}: not a report of bfs --format json")
    return report


def trials(report):
    """{search: [seconds of each trial]}, of searches that came to their end."""
    found = {}
    for row in report["searches"]:
        if row.get("status") == "done" and row.get("seconds") is not None:
            found.setdefault(row["search"], []).append(row["seconds"])
    return found


def totals(times, searches):
    """The sum over these searches, of each trial that has them all."""
    count = min((len(times[search]) for search in searches), default=0)
    return [sum(times[search][i] for search in searches) for i in range(count)]


def check_alike(a, b, force):
    """The same work? Returns what differs, as sentences."""
    found = []
    for name in ("checksum", "nodes", "edges"):
        one, two = a["context"]["graph"].get(name), b["context"]["graph"].get(name)
        if one is not None and two is not None and one != two:
            found.append(f"the graphs differ ({name} {one} and {two})")
            break
    one = {row["search"]: (row["source"], row["target"]) for row in a["searches"]}
    two = {row["search"]: (row["source"], row["target"]) for row in b["searches"]}
    common = set(one) & set(two)
    if not common:
        raise Problem("the two reports have no search in common")
    if any(one[search] != two[search] for search in common):
        found.append("the pairs differ")
    if found and not force:
        raise Problem("; ".join(found) + " (--force compares them all the same)")
    return found


def describe(report):
    context = report["context"]
    return (f"{context['allocator']['specification']}, {context['engine']}, "
            f"{context.get('cpu')}, {context.get('kernel')}")


def line(title, one, two, change):
    print(f"  {title:<32} {one:>16} {two:>16}   {change}")


def compare_times(a, b):
    """The lines of the searches; returns the change of their sum."""
    times_a, times_b = trials(a), trials(b)
    common = sorted(set(times_a) & set(times_b))
    if not common:
        raise Problem("no search finished in both reports")
    print(f"  {'':<32} {'A':>16} {'B':>16}   change")
    for search in common if len(common) <= 20 else []:
        one, two = times_a[search], times_b[search]
        line(f"search {search}", units.seconds(median(one)), units.seconds(median(two)),
             Change(one, two).words())
    one, two = totals(times_a, common), totals(times_b, common)
    change = Change(one, two)
    line(f"all {len(common)} searches", units.seconds(median(one)), units.seconds(median(two)),
         change.words())
    return change


class Change:
    """Of two samples that were not made in turns."""

    def __init__(self, one, two, confidence=0.95):
        self.ratio, self.low, self.high, self.confidence = ratio_interval(one, two, confidence)
        self.change = self.ratio - 1
        self.known = self.ratio > 0
        self.single = len(one) < 2 or len(two) < 2
        enough = self.confidence >= confidence
        self.real = enough and not self.low <= 1 <= self.high and abs(self.change) > 0.005

    def words(self):
        if not self.known:
            return "-"
        if self.single:
            return f"{self.change * 100:+.1f} % (one trial: no spread)"
        verdict = "" if self.real else "~"
        return (f"{verdict}{self.change * 100:+.1f} % ({(self.low - 1) * 100:+.1f} to "
                f"{(self.high - 1) * 100:+.1f})")


def compare_counts(a, b):
    one, two = model.run_values(a), model.run_values(b)
    for metric in model.RUN + model.COUNTERS:
        before, after = one.get(metric.key), two.get(metric.key)
        if metric.kind == "time" or before is None or after is None:
            continue
        change = "the same" if before == after else \
            f"{(after / before - 1) * 100:+.1f} %" if before else "-"
        line(metric.title, model.show(metric, before), model.show(metric, after), change)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog=own_name("compare"), description="Compare two reports of bfs.", epilog=as_called(EPILOGUE),
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", metavar="A.json", help="before")
    parser.add_argument("b", metavar="B.json", help="after")
    parser.add_argument("--fail-if-slower", type=share, metavar="SHARE",
                        help="exit 1 when B takes that much longer, as in 5%%, and the change is "
                        "real")
    parser.add_argument("--force", action="store_true", help="compare also reports of different graphs or pairs")
    options = parser.parse_args(arguments)
    try:
        a, b = read(options.a), read(options.b)
        remarks = check_alike(a, b, options.force)
        print(f"A: {options.a}: {describe(a)}\nB: {options.b}: {describe(b)}")
        for remark in remarks:
            print(f"Beware: {remark}.")
        change = compare_times(a, b)
        compare_counts(a, b)
    except (KeyError, TypeError, AttributeError) as problem:
        complain("compare", f"a report lacks something: {problem}")
        return 1
    except Problem as problem:
        complain("compare", problem)
        return 1
    if change.confidence < 0.95:
        print("With so few trials no change is clear of noise: use --trials 5 or more.")
    if options.fail_if_slower is not None and change.change > options.fail_if_slower:
        if change.real or change.confidence < 0.95:
            complain("compare", f"B takes {change.change * 100:.1f} % longer, allowed are "
                     f"{options.fail_if_slower * 100:g} %")
            return 1
        print(f"B takes {change.change * 100:.1f} % longer, but that is within the noise of its "
              "trials.")
    return 0
