"""The card for other programs: Gradescope's results.json, and Classroom 50's result.json.

classroom50/result/v1 is described in that project's page "Advanced Autograding": whole points, one test per row,
and the identity of the submission, which its runner puts into the environment.
"""
import datetime
import json
import os

import card_text
from submission import CannotGrade

# Members of result.json, and the variables of the runner: the first that is there.
IDENTITY = {"classroom": ("CLASSROOM",), "assignment": ("ASSIGNMENT",), "submission": ("SUBMISSION_TAG",),
            "commit": ("COMMIT_URL",), "release": ("RELEASE_URL",), "review": ("REVIEW_URL", "COMMIT_URL")}
STAMPED = {"assignment_type": ("ASSIGNMENT_TYPE",), "owner": ("OWNER", "USERNAME")}  # by the runner, too


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
        "output": card_text.text(card, program="shown.c, which is the program below"),
        "output_format": "text",
        "visibility": "visible",
        "tests": tests,
    }, indent=1) + "\n"


def whole_points(rows):
    """[(points, of)] as whole numbers, of 100 together: what rounding takes from one goes to the next."""
    all_of = sum(row["of"] for row in rows) or 1
    made, before, sums = [], (0, 0), [0.0, 0.0]
    for row in rows:
        sums = [sums[0] + row["points"], sums[1] + row["of"]]
        now = tuple(round(100 * part / all_of) for part in sums)
        of = now[1] - before[1]
        made.append((min(max(now[0] - before[0], 0), of), of))
        before = now
    return made


def told(names):
    return next((os.environ[name] for name in names if os.environ.get(name)), None)


def classroom50(card):
    """One test per group with its points, and one per rule without."""
    tests = [{"test-name": row["group"], "passed": points == of, "score": points, "max-score": of, "output": row["why"]}
             for row, (points, of) in zip(card["points"], whole_points(card["points"]))]
    score, most = (sum(test[name] for test in tests) for name in ("score", "max-score"))
    tests += [{"test-name": f"{rule['group']}: {rule['name']}", "passed": rule["status"] == "passed", "score": 0,
               "max-score": 0, "output": detail(rule)} for rule in card["rules"] if rule["status"] in ("passed", "failed")]
    identity = {name: told(variables) for name, variables in IDENTITY.items()}
    missing = [IDENTITY[name][0] for name, value in identity.items() if value is None]
    if missing:
        raise CannotGrade(f"the environment has no {missing[0]}, which the runner of Classroom 50 sets")
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    stamped = {name: told(variables) for name, variables in STAMPED.items() if told(variables)}
    return json.dumps({"schema": "classroom50/result/v1", **identity, **stamped, "datetime": now, "score": score,
                       "max-score": most, "tests": tests}, indent=1) + "\n"
