"""The page's files, and its first one as a link to an answer shows it elsewhere.

Each file has its own address, where a browser asks again whether it has changed. The page names them
below one folder that is called after the content of all, because modules name each other beside
themselves: what is there may be kept for a year.
"""
from __future__ import annotations

import html
import pathlib
import re
import urllib.parse
from typing import Dict, Tuple

from .answer import YEAR, Answer, tag_of
from .parameters import TEXT_MOST

KIND = b"text/html; charset=utf-8"  #: of the page
#: Each other file, and its kind; the modules of JavaScript name each other.
STATIC: Dict[str, bytes] = {
    "page.css": b"text/css; charset=utf-8", "icon.svg": b"image/svg+xml",
    **{f"{name}.js": b"text/javascript; charset=utf-8"
       for name in ("bars", "combobox", "costs", "dom", "drawing", "list", "order", "page",
                    "start")}}


def files(folder: pathlib.Path) -> Tuple[bytes, Dict[str, Answer]]:
    """The page, and the answer at the addresses of each other file."""
    page = (folder / "page.html").read_bytes()
    bodies = {name: (folder / name).read_bytes() for name in STATIC}
    mark = tag_of(b"\0".join(bodies[name] for name in sorted(bodies)))
    found: Dict[str, Answer] = {}
    for name, body in bodies.items():
        answer = Answer(body, kind=STATIC[name], keep=b"no-cache", tag=tag_of(body))
        found[f"/{name}"] = answer
        found[f"/{mark.decode()}/{name}"] = answer._replace(keep=YEAR)
        page = page.replace(b'="%s"' % name.encode(), b'="%s/%s"' % (mark, name.encode()))
    return page, found


def put_after(pattern: str, words: str, text: str) -> str:
    """The text with words in place of what follows the group of a pattern."""
    return re.sub(pattern, lambda match: match[1] + words, text, count=1)


def shared(page: bytes, query: bytes) -> bytes:
    """The page with the titles of the question in its title and description, for whoever shows a
    link to it without running its code; the page itself if the query has no two titles."""
    try:
        found = urllib.parse.parse_qs(query.decode("ascii"), max_num_fields=64)
    except ValueError:
        return page
    ends = [found.get(name, [""])[0][:TEXT_MOST].replace("_", " ").strip()
            for name in ("from", "to")]
    if not all(ends):
        return page
    title = html.escape(" \u2192 ".join(ends))
    about = html.escape(f"All shortest paths from {ends[0]} to {ends[1]}, by links alone.")
    text = page.decode("utf-8")
    for pattern, words in ((r"(<title>)[^<]*", title),
                           (r'(<meta property="og:title" content=")[^"]*', title),
                           (r'(<meta name="description" content=")[^"]*', about),
                           (r'(<meta property="og:description" content=")[^"]*', about)):
        text = put_after(pattern, words, text)
    return text.encode("utf-8", "replace")
