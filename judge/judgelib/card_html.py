"""The card as one page: no script, nothing from elsewhere, the plot drawn here as SVG."""
import math
from html import escape

import card_text
import mend
from printable import counted
from speed import ROUNDS_LEAST

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:54rem;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.5rem;display:flex;justify-content:space-between;border-bottom:2px solid #222}
h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.passed{color:#00664a}.failed{color:#a33a00;font-weight:600}.no{color:#666}
pre{background:#f5f5f5;padding:.8rem;overflow:auto;font-size:.85rem}
figure{margin:1rem 0}figcaption{color:#555;font-size:.9rem}
"""
PLAIN, MINE, OTHER = "#666666", "#0072b2", "#009e73"


def cell(value, number=False):
    return f"<td{' class=n' if number else ''}>{escape(str(value))}</td>"


def table(heads, rows):
    """heads: (text, whether its cells are numbers)."""
    out = ["<table><tr>" + "".join(f"<th{' class=n' if number else ''}>{escape(text)}</th>"
                                   for text, number in heads) + "</tr>"]
    for row in rows:
        out.append("<tr>" + "".join(cell(value, number) for value, (_, number) in zip(row, heads))
                   + "</tr>")
    return "\n".join([*out, "</table>"])


def first(card):
    """What to mend first, and the calls that show it."""
    rule = mend.first_rule(card)
    if rule is None:
        return ""
    calls = f"<pre>{escape(chr(10).join(rule['calls']))}</pre>" if rule["calls"] else ""
    return (f"<h2>Mend first</h2><p class=failed>{escape(mend.words_of(rule))}</p>{calls}"
            f"<p>Expected: {escape(str(rule['expected']))}<br>Found: {escape(str(rule['found']))}</p>")


def rules(card):
    out = ["<h2>Rules</h2><table><tr><th>rule</th><th>status</th><th>promise</th></tr>"]
    order = {"failed": 0, "not judged": 1, "remark": 2, "passed": 3}
    for rule in sorted(card["rules"], key=lambda rule: order[rule["status"]]):
        kind = {"passed": "passed", "failed": "failed"}.get(rule["status"], "no")
        more = ""
        if rule["status"] == "passed" and rule["but_for"]:
            more = f"<br>Kept, but for {escape(', '.join(rule['but_for']))}."
        elif rule["status"] in ("failed", "remark"):
            more = (f"<br>Expected: {escape(str(rule['expected']))}<br>"
                    f"Found: {escape(str(rule['found']))}")
            if rule["faults"]:
                more += f"<br>{escape(card_text.faults_text(rule))}"
            if rule["status"] == "remark":
                more += "<br>This is a remark: it costs no points."
            if rule["program"]:
                more += ("<details><summary>A program that shows it</summary>"
                         f"<p>{escape(card_text.how_to_show(card))}</p><pre>{escape(chr(10).join(card['build']['shown_by']))}</pre>"
                         f"<pre>{escape(rule['program'])}</pre></details>")
        elif rule["found"]:
            more = f"<br>{escape(rule['found'])}"
        out.append(f"<tr><td>{escape(rule['name'])}</td><td class={kind}>{rule['status']}</td>"
                   f"<td>{escape(rule['promise'])}{more}</td></tr>")
    return "\n".join([*out, "</table>"])


def axis_steps(low, high):
    """1, 2 and 5 times powers of ten within the range."""
    steps = [factor * 10.0 ** power for power in range(math.floor(math.log10(low)),
                                                      math.ceil(math.log10(high)) + 1)
             for factor in (1, 2, 5)]
    return [step for step in steps if low <= step <= high]


def plot(speed, scale):
    """Points with intervals on a logarithmic axis: each search, the whole, the references."""
    rows = [(f"search {row['search']}", row, MINE) for row in speed["searches"]
            if row["is_timed"]]
    rows.append(("all searches", speed, MINE))
    rows += [(row["name"], row, PLAIN if row["name"] == "plain list" else OTHER)
             for row in speed["references"]]
    low = min([row["low"] for _, row, _ in rows] + [scale[0], 0.8]) / 1.15
    high = max([row["high"] for _, row, _ in rows] + [scale[1], 1.25]) * 1.15
    left, right, step = 170, 760, 22
    height = step * len(rows) + 50

    def x(value):
        return left + (right - left) * math.log(value / low) / math.log(high / low)

    out = [f'<svg viewBox="0 0 800 {height}" role="img" font-size="13" '
           'font-family="system-ui,sans-serif">']
    for value in axis_steps(low, high):
        out.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="10" y2="{height - 36}" '
                   f'stroke="{"#888" if value == 1 else "#e4e4e4"}"/>'
                   f'<text x="{x(value):.1f}" y="{height - 20}" text-anchor="middle">{value:g}</text>')
    for value in scale:
        out.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="10" y2="{height - 36}" '
                   'stroke="#d55e00" stroke-dasharray="4 3"/>')
    for i, (name, row, colour) in enumerate(rows):
        y = 22 + step * i
        out.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(name)}</text>'
                   f'<line x1="{x(row["low"]):.1f}" x2="{x(row["high"]):.1f}" y1="{y}" y2="{y}" '
                   f'stroke="{colour}" stroke-width="2"/>'
                   f'<circle cx="{x(row["ratio"]):.1f}" cy="{y}" r="4" fill="{colour}"/>')
    out.append("</svg>")
    return "\n".join(out)


def interval_of(row):
    """Or what is missing of samples."""
    return f"{row['low']:.2f} to {row['high']:.2f}" if row["n"] >= ROUNDS_LEAST else f"{ROUNDS_LEAST} are needed"


def speed(card):
    figures = card["speed"]
    if not figures or not figures["searches"]:
        return ""
    rows = [(row["search"], f"{row['pushed']:,}", f"{row['mallocs']:,}", f"{row['seconds']:.4f}",
             f"{row['plain_seconds']:.4f}", f"{row['ratio']:.2f}",
             row["n"], interval_of(row) if row["is_timed"] else "too short")
            for row in figures["searches"]]
    simulated = figures.get("instructions") or {}
    own, more = figures.get("own_search") or {}, ""
    if own.get("ratio"):
        more += (f"<p>Its own search: <b>{own['ratio']:.2f}</b> times as fast as the published one on the same "
                 f"queue ({own['low']:.2f} to {own['high']:.2f}); {escape(own['graph'])}, {counted(own['rounds'], 'round')}, "
                 f"its counts: {escape(own['counts'])}.</p>")
    if simulated.get("ratio"):
        more += f"<p>{escape(card_text.simulation(simulated))}</p>"
        hottest = [(f"{row['file']}:{row['line']}", row["text"], f"{row['per_push']:.2f}")
                for row in (simulated.get("hot") or {}).get("lines") or []]
        if hottest:
            more += "<p>Your hottest lines, in simulated instructions per push:</p>" + table(
                [("line", False), ("text", False), ("per push", True)], hottest)
    beside = " " + card_text.BESIDE if any(row.get("is_bound") for row in figures["references"]) else ""
    return "\n".join([
        "<h2>Speed</h2>",
        f"<p><b>{figures['ratio']:.2f}</b> times as fast as the plain list "
        f"({figures['low']:.2f} to {figures['high']:.2f} with {figures['confidence'] * 100:.0f} % "
        f"confidence; {card_text.verdict(figures)}). {escape(figures['graph'])}, {counted(figures['rounds'], 'round')} "
        "of interleaved runs in fresh processes.</p>",
        "<figure>", plot(figures, card["rubric"]["scale"]),
        "<figcaption>Times as fast as the plain list, with intervals; dashed: the limits of the "
        f"scale.{beside}</figcaption></figure>",
        table([("search", True), ("pushes", True), ("mallocs", True), ("seconds", True),
               ("plain list", True), ("ratio", True), ("n", True), ("interval", True)], rows), more])


def memory(card):
    figures = card["memory"]
    if not figures:
        return ""
    return "<h2>Memory</h2>" + table([("figure", False), ("value", True)],
                                     card_text.memory_rows(figures))


def page(title, body):
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
            f"</title><style>{STYLE}</style></head><body>\n{body}\n</body></html>\n")


def html(card):
    name, build = card["submission"]["name"], card["build"]
    rows = [(row["group"], f"{row['points']:.1f}", f"{row['of']:g}", row["why"])
            for row in card["points"]]
    warnings = "".join(f"<li>{escape(line)}</li>" for line in build["first_warnings"])
    body = [f"<h1><span>{escape(name)}</span><span>{card['score']:g} of 100</span></h1>", first(card),
            table([("group", False), ("points", True), ("of", True), ("why", False)], rows),
            f"<p>Build: {escape(str(build['command'] or build['how']))}, {build['seconds']:.1f} s, "
            f"{counted(build['warnings'], 'warning')}"
            + (f"; {escape(build['headers'])} headers" if build["headers"] else "")
            + (f"; level {build['level']} of the challenge" if build["level"] else "") + ".</p>",
            f"<ul>{warnings}</ul>" if warnings else "",
            "<p>The build that failed, its last lines:</p><pre>"
            + escape("\n".join(build["log"])) + "</pre>" if build["log"] else "",
            f"<p>Advice: {escape(build['advice'])}</p>" if build["advice"] else "",
            *(f"<p>{escape(note)}</p>" for note in card["notes"]),
            rules(card), memory(card), speed(card),
            f"<p>Calls: {card_text.operations(card['operations'])}</p>" if card.get("operations") else "", "".join(
                f"<p>{escape(head)}: {escape(words)}</p>" for head, words in card_text.thread_rows(card)),
            f"<p>Isolation: {escape(card['isolation']['summary'])}.</p>",
            *(f"<p>{escape(words)}</p>" for words in card["isolation"]["missing"])]
    return page(f"{name}: {card['score']:g}", "\n".join(part for part in body if part))
