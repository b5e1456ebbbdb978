"""The page's files, and its first one as a link to an answer shows it elsewhere.

Each file has its own address, where a browser asks again whether it has changed. The page names them
below one folder that is called after the content of all, because modules name each other beside
themselves: what is there may be kept for a year.
"""
from __future__ import annotations

import hashlib
import html
import os
import pathlib
import re
import urllib.parse
from typing import Any, Optional, Tuple

from starlette.staticfiles import StaticFiles

from .parameters import TEXT_MOST

FOLDER = pathlib.Path(__file__).parent / "static"
PAGE = "page.html"
YEAR = "public, max-age=31536000, immutable"


class Files(StaticFiles):
    """The files beside the page. keep: for Cache-Control."""

    def __init__(self, keep: str) -> None:
        super().__init__(directory=FOLDER)
        self.keep = keep

    def lookup_path(self, path: str) -> Tuple[str, Optional[os.stat_result]]:
        """The file of an address, if there is one."""
        try:
            return super().lookup_path(path) if path != PAGE else ("", None)
        except (OSError, ValueError):  # it can be no file's name
            return "", None

    def file_response(self, *words: Any, **named: Any) -> Any:
        """The answer with a file, or that the browser has it."""
        answer = super().file_response(*words, **named)
        answer.headers["cache-control"] = self.keep
        return answer


def page() -> Tuple[str, str]:
    """The page, and the folder where it names its files."""
    text = (FOLDER / PAGE).read_bytes().decode("utf-8")
    files = {file.name: file.read_bytes() for file in sorted(FOLDER.iterdir()) if file.name != PAGE}
    mark = hashlib.sha256(b"\0".join(files.values())).hexdigest()[:16]
    for name in files:
        text = text.replace(f'="{name}"', f'="{mark}/{name}"')
    return text, mark


def put_after(pattern: str, words: str, text: str) -> str:
    """The text with words in place of what follows the group of a pattern."""
    return re.sub(pattern, lambda match: match[1] + words, text, count=1)


def shared(text: str, query: bytes) -> str:
    """The page with the titles of the question in its title and description, for whoever shows a
    link to it without running its code; the page itself if the query has no two titles."""
    found = urllib.parse.parse_qs(query.decode("ascii", "replace"))
    ends = [found.get(name, [""])[0][:TEXT_MOST].replace("_", " ").strip()
            for name in ("from", "to")]
    if not all(ends):
        return text
    title = html.escape(" \u2192 ".join(ends))
    about = html.escape(f"All shortest paths from {ends[0]} to {ends[1]}, by links alone.")
    for pattern, words in ((r"(<title>)[^<]*", title),
                           (r'(<meta property="og:title" content=")[^"]*', title),
                           (r'(<meta name="description" content=")[^"]*', about),
                           (r'(<meta property="og:description" content=")[^"]*', about)):
        text = put_after(pattern, words, text)
    return text
