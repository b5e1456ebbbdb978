"""The card for a terminal: 80 columns, green and red only there. The score and what to mend first come first."""
import re
import textwrap

import faults
import mend
from speed import ROUNDS_LEAST
from printable import counted

WIDTH = 80
GREEN, RED, BOLD, PLAIN = "\033[32m", "\033[31m", "\033[1m", "\033[0m"
BESIDE_CARD = "NAME-shown.c, which --output NAME.txt writes"
BESIDE = ("The LIFO list is what the best hand-ins do: chunks of 4 MiB, and a free list in one library with the "
          "queue. The array is the bound: it has 4 bytes per push, where a list has 16.")


class Writer:
    def __init__(self, colours):
        self.colours = colours
        self.lines = []

    def paint(self, text, colour):
        return f"{colour}{text}{PLAIN}" if self.colours else text

    def line(self, text=""):
        self.lines.append(text)

    def hanging(self, head, text, colour=None):
        """A head and words that go on below themselves."""
        rows = textwrap.wrap(str(text), WIDTH - len(head), break_on_hyphens=False) or [""]
        shown = self.paint(head, colour) if colour else head
        self.line(shown + rows[0])
        for row in rows[1:]:
            self.line(" " * len(head) + row)


def head(out, card):
    score = f"{card['score']:g} of 100"
    label = f"Pointer Wars: {card['submission']['name']}"
    gap = max(WIDTH - len(label) - len(score), 2)
    colour = GREEN if card["score"] >= 99.95 else RED if card["score"] < 50 else BOLD
    out.line(out.paint(label, BOLD) + " " * gap + out.paint(score, colour))
    build = card["build"]
    if build["how"]:
        warnings = counted(build["warnings"], "warning") if build["warnings"] else "no warnings"
        out.hanging("build      ", f"{build['command'] or build['how']}: {build['seconds']:.1f} s, "
                    + warnings + (f"; {build['headers']} headers" if build["headers"] else ""))
    if build["level"]:
        out.hanging("level      ", f"{build['level']} of the challenge")
    for warning in build["first_warnings"][:3]:
        out.hanging("           ", warning)


def first(out, card, program):
    """What to mend first, the calls that show it, and where the program is."""
    rule = mend.first_rule(card)
    if rule is None:
        return
    out.line()
    out.hanging("MEND FIRST ", mend.words_of(rule), RED)
    for words in rule["calls"]:
        out.line("    " + words)
    last = re.escape(rule["calls"][-1]) if rule["calls"] else ""
    out.hanging("  expected ", rule["expected"])
    out.hanging("  found    ", re.sub(rf"call \d+, {last}: ", "", rule["found"]))  # the call is the line above
    if rule["program"]:
        out.hanging("  shown by ", f"{program}. {how_to_show(card)}")
        for line in card["build"]["shown_by"]:
            out.line("    " + line)


def how_to_show(card):
    """What to do before the commands of a card."""
    has_headers = card["build"]["headers"] == "the submission's"
    headers = "" if has_headers else ", with the challenge's linked_list.h and queue.h"
    return f"Copy it as shown.c into the folder of the hand-in{headers}. There:"


def isolation(out, card):
    out.line()
    out.hanging("isolation  ", card["isolation"]["summary"])
    for words in card["isolation"]["missing"]:
        out.hanging("           ", words)


def log(out, card):
    """The end of the build that failed, and what to do."""
    build = card["build"]
    if build["log"]:
        out.line()
        out.line("The build that failed, its last lines:")
        for line in build["log"]:
            out.hanging("    ", line)
        if build["advice"]:
            out.hanging("advice     ", build["advice"])


def points(out, card):
    out.line()
    out.line(f"{'group':<10} {'points':>7} {'of':>5}   why")
    for row in card["points"]:
        colour = GREEN if row["points"] >= row["of"] else RED
        figures = f"{row['points']:7.1f} {row['of']:5g}"
        out.line(f"{row['group']:<10} {out.paint(figures, colour)}   {row['why']}")
    most = sum(row["of"] for row in card["points"])
    if most != 100:
        out.line(f"{'together':<10} {sum(row['points'] for row in card['points']):7.1f} {most:5g}   "
                 f"{card['score']:g} of 100")


def rules(out, card):
    first_one = mend.first_rule(card)
    failed = [rule for rule in card["rules"] if rule["status"] == "failed"]
    others = [rule for rule in card["rules"] if rule["status"] == "not judged"]
    if failed:
        out.line()
    for rule in failed:
        out.hanging(f"FAILED     {rule['name']}: ", rule["promise"], RED)
        if rule is not first_one:  # which is above, with its calls
            out.hanging("  expected ", rule["expected"])
            out.hanging("  found    ", rule["found"])
        if rule["faults"]:
            out.hanging("  costs    ", faults_text(rule))
    if others:
        out.line()
        why = {}
        for rule in others:
            why.setdefault(rule["found"], []).append(rule["name"])
        for reason, names in why.items():
            out.hanging("not judged ", f"{', '.join(names)}: {reason}")
    for rule in card["rules"]:
        if rule["status"] == "remark":
            out.line()
            out.hanging(f"remark     {rule['name']}: ", rule["promise"]
                        + ". This is a remark: it costs no points.")
            out.hanging("  found    ", rule["found"])
    kept = {}
    for rule in card["rules"]:
        if rule["status"] == "passed" and rule["but_for"]:
            kept.setdefault(", ".join(rule["but_for"]), []).append(rule["name"])
    for functions, names in kept.items():
        out.line()
        out.hanging("kept       ", f"{', '.join(names)}: kept, but for {functions}", GREEN)
    passed = [rule["name"] for rule in card["rules"] if rule["status"] == "passed" and not rule["but_for"]]
    if passed:
        out.line()
        out.hanging("passed     ", ", ".join(passed), GREEN)


def faults_text(rule):
    """The faults of a rule, and what each one costs."""
    return "; ".join(f"{fault['function']}, {kind_of_fault(fault)}: {fault['cost']:g} of 100"
                     for fault in rule["faults"])


def kind_of_fault(fault):
    """As the table of student.md has it."""
    is_content = fault["kind"] == faults.USE and fault["cost"] >= faults.COSTS[faults.CONTENT]
    return faults.CONTENT if is_content else fault["kind"]


def text(card, colours=False, program=BESIDE_CARD):
    out = Writer(colours)
    head(out, card)
    first(out, card, program)
    points(out, card)
    rules(out, card)
    log(out, card)
    if card["memory"]:
        memory(out, card["memory"])
    if card["speed"] and card["speed"].get("searches"):
        speed(out, card["speed"])
    if card.get("operations"):
        out.line()
        out.hanging("calls      ", operations(card["operations"]))
    for head_of_row, words in thread_rows(card):
        out.line(f"threads    {head_of_row}: {words}")
    for note in card["notes"]:
        out.line()
        out.hanging("note       ", note)
    isolation(out, card)
    return "\n".join(out.lines) + "\n"


def per_push(value):
    """Mallocs per push, in the words of whoever counts them."""
    if value >= 0.095:
        return f"{value:.3g} per push"
    return "none" if value == 0 else f"1 per {float(f'{1 / value:.2g}'):,.0f} pushes"


def memory_rows(figures):
    """(name, value as text) of what is known."""
    rows = [("mallocs", figures.get("mallocs_per_push"), per_push),
            ("bytes per node, as requested", figures.get("bytes_per_node"), "{:.1f}".format),
            ("bytes leaked", figures.get("leaked_bytes"), "{:,}".format),
            ("errors of Valgrind", figures.get("errors"), "{:,}".format)]
    return [(name, form(value)) for name, value, form in rows if value is not None]


def memory(out, figures):
    out.line()
    for name, value in memory_rows(figures):
        out.line(f"memory     {name:<32} {value:>20}")


def thread_rows(card):
    """(threads, what a push or pop costs) of level 4."""
    rows = (card.get("threads") or {}).get("rows") or []
    return [(counted(row["threads"], "thread"), f"{row['ns']:.1f} ns per push or pop ({row['low']:.1f} to "
             f"{row['high']:.1f}), {rows[0]['ns'] / row['ns']:.2f} times one thread's throughput") for row in rows]


def operations(figures):
    """What a script of list calls takes, in a sentence."""
    return (f"{figures['seconds']:.3f} s for a script of calls; the plain list {figures['reference']:.3f} s. "
            "No points.")


def ratio_text(row, samples):
    """With its interval, unless there are too few samples for one."""
    if samples < ROUNDS_LEAST:
        return f"{row['ratio']:.2f} (n below {ROUNDS_LEAST}: not compared)"
    return f"{row['ratio']:.2f} ({row['low']:.2f} to {row['high']:.2f})"


def simulation(counted_search):
    """What the points for speed come from, in a sentence."""
    return (f"Simulated, {counted_search['graph']}: {counted_search['submission']:,} instructions, with what their misses "
            f"cost {counted_search['cost']:,}; the plain list {counted_search['plain']:,} and "
            f"{counted_search['plain_cost']:,}, {counted_search['cost_ratio']:.2f} times as much.")


def hot_lines(out, simulated):
    """The loop that costs most, line by line."""
    rows = (simulated.get("hot") or {}).get("lines") or []
    if rows:
        out.line()
        out.line("Your hottest lines, in simulated instructions per push:")
        for row in rows:
            place = f"{row['file']}:{row['line']}"
            out.line(f"{row['per_push']:>8.2f}  {place[:26]:<26} {row['text'][:42]}".rstrip())
    rows = [] if rows else (simulated.get("hot") or {}).get("functions") or []
    if rows:
        out.line()
        out.line("Your hottest functions, in simulated instructions per push (with -g: lines):")
        for row in rows:
            out.line(f"{row['per_push']:>8.2f}  {row['name'][:66]}")


def verdict(figures):
    """What the speed is worth, where the word alone does not say it."""
    words = {"full": "all points", "part": "a part of the points", "none": "no points"}
    return words.get(figures["verdict"], figures["verdict"])


def speed(out, figures):
    out.line()
    out.hanging("speed      ", f"times the plain list: {ratio_text(figures, figures['rounds'])}, "
                f"{figures['confidence'] * 100:.0f} % confidence: {verdict(figures)}")
    out.hanging("           ", f"{figures['graph']}, {counted(figures['rounds'], 'round')} of "
                "interleaved runs in fresh processes")
    if figures.get("pop_share"):
        out.hanging("           ", f"pops took {100 * figures['pop_share']:.0f} % of the searches' time; with "
                    f"the plain list {100 * figures['plain_pop_share']:.0f} %")
    out.line()
    out.line(f"{'search':>6} {'pushes':>12} {'n':>3} {'seconds':>9}   times the plain list, instructions")
    for row in figures["searches"]:
        mark = "  inconclusive" if row["low"] < 1 < row["high"] and row["n"] >= ROUNDS_LEAST else ""
        if not row["is_timed"]:
            out.line(f"{row['search']:>6} {row['pushed']:>12,}                 checked, too short to time")
            continue
        out.line(f"{row['search']:>6} {row['pushed']:>12,} {row['n']:>3} {row['seconds']:>9.4f}   "
                 f"{ratio_text(row, row['n'])}{mark}")
    for row in figures["references"]:
        out.line(f"{row['name']:>19} {row['n']:>3} {row['seconds']:>9.4f}   {ratio_text(row, row['n'])}"
                 + (f", {row['instructions']:,}" if row.get("instructions") else ""))
    if any(row.get("is_bound") for row in figures["references"]):
        out.hanging("           ", BESIDE)
    own = figures.get("own_search") or {}
    if own.get("ratio"):
        out.line()
        out.hanging("search     ", "times the published search on the same queue: "
                    + ratio_text(own, own["rounds"]))
        out.hanging("           ", f"{own['seconds']:.3f} s and {own['published_seconds']:.3f} s of processor "
                    f"time for its pairs; {own['graph']}, {counted(own['rounds'], 'round')}; its counts: "
                    f"{own['counts']}")
    simulated = figures.get("instructions") or {}
    if simulated.get("ratio"):
        out.line()
        out.hanging("           ", simulation(simulated))
        hot_lines(out, simulated)
