"""The table of the subcommands of perf/study: the module of each, and what it compares."""
from own_name import own_name

COMMANDS = {
    "compare": ("compare", "two reports of bfs --format json made earlier"),
    "experiments": ("experiments", "published experiments on allocation, with pages and plots"),
    "figures": ("figures", "what engines and allocators are worth, each figure with its aim"),
    "ideas": ("ideas", "what each idea of level 3 can bring at most, and what it brought"),
    "peers": ("peers", "parents of all nodes and single pairs, beside gapbs, LAGraph and NetworKit"),
    "program": ("program", "what malloc costs in any program, by eliminating it"),
}


def commands_text():
    """The table for --help."""
    return "\n".join(f"  {own_name('study')} {name:<12} {what}" for name, (_, what) in COMMANDS.items())
