"""The oracle of the Wikipedia game: from page to page by links, to a target in few clicks.

A program that plays, or a test that grades one, asks at every step how far each link of a page is
from the target. Race makes one search, backwards from the target; then each answer is a look-up.

>>> import pointer_wars
>>> from pointer_wars.race import Race
>>> race = Race(pointer_wars.load("data/sample/borders.tsv"), "Poland")
>>> race.distance("Laos"), race.best("Laos"), race.links("Laos")[:2]
(3, 'China', [('Cambodia', 4), ('China', 2)])
>>> race.grade(["Laos", "Vietnam", "China"])
[0, 1]
"""
from __future__ import annotations

import random
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._native import NONE, ArgumentError, natural
from .answers import Keys
from .graph import Graph


class Pair(NamedTuple):
    """A task: how few clicks lead from a page to another, and how many links of the first page are
    a step on such a way."""
    start: Any
    target: Any
    hops: int
    good_links: int


class Race:
    """How far each page is from a target. Threads may share it.

    hops: the distances of all nodes by their numbers (uint32). Cost: one search of the graph and 4
    bytes per node; then a look-up per page or link that is asked for.
    """
    __slots__ = ("graph", "target", "target_node", "hops", "_hops")

    def __init__(self, graph: Graph, target: Any) -> None:
        """target: a key of the graph. UnknownNode if it is not one."""
        if not isinstance(graph, Graph):
            raise TypeError(f"graph: expected a Graph, not {type(graph).__name__}")
        self.graph = graph
        self.target_node = graph.node(target)
        self.target = graph.key(self.target_node)
        self.hops = graph.distances(target, direction="to")
        self._hops = memoryview(self.hops)  # from which one number is taken faster than from numpy

    def distance(self, page: Any) -> Optional[int]:
        """The clicks from a page to the target, 0 for the target; None if no way leads there."""
        return self._at(self.graph.node(page))

    def links(self, page: Any) -> List[Tuple[Any, Optional[int]]]:
        """The links of a page in the order of the graph, each once: its key, and its distance."""
        nodes = self._links(self.graph.node(page))
        return list(zip(self.graph._keys_of(nodes), map(self._at, nodes)))

    def best(self, page: Any) -> Optional[Any]:
        """The first link that comes nearer to the target; None at the target, and where no way
        leads there."""
        node = self.graph.node(page)
        return next((self.graph.key(other) for other in self._links(node)
                     if self._gain(node, other) > 0), None)

    def grade(self, clicks: Sequence[Any]) -> List[int]:
        """What each step of a way of pages did: 1 came nearer, 0 stayed as far, -1 went farther, or
        to where no way leads to the target. ArgumentError for a step that is no link."""
        if isinstance(clicks, str):
            raise TypeError("clicks: a row of pages, not one text")
        nodes = [self.graph.node(page) for page in clicks]
        for node, other in zip(nodes, nodes[1:]):
            if other not in self._links(node):
                raise ArgumentError(f"{self.graph.label(node)!r} has no link to "
                                    f"{self.graph.label(other)!r}")
        return [self._gain(node, other) for node, other in zip(nodes, nodes[1:])]

    def pairs(self, hops: int = 4, count: int = 100, seed: Optional[int] = None) -> List[Pair]:
        """Random tasks with this target: at most `count` different starts that are `hops` clicks
        away, the easiest first: those with the most links that come nearer. seed: the same number
        gives the same tasks. Cost: a look at the distances of all nodes."""
        far, most = natural(hops, "hops", NONE - 1), natural(count, "count", NONE)
        first, limit = self.graph.first_node, self.graph.node_limit
        starts = [node for node in range(first, limit) if self._hops[node] == far]
        generator = random.Random(seed)
        chosen = generator.sample(starts, min(most, len(starts)))
        found = [Pair(self.graph.key(node), self.target, far, sum(
            self._gain(node, other) > 0 for other in self._links(node))) for node in chosen]
        return sorted(found, key=lambda pair: -pair.good_links)

    def _at(self, node: int) -> Optional[int]:
        hops: int = self._hops[node]
        return None if hops == NONE else hops

    def _links(self, node: int) -> Tuple[int, ...]:
        return tuple(dict.fromkeys(self.graph._out(node).tolist()))

    def _gain(self, node: int, other: int) -> int:
        """1 if the second is nearer, 0 if it is as far, else -1."""
        before, after = self._hops[node], self._hops[other]
        return (before > after) - (before < after)


class Game:
    """The game as an environment of gymnasium's shape, which need not be installed.

    reset and step give an observation: a dict with the page, the target and the keys of the links,
    a sequence that looks a key up when it is asked for (list(links) for all). An action is the
    place of a link among them. The reward of a step is what Race.grade says of it. The game has
    ended at the target, and is cut off after max_steps or at a page without links.

    >>> game = Game(Race(Graph.from_edges([("a", "b"), ("b", "c")]), "c"), "a")
    >>> game.reset()[0]
    {'page': 'a', 'target': 'c', 'links': Keys(['b'])}
    >>> game.step(0)
    ({'page': 'b', 'target': 'c', 'links': Keys(['c'])}, 1.0, False, False, {'distance': 1})
    """
    __slots__ = ("race", "start", "max_steps", "node", "steps", "_links")

    def __init__(self, race: Race, start: Any, max_steps: int = 30) -> None:
        """start: a key of the graph; reset may name another one."""
        self.race = race
        self.start = race.graph.node(start)
        self.max_steps = natural(max_steps, "max_steps", NONE)
        self.node, self.steps, self._links = self.start, 0, race._links(self.start)

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
              ) -> Tuple[Dict[str, Any], Dict[str, Any]]:
        """Begin again: the observation, and a dict with the distance. options: {"start": a key}.
        seed: of no use, because nothing here is random."""
        del seed
        wanted = (options or {}).get("start")
        self.node = self.start if wanted is None else self.race.graph.node(wanted)
        self.steps, self._links = 0, self.race._links(self.node)
        return self._seen(), {"distance": self.race._at(self.node)}

    def step(self, action: int) -> Tuple[Dict[str, Any], float, bool, bool, Dict[str, Any]]:
        """Follow a link: the observation, the reward, whether the target is reached, whether the
        game is cut off, and a dict with the distance. ArgumentError for what is no link's place."""
        race, node = self.race, self.node
        if not self._links:
            raise ArgumentError("the page has no links: reset begins again")
        other = self._links[natural(action, "action", len(self._links) - 1)]
        self.node, self.steps, self._links = other, self.steps + 1, race._links(other)
        has_ended = other == race.target_node
        is_cut = not has_ended and (self.steps >= self.max_steps or not self._links)
        return (self._seen(), float(race._gain(node, other)), has_ended, is_cut,
                {"distance": race._at(other)})

    def _seen(self) -> Dict[str, Any]:
        graph = self.race.graph
        return {"page": graph._keys_of([self.node])[0], "target": self.race.target,
                "links": Keys._of(graph, self._links)}
