"""The first thing to mend, in words: what a student reads before everything else on a card.

1. What nothing else goes without comes first: the build, the first element. Then the fault that costs most; of
   equal ones, the fault that the most basic rule found.
2. Its words name a function and what is asked of it; the last calls of the shortest script show it.
"""
import faults
import grade
import model

WORDS = {faults.USE: "{} is wrong with legal arguments", faults.PAST: "{} is wrong with an index past the end",
         faults.EMPTY: "{} is wrong on an empty queue", faults.NULLS: "{} is wrong when it gets NULL",
         faults.REFUSED: "{} is wrong when malloc refuses its request",
         faults.LEAK: "{} keeps memory that it should give back",
         faults.STRANGER: "{} asks another malloc or free than the registered one"}


def cost_of(rule):
    """What the worst fault of a rule of a card costs, in points of 100."""
    return max((fault["cost"] for fault in rule["faults"]),
               default=grade.COSTS_OF_RULES.get(rule["name"], grade.COST_OF_RULE))


def first_rule(card):
    """The failed rule to begin with, or None."""
    failed = [rule for rule in card["rules"] if rule["status"] == "failed"]
    needed = [rule for name in grade.NEEDED for rule in failed if rule["name"] == name]
    judged = [rule for rule in failed if rule["group"] != "build"] or failed
    return needed[0] if needed else max(judged, key=cost_of, default=None)


def words_of(rule):
    """What is wrong, in a sentence without its full stop."""
    worst = max(rule["faults"], key=lambda fault: fault["cost"], default=None)
    if worst is None or worst["function"] == faults.PROCESS:
        return "it does not build" if rule["name"] == "builds" else f"{rule['name']} is not kept: {rule['promise']}"
    found = rule.get("found") or ""
    if worst["function"] in found and found.endswith(model.UNDEFINED):
        return f"{worst['function']} is missing"
    return WORDS[worst["kind"]].format(worst["function"])


def in_words(card):
    """The first thing to mend in one line; "" if there is nothing."""
    rule = first_rule(card)
    return words_of(rule) if rule else ""
