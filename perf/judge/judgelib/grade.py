"""From rules and times to points.

1. Each group of rules has points: its share is that of the weights of the rules that passed.
2. Gates: unless every rule of these groups passed, speed earns nothing, and the card says why.
3. Speed: each search's ratio (times as fast as the plain list) becomes a share between a lower and an
   upper ratio, on a logarithmic scale; the geometric mean of the ratios is what is scaled.
4. A group that was not asked for, or could not be judged here, has no points: the score is of the
   others. What was not judged because of the submission counts as failed.
"""
import json
import math

from rules import FAILED, NOT_JUDGED, PASSED
from submission import CannotGrade

DEFAULT = {
    "points": {"build": 10, "contract": 50, "memory": 10, "speed": 30},
    "gates": ["build", "contract", "answers"],
    "scale": [0.5, 4.0],
    "weights": {},
}


class Rubric:
    """points, gates, scale, weights; see teacher.md."""

    def __init__(self, given=None):
        given = given or {}
        unknown = set(given) - set(DEFAULT)
        if unknown:
            raise CannotGrade(f"the rubric has no \"{sorted(unknown)[0]}\"; there are "
                              + ", ".join(DEFAULT))
        merged = {**DEFAULT, **given}
        self.points = {**DEFAULT["points"], **merged["points"]}
        self.gates, self.weights = merged["gates"], merged["weights"]
        if set(self.points) - set(DEFAULT["points"]):
            raise CannotGrade("the rubric gives points to no group but "
                              + ", ".join(DEFAULT["points"]))
        if not all(isinstance(value, (int, float)) and value >= 0
                   for value in [*self.points.values(), *self.weights.values()]):
            raise CannotGrade("points and weights of the rubric are numbers, 0 or more")
        self.scale = check_scale(merged["scale"])

    def closed(self, rules):
        """The rules of the gates that were not kept."""
        return [rule for rule in rules if rule.group in self.gates
                and (rule.status == FAILED or not rule.is_earned)]

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
    if ratio <= 0:
        return 0.0
    return min(max(math.log(ratio / low) / math.log(high / low), 0.0), 1.0)


def verdict_of_ratio(speed, scale):
    """What the interval says of the limits."""
    for limit in scale:
        if speed["low"] < limit < speed["high"]:
            return "inconclusive"
    if speed["low"] >= scale[1]:
        return "full"
    return "none" if speed["high"] <= scale[0] else "part"


def grade(card_rules, speed, rubric, is_built):
    """(score, [{group, points, of, why}], notes)."""
    notes, groups = [], []
    for group in ("build", "contract", "memory"):
        counted = [rule for rule in card_rules if rule.group == group
                   and (rule.status != NOT_JUDGED or not rule.is_earned)]
        weights = [rubric.weights.get(rule.name, 1) for rule in counted]
        if group != "build" and not is_built:
            groups.append({"group": group, "points": 0.0, "of": rubric.points[group],
                           "why": "nothing was built"})
        elif sum(weights) > 0:
            good = sum(w for w, rule in zip(weights, counted) if rule.status == PASSED)
            groups.append({"group": group, "points": rubric.points[group] * good / sum(weights),
                           "of": rubric.points[group],
                           "why": f"{sum(r.status == PASSED for r in counted)} of {len(counted)} "
                           "rules"})
    groups += grade_speed(card_rules, speed, rubric, is_built, notes)
    available = sum(row["of"] for row in groups)
    earned = sum(row["points"] for row in groups)
    return (round(100 * earned / available, 1) if available else 0.0), groups, notes


def grade_speed(card_rules, speed, rubric, is_built, notes):
    of = rubric.points["speed"]
    closed = rubric.closed(card_rules)
    if not is_built or (speed is not None and closed):
        why = "nothing was built" if not is_built else f"the rule {closed[0].name} failed"
        notes.append(f"Speed earns nothing: {why}.")
        return [{"group": "speed", "points": 0.0, "of": of, "why": why}]
    if speed is None:
        return []
    share = share_of_ratio(speed["ratio"], rubric.scale)
    speed["verdict"] = verdict_of_ratio(speed, rubric.scale)
    return [{"group": "speed", "points": of * share, "of": of,
             "why": f"{speed['ratio']:.2f} times the plain list"}]
