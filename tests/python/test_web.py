#!/usr/bin/env python3
"""test_web.py - the server of the page answers right, and neither misuse nor damage stops it.

The server runs as a process of its own, on a port that is free, and is asked over HTTP. A search in
Python is the judge. The API is held against its OpenAPI document. PW_TEST_SEED=N repeats a run.
"""
import collections
import concurrent.futures
import contextlib
import gzip
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from random_share import random_share  # noqa: E402

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release")).resolve()
LIBRARY = BUILD / "lib/libpwgraph.so"
SAMPLE = ROOT / "data/sample/borders.tsv"
SEED = int(os.environ.get("PW_TEST_SEED", time.time_ns()))
PATIENCE = 600  # seconds after which a test gives up; nothing here depends on how fast it is


def has_server(python):
    """True if this Python has what the server is built on."""
    return bool(python) and subprocess.run(
        [python, "-c", "import sys, numpy, prometheus_client, starlette, uvicorn; assert sys.version_info >= (3, 9)"],
        stderr=subprocess.DEVNULL, check=False).returncode == 0


PYTHON = next(filter(has_server, (sys.executable, shutil.which("python3", path="/usr/bin"))), None)
for reason, wrong in (("a sanitizer's library needs its run-time library first",
                       os.environ.get("PW_SANITIZE")),
                      ("the libraries are static archives in this build", not LIBRARY.exists()),
                      ("a package that bfs-web needs is not installed: ./setup.sh web",
                       not PYTHON)):
    if wrong:
        print(f"skipped: {reason}")
        sys.exit(77)

ENVIRONMENT = {**os.environ, "POINTER_WARS_LIBRARY": str(LIBRARY), "PYTHONDONTWRITEBYTECODE": "1",
               "POINTER_WARS_BFS": str(BUILD / "bin/bfs"), "PYTHONPATH": str(ROOT / "python/src"),
               "PYTHONUNBUFFERED": "1"}
for display in ("DISPLAY", "WAYLAND_DISPLAY"):
    ENVIRONMENT.pop(display, None)
MAIN = "import sys; from pointer_wars.web.__main__ import main; sys.exit(main())"
WAITS = """
import pathlib, time
from pointer_wars.web import questions
parameters, histogram, pool = questions.QUESTIONS["/api/histogram"]
def waits(asked, values):
    while not pathlib.Path(%r).exists():
        time.sleep(0.01)
    return histogram(asked, values)
questions.QUESTIONS["/api/histogram"] = parameters, waits, pool
"""
FEW_DESCRIPTORS = """
import asyncio, os, resource
from asyncio import constants
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
call, times = asyncio.BaseEventLoop.call_exception_handler, []
def noted(loop, context):
    call(loop, context)
    times.append(loop.time())
    if times[-1] - times[0] >= constants.ACCEPT_RETRY_DELAY:
        os.makedirs(%r, exist_ok=True)
asyncio.BaseEventLoop.call_exception_handler = noted
"""
INHERITS = "import os; os.dup2(0, 3); os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')"

META = b"GET /api/meta HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Server:
    """A server on a graph. before: Python to run first. given: a file that it inherits, and
    that is its standard input."""

    def __init__(self, graph, *options, before="", given=None):
        self.process = subprocess.Popen(
            [PYTHON, "-c", before + "\n" + MAIN, *options, "--port=0", "--no-browser", "--",
             str(graph)], env=ENVIRONMENT, stdin=given, pass_fds=[given.fileno()] if given else (),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.head = [self.process.stdout.readline().decode() for _ in range(2)]
        if not self.head[1]:
            message = self.process.stderr.read().decode()
            self.end()
            raise AssertionError(f"no server: {message}")
        self.port = urllib.parse.urlsplit(self.head[1].strip()).port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """End it; returns what it said on standard error."""
        self.process.kill()
        with self.process:
            return self.process.communicate()[1].decode()

    def get(self, place, method="GET", headers=None, **values):
        """The status, the headers and the content of an answer."""
        query = urllib.parse.urlencode(
            [(name.rstrip("_"), item) for name, value in values.items()
             for item in (value if isinstance(value, list) else [value])])
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, place + ("?" + query if query else ""),
                               headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def ask(self, place, status=200, **values):
        """The JSON of an answer of this status."""
        found, headers, content = self.get(place, **values)
        assert found == status, (place, values, found, content[:500])
        assert headers["content-type"] == "application/json", headers
        return json.loads(content)

    def sockets(self):
        """How many sockets the server has."""
        found = 0
        for file in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                found += os.readlink(file).startswith("socket:")
        return found - 2  # which wake up its loop

    def half(self, text=b"GET /api/meta HTTP/1.1\r\nHost: loc"):
        """A connection on which half a request was sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        connection.sendall(text)
        return connection


def is_open(connection, wait_s=PATIENCE):
    """True if the other side has not closed a connection after so long, and after all that it has sent."""
    connection.settimeout(wait_s)
    try:
        while connection.recv(4096):
            pass
        return False
    except ConnectionError:
        return False
    except socket.timeout:
        return True


def flaws(value, schema, document, place="answer"):
    """What in a value is not as its schema says: a generator of texts."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from flaws(value, document["components"]["schemas"][name], document, place)
        return
    if "oneOf" in schema:
        tried = [list(flaws(value, one, document, place)) for one in schema["oneOf"]]
        if sum(not found for found in tried) != 1:
            yield f"{place}: not one of several: {tried}"
        return
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
             "boolean": bool, "null": type(None)}
    unknown = set(schema) - {"type", "description", "properties", "required", "items", "enum",
                             "additionalProperties", "minItems", "maxItems", "pattern"}
    if unknown:
        yield f"{place}: the test does not know {unknown}"
    kind = schema["type"]
    if not isinstance(value, kinds[kind]) or (isinstance(value, bool) and kind != "boolean"):
        yield f"{place}: {value!r} is not of type {kind}"
    elif kind == "object":
        if set(schema["required"]) - set(value) or set(value) - set(schema["properties"]):
            yield f"{place}: members {sorted(value)}, not {sorted(schema['properties'])}"
        for name in set(value) & set(schema["properties"]):
            yield from flaws(value[name], schema["properties"][name], document, f"{place}.{name}")
    elif kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 60):
            yield f"{place}: {len(value)} items"
        for i, item in enumerate(value):
            yield from flaws(item, schema["items"], document, f"{place}[{i}]")
    elif value not in schema.get("enum", [value]) or not re.search(schema.get("pattern", ""),
                                                                   str(value)):
        yield f"{place}: {value!r}"


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="pointer-wars ü ")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def snapshot(self, source=SAMPLE):
        """A snapshot of a graph."""
        path = self.folder / "graph.pwg"
        subprocess.run([BUILD / "bin/graph-convert", "--quiet", source, path], check=True,
                       stdout=subprocess.DEVNULL)
        return path


class Answers(Case):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(SAMPLE)
        cls.addClassCleanup(cls.server.end)
        cls.document = cls.server.ask("/api/openapi.json")
        cls.titles = sorted({title for line in SAMPLE.read_text(encoding="utf-8").splitlines()
                             if not line.startswith("#") for title in line.split("\t")})

    def test_every_answer_is_as_the_openapi_document_says(self):
        ask = {"/api/meta": [(200, {})], "/api/health": [(200, {})],
               "/api/complete": [(200, {"q": "co"}), (200, {}), (200, {"q": "co", "limit": 1}),
                                 (422, {"limit": 0}), (422, {"limit": "x"}), (422, {"q": "x" * 501})],
               "/api/path": [(200, {"from": "Laos", "to": "Poland"}),
                             (200, {"from": "Laos", "to": "Poland", "mode": "all"}),
                             (200, {"from": "Laos", "to": "Poland", "mode": "all", "through": "China",
                                    "open": 1}),
                             (404, {"from": "Laoss", "to": "Polandd"}),
                             (404, {"from": "Laos", "to": "Poland", "through": "Chinaa"}),
                             (422, {"from": "Laos", "to": "Poland", "open": -1}),
                             (200, {"from": "laos", "to": "Haiti", "mode": "all"}),
                             (200, {"from": "laos", "to": "Haiti"}),
                             (200, {"from": "Laos", "to": "Laos", "mode": "all"}),
                             (200, {"from": "Laos", "to": "Poland", "without": ["China", "india"]}),
                             (404, {"from": "Laoss", "to": "Poland"}), (422, {"from": "", "to": "x"}),
                             (404, {"from": "Laos", "to": "Poland", "without": ["zzzzzzz"]}),
                             (404, {"from": "a\0b", "to": "Laos"}), (422, {"from": "Laos"}),
                             (422, {"from": " \t", "to": "Laos"}),
                             (422, {"from": "Laos", "to": "Laos", "without": ""}),
                             (422, {"from": "Laos", "to": "Laos", "mode": "some"}),
                             (422, {"from": ["Laos", "Laos"], "to": "Laos"}),
                             (422, {"from": "Laos", "to": "Laos", "without": ["China"] * 21}),
                             (422, {"from": "Laos", "to": "Laos", "limit": "9" * 30}),
                             (422, {"from": "Laos", "to": "Laos", "offset": "-1"}),
                             (422, {"from": "Laos", "to": "Laos", "offset": "\u0663"}),
                             (422, {"from": "Laos", "to": "Laos", "offset": 10_001})],
               "/api/longer": [(200, {"from": "Laos", "to": "Poland"}),
                               (200, {"from": "Laos", "to": "Poland", "without": "India", "limit": 3}),
                               (200, {"from": "Laos", "to": "Haiti"}), (422, {"from": "Laos"}),
                               (200, {"from": "Laos", "to": "Poland", "offset": 3}),
                               (404, {"from": "Laoss", "to": "Poland"})],
               "/api/histogram": [(200, {"of": "Laos"}), (200, {"of": "Laos", "direction": "to"}),
                                  (200, {"of": "Haiti", "without": "Laos"}), (422, {}),
                                  (404, {"of": "Laoss"})],
               "/api/costs": [(200, {"from": "Laos", "to": "Poland"}),
                              (200, {"from": "Laos", "to": "Poland", "engine": "classic",
                                     "alloc": ["slab", "malloc"]}),
                              (200, {"from": "Laos", "to": "Poland",
                                     "alloc": ["malloc", "quick-fit", "pool:order=fifo"]}),
                              (422, {"from": "Laos", "to": "Poland",
                                     "alloc": ["malloc", "pool", "slab", "quick-fit"]}),
                              (404, {"from": "Laoss", "to": "Poland"}), (422, {"from": "Laos"}),
                              (422, {"from": "Laos", "to": "Poland", "alloc": "malloc"}),
                              (422, {"from": "Laos", "to": "Poland", "alloc": "null"}),
                              (422, {"from": "Laos", "to": "Poland", "engine": "bitmap"})],
               "/api/random": [(200, {})], "/api/examples": [(200, {})]}
        self.assertEqual(set(ask), set(self.document["paths"]))
        self.assertEqual(self.document["openapi"], "3.1.0")
        for place, requests in ask.items():
            operation = self.document["paths"][place]["get"]
            known = {parameter["name"] for parameter in operation["parameters"]}
            given = {name for _, values in requests for name in values}
            self.assertEqual(given, known, place)
            requests = requests + [(422, {"other": 1})]
            for status, values in requests:
                query = urllib.parse.urlencode(values, doseq=True)
                found = self.server.ask(f"{place}?{query}", status)
                schema = operation["responses"][str(status)]["content"]["application/json"]["schema"]
                self.assertEqual(list(flaws(found, schema, self.document)), [], (place, values))
        for status, method, headers in (
                (405, "POST", {}), (421, "GET", {"Host": "evil.example"}), (405, "BREW", {}),
                (403, "GET", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})):
            found, _, content = self.server.get("/api/meta", method, headers)
            self.assertEqual(found, status)
            schema = self.document["components"]["schemas"]["Error"]
            self.assertEqual(list(flaws(json.loads(content), schema, self.document)), [])
            self.assertIn(str(status), self.document["paths"]["/api/meta"]["get"]["responses"])

    def drawn(self, schema, chance):
        """A value for a parameter, and whether its schema allows it."""
        if schema["type"] == "array":
            items = [self.drawn(schema["items"], chance) for _ in range(chance.choice(
                (0, 1, 2, schema["maxItems"], schema["maxItems"] + 1)))]
            return [value for value, _ in items], len(items) <= schema["maxItems"] and all(
                is_right for _, is_right in items)
        if schema["type"] == "integer":
            least, most = schema["minimum"], schema["maximum"]
            value = chance.choice((least, most, chance.randint(least, most), least - 1, most + 1, "", "1.0"))
            return value, isinstance(value, int) and least <= value <= most
        if "enum" in schema:
            value = chance.choice((*schema["enum"], *schema["enum"], "", "other"))
            return value, value in schema["enum"]
        title = chance.choice(self.titles)
        letter = chr(chance.choice((0, 32, 34, 43, 0xe9, 0x1f600, chance.randrange(0xd800))))
        value = chance.choice((*[title] * 6, title.upper(), title[1:], letter, title + letter, letter * 500,
                               letter * 501, ""))
        return value, len(value) <= schema["maxLength"] and bool(re.search(schema.get("pattern", ""), value))

    def test_random_requests_are_answered_as_the_document_says(self):
        """Also that what a schema forbids is refused. PW_LONG=1: a hundred thousand of them."""
        chance, seen = random.Random(SEED), collections.Counter()
        count = 100_000 if os.environ.get("PW_LONG") else random_share(2000)
        with Server(SAMPLE, "--no-costs") as server, contextlib.closing(
                http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as connection:
            for _ in range(count):
                place, item = chance.choice(list(self.document["paths"].items()))
                operation, fields, is_right, is_careful = item["get"], [], True, chance.random() < 0.6
                for parameter in operation["parameters"]:
                    value, is_allowed = self.drawn(parameter["schema"], chance)
                    while is_careful and not is_allowed:
                        value, is_allowed = self.drawn(parameter["schema"], chance)
                    if chance.random() < (0.6 if not parameter["required"] else 0 if is_careful else 0.1):
                        value, is_allowed = [], not parameter["required"]
                    is_right = is_right and is_allowed
                    values = value if isinstance(value, list) else [value]
                    fields += [(parameter["name"], each) for each in values]
                if not is_careful and chance.random() < 0.1:
                    fields.append(("unknown", "x"))
                    is_right = False
                chance.shuffle(fields)
                asked = place + "?" + urllib.parse.urlencode(fields)
                if len(asked) > 8192:  # uvicorn may take no more
                    continue
                wanted = {422} if not is_right else {503} if place == "/api/costs" else {200, 404}
                with self.subTest(asked[:1000], seed=SEED):
                    connection.request("GET", asked)
                    answer = connection.getresponse()
                    found = json.loads(answer.read())
                    seen[place, answer.status] += 1
                    said = operation["responses"][str(answer.status)]["content"]["application/json"]
                    self.assertEqual(list(flaws(found, said["schema"], self.document)), [])
                    self.assertIn(answer.status, wanted)
        if count >= 2000:  # enough to meet all
            self.assertLessEqual({(place, status) for place in ("/api/path", "/api/longer", "/api/histogram")
                                  for status in (200, 404, 422)}, set(seen))

    def test_a_wrong_answer_would_be_seen(self):
        schema = self.document["components"]["schemas"]["Error"]
        for wrong in ({}, {"error": {"code": 3, "message": ""}}, {"error": {"code": ""}}, [],
                      {"error": {"code": "", "message": "", "more": 1}}):
            self.assertTrue(list(flaws(wrong, schema, self.document)), wrong)

    def test_an_unknown_title_comes_with_suggestions(self):
        error = self.server.ask("/api/path", 404, from_="Laoss", to="Poland")["error"]
        self.assertEqual((error["code"], error["parameter"]), ("unknown_title", "from"))
        self.assertEqual(error["suggestions"], ["Laos"])
        found = self.server.ask("/api/path", from_="laos", to="POLAND")
        self.assertEqual(found["from"]["title"], "Laos")
        self.assertIn('"laos" is taken for "Laos"', found["from"]["note"])
        self.assertEqual(found["paths"], [["Laos", "China", "Russia", "Poland"]])

    def test_costs_are_as_bfs_counts_them(self):
        found = self.server.ask("/api/costs", from_="laos", to="Poland")
        self.assertEqual([row["allocator"] for row in found["rows"]], ["malloc", "pool", "slab"])
        report = subprocess.run(
            [BUILD / "bin/bfs", SAMPLE, "--from=Laos", "--to=Poland", "--alloc=malloc",
             "--engine=plain", "--format=json"], check=True, stdout=subprocess.PIPE).stdout
        search = json.loads(report)["searches"][0]
        self.assertEqual(found["rows"][0]["malloc_calls"], search["malloc_calls"])
        self.assertEqual(found["visited"], search["visited"])
        self.assertEqual((found["queue"]["peak"], found["queue"]["pushed"]),
                         (search["peak_queue"], search["pushed"]))
        self.assertEqual(max(found["queue"]["lengths"]), search["peak_queue"])
        # The median lies between the least and the largest of n values except with 2 / 2^n.
        self.assertAlmostEqual(found["confidence"], 1 - 2 / 2**found["rounds"])
        for row in found["rows"]:
            self.assertTrue(0 < row["seconds_min"] <= row["seconds_median"] <= row["seconds_max"])
            self.assertEqual(row["unfinished"], 0)

    def test_the_queue_is_as_long_as_bfs_counts_it(self):
        names = self.server.ask("/api/complete", q="S", limit=50)["titles"]
        code = ("import json, sys, pointer_wars; from pointer_wars.web.queue_length import *; "
                "g = pointer_wars.load(sys.argv[1]); print(json.dumps([queue_lengths(g, "
                "g.node(sys.argv[2]), g.node(t), 60) for t in sys.argv[3:]]))")
        found = json.loads(subprocess.run([PYTHON, "-c", code, str(SAMPLE), "Chad", *names],
                                          env=ENVIRONMENT, check=True,
                                          stdout=subprocess.PIPE).stdout)
        pairs = self.write("pairs.tsv", "".join(f"Chad\t{name}\n" for name in names))
        report = subprocess.run([BUILD / "bin/bfs", SAMPLE, pairs, "--engine=plain",
                                 "--format=json"], check=True, stdout=subprocess.PIPE).stdout
        self.assertEqual([(queue["peak"], queue["pushed"]) for queue in found],
                         [(search["peak_queue"], search["pushed"])
                          for search in json.loads(report)["searches"]])

    def test_a_search_of_too_many_pushes_has_no_curve(self):
        code = ("import sys, pointer_wars, pointer_wars.web.queue_length as q; "
                "q.PUSHES_MOST = int(sys.argv[1]); "
                "g = pointer_wars.Graph.from_edges([0, 0, 1, 1, 2, 2], [1, 2, 3, 4, 5, 6]); "
                "found = q.queue_lengths(g, 0, 6, 60); print(found and found['pushed'])")
        self.assertEqual([subprocess.run([PYTHON, "-c", code, most], env=ENVIRONMENT, check=True,
                                         stdout=subprocess.PIPE).stdout for most in ("6", "5", "1")],
                         [b"6\n", b"None\n", b"None\n"])

    def test_what_is_typed_is_completed(self):
        titles = self.server.ask("/api/complete", q="Co")["titles"]
        self.assertTrue(titles and all(title.startswith(("Co", "Cô")) for title in titles))
        self.assertEqual(self.server.ask("/api/complete", q="zzzzz")["titles"], [])
        self.assertEqual(self.server.ask("/api/complete")["titles"], [])

    def test_a_random_pair_has_a_path_and_says_how_far_it_is(self):
        for _ in range(20):
            pair = self.server.ask("/api/random")
            ends = pair["from"]["title"], pair["to"]["title"]
            self.assertNotEqual(*ends)
            found = self.server.ask("/api/path", from_=ends[0], to=ends[1])
            self.assertIsNotNone(found["hops"])
            self.assertEqual(found["hops"], pair["hops"])
        edges = "".join(f"a{k}\tb{k}\n" for k in range(300))  # of 300 targets one has a path
        with Server(self.write("apart.tsv", edges)) as server:
            for _ in range(5):
                pair = server.ask("/api/random")
                self.assertEqual((pair["from"]["title"][1:], pair["hops"]),
                                 (pair["to"]["title"][1:], 1))

    def test_examples_are_far_apart_and_always_the_same(self):
        edges = "".join(f"X{i} {k}\tX{i + 1} {m}\n" for i in range(8) for k in range(3)
                        for m in range(3))
        with Server(self.write("far.tsv", edges)) as server:
            found = server.ask("/api/examples")["pairs"]
            self.assertEqual(found, server.ask("/api/examples")["pairs"])
            self.assertEqual(len(found), 3)
            self.assertEqual(len({pair[end]["title"] for pair in found for end in ("from", "to")}), 6)
            for pair in found:
                self.assertIn(pair["hops"], (4, 5, 6))
                self.assertEqual(pair["hops"], server.ask("/api/path", from_=pair["from"]["title"],
                                                          to=pair["to"]["title"])["hops"])
        with Server(self.write("near.tsv", "A\tB\n")) as server:
            self.assertEqual([pair["hops"] for pair in server.ask("/api/examples")["pairs"]], [1])

    def test_the_first_example_has_several_shortest_paths(self):
        road = [f"M{k}\tM{k + 1}\n" for k in range(40)]  # one path for each pair, and a diamond at its end
        side = ["P\tQ\n", "P\tR\n", "Q\tS\n", "R\tS\n"]
        fans = [f"F{k}\tG{k} {i}\nG{k} {i}\tH{k}\n" for k, width in enumerate((30, 3, 25)) for i in range(width)]
        ladder = [f"L{k} {i}\tL{k + 1} {m}\n" for k in range(9) for i in range(2) for m in range(2)]
        for name, edges, fewest in (("near", road + side, 2), ("ladder", road + ladder, 8), ("fans", fans, 3)):
            with Server(self.write(f"{name}.tsv", "".join(edges))) as server:
                first = server.ask("/api/examples")["pairs"][0]
                found = server.ask("/api/path", from_=first["from"]["title"], to=first["to"]["title"], mode="all")
                self.assertEqual(int(found["count"]), fewest, name)

    def test_all_unknown_titles_are_in_one_answer(self):
        error = self.server.ask("/api/path", 404, from_="Laoss", to="Polandd",
                                without=["China", "Indiaa"])["error"]
        self.assertEqual([error["parameter"], *(wrong["parameter"] for wrong in error["others"])],
                         ["from", "to", "without"])
        self.assertIn("Laos", error["suggestions"])
        self.assertIn("India", error["others"][1]["suggestions"])

    def test_paths_through_a_node_are_the_ones_of_all_that_have_it(self):
        layers = [["s"], *([f"{i}-{k}" for k in range(4)] for i in range(3)), ["t"]]
        edges = "".join(f"{u}\t{v}\n" for one, two in zip(layers, layers[1:])
                        for u, v in itertools.product(one, two) if (u, v) != ("0-1", "1-2"))
        with Server(self.write("through.tsv", edges + "s\tx\n")) as server:
            ask = {"from_": "s", "to": "t", "mode": "all"}
            everything = server.ask("/api/path", limit=500, **ask)["paths"]
            for node, hops in (("s", 0), ("0-1", 1), ("1-2", 2), ("2-3", 3), ("t", 4), ("x", None)):
                wanted = [path for path in everything if node in path] if node != "x" else []
                found, offset = [], 0
                while offset < len(wanted) or not offset:
                    part = server.ask("/api/path", through=node, limit=7, offset=offset, **ask)
                    found += part["paths"]
                    offset += 7
                    self.assertEqual(part["more"], offset < len(wanted))
                self.assertEqual(sorted(found), sorted(wanted), node)
                self.assertEqual((part["count"], part["through_hops"], part["hops"]),
                                 (str(len(wanted)), hops, 4))
                self.assertEqual(part["through"]["title"], node)

    def test_a_column_that_is_opened_has_all_its_nodes(self):
        edges = "".join(f"s\t{k}\n{k}\tt\n" for k in range(120))
        with Server(self.write("column.tsv", edges)) as server:
            ask = {"from_": "s", "to": "t", "mode": "all", "limit": 1}
            for opened, count in ((0, 20), (1, 120), (7, 20)):
                column = server.ask("/api/path", open=opened, **ask)["graph"]["columns"][1]
                self.assertEqual((column["size"], len(column["nodes"])), (120, count))

    def test_a_shared_link_has_its_titles_and_never_code(self):
        page = self.server.get("/", from_="<b>New_York", to='"x', tab="far")[2].decode()
        self.assertIn("<title>&lt;b&gt;New York \u2192 &quot;x</title>", page)
        self.assertEqual(page.count("&lt;b&gt;New York \u2192 &quot;x"), 2)
        self.assertEqual(page.count("paths from &lt;b&gt;New York to &quot;x"), 2)
        self.assertNotIn("<b>", page)
        for query in ("?from=a", "?from=&to=b", "?from=%FF\\1&to=b", "?" + "a&" * 100):
            status, _, content = self.server.get("/" + query)
            self.assertEqual((status, b"&lt;" in content), (200, False), query)

    def test_a_graph_may_be_given_a_title(self):
        self.assertEqual(self.server.ask("/api/meta")["title"], "")
        with Server(SAMPLE, "--title=Borders <of> 2007") as server:
            self.assertEqual(server.ask("/api/meta")["title"], "Borders <of> 2007")

    def test_a_node_may_be_given_a_noun(self):
        self.assertEqual(self.server.ask("/api/meta")["noun"], ["node", "nodes"])
        with Server(SAMPLE, "--noun=sea port / sea ports") as server:
            self.assertEqual(server.ask("/api/meta")["noun"], ["sea port", "sea ports"])
        for wrong in ("port", "port/", "/ports", "port/ports/x", "", " / "):
            done = subprocess.run([PYTHON, "-c", MAIN, f"--noun={wrong}", str(SAMPLE)], env=ENVIRONMENT,
                                  stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn(f"--noun: expected ONE/MANY, as country/countries, found {wrong!r}",
                          done.stderr.decode())

    def test_a_graph_has_the_day_of_its_file(self):
        file = self.write("old.tsv", "a\tb\n")
        os.utime(file, (1_000_000_000,) * 2)
        with Server(file) as server:
            self.assertRegex(server.ask("/api/meta")["date"], "2001-09-0[89]")
        with open(file, "rb") as text, Server("-", given=text) as server:
            self.assertIsNone(server.ask("/api/meta")["date"])

    def test_who_takes_gzip_gets_it(self):
        longer = "/api/path?from=Laos&to=Poland&mode=all"
        for place in ("/", "/page.js", "/api/openapi.json", "/api/"):
            _, headers, content = self.server.get(place)
            self.assertNotIn("content-encoding", headers)
            for wanted in ("gzip", "deflate, gzip;q=0.5"):
                _, headers, packed = self.server.get(place, headers={"Accept-Encoding": wanted})
                self.assertEqual(headers["content-encoding"], "gzip", (place, wanted))
                self.assertEqual(headers["content-length"], str(len(packed)))
                self.assertIn("Accept-Encoding", headers["vary"])
                self.assertEqual(gzip.decompress(packed), content)
                self.assertLess(len(packed), len(content) / 2)
            for wanted in ("br", "identity", ""):
                headers = self.server.get(place, headers={"Accept-Encoding": wanted})[1]
                self.assertNotIn("content-encoding", headers, (place, wanted))
        for place, status in (("/api/meta", 200), (longer, 200), ("/nothing", 404)):  # short ones
            found, headers, content = self.server.get(place, headers={"Accept-Encoding": "gzip"})
            self.assertEqual(found, status)
            self.assertEqual("content-encoding" in headers, len(content) >= 1024, place)
            json.loads(content)
        found, _, content = self.server.get("/page.js", "HEAD", {"Accept-Encoding": "gzip"})
        self.assertEqual((found, content), (200, b""))

    def test_what_a_browser_has_is_not_sent_again(self):
        for place in ("/", "/api/", "/page.css", "/icon.svg"):
            _, headers, content = self.server.get(place)
            self.assertEqual(headers["cache-control"], "no-cache")
            tag = headers["etag"]
            if tag is None:  # a page that is made for each question
                continue
            status, headers, again = self.server.get(place, headers={"If-None-Match": tag})
            self.assertEqual((status, again, headers["etag"]), (304, b"", tag), place)
            self.assertIn("default-src 'none'", headers["content-security-policy"])
            status, _, again = self.server.get(place, headers={"If-None-Match": '"other"'})
            self.assertEqual((status, again), (200, content))
        for place in ("/api/meta", "/api/path?from=Laos&to=Poland"):
            headers = self.server.get(place)[1]
            self.assertEqual((headers["cache-control"], headers["etag"]), ("no-store", None))

    def test_what_the_page_names_may_be_kept_for_a_year(self):
        page = self.server.get("/")[2].decode()
        named = re.findall(r'="([0-9a-f]{16})/([^"]+)"', page)
        self.assertEqual({name for _, name in named}, {"page.css", "page.js", "icon.svg"})
        folder, seen, waiting = named[0][0], set(), [name for _, name in named]
        while waiting:  # modules name each other beside themselves
            name = waiting.pop()
            seen.add(name)
            status, headers, content = self.server.get(f"/{folder}/{name}")
            self.assertEqual((status, headers["cache-control"]),
                             (200, "public, max-age=31536000, immutable"), name)
            self.assertEqual(content, self.server.get(f"/{name}")[2])
            waiting += set(re.findall(r'from "\./([a-z]+\.js)"', content.decode())) - seen
        self.assertEqual(len(seen), 11)
        changed = """
import pathlib
read = pathlib.Path.read_bytes
pathlib.Path.read_bytes = lambda path: read(path) + b" " * (path.name == "order.js")
"""
        with Server(SAMPLE, before=changed) as server:
            self.assertNotIn(folder, server.get("/")[2].decode())

    def test_a_person_may_read_what_can_be_asked(self):
        for folder in ("/api/", "/api/v1/"):
            status, headers, content = self.server.get(folder)
            self.assertEqual((status, headers["content-type"]), (200, "text/html; charset=utf-8"))
            text = content.decode()
            for address, item in self.document["paths"].items():
                self.assertIn(f"<code>{address}</code>", text)
                for parameter in item["get"]["parameters"]:
                    self.assertIn(f"<li><code>{parameter['name']}</code>", text)
            links = {urllib.parse.urljoin(folder, link) for link in re.findall(r'href="([^"]+)"', text)}
            self.assertLessEqual({"/", "/page.css", f"{folder}openapi.json"}, links)
            for place in links:
                self.assertEqual(self.server.get(place)[0], 200, (folder, place))

    def test_foreign_names_are_refused(self):
        port = self.server.port
        for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "", "8.8.8.8",
                     "127.0.0.1.evil.example", b"127.0.0.1:\xb2", "[::2]", "localhost@evil.example", "::1"):
            for place in ("/", "/api/meta", "/page.js", "/nothing"):
                status, _, content = self.server.get(place, headers={"Host": host})
                self.assertEqual(status, 421, (host, place))
                self.assertNotIn(b"nodes", content)
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST.", "[::1]:80", "127.9.9.9"):
            self.assertEqual(self.server.get("/api/meta", headers={"Host": host})[0], 200, host)
        for text in (b"GET /api/meta HTTP/1.0\r\n\r\n",
                     b"GET /api/meta HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"):
            with self.server.half(text) as connection:
                self.assertRegex(connection.recv(100), rb"^HTTP/1.[01] 4(21|00)")

    def test_no_other_site_may_ask(self):
        for headers, status in (
                ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
                ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200),
                ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, 403),
                ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"}, 403),
                ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"}, 200),
                ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200),
                ({"Origin": "https://evil.example"}, 200)):
            found, answered, _ = self.server.get("/api/meta", headers=headers)
            self.assertEqual(found, status, headers)
            self.assertNotIn("access-control-allow-origin", answered)
        for place in ("/", "/page.css", "/page.js", "/api/meta", "/nothing"):
            headers = self.server.get(place)[1]
            self.assertIn("default-src 'none'; script-src 'self'",
                          headers["content-security-policy"])
            self.assertEqual(headers["x-content-type-options"], "nosniff")

    def test_what_is_no_request_is_refused(self):
        schema = self.document["components"]["schemas"]["Error"]
        for text, status in (
                (b"nonsense\r\n\r\n", 400), (b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
                (b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                (b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
                (b"GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
                (b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                (b"POST /api/meta HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
                (b"POST /api/meta HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405)):
            with self.server.half(text) as connection:
                answer = http.client.HTTPResponse(connection)
                answer.begin()
                self.assertEqual(answer.status, status, text)
                if status == 400:
                    self.assertFalse(is_open(connection), text)
                    continue
                for name in ("content-security-policy", "x-content-type-options", "cache-control"):
                    self.assertIn(name, answer.headers, text)
                self.assertEqual(answer.headers["content-type"], "application/json", text)
                found = json.loads(answer.read())
                self.assertEqual(list(flaws(found, schema, self.document)), [], text)

    def test_no_upgrade_happens(self):
        for wanted in ("websocket", "h2c"):
            with self.server.half(META[:-2] + b"Connection: Upgrade\r\nUpgrade: " + wanted.encode() +
                                  b"\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n"
                                  ) as connection:
                answer = http.client.HTTPResponse(connection)
                answer.begin()
                self.assertIn(answer.status, (200, 400), wanted)  # some uvicorn ignores it

    def test_nonsense_after_a_request_takes_no_answers_place(self):
        with self.server.half(META + b"nonsense\r\n\r\n") as connection:
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            self.assertEqual(answer.status, 200)

    def test_only_get_is_answered(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
            for place in ("/", "/api/path", "/api/openapi.json"):
                self.assertEqual(self.server.get(place, method)[0], 405, (method, place))
        self.assertEqual(self.server.get("/api/meta", "HEAD")[2], b"")
        for place in ("/api", "/api/meta/", "/page.html", "/../page.py", "/%2e%2e/server.py", "/x"):
            self.assertEqual(self.server.get(place)[0], 404, place)

    def test_a_request_may_not_be_long(self):
        self.assertEqual(self.server.get("/api/complete?q=" + "%20" * 501)[0], 422)
        body = b"Content-Length: %d\r\nHost: localhost\r\n\r\n"
        chunks = b"Transfer-Encoding: chunked\r\nHost: localhost\r\n\r\n" + 200 * (b"400\r\n" + bytes(1024) + b"\r\n")
        for text, status in ((b"GET /" + b"x" * 2_000_000, 400), (b"GET / HTTP/1.1\r\nX: " + b"x" * 2_000_000, 400),
                             (b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 200_000, 400),
                             (b"POST / HTTP/1.1\r\n" + body % 200_000 + bytes(200_000), 405),
                             (b"POST / HTTP/1.1\r\n" + chunks, 405)):
            # Bytes that nobody has read may take the answer back, and the connection ends.
            with contextlib.suppress(ConnectionError) if status == 400 else contextlib.nullcontext():
                with self.server.half(text) as connection:
                    answer = http.client.HTTPResponse(connection)
                    answer.begin()
                    self.assertEqual(answer.status, status, text[:20])
                    self.assertEqual(is_open(connection, 0.1), status != 400)
        self.assertEqual(self.server.get("/api/meta")[0], 200)

    def test_pages_of_the_tree_are_what_is_served(self):
        files = ROOT / "python/src/pointer_wars/web/static"
        names = {"/" + file.name: file.name for file in files.iterdir() if file.name != "page.html"}
        for place, name in {"/": "page.html", **names}.items():
            self.assertEqual(re.sub(b'="[0-9a-f]{16}/', b'="', self.server.get(place)[2]),
                             (ROOT / "python/src/pointer_wars/web/static" / name).read_bytes())


class Graphs(Case):
    def test_paths_are_as_a_plain_search_finds_them(self):
        chance = random.Random(SEED)
        edges = {(chance.randrange(40), chance.randrange(40)) for _ in range(90)}
        out = collections.defaultdict(set)
        for u, v in edges:
            out[u].add(v)
        graph = self.write("g.txt", "".join(f"{u} {v}\n" for u, v in sorted(edges)))
        names = sorted({str(node) for edge in edges for node in edge})
        with Server(graph) as server:
            for _ in range(random_share(60)):
                source, target, avoided = chance.choice(names), chance.choice(names), chance.choice(names)
                without = chance.choice([[], [avoided]])
                paths = all_paths(out, int(source), int(target), {int(name) for name in without})
                found = server.ask("/api/path", from_=source, to=target, mode="all", limit=500,
                                   without=without)
                asked = (SEED, source, target, without)
                self.assertEqual(found["count"], str(len(paths)), asked)
                self.assertEqual(found["hops"], len(paths[0]) - 1 if paths else None, asked)
                self.assertEqual(sorted(found["paths"]), sorted(
                    [str(node) for node in path] for path in paths[:500]), asked)
                one = server.ask("/api/path", from_=source, to=target, without=without)
                self.assertEqual(one["hops"], found["hops"], asked)
                self.assertTrue(all(path in found["paths"] for path in one["paths"]), asked)
                if paths:
                    self.check_drawing(found)
                longer = server.ask("/api/longer", from_=source, to=target, without=without, limit=500)
                wanted = list(walks(out, [int(source)], int(target), len(paths[0]),
                                    {int(name) for name in without})) if paths else []
                self.assertEqual(longer["count"], str(len(wanted)), asked)
                self.assertEqual(longer["hops"], found["hops"] + 1 if wanted else None, asked)
                self.assertEqual(sorted(longer["paths"]), sorted(
                    [str(node) for node in path] for path in wanted), asked)
                rest = server.ask("/api/longer", from_=source, to=target, without=without, offset=2)
                self.assertEqual((rest["paths"], rest["offset"]), (longer["paths"][2:], 2), asked)
                counts = server.ask("/api/histogram", of=source, without=without)["counts"]
                if paths and source != target:
                    self.assertGreater(len(counts), found["hops"])

    def check_drawing(self, found):
        """The picture has the nodes and the links of the paths."""
        columns, links = found["graph"]["columns"], found["graph"]["links"]
        titles = [[node["title"] for node in column["nodes"]] for column in columns]
        self.assertEqual({(c, titles[c - 1][i], titles[c][k]) for c, i, k in links},
                         {(c, path[c - 1], path[c]) for path in found["paths"]
                          for c in range(1, len(path))})

    def test_as_many_paths_as_there_are_grains_of_sand(self):
        layers = [["s"]] + [[f"{layer}-{k}" for k in range(10)] for layer in range(30)] + [["t"]]
        text = "".join(f"{u}\t{v}\n" for one, two in zip(layers, layers[1:])
                       for u, v in itertools.product(one, two))
        with Server(self.write("g.tsv", text)) as server:
            found = server.ask("/api/path", from_="s", to="t", mode="all")
            self.assertEqual((found["hops"], found["count"]), (31, "1" + "0" * 30))
            self.assertEqual((len(found["paths"]), found["more"]), (50, True))
            self.assertLessEqual(sum(len(column["nodes"]) for column in found["graph"]["columns"]), 200)
            self.assertEqual([column["size"] for column in found["graph"]["columns"]],
                             [1] + [10] * 30 + [1])
            last = server.ask("/api/path", from_="s", to="t", mode="all", offset=10_000, limit=500)
            self.assertEqual((len(last["paths"]), last["more"]), (500, True))
            self.assertEqual(len({tuple(path) for path in last["paths"]}), 500)
            self.assertFalse({tuple(path) for path in last["paths"]} &
                             {tuple(path) for path in found["paths"]})

    def test_a_drawing_is_not_tall(self):
        for many in (1000, 25_000):  # of so many the first are drawn, not those with the most links
            text = "".join(f"s\t{k}\n{k}\tt\n" for k in range(many))
            with Server(self.write("g.tsv", text)) as server:
                columns = server.ask("/api/path", from_="s", to="t", mode="all")["graph"]["columns"]
                self.assertEqual([(column["size"], len(column["nodes"])) for column in columns],
                                 [(1, 1), (many, 20), (1, 1)])

    def test_more_paths_are_promised_until_the_last(self):
        text = "".join(f"s\t{k}\n{k}\tt\n" for k in range(5))
        with Server(self.write("g.tsv", text)) as server:
            for offset, limit, listed, more in ((0, 4, 4, True), (0, 5, 5, False), (3, 1, 1, True),
                                                (3, 2, 2, False), (4, 1, 1, False)):
                found = server.ask("/api/path", from_="s", to="t", mode="all", offset=offset, limit=limit)
                self.assertEqual((len(found["paths"]), found["more"]), (listed, more), (offset, limit))
        text = "s\tt\n" + text  # now these are one hop longer than the shortest
        with Server(self.write("g.tsv", text)) as server:
            for offset, limit, listed, more in ((0, 4, 4, True), (0, 5, 5, False), (3, 1, 1, True),
                                                (3, 2, 2, False), (4, 1, 1, False)):
                found = server.ask("/api/longer", from_="s", to="t", offset=offset, limit=limit)
                self.assertEqual((len(found["paths"]), found["more"]), (listed, more), (offset, limit))

    def test_a_drawing_that_leaves_nodes_out_has_those_with_the_most_links(self):
        """Each of 30 nodes after "s" leads to one of the second column, the last ten to all."""
        second = [f"b{k}" for k in range(30)]
        links = [("s", f"a{k}") for k in range(30)] + [(node, "t") for node in second]
        links += [(f"a{k}", second[k]) for k in range(30)]
        links += [(f"a{k}", node) for k in range(20, 30) for node in second if node != second[k]]
        with Server(self.write("g.tsv", "".join(f"{u}\t{v}\n" for u, v in links))) as server:
            columns = server.ask("/api/path", from_="s", to="t", mode="all")["graph"]["columns"]
        drawn = {node["title"] for node in columns[1]["nodes"]}
        self.assertLess(len(drawn), 30)
        self.assertLessEqual({f"a{k}" for k in range(20, 30)}, drawn)

    def test_a_path_of_a_hundred_thousand_hops(self):
        with Server(self.write("g.txt", "".join(f"{u} {u + 1}\n" for u in range(100_000)))) as server:
            for mode in ("one", "all"):
                found = server.ask("/api/path", from_="0", to="100000", mode=mode)
                self.assertEqual((found["hops"], found["paths"], found["more"]), (100_000, [], True))
            self.assertEqual(len(found["graph"]["columns"]), 40)
            self.assertEqual(found["graph"]["skipped"], 100_001 - 40)
            found = server.ask("/api/histogram", of="0")
            self.assertEqual((len(found["counts"]), found["more"]), (1000, True))

    def test_one_node_no_path_and_titles_that_are_code(self):
        evil = "<script>alert(1)</script>"
        with Server(self.write("g.tsv", f"{evil}\ta&b\"'\na&b\"'\tc\n")) as server:
            found = server.ask("/api/path", from_=evil, to="c", mode="all")
            self.assertEqual(found["paths"], [[evil, "a&b\"'", "c"]])
            back = server.ask("/api/path", from_="c", to=evil, mode="all")
            self.assertEqual((back["hops"], back["count"], back["paths"], back["graph"]),
                             (None, "0", [], None))
            self.assertEqual(server.get("/api/complete", q="<")[1]["content-type"],
                             "application/json")
        with Server(self.write("one.txt", "7 7\n")) as server:
            found = server.ask("/api/path", from_="7", to="7", mode="all")
            self.assertEqual(found["paths"], [["7", "7"]])
            self.assertEqual(server.ask("/api/random")["from"]["title"], "7")
        with Server(self.write("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                           "1 1 0\n")) as server:
            self.assertIsNone(server.ask("/api/path", from_="1", to="1", mode="all")["hops"])
            self.assertEqual(server.ask("/api/random", 404)["error"]["code"], "no_edges")

    def test_bytes_that_are_not_utf8_in_a_title(self):
        names = self.write("names", b"Caf\xe9\nB\nC\n")
        with Server(self.write("ids.txt", "1 2\n2 3\n"), f"--names={names}") as server:
            found = server.ask("/api/path?from=Caf%E9&to=C")
            self.assertEqual(found["paths"], [["Caf\ufffd", "B", "C"]])
            self.assertEqual(server.ask("/api/complete", q="Caf")["titles"], ["Caf\ufffd"])

    def test_a_wiki_is_called_by_its_language_and_project_or_by_a_name_of_its_own(self):
        code = ("import json; from pointer_wars.web.questions import wiki_title; "
                "print(json.dumps([wiki_title(*pair) for pair in %r]))")
        hosts = {"commons.wikimedia.org": "Wikimedia Commons", "www.mediawiki.org": "MediaWiki",
                 "www.wikidata.org": "Wikidata", "meta.wikimedia.org": "Meta-Wiki",
                 "species.wikimedia.org": "Wikispecies", "en.wikipedia.org": "English Wikipedia",
                 "be-tarask.wikipedia.org": "be-tarask Wikipedia",
                 "de.wiktionary.org": "German Wiktionary"}
        asked = [("x", f"https://{host}") for host in hosts] + [("other", None), (None, None)]
        found = json.loads(subprocess.run([PYTHON, "-c", code % asked], env=ENVIRONMENT, check=True,
                                          stdout=subprocess.PIPE).stdout)
        self.assertEqual(found, [*hosts.values(), "other", None])

    def test_a_wiki_has_pages_redirects_and_a_date(self):
        programs = [BUILD / name for name in ("tests/wikipedia-generate", "bin/wikipedia-import")]
        if not all(program.exists() for program in programs):
            self.skipTest("the programs of wikipedia/ are not built")
        dumps, wiki = self.folder / "dumps", self.folder / "wiki.pwg"
        for command in ([programs[0], "--pages=500", "--templates=3", dumps],
                        [programs[1], "--without-templates", dumps, wiki]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        with Server(wiki) as server:
            self.assertIs(server.ask("/api/meta")["without_templates"], True)
        subprocess.run([programs[1], dumps, wiki], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with Server(wiki) as server:
            meta = server.ask("/api/meta")
            self.assertIs(meta["without_templates"], False)
            self.assertRegex(meta["date"], r"^\d{4}-\d\d-\d\d$")
            self.assertRegex(meta["address"], r"^https://[a-z]+\.wikipedia\.org/\?curid=$")
            found = server.ask("/api/path", from_="USA", to="Banana", mode="all")
            self.assertIn("redirects to", found["from"]["note"])
            self.assertEqual([page is not None for pages in found["page_ids"] for page in pages],
                             [True for path in found["paths"] for _ in path])


def walks(out, begin, target, edges, avoided):
    """All paths with `edges` edges that go on from `begin`. Only the target may be its first node."""
    if len(begin) == edges + 1:
        if begin[-1] == target:
            yield begin
        return
    for node in out[begin[-1]] - avoided:
        if node not in begin or (node == target == begin[0] and len(begin) == edges):
            yield from walks(out, begin + [node], target, edges, avoided)


def all_paths(out, source, target, avoided):
    """All shortest paths, by a plain search over whole paths."""
    if {source, target} & avoided:
        return []
    front, seen = [[source]], set()
    while front:
        longer = [path + [v] for path in front for v in out[path[-1]] - avoided - seen]
        if any(path[-1] == target for path in longer):
            return [path for path in longer if path[-1] == target]
        seen |= {path[-1] for path in longer}
        front = longer
    return []


class Reliable(Case):
    def test_a_slow_question_stops_no_other(self):
        go = self.folder / "go"
        with Server(SAMPLE, before=WAITS % str(go)) as server:
            place = "/api/histogram?of=Laos"
            slow = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
                    for _ in range(64)]
            for connection in slow:
                connection.request("GET", place)
            while server.get(place)[0] != 503:  # until all have been seen
                time.sleep(0.01)
            self.assertEqual(server.ask(place, 503)["error"]["code"], "busy")
            for _ in range(20):
                self.assertEqual(server.ask("/api/path", from_="Laos", to="Poland")["hops"], 3)
            go.touch()
            for connection in slow:
                with contextlib.closing(connection):
                    self.assertEqual(connection.getresponse().status, 200)
            self.assertEqual(server.ask(place)["counts"][0], 1)

    def test_slow_paths_stop_no_suggestions(self):
        go = self.folder / "go"
        with Server(SAMPLE, before=WAITS.replace("histogram", "path") % str(go)) as server:
            place = "/api/path?from=Laos&to=Poland&mode=all"
            slow = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
                    for _ in range(64)]
            for connection in slow:
                connection.request("GET", place)
            while server.get(place)[0] != 503:
                time.sleep(0.01)
            self.assertEqual(server.ask("/api/complete", q="Lao")["titles"], ["Laos"])
            for question in ("meta", "openapi.json"):
                server.ask("/api/" + question)
            go.touch()
            for connection in slow:
                with contextlib.closing(connection):
                    self.assertEqual(connection.getresponse().status, 200)

    def test_a_question_that_has_waited_too_long_is_not_begun(self):
        """Two threads take the first two; the patience with the third is over when it comes."""
        go, both = self.folder / "go", self.folder / "both"
        before = WAITS % str(go) + f"""
from pointer_wars.web import application
application.PATIENCE, begun = {PATIENCE}, []
def counted(asked, values):
    begun.append(values)
    if len(begun) == 2:
        application.PATIENCE = -1
        pathlib.Path({str(both)!r}).touch()
    return waits(asked, values)
questions.QUESTIONS["/api/histogram"] = parameters, counted, pool
"""
        with Server(SAMPLE, before=before) as server, contextlib.ExitStack() as closing:
            asking = [closing.enter_context(contextlib.closing(
                http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)))
                for _ in range(3)]
            for connection in asking[:2]:
                connection.request("GET", "/api/histogram?of=Laos")
            while not both.exists():
                self.assertIsNone(server.process.poll())
                time.sleep(0.01)
            asking[2].request("GET", "/api/histogram?of=Laos")
            go.touch()
            answers = [connection.getresponse() for connection in asking]
            self.assertEqual([answer.status for answer in answers], [200, 200, 503])
            self.assertEqual(json.loads(answers[2].read())["error"]["code"], "busy")

    def test_slow_and_half_requests_stop_no_other(self):
        """Also clients that ask much and take no answer."""
        with Server(SAMPLE) as server, contextlib.ExitStack() as closing:
            for text in (b"", b"GET", b"GET / HTTP/1.1\r\nHost: localhost\r\nX",
                         b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf"):
                for _ in range(25):
                    closing.enter_context(server.half(text))
            for _ in range(25):
                deaf = closing.enter_context(socket.socket())
                deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                deaf.connect(("127.0.0.1", server.port))
                deaf.sendall(b"GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
            for _ in range(20):
                self.assertEqual(server.ask("/api/path", from_="Laos", to="Poland")["hops"], 3)

    def test_connections_over_the_limit_are_refused(self):
        few = "from pointer_wars.web import server; server.MOST = 10"
        with Server(SAMPLE, before=few) as server:
            with contextlib.ExitStack() as closing:
                for _ in range(15):
                    closing.enter_context(server.half())
                self.assertEqual(server.get("/api/meta")[0], 503)
            end = time.monotonic() + PATIENCE
            while server.get("/api/meta")[0] != 200:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)

    def test_a_connection_without_requests_is_closed(self):
        short = "from pointer_wars.web import server; server.SILENCE = 1"
        with Server(SAMPLE, before=short) as server, contextlib.ExitStack() as closing:
            quiet = [closing.enter_context(server.half(META)) for _ in range(10)]
            for connection in quiet:  # wait until it is closed, and leave the answer unread
                end = select.poll()
                end.register(connection, select.POLLRDHUP)
                self.assertTrue(end.poll(1000 * PATIENCE), "a connection is kept")
            self.assertEqual(server.sockets(), 1)

    def test_ctrl_c_ends_it_whatever_it_does(self):
        short = "from pointer_wars.web import server; server.GRACE = 0.1\n"
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 0)):
            with Server(SAMPLE, before=short + WAITS % "/nowhere/at all") as server, server.half(), \
                    server.half(b"GET /api/histogram?of=Laos HTTP/1.1\r\nHost: localhost\r\n\r\n"):
                self.assertEqual(server.get("/api/meta")[0], 200)
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(PATIENCE), status)
                self.assertEqual(server.process.stderr.read(), b"")

    def test_sigterm_finishes_what_is_under_way(self):
        go, begun = self.folder / "go", self.folder / "begun"
        long = f"from pointer_wars.web import server; server.GRACE = {PATIENCE}\n"
        before = long + (WAITS % str(go)).replace("    while", f"    pathlib.Path({str(begun)!r}).touch()\n    while")
        with Server(SAMPLE, before=before) as server, server.half(META) as idle, server.half(
                b"GET /api/histogram?of=Laos HTTP/1.1\r\nHost: localhost\r\n\r\n") as asking:
            while not begun.exists():
                time.sleep(0.01)
            server.process.send_signal(signal.SIGTERM)
            self.assertFalse(is_open(idle))  # so the end has begun
            go.touch()
            answer = http.client.HTTPResponse(asking)
            answer.begin()
            self.assertEqual(json.loads(answer.read())["counts"][:2], [1, 5])
            self.assertEqual(server.process.wait(PATIENCE), 0)
            self.assertEqual(server.process.stderr.read(), b"")

    def test_a_terminal_that_goes_ends_it(self):
        begin = ("import fcntl, os, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
                 "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)")
        terminal, other = os.openpty()
        with open(other, "rb", buffering=0) as given, Server(SAMPLE, before=begin, given=given) as server:
            self.assertEqual(server.get("/api/meta")[0], 200)
            os.close(terminal)
            self.assertEqual(server.process.wait(PATIENCE), 128 + signal.SIGHUP)

    def until(self, server, openings):
        """Wait until a server has opened its graph so often; what it says then."""
        end = time.monotonic() + PATIENCE
        while (found := server.ask("/api/health"))["openings"] < openings:
            self.assertLess(time.monotonic(), end, found)
            time.sleep(0.001)
        return found

    @staticmethod
    def holds_an_old_graph(server):
        """True if a server has a graph open whose file has another name now, or none."""
        process = pathlib.Path(f"/proc/{server.process.pid}")
        held = [process.joinpath("maps").read_text()]
        for file in process.joinpath("fd").iterdir():
            with contextlib.suppress(OSError):
                held.append(os.readlink(file))
        return any("graph.pwg (deleted)" in each for each in held)

    def test_a_graph_that_is_replaced_is_opened_and_the_old_one_goes(self):
        """A question that has begun is answered from the old graph, which is gone after it, also
        if others were refused."""
        go, begun = self.folder / "go", self.folder / "begun"
        graph = self.snapshot()
        before = (WAITS % str(go)).replace("    while", f"    pathlib.Path({str(begun)!r}).touch()\n    while")
        with Server(graph, before=before) as server, server.half(
                b"GET /api/histogram?of=Laos HTTP/1.1\r\nHost: localhost\r\n\r\n") as asking:
            while not begun.exists():
                time.sleep(0.01)
            server.ask("/api/path", 404, from_="Laoss", to="Poland")
            other = self.folder / "other.pwg"
            subprocess.run([BUILD / "bin/graph-convert", "--quiet",
                            self.write("b.tsv", "Laos\tPoland\n"), other], check=True)
            other.replace(graph)
            self.assertIsNone(self.until(server, 2)["failure"])
            self.assertEqual(server.ask("/api/path", from_="Laos", to="Poland")["hops"], 1)
            self.assertTrue(self.holds_an_old_graph(server))
            go.touch()
            answer = http.client.HTTPResponse(asking)
            answer.begin()
            self.assertEqual(json.loads(answer.read())["counts"][:2], [1, 5])
            end = time.monotonic() + PATIENCE
            while self.holds_an_old_graph(server):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)

    def test_reloads_under_load_refuse_nothing(self):
        """PW_LONG=1: a thousand of them."""
        graph, times = self.snapshot(), 1000 if os.environ.get("PW_LONG") else random_share(30)
        hangs = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)"  # nohup has it ignored
        with Server(graph, before=hangs) as server:
            is_over, answers = threading.Event(), []

            def load():
                with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:
                    while not is_over.is_set():
                        connection.request("GET", "/api/path?from=Laos&to=Poland&mode=all")
                        answer = connection.getresponse()
                        answers.append((answer.status, json.loads(answer.read())["hops"]))
            with concurrent.futures.ThreadPoolExecutor(4) as asking:
                running = [asking.submit(load) for _ in range(4)]
                try:
                    for i in range(times):
                        server.process.send_signal(signal.SIGHUP)
                        self.until(server, i + 2)
                finally:
                    is_over.set()
                for each in running:
                    each.result()
            self.assertEqual(set(answers), {(200, 3)})
            files = list(pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir())
            self.assertLess(len(files), 30)

    def test_mixed_load_leaves_memory_and_descriptors_as_they_are(self):
        """PW_LONG=1: a million questions, some ten minutes. A count and not an hour, so that a slow
        machine asks as much."""
        each = 250_000 if os.environ.get("PW_LONG") else max(1000, random_share(3000))
        asked = ["/", "/api/", "/page.js", "/api/meta", "/api/random", "/api/examples", "/api/complete?q=L",
                 "/api/path?from=Laos&to=Poland&mode=all", "/api/path?from=Laoss&to=Poland", "/nothing",
                 "/api/longer?from=Laos&to=Poland", "/api/histogram?of=Laos", "/api/path?from=" + "x" * 9000,
                 "/api/path?from=Laos&to=Poland&without=China"]
        with Server(self.snapshot()) as server:
            def used():
                folder = pathlib.Path(f"/proc/{server.process.pid}")
                found = re.search(r"^RssAnon:\s+(\d+)", (folder / "status").read_text(), re.M)
                return int(found[1]), len(list((folder / "fd").iterdir()))

            def load(number, count):
                chance, statuses = random.Random(number), set()
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
                for _ in range(count):
                    coding = chance.choice(("gzip", "identity"))
                    if chance.random() < 0.05:  # clients that go in the middle of a request, and of an answer
                        server.half().close()
                        server.half(b"GET /api/longer?from=Laos&to=Poland HTTP/1.1\r\nHost: localhost\r\n\r\n").close()
                    connection.request("GET", chance.choice(asked), headers={"Accept-Encoding": coding})
                    answer = connection.getresponse()
                    answer.read()
                    statuses.add(answer.status)
                    if chance.random() < 0.05:
                        connection.close()
                connection.close()
                return statuses

            with concurrent.futures.ThreadPoolExecutor(4) as asking:
                rounds = []
                for part in range(4):
                    found = set().union(*asking.map(load, range(4 * part, 4 * part + 4), [each // 4] * 4))
                    self.assertEqual(found, {200, 404, 422})
                    server.ask("/api/health")  # what has ended before is closed by now
                    rounds.append(used())
            memory, files = zip(*rounds)
            self.assertLess(memory[-1], 1.1 * memory[0] + 2048, rounds)
            self.assertLess(files[-1], files[0] + 10, rounds)

    def test_a_graph_that_is_replaced_by_none_stays(self):
        graph = self.snapshot()
        with Server(graph) as server:
            other = self.write("other.pwg", b"nothing")
            other.replace(graph)
            end = time.monotonic() + PATIENCE
            while not (found := server.ask("/api/health"))["failure"]:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
            self.assertEqual(found["openings"], 1)
            self.assertIn("graph.pwg", found["failure"])
            self.assertEqual(server.ask("/api/path", from_="Laos", to="Poland")["hops"], 3)
            self.assertEqual(server.ask("/api/histogram", of="Laos")["counts"][:2], [1, 5])

    def test_a_graph_that_is_changed_in_place_is_a_clear_error(self):
        graph = self.snapshot()
        whole = graph.read_bytes()
        for change in (b"", whole[:4096], whole[:4096] + bytes(len(whole) - 4096)):
            graph.write_bytes(whole)
            statuses = set()
            with Server(graph) as server:
                with open(graph, "r+b") as file:  # the same file, unlike a replaced one
                    file.truncate(len(change))
                    file.write(change)
                for place in ("/api/path?from=Laos&to=Poland&mode=all", "/api/histogram?of=Laos"):
                    status, _, content = server.get(place)
                    statuses.add(status)
                    if status != 200:
                        error = json.loads(content)["error"]
                        self.assertEqual((status, error["code"]), (500, "damaged_graph"), error)
                        self.assertIn("graph.pwg", error["message"])
                self.assertEqual(server.get("/api/meta")[0], 200)
                self.assertIn(500, statuses)
                self.assertNotIn("Traceback", server.end())

    def test_a_damaged_graph_is_refused_or_found_out(self):
        chance = random.Random(SEED)
        graph = self.snapshot()
        whole = graph.read_bytes()
        right = {}
        with Server(graph) as server:
            for ends in (("Laos", "Poland"), ("Chad", "Germany")):
                right[ends] = server.ask("/api/path", from_=ends[0], to=ends[1])["hops"]
        for _ in range(random_share(6)):
            data = bytearray(whole)
            for _ in range(chance.randrange(1, 40)):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            graph.write_bytes(data)
            try:
                server = Server(graph)
            except AssertionError as why:
                self.assertRegex(str(why), "^no server: bfs-web: .*graph.pwg", SEED)
                continue
            with server:
                for (source, target), hops in right.items():
                    status, _, content = server.get("/api/path", from_=source, to=target)
                    answer = json.loads(content)
                    if status == 200:
                        self.assertEqual(answer["hops"], hops, SEED)
                    else:
                        self.assertIn((status, answer["error"]["code"]), (
                            (500, "damaged_graph"), (404, "unknown_title")), SEED)
                self.assertNotIn("Traceback", server.end())


class Runs(Case):
    """Of bfs, for its costs; a program of the same options takes its place."""

    def server(self, script, before="", graph=SAMPLE):
        bfs = self.write("bfs", "#!/bin/sh\n[ \"$1\" = --version ] && echo '(pointer_wars)' && exit\n" + script)
        bfs.chmod(0o755)
        return Server(graph, before=f"import os; os.environ['POINTER_WARS_BFS'] = {str(bfs)!r}\n" +
                      before)

    def test_one_runs_at_a_time_and_ends_with_the_server(self):
        pid = self.folder / "pid"
        with self.server(f"echo $$ >'{pid}.new'; mv '{pid}.new' '{pid}'; sleep 1000") as server:
            first = server.half(b"GET /api/costs?from=Laos&to=Chad HTTP/1.1\r\nHost: localhost\r\n\r\n")
            with first:
                while not pid.exists():
                    time.sleep(0.01)
                error = server.ask("/api/costs", 503, from_="Laos", to="Chad")["error"]
                self.assertEqual(error["code"], "busy")
                self.assertEqual(server.ask("/api/path", from_="Laos", to="Chad")["hops"], 9)
                server.process.send_signal(signal.SIGINT)
                self.assertEqual(server.process.wait(PATIENCE), 130)
            number = int(pid.read_text())
            end = time.monotonic() + PATIENCE
            with contextlib.suppress(ProcessLookupError):
                while time.monotonic() < end and not is_dead(number):
                    os.kill(number, 0)
                    time.sleep(0.01)
            self.assertLess(time.monotonic(), end)

    def test_it_is_limited_in_time(self):
        with self.server("sleep 1000", "from pointer_wars.web import costs; costs.ALL_SECONDS = 0.2"
                         ) as server:
            for _ in range(2):
                error = server.ask("/api/costs", 503, from_="Laos", to="Chad")["error"]
                self.assertEqual(error["code"], "timed_out")

    def test_its_failure_is_what_it_says(self):
        with self.server("echo 'bfs: no more memory' >&2; exit 1") as server:
            error = server.ask("/api/costs", 500, from_="Laos", to="Chad")["error"]
            self.assertEqual(error["message"], "bfs: no more memory")

    def test_costs_of_another_file_are_refused(self):
        for change in ("replace", "remove", "write"):
            graph = self.snapshot()
            with Server(graph) as server:
                self.assertEqual(server.ask("/api/meta")["no_costs"], None)
                if change == "replace":
                    other = self.write("other.txt", "no graph, so it stays\n")
                    other.replace(graph)
                elif change == "remove":
                    graph.unlink()
                else:
                    graph.write_bytes(graph.read_bytes()[:-1] + b"x")
                error = server.ask("/api/costs", 500, from_="Laos", to="Poland")["error"]
                self.assertEqual(error["code"], "graph_changed", change)
                self.assertIn("SIGHUP", error["message"])
                self.assertRegex(server.ask("/api/meta")["name"], "graph.pwg")

    def test_costs_of_a_graph_that_changes_in_between_are_refused(self):
        graph = self.snapshot()
        with self.server(f"touch -d 2001-01-01 {shlex.quote(str(graph))}; echo '{{}}'", graph=graph
                         ) as server:
            error = server.ask("/api/costs", 500, from_="Laos", to="Poland")["error"]
            self.assertEqual(error["code"], "graph_changed")

    def test_a_graph_that_is_no_file_has_no_costs(self):
        read, write = os.pipe()
        os.write(write, SAMPLE.read_bytes())
        os.close(write)
        with open(read, "rb") as pipe, Server(f"/dev/fd/{read}", given=pipe) as server, \
                open(SAMPLE, "rb") as text, Server("-", given=text) as second:
            for each in (server, second):
                meta = each.ask("/api/meta")
                self.assertEqual((meta["costs"], meta["nodes"]), (False, 165))
                self.assertIn("is not a file", meta["no_costs"])
                error = each.ask("/api/costs", 503, from_="Laos", to="Poland")["error"]
                self.assertEqual((error["code"], error["message"]), ("no_costs", meta["no_costs"]))

    def test_a_signal_leaves_no_file_and_no_process(self):
        pid = self.folder / "pid"
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 0)):
            before = (f"import tempfile; tempfile.tempdir = {str(self.folder)!r}\n"
                      "from pointer_wars.web import server; server.GRACE = 0.1"
                      """
import subprocess, time
class Slow(subprocess.Popen):  # the child runs before this process knows of it
    def __init__(self, *words, **more):
        super().__init__(*words, **more)
        time.sleep(0.5)
subprocess.Popen = Slow
""")
            with self.server(f"echo $$ >'{pid}.new'; mv '{pid}.new' '{pid}'; sleep 1000", before
                             ) as server, server.half(
                    b"GET /api/costs?from=Laos&to=Chad HTTP/1.1\r\nHost: localhost\r\n\r\n"):
                while not pid.exists():
                    time.sleep(0.01)
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(PATIENCE), status)
            child, end = int(pid.read_text()), time.monotonic() + PATIENCE
            while not is_dead(child):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.01)
            pid.unlink()
            self.assertEqual([path.name for path in self.folder.iterdir()], ["bfs"])

    def test_another_program_called_bfs_is_not_asked(self):
        with self.server("", "os.environ['POINTER_WARS_BFS'] = '/bin/true'") as server:
            self.assertFalse(server.ask("/api/meta")["costs"])
            self.assertEqual(server.ask("/api/costs", 503, from_="Laos", to="Chad")["error"]["code"],
                             "no_costs")

    def test_a_title_that_is_a_comment(self):
        graph = self.write("g.tsv", "x\t%y\n%y\t#z\n#z\tx\n")
        graph = self.snapshot(graph)
        with Server(graph) as server:
            self.assertEqual(server.ask("/api/costs", from_="x", to="#z")["rows"][0]["unfinished"], 0)
            error = server.ask("/api/costs", 422, from_="#z", to="x")["error"]
            self.assertEqual(error["code"], "no_pair")


def is_dead(number):
    """True if a process has ended, also if nobody has waited for it."""
    try:
        return " Z " in pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2][:4]
    except OSError:
        return True


class Program(Case):
    def run_it(self, *words, before="", status=1):
        done = subprocess.run([PYTHON, "-c", before + "\n" + MAIN, *map(str, words)],
                              env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, status, done)
        return (done.stdout + done.stderr).decode()

    def test_what_is_wrong_is_one_line(self):
        self.assertRegex(self.run_it("/nothing/there"), r"^bfs-web: .*/nothing/there.*\n$")
        self.assertRegex(self.run_it(self.write("g.txt", "1 2\na b c")), r"^bfs-web: .*g\.txt.*\n$")
        self.assertRegex(self.run_it(SAMPLE, "--host=nowhere.invalid"), "^bfs-web: it cannot listen")
        for words in ((), (SAMPLE, "--port=70000"), (SAMPLE, "--prot=3"), (SAMPLE, SAMPLE)):
            self.assertIn("usage: bfs-web", self.run_it(*words, status=2))
        self.assertIn("--no-browser", self.run_it("--help", status=0))
        self.assertRegex(self.run_it("--version", status=0), r"^bfs-web .*\d\.\d")

    def test_without_uvicorn_it_says_what_to_install(self):
        for name in ("uvicorn", "starlette", "prometheus_client"):
            text = self.run_it(SAMPLE, before=f"import sys; sys.modules[{name!r}] = None")
            self.assertRegex(text, r"^bfs-web: it needs .*pip install starlette uvicorn .*\n$")

    def test_a_socket_of_the_file_system(self):
        place = self.folder / "socket"
        left = socket.socket(socket.AF_UNIX)
        left.bind(str(place))
        left.close()  # as a server that was killed leaves it

        def begun():
            process = subprocess.Popen([PYTHON, "-c", MAIN, SAMPLE, f"--unix={place}"], env=ENVIRONMENT,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            return process, [process.stdout.readline().decode() for _ in range(2)]
        process, lines = begun()
        with process:
            self.assertEqual(lines[1], f"unix:{place}\n", process.poll())
            second, lines = begun()
            with second:
                self.assertRegex(second.stderr.read().decode(), "^bfs-web: it cannot listen on .*in use")
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(str(place))
                connection.sendall(META)
                self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200"))
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(PATIENCE), 0)
        self.assertFalse(place.exists())
        file = self.write("file", "")
        self.assertRegex(self.run_it(SAMPLE, f"--unix={file}"), "^bfs-web: it cannot listen on .*in use")
        self.assertTrue(file.exists())
        self.assertIn("leave out --port", self.run_it(SAMPLE, "--unix=x", "--port=3", status=2))

    def test_a_socket_that_systemd_has_opened(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            with Server(SAMPLE, before=INHERITS, given=listener) as server:
                self.assertEqual(server.port, listener.getsockname()[1])
                self.assertEqual(server.get("/api/meta")[0], 200)

    def test_the_columns_of_a_table_are_chosen(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "calls.csv")
            path.write_text("no,pupil,town,teacher\n1,uma,Bern,vic\n2,tom,Rome,uma\n")
            with Server(path, "--columns=teacher,pupil") as server:
                found = server.ask("/api/path", from_="vic", to="tom")
                self.assertEqual(found["paths"], [["vic", "uma", "tom"]])
                self.assertEqual(server.ask("/api/costs", from_="vic", to="tom")["visited"], 2)

    def test_no_costs(self):
        with Server(SAMPLE, "--no-costs") as server:
            self.assertIn("--no-costs", server.ask("/api/meta")["no_costs"])
            self.assertEqual(server.ask("/api/costs", 503, from_="Laos", to="Chad")["error"]["code"],
                             "no_costs")

    def test_a_line_per_request(self):
        with Server(SAMPLE, "--access-log") as server:
            self.assertEqual(server.get("/api/path", from_='La"os', to="Poland")[0], 404)
            self.assertRegex(server.process.stdout.readline().decode(),
                             r'^\d{4}-\d\d-\d\d [\d:]{8},\d{3} 127\.0\.0\.1:\d+ '
                             r'"GET /api/path\?from=La%22os&to=Poland HTTP/1\.1" 404 Not Found\n$')
            server.get("/a%0ab%1b[1m")
            self.assertIn('"GET /a%0Ab%1B%5B1m HTTP/1.1" 404', server.process.stdout.readline().decode())

    def test_a_log_that_nobody_reads_keeps_no_request(self):
        with Server(SAMPLE, "--access-log") as server:
            for number in range(40):
                status = server.get("/api/path", from_=f"{number:02}" + "q" * 6000, to="Poland")[0]
                self.assertEqual(status, 422)
            log = server.process.stdout.fileno()
            os.set_blocking(log, False)
            text = b""
            with contextlib.suppress(BlockingIOError):
                while True:
                    text += os.read(log, 1 << 16)
            kept = text.count(b"from=")
            self.assertTrue(0 < kept < 40, kept)
            server.get("/api/health")
            with contextlib.suppress(BlockingIOError):
                text += os.read(log, 1 << 16)
            counted = re.findall(rb"^(\d+) lines are missing here: nobody read them\n[^\n]*/api/health.*\n$",
                                 text, re.M)
            self.assertEqual(len(counted), 1, text[-300:])
            self.assertIn(int(counted[0]) + kept, (40, 41), "a line that was cut may be both")
            for _ in range(40):
                server.get("/api/path", from_="q" * 6000, to="Poland")
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_a_lack_of_descriptors_is_said_once(self):
        """However often asyncio tries again."""
        with tempfile.TemporaryDirectory() as top, Server(
                SAMPLE, before=FEW_DESCRIPTORS % f"{top}/tried-again") as server:
            with contextlib.ExitStack() as waiting:
                for _ in range(110):
                    waiting.enter_context(contextlib.closing(server.half()))
                while not os.path.exists(f"{top}/tried-again"):
                    time.sleep(0.01)
            self.assertEqual(server.get("/")[0], 200)
            said = server.end()
        self.assertEqual(said, "bfs-web: connections wait: Too many open files\n")

    def test_metrics_are_what_prometheus_reads(self):
        with Server(SAMPLE, "--metrics") as server:
            for _ in range(3):
                server.ask("/api/v1/path", from_="Laos", to="Poland")
            server.get("/made/up")
            status, headers, content = server.get("/metrics")
            self.assertEqual(status, 200)
            self.assertRegex(headers["content-type"], "^text/plain; version=[0-9.]+; charset=utf-8$")
            found = {}
            for line in content.decode().splitlines():
                if not line.startswith("# "):
                    self.assertRegex(line, r'^[a-z_]+(\{([a-z]+="[^"]*",?)+\})? [0-9.e+-]+$')
                    name, _, value = line.rpartition(" ")
                    found[name] = float(value)
            self.assertEqual(found['bfs_web_requests_total{path="/api/path",status="200"}'], 3)
            self.assertEqual(found['bfs_web_requests_total{path="other",status="404"}'], 1)
            for end in ('_bucket{le="+Inf",path="/api/path"}', '_count{path="/api/path"}'):
                self.assertEqual(found["bfs_web_request_seconds" + end], 3)
            buckets = [value for name, value in found.items() if name.endswith(',path="/api/path"}')]
            self.assertEqual(buckets, sorted(buckets))
            self.assertGreaterEqual(found["bfs_web_connections"], 1)
            self.assertEqual(found["bfs_web_openings_total"], 1)
        with Server(SAMPLE) as server:
            self.assertEqual(server.get("/metrics")[0], 404)

    def test_another_site_may_ask_if_it_is_allowed(self):
        cors = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
        for option, asking in (("https://a.example", {"https://a.example": 200, "https://b.example": 403,
                                                      None: 403}), ("*", {"https://b.example": 200})):
            with Server(SAMPLE, f"--allow-origin={option}") as server:
                for origin, status in asking.items():
                    found, headers, _ = server.get("/api/meta", headers={
                        **cors, **({"Origin": origin} if origin else {})})
                    self.assertEqual(found, status, (option, origin))
                    self.assertEqual(headers["access-control-allow-origin"], option if status == 200 else None)
                    if status == 200 and option != "*":
                        self.assertIn("Origin", headers["vary"])

    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assertRegex(self.run_it(SAMPLE, f"--port={port}"),
                             rf"^bfs-web: it cannot listen on 127.0.0.1, port {port}: .*\n$")
            usual = f"from pointer_wars.web import __main__; __main__.PORT = {port}"
            with subprocess.Popen([PYTHON, "-c", f"{usual}\n{MAIN}", SAMPLE, "--no-browser"],
                                  env=ENVIRONMENT, stdout=subprocess.PIPE) as process:
                try:
                    lines = [process.stdout.readline() for _ in range(2)]
                    self.assertRegex(lines[1], rb"^http://127\.0\.0\.1:[0-9]+/\n$")
                    self.assertNotIn(str(port).encode(), lines[1])
                finally:
                    process.kill()

    def test_another_name_only_if_it_is_allowed(self):
        own = socket.gethostname()
        with Server(SAMPLE, "--allow-host=box.example", "--host=0.0.0.0") as server:
            self.assertRegex(server.process.stdout.readline().decode(),
                             f"^other computers ask at http://{re.escape(own)}:{server.port}/\n$")
            for host, status in (("box.example:80", 200), (own.upper(), 200), (f"{own}:1", 200),
                                 (f"{own}.evil.example", 421), ("192.0.2.1", 200), ("evil.example", 421)):
                self.assertEqual(server.get("/api/meta", headers={"Host": host})[0], status, host)


class Service(Case):
    """The unit, the lines of nginx and the container file that python/service.md shows."""

    def shown(self, kind):
        page = (ROOT / "python/service.md").read_text(encoding="utf-8")
        return re.search(rf"^```{kind}\n(.*?)^```$", page, re.M | re.S)[1]

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
    def test_systemd_takes_the_unit(self):
        text = self.shown("ini")
        options = re.search(r"^ExecStart=/usr/bin/bfs-web (.*) /srv/bfs-web/%i.pwg$", text, re.M)[1]
        known = subprocess.run([PYTHON, "-c", MAIN, "--help"], env=ENVIRONMENT, check=True,
                               stdout=subprocess.PIPE, encoding="utf-8").stdout
        for option in options.split():
            self.assertIn(option.partition("=")[0], known)
        unit = self.write("bfs-web@.service", text.replace("/usr/bin/bfs-web", "/bin/true"))
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit.with_name("bfs-web@en.service")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        if re.search("Failed to (initialize|connect|set up)", done.stdout):
            self.skipTest(done.stdout.splitlines()[0])
        self.assertNotIn("bfs-web@", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)

    @unittest.skipUnless(shutil.which("nginx", path="/usr/sbin:/usr/bin"), "nginx is not installed")
    def test_nginx_serves_a_graph_by_its_lines(self):
        with tempfile.TemporaryDirectory(prefix="bfs-web-") as folder, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{folder}/graph")  # nginx takes no blanks
            listener.listen()
            lines = self.shown("nginx").replace("/run/bfs-web/en/socket", f"{folder}/graph")
            file = pathlib.Path(folder) / "nginx.conf"
            file.write_text(
                f"pid {folder}/pid;\nerror_log stderr;\ndaemon off;\nmaster_process off;\nevents {{}}\n"
                "http {\naccess_log off;\n" + "".join(
                    f"{name}_temp_path {folder}/{name};\n"
                    for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) +
                "limit_req_zone $binary_remote_addr zone=bfs:1m rate=20r/s;\n"
                "limit_conn_zone $binary_remote_addr zone=bfs_open:1m;\n"
                f"server {{\nlisten unix:{folder}/socket;\n{lines}}}\n}}\n", encoding="utf-8")
            command = [shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-p", folder, "-c", file]
            with Server(SAMPLE, "--metrics", before=INHERITS, given=listener), subprocess.Popen(
                    command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as nginx:
                try:
                    for place, status, content in (
                            ("/en/", 200, "<!doctype html>"), ("/en/api/health", 200, '"status":"ok"'),
                            ("/en/api/path?from=Laos&to=Poland", 200, '"hops":3'), ("/en", 301, ""),
                            ("/en/metrics", 403, ""), ("/en/x/%2e./metrics", 403, ""), ("/", 404, "")):
                        answer = self.asked_of(f"{folder}/socket", place, nginx)
                        self.assertIn(f" {status} ", answer.partition("\r\n")[0], place)
                        self.assertIn(content, answer, place)
                        self.assertNotIn("bfs_web_connections", answer, place)
                finally:
                    nginx.kill()

    def asked_of(self, place, page, process):
        """What a server on a socket of the file system answers, as soon as it listens."""
        end = time.monotonic() + PATIENCE
        with socket.socket(socket.AF_UNIX) as connection:
            while connection.connect_ex(place):
                if process.poll() is not None or time.monotonic() > end:
                    self.fail(process.stdout.read())
                time.sleep(0.01)
            connection.sendall(f"GET {page} HTTP/1.0\r\nHost: graphs.example\r\n\r\n".encode())
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def container(self):
        """The instructions of the container file, as pairs: its name, and what follows."""
        text = self.shown("dockerfile").replace("\\\n", " ")
        return [tuple(line.split(maxsplit=1)) for line in text.splitlines()]

    def test_the_container_is_slim_and_fetches_packages_alone(self):
        self.assertEqual([name for name, _ in self.container()],
                         ["FROM", "COPY", "RUN", "USER", "EXPOSE", "ENTRYPOINT", "CMD"])
        lines = dict(self.container())
        self.assertRegex(lines["FROM"], r"^debian:\d+-slim$")
        self.assertEqual(lines["COPY"], "packages/*.deb /tmp/")  # which the steps below do
        places = [self.folder / name for name in ("tmp", "var/lib/apt/lists", "bin")]
        for place in places:
            place.mkdir(parents=True)
            (place / "own.deb").touch()
        asked = self.write("bin/apt-get", '#!/bin/sh\nprintf "%s\\n" "$*" >>asked\n')
        asked.chmod(0o755)
        subprocess.run(["/bin/sh", "-ec", re.sub(" /(tmp|var)/", r" \1/", lines["RUN"])], cwd=self.folder,
                       env={**os.environ, "PATH": f"{places[2]}:/usr/bin:/bin"}, check=True)
        update, install = (self.folder / "asked").read_text(encoding="utf-8").splitlines()
        self.assertEqual(update, "update")
        words = install.split()
        self.assertEqual(words[:4], ["install", "-y", "--no-install-recommends", "tmp/own.deb"])
        self.assertEqual([place.exists() and any(place.iterdir()) for place in places], [False, False, True])
        recommended = re.search(r'PYTHON_PACKAGE_RECOMMENDS\s+"(.*)"',
                                (ROOT / "packaging/debian.cmake").read_text(encoding="utf-8"))[1]
        self.assertTrue(words[4:])
        self.assertLessEqual({*words[4:]}, {*recommended.split(", ")})
        if not shutil.which("apt-cache") or not any(pathlib.Path("/var/lib/apt/lists").glob("*_Packages*")):
            self.skipTest("apt-cache or its lists are absent, so whether the packages exist is not known")
        subprocess.run(["apt-cache", "show", *words[4:]], stdout=subprocess.DEVNULL, check=True)

    def test_the_container_answers_as_nobody_and_writes_no_file(self):
        lines = dict(self.container())
        user, group = map(int, lines["USER"].split(":"))
        self.assertTrue(user and group, "root")
        program, *options = json.loads(lines["ENTRYPOINT"])  # no shell, so that it gets SIGTERM itself
        self.assertTrue((ROOT / "packaging/debian/python" / program).is_file())
        page = (ROOT / "python/service.md").read_text(encoding="utf-8")
        run = re.search("^`docker run --read-only --cap-drop=ALL -v .*:(.*):ro -p 127.0.0.1:.*:(.*) IMAGE`",
                        page, re.M)
        self.assertEqual(run.groups(), (str(pathlib.PurePath(json.loads(lines["CMD"])[0]).parent),
                                        lines["EXPOSE"]))
        self.assertIn(f"--port={lines['EXPOSE']}", options)
        graph = self.snapshot()
        graph.chmod(0o444)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        before = "import os, resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        if os.getuid() == 0:
            before += f"os.setgroups([]); os.setgid({group}); os.setuid({user})\n"
        probe = subprocess.run(
            [PYTHON, "-c", f"{before}import sys, starlette, uvicorn, pointer_wars.web\nopen(sys.argv[1])", LIBRARY],
            env=ENVIRONMENT, stderr=subprocess.PIPE, encoding="utf-8", check=False)
        if "PermissionError" in probe.stderr or "ModuleNotFoundError" in probe.stderr:
            self.skipTest(f"user {user} may not read this tree: {probe.stderr.splitlines()[-1]}")
        with Server(graph, *options, before=before) as server:
            self.assertEqual(server.ask("/api/health")["failure"], None)
            self.assertEqual(server.get("/")[0], 200)
            status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
            self.assertNotRegex(status, r"(?m)^[UG]id:.*\t0\b")
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(PATIENCE), 0)


if __name__ == "__main__":
    print(f"PW_TEST_SEED={SEED}")
    unittest.main(verbosity=2)
