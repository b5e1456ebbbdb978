#!/usr/bin/env python3
"""header_manual.py - manual pages of libpwgraph from its header, which is the manual.

1. The header is read in pieces that an empty line ends: headings, types, functions, each with its
   comment.
2. A piece with functions becomes a page under the name of its first one, and links under the names
   of the others: prototypes, the comment, and the types in the prototypes, with their comments.
3. pwgraph.3 has the conventions, all functions by heading, the types that everything uses, and the
   first program of the README.

Usage: header_manual.py --date YYYY-MM-DD --version VERSION --output DIR HEADER README
"""
import argparse
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
from manual import fill, first_program, roff, write

COLUMNS = 100  # of the header
HEADING = re.compile(r"/\* (\w+) -{10,} \*/$")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(r"^PW_EXPORT [^;]*?(\w+)\([^;]*\);", re.M)
TYPE = re.compile(r"^(struct|enum) (\w+) \{$", re.M)


class Piece:
    """A comment, and the declarations under it."""

    def __init__(self, heading, text):
        comment = COMMENT.match(text)
        self.heading = heading
        self.comment = paragraphs(comment[0]) if comment else []
        self.code = text[comment.end():].strip("\n") if comment else text
        self.functions = FUNCTION.findall(self.code)
        self.prototypes = [re.sub(r"^(PW_EXPORT | {10})", "", m[0], flags=re.M)
                           for m in FUNCTION.finditer(self.code)]
        self.types = {" ".join(m.groups()): self.code[m.start():].partition("\n};")[0] + "\n};"
                      for m in TYPE.finditer(self.code)}

    def summary(self):
        """The first sentence of the comment up to a colon; a long one up to a comma."""
        words = re.split(r"[:;.](?: |$)", self.comment[0])[0]
        words = words.split(",")[0] if len(words) > 75 else words
        return words[0].lower() + words[1:] if words[1:2].islower() or words[1:2] == " " else words


def paragraphs(comment):
    """The paragraphs of a comment: one ends where the next word would have fitted into the line."""
    found, room = [], 0
    for line in comment[2:-2].split("\n"):
        line = re.sub(r"^ \* ?", "", line).strip()
        if not line:
            continue
        if found and not (found[-1][-1] in ".:)" and len(line.split()[0]) < room):
            found[-1] += " " + line
        else:
            found.append(line)
        room = COLUMNS - len(line) - len(" * ")
    return found


def read_header(text):
    """The comment at the top, the macros, and the pieces of a header."""
    top, _, rest = text.partition("*/\n")
    body = rest.partition('extern "C" {\n#endif\n')[2].partition("\n#ifdef __cplusplus")[0]
    macros, pieces, heading = [], [], ""
    for text in re.split(r"\n\n+", body.strip("\n")):
        found = HEADING.match(text)
        if found:
            heading = found[1]
        elif text.startswith("#"):
            macros += [line for line in text.split("\n") if line.startswith("#define PWGRAPH_")]
        else:
            pieces.append(Piece(heading, text))
    return paragraphs(top + "*/"), macros, pieces


class Manual:
    def __init__(self, header, readme, date, version):
        self.top, self.macros, self.pieces = read_header(header)
        self.linking = next(words for words in self.top if words.startswith("Link with "))
        self.top.remove(self.linking)
        self.program = first_program(readme)
        self.head = f'{date} "pointer_wars {version}" "Library Functions"'
        self.functions = {name for piece in self.pieces for name in piece.functions}
        self.types = {name: piece for piece in self.pieces for name in piece.types}
        used = " ".join("\n".join(piece.prototypes) for piece in self.pieces)
        # Types that any function may need, and types that no prototype has, are on the first page.
        self.common = [name for name, piece in self.types.items()
                       if piece.heading == "Errors" or name not in used + self.inner(used)]

    def inner(self, code):
        """The types that the types in some code consist of."""
        return " ".join(piece.types[name] for name, piece in self.types.items()
                        if re.search(rf"\b{name}\b", code))

    def text(self, paragraph):
        """A paragraph in roff, with the names of functions in bold."""
        lines = fill(paragraph)
        return re.sub(r"\bpwgraph_\w+\b",
                      lambda m: f"\\fB{m[0]}\\fR(3)" if m[0] in self.functions else m[0], lines)

    def body(self, paragraphs_of):
        out = []
        for paragraph in paragraphs_of:
            out += [".PP", self.text(paragraph)]
        return out[1:]

    def typed(self, names):
        """Types with their comments, as they are in the header."""
        out, shown = [], []
        for name in names:
            piece = self.types[name]
            if piece in shown:
                continue
            shown.append(piece)
            out += [f".SS {name}"] + ([] if piece.functions else self.body(piece.comment))
            out += [".PP"] if out[-1] != f".SS {name}" else []
            out += [".nf", roff("\n\n".join(piece.types.values())), ".fi"]
        return out

    def page(self, piece):
        name = piece.functions[0]
        own = "\n".join(piece.prototypes)
        types = [t for t in self.types if t not in self.common
                 and re.search(rf"\b{t}\b", own + self.inner(own))]
        near = [other.functions[0] for other in self.pieces
                if other.functions and other.heading == piece.heading and other is not piece]
        also = ["pwgraph", *near]
        return "\n".join(
            [self.begin(name), ".SH NAME", f"{', '.join(piece.functions)} \\- {roff(piece.summary())}",
             *self.synopsis(own), ".SH DESCRIPTION", *self.body(piece.comment)]
            + ([".SH TYPES"] + self.typed(types) if types else [])
            + [".SH SEE ALSO", ",\n".join(f".BR {other} (3)" for other in also)]) + "\n"

    def begin(self, name):
        return (f'.\\" Made by packaging/header_manual.py from pwgraph.h.\n.TH {name.upper()} 3 '
                f"{self.head}\n.nh\n.ad l")

    def synopsis(self, code):
        return [".SH SYNOPSIS", ".nf", ".B #include <pwgraph.h>", *([".PP", roff(code)] if code else []),
                ".fi", ".PP", roff(self.linking)]

    def overview(self):
        title, _, rest = self.top[0].partition(" - ")
        words, *more = re.split(r"(?<=\.) ", rest, maxsplit=1)
        out = [self.begin("pwgraph"), ".SH NAME", f"pwgraph \\- {roff(words.rstrip('.'))}",
               *self.synopsis(""), ".SH DESCRIPTION", *self.body(more + self.top[1:]), ".SH FUNCTIONS"]
        heading = None
        for piece in self.pieces:
            if piece.functions:
                if piece.heading != heading:
                    heading = piece.heading
                    out.append(f".SS {heading or 'Version'}")
                names = ", ".join(f"\\fB{name}\\fR(3)" for name in piece.functions)
                out += [".TP", names, fill(piece.summary())]
        out += [".SH CONSTANTS", ".nf", roff("\n".join(self.macros)), ".fi", ".SH TYPES",
                *self.typed(self.common), ".SH EXAMPLES", ".nf", roff(self.program.rstrip("\n")), ".fi",
                ".SH SEE ALSO", ".BR bfs (1)"]
        assert title == "pwgraph.h"
        return "\n".join(out) + "\n"

    def write_pages(self, folder):
        for old in folder.glob("*.3*"):
            old.unlink()
        write(folder / "pwgraph.3", self.overview())
        for piece in self.pieces:
            for name in piece.functions[:1]:
                write(folder / f"{name}.3", self.page(piece))
            for name in piece.functions[1:]:
                write(folder / f"{name}.3", f".so man3/{piece.functions[0]}.3\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("readme", type=pathlib.Path)
    parser.add_argument("--date", required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    manual = Manual(options.header.read_text(encoding="utf-8"), options.readme, options.date,
                    options.version)
    manual.write_pages(options.output / "man3")
    return 0


if __name__ == "__main__":
    sys.exit(main())
