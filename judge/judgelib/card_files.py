"""The card for other programs: Gradescope's results.json."""
import json

import card_text


def detail(rule):
    """What a student reads of a rule."""
    lines = [rule["promise"] + "."]
    if rule["status"] in ("failed", "remark"):
        lines += [f"Expected: {rule['expected']}", f"Found: {rule['found']}"]
        if rule["calls"]:
            lines += ["The calls that show it:", *rule["calls"]]
        if rule["program"]:
            lines += ["A program that shows it:", rule["program"]]
    elif rule["found"]:
        lines.append(rule["found"][0].upper() + rule["found"][1:] + ".")
    return "\n".join(lines)


def gradescope(card):
    """One test per group with its points, one per rule without."""
    tests = [{"name": f"{row['group']}: {row['why']}", "score": round(row["points"], 2),
              "max_score": row["of"], "visibility": "visible"} for row in card["points"]]
    for rule in card["rules"]:
        test = {"name": f"{rule['group']}: {rule['name']}", "output": detail(rule),
                "output_format": "text", "visibility": "visible"}
        if rule["status"] in ("passed", "failed"):
            test["status"] = rule["status"]
        tests.append(test)
    return json.dumps({
        "score": card["score"],
        "output": card_text.text(card),
        "output_format": "text",
        "visibility": "visible",
        "tests": tests,
    }, indent=1) + "\n"
