"""Run bfs: each measurement a fresh process, interleaved, its report kept as it came."""
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import threading
import time


MEMORY_RUNS = 3
MEMORY_SECONDS = 10  # after which no further one is begun
BFS_NAMES = ("pointer-wars-bfs", "bfs")  # of Debian's packages first, where bfs may be another program
CALLS = ("brk", "mmap", "munmap")  # with which a program asks the kernel for memory


class Failed(Exception):
    """A run that could not be made; the message is one line."""


class Configuration:
    """An allocator and an engine."""

    def __init__(self, allocator, engine, label=None):
        self.allocator = allocator
        self.engine = engine
        self.label = label or allocator
        self.reports = []       # one per round
        self.simulated = None   # a report with simulated counters
        self.memory = []        # of each run [(seconds since the start, resident bytes), ...]
        self.calls = {}         # {"brk_calls": number, ...} of a whole process

    @property
    def file_name(self):
        return "".join(c if c.isalnum() or c in "-." else "_" for c in self.label)


def find_bfs(given):
    """The program: given, beside this source tree's build, beside this script, or in PATH."""
    here = pathlib.Path(__file__).resolve()
    places = [given] if given else [
        here.parents[2] / "build" / "release" / "bin" / "bfs",
        here.parents[1] / "bfs",
        *(here.parents[3] / "bin" / name for name in BFS_NAMES if here.parents[1].name == "pointer-wars"),
        *map(shutil.which, BFS_NAMES),
    ]
    for place in places:
        if place and os.access(place, os.X_OK) and not os.path.isdir(place):
            return str(pathlib.Path(place).resolve())
    if given:
        raise Failed(f"{given}: there is no such program")
    raise Failed("bfs is not built: cmake --preset release && cmake --build --preset release, or "
                 "name it with --bfs")


def allocators_of(bfs, text):
    """The specifications of a list, as bfs reads it: "slab:chunk=2M,pages=huge" is one."""
    status, output, errors = call([bfs, f"--alloc={text}", "--list-allocs"])
    if status != 0:
        raise Failed(last_line(errors))
    return output.splitlines()


def command(options, configuration, output, extra=()):
    words = [options.bfs, options.graph, options.pairs, "--alloc", configuration.allocator,
             "--engine", configuration.engine, "--format", "json", "--output", str(output),
             "--progress", "never", "--quiet"]
    if options.only and "--only" not in extra:
        words += ["--only", options.only]
    if options.cpu is not None:
        words += ["--cpu", str(options.cpu)]
    return words + list(extra)


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else "no message"


def read_report(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def attend(words, **more):
    """Run a program that has Ctrl-C, too, and ends by itself; its exit status, 130 then."""
    with subprocess.Popen(words, **more) as process:
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.wait()
            return 130


def call(words, wrap=(), watch=None):
    """Run a program to its end: (exit status, what it printed, what it said). watch: called with
    the process while it runs."""
    process = subprocess.Popen([*wrap, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace")
    thread = None
    if watch:
        thread = threading.Thread(target=watch, args=(process,), daemon=True)
        thread.start()
    try:
        output, errors = process.communicate()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGTERM)
        process.communicate()  # what it reports in the end may fill a pipe
        raise
    if thread:
        thread.join()
    return process.returncode, output, errors


def measure(options, configuration, output, extra=(), wrap=(), watch=None):
    status, _, errors = call(command(options, configuration, output, extra), wrap, watch)
    if status != 0:
        raise Failed(f"{configuration.label}: {last_line(errors)}")
    return read_report(output)


def turns(cases, seed):
    """Without end: the number of a round, and all cases in an order drawn again for it.

    A study reads each report as it comes: it stops at a wrong answer, leaves out what is not
    installed, and goes on until a figure of the reports is precise."""
    draw = random.Random(seed)
    for number in itertools.count(1):
        yield number, draw.sample(cases, len(cases))


def run_rounds(options, configurations, folder, enough, say):
    """Rounds of one run per configuration, until enough() or the limits. Returns why it stopped."""
    start = time.monotonic()
    for number, order in turns(configurations, options.seed):
        done = number - 1
        if done >= options.rounds_max:
            return f"{done} rounds, as many as allowed"
        if done >= options.rounds and enough():
            return f"the wished precision was reached after {done} rounds"
        spent = time.monotonic() - start
        if done >= 2 and spent * (done + 1) / done > options.time_limit:
            return f"the time limit was reached after {done} rounds"
        reports = {}
        for position, configuration in enumerate(order):
            say(f"round {number}, run {position + 1} of {len(order)}: {configuration.label}")
            name = folder / "raw" / f"{configuration.file_name}-{number:02d}.json"
            reports[configuration] = measure(options, configuration, name,
                                             ["--counters", options.counters])
        for configuration, report in reports.items():  # only whole rounds count
            configuration.reports.append(report)


def simulate(options, configuration, folder, say, like=None):
    """Counters of a simulated processor, once: they are the same every time. like: a report of the
    same simulation with another allocator, whose searches and graph are taken."""
    say(f"simulating {configuration.label}")
    name = folder / "raw" / f"{configuration.file_name}-simulated.json"
    extra = [f"--sim={options.sim}"]
    if like is None:
        extra += ["--sim-limit", str(options.sim_limit)]
    else:
        extra += ["--sim-limit", "100000", "--only",
                  ",".join(str(row["search"]) for row in like["searches"])]
        if like["context"].get("graph_folded"):
            extra += ["--sim-nodes", str(like["context"]["graph"]["nodes"])]
    configuration.simulated = measure(options, configuration, name, extra)


def script_path(folder):
    return folder / "raw" / "replay.script"


def record_script(options, folder, say):
    """Run the searches once on a heap that writes down where each node went; the configuration that
    answers from that."""
    script = script_path(folder)
    say("recording the searches for a replay")
    recording = Configuration(f"record(first-fit,file={script})", "classic", "the recording")
    measure(options, recording, folder / "raw" / "recording.json", ["--counters", "none"])
    return Configuration(f"replay:unchecked,file={script}", "classic", "replay")


def watch_memory(samples):
    """A watcher for call(): (time, resident bytes) some fifty times per second."""
    page = os.sysconf("SC_PAGE_SIZE")

    def watch(process):
        start = time.monotonic()
        while process.poll() is None:
            try:
                with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
                    resident = int(file.read().split()[1]) * page
            except (OSError, IndexError):
                return
            samples.append((time.monotonic() - start, resident))
            time.sleep(0.02)

    return watch


def record_memory(options, configuration, folder, say):
    """Runs of their own, so that watching disturbs no time: three where one is short."""
    name = folder / "raw" / f"{configuration.file_name}-memory.json"
    start = time.monotonic()
    while len(configuration.memory) < MEMORY_RUNS and time.monotonic() - start < MEMORY_SECONDS:
        say(f"memory over time, run {len(configuration.memory) + 1}: {configuration.label}")
        samples = []
        measure(options, configuration, name, ["--counters", "none"], watch=watch_memory(samples))
        configuration.memory.append(samples)


def read_calls(text):
    """{"brk_calls": number, ...} from what strace -c writes."""
    found = {f"{name}_calls": 0 for name in CALLS}
    for line in text.splitlines():
        row = re.fullmatch(rf" *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:\d+ +)?({'|'.join(CALLS)})", line)
        if row:
            found[f"{row[2]}_calls"] = int(row[1])
    return found


def count_calls(options, configuration, folder, say):
    """A run of its own under strace, which makes each call some 20 us slower."""
    say(f"calls of the kernel: {configuration.label}")
    name = folder / "raw" / f"{configuration.file_name}-calls.json"
    log = name.with_suffix(".txt")
    measure(options, configuration, name, ["--counters", "none"],
            ["strace", "-f", "-qq", "-c", "-e", f"trace={','.join(CALLS)}", "-o", str(log)])
    configuration.calls = read_calls(log.read_text(encoding="utf-8"))
