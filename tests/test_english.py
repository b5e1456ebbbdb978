#!/usr/bin/env python3
"""test_english.py - comments, messages and pages use the words of CONTRIBUTING.md's glossary.

1. Words that the glossary replaces are not used: engine, not rung. Rates have "per": 16 bytes per node.
2. Turns of phrase that no native speaker writes: "behind" for after, "that of" for the noun, "stands"
   for is, "is told" and "tells" for reports; a comment that begins with "Whether" or "The same of";
   ", of which" and ", as far as" hung on at the end.
3. Pages have no "none", no "who" without a noun, no "the same" without its noun; a sentence of a page
   has at most 25 words.

Read are *.md, the comments and texts of C files, and all of scripts; also identifiers, split at their
underscores. Each finding is a line FILE:LINE: what; any finding fails: a person writes what is better.
"""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOP = "base counters alloc liblist libqueue data bfs mpi wikipedia perf judge python tests packaging".split()
PROGRAM_TEXT = [".c", ".h", ".cc", ".hh"]
OTHER_TEXT = [".md", ".sh", ".py", ".txt"]
# This list of words, and what the test of it makes wrong.
ALLOWED = {"tests/test_english.py", "tests/test_english_finds.py"}
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
TURNS = [
    (r"behind", "after"),
    (r"(?:that|those) (?:of|that)", "the noun"),
    (r"stands?|standing", "is"),
    (r"(?:is|are|was|were|be|been|being) told|told apart|tell|tells|telling", "reports, says or declares"),
]
PATTERNS = [(re.compile(rf"\b(?:{old})\b", re.I), f'write "{new}"') for old, new in REPLACED]
PATTERNS += [(re.compile(rf"\b(?:{rate})\b", re.I), 'write "per"') for rate in RATES]
PATTERNS += [(re.compile(rf"\b(?:{turn})\b", re.I), f"write {better}") for turn, better in TURNS]
PATTERNS.append((re.compile(r", (?:of which|as far as)\b"), "begin a sentence"))
# In an identifier also a rate without its unit: a_row_a_search.
IN_NAMES = PATTERNS + [(re.compile(r"\b(?:an?|one) [a-z]+ an? [a-z]+\b"), 'write "per"')]
BEGIN = r'(?:/\*[\s*]*|"""|# |// )'  # of a comment
BEGINS = [(re.compile(BEGIN + r"(Whether)\b"), 'begin the comment with "True if"'),
          (re.compile(BEGIN + r"(The same) (?:as|but|by|for|from|in|of|on|to|when|with|without)\b"),
           "say what it does")]
LONGEST = 25  # words of a sentence
# Habits, on pages: pronouns in place of a noun. Commands and words in backticks do not count.
CODE = re.compile(r"`[^`]*`|^```.*?^```|^(?: {4}|#|<!--)[^\n]*", re.S | re.M)
NO_NOUN = [
    (r"\bnone\b", "write what is missing"),
    (r"(?:^|[.,;:(|] |\b(?:by|for|to|of|from|with|and|or|but|than|if|what|says|knows) )who\b(?![^.;|]*\?)|\bwhoever\b",
     "name the person or the thing"),
    (r"(?<!all )(?<!just )(?<!\bis )(?<!are )\bthe same(?=[.,;:)]| (?:as|by|for|in|to|of|on|with|is|are|and|or|but|"
     r"from|when|at|that|without|all)\b)", "name the noun"),
]
NO_NOUN = [(re.compile(words, re.I), advice) for words, advice in NO_NOUN]
# What is no sentence of a page: program text, tables, headings, comments.
NO_SENTENCE = re.compile(r"^```.*?^```|^(?: {4}|\||#|<!--)[^\n]*", re.S | re.M)
PARAGRAPH = re.compile(r"(?:[^\n]*\S[^\n]*\n?)+")
ITEM = re.compile(r"\n(?=[ \t]*(?:[-*]|\d+\.) )")
SENTENCE = re.compile(r"\S.*?(?:[.;](?=\s)|[!?:](?=\s+[A-Z`*(])|\Z)", re.S)


def prose(path, text):
    """The text with everything blanked that is not prose, and a semicolon there, which ends a phrase."""
    if path.suffix not in PROGRAM_TEXT:
        return text
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"'
    kept, end = [], 0
    for match in re.finditer(pattern, text, re.S):
        blanks = re.sub(r"[^\n]", " ", text[end:match.start()])
        kept += [blanks.replace(" ", ";", 1) if text[end:match.start()].strip() else blanks, match.group()]
        end = match.end()
    return "".join(kept)


@functools.cache  # most of them are used many times
def advice_on(name):
    """What is found in an identifier, read as a sentence."""
    return [advice for pattern, advice in IN_NAMES if pattern.search(name.replace("_", " "))]


def flattened(path, text):
    """The prose as one line, as long as the text. A phrase may go on in the next line, after its
    comment sign, or in the next piece of a C string."""
    flat = prose(path, text)
    if path.suffix in PROGRAM_TEXT:
        flat = re.sub(r'"(\s*)"', r" \1 ", flat)
    return re.sub(r"\n[ \t]*(\*|#|//)?(?=[ \t])", lambda m: "\n" + " " * (len(m[0]) - 1), flat)


def is_read(path):
    """True for a text, and for a program that has no suffix."""
    if not path.is_file() or path.suffix:
        return path.is_file() and path.suffix in PROGRAM_TEXT + OTHER_TEXT
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def long_sentences(page):
    """(place in the page, words, advice) of every sentence that is too long."""
    kept = NO_SENTENCE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), page)
    for paragraph in PARAGRAPH.finditer(kept):
        begin = paragraph.start()
        for item in ITEM.split(paragraph[0]):
            for sentence in SENTENCE.finditer(item):
                words = re.sub(r"^(?:[-*]|\d+\.) ", "", sentence[0]).split()
                if len(words) > LONGEST:
                    yield (begin + sentence.start(), " ".join(words[:5]),
                           f"{len(words)} words: make it two sentences")
            begin += len(item) + 1


def found_in(path, text):
    """(place in the text, words, advice) of every finding."""
    flat = flattened(path, text)
    squeezed = re.sub(r"\s+", " ", flat)
    matches = [(match, advice) for pattern, advice in PATTERNS for match in pattern.finditer(squeezed)]
    if matches:  # each run of blanks became one: find the place again
        places = [m.start() for m in re.finditer(r"\S|\s+", flat)]
        for match, advice in matches:
            yield places[match.start()], match.group(), advice
    for pattern, advice in BEGINS:
        for match in pattern.finditer(text):
            yield match.start(1), match[1], advice
    if path.suffix == ".md":
        yield from long_sentences(text)
        words = CODE.sub(lambda match: "x" * len(match[0]), text).replace("\n", " ")
        for pattern, advice in NO_NOUN:
            for match in pattern.finditer(words):
                yield match.end() - 1, match.group().strip(" .,;:(|"), advice
    for identifier in re.finditer(r"\b(?:[A-Za-z]\w*_\w+|behind|stands|tells?)\b", text):
        for advice in advice_on(identifier.group()):
            yield identifier.start(), identifier.group(), advice


def main():
    findings = set()
    paths = [p for top in TOP for p in (ROOT / top).rglob("*")] + list(ROOT.glob("*"))
    for path in sorted(p for p in paths if is_read(p)):
        name = str(path.relative_to(ROOT))
        if name not in ALLOWED:
            text = path.read_text()
            findings.update(f'{name}:{text.count(chr(10), 0, place) + 1}: "{words}": {advice}'
                            for place, words, advice in found_in(path, text))
    print("\n".join(sorted(findings)))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
