"""From rules and times to points.

1. The contract and memory lose points by faults (faults.py), not by rules: a fault is a function and the kind of
   call that went wrong, and costs what student.md says, in points of 100. A failed rule without a fault of its
   own costs what COSTS_OF_RULES says. What the contract cannot lose any more, memory does. Of the build each rule
   has its share. A hand-in that does not build, or whose first element is wrong, keeps the points of the build.
2. Gates: unless every rule of these groups, or of these names, passed, speed earns nothing, and the card
   says why. "ordinary" asks for right elements, no block kept and no other malloc.
3. Speed: what the plain list costs, simulated, to what the submission costs becomes a share between a lower and an
   upper ratio, on a logarithmic scale. It repeats. The clock must agree within a factor of three, either way.
4. A rule that could not be judged is neither passed nor failed. A group that was not asked for has no points: the
   score is of the others. What was asked for and not reached, because of what the hand-in did, costs as a fault.
"""
import json
import math

import faults
from memory import NO_VALGRIND
from rules import FAILED, PASSED, REMARK, RULES
from speed import ROUNDS_LEAST
from submission import CannotGrade

DEFAULT = {
    "points": {"build": 10, "contract": 50, "remarks": 0, "memory": 10, "speed": 30},
    "gates": ["build", "ordinary", "constant-time", "answers"],
    "scale": [0.5, 4.0],
    "weights": {},
}
COSTS_OF_RULES = {"threads-own": 15, "threads-handed": 15, "threads-shared": 15, "threads-races": 15,
                  "memory-leaks": 15}
COST_OF_RULE = 10
NEEDED = ("builds", "harness", "first-use")  # without these there is nothing else
EXPLAINED = 3.0  # what caches may make of a number of instructions
NOT_TIMED = "no search was timed"


class Rubric:
    """points, gates, scale, weights; see teacher.md."""

    def __init__(self, given=None):
        given = given or {}
        unknown = set(given) - set(DEFAULT)
        if unknown:
            raise CannotGrade(f"the rubric has no \"{sorted(unknown)[0]}\"; there are "
                              + ", ".join(DEFAULT))
        for name, value in given.items():
            kind = type(DEFAULT[name])
            if not isinstance(value, kind):
                raise CannotGrade(f"{name} of the rubric is a {'table' if kind is dict else 'list'}")
        merged = {**DEFAULT, **given}
        self.points = {**DEFAULT["points"], **merged["points"]}
        self.gates, self.weights = merged["gates"], merged["weights"]
        if set(self.points) - set(DEFAULT["points"]):
            raise CannotGrade("the rubric gives points to no group but "
                              + ", ".join(DEFAULT["points"]))
        known = [name for name, _, _ in RULES]
        for name in self.weights:
            if name not in known:
                raise CannotGrade(f"the rubric gives a weight to \"{name}\", which is no rule; --list-rules has them")
        known += [group for _, group, _ in RULES] + ["ordinary"]
        for name in self.gates:
            if name not in known:
                raise CannotGrade(f"the rubric has a gate \"{name}\", which is no rule and no group of --list-rules")
        if not all(isinstance(value, (int, float)) and value >= 0
                   for value in [*self.points.values(), *self.weights.values()]):
            raise CannotGrade("points and weights of the rubric are numbers, 0 or more")
        self.scale = check_scale(merged["scale"])

    def closed(self, rules):
        """The rules of the gates that were not kept."""
        return [rule for rule in rules if {rule.group, rule.name} & set(self.gates)
                and (rule.status in (FAILED, REMARK) or not rule.is_earned)
                or "ordinary" in self.gates and is_untimed(rule)]

    def as_json(self):
        return {"points": self.points, "gates": self.gates, "scale": self.scale,
                "weights": self.weights}


def check_scale(scale):
    try:
        low, high = (float(value) for value in scale)
    except (TypeError, ValueError):
        low = high = 0.0
    if not 0 < low < high < math.inf:
        raise CannotGrade("the scale is two ratios, the lower first, such as 0.5:4")
    return [low, high]


def read_rubric(path):
    """A rubric from TOML or JSON."""
    if path is None:
        return Rubric()
    try:
        with open(path, "rb") as file:
            data = file.read()
        if path.endswith(".toml"):
            import tomllib  # Python 3.11; JSON serves before that
            given = tomllib.loads(data.decode())
        else:
            given = json.loads(data)
    except ImportError:
        raise CannotGrade(f"{path}: TOML needs Python 3.11; write the rubric as JSON") from None
    except OSError as problem:
        raise CannotGrade(f"{path}: {problem.strerror}") from None
    except ValueError as problem:
        raise CannotGrade(f"{path}: {problem}") from None
    if not isinstance(given, dict):
        raise CannotGrade(f"{path}: a rubric is a table")
    return Rubric(given)


def share_of_ratio(ratio, scale):
    """0 at the lower ratio, 1 at the upper one."""
    low, high = scale
    if ratio is None or ratio <= 0:
        return 0.0
    return min(max(math.log(ratio / low) / math.log(high / low), 0.0), 1.0)


def verdict_of_ratio(speed, scale):
    """What the interval says of the limits; of few samples, nothing."""
    if speed["rounds"] < ROUNDS_LEAST:
        return "inconclusive"
    for limit in scale:
        if speed["low"] < limit < speed["high"]:
            return "inconclusive"
    if speed["low"] >= scale[1]:
        return "full"
    return "none" if speed["high"] <= scale[0] else "part"


def why_unexplained(speed):
    """None, or why the simulation and the clock are not of one search: they differ by more than a factor of three."""
    counted = speed["instructions"]
    if counted.get("status") == "no count":
        return "its search could not be simulated"
    if speed["low"] > EXPLAINED * counted["ratio"]:
        return (f"{speed['ratio']:.1f} times as fast with 1/{counted['ratio']:.1f} of the instructions is more than "
                "a queue can be")
    if speed["rounds"] >= ROUNDS_LEAST and counted["cost_ratio"] > EXPLAINED * speed["high"]:
        return f"1/{counted['cost_ratio']:.1f} of the plain list's cost, simulated, is {speed['ratio']:.1f} times as fast"
    return None


def sure_gain(own):
    """Of a search of their own, which is timed: the end of its interval nearest to 1, in two figures, so that points
    do not follow the noise of a clock."""
    if not own.get("ratio") or own["low"] <= 1 <= own["high"]:
        return 1.0
    return float(f"{own['low'] if own['low'] > 1 else own['high']:.2g}")


def is_untimed(rule):
    """True if a rule shows what makes a search worthless, or cheaper than it may be."""
    return rule.group in ("contract", "memory") and rule.status != PASSED and (
        not rule.is_earned or rule.name in ("first-use", *COSTS_OF_RULES)
        or any(cost >= faults.COSTS[faults.CONTENT] or kind in faults.UNTIMED for _, kind, cost in rule.faults))


def share_of_weights(rules, weights):
    """(share that passed, sum of weights) of the rules that count."""
    total = sum(weights.get(rule.name, 1) for rule in rules)
    good = sum(weights.get(rule.name, 1) for rule in rules if rule.status == PASSED)
    return (good / total if total else 0.0), total


def cost_of(rules, weights):
    """(points of 100 that these rules cost, how many faults)."""
    found = [(rule.name, *fault) for rule in rules for fault in rule.faults]
    others = [rule for rule in rules if not rule.faults and (rule.status == FAILED or not rule.is_earned)]
    return (faults.total(found, weights)
            + sum(COSTS_OF_RULES.get(rule.name, COST_OF_RULE) * weights.get(rule.name, 1) for rule in others),
            len({row[1:3] for row in found}) + len(others))


def grade(card_rules, speed, rubric):
    """(score, [{group, points, of, why}], notes). speed: None when it was not asked for. card_rules has
    every rule that was asked for: see rules.not_reached()."""
    notes, groups = [], []
    counts = {group: [rule for rule in card_rules if rule.group == group and rule.counts]
              for group in ("build", "contract", "remarks", "memory")}
    missing = [rule for rule in card_rules if rule.name in NEEDED and rule.counts and rule.status != PASSED]
    speed_rows = grade_speed(card_rules, speed, rubric, notes)
    there = [group for group, rules in counts.items() if rubric.points[group] and
             any(rubric.weights.get(rule.name, 1) for rule in rules)]
    available = sum(rubric.points[group] for group in there) + sum(row["of"] for row in speed_rows)
    left_over = 0.0
    for group in there:
        of, why = rubric.points[group], None
        if group in ("build", "remarks"):
            share, _ = share_of_weights(counts[group], rubric.weights)
            points = of * share if not (missing and missing[0].name == "builds") else 0.0
            why = f"{sum(rule.status == PASSED for rule in counts[group])} of {len(counts[group])} rules"
        else:
            cost, number = cost_of(counts[group], rubric.weights)
            lost = left_over + cost * available / 100
            points, left_over = max(of - lost, 0.0), max(lost - of, 0.0)
            why = "no fault" if number == 0 else f"1 fault: {cost:g} of 100" if number == 1 else \
                f"{number} faults: {cost:g} of 100"
            if missing:
                points, why = 0.0, f"the rule {missing[0].name} was not kept"
        groups.append({"group": group, "points": points, "of": of, "why": why})
    groups += speed_rows
    earned = sum(row["points"] for row in groups)
    return (round(100 * earned / available, 1) if available else 0.0), groups, notes


def grade_speed(card_rules, speed, rubric, notes):
    if speed is None:
        return []
    of = rubric.points["speed"]
    closed = rubric.closed(card_rules)
    if closed or speed["ratio"] is None:
        why = f"the rule {closed[0].name} was not kept" if closed else speed.get("why") or NOT_TIMED
        notes.append(f"Speed earns nothing: {why}.")
        return [{"group": "speed", "points": 0.0, "of": of, "why": why}]
    if speed["instructions"].get("status") == NO_VALGRIND:
        notes.append("Speed earns no points: they come from a simulation, and " + NO_VALGRIND + ".")
        return []
    unexplained = why_unexplained(speed)
    if unexplained is not None:
        notes.append(f"Speed earns nothing: {unexplained}.")
        speed["verdict"] = "not explained"
        return [{"group": "speed", "points": 0.0, "of": of, "why": unexplained}]
    own = speed.get("own_search") or {}
    gain = {name: speed[name] * (own.get(name) or 1.0) for name in ("low", "high")}
    gain["rounds"] = min(speed["rounds"], own.get("rounds") or speed["rounds"])
    cost_ratio = round(speed["instructions"]["cost_ratio"], 2)  # what the length of a path changes is less
    share = share_of_ratio(cost_ratio * sure_gain(own), rubric.scale)
    speed["verdict"] = verdict_of_ratio(gain, rubric.scale)
    why = f"the plain list costs {cost_ratio:.2f} times as much, simulated"
    if own.get("ratio"):
        why += f"; {sure_gain(own):.2g} times the published search is sure"
    return [{"group": "speed", "points": of * share, "of": of, "why": why}]
