#!/usr/bin/env python3
"""web_bench.py - how fast the page's server answers.

Usage: web_bench.py [--graph=FILE] [--seconds=N] [--rounds=N] [--rate=N] [--connections=N] [--json=FILE]

wrk asks for one path and for all paths of random pairs, for what the graph is (the least that an
answer may take), and at a thirtieth of the rate for histograms; a pause per connection gives the rate.
Printed, and with --json written, are the median and the 99th percentile of all rounds, and the time from the start of the server to its first answer. Without --graph a
graph of 4 M nodes and 50 M edges is generated, in build/web-bench. It needs the release build, and
./setup.sh browser, which installs wrk, too. Nothing here fails because of a speed.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.dont_write_bytecode = True
from test_web import BUILD, ENVIRONMENT, ROOT, Server  # noqa: E402

# As installed, the modules are compiled once.
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE")
ENVIRONMENT["PYTHONPYCACHEPREFIX"] = str(ROOT / "build/web-bench/compiled")

SCRIPT = """
local paths = {}
for line in io.lines(%(paths)s) do paths[#paths + 1] = line end
math.randomseed(%(seed)d)
function request() return wrk.format("GET", paths[math.random(#paths)]) end
function delay() return %(pause)f * (0.5 + math.random()) end
function done(summary, latency, requests)
  local errors, percents = summary.errors, {}
  for i = 1, 999 do percents[i] = string.format("%%d", latency:percentile(i / 10)) end
  print(string.format('RESULT {"requests": %%d, "us": %%d, "errors": %%d, "percentiles": [%%s]}',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    table.concat(percents, ",")))
end
"""


def generated():
    """The snapshot of the graph that is used without --graph."""
    folder = ROOT / "build/web-bench"
    graph = folder / "graph.pwg"
    if not graph.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = folder / "new.pwg"
        subprocess.run([BUILD / "bin/graph-convert", "--quiet", "generate:nodes=4M", made],
                       check=True)
        made.rename(graph)
    return graph


def first_answer(graph, pair):
    """Seconds from the start of a server until it has answered; of a page cache that is warm."""
    begin = time.perf_counter()
    with Server(graph) as server:
        server.ask("/api/path", from_=pair[0], to=pair[1])
        return time.perf_counter() - begin


def processor_seconds(server):
    """What a server has used so far."""
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def addresses(pairs):
    """{what is asked: (its addresses, by how much the rate is divided)}."""
    def path(mode):
        return ["/api/path?" + urllib.parse.urlencode({"from": u, "to": v, "mode": mode}) for u, v in pairs]
    return {"meta": (["/api/meta"], 1), "one": (path("one"), 1), "all": (path("all"), 1),
            "histogram": (["/api/histogram?" + urllib.parse.urlencode({"of": u}) for u, _ in pairs], 30)}


def asked_over_http(server, asked, share, options, folder):
    """What wrk reports."""
    paths = folder / "paths.txt"
    paths.write_text("".join(address + "\n" for address in asked))
    script = folder / "script.lua"
    script.write_text(SCRIPT % {"paths": json.dumps(str(paths)), "seed": time.time_ns() % 10**6,
                                "pause": 1000 * options.connections * share / options.rate})
    done = subprocess.run(["wrk", "-t1", f"-c{options.connections}", f"-d{options.seconds}s", "-s",
                           script, f"http://127.0.0.1:{server.port}"], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8")
    return json.loads(done.stdout.partition("RESULT ")[2].splitlines()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", type=pathlib.Path)
    for name, value in (("seconds", 10), ("rounds", 5), ("rate", 300), ("connections", 16)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    graph = options.graph or generated()
    with Server(graph) as server, tempfile.TemporaryDirectory() as folder:
        facts = server.ask("/api/meta")
        pairs = [(pair["from"]["title"], pair["to"]["title"])
                 for pair in (server.ask("/api/random") for _ in range(1000))]
        asked = addresses(pairs)
        rows = {name: [] for name in asked}
        for _ in range(options.rounds):
            for name, found in rows.items():
                found.append(asked_over_http(server, *asked[name], options, pathlib.Path(folder)))
        spent = processor_seconds(server) / sum(
            round_["requests"] for found in rows.values() for round_ in found)
    starts = [first_answer(graph, pairs[0]) for _ in range(options.rounds)]
    print(f"{facts['nodes']:,} nodes, {facts['edges']:,} edges; {os.cpu_count()} processors; "
          f"{options.rounds} rounds of {options.seconds} s, {options.connections} connections\n")
    print("asked                 questions  per s     median     99 %   errors")
    figures = {"nodes": facts["nodes"], "edges": facts["edges"]}
    for name, found in rows.items():
        count = sum(round_["requests"] for round_ in found)
        rate = count / sum(round_["us"] for round_ in found) * 1e6
        middle, late = (statistics.median(round_["percentiles"][i] for round_ in found) / 1000
                        for i in (499, 989))
        errors = sum(round_["errors"] for round_ in found)
        figures[name] = {"rate": rate, "median_ms": middle, "late_ms": late, "errors": errors}
        print(f"over HTTP, {name:<9}  {count:9,} {rate:6.0f} {middle:7.2f} ms {late:5.2f} ms {errors:8}")
    print(f"processor time        {1000 * spent:.2f} ms per answer of the server")
    print(f"first answer          {1000 * statistics.median(starts):.0f} ms after the start")
    figures |= {"spent_ms": 1000 * spent,
                "first_ms": 1000 * statistics.median(starts)}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
