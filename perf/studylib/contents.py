"""The contents of the page, in order."""
from statistics import median

import model
import plots
import units
from model import show
from page import Page
from stats import Figure, figure_of, spread


def signed(change):
    return f"{change * 100:+.1f} %"


def difference_cells(difference, metric):
    """(text, css class) of a difference."""
    if not difference.known:
        return "-", None
    if difference.exact or difference.is_single:
        return ("the same", None) if difference.ratio == 1 else \
            (amount(difference.ratio, metric),
             direction(difference, metric) if difference.exact else None)
    ends = sorted((difference.low, difference.high), reverse=metric.is_duration)
    text = " to ".join(amount(ratio, metric, brief=True) for ratio in ends)
    text = f"{amount(difference.ratio, metric)}\n{text}"
    if not difference.is_real():
        return f"none, {text}", None
    return text, direction(difference, metric)


def amount(ratio, metric, brief=False):
    """A ratio to the baseline: of times how many times as fast, as everywhere on the page."""
    if not metric.is_duration:
        return signed(ratio - 1)
    return f"{1 / ratio:.2f}" + ("" if brief else " x")


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
        f"{study.noise * 100:.1f} % of the time; a smaller difference does not count.")
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
    page.paragraph("Median of the rounds, with half its interval after ±; then the median of "
                   "the ratios within each round, with its interval: of times how many times as fast "
                   "(x), else the change. ~: not larger than its spread.", "note")


def cell(study, configuration, metric):
    values = study.values(configuration, metric.key)
    if not values:
        return "-"
    figure = figure_of(values, study.options.confidence)
    text = ("" if figure.is_clear else "~") + show(metric, figure.value)
    if figure.half > 0 and figure.value:
        text += f"\n± {figure.half / abs(figure.value) * 100:.1f} %"
    return text


def counter_table(study, page):
    """Counters of the simulation, where the rounds have no counters."""
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
    """One table per chosen search, a column per configuration."""
    available = model.search_values(study.baseline.reports[0])
    chosen = study.chosen()
    if not chosen:
        return
    page.heading("Chosen searches")
    for number, why in chosen.items():
        rows = []
        columns = study.configurations
        per_search = {c: model.search_values(c.reports[-1])[number] for c in columns}
        simulated = {c: same_simulated(c, number) for c in columns}
        row = available[number]
        outcome = "found" if row.get("found") else "not found"
        add = lambda title, texts: rows.append([title] + texts)
        add("nodes visited (the article's edges examined)",
            [f"{per_search[c].get('visited'):,}" for c in columns])
        add("pushes", [f"{per_search[c].get('pushed') or 0:,}" for c in columns])
        add("wall time", [time_text(study, c, number) for c in columns])
        for metric in model.CALLS:
            add(metric.title, [show(metric, per_search[c].get(metric.key)) for c in columns])
        for metric in model.COUNTERS:
            texts = [counter_text(metric, per_search[c], simulated[c]) for c in columns]
            if any(text != "-" for text in texts):
                add(metric.title, texts)
        page.paragraph(f"Search {number}, from {row['source']} to {row['target']}: {outcome}"
                       f"{', ' + str(row['hops']) + ' hops' if row.get('hops') else ''}. {why}")
        page.table([""] + [c.label for c in columns], rows)


def time_text(study, configuration, number):
    figure = figure_of(study.search_times(configuration, number), study.options.confidence)
    if figure is None:
        return "-"
    text = ("" if figure.is_clear else "~") + units.seconds(figure.value)
    return text + (f"\n± {figure.half / figure.value * 100:.1f} %" if figure.half else "")


def counter_text(metric, row, simulated):
    if row.get(metric.key) is not None:
        return show(metric, row[metric.key])
    if simulated is not None and simulated.get(metric.key) is not None:
        return show(metric, simulated[metric.key]) + " (sim.)"
    return "-"


def points(study, configuration, x, y):
    """Of each search its figure over the rounds, where both values are known and not zero."""
    found = []
    for number, row in model.search_values(configuration.reports[0]).items():
        times = study.search_times(configuration, number)
        if not times or not row.get("visited"):
            continue
        seconds = figure_of(times, study.options.confidence)
        values = {"number": number, "visited": row["visited"], "seconds": seconds,
                  "ns_per_node": seconds.scaled(1e9 / row["visited"])}
        found.append((values[x], values[y]))
    return found


def pictures(study, page, say):
    say("plotting")
    page.heading("Plots")
    every = study.configurations
    page.plot("Each point is a search: the median of its times in all rounds, and its interval.",
              plots.scatter, "time-visited", "Time of each search against the nodes it visits",
              "nodes visited", "time",
              [(c.label, points(study, c, "visited", "seconds")) for c in every], unit="s")
    page.plot("Points that rise are ageing: the allocator's order of nodes gets worse.",
              plots.scatter, "ns-per-node", "Time per visited node, search after search", "search",
              "time per node", [(c.label, points(study, c, "number", "ns_per_node")) for c in every],
              log_x=False, unit="ns")
    rows, labels = [], [c.label for c in every]
    source = {c: study.counter_report(c)[0] for c in every}
    simulated = any(study.counter_report(c)[1] for c in every)
    for key in model.PER_NODE:
        rows.append((key.replace("_per_node", ""), [per_node_figure(study, c, source[c], key)
                                                    for c in every]))
    page.plot("Sums over the searches, divided by the nodes visited." +
              (" Simulated counts are the same in every run." if simulated else ""),
              plots.bars, "counters-per-node",
              "Counters per visited node" + (" (simulated)" if simulated else ""), "per node",
              rows, labels)
    runs = min((len(c.memory) for c in every), default=0)
    page.plot("The first rise is the loading of the graph. " +
              (f"Median of {runs} runs, from the lowest to the highest as a band." if runs > 1 else
               "One run of each."),
              plots.scatter, "memory", "Resident memory while the program runs", "time", "memory",
              [(c.label, memory_points(c.memory)) for c in every],
              log_x=False, log_y=False, lines=True, band=True, unit="MiB", x_unit="s")


def per_node_figure(study, configuration, report, key):
    """A counter per node: of every round where the processor counts; a simulated one is exact."""
    if report is None or report is configuration.simulated:
        value = model.run_values(report).get(key) if report else None
        return None if value is None else Figure(value, value, value)
    values = [model.run_values(one).get(key) for one in configuration.reports]
    return figure_of([value for value in values if value is not None], study.options.confidence)


def memory_points(traces, steps=200):
    """Traces [(seconds, bytes), ...] of several runs as points in MiB: the median of what the runs
    held at each moment, from the least to the most; steps + 1 moments."""
    traces = [trace for trace in traces if trace]
    if not traces:
        return []
    end = median([trace[-1][0] for trace in traces])
    points = []
    for step in range(steps + 1):
        at = end * step / steps
        held = [[size for seconds, size in trace if seconds <= at] for trace in traces]
        held = sorted(sizes[-1] / 2 ** 20 for sizes in held if sizes)
        if held:
            points.append((at, Figure(median(held), held[0], held[-1]) if len(traces) > 1
                           else Figure(held[0])))
    return points


def write(study, folder, say):
    """The page, the data, the plots. Returns what could not be drawn."""
    base = study.baseline
    names = ", ".join(c.label for c in study.configurations)
    page = Page(f"{names}: searches of {base.reports[0]['context']['graph']['name']}", folder)
    study.write_data(folder)
    for warning in warnings(study):
        page.paragraph(warning, "warning")
    page.heading("The whole run")
    setting(study, page)
    run_table(study, page)
    counter_table(study, page)
    chosen_tables(study, page)
    pictures(study, page, say)
    page.write()
    return page.failures


def same_simulated(configuration, number):
    """The values of a search that was simulated on the same graph; None: on a smaller one."""
    own = model.search_values(configuration.reports[0]).get(number)
    row = model.search_values(configuration.simulated).get(number) \
        if configuration.simulated is not None else None
    return row if own and row and own.get("visited") == row.get("visited") else None


# Warnings ---------------------------------------------------------------------------------------

def percent(change):
    return f"{abs(change) * 100:.0f} %" if abs(change) >= 0.1 else f"{abs(change) * 100:.1f} %"


def calls_are_unseen(report):
    """True if the allocator of a run takes its blocks from a malloc that bfs does not count."""
    return bool(report["context"]["allocator"].get("used")) and \
        report["summary"].get("malloc_calls") is None


def warnings(study):
    """Sentences, each with advice."""
    found = []
    report = study.baseline.reports[0]
    rounds = len(study.baseline.reports)
    if rounds < 6:
        found.append(("With one round nothing is known of the spread" if rounds == 1 else
                      f"With {rounds} rounds the intervals cannot have the wished confidence") +
                     ": run it again with --rounds 6 or more.")
    if study.noise > 0.05:
        found.append(f"The baseline against itself differs by up to {percent(study.noise)}: close "
                     "other programs, pin a processor with --cpu, or make more rounds.")
    for configuration in study.configurations:
        wobble = spread([model.run_values(r)["search_seconds"] or 0 for r in configuration.reports])
        if wobble > 0.05:
            found.append(f"The times of {configuration.label} spread by {percent(wobble)} around "
                         "their median: close other programs, and fix the clock (sudo cpupower "
                         "frequency-set -g performance).")
        if calls_are_unseen(configuration.reports[0]):
            found.append(f"The malloc and free calls of {configuration.label} are not known: it calls "
                         "a malloc of its own.")
    disturbed = report.get("counters", {}).get("searches_disturbed") or 0
    searches = report["summary"].get("searches") or 1
    if disturbed > searches / 2:
        found.append(f"{disturbed} of {searches} searches were disturbed by a context switch: "
                     "leave a processor free, or choose a longer time slice (chrt).")
    if not model.has_counters(report):
        note = report.get("counters", {}).get("note")
        if note:
            found.append(f"No processor counters: {note}.")
    shortest = [row["seconds"] for row in report["searches"] if row.get("seconds")]
    if shortest and max(shortest) < 0.001:
        found.append("Every search ends within a millisecond, and the clock and the caches' state "
                     "weigh more than the allocator: take a larger graph.")
    if study.stopped.startswith("the time limit"):
        found.append("More rounds did not fit the time limit: raise --time-limit for narrower "
                     "intervals.")
    return found
