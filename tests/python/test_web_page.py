#!/usr/bin/env python3
"""test_web_page.py - the page of bfs-web works in a real browser, by keyboard alone, for everybody.

Chromium, without a window, asks a server of its own. axe-core looks for what a screen reader or an
eye would stumble over (axe-core in build/axe, which ./setup.sh browser fetches; without it that part is
skipped). Nothing depends on how fast anything is: each step waits for what it expects.
"""
import contextlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
AXE = ROOT / "build/axe/axe_playwright_python/axe.min.js"
try:
    from selenium import webdriver
except ImportError:
    system = shutil.which("python3", path="/usr/bin")
    if system and not os.environ.get("PW_SYSTEM_PYTHON") and subprocess.run(
            [system, "-c", "import selenium"], stderr=subprocess.DEVNULL, check=False
            ).returncode == 0:
        os.environ["PW_SYSTEM_PYTHON"] = "1"
        os.execv(system, [system, __file__, *sys.argv[1:]])
    print("skipped: python3-selenium is not installed: ./setup.sh browser")
    sys.exit(77)
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

if not os.environ.get("PW_BROWSER"):
    print("skipped: PW_BROWSER=1 asks for it; ./test.sh web does so")
    sys.exit(77)
from test_web import PATIENCE, SAMPLE, Server  # noqa: E402

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
if not DRIVER or not CHROMIUM:
    print("skipped: chromium or chromium-driver is not installed: ./setup.sh browser")
    sys.exit(77)

EVIL = "<script>alert(1)</script>"
WIDTHS, SCHEMES = (360, 1400), ("light", "dark")


def started(folder):
    """A browser that keeps everything in a folder; None, with why, if it cannot run here."""
    options = Options()
    options.binary_location = CHROMIUM
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                 "--no-first-run", "--disable-background-networking", f"--user-data-dir={folder}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    os.environ["HOME"] = folder
    try:
        browser = webdriver.Chrome(service=Service(DRIVER), options=options)
    except WebDriverException as why:
        return None, str(why).splitlines()[0]
    browser.set_script_timeout(PATIENCE)
    browser.set_page_load_timeout(PATIENCE)
    return browser, None


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="pw-page-", ignore_cleanup_errors=True) \
            if sys.version_info >= (3, 10) else tempfile.TemporaryDirectory(prefix="pw-page-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        cls.browser, why = started(str(cls.folder / "profile"))
        if cls.browser is None:
            raise unittest.SkipTest(f"the browser does not start here: {why}")
        cls.addClassCleanup(cls.browser.quit)
        layers = [["s"]] + [[f"{EVIL} {i}-{k}" for k in range(10)] for i in range(30)] + [["t"]]
        many = cls.folder / "many.tsv"
        many.write_text("".join(f"{u}\t{v}\n" for one, two in zip(layers, layers[1:])
                                for u, v in itertools.product(one, two)))
        wide = cls.folder / "wide.tsv"
        wide.write_text("s\tt\n" + "".join(f"s\t{k}\n{k}\tt\n" for k in range(120)))
        cls.sample, cls.many, cls.wide = Server(SAMPLE), Server(many), Server(wide)
        cls.addClassCleanup(cls.wide.end)
        cls.addClassCleanup(cls.sample.end)
        cls.addClassCleanup(cls.many.end)

    def setUp(self):
        self.look(1400, "light")

    # What a person does ---------------------------------------------------------------------

    def look(self, width, scheme):
        """Give the window a width, and the system a scheme of colours."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, server, **question):
        query = urllib.parse.urlencode([(name.rstrip("_"), value)
                                        for name, value in question.items()])
        self.browser.get(f"http://127.0.0.1:{server.port}/?{query}")
        self.wait(lambda: "links" in self.text("graph"))
        if "from_" in question:
            self.wait(lambda: self.text("status"))

    def wait(self, condition):
        return WebDriverWait(self.browser, PATIENCE, 0.02).until(lambda _: condition())

    def find(self, name):
        return self.browser.find_element(By.ID, name)

    def text(self, name):
        return self.script(f"return document.getElementById({name!r}).textContent.trim()")

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def keys(self, *keys):
        for key in keys:
            ActionChains(self.browser).send_keys(key).perform()

    def focus(self):
        return self.script("return document.activeElement.id")

    def answered(self, beginning, title=""):
        """Wait for an answer that begins so, of a page with this title."""
        self.wait(lambda: title in self.browser.title and
                  self.text("status").startswith(beginning))

    def type_and_choose(self, box, letters, title):
        """Type, wait for the suggestions, and take the one with this title."""
        self.assertEqual(self.focus(), box)
        self.keys(letters)
        options = f"{box}-list"
        self.wait(lambda: title in self.script(
            "return [...document.getElementById(arguments[0]).children].map(x => x.textContent)",
            options))
        self.assertEqual(self.find(box).get_attribute("aria-expanded"), "true")
        for _ in range(10):
            self.keys(Keys.ARROW_DOWN)
            active = self.find(box).get_attribute("aria-activedescendant")
            if self.text(active) == title:
                break
        self.assertEqual(self.find(active).get_attribute("aria-selected"), "true")
        self.keys(Keys.ENTER)
        if box != "without":  # which is emptied for the next one
            self.assertEqual(self.find(box).get_attribute("value"), title)
        self.assertEqual(self.find(box).get_attribute("aria-expanded"), "false")

    # What it sees ---------------------------------------------------------------------------

    def test_a_question_by_keyboard_alone(self):
        self.open(self.sample)
        self.wait(lambda: self.focus() == "from")
        self.type_and_choose("from", "lao", "Laos")
        self.wait(lambda: self.focus() == "to")
        self.type_and_choose("to", "pola", "Poland")
        self.answered("3 hops; 1 shortest path; ")
        reached = set()
        for _ in range(40):
            self.keys(Keys.TAB)
            reached.add(self.focus())
        self.assertLessEqual({"from", "swap", "to", "random", "without", "avoid", "paths-tab",
                              "picture", "copy", "save", "json"}, reached)
        self.script("document.getElementById('without').focus()")
        self.type_and_choose("without", "chin", "China")
        self.wait(lambda: "without=China" in self.browser.current_url)
        self.answered("7 hops")
        self.script("document.getElementById('swap').focus()")
        self.keys(Keys.SPACE)
        self.answered("7 hops", "Poland → Laos")
        self.assertIn("from=Poland", self.browser.current_url)

    def test_suggestions_can_be_closed_and_ignored(self):
        self.open(self.sample)
        self.wait(lambda: self.focus() == "from")
        self.keys("la")
        self.wait(lambda: self.find("from").get_attribute("aria-expanded") == "true")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.find("from").get_attribute("aria-expanded"), "false")
        self.assertEqual(self.find("from").get_attribute("value"), "la")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.find("from").get_attribute("value"), "")
        self.keys("laos", Keys.TAB, Keys.TAB, "POLAND", Keys.ENTER)
        self.answered("3 hops")
        self.assertIn("taken for", self.text("status"))

    def test_did_you_mean(self):
        self.open(self.sample, from_="Laoss", to="Poland")
        self.answered("No node is called")
        self.browser.find_element(By.CSS_SELECTOR, "#status button").click()
        self.answered("3 hops")
        self.assertEqual(self.find("from").get_attribute("value"), "Laos")

    def test_a_link_gives_the_same_answer_and_back_the_one_before(self):
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("3 hops")
        self.find("swap").click()
        self.answered("3 hops", "Poland → Laos")
        self.assertIn("from=Poland", self.browser.current_url)
        first = self.script("return [...document.querySelectorAll('#list li')].map(x => x.textContent)")
        self.browser.get(self.browser.current_url)
        self.answered("3 hops", "Poland → Laos")
        self.assertEqual(first, self.script(
            "return [...document.querySelectorAll('#list li')].map(x => x.textContent)"))
        self.browser.back()
        self.wait(lambda: self.find("from").get_attribute("value") == "Laos")
        self.answered("3 hops", "Laos → Poland")
        answer = json.loads(self.sample.get(urllib.parse.urlsplit(
            self.find("json").get_attribute("href"))._replace(scheme="", netloc="").geturl())[2])
        self.assertEqual(answer["paths"], [["Laos", "China", "Russia", "Poland"]])

    def test_the_way_back_distances_and_no_path(self):
        self.open(self.sample, from_="Laos", to="Haiti")
        self.answered("There is no path; ")
        self.assertFalse(self.find("drawing").is_displayed())
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("3 hops")
        self.wait(lambda: self.text("back") == "Poland → Laos: 3 hops.")
        self.browser.find_element(By.CSS_SELECTOR, "#far-choice button").click()
        self.wait(lambda: "on average" in self.text("far"))
        rows = self.script("return [...document.querySelectorAll('#far tr')].map(x => x.textContent)")
        self.find("find-longer").click()
        self.wait(lambda: self.text("longer-paths").startswith("8 paths of 4 hops:"))
        self.assertEqual(rows[:4], ["01", "15", "215", "316"])

    def test_a_title_that_is_code_and_more_paths_than_can_be_listed(self):
        self.open(self.many, from_="s", to="t")
        self.answered("31 hops; about 1.0 × 10^30 shortest paths; ")
        self.assertLessEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "svg .node")), 200)
        self.assertIn("more", self.text("picture"))
        self.assertIn(EVIL, self.text("picture"))
        self.assertIn(EVIL, self.text("list"))
        self.assertEqual(self.script("return document.scripts.length"), 1)
        self.assertEqual(self.script("return document.querySelectorAll('#list li').length"), 50)
        self.find("more").click()
        self.wait(lambda: self.script("return document.querySelectorAll('#list li').length") == 100)
        self.keys(Keys.HOME)
        self.open(self.many, from_=EVIL, to=EVIL, without=EVIL)
        self.answered("No node is called")
        self.assertEqual(self.script("return document.scripts.length"), 1)

    def test_the_picture_is_saved_as_svg(self):
        self.open(self.many, from_="s", to="t")
        self.answered("31 hops")
        self.script("URL.createObjectURL = (blob) => { blob.text().then(t => window.saved = t); "
                 "return 'about:blank'; }; HTMLAnchorElement.prototype.click = () => 0;")
        self.find("save").click()
        text = self.wait(lambda: self.script("return window.saved"))
        subprocess.run([sys.executable, "-c", "import sys, xml.dom.minidom as x; "
                        "x.parseString(sys.stdin.buffer.read())"], input=text.encode(), check=True)
        self.assertTrue(re.match(r"<svg [^>]*xmlns=\"http://www.w3.org/2000/svg\"", text), text[:200])
        self.assertIn("&lt;script&gt;alert(1)", text)

    def test_costs_are_shown_as_bars(self):
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("3 hops")
        self.find("paths-tab").click()
        self.keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.focus(), "costs-tab")
        self.assertIn("tab=costs", self.browser.current_url)
        self.browser.find_element(By.CSS_SELECTOR, "#costs-form button").click()
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        if self.sample.ask("/api/costs", from_="Laos", to="Poland")["queue"]:  # with numpy
            self.assertIn("The queue over the search: ", self.text("costs"))
        self.assertEqual(self.script("return document.querySelectorAll('#costs tr').length"), 9)

    def test_what_was_asked_is_said_in_both_tabs(self):
        self.open(self.sample, from_="Laoss", to="Poland", tab="costs")
        self.wait(lambda: self.find("costs-tab").get_attribute("aria-selected") == "true")
        self.answered("No node is called")
        self.assertTrue(self.find("status").is_displayed())
        self.find("from").clear()
        self.find("to").clear()
        self.find("from").send_keys("   ", Keys.ENTER)
        self.answered("Type a title into the box From")
        self.assertEqual(self.focus(), "from")

    def test_without_costs_a_link_to_them_shows_the_paths(self):
        with open(SAMPLE, "rb") as text, Server("-", given=text) as server:
            self.open(server, from_="Laos", to="Poland", tab="costs")
            self.answered("3 hops")
            self.assertTrue(self.find("list").is_displayed())
            self.assertFalse(self.find("tabs").is_displayed())
            self.assertIn("no file that can be read again", self.text("no-costs"))

    def test_the_focus_stays_at_what_was_pressed(self):
        self.open(self.many, from_="s", to="t")
        self.answered("31 hops")
        self.script("document.getElementById('more').focus()")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.script("return document.querySelectorAll('#list li').length") == 100)
        self.assertEqual(self.focus(), "more")
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.answered("3 hops")
        button = "#costs-form button"
        self.script(f"document.querySelector('{button}').focus()")
        self.keys(Keys.ENTER)
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        self.assertTrue(self.script(
            f"return document.activeElement === document.querySelector('{button}')"))

    def test_the_drawing_can_be_skipped(self):
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("3 hops")
        self.script("document.getElementById('paths-tab').focus()")
        self.keys(Keys.TAB)
        self.assertEqual(self.focus(), "skip")
        box = self.find("skip").rect
        self.assertGreaterEqual(box["x"], 0)
        self.keys(Keys.ENTER)
        self.assertEqual(self.focus(), "copy")
        self.assertIn("3 hops", self.text("status"))

    def test_allocators_are_chosen(self):
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.answered("3 hops")
        boxes = self.browser.find_elements(By.CSS_SELECTOR, "#allocators input")
        self.assertEqual([box.is_selected() for box in boxes], [True] * 3 + [False] * 2)
        boxes[4].click()
        self.browser.find_element(By.CSS_SELECTOR, "#costs-form button").click()
        self.wait(lambda: self.text("costs") == "Choose two or three allocators.")
        boxes[1].click()
        self.browser.find_element(By.CSS_SELECTOR, "#costs-form button").click()
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        rows = self.script("return [...document.querySelectorAll('#costs table:last-of-type th')]"
                           ".map(x => x.textContent)")
        self.assertEqual(rows, ["malloc", "slab", "quick-fit"])

    def test_longer_paths_go_on(self):
        self.open(self.wide, from_="s", to="t")
        self.answered("1 hop; ")
        self.find("find-longer").click()
        self.wait(lambda: self.text("longer-paths").startswith("120 paths of 2 hops"))
        for count in (100, 120):
            self.browser.find_element(By.CSS_SELECTOR, "#longer-paths button").click()
            self.wait(lambda count=count: len(self.browser.find_elements(
                By.CSS_SELECTOR, "#longer-paths li")) == count)
        self.assertFalse(self.browser.find_element(
            By.CSS_SELECTOR, "#longer-paths button").is_displayed())
        self.assertEqual(self.script("return document.activeElement.tagName"), "LI")

    def test_sentences(self):
        self.open(self.sample, from_="Laos", to="Poland", without="Poland")
        self.answered("There is no path: Poland is among the nodes not to pass.")
        self.open(self.sample, from_="Laos", to="Laos")
        self.answered("2 hops")
        self.assertIn("shortest cycles", self.text("status"))
        self.assertEqual(self.text("far-title"), "Nodes at each distance")
        self.open(self.sample, from_="Laos", to="Poland", **{"without": "Chad"})
        self.script("avoided = Array(21).fill('Chad'); askAgain()")
        self.answered("Not through: given more than 20 times.")

    # For everybody ----------------------------------------------------------------------------

    def states(self):
        """The page in each of its states."""
        self.open(self.sample)
        yield "empty"
        self.find("from").send_keys("co")
        self.wait(lambda: self.find("from").get_attribute("aria-expanded") == "true")
        self.keys(Keys.ARROW_DOWN)
        yield "suggestions"
        self.open(self.sample, from_="Laoss", to="Poland")
        yield "unknown"
        self.open(self.sample, from_="Laos", to="Poland", without="India")
        self.browser.find_element(By.CSS_SELECTOR, "#far-choice button").click()
        self.wait(lambda: "on average" in self.text("far"))
        self.find("find-longer").click()
        self.wait(lambda: "hops:" in self.text("longer-paths"))
        yield "answer"
        self.open(self.many, from_="s", to="t")
        yield "many"
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.browser.find_element(By.CSS_SELECTOR, "#costs-form button").click()
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        yield "costs"

    def test_every_state_fits_is_readable_and_has_names(self):
        axe = AXE.read_text(encoding="utf-8") if AXE.exists() else None
        for scheme in SCHEMES:
            for state in self.states():
                for width in WIDTHS:
                    self.look(width, scheme)
                    asked = (scheme, state, width)
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"),
                                         width, asked)
                    color = self.script("return getComputedStyle(document.body).backgroundColor")
                    light = sum(map(int, re.findall(r"\d+", color)[:3])) > 3 * 128
                    self.assertEqual(light, scheme == "light", asked)
                    if axe:
                        self.assertEqual(self.violations(axe), [], asked)
        if not axe:
            self.skipTest("axe-core is not there: ./setup.sh browser")

    def violations(self, axe):
        """What axe-core finds, as texts."""
        for script in (axe + "; 0", None):
            found = self.browser.execute_cdp_cmd("Runtime.evaluate", {
                "expression": script or "axe.run().then(r => JSON.stringify(r.violations.map(v => [v.id, "
                "v.help, v.nodes.map(n => n.html + n.failureSummary)])))", "awaitPromise": True})
        return json.loads(found["result"]["value"])

    def test_a_screen_reader_hears_names_and_roles(self):
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("3 hops")
        tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        heard = {(node["role"]["value"], node.get("name", {}).get("value")) for node in tree
                 if not node["ignored"]}
        for wanted in (("combobox", "From"), ("combobox", "To"), ("combobox", "Not through"),
                       ("button", "Ask"), ("button", "Swap from and to"), ("button", "Random pair"),
                       ("tab", "Paths"), ("tab", "What each malloc costs"), ("tabpanel", "Paths"),
                       ("region", "Drawing of all shortest paths")):
            self.assertIn(wanted, heard)
        self.assertIn("status", {role for role, _ in heard})

    def test_no_request_leaves_this_computer_and_nothing_is_complained_of(self):
        self.browser.get_log("performance")
        self.browser.get_log("browser")
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("3 hops")
        self.find("random").click()
        self.wait(lambda: "from=Laos" not in self.browser.current_url)
        asked = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                asked.append(message["params"]["request"]["url"])
        own = f"http://127.0.0.1:{self.sample.port}/"
        self.assertGreaterEqual(len(asked), 5)
        self.assertEqual([url for url in asked if not url.startswith(own)], [])
        self.assertEqual([entry for entry in self.browser.get_log("browser")
                          if entry["level"] == "SEVERE"], [])


if __name__ == "__main__":
    with contextlib.suppress(AttributeError):
        sys.stdout.reconfigure(line_buffering=True)
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    done = unittest.TextTestRunner().run(suite)
    sys.exit(1 if not done.wasSuccessful() else 77 if len(done.skipped) >= done.testsRun else 0)
