#!/usr/bin/env python3
"""test_english.py - comments, messages and pages use the words of CONTRIBUTING.md's glossary.

1. Words that the glossary replaces are not used: engine, not rung.
2. Rates are told by "per": 16 bytes per node.

Read are *.md, the comments and texts of C files, and all of scripts. Each finding is a line
FILE:LINE: what; any finding fails.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOP = ["base", "alloc", "liblist", "libqueue", "data", "perf", "bfs", "tests"]
PROGRAM_TEXT = [".c", ".h"]
OTHER_TEXT = [".md", ".sh", ".py", ".txt"]
# This list of words.
ALLOWED = {"tests/test_english.py"}

REPLACED = [
    (r"anew", "again"),
    (r"foretell\w*|foretold", "predict"),
    (r"turn\w* round", "reverse"),
    (r"in vain", "without effect"),
    (r"by custom", "by default"),
    (r"rungs?", "engine"),
    (r"dear(er|est)?", "expensive"),
    (r"(wide|narrow) levels?", "dense or sparse frontier"),
    (r"at (the|its) begin", "start"),
    (r"seats?", "per-thread state"),
    (r"trails?", "visit order"),
]
MANY = ("bytes|bits|ns|nanoseconds|cycles|words|lines|pushes|pops|nodes|edges|calls|mallocs|misses|"
        "[KMG]iB|searches|files|pages|cells|rows|columns|blocks|seconds|threads|processes|tests|"
        "elements|numbers|steps|of memory")
ONE = ("byte|bit|cycle|word|line|push|pop|node|edge|call|malloc|miss|search|file|page|cell|row|"
       "column|block|thread|process|fork|number|step|lookup|test")
UNIT = ("node|edge|push|pop|element|row|page|second|search|thread|block|word|line|chunk|list|entry|"
        "file|allocator|engine|level|call|test|trial|run|process|member|package|key|item|column|"
        "size|step|bucket|slot|cell|pair|group|answer|byte|event|counter|graph|name|question|"
        "experiment")
RATES = [
    rf"(?:{MANY}) an? (?:{UNIT})",
    rf"(?:an?|one|two|a whole) (?:{ONE}) an? (?:{UNIT})",
    r"(?!1 a)\d+(?:\.\d+)? an? (?:node|edge|push|pop|second|thread)",
]
PATTERNS = [(re.compile(rf"\b(?:{old})\b", re.I), f'write "{new}"') for old, new in REPLACED]
PATTERNS += [(re.compile(rf"\b(?:{rate})\b", re.I), 'write "per"') for rate in RATES]


def prose(path, text):
    """The text with everything blanked that is not prose, so that lines keep their numbers."""
    if path.suffix not in PROGRAM_TEXT:
        return text
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
    kept, end = [], 0
    for match in re.finditer(pattern, text, re.S):
        kept.append("\n" * text.count("\n", end, match.start()))
        kept.append(match.group())
        end = match.end()
    return "".join(kept)


def main():
    findings = []
    paths = [p for top in TOP for p in (ROOT / top).rglob("*")] + list(ROOT.glob("*"))
    for path in sorted(p for p in paths if p.suffix in PROGRAM_TEXT + OTHER_TEXT and p.is_file()):
        name = str(path.relative_to(ROOT))
        if name in ALLOWED:
            continue
        text = prose(path, path.read_text())
        # A phrase may go on in the next line, behind its comment sign. To find the line again, each
        # run of blanks becomes one blank, and places holds where each character comes from.
        flat = re.sub(r"\n[ \t]*(\*|#|//)?(?=[ \t])", lambda m: "\n" + " " * (len(m[0]) - 1), text)
        places = [m.start() for m in re.finditer(r"\S|\s+", flat)]
        squeezed = re.sub(r"\s+", " ", flat)
        for pattern, advice in PATTERNS:
            for match in pattern.finditer(squeezed):
                line = text.count("\n", 0, places[match.start()]) + 1
                findings.append(f'{name}:{line}: "{match.group()}": {advice}')
    print("\n".join(sorted(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
