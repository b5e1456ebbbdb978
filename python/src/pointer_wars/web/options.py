"""The options of bfs-web. This file runs without the library, for --help and the manual page."""
from __future__ import annotations

import argparse
from typing import List

PORT = 8737


def words(text: str) -> List[str]:
    """One node and several, in the words of --noun."""
    found = [word.strip() for word in text.split("/")]
    if len(found) != 2 or not all(found):
        raise argparse.ArgumentTypeError(f"expected ONE/MANY, as country/countries, found {text!r}")
    return found


def options(version: str) -> argparse.ArgumentParser:
    """The options of the program."""
    parser = argparse.ArgumentParser(
        prog="bfs-web", allow_abbrev=False,
        usage="bfs-web [OPTION]... GRAPH",
        description="Open GRAPH, in any format that bfs reads, and serve a page that shows how two "
        "of its nodes are connected, on this computer alone. Print the address, and open a browser "
        "if there is one. Ctrl-C ends it.")
    parser.add_argument("graph", metavar="GRAPH", help="a file; a snapshot opens at once")
    parser.add_argument("--port", type=int, metavar="N",
                        help=f"the port; 0: any that is free (default: {PORT}, or any if it is "
                        "taken)")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS",
                        help="the address to listen on; any other than the default lets other "
                        "computers ask (default: 127.0.0.1)")
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME",
                        help="serve requests for this name of the computer, too; may be repeated")
    parser.add_argument("--unix", metavar="SOCKET",
                        help="listen on this socket of the file system, and on no port")
    parser.add_argument("--allow-origin", action="append", default=[], metavar="ORIGIN",
                        help="let pages of this site (https://example.org, or * for all) read "
                        "answers; may be repeated")
    parser.add_argument("--no-costs", action="store_true",
                        help="do not measure what each malloc costs, which takes seconds")
    parser.add_argument("--access-log", action="store_true",
                        help="print a line per request")
    parser.add_argument("--metrics", action="store_true",
                        help="serve /metrics: requests, times and connections for Prometheus")
    parser.add_argument("--names", metavar="FILE", help="a file with a name per node")
    parser.add_argument("--title", metavar="TEXT", help="what the page calls the graph (default: "
                        "the name of its wiki, or of its file)")
    parser.add_argument("--noun", type=words, metavar="ONE/MANY", help="the page's words for one "
                        "node and several: country/countries (default: article/articles for a "
                        "wiki, else node/nodes)")
    parser.add_argument("--columns", metavar="A,B",
                        help="the source and the target of a table, by heading or number from 1")
    parser.add_argument("--undirected", action="store_true",
                        help="take every edge in both directions")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.add_argument("-V", "--version", action="version",
                        version=f"bfs-web (pointer_wars) {version}")
    return parser


if __name__ == "__main__":
    options("").parse_args()
