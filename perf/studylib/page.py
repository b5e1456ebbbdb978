"""The page of a study, from the same parts: HTML that opens offline, with the plots inside;
Markdown with the plots beside it; and plain text for a terminal."""
import html
import re
import textwrap

import plots
from runner import Failed

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:1180px;margin:2em auto;padding:0 1em;color:#222}
h1{font-size:1.7em}h2{margin-top:2em;border-bottom:1px solid #ddd}
table{border-collapse:collapse;margin:1em 0;font-size:.92em}
th,td{padding:.3em .8em;border-bottom:1px solid #e4e4e4;text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}thead th{border-bottom:2px solid #999}
.scroll{overflow-x:auto}.note{color:#555;font-size:.92em}
.warning{background:#fff6e0;border-left:4px solid #e69f00;padding:.4em 1em;margin:.5em 0}
svg{max-width:100%;height:auto}figure{margin:1.5em 0}figcaption{color:#555;font-size:.92em}
small{color:#666;font-weight:400}td{vertical-align:top}td.better{color:#00683f;font-weight:600}
td.worse{color:#b03a00;font-weight:600}
"""


def aligned(header, rows):
    """A table in columns of their widest cell, the first to the left."""
    cells = [[str(cell).replace("\n", " ") for cell in row] for row in [header] + rows]
    # A remark in place of figures may reach over the columns after it.
    last = len(header) - 1
    widths = [max(len(row[i]) for row in cells if i in (0, last) or "".join(row[i + 1:]))
              for i in range(len(header))]
    return [(row[0].ljust(widths[0]) + "".join("  " + cell.rjust(width) for cell, width in
                                               zip(row[1:], widths[1:]))).rstrip() for row in cells]


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

    def heading(self, text):
        self.html.append(f"<h2>{html.escape(text)}</h2>")
        self.markdown += [f"## {text}", ""]
        self.text += [text, ""]

    def paragraph(self, text, css=None):
        attribute = f' class="{css}"' if css else ""
        self.html.append(f"<p{attribute}>{html.escape(text)}</p>")
        self.markdown += [("> " if css == "warning" else "") + text, ""]
        self.text += [textwrap.fill(text, 100), ""]

    def table(self, header, rows, classes=None):
        """classes: {(row, column): css class}"""
        classes = classes or {}
        self.html.append('<div class="scroll"><table><thead><tr>' + "".join(
            f"<th>{html.escape(cell)}</th>" for cell in header) + "</tr></thead><tbody>")
        for i, row in enumerate(rows):
            cells = []
            for j, cell in enumerate(row):
                css = f' class="{classes[i, j]}"' if (i, j) in classes else ""
                text = html.escape(str(cell)).split("\n")
                text = text[0] + "".join(f"<br><small>{line}</small>" for line in text[1:])
                cells.append(f"<td{css}>{text}</td>")
            self.html.append("<tr>" + "".join(cells) + "</tr>")
        self.html.append("</tbody></table></div>")
        escape = lambda cell: str(cell).replace("|", "\\|").replace("\n", "<br>")
        self.markdown.append("| " + " | ".join(map(escape, header)) + " |")
        self.markdown.append("|---|" + "---:|" * (len(header) - 1))
        self.markdown += ["| " + " | ".join(map(escape, row)) + " |" for row in rows] + [""]
        self.text += aligned(header, rows) + [""]

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
            self.picture(draw(self.folder, *arguments, **more), caption)
        except Failed as problem:
            self.failures.append(str(problem))
            self.paragraph(f"No plot: {problem}.", "warning")

    def picture(self, name, caption):
        """An SVG in the folder. Its ids are made unique, because several share one document."""
        if not name:
            return
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

    def write(self, name="study"):
        """NAME.html and NAME.md, in the folder."""
        (self.folder / f"{name}.html").write_text(
            "\n".join(self.html) + "\n</body></html>\n", encoding="utf-8")
        (self.folder / f"{name}.md").write_text("\n".join(self.markdown), encoding="utf-8")
