#!/usr/bin/env python3
"""slow_import.py - a second reading of Wikipedia's dumps, to judge wikipedia-import by.

It is slow and plain on purpose: a table becomes a list of rows, a row a dictionary, a title a key
(namespace, bytes). It was written from the description of the dumps and shares nothing with the C.

Usage: slow_import.py PREFIX      prints the counts, then the names, then the edges
"""
import bz2
import collections
import fnmatch
import gzip
import pathlib
import re
import subprocess
import sys

ESCAPES = {"0": "\0", "n": "\n", "r": "\r", "Z": "\x1a", "t": "\t", "b": "\b"}
VALUE = re.compile(r"\s*(?:(?:_binary\s+)?'((?:[^'\\]|\\.|'')*)'|([^\s,()']+))\s*([,)])", re.S)


def read_text(prefix, table):
    """A dump's text, a character per byte; None where there is no file."""
    for ending, opener in [("", open), (".gz", gzip.open), (".bz2", bz2.open)]:
        path = pathlib.Path(f"{prefix}-{table}.sql{ending}")
        if path.exists():
            with opener(path, "rb") as file:
                return file.read().decode("latin-1")
    path = pathlib.Path(f"{prefix}-{table}.sql.zst")
    if path.exists():
        return subprocess.run(["zstd", "-dc", path], check=True, stdout=subprocess.PIPE).stdout.decode("latin-1")
    return None


def unescape(text):
    return re.sub(r"\\(.)|''", lambda m: "'" if m[0] == "''" else ESCAPES.get(m[1], m[1]), text, flags=re.S)


def read_row(text, at):
    """The values of the row after the bracket at text[at - 1], and where it ends."""
    values = []
    while True:
        match = VALUE.match(text, at)
        if not match:
            raise ValueError("not a value: " + repr(text[at:at + 40]))
        quoted, bare, after = match.groups()
        if quoted is not None:
            values.append(unescape(quoted).encode("latin-1"))
        elif bare == "NULL":
            values.append(None)
        else:
            values.append(int(bare) if re.fullmatch(r"-?\d+", bare) else float(bare))
        at = match.end()
        if after == ")":
            return values, at


def read_columns(text, at):
    """The names of the columns that are declared after text[at], and where that ends."""
    parts, depth, quote, start = [], 0, "", at
    while depth >= 0:
        char = text[at]
        if quote:
            at += char == "\\" and quote != "`"
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        elif char in "()":
            depth += 1 if char == "(" else -1
        if not quote and (depth < 0 or (char == "," and depth == 0)):
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    names = [re.match(r"`([^`]*)`|(\w*)", part) for part in parts]  # one that is damaged: no name
    keys = "PRIMARY UNIQUE KEY INDEX FULLTEXT SPATIAL CONSTRAINT FOREIGN CHECK".split()
    return [m[1] or m[2] for m in names if (m[2] or "").upper() not in keys], at


def read_rows(text, table):
    """Every row of a dump as a dictionary by column."""
    if text is None:
        return []
    declared = re.search(r"CREATE TABLE `?%s`? \(" % table, text)
    columns, end = read_columns(text, declared.end())
    rows, at = [], end
    head = re.compile(r"INSERT INTO `?%s`?\s*(\([^)]*\))?\s*VALUES?\s*\(" % table)
    while True:
        match = head.search(text, at)
        if not match:
            return rows
        order = re.findall(r"\w+", match[1]) if match[1] else columns
        at = match.end()
        while True:
            values, at = read_row(text, at)
            if len(values) != len(order):
                raise ValueError("a row of %d values" % len(values))
            rows.append(dict(zip(order, values)))
            further = re.compile(r"\s*,\s*\(").match(text, at)
            if not further:
                break
            at = further.end()


class Wiki:
    """What an importer must find."""

    def __init__(self, prefix, namespaces=(0,), drop_disambiguation=False, drop_titles=(), keep_self=False,
                 keep_duplicates=False, without_templates=False):
        count = self.counts = collections.Counter()
        text = {table: read_text(prefix, table)
                for table in ["page", "redirect", "page_props", "linktarget", "pagelinks", "templatelinks"]}
        pages = read_rows(text["page"], "page")
        count["page rows"] = len(pages)
        by_title, by_id = {}, {}
        for page in pages:
            if page["page_namespace"] not in namespaces:
                count["pages of other namespaces"] += 1
                continue
            by_id[page["page_id"]] = page
            by_title[page["page_namespace"], page["page_title"]] = page
            count["redirects" if page["page_is_redirect"] else "articles"] += 1
        disambiguations = {row["pp_page"] for row in read_rows(text["page_props"], "page_props")
                           if row["pp_propname"] == b"disambiguation"}
        for page in by_id.values():
            page["state"] = "redirect" if page["page_is_redirect"] else "node"
            if page["state"] == "node" and drop_disambiguation and page["page_id"] in disambiguations:
                page["state"] = "dropped"
                count["disambiguation pages dropped"] += 1
            elif page["state"] == "node" and any(
                    fnmatch.fnmatchcase(page["page_title"].decode("utf-8", "surrogateescape"), p) for p in drop_titles):
                page["state"] = "dropped"
                count["pages dropped by title"] += 1
        nodes = sorted(i for i, page in by_id.items() if page["state"] == "node")
        self.number = {page: n for n, page in enumerate(nodes)}
        self.page_ids = nodes
        self.names = [by_id[i]["page_title"].replace(b"_", b" ") for i in nodes]
        self.spaces = [by_id[i]["page_namespace"] for i in nodes]

        # Redirects: one step, then all the way.
        step = {}
        redirect_rows = read_rows(text["redirect"], "redirect")
        count["redirect rows"] = len(redirect_rows)
        for row in redirect_rows:
            page = by_id.get(row["rd_from"])
            if page is None or page["state"] != "redirect":
                continue
            if row.get("rd_interwiki") or row["rd_namespace"] not in namespaces:
                step[row["rd_from"]] = "elsewhere"
            else:
                target = by_title.get((row["rd_namespace"], row["rd_title"]))
                step[row["rd_from"]] = target["page_id"] if target else "missing"
        self.redirects = {}
        for start, page in by_id.items():
            if page["state"] != "redirect":
                continue
            at, seen = start, set()
            while not isinstance(at, str) and by_id[at]["state"] == "redirect":
                if at in seen:
                    at = "circle"
                else:
                    seen.add(at)
                    at = step.get(at, "unlisted")
            if not isinstance(at, str) and by_id[at]["state"] == "dropped":
                at = "dropped"
            page["end"] = at
            what = {"elsewhere": "redirects to other namespaces or wikis", "missing": "redirects to no page",
                    "circle": "redirects in a circle", "unlisted": "redirects without a target",
                    "dropped": "redirects to dropped pages"}
            count[what[at] if isinstance(at, str) else "redirects resolved"] += 1
            if not isinstance(at, str):
                self.redirects[page["page_title"].replace(b"_", b" ")] = self.number[at]

        targets = {}
        for row in read_rows(text["linktarget"], "linktarget"):
            count["link target rows"] += 1
            targets[row["lt_id"]] = (row["lt_namespace"], row["lt_title"])
        self.nodes_by_title = {title: page["end"] if page["state"] == "redirect" else page["page_id"]
                               for title, page in by_title.items() if page["state"] != "dropped"}
        edges = collections.Counter()
        link_rows = read_rows(text["pagelinks"], "pagelinks")
        for row in link_rows:
            count["link rows"] += 1
            page = by_id.get(row["pl_from"])
            if page is None:
                count["links of other pages"] += 1
                continue
            if page["state"] != "node":
                count["links of redirects" if page["state"] == "redirect" else "links of dropped pages"] += 1
                continue
            if row.get("pl_target_id") is not None:
                title = targets.get(row["pl_target_id"])
            elif "pl_title" in row:
                title = (row["pl_namespace"], row["pl_title"])
            else:
                title = None
            if title is None:
                count["links with an unknown target"] += 1
                continue
            if title[0] not in namespaces:
                count["links to other namespaces"] += 1
                continue
            target = by_title.get(title)
            if target is None:
                count["red links"] += 1
                continue
            end = target["page_id"]
            through = target["state"] == "redirect"
            if through:
                end = target["end"]
            elif target["state"] == "dropped":
                end = "dropped"
            if isinstance(end, str):
                count[{"elsewhere": "links to other namespaces", "dropped": "links to dropped pages"}.get(
                    end, "links to broken redirects")] += 1
                continue
            count["links through redirects"] += through
            edge = (self.number[row["pl_from"]], self.number[end])
            if edge[0] == edge[1]:
                count["self-links"] += 1
                if not keep_self:
                    continue
            edges[edge] += 1
        count["duplicate links"] = sum(edges.values()) - len(edges)
        if without_templates:
            if not keep_duplicates:
                edges = collections.Counter(dict.fromkeys(edges, 1))
            self.leave_out_templates(edges, pages, redirect_rows, targets, link_rows,
                                     read_rows(text["templatelinks"], "templatelinks"))
        self.edges = sorted(edges.elements() if keep_duplicates else edges)

    def leave_out_templates(self, edges, pages, redirect_rows, targets, link_rows, inclusion_rows):
        """Take from the edges A -> B if a template that A includes links to B."""
        count = self.counts
        template_ids = {page["page_title"]: page["page_id"] for page in pages if page["page_namespace"] == 10}
        redirects = {page["page_id"] for page in pages if page["page_namespace"] == 10 and page["page_is_redirect"]}
        count["templates"] = len(template_ids) - len(redirects)
        moved = {row["rd_from"]: template_ids.get(row["rd_title"]) for row in redirect_rows
                 if row["rd_from"] in redirects and row["rd_namespace"] == 10 and not row.get("rd_interwiki")}

        def title_of(row, letters):
            if row.get(letters + "_target_id") is not None:
                return targets.get(row[letters + "_target_id"])
            title = row.get(letters + "_namespace"), row.get(letters + "_title")
            return None if None in title else title
        links = collections.defaultdict(set)
        for row in link_rows:
            end = self.nodes_by_title.get(title_of(row, "pl"))
            if row["pl_from"] in template_ids.values() and row["pl_from"] not in redirects and end in self.number:
                links[row["pl_from"]].add(self.number[end])
        count["templates with links"] = len(links)
        unwanted = set()
        for row in inclusion_rows:
            count["inclusion rows"] += 1
            title = title_of(row, "tl")
            count["inclusions with an unknown target"] += title is None
            if title is None or title[0] != 10 or row["tl_from"] not in self.number:
                continue
            template = template_ids.get(title[1])
            template = moved.get(template) if template in redirects else template
            unwanted.update((self.number[row["tl_from"]], to) for to in links.get(template, ()))
        count["links before templates are left out"] = sum(edges.values())
        lost = [edge for edge in edges if edge in unwanted]
        count["articles that lost a link"] = len({edge[0] for edge in lost})
        for edge in lost:
            count["links of templates dropped"] += edges.pop(edge)


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    wiki = Wiki(sys.argv[1])
    for name, value in sorted(wiki.counts.items()):
        print(f"{name}\t{value}")
    for name in wiki.names:
        sys.stdout.buffer.write(name + b"\n")
    for u, v in wiki.edges:
        print(u, v)
    return 0


if __name__ == "__main__":
    sys.exit(main())
