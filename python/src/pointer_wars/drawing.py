"""Pictures of answers for a notebook: SVG as text, without JavaScript, every title escaped.

`layers` draws a graph in columns, from left to right; `bars` draws counts.
"""
from __future__ import annotations

import html
import re
from typing import Iterable, Sequence, Tuple

ROWS = 12         # of a column; of the rest only the number is said
COLUMNS = 40      # of a picture
LETTERS = 36      # of a title
LETTER, ROW, GAP, MARGIN = 7.2, 34, 56, 12  # pixels

NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STYLE = 'font-family="sans-serif" font-size="12"'
PAGE = 'style="background:#fff;max-width:100%;height:auto"'  # on a dark page, on a narrow one


def escaped(text: str) -> str:
    """Text as XML has it; characters that XML does not know become a question mark in a diamond."""
    return html.escape(NO_XML.sub("\ufffd", text))


def shortened(text: str) -> str:
    """At most LETTERS letters of it."""
    return text if len(text) <= LETTERS else text[:LETTERS - 1] + "…"


def svg(width: float, height: float, body: Iterable[str], title: str) -> str:
    """A whole picture."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" {STYLE} {PAGE}>'
            f'<title>{escaped(title)}</title>{"".join(body)}</svg>')


def box(x: float, y: float, width: float, text: str, color: str = "#fff") -> str:
    """A title in a box; the whole title appears under the pointer."""
    return (f'<g><title>{escaped(text)}</title><rect x="{x:.1f}" y="{y - 12:.1f}" rx="5" '
            f'width="{width:.1f}" height="24" fill="{color}" stroke="#456"/>'
            f'<text x="{x + width / 2:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="#123">'
            f'{escaped(shortened(text))}</text></g>')


def layers(columns: Sequence[Sequence[str]], sizes: Sequence[int],
           links: Iterable[Tuple[int, int, int]], title: str) -> str:
    """A graph in columns. columns: the titles of each, at most ROWS of them; sizes: how many nodes
    each has. A link (c, i, k) leads from row i of column c - 1 to row k of column c."""
    shown = [list(column[:ROWS]) for column in columns]
    rests = [size - len(column) for size, column in zip(sizes, shown)]
    widths = [max([len(shortened(text)) for text in column] + [6]) * LETTER + 2 * MARGIN
              for column in shown]
    lefts = [MARGIN + sum(widths[:i]) + i * GAP for i in range(len(widths))]
    rows = max([len(column) + (rest > 0) for column, rest in zip(shown, rests)], default=0)
    height = rows * ROW + MARGIN

    def middle(column: int, row: int) -> float:
        count = len(shown[column]) + (rests[column] > 0)
        return height / 2 + (row - (count - 1) / 2) * ROW

    body = []
    for column, i, k in links:
        if i < len(shown[column - 1]) and k < len(shown[column]):
            x, y = lefts[column - 1] + widths[column - 1], middle(column - 1, i)
            u, v = lefts[column], middle(column, k)
            body.append(f'<path d="M{x:.1f} {y:.1f}C{x + GAP / 2:.1f} {y:.1f} {u - GAP / 2:.1f} '
                        f'{v:.1f} {u:.1f} {v:.1f}" fill="none" stroke="#789"/>')
    for column, titles in enumerate(shown):
        color = "#dfefff" if column in (0, len(shown) - 1) else "#fff"
        body += [box(lefts[column], middle(column, row), widths[column], text, color)
                 for row, text in enumerate(titles)]
        if rests[column] > 0:
            body.append(f'<text x="{lefts[column] + widths[column] / 2:.1f}" '
                        f'y="{middle(column, len(titles)) + 4:.1f}" text-anchor="middle" '
                        f'fill="#567">and {rests[column]:,} more</text>')
    width = lefts[-1] + widths[-1] + MARGIN if shown else 2 * MARGIN
    return svg(width, height, body, title)


def bars(counts: Sequence[int], title: str) -> str:
    """Counts as horizontal bars, one line each."""
    most = max(counts, default=0) or 1
    body = []
    for row, count in enumerate(counts):
        y = MARGIN + row * 20
        body.append(f'<text x="40" y="{y + 13}" text-anchor="end" fill="#567">{row}</text>'
                    f'<rect x="48" y="{y + 2}" width="{max(1.0, 320 * count / most):.1f}" '
                    f'height="15" fill="#58b"/><text x="{54 + 320 * count / most:.1f}" '
                    f'y="{y + 13}" fill="#567">{count:,}</text>')
    return svg(480, len(counts) * 20 + 2 * MARGIN, body, title)
