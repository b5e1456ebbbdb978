"""perf/study pipeline: the hot loops as a pipeline sees them, and what they really take.

1. perf/bench/queue_loop.c, the list, the queue and the allocators are compiled as for a release,
   statically, for this processor and for AArch64.
2. Under qemu, one instruction at a time, the program says the address of every instruction that it
   executes. The most frequent sequence of a push and of a pop is the hot path; objdump has its
   instructions, and the debug information says which belong to the list and which to the allocator.
3. llvm-mca runs each path a hundred times in a row: cycles per pass, and what it waits for.
4. Beside them are measured cycles: ns times the clock, with the clock from a chain of additions.
llvm-mca assumes that every load hits the first-level cache, that every branch is predicted, and
that no load needs a store before it. Calls and returns are left out, because it does not model them;
a register that is pushed or popped is a store or a load, because processors keep the stack pointer
apart and llvm-mca would let each pop wait for the load before it.
"""
import collections
import os
import pathlib
import platform
import re
import shutil
import subprocess
import tempfile

import flame
import plots
from cases import (ROOT, Case, capture, figure_text, finish_options, make_parser, program,
                   read_rows, rounds_text, run_study)
from figures import machine_text
from runner import Failed, last_line
from stats import Figure, figure_of

ALLOCATORS = ("malloc", "pool", "slab")
CALLS = {"push": "queue_push", "pop": "queue_pop"}
LOOP = "fill_and_empty"
ELEMENTS = 300   # of the queue that is followed
SHORT = 1000     # of the queue that is measured: it stays in the first-level cache
ITERATIONS = 100
# What liblinked_list and libqueue are made of, and a clock.
SOURCES = ("alloc/*.c", "alloc/[!c]*/*.c", "liblist/*.c", "libqueue/*.c", "base/*.c",
           "base/program/command_error.c", "base/replace/file_replace.c", "base/report/clock.c",
           "perf/bench/queue_loop.c")
FLAGS = ("-std=c17", "-D_GNU_SOURCE", "-O3", "-DNDEBUG", "-g", "-fno-omit-frame-pointer",
         "-momit-leaf-frame-pointer", '-DPW_LIBRARY_VERSION="0"', "-w")
# Instructions that llvm-mca does not model, or that another version of the processor needs.
LEFT_OUT = re.compile(r"(call|ret|leave|endbr64|nop[wl]?|data16|cs nop|xchg +%ax,%ax|bl|blr|bti|paci|"
                      r"auti|hint)\b")

# What the models of llvm-mca call the units that load and store.
MEMORY_UNIT = re.compile(r"AGU|LSU|Load|Store|Port(?:[234789]|23|78|237)$|Unit[LS]$")

EPILOGUE = """\
examples:
  perf/study pipeline                the three processors, and a search here
  perf/study pipeline --nodes=100k --edges=1M --rounds=1
Needs llvm-mca, qemu-user and gcc; for the Cortex-A72 also gcc-aarch64-linux-gnu (./setup.sh test
plot). Prints the tables and writes FOLDER/study.html, study.md, results.csv and the plots.
Exit status: 0 done, 1 a run or a plot failed, 2 wrong usage, 130 interrupted."""

Processor = collections.namedtuple("Processor", "title machine cpu")
PROCESSORS = (Processor("Zen 3", "x86_64", "znver3"),
              Processor("Sapphire Rapids", "x86_64", "sapphirerapids"),
              Processor("Cortex-A72", "aarch64", "cortex-a72"))
Path = collections.namedtuple("Path", "instructions parts share")  # parts: of each instruction
Passes = collections.namedtuple("Passes", "cycles instructions waits")


def tool(*names):
    """The first of these programs that is installed."""
    for name in names:
        if shutil.which(name):
            return name
    raise Failed(f"{names[0]} is not installed (./setup.sh test plot)")


class Machine:
    """How code for an instruction set is made, read and run."""

    def __init__(self, name):
        self.name = name
        is_own = platform.machine() == name
        prefix = "" if is_own else f"{name}-linux-gnu-"
        sysroot = ROOT / "build" / f"{name}-root"
        self.compiler = [tool(prefix + "gcc")] + (
            [] if is_own or not sysroot.exists() else [f"--sysroot={sysroot}"])
        self.objdump, self.nm = tool(prefix + "objdump"), tool(prefix + "nm")
        self.addr2line = tool(prefix + "addr2line")
        self.qemu = tool(f"qemu-{name}", f"qemu-{name}-static")

    def build(self, folder):
        """The program; one compiler per processor of this machine."""
        folder = folder / self.name
        folder.mkdir()
        sources = sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
        waiting = [[*self.compiler, *FLAGS, f"-I{ROOT}", f"-I{ROOT / 'liblist'}",
                    f"-I{ROOT / 'alloc'}", "-c", path, "-o",
                    folder / ("_".join(path.relative_to(ROOT).parts) + ".o")] for path in sources]
        running = []
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                running.append(subprocess.Popen(waiting.pop(), stdout=subprocess.PIPE,
                                                stderr=subprocess.STDOUT, text=True))
            one = running.pop(0)
            said, _ = one.communicate()
            if one.returncode != 0:
                for other in running:
                    other.communicate()
                raise Failed(f"{self.compiler[0]}: {last_line(said)}")
        path = folder / "bench-queue"
        capture([*self.compiler, "-static", "-o", path, *sorted(folder.glob("*.o"))])
        return path

    def symbols(self, path):
        """{name: (first address, address after the last)} of the functions that are followed."""
        found = {}
        for line in capture([self.nm, "-S", path]).splitlines():
            words = line.split()
            if len(words) == 4 and words[3] in (LOOP, *CALLS.values()):
                found[words[3]] = int(words[0], 16), int(words[0], 16) + int(words[1], 16)
        return found

    def addresses(self, path, allocator, folder):
        """Of every instruction that is executed, in that order."""
        one_by_one = "-one-insn-per-tb" if "one-insn-per-tb" in subprocess.run(
            [self.qemu, "-help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False).stdout else "-singlestep"
        log = folder / "trace"
        capture([self.qemu, one_by_one, "-d", "exec,nochain", "-D", log, path, allocator,
                 str(ELEMENTS), "1"])
        with open(log, encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("Trace"):
                    yield int(line.split("/", 2)[1], 16)
        log.unlink()

    def paths(self, path, text, allocator, folder):
        """{"push": Path, "pop": Path}: what most calls execute, from the call to the return."""
        symbols = self.symbols(path)
        first, after = symbols[LOOP]
        starts = {symbols[name][0]: call for call, name in CALLS.items()}
        found = {call: [] for call in CALLS}
        call, taken = None, []
        for address in self.addresses(path, allocator, folder):
            if call is None:
                call, taken = starts.get(address), [address]
            elif first <= address < after:
                found[call].append(tuple(taken))
                call = None
            else:
                taken.append(address)
        result = {}
        for call, ways in found.items():
            if len(ways) != 2 * ELEMENTS:
                raise Failed(f"{self.qemu} shows {len(ways)} of {2 * ELEMENTS} {CALLS[call]}")
            way, count = collections.Counter(ways[ELEMENTS:]).most_common(1)[0]  # the first are cold
            result[call] = Path([text[address] for address in way], self.parts(path, way),
                                count / ELEMENTS)
        return result

    def instructions(self, path):
        """{address: text for llvm-mca} of the whole program."""
        text = {}
        for line in capture([self.objdump, "-d", "--no-show-raw-insn", path]).splitlines():
            match = re.match(r" *([0-9a-f]+):\t(.*)", line)
            if match:
                text[int(match[1], 16)] = cleaned(match[2], self.name)
        return text

    def parts(self, path, way):
        """"list" or "allocator" for each instruction; what only malloc calls is the allocator's."""
        each = sorted(set(way))
        said = capture([self.addr2line, "-a", "-f", "-i", "-e", path, *map(hex, each)])
        chains = re.split(r"^0x[0-9a-f]+\n", said, flags=re.M)[1:]
        part = {}
        for address, chain in zip(each, chains):
            names = [flame.AROUND.sub("", name) for name in chain.splitlines()[0::2]]
            rows = [flame.FUNCTIONS[name]["part"] for name in names if name in flame.FUNCTIONS]
            part[address] = rows[0] if rows else "allocator"
        return [part[address] for address in way]


def cleaned(text, machine):
    """An instruction of objdump as the assembler takes it; targets of jumps are one label."""
    comment = "#" if machine == "x86_64" else "//"
    text = re.sub(rf"(\s*<[^<>]*>)?\s*({comment}.*)?$", "", text.strip())
    text = re.sub(r"^(bnd|notrack) ", "", text)
    if machine == "x86_64":
        text = re.sub(r"^push +(%\w+)$", r"mov \1,-8(%rsp)", text)
        text = re.sub(r"^pop +(%\w+)$", r"mov -8(%rsp),\1", text)
        return re.sub(r"^(j\w+)\s+[0-9a-f]+$", r"\1 target", text)
    return re.sub(r"^(b|b\.\w+|adrp?|cbn?z|tbn?z)\b(.*?)(?:0x)?[0-9a-f]+$", r"\1\2target", text)


def passes(processor, instructions):
    """What llvm-mca says of these instructions in a loop."""
    text = [one for one in instructions if one and not LEFT_OUT.match(one)]
    with tempfile.NamedTemporaryFile("w", suffix=".s", encoding="ascii") as file:
        file.write("\n".join(text) + "\n")
        file.flush()
        said = capture(["llvm-mca", f"-mtriple={processor.machine}", f"-mcpu={processor.cpu}",
                        f"-iterations={ITERATIONS}", "-bottleneck-analysis", "-instruction-info=0",
                        "-resource-pressure=0", file.name])
    if number(said, "Instructions") != len(text) * ITERATIONS:
        raise Failed(f"llvm-mca does not know an instruction of {processor.title}")
    return Passes(number(said, "Total Cycles") / ITERATIONS, len(instructions), waits(said))


def number(said, name):
    match = re.search(rf"^{name}: +([\d.]+)$", said, re.M)
    if not match:
        raise Failed(f"llvm-mca does not say \"{name}\"")
    return float(match[1])


def waits(said):
    """What a path waits for, in words. It is issue where nearly every slot is used; else the larger
    of llvm-mca's shares of the cycles, or what is left where it gives none."""
    shares = {name: float(share) for name, share in
              re.findall(r"^[ -]+(\w+ \w+) +\[ *([\d.]+)% \]", said, re.M)}
    register = shares.get("Register Dependencies", 0)
    resources = shares.get("Resource Pressure", 0)
    width, used = number(said, "Dispatch Width"), number(said, "uOps Per Cycle")
    if used >= 0.8 * width:
        return f"issue, {width:.0f} per cycle"
    if register == resources == 0:
        return "earlier results"
    if register >= resources:
        return f"earlier results ({register:.0f} %)"
    units = {name: float(share) for name, share in
             re.findall(r"^ +- (\S+) +\[ *([\d.]+)% \]", said, re.M)}
    busiest = max(sorted(units), key=units.get, default="")
    kind = "load/store" if MEMORY_UNIT.search(busiest) else "arithmetic"
    return f"{kind} units ({resources:.0f} %)"


def chosen(path, part):
    return [one for one, of in zip(path.instructions, path.parts) if part in (None, of)]


def read_loop(text):
    row = read_rows(text)[0]
    return {"pair_ns": row["pair_ns"], "cycle_ns": row["addition_ns"]}


def read_search(text):
    """Processor time: on a busy machine, neighbours take turns with the search."""
    rows = read_rows(text)
    return {"pair_ns": sum(row["task_clock_seconds"] for row in rows)
            / sum(row["pushed"] for row in rows) * 1e9}


def parse(arguments):
    parser = make_parser("pipeline", "The hot loops as llvm-mca sees them, beside measured cycles.",
                         EPILOGUE, rounds=3)
    parser.add_argument("--only", choices=[one.machine for one in PROCESSORS[::2]], help="code for "
                        "this instruction set only")
    return finish_options(parser, arguments)


def follow(study, folder):
    """{machine: {allocator: paths}} and the programs, of the machines whose tools are here."""
    paths, built, why = {}, {}, []
    for name in dict.fromkeys(one.machine for one in PROCESSORS):
        if study.options.only not in (None, name):
            continue
        try:
            machine = Machine(name)
            study.say(f"compiling for {name}")
            built[name] = machine.build(folder)
            study.say(f"following {name}")
            text = machine.instructions(built[name])
            paths[name] = {allocator: machine.paths(built[name], text, allocator, folder)
                           for allocator in ALLOCATORS}
        except Failed as problem:
            why.append(f"no {name}: {problem}")
            study.page.paragraph(f"N{why[-1][1:]}.", "warning")
    if not paths:
        raise Failed("; ".join(why))
    return paths, built


def write_paths(study, paths):
    """The table of the paths; {(processor, allocator): cycles of a push and a pop}."""
    rows, sums = [], collections.Counter()
    lines = [("plain's push on {}", "push", None), ("plain's pop on {}", "pop", None),
             ("{}: its part of a push", "push", "allocator"),
             ("list's insertion on {}", "push", "list")]
    for title, call, part in lines:
        for allocator in ALLOCATORS:
            row = [title.format(allocator)]
            for processor in PROCESSORS:
                path = paths.get(processor.machine, {}).get(allocator, {}).get(call)
                if path is None or not chosen(path, part):
                    row += ["", "", ""]
                    continue
                seen = passes(processor, chosen(path, part))
                row += [seen.instructions, f"{seen.cycles:.1f}", seen.waits]
                if part is None:
                    sums[processor.title, allocator] += seen.cycles
            rows.append(row)
    for processor in PROCESSORS:
        at = 1 + 3 * PROCESSORS.index(processor)
        if any(row[at] for row in rows):
            study.page.heading(processor.title)
            study.page.table(["path", "instructions", "cycles", "waits for"],
                             [[row[0], *row[at:at + 3]] for row in rows if row[at]])
    return sums


def make(study):
    options, page = study.options, study.page
    if not (ROOT / "CMakeLists.txt").exists():
        raise Failed("pipeline compiles the sources, so it needs the source tree")
    tool("llvm-mca")
    with tempfile.TemporaryDirectory() as name:
        paths, built = follow(study, pathlib.Path(name))
        loops = [Case(f"{SHORT:,} in the queue, {allocator}",
                      [built[platform.machine()], allocator, str(SHORT), "2000"], read_loop)
                 for allocator in ALLOCATORS if platform.machine() in built]
        searches = [Case(f"search, {allocator}",
                         [program(options, "bfs"), options.graph, "random:5,seed=1", "--engine=plain",
                          f"--alloc={allocator}", "--counters=none", "--format=csv", "--quiet"],
                         read_search) for allocator in ALLOCATORS]
        study.measure("cycles", loops + searches)
    page.paragraph(
        f"{version()} runs each path {ITERATIONS} times in a row. It assumes that every load hits the "
        "first-level cache, that every branch is predicted and that no load needs a store before it; "
        "calls and returns are left out, and the stack pointer is no chain. So its cycles are what issue "
        "and dependencies alone would take; \"earlier results\" are the share of cycles in which an "
        "instruction waits for another one's result. For the Cortex-A72 it has the model of the "
        "Cortex-A57, and before version 17 it takes an older Intel processor for Sapphire Rapids. A "
        f"path is what most calls execute: {shares(paths)} of them.")
    sums = write_paths(study, paths)
    write_measured(study, sums, loops, searches)


def version():
    match = re.search(r"LLVM version ([\d.]+)", capture(["llvm-mca", "--version"]))
    return f"llvm-mca {match[1] if match else ''}".strip()


def shares(paths):
    every = [path.share for machine in paths.values() for calls in machine.values()
             for path in calls.values()]
    return f"{min(every) * 100:.0f} to {max(every) * 100:.0f} %"


def write_measured(study, sums, loops, searches):
    page = study.page
    cycle = min((value for case in loops for value in case.values("cycle_ns")), default=None)
    page.heading("Beside the measured time")
    if cycle is None:
        page.paragraph("Nothing was measured in cycles: this processor does not run the code that was "
                       "followed.")
        return
    cycles = {case.label: [value / cycle for value in case.values("pair_ns")]
              for case in loops + searches}
    labels = [f"{one.title}, all cached" for one in PROCESSORS
              if any(title == one.title for title, _ in sums)]
    groups, rows = [], []
    for allocator, loop, search in zip(ALLOCATORS, loops, searches):
        model = [sums[one.title, allocator] for one in PROCESSORS
                 if f"{one.title}, all cached" in labels]
        measured = [cycles[loop.label], cycles[search.label]]
        groups.append((allocator, [Figure(value, value, value) for value in model]
                       + [figure_of(values) for values in measured]))
        rows.append([allocator] + [f"{value:.1f}" for value in model]
                    + [figure_text(values, lambda value: f"{value:.0f}") for values in measured])
    heads = labels + [f"measured, {SHORT:,} in the queue", "measured, search"]
    page.table(["push and pop on"] + heads, rows)
    page.paragraph(
        f"Measured cycles are nanoseconds of processor time times the clock of this processor "
        f"({machine_text()}): "
        f"{1 / cycle:.2f} GHz by a chain of additions, one per cycle. A search by "
        f"the engine plain on {study.options.graph} also reads the graph and tests the marks. What it "
        "takes beyond the loop of a short queue is spent waiting for memory, for branches that were "
        "predicted wrong, and on these reads. "
        + rounds_text(study.options.rounds))
    page.plot("Cycles per push with its pop. Each point has its value beside it; the scale is "
              "logarithmic.", plots.dots, "pipeline", "A push and its pop: issue alone, and measured",
              "cycles", groups, heads)


def main(arguments=None):
    return run_study("pipeline", "The pipeline of a push and a pop", parse(arguments), make)
