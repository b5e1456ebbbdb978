"""The study in words: what changed, by how much, which counter says why; and warnings that end in
advice. Every sentence is made from the numbers, and leaves out what they do not say."""
import model
from stats import spread


def percent(change):
    return f"{abs(change) * 100:.0f} %" if abs(change) >= 0.1 else f"{abs(change) * 100:.1f} %"


def about_time(label, base, difference):
    if not difference.known:
        return f"{label} could not be compared with {base}."
    if difference.is_single:
        return (f"In the one round {label} is {1 / difference.ratio:.2f} times as fast as {base}; "
                "nothing is known of the spread, so this is no verdict.")
    if not difference.is_real():
        return (f"Between {label} and {base} there is no difference in time that this machine can "
                f"show: {1 / difference.ratio:.2f} times as fast ({1 / difference.high:.2f} to "
                f"{1 / difference.low:.2f}), and its own noise is {percent(difference.noise)}.")
    return (f"With {label} the searches are {1 / difference.ratio:.2f} times as fast as with {base} "
            f"({1 / difference.high:.2f} to {1 / difference.low:.2f}, with "
            f"{difference.confidence * 100:.0f} % confidence).")


def more_or_less(values, baseline, key):
    """("fewer"|"more", change) of a count, or None where it hardly moved or is not known."""
    a, b = values.get(key), baseline.get(key)
    if not a or not b or abs(a / b - 1) < 0.02:
        return None
    return ("fewer" if a < b else "more", a / b - 1)


def reasons(values, baseline, simulated, difference):
    """What the counters say, as a sentence. They explain a difference in time only where they moved
    the same way; what moved the other way is said apart."""
    parts = {True: [], False: []}  # work that makes it faster, slower
    for key, name in (("loads", "loads"), ("branches", "branches"),
                      ("instructions", "instructions")):
        moved = more_or_less(values, baseline, key)
        if moved:
            parts[moved[0] == "fewer"].append(f"{percent(moved[1])} {moved[0]} {name}")
    for key, name in (("l1d_hit_rate", "hits in the first-level cache"),
                      ("l2_local_hit_rate", "hits in the second level"),
                      ("branches_predicted_rate", "branches predicted")):
        a, b = values.get(key), baseline.get(key)
        if a is not None and b is not None and abs(a - b) >= 0.002:
            parts[a > b].append(f"{'more' if a > b else 'fewer'} {name} ({a * 100:.1f} % against "
                                f"{b * 100:.1f} %)")
    if not any(parts.values()):
        return ""
    where = "the simulated processor" if simulated else "the processor"
    if not difference.known or not difference.is_real():
        return f"{where.capitalize()} counts a difference all the same: " \
               f"{'; '.join(parts[True] + parts[False])}."
    faster = difference.ratio < 1
    said = [f"{way}, {where} counts {'; '.join(parts[good])}"
            for way, good in ((f"In favour of {'less' if faster else 'more'} time", faster),
                              ("against it", not faster)) if parts[good]]
    said[0] = said[0][:1].upper() + said[0][1:]
    return "; ".join(said) + "."


def weigh(values, baseline, difference):
    """Which of two reasons the counters show: less work, or cheaper work."""
    moved = more_or_less(values, baseline, "instructions")
    if not moved or not difference.known or not difference.is_real():
        return ""
    a, b = values.get("l1d_misses_per_node"), baseline.get("l1d_misses_per_node")
    faster = difference.ratio < 1
    if faster == (moved[0] == "fewer"):
        text = f"It is {'less' if faster else 'more'} work"
        if a and b and abs(a / b - 1) > 0.05:
            same_way = (a < b) == faster
            text += (f", {'and' if same_way else 'although'} {'fewer' if a < b else 'more'} loads "
                     f"per node miss the first level ({a:.2f} against {b:.2f})")
        return text + "."
    if a and b and (a < b) == faster:
        return ("It is not less work that makes it so, but "
                f"{'fewer' if faster else 'more'} misses: {a:.2f} per node against {b:.2f}.")
    return "The counts alone do not explain it."


def about_memory(label, base, values, baseline):
    parts = []
    for key, name in (("malloc_calls", "malloc calls"), ("brk_calls", "calls of brk"),
                      ("faults_minor", "page faults")):
        a, b = values.get(key), baseline.get(key)
        if a is not None and b is not None and a != b and (b >= 100 or a >= 100):
            parts.append(f"{a:,.0f} {name} against {b:,.0f}")
    rss = values.get("peak_rss_bytes"), baseline.get("peak_rss_bytes")
    if all(rss) and abs(rss[0] / rss[1] - 1) >= 0.02:
        parts.append(f"a peak of {rss[0] / 2 ** 20:,.0f} MiB against {rss[1] / 2 ** 20:,.0f} MiB")
    return f"In memory: {', '.join(parts)} ({label} against {base})." if parts else ""


def scope(study, configuration, simulated):
    """How much of the run a simulation covers."""
    if not simulated:
        return ""
    done = configuration.simulated["summary"]["searches"]
    every = len(model.search_values(configuration.reports[0]))
    if done >= every:
        return ""
    return (f"Simulated were the first {done} of {every} searches only, in which what an allocator "
            "keeps for later counts for less.")


def conclusion(study):
    """Paragraphs."""
    paragraphs = []
    base = study.baseline
    for configuration in study.compared:
        difference = study.difference(configuration, "search_seconds")
        values, baseline, simulated = study.counter_values(configuration)
        parts = [about_time(configuration.label, base.label, difference),
                 reasons(values, baseline, simulated, difference),
                 weigh(values, baseline, difference), scope(study, configuration, simulated),
                 about_memory(configuration.label, base.label, study.medians(configuration),
                              study.medians(base))]
        paragraphs.append(" ".join(part for part in parts if part))
    if not study.compared:
        paragraphs.append("There is one configuration only, and nothing to compare it with.")
    return paragraphs


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
