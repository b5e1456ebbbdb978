"""Progress on standard error."""
import sys
import time

LOG_EVERY = 10  # seconds between two lines of a log


class Speaker:
    """Says how far the work is. On a terminal it overwrites one line. In a log it adds a line now and
    then, with the seconds since the start. Final lines stay in both."""

    def __init__(self, clock=time.monotonic):
        self.terminal = sys.stderr.isatty()
        self.shown = False
        self.clock = clock
        self.start = clock()
        self.logged = self.start  # when the last line went into a log

    def __call__(self, text, final=False):
        if self.terminal:
            print("\r\033[K" + text[:110], end="\n" if final else "", file=sys.stderr, flush=True)
            self.shown = not final
            return
        now = self.clock()
        if final:
            print(text, file=sys.stderr, flush=True)
        elif now - self.logged >= LOG_EVERY:
            self.logged = now
            print(f"[{now - self.start:.0f} s] {text}", file=sys.stderr, flush=True)

    def clear(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self.shown = False
