"""Progress on standard error."""
import sys


class Speaker:
    """Progress on a terminal, one line overwritten; final lines stay."""

    def __init__(self):
        self.terminal = sys.stderr.isatty()
        self.shown = False

    def __call__(self, text, final=False):
        if self.terminal:
            print("\r\033[K" + text[:110], end="\n" if final else "", file=sys.stderr, flush=True)
        elif final:
            print(text, file=sys.stderr)
        self.shown = self.terminal and not final

    def clear(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self.shown = False
