"""Whatever reads the content of a hand-in does it in a child, with limits of time and memory.

A reader that is slow on bytes that somebody chose ends its child, and no judge and no batch. What comes back
is data of JSON or bytes, and is believed no more than what was read: the reader is the judge's own code.
"""
import os
import pickle
import resource
import signal
import struct

SECONDS, MEMORY = 10, 1 << 30
LENGTH = struct.Struct("<Q")


class TooSlow(Exception):
    """One line: the reader used up its time or memory."""


def call(function, *arguments, seconds=SECONDS):
    """What function(*arguments) gives or raises; TooSlow when it needs more than it may."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        answer(writing, function, arguments, seconds)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as file:
            data = file.read()
    finally:
        _, status = os.waitpid(child, 0)
    if len(data) < LENGTH.size or LENGTH.unpack_from(data)[0] != len(data) - LENGTH.size:
        why = "time" if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (
            signal.SIGXCPU, signal.SIGKILL) else "memory"
        raise TooSlow(f"reading it takes more {why} than a hand-in may")
    is_value, result = pickle.loads(data[LENGTH.size:])
    if is_value:
        return result
    raise result


def answer(writing, function, arguments, seconds):
    """In the child: the result goes into the pipe, whole or not at all."""
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGXCPU):
            signal.signal(number, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
        try:
            data = pickle.dumps((True, function(*arguments)))
        except MemoryError:
            return  # nothing comes back, which says so
        except Exception as problem:  # pylint: disable=broad-except
            data = pickle.dumps((False, problem))
        with os.fdopen(writing, "wb") as file:
            file.write(LENGTH.pack(len(data)) + data)
    finally:
        os._exit(0)
