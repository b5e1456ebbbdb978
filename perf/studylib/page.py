"""The page of a study, from the same parts: HTML that opens offline, with the plots inside;
Markdown with the plots beside it; and plain text for a terminal."""
import html
import os
import re
import shutil
import sys
import textwrap

import plots
from runner import Failed

NARROW = 80  # columns of a text that goes into a file or a pipe
WIDE = 124   # characters that a row of a table may have in a window of 1,100 pixels
FEW = 6      # a table of at most that number of rows is turned when it is too wide

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:1180px;margin:2em auto;padding:0 1em;color:#222}
h1{font-size:1.7em}h2{margin-top:2em;border-bottom:1px solid #ddd}
table{border-collapse:collapse;margin:1em 0;font-size:.92em}
th,td{padding:.3em .6em;border-bottom:1px solid #e4e4e4;text-align:right;white-space:nowrap}
th:first-child,td:first-child,td.remark{text-align:left}
thead th{border-bottom:2px solid #999;white-space:normal;vertical-align:bottom}
.scroll{overflow-x:auto}.note{color:#555;font-size:.92em}
.warning{background:#fff6e0;border-left:4px solid #e69f00;padding:.4em 1em;margin:.5em 0}
nav ul{columns:12em;padding-left:1.2em}svg{max-width:100%;height:auto}figure{margin:1.5em 0}figcaption{color:#555;font-size:.92em}
small{color:#666;font-weight:400}td{vertical-align:top}td.better{color:#00683f;font-weight:600}
td.worse{color:#b03a00;font-weight:600}
"""


def text_width():
    """Columns for text: the terminal's, at least 80; 80 if it goes elsewhere."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return NARROW
    return max(NARROW, min(160, shutil.get_terminal_size((NARROW, 24)).columns))


def pieces(text):
    """A head in the pieces that may have separate lines: words, options of an allocator."""
    return re.split(r"(?<=[,:])(?=\S)|(?<= )", str(text))


def widths_of(header, rows):
    """Characters of each column, the heads folded. A remark in place of figures, with nothing after
    it, may reach over the columns after it."""
    last = len(header) - 1
    return [max([max(len(piece.rstrip()) for piece in pieces(header[i]))] +
                [max(map(len, str(row[i]).split("\n"))) for row in rows
                 if i in (0, last) or "".join(map(str, row[i + 1:]))]) for i in range(len(header))]


def shaped(header, rows, width):
    """The table in parts that are not wider: [(header, rows, {(row, column): (row, column) of the
    whole}), ...]. One of few rows is turned; else the columns are divided, and the
    columns that identify a row are repeated."""
    def total(head, body):
        return sum(widths_of(head, body)) + 2 * (len(head) - 1)

    every = {(i, j): (i, j) for i in range(len(rows)) for j in range(len(header))}
    if total(header, rows) <= width or len(header) < 3:
        return [(header, rows, every)]
    whole = [header] + rows
    turned = [[row[j] for row in whole] for j in range(len(header))]
    if len(rows) <= FEW and total(turned[0], turned[1:]) <= width:
        return [(turned[0], turned[1:], {(j - 1, i + 1): (i, j) for i, j in every if j > 0})]
    keys = next((k for k in range(1, len(header) - 1)
                 if len({tuple(map(str, row[:k])) for row in rows}) == len(rows)), 1)
    parts, columns = [], list(range(keys))
    for j in range(keys, len(header)):
        if len(columns) > keys and total([header[k] for k in columns + [j]],
                                      [[row[k] for k in columns + [j]] for row in rows]) > width:
            parts.append(columns)
            columns = list(range(keys))
        columns.append(j)
    return [([header[k] for k in columns], [[row[k] for k in columns] for row in rows],
             {(i, new): (i, old) for i in range(len(rows)) for new, old in enumerate(columns)})
            for columns in parts + [columns]]


def folded(text, width):
    """A head in lines of at most that width."""
    lines = [""]
    for piece in pieces(text):
        if lines[-1] and len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def plain(row):
    """In text a cell has one line."""
    return [str(cell).replace("\n", " ") for cell in row]


def aligned(header, rows, width=NARROW):
    """A table as lines of text, in parts below each other where it is too wide."""
    lines = []
    for head, body, _ in shaped(plain(header), [plain(row) for row in rows], width):
        widths = widths_of(head, body)
        whole = [max(len(cell), wide) for cell, wide in zip(head, widths)]
        widths = whole if sum(whole) + 2 * (len(head) - 1) <= width else widths
        heads = [folded(cell, wide) for cell, wide in zip(head, widths)]
        high = max(map(len, heads))
        heads = [[""] * (high - len(cell)) + cell for cell in heads]
        lines += [""] if lines else []
        lines += [(row[0].ljust(widths[0]) + "".join(
            "  " + cell.rjust(wide) for cell, wide in zip(row[1:], widths[1:]))).rstrip()
            for row in list(zip(*heads)) + body]
    return lines


class Page:
    """Collects both forms."""

    def __init__(self, title, folder):
        self.folder = folder
        self.html = [f"<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                     f"<title>{html.escape(title)}</title><meta name=\"viewport\" "
                     f"content=\"width=device-width\"><style>{STYLE}</style></head><body>",
                     f"<h1>{html.escape(title)}</h1>"]
        self.markdown = [f"# {title}", ""]
        self.text = []
        self.pictures = 0
        self.failures = []  # what gnuplot said of plots that could not be drawn
        self.told = False   # that there are no plots
        self.headings = []
        self.listed_at = None  # the place of the list of contents in both forms

    def contents(self):
        """Begin the list of contents here: a link per heading after it."""
        self.listed_at = len(self.html), len(self.markdown)

    def anchor(self, text):
        """The name of a heading in a link, as Markdown makes it; it is unique on the page."""
        name = re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")
        again = sum(text == earlier for earlier, _ in self.headings)
        return f"{name}-{again}" if again else name

    def heading(self, text):
        self.headings.append((text, self.anchor(text)))
        self.html.append(f'<h2 id="{html.escape(self.headings[-1][1])}">{html.escape(text)}</h2>')
        self.markdown += [f"## {text}", ""]
        self.text += [text, ""]

    def paragraph(self, text, css=None):
        attribute = f' class="{css}"' if css else ""
        self.html.append(f"<p{attribute}>{html.escape(text)}</p>")
        self.markdown += [("> " if css == "warning" else "") + text, ""]
        self.text += [textwrap.fill(text, min(100, text_width())), ""]

    def table(self, header, rows, classes=None):
        """classes: {(row, column): css class}"""
        for head, body, whence in shaped(header, rows, WIDE):
            self.html.append('<div class="scroll"><table><thead><tr>' + "".join(
                f"<th>{'<wbr>'.join(map(html.escape, re.split(r'(?<=[,:(])', str(cell))))}</th>"
                for cell in head) + "</tr></thead><tbody>")
            for i, row in enumerate(body):
                cells = []
                for j, cell in enumerate(row):
                    css = (classes or {}).get(whence.get((i, j)))
                    first, *more = html.escape(str(cell)).split("\n")
                    if 0 < j < len(row) - 1 and not "".join(map(str, row[j + 1:])):
                        cells.append(f'<td class="remark" colspan="{len(row) - j}">{first}</td>')
                        break  # a remark in place of figures
                    cells.append(f"<td class=\"{css}\">" if css else "<td>")
                    cells.append(first + "".join(f"<br><small>{line}</small>" for line in more)
                                 + "</td>")
                self.html.append("<tr>" + "".join(cells) + "</tr>")
            self.html.append("</tbody></table></div>")
        escape = lambda cell: str(cell).replace("|", "\\|").replace("\n", "<br>")
        self.markdown.append("| " + " | ".join(map(escape, header)) + " |")
        self.markdown.append("|---|" + "---:|" * (len(header) - 1))
        self.markdown += ["| " + " | ".join(map(escape, row)) + " |" for row in rows] + [""]
        self.text += aligned(header, rows, text_width()) + [""]

    def plot(self, caption, draw, *arguments, **more):
        """A plot by a function of plots.py. One that fails is a warning here, and the command that
        made the page ends with 1; without gnuplot there is one warning and no failure."""
        if not plots.available():
            if not self.told:
                self.paragraph("No plots: gnuplot is not installed (package gnuplot-nox).",
                               "warning")
            self.told = True
            return
        try:
            name, remark = draw(self.folder, *arguments, **more)
            if name:
                self.picture(name, f"{caption} {remark}".strip())
            else:
                self.paragraph("No plot: " + (remark or "there is no figure to draw."), "note")
        except Failed as problem:
            self.failures.append(str(problem))
            self.paragraph(f"No plot: {problem}.", "warning")

    def picture(self, name, caption):
        """An SVG in the folder. Its ids are made unique, because several share one document."""
        text = (self.folder / name).read_text(encoding="utf-8")
        text = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>", "", text, flags=re.S)
        prefix = f"p{self.pictures}-"
        self.pictures += 1
        if "<script" in text:  # an interactive picture keeps its own document
            source = html.escape(text, quote=True)
            body = (f'<iframe srcdoc="{source}" title="{html.escape(caption)}" '
                    'style="width:100%;height:560px;border:0"></iframe>')
        else:
            text = re.sub(r"\bid=(['\"])", rf"id=\1{prefix}", text)
            text = re.sub(r"(xlink:href|href)=(['\"])#", rf"\1=\2#{prefix}", text)
            body = re.sub(r"url\((['\"]?)#", rf"url(\1#{prefix}", text)
        self.html.append(f"<figure>{body}<figcaption>{html.escape(caption)}</figcaption></figure>")
        self.markdown += [f"![{caption}]({name})", ""]

    def list_contents(self):
        at_html, at_markdown = self.listed_at
        self.html.insert(at_html, '<nav aria-label="Contents"><ul>' + "".join(
            f'<li><a href="#{html.escape(anchor)}">{html.escape(text)}</a></li>'
            for text, anchor in self.headings) + "</ul></nav>")
        self.markdown[at_markdown:at_markdown] = [f"- [{text}](#{anchor})"
                                                  for text, anchor in self.headings] + [""]
        self.listed_at = None

    def write(self, name="study"):
        """NAME.html and NAME.md, in the folder."""
        if self.listed_at:
            self.list_contents()
        (self.folder / f"{name}.html").write_text(
            "\n".join(self.html) + "\n</body></html>\n", encoding="utf-8")
        (self.folder / f"{name}.md").write_text("\n".join(self.markdown), encoding="utf-8")
