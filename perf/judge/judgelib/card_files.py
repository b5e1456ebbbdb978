"""The card for other programs: Gradescope's results.json and JUnit XML."""
import json
from xml.sax.saxutils import escape, quoteattr

import card_text


def passed(rule):
    return rule["status"] == "passed"


def detail(rule):
    """What a student reads of a rule."""
    lines = [rule["promise"] + "."]
    if rule["status"] in ("failed", "remark"):
        lines += [f"Expected: {rule['expected']}", f"Found: {rule['found']}"]
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


def printable(text):
    """What XML allows."""
    return "".join(c if c >= " " or c in "\n\t" else "?" for c in text)


def junit(card):
    failures = sum(rule["status"] == "failed" for rule in card["rules"])
    skipped = sum(rule["status"] in ("not judged", "remark") for rule in card["rules"])
    name = quoteattr(printable(card["submission"]["name"]))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f'<testsuite name={name} tests="{len(card["rules"])}" failures="{failures}" '
             f'skipped="{skipped}" errors="0">',
             f'  <properties><property name="score" value="{card["score"]:g}"/></properties>']
    for rule in card["rules"]:
        head = f'  <testcase classname={quoteattr(rule["group"])} name={quoteattr(rule["name"])}'
        if passed(rule):
            lines.append(head + "/>")
        elif rule["status"] == "failed":
            message = quoteattr(printable(f"expected {rule['expected']}; found {rule['found']}"))
            lines += [head + ">", f"    <failure message={message}>"
                      f"{escape(printable(detail(rule)))}</failure>", "  </testcase>"]
        else:
            lines += [head + ">", f"    <skipped message={quoteattr(printable(rule['found'] or ''))}/>",
                      "  </testcase>"]
    return "\n".join([*lines, "</testsuite>"]) + "\n"
