"""The plots of the published experiments, from the CSV of allocbench."""
import plots

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


def grouped(rows, group, label, value):
    """(groups, labels) for plots.bars: a group per value of one column, a bar per value of the
    other. value: from a row to a number or None."""
    labels = unique(row[label] for row in rows)
    table = {(row[group], row[label]): value(row) for row in rows}
    return [(name, [table.get((name, one)) for one in labels])
            for name in unique(row[group] for row in rows)], labels


def number(value):
    return value if isinstance(value, float) else None


def sizes(page, result):
    rows = result.rows("sizes")
    counts = sorted({row["count"] for row in rows})
    count = max([c for c in counts if c <= MOST_SHOWN], default=counts[0])
    sums = {}  # (allocator, size): ns of an allocation and a release
    for row in rows:
        if row["count"] == count and number(row["median_ns"]) is not None:
            key = row["allocator"], row["size_bytes"]
            sums[key] = sums.get(key, 0) + row["median_ns"] / count
    summed = [{"allocator": allocator, "size": bytes_text(size), "ns": ns}
              for (allocator, size), ns in sums.items()]
    groups, labels = grouped(summed, "size", "allocator", lambda row: row["ns"])
    page.plot("From 4 KiB on, a size is 8 bytes less.", plots.bars, "sizes",
              f"One allocation and its release, {count:.0f} in a row", "ns, allocate and free",
              groups, labels, xlabel="size", log_y=True)


def fill(page, result, title):
    rows = result.rows(result.name)
    most = max((row["repetitions"] for row in rows), default=0)
    rows = [row for row in rows if row["repetitions"] == most]
    groups = [(row["allocator"], [row["allocate_ns_a_call"], row["free_ns_a_call"]])
              for row in rows]
    page.plot(f"Over {most:.0f} repetitions.", plots.bars, result.name, title, "ns per call", groups,
              ["allocate", "free"], xlabel="allocator", log_y=True)


def exhaustion(page, result):
    fill(page, result, "Exhausting 32 MiB in blocks of 4 KiB")


def worst_case(page, result):
    fill(page, result, "The worst case: 8 KiB where only the end has room")


def purge(page, result):
    """One point per size. The few far above all others are left out, and the page says so."""
    rows = [row for row in result.rows("purge") if row["mean_cycles"] is not None]
    series = [(name, [(row["size_bytes"], row["mean_cycles"]) for row in rows
                      if row["allocator"] == name])
              for name in unique(row["allocator"] for row in rows)]
    every = sorted(row["mean_cycles"] for row in rows)
    if not every:
        return
    y_max = 1.5 * every[int(0.98 * (len(every) - 1))] + 10
    above = sum(value > y_max for value in every)
    caption = "Mean cycles of the time-stamp counter per request, one point per size."
    if above:
        caption += f" {above} of {len(every)} points lie above the plot; the CSV has them."
    page.plot(caption, plots.scatter, "purge", "Mean cost of a request of 1 to 512 bytes",
              "bytes requested", "mean cycles", series, log_x=False, log_y=False, y_max=y_max)


def replay(page, result):
    rows = [row for row in result.rows("replay") if not row["allocator"].startswith("replay")]
    groups, labels = grouped(rows, "workload", "allocator", lambda row:
                             None if row["overhead_percent"] is None
                             else max(row["overhead_percent"], 0))
    page.plot("Percent of the time; 0 where the allocator is faster than the replay.", plots.bars,
              "replay", "The share of a workload that is allocation", "percent of the time", groups,
              labels, xlabel="workload")


def pointer_wars(page, result):
    groups = [(row["allocator"], [row["wall_seconds"]]) for row in result.rows("pointer-wars")]
    page.plot("Wall time of all searches.", plots.bars, "pointer-wars",
              "The searches of the main job, by allocator", "seconds", groups, ["wall time"],
              xlabel="allocator")


def distributions(page, result):
    rows = result.rows("distributions")
    names = [name[:-3] for name in rows[0] if name.endswith("_us")] if rows else []
    page.plot("The scale is logarithmic.", plots.bars, "distributions",
              "An allocation and its release, by distribution of sizes", "microseconds",
              [(name, [row[f"{name}_us"] for row in rows]) for name in names],
              [row["allocator"] for row in rows], xlabel="distribution of sizes", log_y=True)
    rows = result.rows("distributions-histogram")
    page.plot("Each bar counts sizes from this one to twice it.", plots.bars,
              "distributions-histogram", "The first 10000 sizes", "requests",
              [(bytes_text(row["size_from"]), [row[name] for name in names]) for row in rows], names,
              xlabel="size")


def queue(page, result):
    deep, shallow = result.rows("queue-deep"), result.rows("queue-shallow")
    page.plot("Warm: the median of the repetitions after the first.", plots.bars, "queue",
              "A push and its pop on a FIFO queue, warm", "ns per push and its pop",
              [("deep", [row["warm_ns"] for row in deep]),
               ("steady at 1000", [row["warm_ns"] for row in shallow])],
              [row["allocator"] for row in deep], xlabel="traffic")


def ageing(page, result):
    for name, title, unit in (
            ("ageing", "Nanoseconds per push, each time", "ns per push"),
            ("ageing-distance", "Mean distance of neighbours in the queue", "bytes")):
        series = [(row.pop("allocator"), [(int(age), value) for age, value in row.items()
                                          if value is not None]) for row in result.rows(name)]
        page.plot("A line that rises is ageing.", plots.scatter, name, title,
                  "times the queue was built", unit, series, log_x=False,
                  log_y=name == "ageing-distance", lines=True)


DRAW = {"sizes": sizes, "exhaustion": exhaustion, "worst-case": worst_case, "purge": purge,
        "replay": replay, "pointer-wars": pointer_wars, "distributions": distributions,
        "queue": queue, "ageing": ageing}


def draw(page, result):
    if result.name in DRAW:
        DRAW[result.name](page, result)
