"""The small mistakes that can be made in a file: which, where, and in which order they are tried.

C is cut into tokens by one expression, Python by its own tokenizer. Comments, texts, assertions and
directives of the preprocessor other than a constant's #define stay as they are.
"""
import io
import pathlib
import random
import re
import tokenize

SWAPS = {  # a token, and its replacements
    "<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<"], "==": ["!="],
    "!=": ["=="], "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"],
    "%": ["/"], "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"], "++": ["--"],
    "--": ["++"], "+=": ["-=", "="], "-=": ["+=", "="], "|=": ["&=", "="], "&=": ["|=", "="],
    "<<=": [">>="], ">>=": ["<<="], "!": [""], "true": ["false"], "false": ["true"],
    "continue": ["break"], "True": ["False"], "False": ["True"], "and": ["or"], "or": ["and"],
    "not": [""], "//": ["/"], "**": ["*"]}
UNARY_TOO = {"+", "-", "*", "&"}  # and part of declarations: binary with a space on each side
TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*) | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<define>^[ \t]*\#[ \t]*define[ \t]+\w+[ \t]+\(*(?:\(\w+\))?(?=-?\d+[uUlL]*\)*[ \t]*(?:/\*.*\*/)?$))
  | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*) | (?P<number>\b(?:0[xX][0-9a-fA-F]+|\d+\.\d+|\d+)[uUlL]*\b)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|->|\+\+|--|<<|>>|[<>=!+\-*/%&|^]=|&&|\|\||[-+*/%&|^<>!=~?:;,.(){}\[\]])
""", re.X | re.S | re.M)
LEFT_ALONE = re.compile(r"\b(pw_assert|PW_DEBUG_ONLY|_Static_assert|static_assert)\b")
STATEMENT = re.compile(r"""[ ]+(?!return\b|if\b|for\b|while\b|switch\b)\*?\w+  # no declaration
    (?:(?:->|\.)\w+|\[[^]]*\])*(?:[ ](?:[-+*/%&|^]|<<|>>)?=[ ]|\+\+|--|\()[^;{}"]*;
    [ ]*(?:/\*.*\*/)?""", re.X)


class Mutant:
    """Replace text[start:end] of a file by new."""

    def __init__(self, path, text, start, end, new, kind, name=None):
        self.path, self.start, self.end, self.new, self.kind = path, start, end, new, kind
        self.text, self.name = text, name

    @property
    def line(self):
        return self.text.count("\n", 0, self.start) + 1

    @property
    def mutated(self):
        return self.text[:self.start] + self.new + self.text[self.end:]

    def __str__(self):
        first = self.text.rfind("\n", 0, self.start) + 1
        last = self.text.find("\n", self.end)
        before = " ".join(self.text[first:last].split())
        after = " ".join((self.text[first:self.start] + self.new + self.text[self.end:last]).split())
        return f"{self.path}:{self.line}: {before}   ->   {after}"


def numbers_near(token):
    digits = re.match(r"0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?", token)[0]
    suffix = token[len(digits):]
    if "." in digits:
        return [f"{float(digits) * 2}"]
    value = int(digits, 8 if re.match(r"0\d", digits) else 0)
    return [f"{near}{suffix}" for near in ([1] if value == 0 else [value + 1, value - 1])]


def closing(text, at):
    """The place of the parenthesis that closes the one at a place, or None."""
    depth = 0
    for match in TOKEN.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return None


def is_binary(text, start, end):
    return text[start - 1] == " " and text[end] == " "


def c_tokens(text):
    """(start, token, kind) of what may be changed."""
    skip_to = 0
    for match in TOKEN.finditer(text):
        kind, token = match.lastgroup, match[0]
        if kind in ("comment", "text", "directive", "define"):
            continue
        if LEFT_ALONE.fullmatch(token):
            skip_to = closing(text, text.index("(", match.start())) or 0
        if match.start() >= skip_to:
            yield match.start(), token, kind


def c_mutants(path, text):
    for start, token, kind in c_tokens(text):
        end = start + len(token)
        if kind == "number":
            for new in numbers_near(token):
                yield Mutant(path, text, start, end, new, "constant")
        elif token in UNARY_TOO and not is_binary(text, start, end):
            continue
        elif token == "if" and text.startswith(" (", end):
            close = closing(text, end + 1)
            yield Mutant(path, text, end + 1, close + 1, f"(!{text[end + 1:close + 1]})", "condition")
        for new in SWAPS.get(token, []):
            yield Mutant(path, text, start, end, new, token)
    at, last = 0, ";"
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        if STATEMENT.fullmatch(bare) and last in ";{}" and not LEFT_ALONE.search(bare) and \
                "__builtin_prefetch" not in bare and bare.count("(") == bare.count(")"):
            begin = at + len(line) - len(line.lstrip())
            yield Mutant(path, text, begin, at + line.rindex(";"), "", "statement")
        at += len(line)
        if bare and not bare.lstrip().startswith(("/*", "*", "#")):
            last = re.sub(r"\s*/\*.*\*/$", "", bare)[-1:] or last


def python_mutants(path, text):
    starts, at = [0], 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        starts.append(at)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        start = starts[token.start[0] - 1] + token.start[1]
        end = start + len(token.string)
        if token.type == tokenize.NUMBER and token.string.replace(".", "").isdigit():
            for new in numbers_near(token.string):
                yield Mutant(path, text, start, end, new, "constant")
        elif token.type in (tokenize.OP, tokenize.NAME) and (
                token.string not in UNARY_TOO or is_binary(text, start, end)):
            for new in SWAPS.get(token.string, []):
                yield Mutant(path, text, start, end, new, token.string)


def mutants_of(root, path):
    text = (root / path).read_text()
    return list((python_mutants if path.endswith(".py") else c_mutants)(path, text))


def sources(root, folder):
    """The files of a folder of the tree, or the file itself, as paths from the root."""
    place = root / folder
    found = [place] if place.is_file() else sorted(place.rglob("*"))
    return [str(path.relative_to(root)) for path in found
            if path.suffix in (".c", ".h", ".py") and "example" not in path.parts]


def draw(root, folder, seed):
    """The mutants of a folder in an order that the seed decides: a kind after the other, so that the
    many constants do not crowd out the rest, and of each kind any file."""
    kinds = {}
    for path in sources(root, folder):
        for mutant in mutants_of(root, path):
            kinds.setdefault(mutant.kind, []).append(mutant)
    order = random.Random(f"{seed} {folder}")
    for kind in sorted(kinds):
        order.shuffle(kinds[kind])
    while kinds:
        names = sorted(kinds)
        order.shuffle(names)
        for kind in names:
            yield kinds[kind].pop()
            if not kinds[kind]:
                del kinds[kind]


def named(root, entry):
    """The mutant of an entry of named.py. ValueError: its text is not, or not once, in the file."""
    name, path, old, new = entry
    text = (root / pathlib.Path(path)).read_text()
    if text.count(old) != 1:
        raise ValueError(f"named.py: {name}: {path} has {text.count(old)} times: {old}")
    start = text.index(old)
    return Mutant(path, text, start, start + len(old), new, "named", name)
