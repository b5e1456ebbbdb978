#!/usr/bin/env python3
"""hypothesis_calls.py - the calls of any_calls.py, chosen by hypothesis, which finds the shortest
sequence that fails.

Usage: hypothesis_calls.py [--seconds=N | --minutes=N]    how long (default: 20 s)
Exit: 0 if no call fails, 1 if one does, 77 without hypothesis or a library. An exception that is
not documented is a failure, and is printed with the steps that lead to it. A signal ends the
process; faulthandler prints where.
"""
import argparse
import faulthandler
import os
import pathlib
import sys
import tempfile
import time
import warnings

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release")) / "lib/libpwgraph.so"
STEPS, EXAMPLES = 30, 200  # at most so many calls per sequence; sequences per batch

try:
    import hypothesis
    from hypothesis import strategies
except ImportError:
    hypothesis = None
for reason, wrong in (("hypothesis is not installed", hypothesis is None),
                      ("the libraries are static archives in this build", not LIBRARY.exists())):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)

os.environ["POINTER_WARS_LIBRARY"] = str(LIBRARY)
sys.path.insert(0, str(ROOT / "python/src"))

import any_calls  # noqa: E402


class Sequences:
    """Sequences of calls until a time; the first failure that was seen."""

    def __init__(self, folder, ends):
        self.folder, self.ends = folder, ends
        self.count, self.failure = 0, None
        self.calls = None  # of the shortest sequence that fails

    def one(self, generator, steps):
        """A sequence. Where time has run out it is empty, unless a failure is being shortened."""
        if time.monotonic() > self.ends and self.failure is None:
            return
        calling = any_calls.Calls(generator, self.folder)
        calling.said = []
        try:
            for _ in range(steps):
                self.count += 1
                calling.step()
        except Exception as why:
            self.failure = self.failure or why
            if self.calls is None or len(calling.said) < len(self.calls):
                self.calls = calling.said
            raise

    def batch(self):
        """Some sequences; a failure is raised in its shortest form."""
        chosen = hypothesis.given(strategies.randoms(use_true_random=False),
                                  strategies.integers(1, STEPS))
        settings = hypothesis.settings(max_examples=EXAMPLES, deadline=None, database=None,
                                       verbosity=hypothesis.Verbosity.quiet,
                                       suppress_health_check=list(hypothesis.HealthCheck))
        run = settings(chosen(lambda generator, steps: self.one(generator, steps)))
        try:
            run()
        except hypothesis.errors.HypothesisException:  # a call took another time, or other memory
            if self.failure is not None:
                raise self.failure
        finally:
            print("\n".join(self.calls or []), end="", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--minutes", type=float, default=0)
    options = parser.parse_args()
    faulthandler.enable()
    any_calls.limit_memory()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        sequences = Sequences(pathlib.Path(folder), time.monotonic() + (
            60 * options.minutes or options.seconds))
        while time.monotonic() < sequences.ends:
            sequences.batch()
    print(f"{sequences.count} calls", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
