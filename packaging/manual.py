#!/usr/bin/env python3
"""manual.py - manual pages and completions of every program, from its own table of options.

1. A program of the table is asked for it (--option-table) and for its --help, whose beginning and end
   are the description, the notes and the examples. The study's programs are asked for --help alone,
   by the names under which they are installed.
2. manual/NAME.txt has what no table says: the line of NAME, EXIT STATUS, FILES, ENVIRONMENT, SEE ALSO.
3. Written are man1/NAME.1 (roff), bash/NAME, zsh/_NAME and fish/NAME.fish.
The output has no date but the given one, so that the same sources give the same bytes.

Usage: manual.py --bin DIR --source DIR --date YYYY-MM-DD --output DIR
                 [--datadir DIR]     where the sample data will be; /usr/share without it
                 [--second-name PROGRAM=NAME]     make the files of PROGRAM by that name, too
       manual.py --example README.md     print the first C program of a page
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

TABLE_PROGRAMS = ["bfs", "allocbench", "graph-convert", "graph-info", "wikipedia-import"]
HELP_PROGRAMS = {"bfs-study": "perf/study", "bfs-judge": "judge/judge",
                 "wikipedia-fetch": "wikipedia/fetch",
                 "bfs-web": "python/src/pointer_wars/web/options.py"}
OPTIONAL = ["bfs-mpi"]  # table programs that are built only where there is an MPI
LISTS = {"engine": "--list-engines", "alloc": "--list-allocs"}  # options whose words a program lists
# The usual words of an option that takes others, too.
USUAL = {"counters": ["auto", "none", "pointer-wars", "memory", "core", "cycles", "instructions", "branches",
                      "branch-misses"]}
# The beginnings of words of the command line that are no files, and what may follow each.
MADE = {"generate": ["nodes=", "edges=", "seed=", "kronecker", "uniform", "grid"],
        "random": ["seed=", "targets="]}


# Text ------------------------------------------------------------------------------------------

def roff(text):
    """A piece of text as roff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


TAGGED = re.compile(r"(\S.*?|\S)  +(\S(?:\S| (?! ))*)$")  # the words are after the last wide gap


def blocks(text):
    """The paragraphs of a text of --help or of manual/*.txt: ("text" | "literal", words) or
    ("tagged", [(term, words)])."""
    text = re.sub(r"^(\S.*:)\n(?=  )", r"\1\n\n", text, flags=re.M)  # a heading and its list
    text = re.sub(r"^(  .*)\n(?=\S)", r"\1\n\n", text, flags=re.M)
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.split("\n")
        indented = all(line.startswith("  ") for line in lines)
        bare = [line[2:] if indented else line for line in lines]
        if TAGGED.match(bare[0]) and all(TAGGED.match(line) or line.startswith("   ")
                                         for line in bare):
            yield "tagged", tagged(bare)
        elif indented:
            yield "literal", "\n".join(bare)
        else:
            yield "text", " ".join(line.strip() for line in lines)


def tagged(lines):
    found = []
    for line in lines:
        match = None if line.startswith("   ") else TAGGED.match(line)
        if match:
            found.append([" ".join(match[1].split()), match[2]])
        else:
            found[-1][1] += " " + line.strip()
    return found


def fill(text):
    """Words in lines of roff."""
    lines = textwrap.wrap(text, 78, break_long_words=False, break_on_hyphens=False)
    return "\n".join(roff(line) for line in lines)


def roff_blocks(text):
    out = []
    for kind, what in blocks(text):
        if kind == "tagged":
            for term, words in what:
                out += [".TP", f".B {roff(term)}", fill(words)]
        elif kind == "literal":
            out += [".PP", ".nf", ".RS 2", roff(what), ".RE", ".fi"]
        else:
            out += [".PP", fill(what)]
    return out[1:] if out and out[0] == ".PP" else out  # after a heading there is a gap already


def sections(text):
    """manual/NAME.txt: {title: text}; titles are lines that begin with "# "."""
    parts = re.split(r"^# (.*)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


# Programs --------------------------------------------------------------------------------------

def output_of(*command):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return done.stdout


def headed(text, heading):
    """A text of --help cut at a line that begins with heading: what is before, what is after."""
    before, _, after = ("\n" + text).partition("\n" + heading)
    return before.strip("\n"), after.strip("\n")


def split_examples(text):
    """The end of --help: (what is not examples, examples). They begin at a line "Examples...:" and end
    before a paragraph that is neither indented nor a heading of such lines."""
    before, found, after = text.partition("\nExamples")
    if not found:
        return text, ""
    heading, _, rest = after.partition("\n")
    heading = heading.strip(", :")
    lines = [heading[0].upper() + heading[1:] + ":"] if heading else []
    rest = rest.split("\n")
    while rest and (rest[0].startswith("  ") or rest[0].endswith(":") or not rest[0]):
        lines.append(rest.pop(0))
    return before + "\n\n" + "\n".join(rest), "\n".join(lines)


def choices(argument):
    """The words of {text,json}."""
    return argument.strip("{}").split(",") if (argument or "").startswith("{") else []


class Program:
    """What is known of a program: usage lines, description, groups of options, notes, examples."""

    def __init__(self, name, path, extras):
        self.name = name
        self.extras = extras
        self.groups = []
        self.words = {}
        self.parts = {}  # what may follow "slab:" or "generate:": {"slab": ["chunk=", "pages="]}
        self.commands = []
        self.made = []
        if name in TABLE_PROGRAMS + OPTIONAL:
            self.read_table(str(path))
        else:
            self.read_help(str(path))

    def read_table(self, path):
        table = json.loads(output_of(path, "--option-table"))
        self.groups = table["groups"]
        text = output_of(path, "--help")
        begin = text[:text.index(f"\n{self.groups[0]['title']}:\n")]
        usage, self.description = begin.split("\n\n", 1)
        self.usage = [line[7:] if line.startswith(("Usage: ", "       ")) else line
                      for line in usage.split("\n")]
        self.notes, self.examples = split_examples(table["epilogue"])
        self.notes = re.sub(r"\s*Exit status:.*", "", self.notes, flags=re.S)
        self.examples = self.examples.replace("sample in the source tree", "sample data, in DATADIR")
        for option in self.options():
            if option["words"]:
                self.words[option["name"]] = option["words"]
            elif option["name"] in USUAL:
                self.words[option["name"]] = USUAL[option["name"]]
            elif option["name"] in LISTS and self.has(LISTS[option["name"]][2:]):
                listing = output_of(path, LISTS[option["name"]])
                self.words[option["name"]] = re.findall(r"^([a-z][a-z0-9-]*)(?=[ :(]|$)", listing, flags=re.M)
                if option["name"] == "alloc":
                    for text in re.split(r"\n(?=\S)", listing):
                        self.parts[re.match(r"[a-z0-9-]*", text)[0]] = re.findall(
                            r"^    ([a-z0-9-]+=)", text, flags=re.M)
        self.made = [f"{word}:" for word in MADE if f"{word}:" in self.description]
        self.parts.update((word[:-1], MADE[word[:-1]]) for word in self.made)
        _, listed = headed(self.description, "Experiments:")
        self.commands = re.findall(r"^  ([a-z-]+) ", listed, flags=re.M)

    def read_help(self, path):
        python = [sys.executable] if pathlib.Path(path).resolve().suffix == ".py" else []
        text = output_of(*python, path, "--help").rstrip("\n")
        text = re.sub(r"\n(?:Environment|Exit): [^\n]*", "", text)
        usage, rest = text.split("\n\n", 1) if "usage: " in text else text.split("\n", 1)
        self.usage = [" ".join(usage.split())[7:]]
        self.description, options = headed(rest, "options:")
        if "positional arguments:" in self.description:
            before, after = headed(self.description, "positional arguments:")
            self.description = before + "\n\n" + after
        listed, _, after = options.partition("\n\n")
        self.notes, self.examples = headed(after, "examples:")
        self.examples, _, tail = self.examples.partition("\nExit status:")
        self.examples, *more = re.split(r"\n(?=\S)", self.examples, maxsplit=1)
        self.notes = "\n\n".join(p for p in [self.notes, *more] if p)
        self.notes = re.sub(r"\s*Exit status:.*", "", self.notes, flags=re.S)
        rows = re.findall(r"^  (-[^\n]*?)(?:  +|\n +)(\S(?:.|\n(?!  -))*)", listed, flags=re.M)
        options = []
        for head, words in rows:
            found = re.match(r"(?:-(\w)(?: \S+)?, )?--([a-z-]+)(?: (\S+))?", head)
            self.words.update({found[2]: choices(found[3])} if choices(found[3]) else {})
            options.append({"name": found[2], "letter": found[1], "argument": found[3],
                            "optional": False, "words": choices(found[3]), "help": " ".join(words.split()),
                            "kind": "file" if found[3] in ("BFS", "DIR") else "text"})
        self.groups = [{"title": "Options", "options": options}] if options else []
        self.commands = re.findall(r"^  bfs-study ([a-z]+) ", text, flags=re.M)

    def options(self):
        return [option for group in self.groups for option in group["options"]]

    def has(self, name):
        return any(option["name"] == name for option in self.options())

    def takes_file(self, option):
        return option["kind"] == "file" or option["argument"] in (
            "FILE", "FOLDER", "DIR", "GRAPH", "PAIRS", "[DIR]")

    # Manual page -----------------------------------------------------------------------------

    def option_term(self, option):
        term = f"\\fB{roff('--' + option['name'])}\\fR"
        if option["letter"]:
            term = f"\\fB{roff('-' + option['letter'])}\\fR, " + term
        if option["argument"]:
            argument = option["argument"]
            argument = argument.strip("[]") if argument.startswith("[") else argument
            value = f"=\\fI{roff(argument)}\\fR"
            term += f"[{value}]" if option["optional"] else value
        return term

    def manual(self, version, date, datadir):
        out = ['.\\" Made by packaging/manual.py from the program\'s own table of options.',
               f'.TH {self.name.upper()} 1 {date} "pointer_wars {version}" "User Commands"', ".nh", ".ad l",
               ".SH NAME", f"{self.name} \\- {roff(self.extras['NAME'].strip())}", ".SH SYNOPSIS"]
        for i, line in enumerate(self.usage):
            name, _, rest = line.strip().partition(" ")
            out += [".br"] * (i > 0) + [f"\\fB{roff(self.name)}\\fR {fill(rest)}"]
        out += [".SH DESCRIPTION"] + roff_blocks(self.description)
        if self.groups:
            out.append(".SH OPTIONS")
        for group in self.groups:
            out += [f".SS {roff(group['title'])}"] if len(self.groups) > 1 else []
            for option in group["options"]:
                out += [".TP", self.option_term(option), fill(option["help"])]
        if self.notes.strip():
            out += [".SH NOTES"] + roff_blocks(self.notes)
        examples = self.examples.replace("data/sample/", "")
        examples = examples.replace("DATADIR", f"{datadir}/pointer-wars/sample")
        more = self.extras.get("EXAMPLES", "")
        if examples or more:
            out += [".SH EXAMPLES"] + roff_blocks("\n\n".join(p for p in (more, examples) if p))
        for title in ["EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"]:
            out += [f".SH {title}"] + roff_blocks(self.extras[title])
        return "\n".join(out) + "\n"

    # Completions -----------------------------------------------------------------------------

    def bash(self):
        names = " ".join(f"--{o['name']}" + ("=" if o["argument"] and not o["optional"] else "")
                         for o in self.options())
        cases = []
        for option in self.options():
            if not option["argument"]:
                continue
            letter = f" | -{option['letter']}" if option["letter"] else ""
            if option["name"] in self.words:
                what = f"words=\"{' '.join(self.words[option['name']])}\""
            else:
                what = "files=1" if self.takes_file(option) else "none=1"
            cases.append(f"    --{option['name']}{letter}) {what} ;;")
        parts = [f"        {name}) words=\"{' '.join(known)}\" ;;"
                 for name, known in self.parts.items() if name and known]
        function = "_" + self.name.replace("-", "_")
        return f"""# {self.name}: completion for bash, made by packaging/manual.py from the table of options.
{function}()
{{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
    local words= files= none=
    COMPREPLY=()
    # "=" is a word of its own in COMP_WORDS.
    if [[ $current == = ]]; then
        current=
    elif [[ $before == = ]]; then
        before=${{COMP_WORDS[COMP_CWORD - 2]}}
    elif [[ $before == : || $current == : ]]; then # of an allocator or a graph
        local name=${{COMP_WORDS[COMP_CWORD - 1]}}
        [[ $current == : ]] && current= || name=${{COMP_WORDS[COMP_CWORD - 2]}}
        name=${{name##*[,(]}}
        case $name in
{chr(10).join(parts)}
        *) return ;;
        esac
        compopt -o nospace 2>/dev/null
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case $before in
{chr(10).join(cases)}
    esac
    if [[ -n $words ]]; then
        local first= # of a list: what is before its last comma
        [[ $current != *,* ]] || first=${{current%,*}},
        COMPREPLY=($(compgen -P "$first" -W "$words" -- "${{current##*,}}"))
    elif [[ -n $none ]]; then
        return
    elif [[ -z $files && $current == -* ]]; then
        COMPREPLY=($(compgen -W "{names}" -- "$current"))
        [[ ${{COMPREPLY[0]-}} != *= ]] || compopt -o nospace 2>/dev/null
    else
        local IFS=$'\\n'
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$current"))
{self.bash_commands()}    fi
}}
complete -F {function} {self.name}
"""

    def bash_commands(self):
        words = self.commands or self.made
        if not words:
            return ""
        first = " || $COMP_CWORD != 1" if self.commands else ""
        space = "" if self.commands else \
            "        [[ ${COMPREPLY[0]-} != *: ]] || compopt -o nospace 2>/dev/null\n"
        return (f'        [[ -n $files{first} ]] ||\n'
                f'            COMPREPLY+=($(IFS=" " compgen -W "{" ".join(words)}" -- '
                f'"$current"))\n{space}')

    def zsh(self):
        def plain(text):
            return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")
        rows = []
        for option in self.options():
            what = plain(option["help"].split(" (default")[0].split(";")[0])
            value = ""
            if option["argument"]:
                argument = option["argument"].strip("[]").replace(":", " ")
                action = (f"({' '.join(self.words[option['name']])})" if option["name"] in self.words
                          else "_files" if self.takes_file(option) else "")
                value = f":{plain(argument)}:{action}"
                value = ":" + value if option["optional"] else value
            sign = "=-" if option["optional"] else "=" if option["argument"] else ""
            rows.append(f"'--{option['name']}{sign}[{what}]{value}'")
            if option["letter"]:
                sign = "+" if option["argument"] else ""
                rows.append(f"'-{option['letter']}{sign}[{what}]{value}'")
        if self.commands:
            rows.append(f"'1:what:({' '.join(self.commands)})'")
        made = " ".join(self.made).replace(":", "\\:")
        rows.append(f"'*:file:{{_files; compadd -S \"\" -- {made}}}'" if made else "'*:file:_files'")
        return (f"#compdef {self.name}\n# Made by packaging/manual.py from the table of options.\n"
                "_arguments -s \\\n  " + " \\\n  ".join(rows) + "\n")

    def fish(self):
        rows = [f"# {self.name}: made by packaging/manual.py from the table of options."]
        for option in self.options():
            what = option["help"].split(" (default")[0].split(";")[0].replace("\\", "\\\\")
            row = f"complete -c {self.name} -l {option['name']}"
            if option["letter"]:
                row += f" -s {option['letter']}"
            if option["name"] in self.words:
                row += f" -x -a '{' '.join(self.words[option['name']])}'"
            elif option["argument"] and not option["optional"]:
                row += " -r" if self.takes_file(option) else " -x"
            rows.append(row + " -d '" + what.replace("'", "\\'") + "'")
        if self.commands:
            rows.append(f"complete -c {self.name} -n __fish_is_first_arg "
                        f"-a '{' '.join(self.commands)}'")
        if self.made:
            rows.append(f"complete -c {self.name} -a '{' '.join(self.made)}'")
        return "\n".join(rows) + "\n"


def first_program(page):
    """The first C program of a page."""
    return re.search(r"^```c\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.M | re.S)[1]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_program(program, version, options):
    """The page and the completions of a program."""
    name, output = program.name, options.output
    write(output / "man1" / f"{name}.1", program.manual(version, options.date, options.datadir))
    if program.options():
        write(output / "bash" / name, program.bash())
        write(output / "zsh" / f"_{name}", program.zsh())
        write(output / "fish" / f"{name}.fish", program.fish())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ["bin", "source", "output", "example"]:
        parser.add_argument("--" + name, type=pathlib.Path)
    parser.add_argument("--date", default="")
    parser.add_argument("--datadir", default="/usr/share")
    parser.add_argument("--second-name", default="")
    options = parser.parse_args()
    if options.example:
        print(first_program(options.example), end="")
        return 0
    here = pathlib.Path(__file__).resolve().parent
    version = json.loads(output_of(str(options.bin / "bfs"), "--option-table"))["version"]
    first, _, second = options.second_name.partition("=")
    built = [name for name in OPTIONAL if (options.bin / name).exists()]
    called = tempfile.TemporaryDirectory()  # a link per script, with the name that it will have
    for name in [*TABLE_PROGRAMS, *built, *HELP_PROGRAMS]:
        path = options.bin / name
        if name in HELP_PROGRAMS:
            path = pathlib.Path(called.name) / name
            path.symlink_to(options.source.resolve() / HELP_PROGRAMS[name])
        text = (here / "manual" / f"{name}.txt").read_text(encoding="utf-8")
        extras = sections(text.replace("/usr/share", options.datadir))
        program = Program(name, path, extras)
        write_program(program, version, options)
        if name == first:
            program.name = second
            write_program(program, version, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
