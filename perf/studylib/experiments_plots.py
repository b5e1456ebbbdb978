"""The plots of the published experiments, from the CSV of allocbench."""
import plots
from stats import Figure

MOST_SHOWN = 1000  # sizes: the repeat count of the plot, or the next lower one


def bytes_text(count):
    """64 KiB; of a size with 8 bytes taken off for a header too."""
    count = int(count)
    if count >= 4088:
        count = count + 8 & ~15
    unit = 0
    while unit < 4 and count >= 1024 and count % 1024 == 0:
        count, unit = count // 1024, unit + 1
    return f"{count} {('B', 'KiB', 'MiB', 'GiB', 'TiB')[unit]}"


def unique(values):
    return list(dict.fromkeys(values))


def of(cell):
    """The value of a figure."""
    return cell.value if isinstance(cell, Figure) else cell


def exact(cell):
    """A count that is the same in every run, as a figure without a spread."""
    return Figure(cell.value, cell.value, cell.value)


def added(one, two):
    if not one.is_known or not two.is_known:
        return Figure(one.value + two.value)
    return Figure(one.value + two.value, one.low + two.low, one.high + two.high)


def grouped(rows, group, label, column):
    """(groups, labels) for bars and dots: a group per value of one column, a figure per value of the
    other."""
    labels = unique(row[label] for row in rows)
    table = {(row[group], row[label]): row[column] for row in rows}
    return [(name, [table.get((name, one)) for one in labels])
            for name in unique(row[group] for row in rows)], labels


def sizes(page, result):
    rows = result.rows("sizes")
    counts = sorted({of(row["count"]) for row in rows})
    count = max([c for c in counts if c <= MOST_SHOWN], default=counts[0])
    series = {}  # allocator: {size: ns of an allocation and a release}
    for row in rows:
        if of(row["count"]) == count and row["median_ns"] is not None:
            ends = [row["low_ns"].value, row["high_ns"].value] if result.runs > 1 else []
            one = Figure(row["median_ns"].value, *ends).scaled(1 / count)
            own = series.setdefault(row["allocator"], {})
            size = of(row["size_bytes"])
            own[size] = added(own[size], one) if size in own else one
    every = sorted({size for own in series.values() for size in own})
    page.plot("From 4 KiB on, a size is 8 bytes less. The lines reach from the fastest run to the "
              "slowest.", plots.scatter, "sizes",
              f"One allocation and its release, {count:,.0f} in a row", "size",
              "time to allocate and free",
              [(name, sorted(own.items())) for name, own in series.items()], lines=True, unit="ns",
              xtics=[(bytes_text(size), f"{size:.0f}") for size in every[::3] + every[-1:]])


def fill(page, result, title):
    rows = result.rows(result.name)
    most = max((of(row["repetitions"]) for row in rows), default=0)
    groups = [(row["allocator"], [row["allocate_ns_per_call"], row["free_ns_per_call"]])
              for row in rows if of(row["repetitions"]) == most]
    page.plot(f"Over {most:,.0f} repetitions; the scale is logarithmic.", plots.dots, result.name,
              title, "time per call", groups, ["allocate", "free"], unit="ns")


def exhaustion(page, result):
    fill(page, result, "Exhausting 32 MiB in blocks of 4 KiB")


def worst_case(page, result):
    fill(page, result, "The worst case: 8 KiB where only the end has room")


def purge(page, result):
    """One point per size. Allocators that lie on one another otherwise are apart by the logarithm."""
    rows = [row for row in result.rows("purge") if row["mean_cycles"] is not None]
    series = [(name, [(of(row["size_bytes"]), row["mean_cycles"]) for row in rows
                      if row["allocator"] == name])
              for name in unique(row["allocator"] for row in rows)]
    if not rows:
        return
    page.plot("Mean cycles of the time-stamp counter per request, one point per size. The scale of "
              "the cycles is logarithmic.", plots.scatter, "purge",
              "Mean cost of a request of 1 to 512 bytes", "bytes requested", "mean cycles", series,
              log_x=False)
    memory(page, result)


def memory(page, result):
    """Peak fragmentation; and what is held over time, a plot per kind of sizes."""
    if f"{result.name}-memory" not in result.tables:
        return
    groups, kinds = grouped(result.rows(f"{result.name}-memory"), "allocator", "sizes",
                            "fragmentation")
    page.plot("The most memory held over the most alive; 1 means no fragmentation. The scale is logarithmic.",
              plots.dots, f"{result.name}-fragmentation", "Peak fragmentation",
              "bytes held per byte alive", groups, kinds)
    for kind in kinds:
        rows = [row for row in result.rows(f"{result.name}-memory-times") if row["sizes"] == kind]
        held(page, f"{result.name}-memory-{kind.replace(' ', '-')}", f"Memory held, sizes {kind}", rows)


def held(page, name, title, rows):
    """What each allocator holds over the requests, and what is alive."""
    series = [(name, [(of(row["requests"]), row["held_kib"]) for row in rows
                      if row["allocator"] == name])
              for name in unique(row["allocator"] for row in rows)]
    alive = {of(row["requests"]): row["live_kib"] for row in rows}  # the same for all
    page.plot("Memory of the system that an allocator holds, read some 64 times; and what is alive of "
              "it.", plots.scatter, name, title, "requests", "memory",
              series + [("alive", sorted(alive.items()))], log_x=False, log_y=False, lines=True,
              unit="KiB")


def memory_of_program(page, result):
    """The experiment "memory": what is held over time when replayed, and by the program as it is."""
    rows = result.rows("memory-times")
    held(page, "memory-replayed", "Memory held when replayed",
         [row for row in rows if row["requests"] is not None])
    own = [row for row in rows if row["seconds"] is not None]
    if own:
        page.plot("The program as it is. Held is memory that belongs to no file.", plots.scatter,
                  "memory-program", "Memory of the program", "seconds", "memory",
                  [(words, [(of(row["seconds"]), row[column]) for row in own])
                   for words, column in (("held", "held_kib"), ("resident", "resident_kib"))],
                  log_x=False, log_y=False, lines=True, unit="KiB")


def replay(page, result):
    rows = [row for row in result.rows("replay") if not row["allocator"].startswith("replay")]
    groups, labels = grouped(rows, "workload", "allocator", "overhead_percent")
    page.plot("Percent of the time; below zero where the workload is faster on the allocator than on "
              "the replay, which places blocks as the recorded heap did.", plots.bars, "replay",
              "The share of a workload that is allocation", "percent of the time", groups, labels,
              xlabel="workload")


def pointer_wars(page, result):
    groups = [(row["allocator"], [row["wall_seconds"]]) for row in result.rows("pointer-wars")]
    page.plot("Wall time of all searches; the scale is logarithmic.", plots.dots, "pointer-wars",
              "The searches of the main job, by allocator", "wall time", groups, unit="s")


def distributions(page, result):
    rows = result.rows("distributions")
    names = [name[:-3] for name in rows[0] if name.endswith("_us")] if rows else []
    page.plot("The scale is logarithmic.", plots.dots, "distributions",
              "An allocation and its release, by distribution of sizes", "time",
              [(row["allocator"], [row[f"{name}_us"] for name in names]) for row in rows], names,
              unit="us")
    memory(page, result)
    rows = result.rows("distributions-histogram")
    page.plot("Each bar counts sizes from this one to twice it. The counts are the same in every run.",
              plots.bars, "distributions-histogram", "The first 10,000 sizes", "requests",
              [(bytes_text(of(row["size_from"])), [exact(row[name]) for name in names])
               for row in rows], names, xlabel="size")


def queue(page, result):
    groups = []
    for name, table in (("deep", "queue-deep"), ("steady at 1,000", "queue-shallow")):
        warm = {row["allocator"]: row["warm_ns"] for row in result.rows(table)}
        groups.append((name, warm))
    labels = unique(label for _, warm in groups for label in warm)
    page.plot("Warm: the median of the repetitions after the first.", plots.bars, "queue",
              "A push and its pop on a FIFO queue, warm", "time per push and its pop",
              [(name, [warm.get(label) for label in labels]) for name, warm in groups], labels,
              xlabel="traffic", unit="ns")


def ageing(page, result):
    for name, title, quantity, unit in (
            ("ageing", "Time per push, each time", "time per push", "ns"),
            ("ageing-distance", "Median distance of neighbours in the queue", "distance", "B")):
        spreads = {row["allocator"]: row for row in result.rows(f"{name}-spread")} \
            if f"{name}-spread" in result.tables else {}
        series = []
        for row in result.rows(name):
            label = row.pop("allocator")
            points = []
            for age, figure in row.items():
                half = of(spreads.get(label, {}).get(age))
                if figure is not None:
                    value = figure.value
                    points.append((int(age), Figure(value) if half is None else Figure(
                        value, value * (1 - half / 100), value * (1 + half / 100))))
            series.append((label, points))
        page.plot("A line that rises is ageing.", plots.scatter, name, title,
                  "times the queue was built", quantity, series, log_x=False,
                  log_y=name == "ageing-distance", lines=True, unit=unit)


def program(page, result):
    """The shares; what is held over time; the sizes."""
    rows = [row for row in result.rows("program") if row["share_percent"] is not None]
    if rows:
        page.plot("Percent of the processor time that a run without allocation saves. Below zero "
                  "where the blocks lie better than in the recording.", plots.bars, "program",
                  "The share of the program that is allocation", "percent of the time",
                  [(row["allocator"], [row["share_percent"]]) for row in rows], [""],
                  xlabel="malloc")
    rows = result.rows("program-memory-times")
    series = [(name, [(of(row["seconds"]), row["held_kib"]) for row in rows
                      if row["allocator"] == name])
              for name in unique(row["allocator"] for row in rows)]
    if series:
        page.plot("Memory of the process that belongs to no file.", plots.scatter,
                  "program-memory", "Memory held", "seconds", "KiB", series, log_x=False,
                  log_y=False, lines=True)
    page.plot("Each bar counts sizes from this one to twice it.", plots.bars, "program-sizes",
              "Sizes of the requests", "requests",
              [(bytes_text(of(row["size_from"])), [exact(row["requests"])])
               for row in result.rows("program-histogram")], [""], xlabel="size")


def trace(page, result):
    """Time against memory, a point per allocator; what is held over time."""
    held = {row["allocator"]: of(row["held_peak_kib"]) for row in result.rows("trace-memory")}
    rows = [row for row in result.rows("trace") if held.get(row["allocator"]) is not None]
    page.plot("Down and to the left is better.", plots.scatter, "trace",
              "The recorded requests: time against memory", "most held, KiB", "seconds",
              [(row["allocator"], [(held[row["allocator"]], row["seconds"])]) for row in rows],
              log_x=False, log_y=False)
    memory(page, result)


DRAW = {"sizes": sizes, "exhaustion": exhaustion, "worst-case": worst_case, "purge": purge,
        "replay": replay, "pointer-wars": pointer_wars, "distributions": distributions,
        "queue": queue, "ageing": ageing, "program": program, "trace": trace,
        "memory": memory_of_program}


def draw(page, result):
    if result.name in DRAW:
        DRAW[result.name](page, result)
