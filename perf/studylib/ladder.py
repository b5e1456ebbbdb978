"""The picture of README.md: what each idea makes of the same pairs, from figures.csv.

A bar is the time of one figure, on an axis of powers of ten. It is drawn without gnuplot, so that
the same figures give the same bytes.
"""
import math
from xml.sax.saxutils import escape

import units

# The figure of the group "pairs", what is in front of the bar, the file, and the idea.
ENGINES = (
    ("layout", "challenge", "challenge.c", "its layout, one malloc per push"),
    ("plain", "plain", "plain.c", "the same search, packed graph"),
    ("malloc", "classic, malloc", "classic.c", "reads ahead; counts unchanged"),
    ("pool", "classic, pool", "nodes/pool.c", "list nodes from a free list"),
    ("slab", "classic, slab", "nodes/slab.c", "list nodes side by side"),
    ("array", "array", "array.c", "no list: one array, one mark"),
    ("bitmap", "bitmap", "bitmap.c", "dense frontiers as bits"),
    ("direction-optimizing", "direction-optimizing", "direction_optimizing.c", "dense levels searched backwards"),
    ("multi-source", "multi-source", "multi_source.c", "all pairs at once, by bits"),
    ("bidirectional", "bidirectional", "bidirectional.c", "two balls that meet"))
ROW, TOP, LEFT, RIGHT, WIDTH = 30, 52, 170, 670, 960  # pixels


def position(seconds, low, high):
    """Where a time ends on the axis, in pixels."""
    return LEFT + (RIGHT - LEFT) * (math.log10(seconds) - low) / (high - low)


def svg(rows):
    """The text of the picture, or None if a figure of the first machine of the pairs is missing."""
    pairs = [row for row in rows if row["figure"].startswith("pairs.") and row["unit"] == "s"]
    own = {row["figure"].split(".")[1]: row for row in pairs if row["machine"] == pairs[0]["machine"]}
    if not all(name in own for name, *_ in ENGINES):
        return None
    times = {name: float(own[name]["value"]) for name, *_ in ENGINES}
    low, high = math.floor(math.log10(min(times.values()))), math.ceil(math.log10(max(times.values())))
    bottom = TOP + ROW * len(ENGINES)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 34}" role="img" '
             'font-family="sans-serif" font-size="13">',
             "<title>Seconds for the same 15 pairs, by engine and allocator</title>",
             f'<rect width="{WIDTH}" height="{bottom + 34}" fill="#ffffff"/>',
             f'<text x="12" y="22" font-size="15">Time of the same 15 searches, one thread, logarithmic: '
             f'bfs {escape(own["layout"]["of"])} random:15</text>']
    for power in range(low, high + 1):
        x = position(10 ** power, low, high)
        lines += [f'<line x1="{x:.1f}" y1="{TOP - 12}" x2="{x:.1f}" y2="{bottom}" stroke="#dddddd"/>',
                  f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle" fill="#555555">'
                  f'{units.text(10 ** power, "s")}</text>']
    for i, (name, label, file, idea) in enumerate(ENGINES):
        y, end = TOP + ROW * i, position(times[name], low, high)
        lines += [f'<text x="{LEFT - 8}" y="{y + 9}" text-anchor="end">{escape(label)}</text>',
                  f'<rect x="{LEFT}" y="{y - 4}" width="{end - LEFT:.1f}" height="17" fill="#0072b2"/>',
                  f'<text x="{end + 6:.1f}" y="{y + 9}">{units.text(times[name], "s")}</text>',
                  f'<text x="{RIGHT + 62}" y="{y + 3}" fill="#333333" font-size="12">{escape(idea)}</text>',
                  f'<text x="{RIGHT + 62}" y="{y + 16}" fill="#777777" font-size="11">{escape(file)}</text>']
    return "\n".join([*lines, "</svg>", ""])
