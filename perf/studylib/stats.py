"""Figures of repeated runs, as `bfs-compare --values` computes them, and what a difference is.

That program is the one place where a median, a spread or an interval is computed; it is asked
through two pipes. The interval of a median is between two order statistics: exact, whatever the
distribution. Its real confidence is given, because with few runs it cannot be had at will. A
difference from the baseline is the median of the ratios of runs made in the same round, so that slow
drifts of the machine cancel; one that is not larger than the machine's own noise (the baseline
against itself) is called none.
"""
import atexit
import functools
import json
import os
import pathlib
import shutil
import subprocess

from runner import Failed

CONFIDENCE = 0.95
NAME = "bfs-compare"
_places = []   # folders of the programs that a command line named; the last one counts
_running = {}  # (confidence, apart): the process that is asked


def use(folder):
    """Ask the program of this folder, which a command line named."""
    if (folder / NAME).exists() and folder not in _places:
        _places.append(folder)


def _program():
    here = pathlib.Path(__file__).resolve()
    in_tree = (here.parents[2] / "CMakeLists.txt").exists()
    places = [*reversed(_places), here.parents[2] / "build" / "release" / "bin" if in_tree
              else here.parents[3] / "bin"]
    for place in [*(folder / NAME for folder in places), shutil.which(NAME)]:
        if place and os.access(place, os.X_OK):
            return str(place)
    raise Failed(f"{NAME} is not built: cmake --preset release && cmake --build --preset release")


def _start(confidence, apart):
    """The process that is asked. It has no Ctrl-C: it ends when this one does, or before that: the
    judge ends all that it started after each run of a submission. Then there is a new one."""
    before = _running.get((confidence, apart))
    if before is None or before.poll() is not None:
        if before is not None:
            atexit.unregister(before.stdin.close)
            before.stdin.close()
            before.stdout.close()
        words = [_program(), "--values", "-", "--format", "json", "--confidence", repr(confidence)]
        process = subprocess.Popen(words + ["--apart"] * apart, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, start_new_session=True)
        atexit.register(process.stdin.close)
        _running[confidence, apart] = process
    return _running[confidence, apart]


@functools.lru_cache(maxsize=None)
def _ask(samples, confidence=CONFIDENCE, apart=False):
    """The figures of samples, a tuple of tuples of numbers, each with its ratio to the first."""
    process = _start(confidence, apart)
    lines = [f"{index},{number},{value!r}" for index, values in enumerate(samples)
             for number, value in enumerate(values, 1)]
    process.stdin.write("\n".join(["case,round,value", *lines, "", ""]))
    process.stdin.flush()
    answer = []
    while not answer or answer[-1] != "}\n":
        answer.append(process.stdout.readline())
        if not answer[-1]:
            raise Failed(f"{NAME} ended")
    found = {int(row["case"]): row for row in json.loads("".join(answer))["figures"]}
    return [found[index] for index in range(len(samples))]


def _of_one(values, confidence=CONFIDENCE):
    return _ask((tuple(values),), confidence)[0]


def median(values):
    return _of_one(values)["median"]


def interval(values, confidence=CONFIDENCE):
    """(low, high, real confidence) of the median; with less than the wished confidence the whole
    range is given, and the confidence it has."""
    found = _of_one(values, confidence)
    if found["runs"] == 1:
        return found["median"], found["median"], 0.0
    return found["low"], found["high"], found["confidence"]


class Figure:
    """A value with the ends of its interval; None for both where nothing is known of the spread, as
    of a single run."""

    def __init__(self, value, low=None, high=None):
        self.value, self.low, self.high = value, low, high

    @property
    def is_known(self):
        return self.low is not None

    @property
    def half(self):
        return (self.high - self.low) / 2 if self.is_known else 0.0

    @property
    def is_clear(self):
        """True if it is larger than its spread. One that is not says nothing: it is marked, and
        enters no verdict and no plot. A single run's is clear: nothing is known against it.
        """
        return self.half == 0 or self.half < abs(self.value)

    def scaled(self, factor):
        return Figure(self.value * factor, *([self.low * factor, self.high * factor]
                                             if self.is_known else []))

    def _with(self, other, combine):
        """Both combined; the interval is the widest that their own allow. A count without one is
        exact."""
        ends = [[one.low, one.high] if one.is_known else [one.value] for one in (self, other)]
        made = [combine(first, second) for first in ends[0] for second in ends[1]]
        return Figure(combine(self.value, other.value),
                      *([min(made), max(made)] if self.is_known or other.is_known else []))

    def plus(self, other):
        return self._with(other, lambda first, second: first + second)

    def times(self, other):
        return self._with(other, lambda first, second: first * second)

    def differs(self, other):
        """True if the two intervals are known, and lie apart."""
        return self.is_known and other.is_known and (self.low > other.high or other.low > self.high)


def figure_of(values, confidence=CONFIDENCE):
    """The median with its interval; None of no values."""
    if not values:
        return None
    found = _of_one(values, confidence)
    return Figure(found["median"], found["low"], found["high"])


def spread(values):
    """Half the distance of the quartiles, as a share of the median; 0 where it is not known."""
    return (_of_one(values)["spread"] or 0.0) if values else 0.0


def ratios(values, baseline):
    """Of each round that both have."""
    return [a / b for a, b in zip(values, baseline) if b]


def _ratio(values, baseline, confidence=CONFIDENCE, apart=False):
    """(ratio, low, high, real confidence) of values to the baseline's; None if there is none."""
    if not values or not baseline:
        return None
    found = _ask((tuple(baseline), tuple(values)), confidence, apart)[1]
    if found["ratio"] is None:
        return None
    return found["ratio"], found["ratio_low"], found["ratio_high"], found["ratio_confidence"]


class Difference:
    """values against baseline: ratio, low, high, confidence, and a verdict."""

    def __init__(self, values, baseline, noise=0.0, confidence=CONFIDENCE):
        self.noise = noise
        self.exact = False
        found = _ratio(values, baseline, confidence)
        self.known = found is not None
        if not self.known:
            return
        self.ratio, self.low, self.high, self.confidence = found
        self.is_single = self.confidence == 0  # nothing is known of the spread
        # Counts that are the same in every run need no statistics.
        self.exact = not self.is_single and len(set(values)) == 1 and len(set(baseline)) == 1

    @property
    def change(self):
        return self.ratio - 1

    def is_real(self):
        """True if the interval leaves the band of noise around no difference."""
        if not self.known or self.is_single:
            return False
        if self.exact:
            return self.ratio != 1
        return self.low > 1 + self.noise or self.high < 1 / (1 + self.noise)

    def verdict(self, more="more", less="less"):
        if not self.known:
            return "unknown"
        if not self.is_real():
            return "none"
        return more if self.ratio > 1 else less


def noise_of(again, baseline, confidence=CONFIDENCE):
    """How far the interval of the baseline against itself reaches from no difference; the same
    whichever of the two is called the first."""
    found = _ratio(again, baseline, confidence)
    if found is None:
        return 0.0
    _, low, high, _ = found
    return max(1 / low - 1 if low > 0 else 0.0, high - 1, 0.0)


def enough(values, baseline, precision, confidence=CONFIDENCE):
    """True if the difference is known to that precision with that confidence."""
    found = _ratio(values, baseline, confidence)
    if found is None:
        return False
    ratio, low, high, real = found
    return real >= confidence and (high - low) / 2 <= precision * ratio


def ratio_interval(one, two, confidence=CONFIDENCE):
    """(ratio, low, high, real confidence) of two's values to one's, of samples that were not made
    in turns."""
    return _ratio(two, one, confidence, apart=True) or (0.0, 0.0, 0.0, 0.0)
