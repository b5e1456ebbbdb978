"""launcher.py - what the tests of bfs-mpi share: the programs, a folder, and how ranks are started.

Usage of each test: TEST.py BIN MPIEXEC PROGRAM...     exit 77: skipped, it says why
                    TEST.py                            there is no MPI
BIN: the folder of bfs, graph-generate and so on; PROGRAM: what MPIEXEC starts.
"""
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
PROGRAMS = [pathlib.Path(word) for word in sys.argv[3:]]
FOLDER = tempfile.TemporaryDirectory()
HERE = pathlib.Path(FOLDER.name)
SEED = int(os.environ.get("PW_TEST_SEED", "1"))
# Open MPI: as root in a container, more ranks than processors, which wait without spinning.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_btl_base_warn_component_unused="0", TMPDIR="/tmp")


def own_lines(text):
    """What the program itself wrote to standard error; the launcher has words of its own."""
    return [line for line in text.splitlines() if line.startswith("bfs-mpi")]


def started(ranks, *words):
    """A command by that number of ranks, finished."""
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks is not None else []
    return subprocess.run([*launcher, *map(str, words)], env=ENVIRONMENT, check=False,
                          capture_output=True, text=True, timeout=250, stdin=subprocess.DEVNULL)


def mpi(ranks, program, *arguments):
    """Run a program; (exit status, standard output, its own lines on standard error). ranks: None: one,
    without the launcher."""
    done = started(ranks, program, *arguments)
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


def main():
    probe = started(2, "true")
    if probe.returncode != 0:
        print(f"skipped: {MPIEXEC} cannot start two processes here: {probe.stderr.strip()[-300:]}")
        return 77
    result = unittest.main(argv=sys.argv[:1], exit=False).result
    FOLDER.cleanup()
    return int(not result.wasSuccessful())
