"""launcher.py - what the tests of bfs-mpi share: the program, a folder, and how ranks are started.

Usage of each test: TEST.py BIN MPIEXEC PROGRAM [MORE]     exit 77: skipped, it says why
                    TEST.py                                there is no MPI
BIN: the folder of bfs, graph-convert and so on; PROGRAM: bfs-mpi, which MPIEXEC starts, or its build for
a further library, with the name of that library after its own.
"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

if len(sys.argv) < 4:
    print("skipped: bfs-mpi is not built, because there is no MPI (./setup.sh mpi)")
    sys.exit(77)
BIN, MPIEXEC = pathlib.Path(sys.argv[1]), sys.argv[2]
PROGRAM = pathlib.Path(sys.argv[3])
IS_FURTHER = PROGRAM.name != "bfs-mpi"
# With a further library fewer: its waiting ranks take a processor each.
RANKS = [1, 2, 3] if IS_FURTHER else [1, 2, 3, 4, 7]
FOLDER = tempfile.TemporaryDirectory()
HERE = pathlib.Path(FOLDER.name)
# Of the launcher: its own, so that no other job meets it; in /tmp, because a socket has a short path.
SESSION = tempfile.TemporaryDirectory(prefix="pw-mpi-", dir="/tmp")
SEED = int(os.environ.get("PW_TEST_SEED", "1"))
# Open MPI: as root in a container, more ranks than processors, which wait without spinning. Without a
# look for networks (ob1) a start takes half the time.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_btl_base_warn_component_unused="0", OMPI_MCA_pml="ob1", TMPDIR=SESSION.name)
AT_ONCE = 3  # tests of Open MPI, whose starts are mostly waiting


def own_lines(text):
    """What the program itself wrote to standard error; the launcher has words of its own."""
    return [line for line in text.splitlines() if line.startswith("bfs-mpi")]


def started(ranks, *words):
    """A command by that number of ranks, finished."""
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks is not None else []
    return subprocess.run([*launcher, *map(str, words)], env=ENVIRONMENT, check=False,
                          capture_output=True, text=True, timeout=2500, stdin=subprocess.DEVNULL)


def mpi(ranks, *arguments):
    """Run the program; (exit status, standard output, its own lines on standard error). ranks: None: one,
    without the launcher."""
    done = started(ranks, PROGRAM, *arguments)
    own = own_lines(done.stderr)
    if done.returncode not in (0, 1, 2) or (done.returncode > 0 and not own):
        print(*done.args, done.stderr, sep="\n", file=sys.stderr)  # the launcher's words
    return done.returncode, done.stdout, own


def single(name, *arguments):
    """A program of one machine, finished."""
    return subprocess.run([BIN / name, *map(str, arguments)], capture_output=True, text=True, check=False)


def write(name, text):
    (HERE / name).write_text(text)
    return HERE / name


def converted(name, *source):
    """What graph-convert makes of a graph, a snapshot if the name says so."""
    subprocess.run([BIN / "graph-convert", "-q", *source, HERE / name], check=True)
    return HERE / name


def run_alone(name):
    """A test as a process of its own, with a folder of its own; (exit status, what it printed)."""
    done = subprocess.run([sys.executable, *sys.argv], env=dict(os.environ, PW_MPI_TEST=name), check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def run_at_once():
    """All tests, several at once; the exit status."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    names = [".".join(test.id().split(".")[1:]) for case in suite for test in case]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        ends = list(pool.map(run_alone, names))
    for _, printed in ends:
        print(printed, end="", file=sys.stderr)
    return int(any(status != 0 for status, _ in ends))


def main(at_once=True):
    """Run the tests of the calling script. at_once: several, where waiting ranks leave the processor."""
    name = os.environ.get("PW_MPI_TEST")
    if name is None:
        probe = started(2, "true")
        if probe.returncode != 0:
            print(f"skipped: {MPIEXEC} cannot start two processes here: {probe.stderr.strip()[-300:]}")
            return 77
        version = subprocess.run([MPIEXEC, "--version"], capture_output=True, text=True, check=False).stdout
        if at_once and "Open" in version:
            return run_at_once()
    result = unittest.main(argv=sys.argv[:1] + ([name] if name else []), exit=False).result
    FOLDER.cleanup()
    return int(not result.wasSuccessful())
