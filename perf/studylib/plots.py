"""Plots, by gnuplot: an SVG that goes into the page, and a PNG of each beside it."""
import shutil
import subprocess

from runner import Failed, last_line

# Colours that stay apart for colour-blind eyes (Okabe and Ito), and darker ones after them.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666", "#7a1fa2",
           "#000000", "#8c564b", "#1b7837", "#c51b7d", "#4b3f72", "#b2182b", "#01665e", "#2166ac"]
ACROSS = 95  # characters that the labels of the groups may take together, side by side


def available():
    return shutil.which("gnuplot") is not None


def quote(text):
    return "'" + str(text).replace("'", "''") + "'"


def block(name, rows):
    lines = [f"${name} << EOD"]
    lines += [" ".join(str(cell) for cell in row) for row in rows]
    return "\n".join(lines + ["EOD", ""])


def draw(folder, name, script, width=860):
    """Run a script for both formats. Returns the SVG's file name; Failed when gnuplot does."""
    for suffix, terminal in (("svg", f"svg size {width},480 dynamic font 'sans-serif,13'"),
                             ("png", f"pngcairo size {width * 3 // 2},720 font 'sans-serif,15'")):
        path = folder / f"{name}.{suffix}"
        text = f"set terminal {terminal}\nset output {quote(path)}\n" + script
        done = subprocess.run(["gnuplot"], input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"gnuplot: {name}.{suffix}: {last_line(done.stderr)}")
    return f"{name}.svg"


def style(index):
    colour = COLOURS[index % len(COLOURS)]
    return f"lc rgb '{colour}' pt {5 + 2 * (index % 4)} ps 0.7"


COMMON = """set grid lt 1 lc rgb '#dddddd'
set border 3
set tics nomirror
set key outside right top
"""


def scatter(folder, name, title, xlabel, ylabel, series, log_x=True, log_y=True, lines=False,
            y_max=None):
    """series: [(label, [(x, y), ...]), ...]; y_max: what lies above is left out"""
    series = [(label, points) for label, points in series if points]
    if not series:
        return None
    script = COMMON + f"set title {quote(title)} noenhanced\nset xlabel {quote(xlabel)}\n" \
                      f"set ylabel {quote(ylabel)}\n"
    if log_x:
        script += "set logscale x\nset format x '10^{%L}'\n"
    else:
        numbers = [x for _, points in series for x, _ in points]
        low = 0 if lines else min(numbers) - 0.5
        script += f"set xrange [{low}:{max(numbers) + (0 if lines else 0.5)}]\n"
    if log_y:
        script += "set logscale y\nset format y '%g'\n"
    else:
        script += f"set yrange [0:{y_max or '*'}]\n"
    for index, (_, points) in enumerate(series):
        script += block(f"d{index}", points)
    kind = "lines lw 2" if lines else "points"
    plots = []
    for index, (label, _) in enumerate(series):
        look = f"lc rgb '{COLOURS[index % len(COLOURS)]}'" if lines else style(index)
        plots.append(f"$d{index} using 1:2 with {kind} {look} title {quote(label)} noenhanced")
    return draw(folder, name, script + "plot " + ", ".join(plots) + "\n")


def bars(folder, name, title, ylabel, groups, labels, xlabel="", log_y=False):
    """groups: [(group name, [value of each label]), ...]"""
    groups = [(group, values) for group, values in groups if any(v is not None for v in values)]
    if not groups:
        return None
    rows = [[quote_cell(group)] + [v if v is not None and (v > 0 or not log_y) else "NaN"
                                   for v in values] for group, values in groups]
    script = COMMON + f"set title {quote(title)} noenhanced\nset ylabel {quote(ylabel)}\n" \
                      "set style data histogram\nset style histogram clustered gap 1\n" \
                      "set style fill solid 0.85\nset boxwidth 0.9\n" \
                      f"set xlabel {quote(xlabel)}\n"
    script += "set logscale y\nset format y '%g'\n" if log_y else "set yrange [0:*]\n"
    if max(len(str(group)) for group, _ in groups) * len(groups) > ACROSS:
        script += "set xtics rotate by -45\n"
    script += block("d", rows)
    plots = [f"$d using {index + 2}:xtic(1) lc rgb '{COLOURS[index % len(COLOURS)]}' "
             f"title {quote(label)} noenhanced" for index, label in enumerate(labels)]
    width = 1300 if len(groups) * len(labels) > 40 else 860
    return draw(folder, name, script + "plot " + ", ".join(plots) + "\n", width)


def ranking(folder, name, title, xlabel, rows):
    """One bar per row, to the right, on a logarithmic scale, with the interval as a line. rows:
    [(label, value, low, high), ...]"""
    if not rows:
        return None
    low = min(row[2] for row in rows) / 3
    high = max(row[3] for row in rows) * 8  # room for the figure behind the longest bar
    script = (f"set title {quote(title)} noenhanced\nset xlabel {quote(xlabel)}\nset key off\n"
              f"set logscale x\nset xrange [{low:g}:{high:g}]\nset format x '%g'\n"
              f"set yrange [{len(rows) - 0.4}:-0.6]\nset grid xtics lt 1 lc rgb '#dddddd'\n"
              "set tics nomirror\nset style fill solid 0.7\n")
    script += block("d", [(quote_cell(label), *figures) for label, *figures in rows])
    script += (f"plot $d using 2:0:({low:g}):2:($0-0.35):($0+0.35):ytic(strcol(1)) "
               f"with boxxyerror lc rgb '{COLOURS[0]}', "
               "$d using 2:0:3:4 with xerrorbars pt -1 lw 1.5 lc rgb '#222222', "
               "$d using 4:0:(sprintf('  %.4g', $2)) with labels left\n")
    return draw(folder, name, script)


def quote_cell(text):
    """A label in a block of data."""
    return '"' + str(text).replace('"', "'") + '"'
