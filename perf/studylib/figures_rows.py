"""Reads rows of CSV, and picks the rows of the machine that a table is of."""
import csv


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def of_first_machine(rows, beginning):
    """(the first machine with figures that begin so, {figure: its row}), or ("", {})."""
    own = [row for row in rows if row["figure"].startswith(beginning)]
    machine = own[0]["machine"] if own else ""
    return machine, {row["figure"]: row for row in own if row["machine"] == machine}
