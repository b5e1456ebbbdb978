"""judge: what a hand-in does to the machine that judges it: nothing.

1. Attacks that once succeeded, each as a hand-in, each against a victim of the test's own.
2. Hand-ins made at random (links, names, depths, sizes, devices, pipes, setuid bits, hostile builds) in a
   batch: every one ends in a card, and nothing outside of the box has changed, by a digest of the files.
3. As whoever runs the test; where that is root, as a plain user too. With bubblewrap and without.

Usage: test_box.py [unittest's words]    PW_JUDGE: another judge; PW_JUDGE_HOSTILE: how many at random
(default: 3; 200 in a nightly run, which prints totals); PW_JUDGE_SEED: of these.
"""
import atexit
import csv
import functools
import hashlib
import json
import os
import pathlib
import random
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE)]

from test_judge import JUDGE, assemble  # noqa: E402
import building  # noqa: E402

PROGRAM = os.environ.get("PW_JUDGE", str(JUDGE / "judge"))
IS_ROOT = os.geteuid() == 0
PLAIN_USER = 40000 + os.getpid() % 20000  # of this run alone: a build may kill all that it has
COUNT = int(os.environ.get("PW_JUDGE_HOSTILE", "0"))
QUICK = ["--no-speed", "--no-memory", "--calls", "200", "--quiet"]
RULES = """
liblinked_list.so: linked_list.c
	cc -O2 -fPIC -shared linked_list.c -o $@
libqueue.so: queue.c liblinked_list.so
	cc -O2 -fPIC -shared queue.c -L. -llinked_list -o $@
"""


@functools.lru_cache
def for_everybody():
    """(Python, judge) that a plain user may run: a copy of the judge, wherever the tree is; or None."""
    place = pathlib.Path(tempfile.mkdtemp(prefix="test-box-"))
    atexit.register(shutil.rmtree, place, True)
    tree = pathlib.Path(PROGRAM).resolve().parents[1]
    for name in ("judge", "perf/challenge", "perf/studylib"):
        shutil.copytree(tree / name, place / name)
    subprocess.run(["chmod", "-R", "a+rX", place], check=True)
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        try:
            subprocess.run([python, "-c", ""], user=PLAIN_USER, group=PLAIN_USER, extra_groups=[],
                           check=True, cwd="/")
        except (OSError, subprocess.CalledProcessError):
            continue
        return python, str(place / "judge" / "judge")
    return None


@functools.lru_cache
def no_bubblewrap(plain_user=False):
    """None, or why nobody, or no plain user, can have a box of bubblewrap here."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    who = {"user": PLAIN_USER, "group": PLAIN_USER, "extra_groups": []} if plain_user else {}
    done = subprocess.run(["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev",
                           "/dev", "true"], capture_output=True, text=True, check=False, cwd="/", **who)
    return None if done.returncode == 0 else f"this system lets bubblewrap make no box: {done.stderr.strip()}"


def run(*words, plain_user=False, **more):
    program = (sys.executable, PROGRAM)
    if plain_user:
        program = for_everybody()
        if program is None:
            raise unittest.SkipTest("there is no Python for a plain user")
        more.update(user=PLAIN_USER, group=PLAIN_USER, extra_groups=[])
    return subprocess.run([*program, *map(str, words)], capture_output=True, check=False,
                          timeout=2800 + 400 * COUNT, cwd="/", **more)


def path_without_bubblewrap(top):
    """A folder with a link to every program but one."""
    place = top / "bin"
    place.mkdir()
    for folder in ("/usr/bin", "/bin"):
        for path in pathlib.Path(folder).iterdir():
            if path.name != "bwrap" and not (place / path.name).exists():
                (place / path.name).symlink_to(path)
    return place


def with_makefile(folder, text, name="good_plain"):
    """A good hand-in with a Makefile of its own."""
    assemble(name, folder)
    (folder / "harness.c").unlink(missing_ok=True)
    building.write_challenge_headers(folder)
    for source in ("linked_list.c", "queue.c"):
        path = folder / source
        path.write_text(path.read_text().replace("<queue.h>", '"queue.h"').replace(
            "<linked_list.h>", '"linked_list.h"'))
    header = folder / "queue.h"
    header.write_text(header.read_text().replace("<linked_list.h>", '"linked_list.h"'))
    (folder / "Makefile").write_text(text + RULES)
    return folder


def setUpModule():
    """What a plain user is to judge must be readable for it; test_judge.py judges with a strict umask."""
    os.umask(0o022)


class Attacks(unittest.TestCase):
    """Each has been seen to succeed against an earlier judge."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.top = pathlib.Path(self.scratch.name)
        os.chmod(self.top, 0o755)
        self.victim = self.top / "victim"
        self.victim.write_text("SECRET_OF_THE_JUDGE\n")
        self.victim.chmod(0o600)

    def tearDown(self):
        self.scratch.cleanup()

    def card(self, *words, **more):
        done = run(*words, *QUICK, "--format", "json", **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def for_each_kind(self, check):
        """check(isolation) of each isolation; skipped in words where it cannot be had."""
        check("plain")
        with self.subTest("bubblewrap"):
            if no_bubblewrap():
                self.skipTest(no_bubblewrap())
            check("bubblewrap")

    def test_links_in_the_judges_folders_are_not_written_through(self):
        def check(kind):
            made = "\n".join(f"\t-ln -sf {self.victim} ../{place}" for place in (
                "stage/programs/player.c", "stage/signatures.c", "stage/queue_alone.c",
                "stage/challenge/queue.h", "stage/lib/libqueue.so", "submission/x", "x"))
            folder = with_makefile(self.top / f"plants-{kind}", f"""all: plant liblinked_list.so libqueue.so
.PHONY: plant
plant:
	-mkdir -p ../stage/programs ../stage/challenge ../stage/lib
{made}
""")
            text = (folder / "Makefile").read_text()
            (folder / "Makefile").write_text(text.replace("liblinked_list.so: ", "liblinked_list.so: plant "))
            self.card(folder, "--isolation", kind)
            self.assertEqual(self.victim.read_text(), "SECRET_OF_THE_JUDGE\n", kind)
            self.assertEqual(stat.S_IMODE(self.victim.stat().st_mode), 0o600)
            self.assertEqual(self.victim.stat().st_uid, os.geteuid())
        self.for_each_kind(check)

    def test_a_header_that_is_a_link_is_not_quoted(self):
        good = assemble("good_plain", self.top / "good")
        folder = self.top / "linked"
        folder.mkdir()
        for name, files in (("liblinked_list.so", ["linked_list.c"]), ("libqueue.so", ["queue.c"])):
            subprocess.run(["cc", "-shared", "-fPIC", "-I", self.top / "include", "-o", folder / name,
                            *(good / file for file in files)], check=True,
                           env={**os.environ, "C_INCLUDE_PATH": str(self.headers())})
        (folder / "linked_list.h").symlink_to(self.victim)
        done = run(folder, *QUICK, "--format", "json", "--isolation", "plain")
        self.assertNotIn(b"SECRET", done.stdout + done.stderr)

    def headers(self):
        place = self.top / "headers"
        place.mkdir(exist_ok=True)
        building.write_challenge_headers(place)
        return place

    def test_a_linked_folder_keeps_its_owner(self):
        folder = assemble("good_plain", self.top / "given")
        inner = self.top / "inner"
        inner.mkdir()
        (inner / "linked_list.h").write_text("#error it is read\n")
        (folder / "include").symlink_to(inner)
        self.card(folder, "--isolation", "plain")
        self.assertEqual((inner.stat().st_uid, (inner / "linked_list.h").stat().st_uid),
                         (os.geteuid(), os.geteuid()))

    def test_a_third_library_is_a_finding(self):
        folder = with_makefile(self.top / "third", "")
        (folder / "third.c").write_text("#include <stddef.h>\nvoid *memset(void *a, int b, size_t c)\n"
                                        "{ (void)b, (void)c; return a; }\n")
        text = (folder / "Makefile").read_text()
        (folder / "Makefile").write_text(text.replace(
            "-L. -llinked_list -o $@", "-Wl,--no-as-needed -L. -llinked_list -lthird -o $@").replace(
            "libqueue.so: queue.c", "libthird.so: third.c\n\tcc -fPIC -shared -fno-builtin third.c -o $@\n"
            "libqueue.so: queue.c libthird.so"))
        card = self.card(folder, "--isolation", "plain")
        found = {rule["name"]: rule["found"] for rule in card["rules"] if rule["status"] == "failed"}
        self.assertIn("libqueue.so needs libthird.so", found.get("exports", ""))
        self.assertLess(card["score"], 20)

    def test_no_trusted_program_loads_what_a_build_made(self):
        """The compiler, as and ld load libz from the system. The planted one does all that libz does: it
        needs a copy of it under another name, so that whoever loads it works as before."""
        real = next((path for place in ("/lib", "/usr/lib") for path in
                     pathlib.Path(place).glob("*-linux-gnu*/libz.so.1")), None)
        if real is None:
            self.skipTest("there is no libz on this machine that a compiler could load")
        mark = self.top / "marks"
        mark.mkdir()
        mark.chmod(0o777)
        folder = with_makefile(self.top / "loaded", "")
        (folder / "spy.c").write_text(
            '#include <fcntl.h>\n__attribute__((constructor)) static void spy(void)\n'
            f'{{\n    open("{mark}/loaded", O_CREAT | O_WRONLY, 0666);\n}}\n')
        text = (folder / "Makefile").read_text()
        (folder / "Makefile").write_text(text.replace("liblinked_list.so: ", f"""all: spy liblinked_list.so libqueue.so
.PHONY: all spy
spy:
	sed 's/libz\\.so\\.1/libq.so.1/g' {real} > libq.so.1
	cc -fPIC -shared spy.c -Wl,-soname,libz.so.1 -Wl,--no-as-needed ./libq.so.1 -o libz.so.1
liblinked_list.so: spy """))
        self.assertEqual(self.card(folder, "--isolation", "plain")["build"]["how"], "make")
        self.assertEqual(list(mark.iterdir()), [])

    def test_a_build_reaches_no_network(self):
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            listening.settimeout(0.2)
            port = listening.getsockname()[1]
            def check(kind):
                folder = with_makefile(self.top / f"calls-{kind}", "")
                text = (folder / "Makefile").read_text()
                (folder / "Makefile").write_text(text.replace(
                    "liblinked_list.so: ", "all: call liblinked_list.so libqueue.so\n"
                    f"call:\n\t-bash -c 'echo x > /dev/tcp/127.0.0.1/{port}'\n"
                    ".PHONY: call\nliblinked_list.so: call "))
                self.assertGreater(self.card(folder, "--isolation", kind)["score"], 99)
                with self.assertRaises(TimeoutError):
                    listening.accept()
            self.for_each_kind(check)

    def test_a_library_changes_no_attribute(self):
        """Calls that no list names as forbidden; each one that succeeds ends the process."""
        folder = assemble("good_plain", self.top / "attributes")
        (folder / "hostile.c").write_text("""#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static int each(struct dl_phdr_info *info, size_t size, void *data)
{
    int file = open(info->dlpi_name, O_RDONLY), left = 0;
    (void)size, (void)data;
    if (file >= 0 && (fchmod(file, 0777) == 0 || ioctl(1, FIONBIO, &left) == 0 ||
                      syscall(SYS_fsetxattr, file, "user.x", "1", 1, 0) == 0 ||
                      utimes(info->dlpi_name, NULL) == 0)) {
        _exit(9);
    }
    return 0;
}

__attribute__((constructor)) static void change(void)
{
    dl_iterate_phdr(each, NULL);
}
""")
        self.assertEqual(self.card(folder, "--isolation", "plain")["score"], 100)

    def test_a_library_patches_no_code(self):
        """Each of its ways into the code of the program ends the process when it works."""
        folder = assemble("good_plain", self.top / "patches")
        (folder / "hostile.c").write_text("""#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

static int each(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        size_t start = (info->dlpi_addr + part->p_vaddr) & ~(size_t)4095;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 &&
            mprotect((void *)start, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
            _exit(9);
        }
    }
    return 1;
}

__attribute__((constructor)) static void take_over(void)
{
    if (open("/proc/self/mem", O_RDWR) >= 0 ||
        mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED) {
        _exit(9);
    }
    dl_iterate_phdr(each, NULL);
}
""")
        self.assertEqual(self.card(folder, "--isolation", "plain")["score"], 100)

    def test_the_disk_of_a_box_is_limited(self):
        before = shutil.disk_usage(tempfile.gettempdir()).used
        folder = with_makefile(self.top / "fills", "")
        text = (folder / "Makefile").read_text()
        (folder / "Makefile").write_text(text.replace(
            "liblinked_list.so: ", "fill:\n\tfor n in 1 2 3 4 5 6 7 8; do head -c 200000000 /dev/zero > f$$n ||"
            " exit 1; done; sleep 60\n.PHONY: fill\nliblinked_list.so: fill "))
        card = self.card(folder, "--isolation", "plain")
        log = "\n".join(card["build"]["log"]) + str(card["notes"])
        self.assertRegex(log, "No space left|used up the disk")
        self.assertLess(shutil.disk_usage(tempfile.gettempdir()).used - before, 1 << 30)

    @unittest.skipUnless(IS_ROOT, "needs root, to be somebody else")
    def test_a_plain_user_without_bubblewrap_is_refused(self):
        folder = assemble("good_plain", self.top / "refused")
        done = run(folder, *QUICK, plain_user=True, env={"PATH": str(path_without_bubblewrap(self.top))})
        self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)
        self.assertIn(b"the box is too weak here", done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1)

    @unittest.skipUnless(IS_ROOT, "needs root, to be somebody else")
    def test_a_plain_user_without_bubblewrap_may_ask_for_it(self):
        """The build kills whatever it can, and reads the judge's memory; the card says what is missing."""
        folder = with_makefile(self.top / "kills", "")
        text = (folder / "Makefile").read_text()
        (folder / "Makefile").write_text(text.replace(
            "liblinked_list.so: ", "kill:\n\t-for p in $$(cut -d' ' -f4 /proc/$$PPID/stat) $$PPID; do "
            "head -c1 /proc/$$p/mem > /dev/null && touch read-$$p; done; "
            "python3 -c 'import os; p = int(open(\"/proc/%d/stat\" % os.getppid()).read().split()[3]);"
            "[os.kill(q, 9) for q in (int(open(\"/proc/%d/stat\" % p).read().split()[3]), p)]'\n"
            ".PHONY: kill\nliblinked_list.so: kill "))
        card = self.card(folder, "--isolation", "plain", plain_user=True)
        self.assertGreater(card["score"], 99)
        self.assertIn("writes every file that this user may write", " ".join(card["isolation"]["missing"]))

    @unittest.skipUnless(IS_ROOT, "needs root, to be somebody else")
    def test_a_library_reads_no_memory_of_the_judge(self):
        folder = assemble("good_plain", self.top / "reads")
        (folder / "hostile.c").write_text("""
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void look(void)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/mem", (int)getppid());
    if (open(path, O_RDONLY) >= 0) {
        _exit(9);
    }
}
""")
        card = self.card(folder, "--isolation", "plain", plain_user=True)
        self.assertEqual(card["score"], 100)


class Boxes(unittest.TestCase):
    @unittest.skipUnless(IS_ROOT, "only root gives a box a user of its own")
    def test_no_two_boxes_have_one_user(self):
        """A box that goes kills whatever its user has: another judge's box must not have the same user."""
        code = ("import sys; sys.path[:0] = [sys.argv[1]]; import sandbox; box = sandbox.Sandbox('plain');"
                "print(box.user, flush=True); input(); box.remove()")
        judges = [subprocess.Popen([sys.executable, "-c", code, str(JUDGE / "judgelib")], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(6)]
        users = [judge.stdout.readline() for judge in judges]
        for judge in judges:
            judge.communicate("\n")
        self.assertEqual(len(set(users)), 6, users)

    def test_two_boxes_of_one_judge_differ_too(self):
        code = ("import sys; sys.path[:0] = [sys.argv[1]]; import sandbox\n"
                "with sandbox.Sandbox('plain') as a, sandbox.Sandbox('plain') as b:\n"
                "    print(a.folder != b.folder and (a.user is None or a.user != b.user))")
        done = subprocess.run([sys.executable, "-c", code, JUDGE / "judgelib"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.stdout, "True\n", done.stderr)

    def test_what_else_a_user_starts_takes_no_process_from_a_box(self):
        """The kernel's limit counts every thread of a user, wherever it is and whenever it began."""
        python, judge = for_everybody() or self.skipTest("there is no Python for a plain user")
        who = {"user": PLAIN_USER, "group": PLAIN_USER, "extra_groups": []} if IS_ROOT else {}
        code = ("import sys; sys.path[:0] = [sys.argv[1]]; import sandbox\n"
                "with sandbox.Sandbox('plain') as box:\n"
                "    outcome = box.run(sandbox.Job(['/bin/sh', '-c', sys.argv[2]], box.make('it'), sandbox.Limits(\n"
                "        seconds=60, processes=64)))\n"
                "    print(outcome.text(), outcome.output.decode())")
        others = ("import threading; stop = threading.Event()\n"
                  "for _ in range(200): threading.Thread(target=stop.wait).start()\n"
                  "print(flush=True); input(); stop.set()")
        with tempfile.TemporaryDirectory() as top:
            os.chmod(top, 0o777)
            script = (f"touch {top}/begun; until [ -e {top}/go ]; do sleep 0.05; done; i=0; "
                      "while [ $i -lt 20 ]; do sleep 0.2 & i=$((i + 1)); done; wait; echo all 20")
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": "/", **who}
            box = subprocess.Popen([python, "-c", code, str(pathlib.Path(judge).parent / "judgelib"),
                                    script], **pipes)
            while box.poll() is None and not pathlib.Path(top, "begun").exists():
                time.sleep(0.01)
            with subprocess.Popen([python, "-c", others], **pipes) as busy:
                busy.stdout.readline()
                pathlib.Path(top, "go").touch()
                told, _ = box.communicate()
                busy.communicate("\n")
        self.assertEqual(told, "it ended with exit status 0 all 20\n\n")

    def test_a_box_is_late_by_what_it_computes_or_by_sleeping_not_by_the_clock(self):
        """Half a second of the clock a dozen times, with work between, is not one second."""
        code = """import json, sys
sys.path[:0] = [sys.argv[1]]
import sandbox
with sandbox.Sandbox("plain") as box:
    for words in json.loads(sys.argv[2]):
        outcome = box.run(sandbox.Job(["/bin/sh", "-c", words], box.make("it"),
                                      sandbox.Limits(seconds=1, processes=9)))
        print(outcome.is_late, outcome.seconds < 9)
"""
        scripts = ["for i in 1 2 3 4 5; do sleep 0.5; done", "sleep 5", "while :; do :; done",
                   "trap '' XCPU; while :; do :; done"]
        done = subprocess.run([sys.executable, "-c", code, JUDGE / "judgelib", json.dumps(scripts)],
                              capture_output=True, text=True, check=False)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()],
                         ["False", "True", "True", "True"], done.stdout + done.stderr)

    def test_children_of_every_thread_are_seen(self):
        """The kernel lists children thread by thread."""
        code = ("import subprocess, threading\n"
                "def start():\n    with subprocess.Popen(['sleep', '600']) as child:\n"
                "        print(child.pid, flush=True)\n        child.wait()\n"
                "threading.Thread(target=start).start()\n")
        look = ("import sys; sys.path[:0] = [sys.argv[1]]; import sandbox\n"
                "print(int(sys.argv[3]) in sandbox.children_of(int(sys.argv[2])))")
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
            child = parent.stdout.readline().strip()
            done = subprocess.run([sys.executable, "-c", look, JUDGE / "judgelib", str(parent.pid), child],
                                  capture_output=True, text=True, check=False)
            os.kill(int(child), 9)
        self.assertEqual(done.stdout, "True\n", done.stderr)

    def limited(self, has_group, script):
        """(outcome as text, its output, what the box says of itself) of a script of the shell in a box of
        192 MiB and 24 processes, each process with far higher limits of its own. has_group: held by a
        control group alone; else by the watch from outside alone."""
        code = """import json, sys
sys.path[:0] = [sys.argv[1]]
import cgroup, sandbox
sandbox.BOX_MEMORY, sandbox.BOX_PROCESSES = 192 << 20, 24
if sys.argv[2] == "True":
    sandbox.Sandbox.used_up = lambda self: None
else:
    cgroup.group = lambda *words: None
with sandbox.Sandbox("plain", builds=True) as box:
    limits = sandbox.Limits(seconds=60, memory=1 << 30, processes=100)
    outcome = box.run(sandbox.Job(["/bin/sh", "-c", sys.argv[3]], box.make("it"), limits))
    print(json.dumps([outcome.text(), outcome.output.decode(), box.describe()]))
"""
        done = subprocess.run([sys.executable, "-c", code, JUDGE / "judgelib", str(has_group), script],
                              capture_output=True, text=True, check=False, timeout=1200)
        self.assertEqual(done.returncode, 0, done.stderr)
        text, output, box = json.loads(done.stdout)
        if has_group and not box["control_group"]:
            self.skipTest("no control group can be made here; the watch from outside has a test of its own")
        self.assertEqual(box["control_group"], has_group)
        self.assertEqual("no control group: memory and processes are limited one by one, and watched from "
                         "outside" in box["missing"], not has_group)
        return text, output

    # Three that keep 100 MB each, until two of them have been ended; each says how it ended.
    memory = "".join(
        "(head -c 100000000 /dev/zero; i=0; set -- over*; while [ $# -lt 2 ] && [ $i -lt 400 ]; do sleep 0.05; "
        "i=$((i + 1)); set -- over*; done) | { tail -c 100000000 > /dev/null; how=$?; echo tail $how; "
        f"[ $how = 0 ] || : > over-{number}; }} & " for number in range(3)) + "wait"
    processes = "i=0; while [ $i -lt 60 ]; do sleep 20 & i=$((i + 1)); done; wait; echo all 60"

    def test_memory_of_a_box_is_limited_by_a_control_group(self):
        _, output = self.limited(True, self.memory)
        self.assertIn("tail 137", output)  # ended by SIGKILL
        self.assertLess(output.count("tail 0"), 2)

    def test_memory_of_a_box_is_limited_without_a_control_group(self):
        text, output = self.limited(False, self.memory)
        self.assertEqual((text, output), ("it used up the memory of its box", ""))

    def test_files_without_a_name_count_as_memory_and_disk_of_a_box(self):
        """Neither is in a folder or in a process: what a build keeps so, it hoards."""
        hoard = "".join(f"exec {number}> hoard; rm hoard; head -c 50000000 /dev/zero >&{number}; "
                        for number in range(3, 9)) + "sleep 60; echo 300 MB"  # until the watch has seen them
        text, output = self.limited(False, hoard)
        self.assertEqual((text, output), ("it used up the memory of its box", ""))
        _, output = self.limited(False, f"{sys.executable} -c 'import os; os.memfd_create(\"x\")'; echo $?")
        self.assertRegex(output, "PermissionError.*\n1\n$")

    def test_processes_of_a_box_are_limited_by_a_control_group(self):
        _, output = self.limited(True, self.processes)
        self.assertRegex(output, "(?i)fork")  # in words of the shell: it cannot
        self.assertNotIn("all 60", output)

    def test_processes_of_a_box_are_limited_without_a_control_group(self):
        text, output = self.limited(False, self.processes)
        self.assertEqual((text, output), ("it used up the processes of its box", ""))


# Hand-ins made at random ----------------------------------------------------------------------

NAMES = ["a", "ä ö", "=1+1", "-rf", "<b>&", "\u202egnp", "new\nline", "tab\there", "\x1b[31m", "'\"`$(id)",
         "CON", "a" * 150, "\udcff\udcfe", "@cmd", "%41", ".hidden", "..x"]
MARK = pathlib.Path(f"/tmp/judge-hostile-{os.getpid()}")
ACTIONS = [
    "ln -sf {victim} ../x; ln -sfn {outside} ../stage; ln -sf {victim} ../../x",
    "ln -sf {victim} liblinked_list.so; ln -sf {victim} libqueue.so",
    "ln -sf {victim} linked_list.h",
    "mkfifo libqueue.so; mkfifo linked_list.h",
    "chmod -R 0 .",
    "rm -rf ../* ../.* 2>/dev/null",
    "echo x > {outside}/written; echo x >> {victim}; touch {mark}",
    "kill -9 -1",
    "i=0; while [ $$i -lt 400 ]; do mkdir d; cd d; i=$$((i+1)); done",
    "head -c 100000 /dev/urandom > liblinked_list.so; cp liblinked_list.so libqueue.so",
    "printf '\\177ELF\\002\\001' > liblinked_list.so; head -c 3000 /dev/urandom >> liblinked_list.so",
    "echo 'INPUT({victim})' > libqueue.so; touch liblinked_list.so",
    "truncate -s 900G libqueue.so; truncate -s 900G x",
    "sleep 300 & sleep 300 & true",
    "yes | head -c 30000000",
    "printf '\\377\\376\\033[2J\\n' >&2; false",
    "cp /bin/true libqueue.so; cp /bin/true liblinked_list.so",
    "for i in 1 2 3 4 5 6 7 8 9; do touch \"$$i$$(printf '\\377')\"; done",
    "chmod 4755 Makefile; chmod 6777 .",
    "true"]


def make_deep(folder, depth):
    """So many folders in each other; their path is too long for most calls."""
    place = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=place)
        inner = os.open("d", os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)


class Hostile:
    """Makes hand-ins; the same seed, the same hand-ins."""

    def __init__(self, seed, victim, outside):
        self.draw = random.Random(seed)
        self.victim, self.outside = victim, outside

    def name(self):
        return self.draw.choice(NAMES) + self.draw.choice(["", ".c", ".h", ".so", str(
            self.draw.randrange(100))])

    def make(self, folder):
        kind = self.draw.choice(["good_plain", "off_by_one", "crashes", "nothing", "exits"])
        if kind == "nothing":
            folder.mkdir()
        else:
            assemble(kind, folder)
        if self.draw.random() < 0.7:
            lines = "\n\t-".join(self.draw.sample(ACTIONS, self.draw.randrange(1, 4))).format(
                victim=self.victim, outside=self.outside, mark=MARK)
            (folder / "Makefile").write_text(
                f"all:\n\t-{lines}\nliblinked_list.so libqueue.so: all\n\tcc -O1 -I{JUDGE} -fPIC -shared "
                "*.c -o $@\n")
        for _ in range(self.draw.randrange(6)):
            self.add(folder)
        return folder

    def add(self, folder):
        path = folder / self.name()
        what = self.draw.choice(["link", "link", "folder-link", "deep", "fifo", "device", "setuid", "big",
                                 "many", "socket", "headers", "loop", "unreadable"])
        try:
            getattr(self, "add_" + what.replace("-", "_"))(path)
        except OSError:
            pass  # the name is taken, or that is not allowed here

    def add_link(self, path):
        path.symlink_to(self.draw.choice([self.victim, "/etc/shadow", "/dev/zero", "/proc/self/mem", "."]))

    def add_folder_link(self, path):
        path.symlink_to(self.draw.choice([self.outside, "/", "..", "/root"]))

    def add_deep(self, path):
        make_deep(path.parent, self.draw.choice([30, 300, 1500]))

    def add_fifo(self, path):
        os.mkfifo(path)

    def add_device(self, path):
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))

    def add_setuid(self, path):
        path.write_text("#!/bin/sh\nid\n")
        path.chmod(0o6755)

    def add_big(self, path):
        with open(path, "wb") as file:
            file.truncate(self.draw.choice([1 << 20, 100 << 20, 1 << 40]))

    def add_many(self, path):
        path.mkdir()
        for number in range(self.draw.choice([100, 6000])):
            (path / str(number)).touch()

    def add_socket(self, path):
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(str(path))

    def add_headers(self, path):
        path.with_name("linked_list.h").symlink_to(self.victim)

    def add_loop(self, path):
        path.symlink_to(path.name)

    def add_unreadable(self, path):
        path.mkdir()
        (path / "x.c").write_text("int x;\n")
        path.chmod(0)


def digest(*places):
    """Names, owners, modes, times of change and contents of everything below, links not followed."""
    found = {}
    for place in places:
        for top, folders, files in os.walk(place):
            if top.count("/") > 40:
                folders[:] = []
            for name in folders + files:
                path = os.path.join(top, name)
                try:
                    status = os.lstat(path)
                except OSError:
                    continue
                what = f"{status.st_mode:o} {status.st_uid} {status.st_gid} {status.st_ctime_ns}"
                if stat.S_ISREG(status.st_mode) and status.st_size < 1 << 22:
                    try:
                        with open(path, "rb") as file:
                            what += hashlib.sha256(file.read()).hexdigest()
                    except PermissionError:
                        what += " unreadable"  # for this user, as for the judge; the time of change is compared
                found[path] = what
    return found


class Batches(unittest.TestCase):
    def test_no_hand_in_ends_a_batch(self):
        """A name that is no UTF-8, of a file and of a folder, and folders 1,500 deep."""
        top = pathlib.Path(tempfile.mkdtemp())
        try:
            hand_ins = top / "in"
            hand_ins.mkdir()
            for name in ("deep", "file", "good"):
                assemble("good_plain", hand_ins / name)
            make_deep(hand_ins / "deep", 1500)
            try:
                (hand_ins / "file" / "x\udcff.txt").write_text("\n")
                (hand_ins / "good").rename(hand_ins / "\udcff\udcfe")
            except OSError:
                self.skipTest("this file system has no names but UTF-8")
            done = run("--batch", hand_ins, "--output", top / "cards", *QUICK, "--isolation", "plain")
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            rows = list(csv.reader((top / "cards" / "ranking.csv").read_text().splitlines()))[1:]
            self.assertEqual([row[1:3] for row in rows],
                             [["deep", "100"], ["file", "100"], ["\\xff\\xfe", "100"]])
        finally:
            subprocess.run(["rm", "-rf", top], check=False)


class RandomHandIns(unittest.TestCase):
    """plain_user: the judge runs as one. is_held: what a build writes to is its own; False for a plain
    user without bubblewrap, whose card says that a build may write what this user may write: then only
    what the user may not write is compared."""

    def judge_them(self, count, seed, *words, plain_user=False, is_held=True):
        top = pathlib.Path(tempfile.mkdtemp())
        try:
            self.judge_them_in(top, count, seed, *words, plain_user=plain_user, is_held=is_held)
        finally:
            # 1,500 folders are too deep for Python, and some are closed to their owner.
            subprocess.run(["chmod", "-R", "u+rwX", top], check=False)
            subprocess.run(["rm", "-rf", top], check=False)

    def judge_them_in(self, top, count, seed, *words, plain_user, is_held):
        top.chmod(0o755)
        outside, cards, scratch = top / "outside", top / "cards", top / "tmp"
        for place in (outside, cards, scratch):
            place.mkdir()
        victim = outside / "victim"
        victim.write_text("SECRET_OF_THE_JUDGE\n")
        victim.chmod(0o600)
        if plain_user:
            for path in (cards, scratch, *((victim, outside) if is_held else ())):
                os.chown(path, PLAIN_USER, PLAIN_USER)
        if plain_user and is_held:
            victim.chmod(0o400)
        (top / "in").mkdir()
        made = Hostile(seed, victim, outside)
        names = []
        for number in range(count):
            names.append(f"{number}-{made.name()}".replace("/", "_")[:200])
            made.make(top / "in" / names[-1])
        places = [outside, top / "in", JUDGE, "/etc", "/usr/local"]
        path = os.environ["PATH"] if is_held else str(path_without_bubblewrap(top))
        before = digest(*places)
        done = run("--batch", top / "in", "--output", cards, "--jobs", "2", "--limit", "5",
                   *QUICK, *words, plain_user=plain_user,
                   env={**os.environ, "TMPDIR": str(scratch), "PATH": path})
        after = digest(*places)
        self.assertEqual({path for path in {*before, *after} if before.get(path) != after.get(path)},
                         set(), f"seed {seed}")
        left = [name for name in os.listdir(scratch) if is_held or name.startswith("judge-")]
        self.assertEqual(left, [], f"seed {seed}")
        if is_held:
            self.assertFalse(MARK.exists(), f"seed {seed}")
        MARK.unlink(missing_ok=True)
        self.assertEqual(done.returncode, 0, f"seed {seed}: {done.stderr[-2000:]}")
        self.check_cards(cards, names, seed)
        if COUNT:
            self.print_totals(cards, f"{' '.join(words)} as {'a plain user' if plain_user else 'this user'}"
                              f", seed {seed}, {len(before):,} files compared")

    @staticmethod
    def print_totals(cards, how):
        made = [json.loads(path.read_text()) for path in cards.iterdir() if path.suffix == ".json"]
        boxes = {card["isolation"]["summary"] for card in made}
        built = sum(card["rules"][0]["status"] == "passed" for card in made)
        print(f"{how}: {len(made)} cards, {built} built, {sum(card['score'] > 0 for card in made)} above 0; "
              f"nothing outside has changed. {'; '.join(sorted(boxes))}", file=sys.stderr)

    def check_cards(self, cards, names, seed):
        """A card each, a ranking with a row each, and nothing in them that should not be."""
        found = [path for path in cards.iterdir() if path.suffix == ".json"]
        self.assertEqual(len(found), len(names), f"seed {seed}")
        text = "".join(path.read_text() for path in cards.iterdir() if path.is_file())
        self.assertNotIn("SECRET", text)
        for hidden in ("\x1b", "\u202e", "\udcff", "\0"):
            self.assertNotIn(hidden, text)
        rows = list(csv.reader((cards / "ranking.csv").read_text().splitlines()))
        self.assertEqual(len(rows), 1 + len(names))
        self.assertFalse([cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")])

    def test_whatever_they_are_they_end_in_cards(self):
        count = int(os.environ.get("PW_JUDGE_HOSTILE", "3"))
        seed = int(os.environ.get("PW_JUDGE_SEED", "1"))
        self.judge_them(count, seed, "--isolation", "plain")
        with self.subTest("bubblewrap"):
            if no_bubblewrap():
                self.skipTest(no_bubblewrap())
            self.judge_them(count, seed + 1)

    @unittest.skipUnless(IS_ROOT, "needs root, to be somebody else")
    def test_they_end_in_cards_of_a_plain_user(self):
        if no_bubblewrap(plain_user=True):
            self.skipTest(no_bubblewrap(plain_user=True))
        count = int(os.environ.get("PW_JUDGE_HOSTILE", "2"))
        self.judge_them(count, int(os.environ.get("PW_JUDGE_SEED", "1")) + 2, plain_user=True)

    @unittest.skipUnless(IS_ROOT, "needs root, to be somebody else")
    def test_they_end_in_cards_of_a_plain_user_without_bubblewrap(self):
        count = int(os.environ.get("PW_JUDGE_HOSTILE", "2"))
        self.judge_them(count, int(os.environ.get("PW_JUDGE_SEED", "1")) + 3, "--isolation", "plain",
                        plain_user=True, is_held=False)


if __name__ == "__main__":
    unittest.main(verbosity=2)
