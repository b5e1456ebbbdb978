"""What the API answers: each question is a method of Questions, from checked values to JSON."""
from __future__ import annotations

import datetime
import itertools
import os
import stat
import threading
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

from .. import Graph, Paths, UnknownNode
from . import pairs
from .costs import ALLOCATORS, COMPARED, ENGINES, ROUNDS, Costs
from .parameters import TEXT, TITLE, Parameter, Refused, choice, several, whole
from .queue_length import queue_lengths

SECONDS = 10.0        # of one search
DRAWN = 200           # nodes of a drawing
TALLEST = 20          # nodes of one column
OPENED = 500          # nodes of the column that was asked for whole
COLUMNS = 40          # columns of a drawing; of a longer path both ends
RANKED = 20_000       # nodes of all paths among which a drawing chooses by links; else the first
TITLES = 20_000       # titles of an answer's paths
ROWS = 5_000_000      # numbers that listing may write to reach a path
DISTANCES = 1000      # entries of a histogram
AVOIDED = 20          # nodes to avoid

FROM = Parameter("from", "where the paths begin: a title, or #1 for the id 1", TITLE, True)
TO = Parameter("to", "where the paths end: a title, or #1 for the id 1", TITLE, True)
WITHOUT = Parameter("without", "a node that no path touches; may be repeated",
                    several(TITLE, AVOIDED))
LIMIT = Parameter("limit", "the most paths in the answer", whole(1, 500, 50))
OFFSET = Parameter("offset", "paths to leave out", whole(0, 10_000, 0))
TEMPLATES = "links of templates dropped"  # a fact of a snapshot from which they were left out

#: Wikis whose titles are not made of a language and a project.
WIKIS = {"commons.wikimedia.org": "Wikimedia Commons", "meta.wikimedia.org": "Meta-Wiki",
         "species.wikimedia.org": "Wikispecies", "www.mediawiki.org": "MediaWiki",
         "www.wikidata.org": "Wikidata"}
LANGUAGES = {"simple": "Simple English", "en": "English", "de": "German", "fr": "French",
             "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch", "pl": "Polish",
             "ru": "Russian", "ja": "Japanese", "zh": "Chinese", "sv": "Swedish", "ar": "Arabic"}


def clean(text: str) -> str:
    """A name for JSON; a byte that is not UTF-8 becomes a question mark in a diamond."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode(
        "utf-8", "replace")


def wiki_title(name: Optional[str], address: Optional[str]) -> Optional[str]:
    """What a wiki is called: https://simple.wikipedia.org "Simple English Wikipedia"; its name in
    the dumps if it has no address."""
    host = (address or "").partition("://")[2]
    if not host or host in WIKIS:
        return WIKIS.get(host, name)
    language, project, _ = host.split(".")
    return f"{LANGUAGES.get(language, language)} {project.capitalize()}"


def day_of(file: str) -> Optional[str]:
    """The day on which a file was written; None if it is no file."""
    try:
        facts = os.stat(file)
        day = datetime.date.fromtimestamp(facts.st_mtime)
    except (OSError, OverflowError, ValueError):
        return None
    return day.isoformat() if stat.S_ISREG(facts.st_mode) else None


Rows = Sequence[Sequence[int]]  #: paths as numbers of nodes


class Questions:
    """The questions about one graph. Each may be asked by many threads at once."""

    def __init__(self, graph: Graph, file: str, measured: Union[Costs, str] = "",
                 title: Optional[str] = None, noun: Optional[List[str]] = None) -> None:
        """title: what the page calls it, if it is not named after its wiki or its file. noun: one
        node and several. measured: what measures costs, or why there is nothing."""
        self.graph = graph
        self.measured = measured
        self.openings = 1  #: of its file by this server
        self.failure: Optional[str] = None  #: why the last of them failed
        self.drawing_examples = threading.Lock()
        self.drawn: Optional[List[Dict[str, Any]]] = None  # examples, after the first question
        address = graph.fact("address")
        wiki = wiki_title(graph.fact("wiki"), address)
        noun = noun or (["article", "articles"] if wiki else ["node", "nodes"])
        self.facts = {"name": clean(os.path.basename(file)), "title": clean(title or ""),
                      "nodes": len(graph), "edges": graph.edge_count,
                      "noun": [clean(word) for word in noun],
                      "wiki": wiki, "date": graph.fact("date") or day_of(file),
                      "address": f"{address}/?curid=" if address else None,
                      "costs": isinstance(measured, Costs),
                      "no_costs": measured if isinstance(measured, str) else None,
                      "allocators": list(ALLOCATORS), "compared": COMPARED,
                      "without_templates": graph.fact(TEMPLATES) is not None}

    # What an answer says ----------------------------------------------------------------------

    def meant(self, text: str, parameter: str) -> Tuple[int, str]:
        """The node that somebody means, and what was forgiven. Refused with 404."""
        try:
            number, note = self.graph.understand(text)
        except UnknownNode as why:
            raise Refused(404, "unknown_title", clean(str(why)), parameter=parameter,
                          suggestions=[clean(name) for name in why.suggestions]) from None
        return number, clean(note)

    def asked(self, values: Dict[str, Any], *names: str
              ) -> Tuple[List[int], List[int], Dict[str, Any], Nodes]:
        """The nodes that parameters name and those to avoid, how an answer says them, and the nodes
        of that answer so far."""
        given = [(values[name], name) for name in names]
        given += [(text, "without") for text in values.get("without", ())]
        found, unknown = [], []
        for text, name in given:
            try:
                found.append(self.meant(text, name))
            except Refused as why:
                unknown.append(why.error)
        if unknown:
            raise Refused(404, others=[{key: error[key] for key in OTHER} for error in unknown[1:]],
                          **unknown[0])
        named, avoided = found[:len(names)], found[len(names):]
        nodes = Nodes(self.graph)
        nodes.look_up(number for number, _ in named + avoided)
        told = [{**nodes[number], "note": note} for number, note in named + avoided]
        answer: Dict[str, Any] = dict(zip(names, told))
        if "without" in values:
            answer["without"] = told[len(named):]
        return ([number for number, _ in named], [number for number, _ in avoided], answer, nodes)

    @staticmethod
    def told(rows: Sequence[Sequence[int]], more: bool, nodes: Nodes) -> Dict[str, Any]:
        """How an answer lists paths, with at most TITLES titles. more: these are not all."""
        if rows and len(rows) * len(rows[0]) > TITLES:
            rows, more = rows[:TITLES // len(rows[0])], True
        nodes.look_up(itertools.chain.from_iterable(rows))
        return {"more": more, "paths": [[nodes[node]["title"] for node in row] for row in rows],
                "page_ids": [[nodes[node]["page_id"] for node in row] for row in rows]}

    # The questions ----------------------------------------------------------------------------

    def meta(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """What the graph is."""
        return self.facts

    def health(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """That the server answers; how often it has opened the graph."""
        return {"status": "ok", "openings": self.openings, "failure": self.failure}

    def complete(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """Titles that begin with q, those with the most links first."""
        names = self.graph.complete(values["q"], values["limit"], "degree") if values["q"] else []
        return {"titles": [clean(name) for name in names]}

    def random(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """Two nodes with a path between them, and how far they are."""
        if not self.graph.edge_count:
            raise Refused(404, "no_edges", "the graph has no edges")
        pair = pairs.random_pair(self.graph)
        if pair is None:
            raise Refused(404, "no_edges", "no node with links has a name of its own")
        return self.told_pairs([pair])[0]

    def examples(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """Up to three pairs of well-known nodes, always the same ones; the first has several
        shortest paths, if such a pair was found."""
        with self.drawing_examples:
            if self.drawn is None:
                self.drawn = self.told_pairs(pairs.examples(self.graph))
        return {"pairs": self.drawn}

    def told_pairs(self, found: Sequence[pairs.Pair]) -> List[Dict[str, Any]]:
        """How an answer says pairs."""
        nodes = Nodes(self.graph)
        nodes.look_up(node for source, target, _ in found for node in (source, target))
        return [{"from": nodes[source], "to": nodes[target], "hops": hops}
                for source, target, hops in found]

    def path(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """A shortest path of two nodes, or all of them."""
        (source, target), without, answer, nodes = self.asked(values, "from", "to")
        answer.update(mode=values["mode"], offset=values["offset"], through=None, through_hops=None)
        through, told = None, None
        if values["through"]:
            (through,), _, said, _ = self.asked(values, "through")
            told = said["through"]
        rows: Sequence[Sequence[int]]
        if values["mode"] == "one":
            path, counts = self.graph.path_and_counts(source, target, without=without,
                                                      timeout=SECONDS)
            rows = [path.nodes][values["offset"]:] if path else []
            hops, count, more = path.hops if path else None, None if path else "0", False
            picture = None
        else:
            found = self.graph.paths(source, target, without=without, timeout=SECONDS)
            counts, hops, count = found.counts, found.hops, found.digits
            picture = self.drawing(found, nodes, values["open"])
            if through is None:
                rows = self.listed(found, values["offset"], values["limit"])
                more = found.count > values["offset"] + len(rows)
            else:
                answer["through"], (place, count, rows, more) = told, self.passing(
                    found, through, without, values["offset"], values["limit"])
                answer["through_hops"] = place
        answer.update(hops=hops, count=count, graph=picture, looked_at=counts._asdict(),
                      **self.told(rows, more, nodes))
        return answer

    def longer(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """The paths that are one hop longer than the shortest."""
        (source, target), without, answer, nodes = self.asked(values, "from", "to")
        found = self.graph.paths(source, target, without=without, timeout=SECONDS, longer=1)
        rows = self.listed(found, values["offset"], values["limit"])
        answer.update(offset=values["offset"], hops=found.hops, count=found.digits,
                      **self.told(rows, found.count > values["offset"] + len(rows), nodes))
        return answer

    def histogram(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """How many nodes are at each distance."""
        (number,), without, answer, _ = self.asked(values, "of")
        found = self.graph.histogram(number, direction=values["direction"], without=without,
                                     timeout=SECONDS)
        return {**answer, "direction": values["direction"],
                "counts": list(found[:DISTANCES]), "more": len(found) > DISTANCES,
                "unreached": found.unreached, "mean": found.mean if any(found[1:]) else None}

    def costs(self, values: Dict[str, Any]) -> Dict[str, Any]:
        """What each allocator of list nodes costs in a search."""
        if isinstance(self.measured, str):
            raise Refused(503, "no_costs", self.measured)
        self.measured.check()
        (source, target), _, answer, _ = self.asked(values, "from", "to")
        names = list(dict.fromkeys(values["alloc"])) or list(ALLOCATORS[:COMPARED])
        if len(names) < 2:
            raise Refused(422, "malformed", f"alloc: two to {COMPARED} allocators are compared",
                          parameter="alloc")
        report = self.measured.compare(source, target, values["engine"], names)
        rows = {row["allocator"]: row for row in report["configurations"]}
        queue = queue_lengths(self.graph, source, target, SECONDS)
        return {**answer, "engine": values["engine"],
                "rounds": ROUNDS, "confidence": 1 - 2.0**(1 - ROUNDS),
                "visited": rows[names[0]]["visited"], "queue": queue,
                "rows": [{name: rows[alloc].get(name) for name in COSTS} for alloc in names]}

    # All shortest paths -----------------------------------------------------------------------

    def listed(self, found: Paths, offset: int, limit: int) -> Sequence[Sequence[int]]:
        """Some of the paths, as numbers of nodes."""
        if found.hops is None or offset >= found.count:
            return []
        width = found.hops + 1
        last = min(offset + max(1, min(limit, TITLES // width)), ROWS // width)
        listed: Rows = found.rows(last)[offset:].tolist()
        return listed

    def passing(self, found: Paths, node: int, without: List[int], offset: int, limit: int
                ) -> Tuple[Optional[int], str, Rows, bool]:
        """Of all shortest paths the ones through a node: its distance from the source, how many
        they are, some of them, and if there are more. Each is a shortest path to the node, and then
        one from it."""
        if found.hops is None:
            return None, "0", [], False
        ends = {found.source: 0, found.target: found.hops}
        if node in ends:
            rows = self.listed(found, offset, limit)
            return ends[node], found.digits, rows, found.count > offset + len(rows)
        before = self.graph.paths(found.source, node, without=without, timeout=SECONDS)
        after = self.graph.paths(node, found.target, without=without, timeout=SECONDS)
        if before.hops is None or after.hops is None or before.hops + after.hops != found.hops:
            return None, "0", [], False
        count, width = before.count * after.count, found.hops + 1
        last = int(min(count, offset + max(1, min(limit, TITLES // width)), ROWS // width))
        ends_of = self.listed(after, 0, last)
        turns = int(min(after.count, len(ends_of)))
        begins = self.listed(before, 0, -(-last // turns))
        rows = [[*begins[i // turns], *ends_of[i % turns][1:]]
                for i in range(offset, min(last, len(begins) * turns))]
        return before.hops, found.digits if count >= 2**128 - 1 else str(count), rows, count > offset + len(rows)

    @staticmethod
    def drawing(found: Paths, known: Nodes, opened: int = 0) -> Optional[Dict[str, Any]]:
        """The graph of all shortest paths in columns, at most DRAWN nodes of it and TALLEST
        of a column: the nodes with the most links. A link [c, i, k] leads from node i of column
        c - 1 to node k of column c. opened: a distance of which OPENED nodes are in it."""
        if found.hops is None:
            return None
        levels = [int(begin) for begin in found.levels]
        sizes = [end - begin for begin, end in zip(levels, levels[1:])]
        shown = list(range(len(sizes)))
        skipped = max(0, len(sizes) - COLUMNS)
        if skipped:
            shown[COLUMNS // 2:len(sizes) - COLUMNS // 2] = []
        most = min(TALLEST, rows_of([sizes[level] for level in shown], DRAWN))
        begins, before_links, nodes = found.link_begins, found.links, found.nodes
        ranks: Dict[int, int] = {}
        if len(nodes) <= RANKED:  # a list is faster to look at than an array
            begins, before_links, nodes = (row.tolist() for row in (begins, before_links, nodes))
            ranks = degrees(begins, before_links)
        places = {}
        for level in shown:
            tall = OPENED if opened and level == opened else most
            chosen = sorted(range(levels[level], levels[level + 1]),
                            key=lambda place: -ranks.get(place, 0))[:tall] if ranks else range(
                                levels[level], min(levels[level] + tall, levels[level + 1]))
            places[level] = {place: row for row, place in enumerate(sorted(chosen))}
        links = []
        for column, level in enumerate(shown[1:], 1):
            before = places.get(level - 1, {})
            for place, row in places[level].items():
                begin, end = int(begins[place]), int(begins[place + 1])
                links += [[column, before[int(link)], row] for link in before_links[begin:end]
                          if int(link) in before]
        numbers = {level: [int(nodes[place]) for place in places[level]] for level in shown}
        known.look_up(itertools.chain.from_iterable(numbers.values()))
        return {"columns": [{"size": sizes[level],
                             "nodes": [known[number] for number in numbers[level]]}
                            for level in shown],
                "links": links, "skipped": skipped, "skipped_after": COLUMNS // 2 if skipped else 0}


class Nodes(Dict[int, Dict[str, Any]]):
    """The nodes of one answer by their numbers, as the answer says them."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph

    def look_up(self, numbers: Iterable[int]) -> None:
        """Add nodes, in one call of the library."""
        new = list(dict.fromkeys(number for number in numbers if number not in self))
        for number, title, page in zip(new, self.graph.labels(new), self.graph.pages(new)):
            self[number] = {"title": clean(title), "page_id": page}


def rows_of(sizes: Sequence[int], budget: int) -> int:
    """The largest number of rows so that columns of these sizes keep within a number of nodes."""
    low, high = 1, max(sizes)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(min(size, middle) for size in sizes) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def degrees(begins: Sequence[int], links: Sequence[int]) -> Dict[int, int]:
    """The links of each place of all paths, in and out."""
    counted = {place: end - begin for place, (begin, end) in enumerate(zip(begins, begins[1:]))}
    for link in links:
        counted[link] += 1
    return counted


OTHER = ("message", "parameter", "suggestions")  # of an unknown title after the first one
COSTS = ("allocator", "seconds_median", "seconds_min", "seconds_max", "speed", "speed_low",
         "speed_high", "malloc_calls", "node_bytes", "peak_rss_bytes", "unfinished")
Question = Callable[[Questions, Dict[str, Any]], Dict[str, Any]]
#: Each question: its address, its parameters, its method, and the threads that answer it: "slow"
#: for what may look at the whole graph, "costs" for what runs bfs; None: it needs no thread.
QUESTIONS: Dict[str, Tuple[Sequence[Parameter], Question, Optional[str]]] = {
    "/api/meta": ((), Questions.meta, None),
    "/api/health": ((), Questions.health, None),
    "/api/complete": ((
        Parameter("q", "how a title begins", {**TEXT, "default": ""}),
        Parameter("limit", "the most titles in the answer", whole(1, 50, 10))),
        Questions.complete, "names"),
    "/api/path": ((
        FROM, TO,
        Parameter("mode", "one path, or all", choice("one", "all")), WITHOUT,
        Parameter("through", "with mode=all: a node; only paths through it are listed"),
        Parameter("open", f"a distance of which the drawing has all nodes, up to {OPENED}; 0: none",
                  whole(0, 10**9, 0)),
        LIMIT, OFFSET),
        Questions.path, "paths"),
    "/api/longer": ((
        FROM, TO, WITHOUT, LIMIT, OFFSET),
        Questions.longer, "paths"),
    "/api/histogram": ((
        Parameter("of", "the node: a title, or #1 for the id 1", TITLE, True),
        Parameter("direction", "distances from the node, or to it", choice("from", "to")), WITHOUT),
        Questions.histogram, "slow"),
    "/api/costs": ((
        FROM, TO,
        Parameter("engine", "the search", choice(*ENGINES)),
        Parameter("alloc", f"an allocator; two at least, {COMPARED} at most; the first {COMPARED} "
                  "if none is given", several({"type": "string", "enum": list(ALLOCATORS)}, COMPARED))),
        Questions.costs, "costs"),
    "/api/random": ((), Questions.random, "paths"),
    "/api/examples": ((), Questions.examples, "paths"),
}
