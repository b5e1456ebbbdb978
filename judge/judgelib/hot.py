"""Where a search spends its simulated instructions: lines and functions of each object.

Callgrind's file is read as text (callgrind-format in Valgrind's manual): "fl=", "fi=", "fe=" name the source,
"fn=" the function, "ob=" the library; a line is "NUMBER COST"; after "calls=" one line is the cost of
what was called, which is not its own. A submission's process may write to that file: no count is taken from it.
"""
import os
import re

import apart

from building import LIBRARIES

LINES_SHOWN = 5
ROW = re.compile(r"(\d+) (\d+)(?: \d+)*$")  # the first cost is instructions


def read(text):
    """{(object, file, line): cost} and {(object, function): cost}."""
    lines, functions = {}, {}
    place = {"ob": "", "fl": "", "fn": ""}
    is_of_call = False
    for row in text.splitlines():
        name, sign, value = row.partition("=")
        if sign and name in ("ob", "fl", "fi", "fe", "fn"):
            place["fl" if name in ("fi", "fe") else name] = value
        elif name == "calls":
            is_of_call = True
        else:
            found = ROW.match(row)
            ours = os.path.basename(place["ob"])
            if found and not is_of_call:
                line, cost = int(found[1]), int(found[2])
                at = (ours, os.path.basename(place["fl"]).replace("???", "no file"), line)
                lines[at] = lines.get(at, 0) + cost
                at = (ours, "a function without a name" if place["fn"] == "???" else place["fn"])
                functions[at] = functions.get(at, 0) + cost
            is_of_call = False
    return lines, functions


def read_apart(text):
    try:
        return apart.call(read, text)
    except apart.TooSlow:
        return {}, {}


def cost_of(text, program, function):
    """Of one function, as the object of that name has it."""
    return read_apart(text)[1].get((program, function), 0)


def hottest(text, pushes, source_of):
    """For the card: the hottest lines and functions, in instructions per push. source_of(file, line): its
    text, or ""."""
    lines, functions = read_apart(text)

    def of(costs):
        costs = {at: cost for at, cost in costs.items() if at[0] in LIBRARIES}
        return sorted(costs.items(), key=lambda row: (-row[1], row[0]))[:LINES_SHOWN]
    return {
        "lines": [{"file": file, "line": line, "per_push": round(cost / max(pushes, 1), 2),
                   "text": source_of(file, line)} for (_, file, line), cost in of(lines) if line > 0],
        "functions": [{"name": name, "per_push": round(cost / max(pushes, 1), 2)}
                      for (_, name), cost in of(functions)]}
