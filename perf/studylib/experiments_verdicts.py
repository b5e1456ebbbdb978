"""What agrees with the published figures, in a sentence per experiment; "" where none can be said.

A figure that is not larger than its spread enters no sentence, and two figures differ only where
their intervals lie apart. Every sentence has the condition that makes it true.
"""
from math import log, sqrt

import published
from published import BLOCK_HEAP
from stats import Figure, median

KIB64, MIB32 = 65528.0, 33554424.0     # less 8 bytes for a header
FLAT = 0.1  # a cost that changes by less than that share from the smallest size to the largest


def clear(*figures):
    """True if all are known and larger than their spread."""
    return all(figure is not None and figure.is_clear for figure in figures)


def sizes(result):
    def milliseconds(allocator, count, size):
        row = result.find("sizes", allocator=allocator, action="allocate", count=count,
                          size_bytes=size)
        if not row or row["median_ns"] is None:
            return None
        return Figure(*(row[name].value / 1e6 for name in ("median_ns", "low_ns", "high_ns")))

    heap, library = milliseconds(BLOCK_HEAP, 1000, KIB64), milliseconds("malloc", 1000, KIB64)
    if not clear(heap, library) or not heap.value:
        return ""
    ratio = library.value / heap.value
    if not heap.differs(library):
        said = "The two cannot be distinguished."
    elif ratio > 10:
        said = "The order agrees."
    elif ratio > 1:
        said = ("The heap is still ahead, but today's C library keeps blocks of that size: the gap "
                "is nearly closed.")
    else:
        said = "The order no longer agrees: today's C library keeps blocks of that size."
    text = (f"Allocating 64 KiB a thousand times takes the block heap {heap.value:.3f} ms and the C "
            f"library {library.value:.3f} ms: {published.times(ratio)} to 1, published "
            f"{published.times(published.ratio('sizes', '1000 65528', 'allocate'))} to 1. {said}")
    heap, library = milliseconds(BLOCK_HEAP, 10000, MIB32), milliseconds("malloc", 10000, MIB32)
    if clear(heap, library) and heap.value and heap.differs(library):
        ratio = library.value / heap.value
        said = ("for the largest blocks the C library still goes to the system, and the order agrees"
                if ratio > 10 else "the gap is nearly closed")
        text += (f" 32 MiB ten thousand times: {heap.value:.1f} ms against {library.value:.1f} ms, "
                 f"{published.times(ratio)} to 1, published "
                 f"{published.times(published.ratio('sizes', '10000 33554424', 'allocate'))} to 1: "
                 f"{said}.")
    return text


def exhaustion(result):
    most = max((row["repetitions"].value for row in result.rows("exhaustion")), default=0)
    heap, library = (result.find("exhaustion", allocator=name, repetitions=most)
                     for name in (BLOCK_HEAP, "malloc"))
    said, faster, slower = [], 0, 0
    for name, action in (("allocate_ms", "filling 32 MiB"), ("free_ms", "emptying them")):
        own, other = heap.get(name), library.get(name)
        if clear(own, other) and own.value:
            said.append(f"{published.ratio_text(other, own)} at {action} (published, once: "
                        f"{published.times(published.ratio('exhaustion', '1', name))})")
            faster += own.differs(other) and own.value < other.value
            slower += own.differs(other) and own.value > other.value
    if not said:
        return ""
    order = ("The order agrees." if faster == len(said) else
             "The order no longer agrees." if slower else "Not both can be distinguished.")
    return (f"Over {most:.0f} times, how many times as fast as the C library the block heap is: "
            f"{' and '.join(said)}. {order}")


def worst_case(result):
    for row in result.rows("worst-case"):
        if row["allocator"] == BLOCK_HEAP and clear(row["allocate_ms"]):
            return (f"One repetition takes the block heap "
                    f"{row['allocate_ms'].value / row['repetitions'].value:.1f} ms, published "
                    f"{published.figures('worst-case', '1', 'allocate_ms')[1]} ms on a Pentium 4. "
                    "The cost is still linear in the pages of blocks passed over; this heap looks "
                    "at 64 blocks at a time.")
    return ""


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


def squares_left(points, of):
    """What a straight line over of(size) leaves of the squares of the costs."""
    xs, ys = [of(x) for x, _ in points], [y for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys))
    return sum((y - mean_y) ** 2 for y in ys) - across ** 2 / sum((x - mean_x) ** 2 for x in xs)


def growth(points):
    """The order of growth, in words: constant where the cost is flat, else the better of two fits."""
    change = rise(points)
    if is_flat(change):
        return "about O(1)"
    if change[1] < 0 < change[2]:
        return "neither flat nor certain to grow"
    if change[0] < 0:
        return "falls"
    return "rather O(log N)" if squares_left(points, log) < squares_left(points, float) else \
        "rather O(N)"


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
                "A negative share means that the allocator places nodes better than the recorded "
                "heaps do, by more than its own cost. " if negative else "")
            + "The article measures other programs; its method is what is repeated here.")


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
    return (f"{gain} As in the article, pool calls malloc only for the deepest queue and twice per "
            f"search: {published.times(calls)} times fewer calls, published "
            f"{published.times(published.ratio('run', '', 'malloc_calls'))}.")


def distributions(result):
    costs = [figure.value for figure in published.costs(result, "malloc").values() if clear(figure)]
    if not costs:
        return ""
    least, most = published.figures("range", "", "us")
    said = ("all below the article's range, on a processor years younger" if max(costs) < least
            else "all above the article's range" if min(costs) > most else "the ranges overlap")
    text = (f"With malloc from {min(costs):.3f} to {max(costs):.3f} microseconds, published {least} "
            f"to {most}: {said}.")
    if not published.dlmalloc_leads(result):
        text += (" dlmalloc, the article's best, did not take part: name its library with --alloc "
                 "(lib:./libdlmalloc.so).")
    return text


VERDICTS = {"sizes": sizes, "exhaustion": exhaustion, "worst-case": worst_case, "purge": purge,
            "replay": replay, "pointer-wars": pointer_wars, "distributions": distributions}


def verdict(result):
    return VERDICTS[result.name](result) if result.name in VERDICTS else ""
