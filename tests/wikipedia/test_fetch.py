#!/usr/bin/env python3
"""wikipedia/fetch against a server of this machine: it finds, resumes, checks and says sizes.

Usage: test_fetch.py FOLDER_OF_PROGRAMS SOURCE
"""
import functools
import gzip
import hashlib
import http.server
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAMS, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])


class Server(http.server.SimpleHTTPRequestHandler):
    """The server of `python3 -m http.server`; with ranges, as the real one has, where asked for."""
    ranges = True
    sizes = {}  # of a file, where it says another one
    asked = []
    status = {}  # of a file, where it is not sent
    breaks = {}  # of a file, after how many bytes the connection ends
    held = None  # an event: before it ends so, it is waited for
    sent = threading.Event()  # as many bytes as breaks says were sent

    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        Server.asked.append((self.command, self.path, self.headers.get("Range")))

    def send_head(self):
        wanted = self.headers.get("Range")
        told = Server.sizes.get(self.path.rpartition("/")[2])
        if self.command == "HEAD" and told:
            self.send_response(200)
            self.send_header("Content-Length", str(told))
            self.end_headers()
            return None
        path = pathlib.Path(self.translate_path(self.path))
        if self.command == "GET" and path.name in Server.status:
            self.send_error(Server.status[path.name])
            return None
        if not (Server.ranges and wanted and path.is_file()):
            return super().send_head()
        begin = int(wanted[len("bytes="):].split("-")[0])
        size = path.stat().st_size
        if begin >= size:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        file = path.open("rb")
        file.seek(begin)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {begin}-{size - 1}/{size}")
        self.send_header("Content-Length", str(size - begin))
        self.end_headers()
        return file

    def copyfile(self, source, outputfile):
        most = Server.breaks.get(pathlib.Path(getattr(source, "name", "")).name)
        if most is None:
            super().copyfile(source, outputfile)
            return
        outputfile.write(source.read(most))
        outputfile.flush()
        Server.sent.set()
        if Server.held is not None:
            Server.held.wait(60)


@unittest.skipIf(shutil.which("curl") is None, "no curl")
class Fetch(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)
        (self.folder / ".curlrc").write_text("retry-max-time = 1\n") # else it waits 3 s before it gives up
        for date in ["2026-10-20", "2026-11-01"]:
            day = self.folder / "site/testwiki" / date.replace("-", "")
            day.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([PROGRAMS / "../tests/wikipedia-generate", "--pages", "100", "--date", date, day],
                           check=True)
            self.list_sums(day)
        day = self.folder / "site/testwiki/20261120"  # not complete yet
        shutil.copytree(self.folder / "site/testwiki/20261101", day)
        for path in day.iterdir():
            path.rename(day / path.name.replace("20261101", "20261120"))
        (day / "testwiki-20261120-pagelinks.sql.gz").unlink()
        self.list_sums(day)
        handler = functools.partial(Server, directory=self.folder / "site")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()
        Server.ranges, Server.asked, Server.sizes, Server.status, Server.breaks = True, [], {}, {}, {}
        Server.held = None
        Server.sent.clear()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
        self.scratch.cleanup()

    def list_sums(self, day):
        (day / f"testwiki-{day.name}-sha1sums.txt").write_text(
            "".join(f"{hashlib.sha1(path.read_bytes()).hexdigest()}  {path.name}\n"
                    for path in sorted(day.glob("*.sql.gz"))))

    def start(self, *words):
        return subprocess.Popen([SOURCE / "wikipedia/fetch", *words], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
                                env={**os.environ, "no_proxy": "127.0.0.1", "CURL_HOME": str(self.folder),
                                     "WIKIPEDIA_DUMPS": f"http://127.0.0.1:{self.server.server_port}"})

    def fetch(self, *words, status=0):
        with self.start(*words) as running:
            text = running.communicate(timeout=600)[0]
        self.assertEqual(running.returncode, status, text)
        return text

    def large(self, size=100000):
        """A file so large among the dumps of the day: its name, its bytes, and where it comes to."""
        day = self.folder / "site/testwiki/20261101"
        name = "testwiki-20261101-pagelinks.sql.gz"
        whole = random.Random(1).randbytes(size)
        (day / name).write_bytes(whole)
        self.list_sums(day)
        (self.folder / "here").mkdir()
        return name, whole, self.folder / "here" / name, self.folder / "here" / (name + ".part")

    def test_the_newest_complete_dump_is_fetched_and_imported(self):
        text = self.fetch("testwiki")
        self.assertIn("testwiki of 20261101", text)
        self.assertIn("MB free", text)
        folder = self.folder / ".cache/testwiki-20261101"
        self.assertEqual(len(list(folder.glob("*.sql.gz"))), 5)
        self.assertEqual(text.count("fetched, its sum is right"), 5)
        done = subprocess.run([PROGRAMS / "wikipedia-import", folder, self.folder / "out.pwg"], check=True,
                              stdout=subprocess.PIPE, text=True)
        self.assertRegex(done.stdout, "out.pwg: [0-9]+ nodes, [0-9]+ edges")
        Server.asked = []
        self.assertEqual(self.fetch("testwiki").count("is there"), 5)
        self.assertFalse([path for _, path, _ in Server.asked if path.endswith(".sql.gz")])

    def test_the_dump_of_inclusions_is_fetched_where_it_is_asked_for(self):
        day = self.folder / "site/testwiki/20261020"
        name = "testwiki-20261020-templatelinks.sql.gz"
        (day / name).write_bytes(gzip.compress(
            b"CREATE TABLE `templatelinks` (\n  `tl_from` int unsigned,\n  `tl_target_id` bigint unsigned\n);\n"
            b"INSERT INTO `templatelinks` VALUES (7,1);\n-- Dump completed on 2026-10-20\n"))
        self.list_sums(day)
        self.fetch("testwiki", "20261020", "plain")
        self.assertFalse((self.folder / "plain" / name).exists())
        text = self.fetch("--without-templates", "testwiki")  # the newest that has it
        self.assertIn(f"{name}: fetched, its sum is right", text)
        folder = ".cache/testwiki-20261020"
        self.assertIn(f"Next: wikipedia-import --without-templates {folder} testwiki.pwg\n", text)
        done = subprocess.run([PROGRAMS / "wikipedia-import", "--without-templates", self.folder / folder,
                               self.folder / "out.pwg"], check=True, stdout=subprocess.PIPE, text=True)
        self.assertRegex(done.stdout, "inclusion rows +1\n")
        self.assertIn("the dump of 20261101 has no testwiki-20261101-templatelinks.sql.gz (yet)",
                      self.fetch("--without-templates", "testwiki", "20261101", status=1))
        self.assertIn("Usage: wikipedia/fetch [--without-templates] WIKI", self.fetch("--help"))
        for words in [["--without-templates"], ["--without", "testwiki"], ["testwiki", "20261020", "a", "b"]]:
            self.assertIn("Usage: ", self.fetch(*words, status=2))

    def demo_tree(self):
        tree = self.folder / "tree"
        (tree / "build/release").mkdir(parents=True)
        for name in ["data", "wikipedia", "demo.sh"]:
            (tree / name).symlink_to(SOURCE / name)
        (tree / "build/release/bin").symlink_to(PROGRAMS)
        for name in ["setup.sh", "cmake"]:  # nothing to install, nothing to build
            (tree / name).write_text("#!/bin/sh\n")
            (tree / name).chmod(0o755)
        shutil.copy(SOURCE / "demo.sh", tree / "demo")
        return tree

    def demo(self, tree, site):
        return subprocess.run([tree / "demo", "--wikipedia=test"], cwd=tree, check=False, text=True, timeout=600,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "no_proxy": "127.0.0.1", "PATH": f"{tree}:{os.environ['PATH']}",
                                   "CURL_HOME": str(self.folder), "WIKIPEDIA_DUMPS": site})

    def test_the_demo_fetches_imports_and_asks_and_offline_takes_what_is_there(self):
        tree = self.demo_tree()
        offline = "http://127.0.0.1:9"  # discard: nobody answers
        done = self.demo(tree, offline)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("./demo.sh alone works offline", done.stdout)
        for site in [f"http://127.0.0.1:{self.server.server_port}", offline]:
            done = self.demo(tree, site)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertRegex(done.stdout, "Ada Lovelace -> (.* -> )?Banana")
        self.assertIn("Taking what was fetched before: .cache/testwiki-20261101", done.stdout)

    def test_an_installed_fetch_calls_itself_by_its_installed_name(self):
        installed = self.folder / "wikipedia-fetch"
        shutil.copy(SOURCE / "wikipedia/fetch", installed)
        done = subprocess.run([installed, "--help"], check=True, text=True, stdout=subprocess.PIPE)
        self.assertTrue(done.stdout.startswith("Usage: wikipedia-fetch [--without-templates] WIKI"), done.stdout)
        done = subprocess.run([installed, "Wiki!"], check=False, text=True, stderr=subprocess.PIPE)
        self.assertTrue(done.stderr.startswith("wikipedia-fetch: "), done.stderr)

    def test_a_date_and_a_folder_can_be_chosen(self):
        self.fetch("testwiki", "20261020", "here")
        self.assertEqual(len(list((self.folder / "here").glob("testwiki-20261020-*.sql.gz"))), 5)
        self.assertIn("no testwiki-20261120-pagelinks.sql.gz (yet)", self.fetch("testwiki", "20261120", status=1))

    def test_a_download_that_stopped_is_continued(self):
        for ranges in [True, False]:
            Server.ranges = ranges
            folder = self.folder / f"half{ranges}"
            folder.mkdir()
            name = "testwiki-20261101-pagelinks.sql.gz"
            whole = (self.folder / "site/testwiki/20261101" / name).read_bytes()
            (folder / (name + ".part")).write_bytes(whole[:1000])
            self.fetch("testwiki", "20261101", folder)
            self.assertEqual((folder / name).read_bytes(), whole)
            if ranges:
                self.assertIn(("GET", f"/testwiki/20261101/{name}", "bytes=1000-"), Server.asked)

    def test_what_is_there_of_a_file_stays_when_the_server_refuses(self):
        name, whole, there, part = self.large()
        for status in [404, 429, 503]:
            part.write_bytes(whole[:60000])
            Server.status = {name: status}
            text = self.fetch("testwiki", "20261101", "here", status=1)
            self.assertIn(f"the server answers HTTP {status} for {name}; run this again to go on\n", text)
            self.assertEqual(part.read_bytes(), whole[:60000])
        Server.status = {}
        self.fetch("testwiki", "20261101", "here")
        self.assertIn(("GET", f"/testwiki/20261101/{name}", "bytes=60000-"), Server.asked)
        self.assertEqual(there.read_bytes(), whole)

    def test_a_server_that_refuses_the_lists_is_not_taken_for_a_wrong_name(self):
        for status, words in [(503, ["testwiki"]), (429, ["testwiki", "20261101"])]:
            Server.status = {f"testwiki-{date}-sha1sums.txt": status for date in [20261101, 20261120]}
            self.assertIn(f"(HTTP {status})", self.fetch(*words, status=1))
        self.assertFalse((self.folder / ".cache").exists())

    def test_a_connection_that_drops_is_continued(self):
        name, whole, there, part = self.large()
        Server.breaks = {name: 70000}
        self.assertIn("stopped early; run this again", self.fetch("testwiki", "20261101", "here", status=1))
        self.assertEqual(part.read_bytes(), whole[:70000])
        Server.breaks = {}
        self.fetch("testwiki", "20261101", "here")
        self.assertIn(("GET", f"/testwiki/20261101/{name}", "bytes=70000-"), Server.asked)
        self.assertEqual(there.read_bytes(), whole)

    def test_ctrl_c_ends_it_and_the_next_run_goes_on(self):
        name, whole, there, part = self.large()
        Server.breaks, Server.held = {name: 70000}, threading.Event()
        with self.start("testwiki", "20261101", "here") as running:
            self.assertTrue(Server.sent.wait(60))
            until = time.monotonic() + 600
            while not part.exists() or part.stat().st_size < 32768: # curl writes whole buffers
                self.assertLess(time.monotonic(), until)
                time.sleep(.01)
            os.killpg(running.pid, signal.SIGINT)
            running.communicate(timeout=600)
        Server.held.set()
        self.assertEqual(running.returncode, 130)
        left = part.read_bytes()
        self.assertEqual(left, whole[:len(left)])
        Server.breaks = {}
        self.fetch("testwiki", "20261101", "here")
        self.assertIn(("GET", f"/testwiki/20261101/{name}", f"bytes={len(left)}-"), Server.asked)
        self.assertEqual(there.read_bytes(), whole)

    def test_a_part_that_is_whole_is_kept_or_removed_by_its_sum(self):
        _, whole, there, part = self.large()
        part.write_bytes(whole[:-1] + b"?")
        self.assertIn("does not have the listed sum", self.fetch("testwiki", "20261101", "here", status=1))
        self.assertFalse(part.exists())
        part.write_bytes(whole)
        self.fetch("testwiki", "20261101", "here")
        self.assertEqual(there.read_bytes(), whole)

    def test_sizes_are_said_in_kb_or_mb(self):
        name, _, _, part = self.large()
        part.write_bytes(b"x" * 40000)
        text = self.fetch("testwiki", "20261101", "here", status=1)
        self.assertIn(f"  {name}: 100 kB\n", text)
        self.assertRegex(text, r"  together \d\d kB, to here, which has \d+ MB free\n")
        Server.sizes = {name: 1999999}
        self.assertIn(f"  {name}: 1 MB\n", self.fetch("testwiki", "20261101", "here"))

    def test_no_file_is_fetched_where_there_is_no_room(self):
        name = "testwiki-20261101-pagelinks.sql.gz"
        Server.sizes = {name: 10**15}
        (self.folder / "full").mkdir()
        with (self.folder / "full" / f"{name}.part").open("wb") as part:
            part.truncate(20 * 10**6)  # is there already
        text = self.fetch("testwiki", "20261101", "full", status=1)
        self.assertIn("together 999999980 MB", text)
        self.assertIn("full has no room for them", text)
        self.assertFalse(list((self.folder / "full").glob("*.sql.gz")))

    def test_a_wrong_sum_is_refused(self):
        path = self.folder / "site/testwiki/20261101/testwiki-20261101-page.sql.gz"
        path.write_bytes(path.read_bytes()[:-1] + b"x")
        self.assertIn("does not have the listed sum", self.fetch("testwiki", status=1))
        self.assertFalse(list(self.folder.glob(".cache/*/testwiki-20261101-page.sql.gz*")))

    def test_what_is_not_there_is_said(self):
        self.assertIn("is this machine online", self.fetch("nowiki", status=1))
        self.assertIn("no dump of testwiki of 20250101", self.fetch("testwiki", "20250101", status=1))
        self.assertIn("is no date", self.fetch("testwiki", "2025", status=1))
        self.fetch(status=2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
