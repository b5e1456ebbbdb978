"""Statistics of repeated runs: medians, intervals without assumptions, and what a difference is.

The interval of a median is between two order statistics: exact, whatever the distribution. Its
real confidence is given, because with few runs it cannot be had at will. A difference from the
baseline is the median of the ratios of runs made in the same round, so that slow drifts of the
machine cancel; one that is not larger than the machine's own noise (the baseline against itself)
is called none.
"""
from math import comb


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def interval(values, confidence=0.95):
    """(low, high, real confidence) of the median; with less than the wished confidence the whole
    range is given, and the confidence it has."""
    ordered = sorted(values)
    count = len(ordered)
    outside = 0.0  # probability that the median lies beyond the k-th value from one end
    best = (ordered[0], ordered[-1], 1 - 2 * 0.5 ** count)
    for k in range(count // 2):
        outside += comb(count, k) * 0.5 ** count
        if 2 * outside > 1 - confidence:
            break
        best = (ordered[k], ordered[count - 1 - k], 1 - 2 * outside)
    return best


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

    def differs(self, other):
        """True if the two intervals are known, and lie apart."""
        return self.is_known and other.is_known and (self.low > other.high or other.low > self.high)


def figure_of(values, confidence=0.95):
    """The median with its interval; None of no values."""
    if not values:
        return None
    if len(values) < 2:
        return Figure(values[0])
    return Figure(median(values), *interval(values, confidence)[:2])


def spread(values):
    """Half the range between the quartiles, as a share of the median."""
    ordered = sorted(values)
    count = len(ordered)
    if count < 2 or median(ordered) == 0:
        return 0.0
    low, high = ordered[(count - 1) // 4], ordered[count - 1 - (count - 1) // 4]
    return (high - low) / 2 / abs(median(ordered))


def ratios(values, baseline):
    """Of each round that both have."""
    return [a / b for a, b in zip(values, baseline) if b]


class Difference:
    """values against baseline: ratio, low, high, confidence, and a verdict."""

    def __init__(self, values, baseline, noise=0.0, confidence=0.95):
        self.noise = noise
        self.known = False
        self.exact = False
        both = ratios(values, baseline)
        if not both:
            return
        self.known = True
        self.ratio = median(both)
        self.low, self.high, self.confidence = interval(both, confidence)
        self.is_single = len(both) < 2  # nothing is known of the spread
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


def noise_of(again, baseline, confidence=0.95):
    """How far the interval of the baseline against itself reaches from no difference; the same
    whichever of the two is called the first."""
    both = ratios(again, baseline)
    if not both:
        return 0.0
    low, high, _ = interval(both, confidence)
    return max(1 / low - 1 if low > 0 else 0.0, high - 1, 0.0)


def enough(values, baseline, precision, confidence=0.95):
    """True if the difference is known to that precision with that confidence."""
    both = ratios(values, baseline)
    if not both:
        return False
    low, high, real = interval(both, confidence)
    return real >= confidence and (high - low) / 2 <= precision * median(both)


def rank_counts(n, m):
    """How many of the orders of n and m values have u pairs in which the first is smaller, for
    every u: the distribution of Mann and Whitney's statistic without a difference."""
    ways = [[[1] for _ in range(m + 1)] for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            counts = [0] * (i * j + 1)
            for u, count in enumerate(ways[i - 1][j]):  # the largest is of the first sample
                counts[u + j] += count
            for u, count in enumerate(ways[i][j - 1]):  # or of the second
                counts[u] += count
            ways[i][j] = counts
    return ways[n][m]


def ratio_interval(one, two, confidence=0.95):
    """(ratio, low, high, real confidence) of two's values to one's, of samples that were not made
    in turns: the median of all pairwise ratios (Hodges and Lehmann) between its order statistics.
    """
    one, two = one[:30], two[:30]  # more would change little and take long
    every = sorted(b / a for a in one for b in two if a)
    if not every:
        return 0.0, 0.0, 0.0, 0.0
    counts = rank_counts(len(one), len(two))
    total = comb(len(one) + len(two), len(one))
    outside, best = 0, (every[0], every[-1], 1 - 2 / total)
    for k in range(len(every) // 2):
        outside += counts[k]
        if 2 * outside > (1 - confidence) * total:
            break
        best = (every[k], every[-1 - k], 1 - 2 * outside / total)
    return (median(every), *best)
