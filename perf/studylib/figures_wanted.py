"""The figures that pages quote: for each its study, its case and its aim.

A figure is the value of a case, or how many times as fast it is as another one. OTHER has the
figures that no study measures: figures.csv names the command that gave each value. HUGE and
PROGRAMS are measured by the command of their names.
"""
import allocators
import figures_huge
import figures_programs
import figures_walks
import figures_web
import units


def decimal(value, digits=2):
    """At most three digits that count: 1.21, 13.6."""
    return f"{value:.{min(digits, 1) if value >= 10 else digits}f}"


class Wanted:
    """A figure: the value of a case, or how many times as fast it is as another one."""

    def __init__(self, name, words, study, part, case, key="seconds", base=None, unit="s", aim=""):
        self.name, self.words, self.study, self.part, self.case = name, words, study, part, case
        self.key, self.base, self.unit, self.aim = key, base, unit, aim

    def misses(self, value):
        """True if the value does not reach the aim: "at least 1.1", "at most 10"."""
        words = self.aim.split()
        return bool(words) and (value < float(words[2]) if words[1] == "least" else
                                value > float(words[2]))

    def text(self, value):
        if units.family(self.unit) and self.unit != "ns":
            return units.text(value, self.unit)
        if self.unit == "pushes":
            return f"{value:,.0f} pushes"
        if self.unit == "count":
            return f"{value:,.0f}"
        return f"{decimal(value)} times" if self.unit == "times" else f"{value:.1f} {self.unit}"


def times(name, words, study, part, case, base, key="seconds", aim=""):
    return Wanted(name, words, study, part, case, key, base, "times", aim)


TIMES = 12
AGAIN = ("malloc", "pool", "pool:order=fifo", "slab")
LAYOUT = "challenge's layout"
ENGINES = ("plain", "classic", "mark-on-push", "array", "bitmap", "direction-optimizing",
           "multi-source", "bidirectional")
LISTS = ENGINES[:3]
THREADS = [("classic", "classic, 2 threads, pairs", "classic"),
           ("array", "array, 2 threads, pairs", "array"),
           ("bitmap", "bitmap, 2 threads, one search", "bitmap"),
           ("direction", "direction-opt., 2 threads, one search", "direction-optimizing"),
           ("multi-source", "multi-source, 2 threads", "multi-source"),
           ("array-search", "array, 2 threads, one search", "array"),
           ("bidirectional", "bidirectional, 2 threads, pairs", "bidirectional")]
# Figures in the sentences of bfs/engines/README.md: the words before, and after.
SENTENCES = [("classic on slab is", "times as fast as on mimalloc", "ladder.mimalloc"),
             ("on mimalloc, and on malloc", "times as fast as the challenge's", "ladder.layout"),
             ("Two threads are", "times as fast as one with classic", "threads.classic"),
             ("classic, and", "with array, when they divide pairs", "threads.array"),
             ("search they are", "times as fast with bitmap", "threads.bitmap"),
             ("bitmap,", "times with direction-optimizing", "threads.direction"),
             ("direction-optimizing, and", "times with multi-source", "threads.multi-source"),
             ("With array they are", "times as fast, because", "threads.array-search")]
LOADS = {"read": "plain read", "fscanf": "fscanf loop", "rows": "fscanf into the challenge's rows",
         "text1": "text, one thread", "text2": "text, two threads",
         "reverse1": "text and reverse, one thread", "reverse2": "text and reverse, two threads",
         "gunzip": "gunzip alone", "gzip2": "gzip, two threads", "snapshot": "snapshot"}

FIGURES = [
    *(Wanted(f"again.{name}.{i}", f"search {i} of the same again and again, {name}", "allocators",
             "1.", name, f"seconds_{i}") for name in AGAIN for i in range(1, TIMES + 1)),
    Wanted("again.pushes", "pushes of that search", "allocators", "1.", "slab", "pushed",
           unit="pushes"),
    *(times(f"again.{name}.first", f"the first search, {name} to malloc", "allocators", "1.", name,
            "malloc", "seconds_1") for name in AGAIN[1:]),
    times("again.slab.tenth", "the tenth search, slab to malloc", "allocators", "1.", "slab",
          "malloc", "seconds_10"),
    Wanted("pairs.layout.seconds", "15 pairs, the challenge's layout", "allocators", "2.", LAYOUT),
    *(Wanted(f"pairs.{name}.seconds", f"15 pairs, classic on {name}", "allocators", "2.", name)
      for name in ("malloc", "pool", "slab")),
    *(times(f"pairs.{name}", f"15 pairs, classic on {name} to the challenge's layout", "allocators",
            "2.", name, LAYOUT, aim=aim)
      for name, aim in (("malloc", "at least 1.1"), ("pool", ""), ("slab", ""))),
    *(Wanted(f"queue.{name}.{depth}", f"a push and a pop, {depth}, {name}", "allocators", "3.",
             f"{name}, {depth}", "warm_ns", unit="ns")
      for depth in ("deep", "shallow") for name in ("malloc", "lib:mimalloc", "pool", "slab")),
    *(Wanted(f"own.{name}.{count}", f"the challenge's own program, {count} pairs, {name}",
             "own", "4.", name, f"seconds_{count}")
      for name in allocators.OWN for count in allocators.OWN_PAIRS),
    *(times(f"own.{name}.{base}.{count}",
            f"the challenge's own program, {count} pairs, {name} to {base}", "own", "4.", name, base,
            f"seconds_{count}", aim=f"at least {aim}")
      for name, base, aims in (("slab", "LIFO list", (1, 1, 1.25)), ("slab", "array", (0.8, 0.8, 0.8)),
                               ("pool", "LIFO list", (0.91,)), ("malloc", "plain list", (1, 1, 1)))
      for count, aim in zip(allocators.OWN_PAIRS, aims)),
    *(Wanted(f"engines.{name}", f"100 pairs, {name}" + (", slab" if name in LISTS else ""), "ladder",
             "Engines", name + (", slab" if name in LISTS else "")) for name in ENGINES),
    times("ladder.mimalloc", "classic, slab to mimalloc", "ladder", "What came before",
          "classic, slab", "classic, mimalloc", aim="at least 1.8 (was 1.6)"),
    times("ladder.layout", "classic on malloc to the challenge's layout", "ladder",
          "What came before", "classic, malloc", "challenge's layout, malloc", aim="at least 1.1"),
    *(times(f"threads.{name}", f"{case} to one thread", "ladder", "Switches", case, base)
      for name, case, base in THREADS),
    *(times(f"demo.{name}", f"the demo, {name} to malloc", "demo", "demo", name, "malloc")
      for name in ("pool", "slab")),
]
# --huge: a figure per row and graph.
HUGE = [Wanted(f"huge.{name}.{case}.{key}", f"{name}: {words}", "huge", figures_huge.PART,
               f"{name}, {case}", key, unit=unit or "count")
        for key, case, words, unit in figures_huge.ROWS for name in ("2007", "today")]
PROGRAMS = [Wanted(f"programs.{name}.{shown}", f"allocation on {shown}: {words}", "programs", "", "",
                   unit="%")
            for name, words, *_ in figures_programs.PROGRAMS
            for shown, *_ in figures_programs.ALLOCATORS]
PROGRAMS += [Wanted(f"memory.{name}.{holder}.{key}", f"{text}, {holder}: {words}", "programs", "", "",
                    unit=unit)
             for name, words, *_ in figures_programs.PROGRAMS
             for holder in ("alive", *(shown for shown, *_ in figures_programs.ALLOCATORS))
             for key, text, unit in figures_programs.HELD]
WEB = [Wanted(f"web.{name}.{end}", f"bfs-web, {name}: {words}", "web", "", "")
       for name, _ in figures_web.ASKED for end, _, words in figures_web.ENDS]
WALKS = [Wanted(f"walks.{name}.{count}", f"all nodes, threads {count}: {words}", "walks", "", "")
         for name, words in figures_walks.ASKED for count in figures_walks.COUNTS]
OTHER = [
    Wanted("hooks.difference", "a list node through the hooks, less one by hand", "other", "", "",
           unit="ns", aim="at most 1"),
    *(Wanted(f"loading.{name}", f"loading, {case}", "other", "", "") for name, case in LOADS.items()),
    *(Wanted(f"loading.{name}.bytes", f"peak while loading, {case}", "other", "", "",
             unit="bytes per edge") for name, case in LOADS.items() if name not in ("read", "gunzip")),
    times("judge.malloc", "the challenge's own program, these libraries on malloc to a plain list",
          "other", "", "", "", aim="at least 1"),
    times("judge.slab", "the challenge's own program, these libraries on slab to a plain list",
          "other", "", "", "", aim="at least 5.5"),
    Wanted("bidirectional.median", "a pair with bidirectional, from a snapshot, median", "other", "",
           "", unit="us", aim="at most 10"),
    Wanted("direction.full", "a full search with direction-optimizing; its lists read once: 7 ms",
           "other", "", "", unit="ms", aim="at most 10.5"),
]
BY_NAME = {wanted.name: wanted for wanted in FIGURES + HUGE + PROGRAMS + WEB + WALKS + OTHER}
