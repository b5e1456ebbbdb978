"""Flame graphs: perf records the task clock, which works without a PMU; the stacks are folded; an
SVG is drawn with inferno or Brendan Gregg's FlameGraph where one is installed, else here.

1. The stacks are copied and unwound afterwards (DWARF): the C library keeps no frame pointers, and
   along frame pointers the time in its malloc would be lost or appear under the search.
2. Functions that were compiled into others have boxes of their own, by the debug information.
3. Folded stacks are {"classic_search;run;...": samples}. Only stacks of the searches are kept:
   loading is not what is compared.
"""
import argparse
import csv
import html
import pathlib
import re
import shutil
import subprocess
import sys

import model
from own_name import complain, own_name
from runner import Failed, call, command, last_line

FRAME = 16          # height of a row, in pixels
WIDTH = 1160
NARROW = 1.0        # frames narrower than that are not drawn
LETTER = 6.6        # width of a letter
STEEP = 4           # a difference of one in that number, 25 points, has the full colour
LEGEND = 3          # lines of the legend
RUNS = 20           # of a replay
STACK = "dwarf,4096"  # bytes of the stack that are copied with a sample
SEARCH = re.compile(r"(?<!^load_and)(_search|_batch)$")  # of an engine
TABLE = pathlib.Path(__file__).with_name("functions.csv")  # held against the built programs by a test
# What gcc and the C library put around the name of a function, or after it.
AROUND = re.compile(r"^(?:__GI_)?(?:__libc_|_int_)?(?=(?:malloc|calloc|realloc|free)$)|"
                    r"\.(?:part|isra|constprop|cold)\b.*$")


def read_table():
    """The rows of functions.csv by function: to which part of a search a function belongs (the
    allocator and its hooks, the list and the queue, or the search), where it is, and its box."""
    with open(TABLE, encoding="utf-8", newline="") as file:
        return {row["function"]: row for row in csv.DictReader(file)}


FUNCTIONS = read_table()
PARTS = {"allocator": "in the allocator and its hooks", "list": "in the list and the queue",
         "search": "the rest of the search"}


def trials_and_runs(configuration):
    """How often a run repeats its searches, and how many runs are made, for some thousand samples
    even of short searches. A replay knows one run only, so it is started again and again."""
    seconds = model.run_values(configuration.reports[0]).get("search_seconds") or 1
    times = max(1, min(100, round(3 / seconds)))
    return (1, min(times, RUNS)) if "replay" in configuration.allocator else (times, 1)


def record(options, configuration, folder, say):
    """Folded stacks of the searches of one configuration. Failed if perf cannot make them."""
    if not shutil.which("perf"):
        raise Failed("perf is not installed (package linux-perf)")
    data = folder / "raw" / f"{configuration.file_name}.perf"
    report = folder / "raw" / f"{configuration.file_name}-flame.json"
    trials, runs = trials_and_runs(configuration)
    words = command(options, configuration, report) + ["--counters", "none", "--trials",
                                                       str(trials)]
    folded = {}
    for run in range(1, runs + 1):
        say(f"recording {configuration.label}" + (f", run {run} of {runs}" if runs > 1 else ""))
        status, _, errors = call(words, ["perf", "record", "-q", "-e", "task-clock", "-F", "997",
                                         "--call-graph", STACK, "-o", str(data)])
        if status != 0:
            raise Failed(f"{configuration.label}: {last_line(errors)}")
        script = subprocess.run(["perf", "script", "-i", str(data), "-F", "comm,ip,sym"],
                                capture_output=True, text=True, check=False)
        data.unlink(missing_ok=True)
        if script.returncode != 0:
            raise Failed(f"perf script: {last_line(script.stderr)}")
        for stack, count in fold(script.stdout).items():
            folded[stack] = folded.get(stack, 0) + count
    if not folded:
        raise Failed(f"{configuration.label}: no sample fell into a search")
    return folded


def record_all(options, configurations, folder, say):
    """Record what can be; a sentence per configuration that could not."""
    missing = []
    for configuration in configurations:
        try:
            configuration.folded = record(options, configuration, folder, say)
        except Failed as problem:
            missing.append(f"No flame graph of {configuration.label}: {problem}.")
            say(missing[-1], final=True)
    return missing


def write_differential(page, folder, configuration, base):
    """The picture of one against another, on the page."""
    name = f"flame-{configuration.file_name}-against-{base.file_name}.svg"
    (folder / name).write_text(graph(f"{configuration.label} against {base.label}",
                                     configuration.folded, base.folded, folder,
                                     (configuration.label, base.label)), encoding="utf-8")
    page.picture(name, f"{configuration.label} against {base.label}: a box is as wide as its share of "
                       f"the time with {configuration.label}; red takes a larger share of it than with "
                       f"{base.label}, blue a smaller one.")


def fold(text):
    """The output of perf script as folded stacks, from the search downwards."""
    folded = {}
    stack = []
    for line in text.splitlines() + [""]:
        if line.startswith(("\t", " ")) and line.strip():
            words = line.split(None, 1)
            name = words[1].strip() if len(words) > 1 else "[unknown]"
            name = AROUND.sub("", name.split("+0x")[0].replace(" (inlined)", ""))
            box = FUNCTIONS.get(name, {}).get("box") or name
            if not stack or stack[-1] != box:  # else an outlined part of the same
                stack.append(box)
        elif not line.strip() and stack:
            stack.reverse()
            first = stack.index("run_searches") if "run_searches" in stack else 0
            starts = [i for i, name in enumerate(stack) if i >= first and SEARCH.search(name)]
            if starts:
                key = ";".join(stack[starts[0]:])
                folded[key] = folded.get(key, 0) + 1
            stack = []
    return folded


def part_of(stack):
    """The part to which the innermost known function of a stack belongs: one that calls malloc, or
    the kernel, answers for it."""
    for box in reversed(stack.split(";")):
        row = FUNCTIONS.get(box.split(": ")[0])
        if row:
            return row["part"]
    return "search"


def parts(folded):
    """Shares of the samples, one per part and in the order of PARTS."""
    counts = dict.fromkeys(PARTS, 0)
    for stack, count in folded.items():
        counts[part_of(stack)] += count
    total = sum(counts.values()) or 1
    return tuple(count / total for count in counts.values())


def write_folded(path, folded):
    with open(path, "w", encoding="utf-8") as file:
        for stack in sorted(folded):
            file.write(f"{stack} {folded[stack]}\n")


def read_folded(path):
    """What write_folded wrote."""
    folded = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        stack, count = line.rsplit(" ", 1)
        folded[stack] = int(count)
    return folded


class Node:
    """A frame: its samples in this and in the other profile, and the frames above it."""

    def __init__(self, name):
        self.name = name
        self.count = 0.0
        self.other = 0.0
        self.above = {}


def tree(folded, other=None):
    root = Node("all")
    for profile, member in ((folded, "count"), (other or {}, "other")):
        for stack, count in profile.items():
            node = root
            setattr(node, member, getattr(node, member) + count)
            for name in stack.split(";"):
                node = node.above.setdefault(name, Node(name))
                setattr(node, member, getattr(node, member) + count)
    return root


def depth(node, total):
    """Of the frames that are wide enough to be drawn."""
    return 1 + max((depth(child, total) for child in node.above.values()
                    if child.count / total * WIDTH >= NARROW), default=0)


def warm(name):
    """A colour of flames that is always the same for a name."""
    value = sum(ord(c) * (i + 1) for i, c in enumerate(name)) % 100
    return f"rgb({225 + value % 30},{100 + value},{40 + value // 3})"


def shift(share, other):
    """Red where this profile spends more than the other one, blue where less."""
    change = max(-1.0, min(1.0, (share - other) * STEEP))
    fade = round(255 - 165 * abs(change))
    return f"rgb(255,{fade},{fade})" if change >= 0 else f"rgb({fade},{fade},255)"


def legend(one, other):
    """What the colours of a differential graph mean: [(colours, words), ...]."""
    full = f"{100 / STEEP:.0f} points and more"
    return [([shift(-change, 0) for change in (1, 0.6 / STEEP, 0.3 / STEEP)],
             f"blue: a smaller share of the time with {one} than with {other} (darkest: {full})"),
            ([shift(0, 0)], "white: the same share"),
            ([shift(change, 0) for change in (0.3 / STEEP, 0.6 / STEEP, 1)],
             f"red: a larger share with {one} (darkest: {full})")]


def draw_legend(names, out):
    """The legend: a line per colour, below the title."""
    for i, (colours, words) in enumerate(legend(*names)):
        top = 28 + i * FRAME
        out += [f'<rect x="{4 + j * 14}" y="{top}" width="14" height="{FRAME - 4}" fill="{colour}" '
                'stroke="#999999" stroke-width="0.5"/>' for j, colour in enumerate(colours)]
        out.append(f'<text x="52" y="{top + 10}">{html.escape(words)}</text>')


def draw_frames(root, height, differential, out):
    total, total_other = root.count or 1, root.other or 1

    def draw(node, left, level):
        width = node.count / total * WIDTH
        if width < NARROW:
            return
        top = height - (level + 1) * FRAME
        share, other = node.count / total, node.other / total_other
        label = f"{node.name}: {share:.1%} of the samples"
        colour = warm(node.name)
        if differential:
            label += f", {other:.1%} in the other, {(share - other) * 100:+.1f} points"
            colour = shift(share, other)
        name = html.escape(node.name)
        letters = int((width - 6) / LETTER)
        shown = name if letters >= len(node.name) else html.escape(node.name[:letters - 2]) + ".."
        out.append(f'<g><title>{html.escape(label)}</title><rect x="{left:.1f}" y="{top}" '
                   f'width="{max(width - 0.4, 0.3):.1f}" height="{FRAME - 1}" rx="1" '
                   f'fill="{colour}"/>')
        if letters >= 3:
            out.append(f'<text x="{left + 3:.1f}" y="{top + 11.5}">{shown}</text>')
        out.append("</g>")
        for child in sorted(node.above.values(), key=lambda n: n.name):
            draw(child, left, level + 1)
            left += child.count / total * WIDTH

    draw(root, 0.0, 0)


def svg(title, folded, other=None, names=("this one", "the other")):
    """A flame graph, or with other a differential one and its legend, as the text of an SVG."""
    root = tree(folded, other)
    height = depth(root, root.count or 1) * FRAME + 40 + (LEGEND * FRAME if other is not None else 0)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
           f'width="{WIDTH}" height="{height}" font-family="monospace" font-size="11">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           f'<text x="{WIDTH / 2}" y="18" text-anchor="middle" font-size="14" '
           f'font-family="sans-serif">{html.escape(title)}</text>']
    if other is not None:
        draw_legend(names, out)
    draw_frames(root, height, other is not None, out)
    out.append("</svg>\n")
    return "\n".join(out)


def from_tool(title, folded, other, folder, names):
    """A flame graph as svg makes it, by inferno or FlameGraph; None when neither is installed."""
    plain = shutil.which("inferno-flamegraph") or shutil.which("flamegraph.pl")
    compare = shutil.which("inferno-diff-folded") or shutil.which("difffolded.pl")
    if not plain or (other is not None and not compare):
        return None
    first = folder / "raw" / "one.folded"
    write_folded(first, folded)
    text = first.read_text(encoding="utf-8")
    if other is not None:
        second = folder / "raw" / "two.folded"
        write_folded(second, other)
        # From the other to this one: what grew is red. Normalised to the same number of samples.
        done = subprocess.run([compare, "-n", str(second), str(first)], capture_output=True,
                              text=True, check=False)
        second.unlink()
        if done.returncode != 0:
            first.unlink()
            return None
        text = done.stdout
    first.unlink()
    below = [] if other is None else ["--subtitle", "; ".join(words for _, words in legend(*names))]
    done = subprocess.run([plain, "--title", title, *below, "--width", str(WIDTH)], input=text,
                          capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def graph(title, folded, other, folder, names=("this one", "the other")):
    """names: of the two that a differential graph compares."""
    return from_tool(title, folded, other, folder, names) or svg(title, folded, other, names)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog=own_name("study") + " flame",
        description="A flame graph of the searches, as an SVG on standard output.")
    parser.add_argument("stacks", metavar="FILE", type=pathlib.Path,
                        help="what \"perf script -F comm,ip,sym\" writes")
    path = parser.parse_args(arguments).stacks
    try:
        folded = fold(path.read_text(encoding="utf-8", errors="replace"))
    except OSError as problem:
        complain("study", problem)
        return 1
    if not folded:
        complain("study", f"{path}: no stack has a search in it")
        return 1
    sys.stdout.write(svg(f"{sum(folded.values()):,} samples of the searches", folded))
    return 0
