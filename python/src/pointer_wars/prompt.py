"""The prompt for people: two names are a question, a line that begins with a colon is a command.

It answers in words. Python's readline completes names on Tab, and brings back the lines of this
session.
"""
from __future__ import annotations

import os
import re
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from . import words
from ._native import OutOfMemory, PointerWarsError, TimedOut, UnknownNode
from .graph import Graph

LISTED = 40          # names that Tab lists at most
MATCHES = 100_000    # names that Tab looks at
MOST = 1000          # paths or names of one answer; nodes to avoid
COUNT_SECONDS = 1.0  # to count the paths of an answer
OTHER_DRAWS = 100    # for a target that is not the source
COMMAND = re.compile(r":([^= \t]*)(?:=([^ \t]*))?(?:[ \t](.*))?", re.S)

#: The commands: how each is written, and what it does.
COMMANDS: Dict[str, Tuple[str, str]] = {
    "ask": (":ask FROM -> TO", "asks, also for names that begin with : or ?"),
    "all": (":all[=K] [FROM -> TO]", "lists the first K shortest paths (10), and counts all"),
    "back": (":back", "asks the last question the other way round"),
    "histogram": (":histogram [NODE]", "counts the nodes at each distance from a node"),
    "avoid": (":avoid[=none] [NODE]",
              "adds a node that no path may have; shows them; =none clears"),
    "complete": (":complete[=degree|name][,K] PREFIX",
                 "lists K names (20) that start with PREFIX, by degree or name"),
    "random": (":random[=SEED]", "asks for two random nodes with out-edges"),
    "count": (":count[=yes|no]",
              "counts paths or nodes reached for each question, or saves the time"),
    "help": (":help", "lists the commands"),
}


class Refused(Exception):
    """A line that cannot be done, and why."""


def number(text: str, usage: str, most: Optional[int] = None) -> int:
    """The number in the option of a command."""
    if not (text.isascii() and text.isdigit() and (most is None or int(text) <= most)):
        limit = "" if most is None else f" (K is at most {most})"
        raise Refused(f'"{text[:40]}" is not an option of {usage}{limit}')
    return int(text)


class Prompt:
    """A conversation about one graph."""

    def __init__(self, graph: Graph, avoided: List[int]) -> None:
        self.graph = graph
        self.avoided = avoided
        self.last: Optional[Tuple[int, int]] = None  # the question that was answered last
        self.counts = True
        self.random: Iterator[int] = graph.random_nodes()
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()

    # Nodes ------------------------------------------------------------------------------------

    def find(self, text: str) -> int:
        """The node that somebody means; says what was forgiven."""
        return self.say(*self.graph.understand(text))

    def say(self, node: int, note: str) -> int:
        """Say what was forgiven of the name of a node, which is returned."""
        if note:
            print(words.shown(note))
        return node

    def pair(self, text: str) -> Tuple[int, int]:
        """The two nodes of a text; without a text, the two of the last question."""
        if not text:
            if self.last is None:
                raise Refused("there was no question yet")
            return self.last
        parts = text.split("\t" if "\t" in text else " -> ", maxsplit=1)
        if len(parts) < 2:  # a blank between two nodes, or else the first one
            blanks = [at for at, letter in enumerate(text) if letter == " "]
            if not blanks:
                raise Refused("expected two nodes with an arrow between them")
            refusals = []
            for at in blanks:
                try:
                    source, target = map(self.graph.understand, (text[:at], text[at + 1:]))
                except UnknownNode as why:
                    refusals.append(why)
                else:
                    return self.say(*source), self.say(*target)
            raise refusals[0]
        return self.find(parts[0]), self.find(parts[1])

    def list_names(self, names: List[str], total: int) -> None:
        """A line per name, and how many more there are."""
        for name in names:
            print(f"  {words.shown(name)}")
        if total > len(names):
            print(f"  ... and {total - len(names):,} more")

    # Questions --------------------------------------------------------------------------------

    def answer(self, source: int, target: int) -> None:
        """A shortest path of two nodes."""
        path, counts = self.graph.path_and_counts(source, target, without=self.avoided)
        self.last = source, target
        if path is None:
            self.say_no_path(source, target)
            return
        amount = ""
        if self.counts:
            try:
                digits = self.graph.paths(source, target, without=self.avoided,
                                          timeout=COUNT_SECONDS).digits
                amount = f", one of {words.grouped(digits)} shortest paths" * (digits != "1")
            except (TimedOut, OutOfMemory):
                pass  # the answer is there without the number
        print(words.path(self.graph.labels(path.nodes)))
        print(words.figures(self.graph, path.hops, counts, amount))

    def say_no_path(self, source: int, target: int) -> None:
        """Say that there is no path; then, a second later perhaps, the way back and what is reached.
        """
        graph, avoided = self.graph, self.avoided
        print(words.no_path(graph, source, target, avoided), flush=True)
        if not self.counts:
            return
        first, second = words.shown(graph.label(source)), words.shown(graph.label(target))
        back = graph.hops(target, source, without=avoided)
        if back is not None and source != target:
            print(f"{second} leads to {first} in {words.hops(back)}")
        if source not in avoided:
            others = sum(graph.histogram(source, without=avoided)) - 1
            print(f"{first} leads to {others:,} of {len(graph) - 1:,} other nodes" if others
                  else f"{first} leads nowhere")

    # Commands: an option or None, and the text after it -------------------------------------------

    def do_all(self, option: Optional[str], text: str) -> None:
        limit = 10 if option is None else number(option, COMMANDS["all"][0], MOST)
        source, target = self.pair(text)
        found = self.graph.paths(source, target, limit, without=self.avoided)
        self.last = source, target
        if found.hops is None:
            self.say_no_path(source, target)
            return
        for path in found:
            print(words.path(self.graph.labels(path.nodes)))
        print(words.figures(self.graph, found.hops, found.counts,
                            words.amount_listed(found.digits, limit)))

    def do_back(self, option: Optional[str], text: str) -> None:
        source, target = self.pair("")
        self.answer(target, source)

    def do_histogram(self, option: Optional[str], text: str) -> None:
        node = self.find(text) if text else self.pair("")[0]
        if node in self.avoided:
            raise Refused(f"{self.graph.label(node)} is among the nodes to avoid")
        counts = self.graph.histogram(node, without=self.avoided)
        around = self.graph.hops(node, node, without=self.avoided)
        print(words.histogram(self.graph, node, counts, around))

    def do_avoid(self, option: Optional[str], text: str) -> None:
        if option not in (None, "none"):
            raise Refused(f'"{option}" is not an option of {COMMANDS["avoid"][0]}')
        if option and text.strip(" \t"):
            raise Refused(":avoid=none takes nothing after it")
        new = [] if option else self.avoided
        if text.strip(" \t") and not option:
            new = list(dict.fromkeys([*new, *map(self.find, text.split("\t"))]))
        if len(new) > MOST:
            raise Refused(f"at most {MOST} nodes can be avoided")
        self.avoided = new
        print("to avoid:" if new else "no nodes to avoid")
        self.list_names(self.graph.labels(new), len(new))

    def do_complete(self, option: Optional[str], text: str) -> None:
        order, limit = "name", 20
        for part in [] if option is None else option.split(","):
            if part in ("degree", "name"):
                order = part
            else:
                limit = number(part, COMMANDS["complete"][0], MOST)
        nodes, total = self.graph.completions(text, limit, order)
        self.list_names(self.graph.labels(nodes), total)
        if total == 0:
            print("no name begins with that")

    def do_random(self, option: Optional[str], text: str) -> None:
        if option is not None:
            self.random = self.graph.random_nodes(number(option, COMMANDS["random"][0]))
        source = target = next(self.random)
        for _ in range(OTHER_DRAWS):
            if target == source:
                target = next(self.random)
        self.answer(source, target)

    def do_count(self, option: Optional[str], text: str) -> None:
        if option not in (None, "yes", "no"):
            raise Refused(f'"{option}" is not an option of {COMMANDS["count"][0]}')
        if option:
            self.counts = option == "yes"
        print("answers with counts" if self.counts else "answers without counts")

    def do_help(self, option: Optional[str], text: str) -> None:
        print("Two names are a question; :ask also takes a name that begins with a colon. "
              "Commands:")
        for usage, does in COMMANDS.values():
            print(f"  {usage:36}{does}")
        print("Without nodes, :all and :histogram are about the last question.")

    def do_ask(self, option: Optional[str], text: str) -> None:
        self.answer(*self.pair(text))

    def obey(self, line: str) -> Optional[str]:
        """Carry out a command. The name after ":ask NAME" answers the prompt."""
        found = COMMAND.fullmatch(line)
        word, option, text = found.groups() if found else ("", None, "")
        if word not in COMMANDS:
            raise Refused(f'there is no command ":{word[:40]}"; :help lists them, and :ask asks for '
                          "a name that begins with a colon")
        usage = COMMANDS[word][0]
        if option is not None and "=" not in usage:
            raise Refused(f'"{option[:40]}" is not an option of {usage}')
        if text and text.strip(" \t") and " " not in usage:
            raise Refused(f"{usage} takes nothing after it")
        if word == "ask" and not text:
            raise Refused("expected two nodes with an arrow between them")
        if word == "ask" and "\t" not in text and " -> " not in text:
            return str(text)
        command: Callable[[Optional[str], str], None] = getattr(self, f"do_{word}")
        command(option, text or "")
        return None

    # Lines ------------------------------------------------------------------------------------

    def has_two_names(self, line: str) -> bool:
        """A tab, or an arrow that is no part of a name."""
        return "\t" in line or (" -> " in line and not self.graph.has_node(line))

    def ask(self, label: str) -> int:
        """Ask until a node is named, and obey commands meanwhile. EOFError at the end."""
        while True:
            line: Optional[str] = input(label if self.is_terminal else "")
            try:
                if line and line.startswith(":"):
                    line = self.obey(line)
                elif line and self.has_two_names(line):
                    self.do_ask(None, line)
                    continue
                if line:
                    return self.find(line)
            except (Refused, PointerWarsError) as why:
                print(words.shown(str(why)))

    def run(self) -> None:
        """Answer until the input ends."""
        if self.is_terminal:
            use_readline(self.graph)
            print("Two nodes; Tab completes a name, :help lists commands, Ctrl-D ends.")
        try:
            while True:
                source, target = self.ask("from: "), self.ask("to:   ")
                try:
                    self.answer(source, target)
                except PointerWarsError as why:
                    print(words.shown(str(why)))
        except EOFError:
            print(end="\n" * self.is_terminal)


# Completion -------------------------------------------------------------------------------------

def completions(graph: Graph, line: str) -> List[str]:
    """What a line may become: its last name completed, after a command and after an arrow."""
    begin = 0
    if line.startswith(":"):
        begin = line.find(" ") + 1 or len(line)
        begin = max(begin, line.rfind(" -> ") + 4)
    head, name = line[:begin], line[begin:]
    nodes, total = graph.completions(name, MATCHES)
    if total == 0:
        return []
    names = graph.labels(nodes[:LISTED])
    common = os.path.commonprefix([names[0], graph.label(nodes[-1])])  # they are in order
    if total > len(nodes):  # and there may be others after the last
        common = os.path.commonprefix([common, name])
    if total > len(names):
        names.append(f"{common}... and {total - len(names):,} more")
    return [head + one for one in names]


def use_readline(graph: Graph) -> None:
    """Complete names, and keep the lines of this session; input() does so if readline is there."""
    try:
        import readline
    except ImportError:
        return
    found: List[str] = []

    def complete(text: str, state: int) -> Any:
        if state == 0:
            found[:] = completions(graph, text)
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims("")  # a name may have blanks
    is_libedit = "libedit" in (readline.__doc__ or "")
    for line in ["bind ^I rl_complete"] if is_libedit else [
            "tab: complete", "set show-all-if-ambiguous on", "set completion-query-items -1",
            "set page-completions off"]:
        readline.parse_and_bind(line)
