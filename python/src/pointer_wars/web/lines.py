"""Lines of a log that nobody has to read: writing them never waits."""
from __future__ import annotations

import logging
import os
import select


class Lines(logging.Handler):
    """Writes each record to a descriptor. What would wait, as in a pipe that nobody reads, is
    dropped, and the next line that can be written is about how many were."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor
        self.dropped = 0
        self.is_cut = False  # the last line lacks its end

    def write(self, line: bytes) -> bool:
        """False: not all of it could be written at once."""
        room = select.poll()
        room.register(self.descriptor, select.POLLOUT)
        for at in range(0, len(line), select.PIPE_BUF):  # so much a pipe takes whole
            part = line[at:at + select.PIPE_BUF]
            try:
                if not room.poll(0) or os.write(self.descriptor, part) != len(part):
                    return False
            except OSError:
                return False
            self.is_cut = not part.endswith(b"\n")
        return True

    def emit(self, record: logging.LogRecord) -> None:
        """Called with the lock of the handler."""
        line = self.format(record).encode("utf-8", "backslashreplace") + b"\n"
        before = b"\n" if self.is_cut else b""
        if self.dropped:
            before += f"{self.dropped} lines are missing here: nobody read them\n".encode()
        if before and not self.write(before):
            self.dropped += 1
            return
        self.dropped = 0
        if not self.write(line):
            self.dropped = 1
