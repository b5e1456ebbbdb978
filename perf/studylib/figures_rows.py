"""Reads rows of CSV, picks the rows of the machine that a table is of, and says what graph they are of."""
import csv


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def of_first_machine(rows, beginning):
    """(the first machine with figures that begin so, {figure: its row}), or ("", {})."""
    own = [row for row in rows if row["figure"].startswith(beginning)]
    machine = own[0]["machine"] if own else ""
    return machine, {row["figure"]: row for row in own if row["machine"] == machine}


def graph_in_millions(own):
    """The size of the graph that these rows are of, such as "3.57 M nodes and 40.1 M edges"."""
    graph = next(iter(own.values()))["graph"]
    nodes, edges = (int(word) for word in graph.replace(",", "").split() if word.isdigit())
    return f"{nodes / 1e6:.3g} M nodes and {edges / 1e6:.3g} M edges"
