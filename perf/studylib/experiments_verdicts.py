"""What agrees with the published figures, in a sentence per experiment; "" where none can be said."""
BLOCK_HEAP = "block:small=no,lock=no"  # as published
KIB64, MIB32 = 65528.0, 33554424.0     # less 8 bytes for a header


def sizes(result):
    def milliseconds(allocator, count, size):
        ns = result.value("sizes", "median_ns", allocator=allocator, action="allocate",
                          count=count, size_bytes=size)
        return None if ns is None else ns / 1e6

    heap, library = milliseconds(BLOCK_HEAP, 1000, KIB64), milliseconds("malloc", 1000, KIB64)
    if not heap or library is None:
        return ""
    said = ("The order agrees." if library / heap > 10 else
            "Today's C library keeps blocks of that size, so the gap is nearly closed.")
    text = (f"Allocating 64 KiB a thousand times takes the block heap {heap:.3f} ms and the C library "
            f"{library:.3f} ms: {library / heap:.1f} to 1, published 95 to 1. {said}")
    heap, library = milliseconds(BLOCK_HEAP, 10000, MIB32), milliseconds("malloc", 10000, MIB32)
    if heap and library is not None:
        text += (f" 32 MiB ten thousand times: {heap:.1f} ms against {library:.1f} ms, "
                 f"{library / heap:.0f} to 1, published 20400 to 1: for the largest blocks the C "
                 "library still goes to the system, and the order agrees.")
    return text


def exhaustion(result):
    times = max((row["repetitions"] for row in result.rows("exhaustion")), default=0)

    def milliseconds(allocator):
        cells = [result.value("exhaustion", column, allocator=allocator, repetitions=times)
                 for column in ("allocate_ms", "free_ms")]
        return None if None in cells else sum(cells) / times

    heap, library = milliseconds(BLOCK_HEAP), milliseconds("malloc")
    if not heap or library is None:
        return ""
    said = "The order agrees." if library > heap else "The order no longer agrees."
    return (f"Filling and emptying 32 MiB takes the block heap {heap:.2f} ms per time and the C "
            f"library {library:.2f} ms, over {times:.0f} times: {library / heap:.1f} to 1, published "
            f"44 to 1 for one time. {said} The very first time is mostly the system handing out "
            "pages, for either.")


def worst_case(result):
    for row in result.rows("worst-case"):
        if row["allocator"] == BLOCK_HEAP and row["allocate_ms"] is not None:
            return (f"One repetition takes the block heap "
                    f"{row['allocate_ms'] / row['repetitions']:.1f} ms, published 390.5 ms on a "
                    "Pentium 4. The cost is still linear in the pages of blocks passed over; this "
                    "heap looks at 64 blocks at a time.")
    return ""


def purge(result):
    known = [row for row in result.rows("purge-summary") if row["mean_cycles"] is not None]
    if not known:
        return ""
    best = min(known, key=lambda row: row["mean_cycles"])
    return ("The mean cost of a request is nearly the same for every size, as in the article's "
            f"picture, apart from the steps of the size classes. {best['allocator']} is the "
            f"cheapest, at {best['mean_cycles']:.0f} cycles; the article gives no figures to compare, "
            "but its picture.")


def replay(result):
    malloc, pool, slab = (result.value("replay", "overhead_percent", workload="bfs",
                                       allocator=name) for name in ("malloc", "pool", "slab"))
    if None in (malloc, pool, slab):
        return ""
    return (f"Of a search on malloc {malloc:.1f} % is allocation, measured by eliminating it; on pool "
            f"{pool:.1f} %, on slab {slab:.1f} %. A negative share means that the allocator places "
            "nodes better than the recorded heaps do, by more than its own cost. The article "
            "measures other programs; its method is what is repeated here.")


def pointer_wars(result):
    cells = [result.value("pointer-wars", column, allocator=name)
             for column in ("wall_seconds", "malloc_calls") for name in ("malloc", "pool")]
    if None in cells or not cells[0] or not cells[3]:
        return ""
    malloc, pool, malloc_calls, pool_calls = cells
    gain = "agrees in kind" if pool < malloc else "does not show here"
    return (f"The pool takes {pool / malloc:.2f} of malloc's time and, as in the article, calls malloc "
            f"only for the deepest queue and twice per search ({malloc_calls / pool_calls:.0f} times "
            f"fewer; published 97); the gain in time {gain}. The estimate from the microbenchmark "
            "and the measured share differ, because what an allocator does to the caches is in the "
            "second only.")


def distributions(result):
    costs = [value for row in result.rows("distributions") for name, value in row.items()
             if name.endswith("_us") and value is not None]
    if not costs:
        return ""
    said = ("all below the article's range, on a processor years younger" if max(costs) < 0.1
            else "the ranges overlap")
    return (f"From {min(costs):.3f} to {max(costs):.3f} microseconds, published 0.1 to 1: {said}. "
            "dlmalloc, the article's best, takes part when its library is named "
            "(lib:./libdlmalloc.so).")


VERDICTS = {"sizes": sizes, "exhaustion": exhaustion, "worst-case": worst_case, "purge": purge,
            "replay": replay, "pointer-wars": pointer_wars, "distributions": distributions}


def verdict(result):
    return VERDICTS[result.name](result) if result.name in VERDICTS else ""
