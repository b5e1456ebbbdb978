"""Figures of repeated runs, and what a difference is.

1. A median is Python's (statistics). Its interval lies between two order statistics: exact, whatever
   the distribution. Its real confidence is given, because with few runs it cannot be had at will.
2. A difference from the baseline is the median of the ratios of runs made in the same round, so that
   slow drifts of the machine cancel. One that is not larger than the machine's own noise (the
   baseline against itself) does not count.
3. Samples that were not made in turns are compared by the median of all ratios of one value of each
   (Hodges and Lehmann, 1963), with the exact distribution of Mann and Whitney.
The rules are the same as of base/report/samples.h, which has the sources.
"""
import itertools
import math
import statistics
from statistics import median

CONFIDENCE = 0.95
APART_MAX = 30  # how many of each set ratio_interval looks at


def _between(ordered, shares, confidence):
    """(low, high, real confidence) of the median of sorted values, between two of them. shares: the
    probability that 0, 1, 2, ... of the values lie below the true median."""
    outside, at = next(shares), 0
    for k, share in zip(range(1, (len(ordered) + 1) // 2), shares):
        if 2 * (outside + share) > 1 - confidence:
            break
        outside, at = outside + share, k
    return ordered[at], ordered[-1 - at], 1 - 2 * outside


def interval(values, confidence=CONFIDENCE):
    """(low, high, real confidence) of the median; with less than the wished confidence the whole
    range is given, and the confidence it has."""
    ordered = sorted(values)
    count = len(ordered)
    every = math.lgamma(count + 1) - count * math.log(2)
    return _between(ordered, (math.exp(every - math.lgamma(k + 1) - math.lgamma(count - k + 1))
                              for k in itertools.count()), confidence)


def _orders(n, m):
    """In how many orders of n and m values a value of the first set is the smaller one in u pairs, for
    u from 0 to n * m: the coefficients of the product of (1 - q^(n + i)) / (1 - q^i), i from 1 to m."""
    ways = [1] + [0] * (n * m)
    for i in range(1, m + 1):
        for u in range(n * m, n + i - 1, -1):
            ways[u] -= ways[u - n - i]
        for u in range(i, n * m + 1):
            ways[u] += ways[u - i]
    return ways


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
        enters no plot. A single run's is clear: nothing is known against it.
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
    return Figure(median(values), *(interval(values, confidence)[:2] if len(values) > 1 else []))


def spread(values):
    """Half the distance of the quartiles, as a share of the median; 0 where it is not known."""
    middle = median(values) if len(values) > 1 else 0
    if not middle:
        return 0.0
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return (third - first) / 2 / abs(middle)


def ratios(values, baseline):
    """Of each round that both have."""
    return [a / b for a, b in zip(values, baseline) if b]


def _ratio(values, baseline, confidence=CONFIDENCE):
    """(ratio, low, high, real confidence) of values to the baseline's; None if no round has both."""
    found = ratios(values, baseline)
    return (median(found), *interval(found, confidence)) if found else None


class Difference:
    """values against baseline: ratio, low, high and confidence."""

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
    above, below = two[:APART_MAX], one[:APART_MAX]
    if not above or not below or 0 in below:
        return 0.0, 0.0, 0.0, 0.0
    found = sorted(a / b for a in above for b in below)
    ways = _orders(len(above), len(below))
    total = sum(ways)
    return median(found), *_between(found, (way / total for way in ways), confidence)
