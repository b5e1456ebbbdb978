"""Plots, by gnuplot: an SVG that goes into the page, and a PNG of each beside it.

1. Every figure carries its interval where one is known, and it is drawn.
2. A figure that is not larger than its spread is left out; the remark that is returned counts them.
3. Bars start at zero, and go below it. On a logarithmic axis there are points, no bars.
4. An axis has the numbers of units.py: the figures' unit is an argument, and the one that fits is
   written.
A function of a plot returns (file name of the SVG, remark); the name is None when nothing is left.
"""
import shutil
import subprocess

import units
from runner import Failed, last_line
from stats import Figure

# Colours that stay apart for colour-blind eyes (Okabe and Ito), and darker ones after them.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666", "#7a1fa2",
           "#000000", "#8c564b", "#1b7837", "#c51b7d", "#4b3f72", "#b2182b", "#01665e", "#2166ac"]
ACROSS = 95  # characters that the labels of the groups may take together, side by side
ROW = 21     # height of a row of points, in pixels


def available():
    return shutil.which("gnuplot") is not None


def quote(text):
    return "'" + str(text).replace("'", "''") + "'"


def block(name, rows):
    lines = [f"${name} << EOD"]
    lines += [" ".join(str(cell) for cell in row) for row in rows]
    return "\n".join(lines + ["EOD", ""])


def draw(folder, name, script, width=860, height=480):
    """Run a script for both formats. Returns the SVG's file name; Failed when gnuplot does."""
    for suffix, terminal in (
            ("svg", f"svg size {width},{height} dynamic font 'sans-serif,13'"),
            ("png", f"pngcairo size {width * 3 // 2},{height * 3 // 2} font 'sans-serif,15'")):
        path = folder / f"{name}.{suffix}"
        text = f"set terminal {terminal}\nset output {quote(path)}\n" + script
        done = subprocess.run(["gnuplot"], input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"gnuplot: {name}.{suffix}: {last_line(done.stderr)}")
    return f"{name}.svg"


def colour(index):
    return f"lc rgb '{COLOURS[index % len(COLOURS)]}'"


def style(index, size=0.7):
    return f"{colour(index)} pt {5 + 2 * (index % 4)} ps {size}"


COMMON = """set grid lt 1 lc rgb '#dddddd'
set border 3
set tics nomirror
set bars 0.4
set key outside right top
"""


def titled(title, xlabel, ylabel):
    return (f"set title {quote(title)} noenhanced\nset xlabel {quote(xlabel)} noenhanced\n"
            f"set ylabel {quote(ylabel)} noenhanced\n")


def counted(count):
    return "1 figure is" if count == 1 else f"{count} figures are"


def short(value):
    """Three digits, zeros at the end too; whole numbers as they are."""
    if value >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")


def ruled(axis, tics, extent=None):
    """An axis with these tics, [(label, position), ...], from end to end, or to a given extent."""
    low, high = extent or (tics[0][1], tics[-1][1])
    written = f"set {axis}range [{low:g}:{high:g}]\n"
    return written + (f"set {axis}tics (" + ", ".join(f"{quote(text)} {float(at):.12g}" for text, at in tics)
                      + ")\n" if tics else "")


class Chooser:
    """Leaves out what is not clear, and what a logarithmic axis cannot show."""

    def __init__(self, log=False):
        self.log = log
        self.unclear = self.impossible = self.single = self.kept = 0

    def __call__(self, figure):
        """A Figure, a number or None, as a Figure to be drawn or None."""
        if figure is None:
            return None
        figure = figure if isinstance(figure, Figure) else Figure(figure, figure, figure)
        if not figure.is_clear:
            self.unclear += 1
        elif self.log and figure.value <= 0:
            self.impossible += 1
        else:
            self.kept += 1
            self.single += not figure.is_known
            return figure
        return None

    def remark(self):
        said = []
        if self.unclear:
            said.append(f"{counted(self.unclear)} smaller than {'its' if self.unclear == 1 else 'their'} "
                        "spread and left out.")
        if self.impossible:
            said.append(f"{counted(self.impossible)} not above zero and left out of the logarithmic "
                        "scale.")
        if self.kept and self.single == self.kept:
            said.append("One run each: nothing is known of the spread.")
        return " ".join(said)


def ends(figure, floor=None):
    """Value, low, high for gnuplot; without an interval all three are equal. floor: of a logarithmic
    axis."""
    low, high = (figure.low, figure.high) if figure.is_known else (figure.value, figure.value)
    return figure.value, low if floor is None or low > 0 else floor, high


def scatter(folder, name, title, xlabel, ylabel, series, log_x=True, log_y=True, lines=False,
            xtics=None, band=False, unit="", x_unit=""):
    """series: [(label, [(x, figure), ...]), ...]. lines: joined; band: joined, the intervals as a
    band. xtics: [(label, x), ...] in place of numbers."""
    choose = Chooser(log_y)
    chosen = [(label, [(x, figure) for x, figure in ((x, choose(y)) for x, y in points) if figure])
              for label, points in series]
    chosen = [(label, points) for label, points in chosen if points]
    if not chosen:
        return None, choose.remark()
    script = COMMON + titled(title, xlabel, ylabel) + ("" if lines else "set errorbars 0\n")
    numbers = [x for _, points in chosen for x, _ in points]
    if log_x:
        above = [x for x in numbers if x > 0] or [1]
        ends_at = min(above) / 1.5, max(above) * 1.5
    else:
        # a line ends with the axis; single points keep clear of its ends
        ends_at = (0, max(numbers) or 1) if lines else (min(numbers) - 0.5, max(numbers) + 0.5)
    script += ("set logscale x\n" if log_x else "") + ruled(
        "x", xtics or units.axis(*ends_at, x_unit, log_x), ends_at)
    every = [ends(figure, figure.value / 10 if log_y else None)
             for _, points in chosen for _, figure in points]
    low, high = min(row[1] for row in every), max(row[2] for row in every)
    if log_y:
        script += "set logscale y\n" + ruled(
            "y", units.axis(low / 1.5, high * 1.5, unit, True), (low / 1.5, high * 1.5))
    else:
        script += ruled("y", units.axis(min(low, 0), max(high, 0), unit), None)
    plots = []
    for index, (label, points) in enumerate(chosen):
        script += block(f"d{index}", [(x, *ends(figure, figure.value / 10 if log_y else None))
                                      for x, figure in points])
        named = f"title {quote(label)} noenhanced"
        if band:
            plots.append(f"$d{index} using 1:3:4 with filledcurves {colour(index)} "
                         "fs transparent solid 0.2 noborder notitle")
            plots.append(f"$d{index} using 1:2 with lines lw 2 {colour(index)} {named}")
        else:
            kind = f"yerrorlines lw 1.5 {style(index, 0.5)}" if lines else \
                f"yerrorbars lw 0.7 {style(index)}"
            plots.append(f"$d{index} using 1:2:3:4 with {kind} {named}")
    return draw(folder, name, script + "plot " + ", ".join(plots) + "\n"), choose.remark()


def bars(folder, name, title, ylabel, groups, labels, xlabel="", unit=""):
    """Upright bars from zero, with their intervals. groups: [(group name, [figure of each label]),
    ...]"""
    choose = Chooser()
    groups = [(group, [choose(figure) for figure in figures]) for group, figures in groups]
    groups = [(group, figures) for group, figures in groups if any(figures)]
    if not groups:
        return None, choose.remark()
    wide = 0.85 / len(labels)
    every = [ends(figure) for _, figures in groups for figure in figures if figure]
    script = COMMON + titled(title, xlabel, ylabel) + (
        "set style fill solid 0.85\nset errorbars 0.4 lw 1.2 lc rgb '#222222'\nset grid noxtics\nset xzeroaxis lt 1 lc rgb '#222222'\n"
        + ruled("y", units.axis(min(0, *(row[1] for row in every)),
                                max(0, *(row[2] for row in every)), unit))
        + f"set xrange [-0.6:{len(groups) - 0.4}]\n"
        "set xtics (" + ", ".join(f"{quote(group)} {i}" for i, (group, _) in enumerate(groups))
        + ") noenhanced scale 0\n")
    if max(len(str(group)) for group, _ in groups) * len(groups) > ACROSS:
        script += "set xtics rotate by -40\nset rmargin screen 0.82\n"
    plots = []
    for j, label in enumerate(labels):
        rows = [(i + (j - (len(labels) - 1) / 2) * wide, *ends(figures[j]))
                for i, (_, figures) in enumerate(groups) if figures[j]]
        if rows:
            script += block(f"d{j}", rows)
            plots.append(f"$d{j} using 1:2:3:4:({wide * 0.92:g}) with boxerrorbars {colour(j)} "
                         + (f"title {quote(label)} noenhanced" if label else "notitle"))
    return draw(folder, name, script + "plot " + ", ".join(plots) + "\n"), choose.remark()


def dots(folder, name, title, xlabel, groups, labels=("",), unit=""):
    """A row of points per group on a logarithmic scale, each with its interval as a line; the figure
    is written beside it. groups and labels as in bars."""
    choose = Chooser(log=True)
    groups = [(group, [choose(figure) for figure in figures]) for group, figures in groups]
    groups = [(group, figures) for group, figures in groups if any(figures)]
    if not groups:
        return None, choose.remark()
    every = [ends(figure, figure.value / 10) for _, figures in groups for figure in figures
             if figure]
    low, high = min(row[1] for row in every) / 2, max(row[2] for row in every)
    high *= (high / low) ** 0.18
    script = COMMON + titled(title, xlabel, "") + (
        "set logscale x\n" + ruled("x", units.axis(low, high, unit, True), (low, high)) +
        f"set yrange [{len(groups) - 0.4}:-0.6]\nset grid noytics\nset ytics ("
        + ", ".join(f"{quote(group)} {i}" for i, (group, _) in enumerate(groups))
        + ") noenhanced scale 0\n")
    script += "" if len(labels) > 1 else "set key off\n"
    plots = []
    for j, label in enumerate(labels):
        step = 0.8 / len(labels)
        rows = [(ends(figures[j], figures[j].value / 10), i + (j - (len(labels) - 1) / 2) * step)
                for i, (_, figures) in enumerate(groups) if figures[j]]
        if rows:
            script += block(f"d{j}", [(*figure, y, quote_cell(
                units.text(figure[0], unit, 3) if unit else short(figure[0])))
                                      for figure, y in rows])
            plots.append(f"$d{j} using 1:4:2:3 with xerrorbars lw 1.5 {style(j, 0.9)} "
                         + (f"title {quote(label)} noenhanced" if label else "notitle"))
            plots.append(f"$d{j} using 3:4:5 with labels left offset 1,0 font ',11' notitle")
    height = 130 + ROW * sum(max(1.4, sum(map(bool, figures))) for _, figures in groups)
    return (draw(folder, name, script + "plot " + ", ".join(plots) + "\n", height=round(height)),
            choose.remark())


def quote_cell(text):
    """A label in a block of data."""
    return '"' + str(text).replace('"', "'") + '"'
