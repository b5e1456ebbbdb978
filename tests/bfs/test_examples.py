#!/usr/bin/env python3
"""test_examples.py - every command of `bfs --help` and of the pages runs as it is printed.

A folder with links to the tree's data and to the programs, and with simple.pwg of a made-up wiki,
takes the place of the tree; a command must end with 0 and print or write something. Of the pages, the
commands count that need nothing but the sample or a generated graph.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["PW_SOURCE"])
BUILD = pathlib.Path(os.environ["PW_BUILD"])
SKIPPED = ["--sim", "--cache"]  # take long; write into the user's folders
if os.environ.get("PW_BUILD_TYPE") != "Release":
    SKIPPED += ["generate:"]  # a check after every step makes these slow


def commands():
    """Each command as printed, and where."""
    for program in ["bfs"]:
        text = subprocess.run([BUILD / "bin" / program, "--help"], capture_output=True, text=True,
                              check=True).stdout
        for line in text.splitlines():
            if line.startswith(f"  {program} "):
                yield f"{program} --help", line.strip()
    for page in ["README.md", "data/README.md", "data/sample/README.md", "bfs/engines/README.md"]:
        for line in (SOURCE / page).read_text().splitlines():
            found = re.match(r"    ((build/release/bin/)?bfs .*)", line)
            if found and ("data/sample/" in line or "generate:" in line):
                yield page, re.sub(r"   +.*", "", found[1])  # no explanation after it


def main():
    count, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(SOURCE / "data", f"{folder}/data")
        os.makedirs(f"{folder}/build/release")
        os.symlink(BUILD / "bin", f"{folder}/build/release/bin")
        for words in [["tests/wikipedia-generate", "--pages=200", f"{folder}/dumps"],
                      ["bin/wikipedia-import", "--quiet", f"{folder}/dumps", f"{folder}/simple.pwg"]]:
            subprocess.run([f"{BUILD}/{words[0]}", *words[1:]], check=True)
        environment = dict(os.environ, PATH=f"{BUILD}/bin:{os.environ['PATH']}")
        environment.pop("LINKED_LIST_ALLOC", None)
        for place, command in commands():
            if any(option in command for option in SKIPPED):
                continue
            count += 1
            before = set(os.listdir(folder))
            result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment,
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                    timeout=2800, check=False)
            written = set(os.listdir(folder)) - before
            if result.returncode != 0 or not (result.stdout or written):
                failed += 1
                print(f"{place}: {command}\n  exit {result.returncode}: {result.stderr}")
    print(f"{count} commands, {failed} failed")
    return int(failed > 0 or count < 8)


if __name__ == "__main__":
    sys.exit(main())
