#!/usr/bin/env python3
"""test_kept.py - files that an earlier version of this major number wrote are opened: kept/.

A snapshot answers as its graph does, a recording is traced. The files are written once, by the version
whose promise VERSIONING.md makes, and stay as they are; git and this tree hold their bytes.
PW_BUILD is the build.
"""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests/kept"
BIN = pathlib.Path(os.environ.get("PW_BUILD", ROOT / "build/release")) / "bin"


def printed(program, *words):
    done = subprocess.run([BIN / program, *words], capture_output=True, text=True)
    assert done.returncode == 0, f"{program} {words}: {done.stderr}"
    return done.stdout


class Kept(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def unpacked(self, name):
        path = pathlib.Path(self.folder.name) / name
        path.write_bytes(gzip.decompress((KEPT / f"{name}.gz").read_bytes()))
        return path

    def test_a_snapshot_answers_as_its_graph(self):
        """With names and the reverse adjacency, mapped."""
        def answer(graph):
            found = json.loads(printed("bfs", graph, "--from", "Laos", "--to", "Morocco", "--all-shortest",
                                       "--format=json"))
            return {name: found[name] for name in ("hops", "path", "shortest_path_count", "paths")}

        snapshot = self.unpacked("borders.pwg")
        self.assertEqual(answer(snapshot), answer(ROOT / "data/sample/borders.tsv"))
        printed("graph-info", snapshot, "--verify-snapshot")

    def test_a_recording_is_traced(self):
        out = printed("allocbench", "trace", self.unpacked("cat.rec"), "--alloc=malloc", "--runs=1",
                      "--output", pathlib.Path(self.folder.name) / "results")
        self.assertIn("201 requests and 64 releases", out)


if __name__ == "__main__":
    sys.exit(unittest.main())
