"""faultlib.py - what the drivers of this folder share: a build, its inputs, one run and its verdict.

A case is a program from start to end. What it prints has an essence, the part that is the same in
every run: no times, no sizes. A run is judged against the case's run without a fault:

1. status 0 and the same essence: the fault was harmless;
2. status 1 and one line on standard error, "PROGRAM: ...", that names the cause;
3. anything else, and any remaining file, is a finding.
"""
import collections
import csv
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release"))
LIBRARY = BUILD / "tests/libfaults.so"
preload = {}  # the environment that puts LIBRARY before a program, see scratch
GROUPS = ["alloc", "system", "short", "interrupt"]
OLD = b"old content\n"
PROCESSOR_S = int(os.environ.get("PW_FAULT_TIMEOUT", "60"))  # on the wall clock ten times that
PLACES = 64
PLACE = "Q248s"
STATE = struct.Struct("=4QQq32s" + 2 * PLACE + "QQQ" + f"{PLACES}Q" + PLACE * PLACES)


class State:
    """struct fault_state of fault_state.h."""

    def __init__(self, data):
        fields = STATE.unpack(data)
        self.calls = dict(zip(GROUPS, fields[:4]))
        self.failed, self.error = fields[4:6]
        self.call = fields[6].split(b"\0")[0].decode()
        self.place, self.crash = fields[7:9], fields[9:11]
        self.is_finished, self.live, self.descriptors = fields[11:14]
        self.live_bytes = fields[14:14 + PLACES]
        places = fields[14 + PLACES:]
        self.live_places = list(zip(places[::2], places[1::2]))


def source_line(place):
    """FUNCTION (FILE:LINE) of a place, or the object file and the offset."""
    offset, name = place
    path = name.split(b"\0")[0].decode()
    if not path:
        return "?"
    found = subprocess.run(["addr2line", "-sfe", path, hex(max(offset - 1, 0))],
                           capture_output=True, text=True).stdout.split("\n")
    if len(found) > 1 and not found[1].startswith("?"):
        return f"{found[0]} ({found[1].split(' ')[0]})"
    return f"{os.path.basename(path)}+{offset:#x}"


class Case:
    """A program, its arguments, and how to recognise that it did the same as ever."""

    def __init__(self, name, program, arguments="", essence="lines", stdin=None, writes=(),
                 prepare=None, environment=None, leaves=(), checks_stdout=True):
        self.name, self.program, self.arguments = name, program, arguments.split()
        self.essence, self.stdin = essence, stdin
        self.writes = writes          # files that have old content before, and are replaced
        self.leaves = leaves          # patterns of names that may be there afterwards
        self.prepare = prepare        # a function that fills the folder before each run
        self.environment = environment or {}
        self.checks_stdout = checks_stdout

    def path(self):
        return BUILD / ("tests" if self.program.startswith("library_") else "bin") / self.program


SEARCH_FIELDS = ("from", "to", "source", "target", "found", "hops", "visited", "pushed", "expanded", "path")


def essence_json(text):
    """Of bfs's JSON: what the searches found."""
    def walk(value):
        if isinstance(value, dict):
            return {key: walk(part) for key, part in value.items()
                    if isinstance(part, (dict, list)) or key in SEARCH_FIELDS}
        return [walk(part) for part in value] if isinstance(value, list) else value
    return walk(json.loads(text))


def essence_csv(text):
    """Of bfs's CSV: the same columns."""
    return [{key: value for key, value in row.items() if key in SEARCH_FIELDS}
            for row in csv.DictReader(text.splitlines())]


def essence_whole(text):
    """Of a text with times in it: that it is there, to the end."""
    return len(text) > 0 and text.endswith("\n")


ESSENCES = {"lines": lambda text: text, "json": essence_json, "csv": essence_csv,
            "whole": essence_whole, "any": lambda text: None, "bytes": None}


class Result:
    def __init__(self, case, folder, process, state, before):
        self.case, self.status = case, process.returncode
        self.out, self.err = process.stdout, process.stderr.decode(errors="replace")
        self.state = state
        self.foreign = ""             # what a library of others did wrong, which judge finds out
        self.files = {p.name: p.read_bytes() if p.is_file() else None for p in folder.iterdir()}
        self.before = before

    def essence(self):
        digest = ESSENCES[self.case.essence]
        texts = [self.out] if self.case.checks_stdout else []
        texts += [self.files[name] for name in self.case.writes]
        try:
            return texts if digest is None else [digest(text.decode()) for text in texts]
        except (ValueError, UnicodeDecodeError, AttributeError) as error:
            return f"unreadable: {error}"


class Done:
    """A process that has ended, or had to be ended."""

    def __init__(self, returncode, stdout, stderr):
        self.returncode, self.stdout, self.stderr = returncode, stdout, stderr


def end_group(process):
    """Kill a process and its children, which are a session of their own. Whether any was alive."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def fill(folder, case):
    """Make the folder what it is before each run. Its files and their content."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in case.writes:
        (folder / name).write_bytes(OLD)
    if case.prepare:
        case.prepare(folder)
    return {p.name: p.read_bytes() if p.is_file() else None for p in folder.iterdir()}


def limit_processor_time():
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_S, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def run(case, folder, environment=None, wrapper=()):
    """Run a case in its folder. environment: of the fault."""
    before = fill(folder, case)
    state = folder.parent / (folder.name + ".state")
    state.write_bytes(bytes(STATE.size))
    variables = {**os.environ, "LC_ALL": "C", "HOME": str(folder), "TMPDIR": str(folder),
                 **case.environment, **(environment or {})}
    for name in ("LINKED_LIST_ALLOC", "XDG_CACHE_HOME"):
        if name not in case.environment:
            variables.pop(name, None)
    command = [*wrapper, str(case.path()), *case.arguments]
    if environment is not None and not wrapper:
        variables.update(preload, PW_FAULT_STATE=str(state),
                         GLIBC_TUNABLES="glibc.pthread.stack_cache_size=0")  # joined: released
    process = subprocess.Popen(command, cwd=folder, env=variables, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True, preexec_fn=limit_processor_time)
    try:
        out, err = process.communicate(case.stdin or b"", timeout=10 * PROCESSOR_S)
        done = Done("timeout" if process.returncode == -signal.SIGXCPU else process.returncode, out, err)
    except subprocess.TimeoutExpired:
        end_group(process)
        done = Done("timeout", *process.communicate())
    if end_group(process) and done.returncode != "timeout":
        done.returncode = "a child that goes on"
    return Result(case, folder, done, State(state.read_bytes()), before)


def own_lines(result):
    """What the program said on standard error, and whether all of it is its own. Notes do not count,
    nor what an allocator adds to a failure (its mistakes, one per line)."""
    lines = result.err.splitlines()
    mark = result.case.program + ": "
    said = [line for line in lines if not line.startswith(mark + "note: ")]
    program = [line for line in said if not line.startswith(mark + "allocator: ")]
    return program or said[:1], all(line.startswith(mark) for line in said)


def judge(result, plain, causes):
    """What is wrong with a run; "" when nothing is. causes: one must be in the message (if any)."""
    case = result.case
    said, is_own = own_lines(result)
    result.foreign = ended_by_library(result)
    if result.foreign:
        return ""
    if result.status not in (0, 1):
        return f"status {result.status}: {result.err[-200:].strip()}"
    if not is_own:
        return f"not its own line: {result.err[-200:].strip()}"
    if result.status == 0:
        if said:
            return f"status 0, but it says: {said[0]}"
        if result.essence() != plain.essence():
            return "status 0, but another result"
    else:
        if len(said) != 1:
            return f"{len(said)} lines for a failure: {' | '.join(said)}"
        if causes and not any(cause.lower() in said[0].lower() for cause in causes):
            return f"does not say the cause: {said[0]}"
        for name in case.writes:
            if result.files.get(name) not in (OLD, plain.files[name]) and \
                    case.essence in ("lines", "bytes"):
                return f"{name} is neither old nor new"
    extra = [name for name in result.files if name not in plain.files and name not in result.before
             and not any(re.fullmatch(pattern, name) for pattern in case.leaves)]
    if extra:
        return f"remaining: {' '.join(sorted(extra))}"
    missing = [name for name in result.before if name not in result.files]
    if missing:
        return f"lost: {' '.join(missing)}"
    if result.state.is_finished:
        if result.state.live > plain.state.live:
            where = where_live(result, plain)
            if where:
                return f"not released: {where}"
            result.foreign = "the C library did not release a block"
        if result.state.descriptors > plain.state.descriptors:
            return "a descriptor is not closed"
    return ""


# Libraries of others that end the process when one of their own calls fails: libarchive 3.6 with what
# it decompresses with.
BREAKABLE = re.compile(r"lib(archive|lzma|bz2|zstd)\.so")


def ended_by_library(result):
    """Which library of others ended the process; "" when none did. A crash counts as the library's
    where it happened in the library, or in the C library as called by it. glibc's linker ends it when
    it has no memory for a unique symbol, which libstdc++ has and libarchive may bring."""
    if "Fatal Internal Error in libarchive" in result.err:
        return "libarchive ended the process"
    linker = os.path.basename(result.state.place[1].split(b"\0")[0].decode())
    if result.status == 127 and result.err == "out of memory\n" and linker.startswith("ld-linux"):
        return "the dynamic linker ended the process"
    name = os.path.basename(result.state.crash[1].split(b"\0")[0].decode())
    if result.status == -11 and result.state.failed and BREAKABLE.match(name):
        return f"{name} crashed"
    return ""


def where_live(result, plain):
    """Who asked for what was not released and is released without a fault; but for what is not ours:
    the C library keeps the text of dlerror, and the linker what it knows of libraries, which stay open, and what it had of one that it did not load."""
    old, new = (collections.Counter(place for place in state.live_places if place[1].strip(b"\0"))
                for state in (plain.state, result.state))
    more = sorted(map(source_line, (new - old).elements()))
    kept = r"_dlerror_run|__vasprintf|\w+ \(rtld-malloc\.h|ld-linux"
    return "; ".join(place for place in more if not re.match(kept, place))


def seed():
    """PW_TEST_SEED, or one from the clock; printed, so that a run can be repeated."""
    value = int(os.environ.get("PW_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"seed {value}: PW_TEST_SEED={value} {' '.join(sys.argv)} repeats the same", flush=True)
    return random.Random(value)


def program(name, *arguments, **options):
    """Run a program of the build without a fault; it must work."""
    subprocess.run([str(BUILD / "bin" / name), *map(str, arguments)], check=True,
                   capture_output=True, **options)


def need_build():
    if os.environ.get("PW_SANITIZE"):
        print("skipped: a sanitizer's malloc must come before any other library")
        sys.exit(77)
    if not LIBRARY.exists():
        print(f"skipped: {LIBRARY} is not built")
        sys.exit(77)


def scratch():
    """A folder that is removed at the end of the process. It has a link to the library, because
    LD_PRELOAD takes a blank in the path of the build for the end of a name."""
    made = tempfile.TemporaryDirectory(prefix="faults-")
    folder = pathlib.Path(made.name)
    preload["LD_PRELOAD"] = str(folder / LIBRARY.name)
    os.symlink(LIBRARY, preload["LD_PRELOAD"])
    return made, folder
