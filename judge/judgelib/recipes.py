"""What a hand-in's own build compiled and linked, by the commands that it printed.

The judge compiles and links the same sources once more itself, with the same definitions and folders of headers
(building.py). A build that prints no commands has no recipes; which files belong together is guessed then.
"""
import os
import re
import shlex

LINES, LENGTH = 500, 4000  # of what was printed
COMPILERS = re.compile(r"(?:.*[-/])?(?:cc|gcc|clang|c\+\+|g\+\+|clang\+\+)(?:-[0-9.]+)?$")
SOURCES = (".c", ".cc", ".cpp", ".cxx")
KEPT = ("-D", "-U", "-I", "-std=")


def words_of(line):
    """The words of a command of a compiler; [] for other lines."""
    if len(line) > LENGTH:
        return []
    try:
        words = shlex.split(line)
    except ValueError:
        return []
    return words if words and COMPILERS.match(words[0]) else []


def flags_of(words):
    """Definitions, folders of headers and the dialect, each in one word."""
    joined = [one + after if one in ("-D", "-U", "-I") else one for one, after in zip(words, [*words[1:], ""])]
    return [word for word in joined if word.startswith(KEPT) and len(word) > 2]


def read(text, libraries):
    """{library: (sources, flags)} of the libraries whose commands are all there."""
    objects, found = {}, {}
    for words in map(words_of, text.splitlines()[:LINES]):
        out = words[words.index("-o") + 1] if "-o" in words[:-1] else None
        sources = [os.path.normpath(word) for word in words if word.endswith(SOURCES)]
        if "-c" in words and len(sources) == 1:
            made = out or os.path.basename(os.path.splitext(sources[0])[0]) + ".o"
            objects[os.path.normpath(made)] = sources[0], flags_of(words)
        elif out is not None and os.path.basename(out) in libraries:
            parts = [objects.get(os.path.normpath(word)) for word in words if word.endswith(".o") and word != out]
            if None in parts or not (sources or parts):
                continue
            flags = [*flags_of(words), *(flag for part in parts for flag in part[1])]
            found[os.path.basename(out)] = [*sources, *(part[0] for part in parts)], list(dict.fromkeys(flags))
    return found
