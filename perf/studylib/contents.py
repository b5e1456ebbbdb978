"""What stands on the page, and in which order."""
import flame
import model
import plots
import published
import words
from model import show
from page import Page
from stats import interval, median


def signed(change):
    return f"{change * 100:+.1f} %"


def difference_cells(difference, metric):
    """(text, css class) of a difference."""
    if not difference.known:
        return "-", None
    if difference.exact:
        return ("the same", None) if difference.ratio == 1 else \
            (signed(difference.change), direction(difference, metric))
    text = (f"{signed(difference.change)}\n{signed(difference.low - 1)} to "
            f"{signed(difference.high - 1)}")
    if not difference.is_real():
        return f"none, {text}", None
    return text, direction(difference, metric)


def direction(difference, metric):
    if metric.kind == "noise":
        return None
    return "better" if (difference.ratio < 1) == (metric.better == "lower") else "worse"


def setting(study, page):
    context = study.baseline.reports[0]["context"]
    graph = context["graph"]
    rounds = len(study.baseline.reports)
    page.paragraph(
        f"{graph['name']}: {graph.get('nodes') or 0:,} nodes, {graph.get('edges') or 0:,} edges; "
        f"{context['pairs'].get('selected') or 0} searches of {context['pairs']['name']}. "
        f"{rounds} rounds, each configuration once per round in a fresh process, in an order drawn "
        f"again for each; {study.stopped}. Intervals are between order statistics of the rounds, "
        f"for the median, with {study.options.confidence * 100:.0f} % confidence where there are "
        f"enough of them. The machine's own noise, {study.baseline.label} against itself: "
        f"{study.noise * 100:.1f} % of the time; a difference within it is called none.")
    page.paragraph(f"{context.get('cpu')}, {context.get('kernel')}, "
                   f"{context.get('compiler')}, {context.get('program')} "
                   f"{context.get('program_version')}.", "note")


def run_table(study, page):
    base = study.baseline
    others = study.compared
    header = ["the whole run", base.label]
    for configuration in others:
        header += [configuration.label, f"against {base.label}"]
    rows, classes = [], {}
    for metric in model.RUN + model.COUNTERS:
        if all(not study.values(c, metric.key) for c in study.configurations):
            continue
        row = [metric.title, cell(study, base, metric)]
        for configuration in others:
            text, css = difference_cells(study.difference(configuration, metric.key), metric)
            row += [cell(study, configuration, metric), text]
            if css:
                classes[len(rows), len(row) - 1] = css
        rows.append(row)
    page.table(header, rows, classes)
    page.paragraph("Median of the rounds, with half its interval behind ±; then the median of "
                   "the ratios within each round, with its interval.", "note")


def cell(study, configuration, metric):
    values = study.values(configuration, metric.key)
    if not values:
        return "-"
    text = show(metric, median(values))
    low, high, _ = interval(values, study.options.confidence)
    if high > low and median(values):
        text += f"\n± {(high - low) / 2 / abs(median(values)) * 100:.1f} %"
    return text


def counter_table(study, page):
    """Counters of the simulation, where the rounds have none."""
    reports = [(c, c.simulated) for c in study.configurations if c.simulated is not None]
    if not reports:
        return
    page.heading("Counters (simulated)")
    base = model.run_values(reports[0][1])
    rows = []
    keys = {metric.key: metric for metric in model.COUNTERS}
    per_node = [model.Metric(key, key.replace("_per_node", " per node").replace("_", " "), "node")
                for key in model.PER_NODE]
    for metric in list(keys.values()) + per_node:
        values = [model.run_values(report).get(metric.key) for _, report in reports]
        if all(value is None for value in values):
            continue
        row = [metric.title]
        for value in values:
            text = f"{value:,.2f}" if metric.unit == "node" and value is not None else \
                show(metric, value)
            if metric.kind == "count" and value is not None and base.get(metric.key) and \
                    value is not values[0]:
                text += f" ({value / base[metric.key] * 100:.0f} %)"
            row.append(text)
        rows.append(row)
    page.table(["simulated"] + [c.label for c, _ in reports], rows)
    note = reports[0][1].get("counters", {}).get("note")
    context = reports[0][1]["context"]
    count = reports[0][1]["summary"].get("searches")
    text = f"Simulated {note}. {count} searches"
    if context.get("graph_folded"):
        text += (f", on a smaller graph of {context['graph'].get('nodes'):,} nodes and "
                 f"{context['graph'].get('edges'):,} edges")
    page.paragraph(text + ". In brackets: the share of the first column.", "note")


def chosen_tables(study, page):
    """One table per chosen search: before, after, published."""
    available = model.search_values(study.baseline.reports[0])
    numbers = [n for n in study.options.chosen if n in available]
    if not numbers:
        return
    page.heading("Chosen searches")
    real = published.is_the_real_graph(study.baseline.reports[0])
    for number in numbers:
        rows = []
        columns = study.configurations
        per_search = {c: model.search_values(c.reports[-1])[number] for c in columns}
        simulated = {c: model.search_values(c.simulated).get(number) if c.simulated else None
                     for c in columns}
        row = available[number]
        outcome = "found" if row.get("found") else "not found"
        add = lambda title, texts, paper: rows.append([title] + texts + [paper])
        paper = published.SEARCHES.get(number, {})
        figure = lambda key: f"{paper[key]:,}" if key in paper else "-"
        add("nodes visited", [f"{per_search[c].get('visited'):,}" for c in columns],
            figure("visited"))
        add("edges examined (pushes)", [f"{per_search[c].get('pushed') or 0:,}" for c in columns],
            "-")
        add("wall time", [time_text(study, c, number) for c in columns], "-")
        add("malloc calls", [f"{per_search[c].get('malloc_calls'):,}" for c in columns],
            figure("malloc_calls"))
        add("free calls", [f"{per_search[c].get('free_calls'):,}" for c in columns], "-")
        for metric in model.COUNTERS:
            texts = [counter_text(metric, per_search[c], simulated[c]) for c in columns]
            if any(text != "-" for text in texts):
                add(metric.title, texts, "-")
        page.paragraph(f"Search {number}, from {row['source']} to {row['target']}: {outcome}"
                       f"{', ' + str(row['hops']) + ' hops' if row.get('hops') else ''}.")
        page.table([""] + [c.label for c in columns] + ["published"], rows)
    what = "" if real else " They belong to the real graph, which this is not: see the shape, " \
        "not the size."
    page.paragraph("Published: for malloc, on a Raspberry Pi 4." + what + " " +
                   published.FINDINGS, "note")


def time_text(study, configuration, number):
    times = study.search_times(configuration, number)
    if not times:
        return "-"
    middle = median(times)
    return f"{middle:,.3f} s" if middle >= 1 else f"{middle * 1e3:,.3f} ms"


def counter_text(metric, row, simulated):
    if row.get(metric.key) is not None:
        return show(metric, row[metric.key])
    if simulated is not None and simulated.get(metric.key) is not None:
        return show(metric, simulated[metric.key]) + " (sim.)"
    return "-"


def points(study, configuration, x, y):
    """Of each search its median over the rounds, where both values are known and not zero."""
    found = []
    for number, row in model.search_values(configuration.reports[0]).items():
        times = study.search_times(configuration, number)
        if not times or not row.get("visited"):
            continue
        values = {"number": number, "visited": row["visited"], "seconds": median(times),
                  "ns_per_node": median(times) * 1e9 / row["visited"]}
        found.append((values[x], values[y]))
    return found


def pictures(study, page, say):
    say("plotting")
    page.heading("Plots")
    every = study.configurations
    page.plot("Each point is a search: the median of its times in all rounds.",
              plots.scatter, "time-visited", "Time of each search against the nodes it visits",
              "nodes visited", "seconds",
              [(c.label, points(study, c, "visited", "seconds")) for c in every])
    page.plot("Points that rise are ageing: the allocator's order of nodes gets worse.",
              plots.scatter, "ns-per-node", "Time per visited node, search after search", "search",
              "ns per node", [(c.label, points(study, c, "number", "ns_per_node")) for c in every],
              log_x=False)
    rows, labels = [], [c.label for c in every]
    source = {c: study.counter_report(c)[0] for c in every}
    for key in model.PER_NODE:
        rows.append((key.replace("_per_node", ""), [
            model.run_values(source[c]).get(key) if source[c] else None for c in every]))
    simulated = any(study.counter_report(c)[1] for c in every)
    page.plot("Sums over the searches, divided by the nodes visited.",
              plots.bars, "counters-per-node",
              "Counters per visited node" + (" (simulated)" if simulated else ""), "per node",
              rows, labels)
    page.plot("One run of each; the first rise is the loading of the graph.",
              plots.scatter, "memory", "Resident memory while the program runs", "seconds", "MiB",
              [(c.label, [(t, size / 2 ** 20) for t, size in c.memory]) for c in every],
              log_x=False, log_y=False, lines=True)


def flames(study, page, folder, say):
    graphs = [c for c in study.configurations if c.folded]
    if not graphs:
        return
    say("drawing flame graphs")
    page.heading("Flame graphs")
    page.paragraph("Where the searches spend their time (perf, task clock, 997 samples per "
                   "second). Functions of the C library keep no frame pointer, so a caller of "
                   "theirs may be missing.", "note")
    for configuration in graphs:
        samples = sum(configuration.folded.values())
        name = f"flame-{configuration.file_name}.svg"
        (folder / name).write_text(flame.graph(f"{configuration.label}, {samples} samples",
                                               configuration.folded, None, folder),
                                   encoding="utf-8")
        flame.write_folded(folder / "raw" / f"{configuration.file_name}.folded",
                           configuration.folded)
        page.picture(name, f"{configuration.label}: {samples} samples.")
    base = study.baseline
    for configuration in graphs:
        if configuration is base or not base.folded:
            continue
        name = f"flame-{configuration.file_name}-against-{base.file_name}.svg"
        (folder / name).write_text(flame.graph(
            f"{configuration.label} against {base.label}", configuration.folded, base.folded,
            folder), encoding="utf-8")
        page.picture(name, f"{configuration.label} against {base.label}: red takes a larger share "
                           "of the time than before, blue a smaller one.")


def write(study, folder, say):
    """The page, the data, the plots. Returns what could not be drawn."""
    base = study.baseline
    names = ", ".join(c.label for c in study.configurations)
    page = Page(f"{names}: searches of {base.reports[0]['context']['graph']['name']}", folder)
    study.write_data(folder)
    for paragraph in words.conclusion(study):
        page.paragraph(paragraph)
    for warning in words.warnings(study):
        page.paragraph(warning, "warning")
    page.heading("The whole run")
    setting(study, page)
    run_table(study, page)
    published_run(study, page)
    counter_table(study, page)
    chosen_tables(study, page)
    pictures(study, page, say)
    flames(study, page, folder, say)
    page.write()
    return page.failures


def published_run(study, page):
    rows = []
    for configuration in study.configurations:
        paper = published.RUN.get(configuration.allocator)
        if paper:
            own = study.medians(configuration).get("malloc_calls")
            rows.append([configuration.label, f"{own:,.0f}" if own is not None else "-",
                         f"{paper['malloc_calls']:,}"])
    if rows:
        page.table(["malloc calls", "here", "published (100 searches, the real graph)"], rows)
        times = {c.allocator: c for c in study.configurations}
        if "malloc" in times and "pool" in times:
            seconds = [study.medians(times[a])["search_seconds"] for a in ("malloc", "pool")]
            if all(seconds):
                page.paragraph(f"malloc takes {seconds[0] / seconds[1]:.2f} times as long as pool "
                               f"here; published: {published.SPEED_UP:.2f} times.", "note")
