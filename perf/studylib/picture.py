"""The picture of README.md: how malloc, pool and slab age, from the figures in figures.csv.

1. One line per allocator: the time of each search, divided by its pushes, with its interval.
2. Without a background, in colours of middle lightness: each has a contrast of four to one or more
   to a white page and to a dark one, so that it needs no second file and asks for no theme.
3. A line's name and its last value are at its end, so that colour alone says nothing.
"""
import html

WIDTH, HEIGHT = 830, 400            # the width of a page's text on GitHub
LEFT, RIGHT, TOP, BOTTOM = 58, 150, 56, 52
INK = "#777b82"
LINES = {"malloc": "#d9480f", "pool": "#b36d00", "slab": "#2080d0"}
FILE_NAME = "ageing.svg"


def round_up(value):
    """The end of an axis and the distance of its marks: four to eight of them."""
    for step in (base * 10 ** power for power in range(-2, 7) for base in (1, 2, 5)):
        if value / step <= 8:
            return step * -(-value // step), step
    raise ValueError(f"no axis for {value}")


def nanoseconds(value):
    return f"{value:.1f}" if value < 20 else f"{value:.0f}"


class Frame:
    """Where a search and its nanoseconds lie in the picture."""

    def __init__(self, times, most):
        self.times = times
        self.top, self.step = round_up(most)

    def x(self, search):
        return LEFT + (search - 1) / (self.times - 1) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - value / self.top * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="middle", size=15, weight="normal", colour=INK):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'font-weight="{weight}" fill="{colour}">{html.escape(words)}</text>')


def axes(frame):
    made = []
    for i in range(round(frame.top / frame.step) + 1):
        y = frame.y(i * frame.step)
        made.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{INK}" '
                    f'stroke-opacity="{1 if i == 0 else 0.3}"/>')
        made.append(text(LEFT - 8, y + 5, f"{i * frame.step:g}", "end"))
    made += [text(frame.x(i), HEIGHT - BOTTOM + 22, str(i)) for i in range(1, frame.times + 1)]
    return made + [text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "number of the search")]


def line(frame, name, values, end):
    """The line of an allocator, its points with their intervals, its name at the height end."""
    colour, made = LINES[name], []
    places = [(frame.x(i), frame.y(value)) for i, (value, _, _) in enumerate(values, 1)]
    for (x, y), (_, low, high) in zip(places, values):
        if low is not None:
            made.append(f'<path d="M{x:.1f} {frame.y(low):.1f}V{frame.y(high):.1f}" '
                        f'stroke="{colour}" stroke-width="1.5" stroke-opacity="0.6"/>')
        made.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    made.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
    words = f"{name} {nanoseconds(values[-1][0])} ns"
    return made + [text(WIDTH - RIGHT + 10, end + 5, words, "start", 16, "bold", colour)]


def ageing(series, title, description):
    """The SVG as text. series: {allocator: [(ns per push, low, high) of each search]}; low and
    high are None where no interval is known."""
    times = len(next(iter(series.values())))
    frame = Frame(times, max(value if high is None else high
                             for values in series.values() for value, _, high in values))
    made = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" font-family="system-ui, sans-serif">',
            f"<title>{html.escape(title)}</title>", f"<desc>{html.escape(description)}</desc>",
            text(LEFT, 24, title, "start", 18, "bold"), *axes(frame)]
    floor = HEIGHT
    for name, values in sorted(series.items(), key=lambda pair: pair[1][-1][0]):
        end = min(frame.y(values[-1][0]), floor - 20)  # no name covers another
        floor = end
        made += line(frame, name, values, end)
    return "\n".join(made + ["</svg>"]) + "\n"
