"""Where a submission's search spends its simulated instructions: lines and functions of its libraries.

Callgrind's file is read as text (callgrind-format in Valgrind's manual): "fl=", "fi=", "fe=" name the source,
"fn=" the function, "ob=" the library; a line is "NUMBER COST"; after "calls=" one line is the cost of
what was called, which is not its own. A submission's process may write to that file: it earns nothing.
"""
import os
import re

import apart

from building import LIBRARIES

LINES_SHOWN = 5
ROW = re.compile(r"(\d+) (\d+)(?: \d+)*$")  # the first cost is instructions


def read(text):
    """{(library, file, line): cost} and {(library, function): cost} of the two libraries."""
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
            library = os.path.basename(place["ob"])
            if found and not is_of_call and library in LIBRARIES:
                line, cost = int(found[1]), int(found[2])
                at = (library, os.path.basename(place["fl"]).replace("???", "no file"), line)
                lines[at] = lines.get(at, 0) + cost
                at = (library, "a function without a name" if place["fn"] == "???" else place["fn"])
                functions[at] = functions.get(at, 0) + cost
            is_of_call = False
    return lines, functions


def hottest(text, pushes, source_of):
    """For the card: the hottest lines and functions, in instructions per push. source_of(file, line): its
    text, or ""."""
    try:
        lines, functions = apart.call(read, text)
    except apart.TooSlow:
        lines, functions = {}, {}

    def of(costs):
        return sorted(costs.items(), key=lambda row: (-row[1], row[0]))[:LINES_SHOWN]
    return {
        "lines": [{"file": file, "line": line, "per_push": round(cost / max(pushes, 1), 2),
                   "text": source_of(file, line)} for (_, file, line), cost in of(lines) if line > 0],
        "functions": [{"name": name, "per_push": round(cost / max(pushes, 1), 2)}
                      for (_, name), cost in of(functions)]}
