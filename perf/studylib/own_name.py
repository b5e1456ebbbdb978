"""What the commands of perf/ call themselves: as in the source tree, or as they are installed.

bin/bfs-study is a link to share/pointer-wars/study, so the name by which it was called decides."""
import os
import re
import sys

INSTALLED = {"study": "bfs-study", "compare": "bfs-study compare", "judge": "bfs-judge"}
IN_TREE = {"study": "perf/study", "compare": "perf/compare", "judge": "judge/judge"}


def own_name(command):
    """The name for usage and errors: "study" in the source tree, "bfs-study" where it is installed."""
    is_installed = os.path.basename(sys.argv[0]).startswith("bfs-")
    return INSTALLED[command] if is_installed else command


def as_called(text):
    """A text of --help, in which commands are perf/study and so on, with the names to type here."""
    for command, path in IN_TREE.items():
        if own_name(command) != command:
            text = re.sub(rf"{path}\b", own_name(command), text)
    return text


def complain(command, message):
    """One line on standard error."""
    print(f"{own_name(command)}: {message}", file=sys.stderr)
