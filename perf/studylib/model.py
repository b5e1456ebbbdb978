"""What is compared: metrics of a run, each with its name, its unit and how to read it from the
JSON report of bfs; and the same for single searches."""
import units


class Metric:
    def __init__(self, key, title, unit, kind="count", better="lower"):
        self.key = key          # in results.csv and results.json
        self.title = title      # for people
        self.unit = unit
        self.kind = kind        # time, count, rate (0 to 1), bytes
        self.better = better

    @property
    def is_duration(self):
        """Less of it is faster: it is compared as how many times as fast."""
        return self.kind == "time" and self.better == "lower"


RUN = [
    Metric("search_seconds", "wall time of the searches", "s", "time"),
    Metric("ns_per_node", "time per visited node", "ns", "time"),
    Metric("nodes_per_second_max", "highest nodes/s", "1/s", "time", "higher"),
    Metric("malloc_calls", "malloc calls", ""),
    Metric("free_calls", "free calls", ""),
    Metric("peak_rss_bytes", "peak resident memory", "B", "bytes"),
    Metric("faults_minor", "page faults, minor", ""),
    Metric("brk_calls", "brk calls, with loading", ""),
    Metric("mmap_calls", "mmap calls, with loading", ""),
    Metric("munmap_calls", "munmap calls, with loading", ""),
    Metric("switches_involuntary", "context switches, involuntary", "", "noise"),
]

COUNTERS = [
    Metric("loads", "loads", ""),
    Metric("l1d_hit_rate", "L1D hit rate", "", "rate", "higher"),
    Metric("l2_local_hit_rate", "L2 local hit rate", "", "rate", "higher"),
    Metric("dtlb_hit_rate", "DTLB hit rate", "", "rate", "higher"),
    Metric("branches", "branches", ""),
    Metric("branches_predicted_rate", "branches predicted", "", "rate", "higher"),
    Metric("instructions", "instructions", ""),
    Metric("cycles", "cycles", ""),
    Metric("ipc", "instructions per cycle", "", "rate", "higher"),
]

CALLS = [metric for metric in RUN if metric.key in ("malloc_calls", "free_calls")]
PER_NODE = ["loads_per_node", "branches_per_node", "instructions_per_node", "cycles_per_node"]


def run_values(report):
    """{key: number or None} of the whole run."""
    summary, counters = report["summary"], report.get("counters", {})
    values = {}
    for metric in RUN + COUNTERS:
        value = summary.get(metric.key, counters.get(metric.key))
        values[metric.key] = value
    visited = summary.get("visited")
    seconds = summary.get("search_seconds")
    values["ns_per_node"] = seconds * 1e9 / visited if seconds and visited else None
    for key in PER_NODE:
        values[key] = counters.get(key)
    return values


def search_values(report):
    """{search number: {key: ...}}, of the last trial."""
    found = {}
    for row in report["searches"]:
        values = dict(row)
        seconds, visited = row.get("seconds"), row.get("visited")
        values["ns_per_node"] = seconds * 1e9 / visited if seconds and visited else None
        found[row["search"]] = values
    return found


def has_counters(report):
    return any(run_values(report)[metric.key] is not None for metric in COUNTERS)


def show(metric, value):
    """A value for people."""
    if value is None:
        return "-"
    if metric.kind == "rate":
        return f"{value:.4f}" if metric.key == "ipc" else f"{value * 100:.2f} %"
    if metric.kind == "bytes":
        return units.text(value, "B")
    if metric.key == "nodes_per_second_max":
        return f"{value / 1e6:,.2f} M/s"
    if metric.unit in ("s", "ns"):
        return units.text(value, metric.unit)
    return f"{value:,.0f}"
