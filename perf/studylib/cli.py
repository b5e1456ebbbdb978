"""perf/study: which module does the work of a subcommand.

A module of the table has main(arguments), which gets the words after the subcommand and returns
the exit status. It is imported when it is asked for, so that one subcommand does not wait for
another. Without a subcommand the words are a graph and its pairs: see searches.py.
"""
import importlib
import os
import sys

from own_name import complain
from subcommands import COMMANDS


def find(name):
    """The module of a subcommand, or None when this tree does not have it."""
    module = COMMANDS[name][0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as problem:
        if problem.name != module:
            raise
        return None


def run(arguments):
    name = arguments[0] if arguments else None
    if name not in COMMANDS:
        import searches
        return searches.main(arguments)
    module = find(name)
    if module is None:
        complain("study", f"{name} needs perf/studylib/{COMMANDS[name][0]}.py, which is missing")
        return 1
    return module.main(arguments[1:])


def main(arguments=None):
    try:
        status = run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # "| head" is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
