"""The way from one card to the next: what is mended, what is new, speed before and after; and the next step.

The next step is the most valuable one that the card itself shows: a rule that fails before anything fast, then
what the references reach on this machine, then the hottest line.
"""
import json

from submission import CannotGrade

FIRST = "Mend {name}: {promise}."


def read(path):
    """An earlier card; CannotGrade when it is none."""
    try:
        with open(path, encoding="utf-8") as file:
            card = json.load(file)
        if not isinstance(card, dict) or card.get("schema") != "pointer-wars-card/1":
            raise ValueError("no card of this judge")
        return {"score": float(card["score"]),
                "rules": {str(rule["name"]): str(rule["status"]) for rule in card["rules"]},
                "speed": {name: (card["speed"] or {}).get(name) for name in ("ratio", "low", "high")}}
    except OSError as problem:
        raise CannotGrade(f"{path}: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise CannotGrade(f"{path}: {problem}") from None


def speed_words(before, after):
    """In a sentence; None unless both were measured."""
    if not before["ratio"] or not after or not after.get("ratio"):
        return None
    if after["low"] > before["high"]:
        what = "faster"
    elif after["high"] < before["low"]:
        what = "slower"
    else:
        what = "no difference that the intervals show"
    return {"before": before, "after": {name: after[name] for name in ("ratio", "low", "high")},
            "verdict": what}


def compared(old, score, rules, speed):
    """For the card. old: of read(). Rules that only one of the two cards has are neither mended nor new."""
    now = {rule.name: rule.status for rule in rules}
    both = [name for name in now if name in old["rules"]]
    return {"score": old["score"], "gain": round(score - old["score"], 1),
            "mended": [name for name in both if old["rules"][name] == "failed" and now[name] == "passed"],
            "broken": [name for name in both if old["rules"][name] == "passed" and now[name] == "failed"],
            "speed": speed_words(old["speed"], speed)}


def next_step(card):
    """One sentence or two, or None."""
    open_rules = [rule for rule in card["rules"] if rule["status"] == "failed" and not rule["same_as"]]
    if open_rules:
        return FIRST.format(**open_rules[0])
    remark = next((rule for rule in card["rules"] if rule["name"] == "constant-time"
                   and rule["status"] == "remark"), None)
    if remark:
        return f"{remark['found']}: keep a tail pointer and a count."
    if card["build"]["level"] == 1:
        return "Level 2: a queue on this list."
    return step_of_speed(card["speed"] or {}, card["memory"] or {})


def step_of_speed(speed, memory):
    if not speed.get("ratio"):
        return None
    best = max((row for row in speed["references"] if not row.get("is_bound")), key=lambda row: row["ratio"])
    lines = ((speed.get("instructions") or {}).get("hot") or {}).get("lines") or []
    hot = f" Your hottest line is {lines[0]['file']}:{lines[0]['line']}, {lines[0]['per_push']:g} instructions per " \
          "push." if lines else ""
    if best["ratio"] > 1.1 * speed["high"]:
        where = "Allocation" if (memory.get("mallocs_per_push") or 0) > 0.5 else "The queue"
        return (f"{where}: {best['name']} is {best['ratio'] / speed['ratio']:.1f} times as fast as yours on this "
                f"machine.{hot} The page of ideas (perf/study ideas) has the bound of each.")
    if not speed.get("own_search"):
        return ("The search itself, level 3: most pushes are of nodes that were visited before. The page of ideas "
                "(perf/study ideas) has the bound.")
    return hot.strip() or None
