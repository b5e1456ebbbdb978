"""A graph that is served, and how its file is opened again while questions are answered.

A question keeps the graph that it began with, so that the old graph goes with its last answer. If the
new file cannot be opened, the old graph stays, and /api/health says why.
"""
from __future__ import annotations

import gc
from typing import Callable, List, Optional, Sequence

from .. import PointerWarsError
from .costs import identity
from .questions import Questions, clean


class Hosted:
    """A graph by its name; `questions` belong to the graph that was opened last."""

    def __init__(self, name: str, files: Sequence[str], opening: Callable[[], Questions]) -> None:
        """files: all that are read; opening: reads them, here and again."""
        self.name, self.files, self.opening = name, list(files), opening
        self.opened = self.tried = identity(files)
        self.questions = opening()

    def is_replaced(self) -> bool:
        """True if another file has the name of one that was opened, and has not been tried. A file
        that is changed in place may be half written: SIGHUP says when it is whole."""
        found = identity(self.files)
        if found is None or self.opened is None or found == self.tried:
            return False
        return any(new[:2] != old[:2] for new, old in zip(found, self.opened))

    def reopen(self) -> Optional[str]:
        """Open the files again; why this failed, or None."""
        old, self.tried = self.questions, identity(self.files)
        try:
            if self.opened is None:
                raise ValueError("the graph is not a file that can be read again")
            new = self.opening()
        except (PointerWarsError, OSError, ValueError, MemoryError) as why:
            old.failure = clean(str(why))
            return old.failure
        new.openings, self.opened, self.questions = old.openings + 1, self.tried, new
        del old
        gc.collect()  # what a refusal has left of the old graph
        return None


def replaced(graphs: Sequence[Hosted]) -> List[Hosted]:
    """Those with a new file."""
    return [hosted for hosted in graphs if hosted.is_replaced()]
