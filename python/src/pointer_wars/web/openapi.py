"""The API as an OpenAPI document, from the table of questions and the shapes of answers below."""
from __future__ import annotations

import html
from typing import Any, Dict

from .. import __version__
from .costs import ENGINES

TEXT, NUMBER, FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
FRACTION = {"type": "number"}
OPTIONAL = ("parameter", "suggestions", "others")  # members that an object may lack


def either(schema: Dict[str, Any]) -> Dict[str, Any]:
    """The same, or null."""
    return {"oneOf": [schema, {"type": "null"}]}


def listed(schema: Dict[str, Any]) -> Dict[str, Any]:
    """A list of such values."""
    return {"type": "array", "items": schema}


def thing(about: str, **members: Dict[str, Any]) -> Dict[str, Any]:
    """An object with these members and no others; a name ends in _ where Python has that word."""
    names = {name.rstrip("_"): schema for name, schema in members.items()}
    return {"type": "object", "description": about, "properties": names,
            "required": [name for name in names if name not in OPTIONAL],
            "additionalProperties": False}


def shape(name: str) -> Dict[str, Any]:
    """A reference to one of SHAPES."""
    return {"$ref": f"#/components/schemas/{name}"}


NODE = {"title": TEXT, "page_id": either(NUMBER)}
SHAPES: Dict[str, Dict[str, Any]] = {
    "Error": thing("what every refusal is", error=thing(
        "why; others: of the other titles of the request that are unknown", code=TEXT, message=TEXT,
        parameter=TEXT, suggestions=listed(TEXT), others=listed(thing(
            "a title", message=TEXT, parameter=TEXT, suggestions=listed(TEXT))))),
    "Node": thing("a node; page_id: of its page in the wiki, if it is known", **NODE),
    "MeantNode": thing("a node that was asked for; note: what was forgiven, or empty", note=TEXT,
                       **NODE),
    "Meta": thing("the graph; address: of a page, without its id; costs: true "
                  "if /api/costs can be asked; no_costs: if not, why; compared: the most "
                  "allocators of one such question; without_templates: links that come from "
                  "templates were left out; title: empty, or as --title says; noun: one node and "
                  "several, in words; date: of the wiki's dump, or of the file",
                  name=TEXT, title=TEXT, nodes=NUMBER, edges=NUMBER, noun=listed(TEXT),
                  wiki=either(TEXT), date=either(TEXT), address=either(TEXT),
                  costs=FLAG, no_costs=either(TEXT), allocators=listed(TEXT), compared=NUMBER,
                  without_templates=FLAG),
    "Health": thing("the server answers; openings: of the graph's file, also after SIGHUP; failure: "
                    "why it could not be opened again, so that the graph is the one before",
                    status={"type": "string", "enum": ["ok"]}, openings=NUMBER, failure=either(TEXT)),
    "Complete": thing("titles that begin with q", titles=listed(TEXT)),
    "Random": thing("two nodes, and the edges of a shortest path between them",
                    from_=shape("Node"), to=shape("Node"), hops=either(NUMBER)),
    "Examples": thing("pairs of well-known nodes; the first with several shortest paths, if there is "
                      "one", pairs=listed(shape("Random"))),
    "Path": thing(
        "shortest paths; hops is null if no path exists, and paths is empty; count: how many there "
        "are, exactly, as a text, or more than 3.4e38; null with mode=one, if there is a path; through: "
        "a node; then paths, count and more are of the paths through it; through_hops: its distance",
        through=either(shape("MeantNode")), through_hops=either(NUMBER),
        from_=shape("MeantNode"), to=shape("MeantNode"), without=listed(shape("MeantNode")),
        mode={"type": "string", "enum": ["one", "all"]}, offset=NUMBER, hops=either(NUMBER),
        count=either({"type": "string", "pattern": "^([0-9]+|more than 3.4e38)$"}), more=FLAG,
        paths=listed(listed(TEXT)), page_ids=listed(listed(either(NUMBER))),
        looked_at=thing("by the search", nodes=NUMBER, edges=NUMBER, seconds=FRACTION),
        graph=either(shape("Drawing"))),
    "Longer": thing(
        "paths that are one hop longer than the shortest; hops is null if no such path exists",
        from_=shape("MeantNode"), to=shape("MeantNode"), without=listed(shape("MeantNode")),
        offset=NUMBER, hops=either(NUMBER), count={"type": "string", "pattern": "^([0-9]+|more than 3.4e38)$"},
        more=FLAG, paths=listed(listed(TEXT)), page_ids=listed(listed(either(NUMBER)))),
    "Drawing": thing(
        "the graph of all shortest paths, a column per distance; size: of the whole column; a link "
        "[c, i, k] leads from node i of column c - 1 to node k of column c; skipped: columns that "
        "are left out after the first skipped_after", columns=listed(thing(
            "a distance", size=NUMBER, nodes=listed(shape("Node")))),
        links=listed({"type": "array", "items": NUMBER, "minItems": 3, "maxItems": 3}),
        skipped=NUMBER, skipped_after=NUMBER),
    "Histogram": thing(
        "how many nodes are at each distance; mean: of the nodes that are reached, but the first",
        of=shape("MeantNode"), direction={"type": "string", "enum": ["from", "to"]},
        without=listed(shape("MeantNode")), counts=listed(NUMBER), more=FLAG, unreached=NUMBER,
        mean=either(FRACTION)),
    "Costs": thing(
        "a search with several allocators, each round a process of its own; seconds_min to "
        "seconds_max hold the median with this confidence, as speed_low to speed_high hold the "
        "speed, which is relative to the first allocator; unfinished: runs that took too long",
        from_=shape("MeantNode"), to=shape("MeantNode"),
        engine={"type": "string", "enum": list(ENGINES)}, rounds=NUMBER, confidence=FRACTION,
        visited=NUMBER, queue=either(thing(
            "the queue's length over the search, as points at equal distances, each the longest of "
            "its share; null if it is too long for that",
            lengths=listed(NUMBER), peak=NUMBER, pushed=NUMBER)),
        rows=listed(thing(
            "an allocator", allocator=TEXT, seconds_median=either(FRACTION),
            seconds_min=either(FRACTION), seconds_max=either(FRACTION), speed=either(FRACTION),
            speed_low=either(FRACTION), speed_high=either(FRACTION), malloc_calls=either(NUMBER),
            node_bytes=either(FRACTION), peak_rss_bytes=either(NUMBER), unfinished=NUMBER))),
}
ANSWERS = {"/api/meta": "Meta", "/api/health": "Health", "/api/complete": "Complete",
           "/api/path": "Path", "/api/longer": "Longer", "/api/histogram": "Histogram", "/api/costs": "Costs",
           "/api/random": "Random", "/api/examples": "Examples"}
REFUSALS = {"403": "a page of another site asks",
            "404": "there is no such title; suggestions has the titles that are spelt alike",
            "405": "only GET is answered", "421": "the Host header is not of this server",
            "422": "the request is malformed", "500": "an answer cannot be made",
            "503": "busy, or it took too long"}


def answer_of(about: str, schema: Dict[str, Any]) -> Dict[str, Any]:
    """One status of a question."""
    return {"description": about, "content": {"application/json": {"schema": schema}}}


def document(questions: Dict[str, Any]) -> Dict[str, Any]:
    """The document; questions: as QUESTIONS."""
    paths = {}
    for address, (parameters, question, *_) in questions.items():
        about = (question.__doc__ or "").strip()
        paths[address] = {"get": {
            "summary": about, "operationId": address.rpartition("/")[2],
            "parameters": [{"name": parameter.name, "in": "query", "description": parameter.about,
                            "required": parameter.required, "schema": parameter.schema}
                           for parameter in parameters],
            "responses": {"200": answer_of(about, shape(ANSWERS[address])), **{
                status: answer_of(text, shape("Error")) for status, text in REFUSALS.items()}}}}
    return {"openapi": "3.1.0", "info": {
                "title": "Pointer Wars", "version": __version__,
                "description": "Shortest paths of one graph. Every question is a GET."},
            "paths": paths, "components": {"schemas": SHAPES}}


def human(document: Dict[str, Any], root: str) -> str:
    """The document as a page for a person: what each address answers, and its parameters. root: the
    way from this page to the first one."""
    rows = []
    for address, item in document["paths"].items():
        question = item["get"]
        needs = any(parameter["required"] for parameter in question["parameters"])
        name = f"<code>{address}</code>"
        link = name if needs else f'<a href="{address.rpartition("/")[2]}">{name}</a>'
        parameters = "".join(
            f"<li><code>{parameter['name']}</code>{', needed' if parameter['required'] else ''}: "
            f"{html.escape(parameter['description'])}</li>" for parameter in question["parameters"])
        rows.append(f"<h2>{link}</h2>\n<p>{html.escape(question['summary'])}</p>\n"
                    + (f"<ul>{parameters}</ul>\n" if parameters else ""))
    return ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<title>Questions of this server</title>\n'
            '<link rel="stylesheet" href="' + root + 'page.css">\n</head>\n<body>\n<main>\n'
            "<h1>Questions of this server</h1>\n<p>Each is a GET, and is answered in JSON. "
            '<a href="openapi.json">The OpenAPI document</a> has the shapes of the answers; '
            f'<a href="{root}">the page</a> asks them for you.</p>\n'
            + "".join(rows) + "</main>\n</body>\n</html>\n")
