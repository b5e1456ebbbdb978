"""The zip file that Gradescope wants: setup.sh and run_autograder at its root, and this tree beside them.

setup.sh runs once, when the image is built; it asks the network for nothing that is there already. run_autograder
judges one submission with the options that the zip was made with; files that they name are in the zip, too.
"""
import os
import pathlib
import shlex
import subprocess
import zipfile

from submission import HERE, CannotGrade

TREE, GIVEN = "pointer-wars", "given"
FILES = ("--graph", "--pairs", "--rubric")  # options whose value may be a file
SKIPPED = ("build", "__pycache__", ".git")
SETUP = f"""#!/bin/sh
# setup.sh - once, for the image: what the judge needs, and the programs that it asks for answers.
set -eu
cd "$(dirname "$0")/{TREE}"
packages="bubblewrap g++ python3 python3-pyelftools python3-seccomp valgrind"
# shellcheck disable=SC2086 # one word for each
dpkg -s $packages > /dev/null 2>&1 || {{ apt-get update && apt-get install -y --no-install-recommends $packages; }}
./setup.sh build
cmake --preset release -DPW_TESTS=OFF -DPW_MPI=OFF
cmake --build --preset release
"""
RUN = """#!/bin/sh
# run_autograder - judge submission/ and write results/results.json.
cd "$(dirname "$0")" || exit 1
exec source/{tree}/judge/judge submission --format gradescope --quiet --output results/results.json{words}
"""


def tree_files(top):
    """The paths of this tree: what git knows of it, or without git whatever is no build."""
    done = subprocess.run(["git", "-C", top, "ls-files", "-z"], capture_output=True, check=False)
    if done.returncode == 0 and done.stdout:
        return [name for name in os.fsdecode(done.stdout).split("\0") if (top / name).is_file()]
    found = []
    for folder, inner, names in os.walk(top):
        inner[:] = [name for name in inner if name not in SKIPPED]
        found += [os.path.relpath(os.path.join(folder, name), top) for name in names]
    return sorted(found)


def write_zip(path, words):
    """words: the options of the judge that runs there."""
    top = HERE.parent
    if not (top / "CMakeLists.txt").is_file():
        raise CannotGrade("the zip is made of the tree of sources, which is not here")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        told = []
        for option, word in zip(["", *words], words):
            place = pathlib.Path(word)
            if option in FILES and place.is_file():
                archive.write(place, f"{GIVEN}/{place.name}")
                word = f"source/{GIVEN}/{place.name}"
            told.append(" " + shlex.quote(word))
        for name, text in (("setup.sh", SETUP), ("run_autograder", RUN.format(tree=TREE, words="".join(told)))):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, text)
        for name in tree_files(top):
            archive.write(top / name, f"{TREE}/{name}")
