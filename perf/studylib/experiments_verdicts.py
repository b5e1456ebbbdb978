"""What agrees with the published figures, in a sentence per experiment; "" where none can be said.

A figure that is not larger than its spread enters no sentence, and two figures differ only where
their intervals lie apart. Every sentence has the condition that makes it true.
"""
from math import log, sqrt
from statistics import median

import published
import units
from published import BLOCK_HEAP
from stats import Figure

KIB64, MIB32 = 65528.0, 33554424.0     # less 8 bytes for a header
# From 1 to 512 bytes, the later half of log N is that much flatter than the earlier; and the limit
# between it and 1, in the middle of the two as a ratio.
BEND_LOG = (log(512) - log(256)) / (log(256) - log(1))
BEND = sqrt(BEND_LOG)
STEEP = 0.25  # one that certainly grows by that share has an order of growth
CLOSE = 0.15  # an estimate that is off by no more than that share
FLAT = 0.1  # a cost that changes by less than that share from the smallest size to the largest


def clear(*figures):
    """True if all are known and larger than their spread."""
    return all(figure is not None and figure.is_clear for figure in figures)


def lead(first, second, paper):
    """How a ratio of two figures compares with the published one, from their intervals."""
    ratio = published.quotient(first, second)
    if not first.differs(second) or not ratio.is_known:
        return "the two cannot be distinguished"
    if (ratio.value > 1) != (paper > 1):
        return "the order does not agree"
    return "the order agrees" + (", by less than published" if ratio.high < paper else
                                 ", by more than published" if ratio.low > paper else
                                 ", by about as much as published")


def sizes(result):
    def milliseconds(allocator, count, size):
        row = result.find("sizes", allocator=allocator, action="allocate", count=count,
                          size_bytes=size)
        if not row or row["median_ns"] is None:
            return None
        return Figure(*(row[name].value / 1e6 for name in ("median_ns", "low_ns", "high_ns")))

    said = []
    for count, size, name in ((1000, KIB64, "64 KiB a thousand times"),
                              (10000, MIB32, "32 MiB ten thousand times")):
        heap, library = milliseconds(BLOCK_HEAP, count, size), milliseconds("malloc", count, size)
        if clear(heap, library) and heap.value:
            paper = published.ratio("sizes", f"{count} {size:.0f}", "allocate")
            said.append(f"Allocating {name} takes the block heap {units.text(heap.value, 'ms')} "
                        f"and the C library {units.text(library.value, 'ms')}: {published.ratio_text(library, heap)} to 1, published "
                        f"{published.times(paper)} to 1; {lead(library, heap, paper)}.")
    return " ".join(said)


def published_count(result, table, quantity):
    """The highest count of repetitions that was measured here and is published, or None."""
    counts = {row["repetitions"].value for row in result.rows(table)}
    told = {count for count in counts
            if published.figures(table, f"{count:.0f}").get(quantity, (None, None))[1] is not None}
    return max(told, default=None)


def counted(count):
    return "once" if count == 1 else f"{count:,.0f} times"


def exhaustion(result):
    count = published_count(result, "exhaustion", "allocate_ms")
    if count is None:
        return ""
    heap, library = (result.find("exhaustion", allocator=name, repetitions=count)
                     for name in (BLOCK_HEAP, "malloc"))
    said = []
    for name, action in (("allocate_ms", "filling 32 MiB"), ("free_ms", "emptying them")):
        own, other = heap.get(name), library.get(name)
        if clear(own, other) and own.value:
            paper = published.ratio("exhaustion", f"{count:.0f}", name)
            said.append(f"{published.ratio_text(other, own)} at {action}, published "
                        f"{published.times(paper)} ({lead(other, own, paper)})")
    if not said:
        return ""
    return (f"How many times as fast as the C library the block heap is, {counted(count)}: "
            f"{'; '.join(said)}.")


def worst_case(result):
    count = published_count(result, "worst-case", "allocate_ms")
    own = result.find("worst-case", allocator=BLOCK_HEAP, repetitions=count).get("allocate_ms") \
        if count is not None else None
    if not clear(own):
        return ""
    paper = published.figures("worst-case", f"{count:.0f}", "allocate_ms")[1]
    own, paper = (units.text(value / count, "ms") for value in (own.value, paper))
    return f"Measured {counted(count)}, a repetition takes the block heap {own}, published {paper}."


def slope(points):
    """(slope, low, high) of y over x: the median of the slopes of all pairs of points, between the
    order statistics that 95 % confidence allows (Theil and Sen)."""
    every = sorted((b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(points)
                   for b in points[i + 1:] if b[0] != a[0])
    n = len(points)
    reach = 1.96 * sqrt(n * (n - 1) * (2 * n + 5) / 18)
    low = max(0, round((len(every) - reach) / 2))
    return median(every), every[low], every[len(every) - 1 - low]


def rise(points):
    """How much the cost changes from the smallest size to the largest, as a share of its median."""
    width = (points[-1][0] - points[0][0]) / median([y for _, y in points])
    return [value * width for value in slope(points)]


def purge_points(result):
    """{allocator: [(size, cycles), ...]} of those with enough sizes."""
    points = {}
    for row in result.rows("purge"):
        if clear(row["mean_cycles"]):
            points.setdefault(row["allocator"], []).append((row["size_bytes"].value,
                                                            row["mean_cycles"].value))
    return {name: sorted(own) for name, own in points.items()
            if len(own) >= 10 and median([y for _, y in own]) > 0}


def is_flat(change):
    return -FLAT < change[1] and change[2] < FLAT


def bend(points):
    """(low, high) of the slope over the larger half of the sizes, as a share of the slope over the
    smaller half: about 1 for a cost that grows with N, BEND_LOG for one that grows with log N."""
    half = len(points) // 2
    _, low, high = slope(points[:half])
    _, low_late, high_late = slope(points[half:])
    if low <= 0:
        return None
    return low_late / (high if low_late > 0 else low), high_late / (low if high_late > 0 else high)


def growth(points):
    """The order of growth, in words; only what the intervals decide."""
    change = rise(points)
    if is_flat(change):
        return "about O(1)"
    if change[2] < -FLAT:
        return "falls"
    if change[1] < -FLAT:
        return "not certain" if change[2] > FLAT else "flat or falling, not certain"
    if change[1] <= FLAT:
        return "flat or growing, not certain"
    if change[1] < STEEP:
        return "grows slowly"
    bent = bend(points)
    if bent and bent[0] > BEND:
        return "rather O(N)"
    if bent and bent[1] < BEND:
        return "rather O(log N)"
    return "grows; O(log N) or O(N), not certain"


def change_text(points):
    change, low, high = (value * 100 for value in rise(points))
    return f"{change:+.0f} %, {low:+.0f} to {high:+.0f}"


def growths(result):
    """A row per allocator of purge: its growth, and the change that shows it."""
    return [[name, growth(own), change_text(own)] for name, own in purge_points(result).items()]


def flatness(result):
    """Two lists of texts: the allocators whose cost does not depend on the size, and the others."""
    flat, steep = [], []
    for name, own in purge_points(result).items():
        (flat if is_flat(rise(own)) else steep).append(f"{name} ({change_text(own)})")
    return flat, steep


def purge(result):
    known = [row for row in result.rows("purge-summary") if clear(row["mean_cycles"])]
    if not known:
        return ""
    flat, steep = flatness(result)
    said = ["The article's picture has the cost of each size, and no figures. From 1 to 512 bytes the "
            "mean cost here changes by"] if flat or steep else []
    if flat:
        said.append(f"less than {FLAT * 100:.0f} % with {', '.join(flat)}" + ("," if steep else "."))
    if steep:
        said.append(f"{'and ' if flat else ''}more, or not certainly less, with {', '.join(steep)}.")
    best, *others = sorted(known, key=lambda row: row["mean_cycles"].value)
    cost = f"{best['mean_cycles'].value:.0f} cycles per request"
    close = [row["allocator"] for row in others
             if not best["mean_cycles"].differs(row["mean_cycles"])]
    if others and not close:
        said.append(f"{best['allocator']} is the cheapest, at {cost}.")
    elif others:
        said.append(f"{best['allocator']} takes {cost}; {', '.join(close)} cannot be distinguished "
                    "from it.")
    return " ".join(said)


def replay(result):
    parts = []
    for row in result.rows("replay"):
        share = row["overhead_percent"]
        if row["workload"] != "bfs" or row["allocator"].startswith("replay") or share is None:
            continue
        parts.append(f"on {row['allocator']} {share.value:.1f} %" if share.is_clear else
                     f"on {row['allocator']} less than its spread")
    if not parts:
        return ""
    negative = any(row["overhead_percent"] is not None and row["overhead_percent"].value < 0
                   and row["overhead_percent"].is_clear for row in result.rows("replay")
                   if not row["allocator"].startswith("replay"))
    return (f"The share of a search that is allocation, measured by eliminating it: "
            f"{', '.join(parts)}. " + (
                "Where the share is negative, the search takes longer on the replay. "
                if negative else "")
            + "The article measures other programs.")


def pointer_wars(result):
    malloc, pool = (result.find("pointer-wars", allocator=name) for name in ("malloc", "pool"))
    if not malloc or not pool or not clear(malloc["wall_seconds"], pool["wall_seconds"]) \
            or not pool["malloc_calls"] or not pool["malloc_calls"].value:
        return ""
    times = malloc["wall_seconds"].value / pool["wall_seconds"].value
    if not malloc["wall_seconds"].differs(pool["wall_seconds"]):
        gain = ("No gain in time is larger than the spread; published "
                f"{published.SPEED_UP} times.")
    else:
        gain = (f"The searches are {published.times(times)} times as fast with pool as with malloc, published "
                f"{published.SPEED_UP} times.")
    calls = malloc["malloc_calls"].value / pool["malloc_calls"].value
    return (f"{gain} It calls malloc {published.times(calls)} times less often, published "
            f"{published.times(published.ratio('run', '', 'malloc_calls'))} times.")


def distributions(result):
    costs = [figure.value for figure in published.costs(result, "malloc").values() if clear(figure)]
    if not costs:
        return ""
    least, most = published.figures("range", "", "us")
    said = ("all below the article's range" if max(costs) < least
            else "all above the article's range" if min(costs) > most else "the ranges overlap")
    lowest, highest, low, high = (units.text(value, "us")
                                  for value in (min(costs), max(costs), least, most))
    text = f"With malloc from {lowest} to {highest}, published {low} to {high}: {said}."
    if not published.dlmalloc_leads(result):
        text += (" dlmalloc, the article's best, did not take part: name its library with --alloc "
                 "(lib:./libdlmalloc.so).")
    return text


def estimates(result):
    """Rows of estimates beside what the distribution itself costs, measured in turns with them:
    [(sizes, allocator, measured Figure, estimated Figure), ...], both in nanoseconds."""
    return [(row["sizes"], row["allocator"], row["measured_ns"], row["ns_each"])
            for row in result.rows("estimate")
            if row.get("measured_ns") is not None and row["ns_each"] is not None]


def estimate(result):
    both = [(sizes, allocator, measured, own) for sizes, allocator, measured, own in estimates(result)
            if clear(measured, own) and measured.value > 0]
    if not both:
        return ""
    off = [own.value / measured.value - 1 for _, _, measured, own in both]
    worst = max(range(len(both)), key=lambda i: abs(off[i]))
    apart = sum(measured.differs(own) for _, _, measured, own in both)
    within = sum(abs(share) <= CLOSE for share in off)
    return (f"Beside the cost of the distributions, measured in turns, {within} of {len(both)} estimates are off "
            f"by at most {CLOSE * 100:.0f} %; the intervals of {apart} lie apart. Farthest: "
            f"{both[worst][1]}, {both[worst][0]}, {off[worst] * 100:+.0f} %.")


VERDICTS = {"estimate": estimate, "sizes": sizes, "exhaustion": exhaustion, "worst-case": worst_case, "purge": purge,
            "replay": replay, "pointer-wars": pointer_wars, "distributions": distributions}


def verdict(result):
    return VERDICTS[result.name](result) if result.name in VERDICTS else ""
