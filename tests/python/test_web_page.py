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
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

if not os.environ.get("PW_BROWSER"):
    print("skipped: PW_BROWSER=1 asks for it; tests/before-release browser does so")
    sys.exit(77)
from test_web import BUILD, PATIENCE, SAMPLE, Server  # noqa: E402

DRIVER, CHROMIUM = shutil.which("chromedriver"), shutil.which("chromium")
if not DRIVER or not CHROMIUM:
    print("skipped: chromium or chromium-driver is not installed: ./setup.sh browser")
    sys.exit(77)

EVIL = "<script>alert(1)</script>"
LONG = "A_title_" + "of_many_words_" * 12 + "t"  # longer than any column
WIDTHS, SCHEMES = (360, 768, 1400, 1920), ("light", "dark")


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
        pairs = cls.folder / "two_ways.tsv"
        pairs.write_text("".join("\t".join(edge.split("-")) + "\n" for edge in (
            "New_York-a", "New_York-b_1", "a-c", "b_1-d", f"c-{LONG}", f"d-{LONG}")))
        cls.sample, cls.many, cls.wide, cls.ways = map(Server, (SAMPLE, many, wide, pairs))
        for server in (cls.sample, cls.many, cls.wide, cls.ways):
            cls.addClassCleanup(server.end)

    def setUp(self):
        self.look(1400, "light")

    # What a person does ---------------------------------------------------------------------

    def look(self, width, scheme, media="", motion="no-preference"):
        """Give the window a width, and the system a scheme of colours and a wish for motion."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme},
                                         {"name": "prefers-reduced-motion", "value": motion}]})

    def open(self, server, **question):
        query = urllib.parse.urlencode([(name.rstrip("_"), value)
                                        for name, value in question.items()], doseq=True)
        self.browser.get(f"http://127.0.0.1:{server.port}/?{query}")
        self.wait(lambda: "link" in self.text("graph"))
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
        self.wait(lambda: self.focus() == "from" and self.find("from").get_attribute("value"))
        self.type_and_choose("from", "lao", "Laos")
        self.wait(lambda: self.focus() == "to")
        self.type_and_choose("to", "pola", "Poland")
        self.answered("1 shortest path of 3 hops.")
        reached = set()
        for _ in range(40):
            self.keys(Keys.TAB)
            reached.add(self.focus())
        self.assertLessEqual({"from", "swap", "to", "random", "without", "avoid", "paths-tab",
                              "copy", "save", "json"}, reached)
        self.assertTrue(self.find("malloc").is_displayed())
        self.script("document.getElementById('without').focus()")
        self.type_and_choose("without", "chin", "China")
        self.wait(lambda: "without=China" in self.browser.current_url)
        self.answered("1 shortest path of 7 hops.")
        self.script("document.getElementById('swap').focus()")
        self.keys(Keys.SPACE)
        self.answered("1 shortest path of 7 hops.", "Poland → Laos")
        self.assertIn("from=Poland", self.browser.current_url)

    def test_suggestions_can_be_closed_and_ignored(self):
        self.open(self.sample)
        self.wait(lambda: self.focus() == "from" and self.find("from").get_attribute("value"))
        self.keys("la")
        self.wait(lambda: self.find("from").get_attribute("aria-expanded") == "true")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.find("from").get_attribute("aria-expanded"), "false")
        self.assertEqual(self.find("from").get_attribute("value"), "la")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.find("from").get_attribute("value"), "")
        self.keys("laos", Keys.TAB, Keys.TAB, "POLAND", Keys.ENTER)
        self.answered("1 shortest path of 3 hops.")
        self.assertIn("taken for", self.text("status"))

    def test_did_you_mean(self):
        self.open(self.sample, from_="Laoss", to="Poland")
        self.answered("No node is called")
        self.browser.find_element(By.CSS_SELECTOR, "#status button").click()
        self.answered("1 shortest path of 3 hops.")
        self.assertEqual(self.find("from").get_attribute("value"), "Laos")

    def test_a_link_gives_the_same_answer_and_back_the_one_before(self):
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("1 shortest path of 3 hops.")
        self.find("swap").click()
        self.answered("1 shortest path of 3 hops.", "Poland → Laos")
        self.assertIn("from=Poland", self.browser.current_url)
        first = self.script("return [...document.querySelectorAll('#list li')].map(x => x.textContent)")
        self.browser.get(self.browser.current_url)
        self.answered("1 shortest path of 3 hops.", "Poland → Laos")
        self.assertEqual(first, self.script(
            "return [...document.querySelectorAll('#list li')].map(x => x.textContent)"))
        self.browser.back()
        self.wait(lambda: self.find("from").get_attribute("value") == "Laos")
        self.answered("1 shortest path of 3 hops.", "Laos → Poland")
        answer = json.loads(self.sample.get(urllib.parse.urlsplit(
            self.find("json").get_attribute("href"))._replace(scheme="", netloc="").geturl())[2])
        self.assertEqual(answer["paths"], [["Laos", "China", "Russia", "Poland"]])

    def test_the_way_back_distances_and_no_path(self):
        self.open(self.sample, from_="Laos", to="Haiti")
        self.wait(lambda: self.text("status") == "There is no path."
                  "Laos reaches 134 of 164 other nodes; Haiti is reached from 1.")
        self.assertFalse(self.find("drawing").is_displayed())
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("1 shortest path of 3 hops.")
        self.wait(lambda: self.text("back") == "Poland → Laos: 3 hops.")
        self.find("far-tab").click()
        self.wait(lambda: "on average" in self.text("far"))
        rows = self.script("return [...document.querySelectorAll('#far table')].map(table => "
                           "[...table.querySelectorAll('tr')].map(x => x.textContent))")
        self.assertEqual(self.script("return document.querySelectorAll('#far-panel button, #longer-panel button:not([hidden])').length"), 0)
        self.find("longer-tab").click()
        self.wait(lambda: self.text("longer-paths").startswith("8 paths of 4 hops:"))
        self.assertEqual([row[:5] for row in rows], [["HopsNodes", "01", "15", "215", "316"],
                                                     ["HopsNodes", "01", "17", "220", "328"]])

    def test_a_title_that_is_code_and_more_paths_than_can_be_listed(self):
        self.open(self.many, from_="s", to="t")
        self.answered("About 1.0 × 10^30 shortest paths of 31 hops.")
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
        self.answered("About 1.0 × 10^30 shortest paths of 31 hops.")
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
        self.answered("1 shortest path of 3 hops.")
        self.assertFalse(self.find("costs-form").is_displayed())
        self.browser.find_element(By.CSS_SELECTOR, "#malloc summary").send_keys(Keys.ENTER)
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        self.assertIn("tab=costs", self.browser.current_url)
        self.assertIn("The queue over the search: ", self.text("costs"))
        self.assertEqual(self.script("return document.querySelectorAll('#costs tr').length"), 9)

    def test_an_empty_box_says_so_beside_it(self):
        self.open(self.sample, from_="Laoss", to="Poland", tab="costs")
        self.answered("No node is called")
        self.assertTrue(self.find("status").is_displayed())
        self.find("from").clear()
        self.find("to").clear()
        self.find("to").send_keys("   ", Keys.ENTER)
        self.assertEqual((self.text("from-empty"), self.text("to-empty")), ("Choose where to start.", "Choose where to end."))
        self.assertEqual(self.focus(), "from")
        self.assertEqual(self.find("from").get_attribute("aria-invalid"), "true")
        below = self.find("from-empty").rect["y"] - self.find("from").rect["y"]
        self.assertLess(abs(below), 60)
        self.keys("c")
        self.assertEqual((self.text("from-empty"), self.find("from").get_attribute("aria-invalid")), ("", "false"))

    def test_without_costs_a_link_to_them_shows_the_paths(self):
        with open(SAMPLE, "rb") as text, Server("-", given=text) as server:
            self.open(server, from_="Laos", to="Poland", tab="costs")
            self.answered("1 shortest path of 3 hops.")
            self.assertTrue(self.find("list").is_displayed())
            self.assertFalse(self.find("malloc").is_displayed())
            self.assertIn("not a file that bfs can read again", self.text("no-costs"))

    def test_the_focus_stays_at_what_was_pressed(self):
        self.open(self.many, from_="s", to="t")
        self.answered("About 1.0 × 10^30 shortest paths of 31 hops.")
        self.script("document.getElementById('more').focus()")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.script("return document.querySelectorAll('#list li').length") == 100)
        self.assertTrue(self.script("return document.querySelectorAll('#list li')[50]"
                                    ".contains(document.activeElement)"))
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        button = "#costs-form button"
        self.script(f"document.querySelector('{button}').focus(); document.getElementById('costs').replaceChildren()")
        self.keys(Keys.ENTER)
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        self.assertTrue(self.script(
            f"return document.activeElement === document.querySelector('{button}')"))

    def test_allocators_are_chosen(self):
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
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
        self.answered("1 shortest path of 1 hop.")
        self.find("longer-tab").click()
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
        self.answered("5 shortest paths of 2 hops.")
        self.assertIn("shortest cycles", self.text("status"))
        self.assertEqual(self.text("far-title"), "Nodes at each distance")
        self.open(self.sample, from_="Laos", to="Poland", without=["Chad"] * 21)
        self.answered("Not through: given more than 20 times.")

    # The start ----------------------------------------------------------------------------------

    def test_the_start_draws_an_example_and_offers_others(self):
        with Server(SAMPLE, "--noun=land / lands") as server:
            self.open(server)
            self.wait(lambda: self.find("drawing").is_displayed())
            first, *others = server.ask("/api/examples")["pairs"]
            ends = [first[end]["title"].replace("_", " ") for end in ("from", "to")]
            self.assertEqual([self.find(name).get_attribute("value") for name in ("from", "to")], ends)
            count = server.ask("/api/path", from_=ends[0], to=ends[1], mode="all")["count"]
            self.assertGreater(int(count), 1)
            self.assertEqual(self.text("status"), f"{count} shortest paths of {first['hops']} hops.")
            self.assertEqual(self.text("idea"), f"These are all shortest paths from {ends[0]} to {ends[1]}, from land to land.")
            self.assertEqual(self.browser.title, "How are two lands connected?")
            self.assertEqual(urllib.parse.urlsplit(self.browser.current_url).query, "")
            for name in ("avoiding", "asked", "back-line"):
                self.assertFalse(self.find(name).is_displayed(), name)
            self.browser.find_element(By.CSS_SELECTOR, "#examples button").click()
            self.wait(lambda: others[0]["from"]["title"] in self.browser.title)
            self.assertFalse(self.find("idea").is_displayed())
            self.assertTrue(self.find("avoiding").is_displayed())
            self.browser.back()
            self.wait(lambda: self.find("idea").is_displayed() and self.find("drawing").is_displayed())
            self.assertFalse(self.find("avoiding").is_displayed())

    def test_what_is_typed_before_the_example_comes_stays(self):
        self.open(self.sample, to="Poland")
        self.wait(lambda: self.find("idea").is_displayed())
        self.assertFalse(self.find("answer").is_displayed())
        self.assertEqual(self.find("from").get_attribute("value"), "")

    def test_a_graph_is_called_by_its_title_and_has_a_day_and_sizes(self):
        file = self.folder / "old.tsv"
        file.write_text("one\ttwo\n")
        os.utime(file, (86400 * 365 * 20.5,) * 2)
        for options, name in (((), "old"), (("--title=Borders <of> 2007",), "Borders <of> 2007")):
            with Server(file, *options) as server:
                self.open(server)
                self.assertRegex(self.text("graph"), re.escape(name) + r", made on \d+ June 1990: 2 nodes, 1 link$")

    def test_both_misspelt_titles_are_mended_on_one_page(self):
        self.open(self.sample, from_="Laoss", to="Polandd")
        self.answered("No node is called")
        self.assertEqual(len(self.browser.find_elements(By.CSS_SELECTOR, "#status .problem")), 2)
        self.press("#status button", "Poland")
        self.wait(lambda: "to=Poland&" in self.browser.current_url + "&")
        self.wait(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, "#status .problem")) == 1)
        self.press("#status button", "Laos")
        self.answered("1 shortest path of 3 hops.")

    # The drawing answers ------------------------------------------------------------------------

    def press(self, selector, text):
        """Press the button that says so."""
        next(button for button in self.browser.find_elements(By.CSS_SELECTOR, selector)
             if button.text == text).click()

    def node(self, title):
        """A node of the drawing."""
        return self.browser.find_element(By.CSS_SELECTOR, f"svg [aria-label^='{title}, ']")

    def press_node(self, title):
        def is_pressed():
            with contextlib.suppress(StaleElementReferenceException):  # drawn again for another width
                ActionChains(self.browser).move_to_element(self.node(title)).click().perform()
                return True
            return False
        self.wait(is_pressed)

    def lit(self):
        """The titles that are lit; None if nothing is dimmed."""
        return self.script("""const image = document.querySelector("svg"); return image.classList.contains("lit")
            ? [...image.querySelectorAll(".node.on title")].map(x => x.textContent).sort() : null""")

    def paths(self):
        return self.script("return [...document.querySelectorAll('#list .path')].map("
                           "x => [...x.querySelectorAll('.chip')].map(y => y.textContent))")

    def open_ways(self):
        self.open(self.ways, from_="New_York", to=LONG)
        self.answered("2 shortest paths of 3 hops.")

    def test_paths_through_a_node_are_lit_by_pointer_and_by_keyboard(self):
        self.open_ways()
        end = LONG.replace("_", " ")
        self.assertIsNone(self.lit())
        ActionChains(self.browser).move_to_element(self.node("b 1")).perform()
        self.wait(lambda: self.lit() == sorted(["New York", "b 1", "d", end]))
        self.assertEqual(self.script("return document.querySelectorAll('svg .link.on').length"), 3)
        ActionChains(self.browser).move_to_element(self.find("graph")).perform()
        self.wait(lambda: self.lit() is None)
        self.script("document.getElementById('paths-tab').focus()")
        self.keys(Keys.TAB)  # the source
        self.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        name = self.script("return document.activeElement.getAttribute('aria-label')")
        self.assertIn(name, ("b 1, 1 hop from New York", "a, 1 hop from New York"))
        self.wait(lambda: len(self.lit() or ()) == 4)
        self.keys(Keys.END)
        self.wait(lambda: len(self.lit() or ()) == 6)
        self.keys(Keys.TAB)  # one leads past the whole drawing
        self.assertFalse(self.script("return document.getElementById('picture').contains(document.activeElement)"))
        self.wait(lambda: self.lit() is None)

    def test_a_tap_chooses_and_the_list_keeps_its_paths(self):
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.open_ways()
        point = self.script("const box = arguments[0].getBoundingClientRect();"
                            "return { x: box.x + box.width / 2, y: box.y + box.height / 2 };", self.node("a"))
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.wait(lambda: self.text("listed-title") == "Paths through a (1 of 1)")
        self.assertEqual([path[:3] for path in self.paths()], [["New York", "a", "c"]])
        self.assertEqual(self.node("a").get_attribute("aria-pressed"), "true")
        self.assertEqual(self.lit(), sorted(["New York", "a", "c", LONG.replace("_", " ")]))
        self.assertIn("a: 1 of 2 shortest paths lead through it, 1 hop from New York.", self.text("choice"))
        self.press("#choice button", "Show all paths")
        self.wait(lambda: self.text("listed-title") == "Paths (2 of 2)")
        self.assertEqual(self.text("choice"), "")

    def test_what_a_chosen_node_is_good_for(self):
        self.open_ways()
        self.script("document.querySelector(\"svg [aria-label^='b 1,']\").focus()")
        self.keys(Keys.ENTER)
        self.wait(lambda: "Not through it" in self.text("choice"))
        self.keys(Keys.ESCAPE)
        self.wait(lambda: self.text("choice") == "")
        self.keys(Keys.ENTER)
        self.wait(lambda: "Not through it" in self.text("choice"))
        self.press("#choice button", "Not through it")
        self.answered("1 shortest path of 3 hops.")
        self.assertIn("without=b_1", self.browser.current_url)
        self.press_node("a")
        self.wait(lambda: "Ask from here" in self.text("choice"))
        self.press("#choice button", "Ask from here")
        self.answered("1 shortest path of 2 hops.", "a → ")
        self.open_ways()
        self.press("#list button", "d")  # a chip does as the node
        self.wait(lambda: self.text("listed-title") == "Paths through d (1 of 1)")
        self.assertEqual(self.node("d").get_attribute("aria-pressed"), "true")

    def test_a_chosen_article_can_be_opened(self):
        program = BUILD / "bin/wikipedia-import", BUILD / "tests/wikipedia-generate"
        if not all(place.exists() for place in program):
            self.skipTest("the programs of wikipedia/ are not built")
        dumps, wiki = self.folder / "dumps", self.folder / "wiki.pwg"
        for command in ([program[1], "--pages=500", dumps], [program[0], dumps, wiki]):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with Server(wiki) as server:
            pair = server.ask("/api/random")
            self.open(server, from_=pair["from"]["title"], to=pair["to"]["title"])
            self.wait(lambda: " hop" in self.text("status"))
            self.browser.find_element(By.CSS_SELECTOR, "svg .node").click()
            self.wait(lambda: "Open the article" in self.text("choice"))
            link = self.browser.find_element(By.CSS_SELECTOR, "#choice a").get_attribute("href")
            self.assertEqual(link, server.ask("/api/meta")["address"] + str(pair["from"]["page_id"]))

    def test_a_column_opens_and_closes(self):
        layers = self.folder / "tall.tsv"
        layers.write_text("".join(f"s\t{k}\n{k}\tt\n" for k in range(83)))
        with Server(layers) as server:
            self.open(server, from_="s", to="t")
            self.answered("83 shortest paths of 2 hops.")
            count = "return document.querySelectorAll('svg .node').length"
            self.assertEqual(self.script(count), 22)
            self.browser.find_element(By.CSS_SELECTOR, "svg .rest").click()
            self.wait(lambda: self.script(count) == 85)
            self.assertEqual(self.script("return document.activeElement.textContent"), "show fewershow fewer")
            self.keys(Keys.ENTER)
            self.wait(lambda: self.script(count) == 22)
            self.assertIn("and 63 more", self.script("return document.activeElement.textContent"))

    def test_a_distance_has_one_colour_in_drawing_and_list(self):
        self.open_ways()
        colours = self.script("""return [...document.querySelectorAll("svg .node")].map(node => [
            node.querySelector("title").textContent, getComputedStyle(node.querySelector("rect")).fill])""")
        chips = dict(self.script("""return [...document.querySelectorAll("#list .chip:not(.same)")].map(chip => [
            chip.textContent, getComputedStyle(chip).backgroundColor])"""))
        for title, colour in colours:
            self.assertEqual(chips[title], colour, title)
        self.assertEqual(len(set(dict(colours).values())), 4)

    def test_underscores_are_blanks_and_what_is_asked_is_exact(self):
        self.open_ways()
        self.assertEqual(self.find("from").get_attribute("value"), "New York")
        self.assertIn("from=New_York", self.browser.current_url)
        for name in ("status", "answer", "asked"):
            self.assertNotIn("_", self.text(name))
        self.assertNotIn("taken for", self.text("status"))
        self.find("swap").click()
        self.answered("There is no path.")
        self.assertIn("to=New_York", self.browser.current_url)

    def test_titles_keep_to_their_boxes_at_every_width(self):
        for width in WIDTHS:
            self.look(width, "light")
            self.open_ways()
            wrong = self.script("""return [...document.querySelectorAll("svg [role=button]")].filter(node =>
                node.querySelector("text").getBBox().width > node.querySelector("rect").getBBox().width - 4)
                .map(node => node.textContent)""")
            self.assertEqual(wrong, [], width)
            image = self.browser.find_element(By.CSS_SELECTOR, "svg").rect
            self.assertLessEqual(image["x"] + image["width"], width)
        shown = self.script("return document.querySelector('svg .node.end:last-of-type text').textContent")
        self.assertGreater(len(shown), 30)  # a wide page has room for more

    def test_a_long_path_stays_in_the_drawing(self):
        for width in WIDTHS:
            self.look(width, "light")
            self.open(self.many, from_="s", to="t")
            self.answered("About 1.0 × 10^30 shortest paths of 31 hops.")
            out = self.script("""const place = document.getElementById("picture").getBoundingClientRect();
                return [...document.querySelectorAll("svg rect")].map(x => x.getBoundingClientRect()).filter(
                  x => x.left < place.left - 1 || x.right > place.right + 1).length""")
            self.assertEqual(out, 0, width)
            tops = self.script("return [...document.querySelectorAll('svg .head')].map(x => x.getBBox().y)")
            self.assertEqual(tops, sorted(set(tops)))

    def test_links_cross_less_than_in_the_order_of_the_answer(self):
        found = self.browser.execute_async_script("""
            const done = arguments[arguments.length - 1];
            import("/order.js").then(({ crossings, ordered }) => {
              const results = [], flat = (sizes) => sizes.map((size) => [...Array(size).keys()]);
              const check = (sizes, links) => results.push([crossings(links, flat(sizes)), crossings(links, ordered(sizes, links))]);
              check([1, 3, 3, 1], [[1,0,0],[1,0,1],[1,0,2],[2,0,2],[2,1,1],[2,2,0],[3,0,0],[3,1,0],[3,2,0]]);
              check([2, 2], [[1,0,0],[1,0,1],[1,1,0],[1,1,1]]);
              let seed = 1;
              const chance = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
              for (let turn = 0; turn < 50; turn++) {
                const sizes = [1, 2 + chance(12), 2 + chance(12), 2 + chance(12), 1];
                const links = sizes.slice(1).flatMap((size, c) => Array.from({ length: 2 * size }, () => [c + 1, chance(sizes[c]), chance(size)]));
                check(sizes, links);
              }
              done(results);
            });""")
        self.assertEqual(found[:2], [[3, 0], [1, 1]])
        self.assertTrue(all(after <= before for before, after in found))
        self.assertLess(sum(after for _, after in found), sum(before for before, _ in found) / 2)

    def test_nothing_moves_for_who_wants_no_motion(self):
        for motion, seconds in (("no-preference", {"0.12s"}), ("reduce", {"0s"})):
            self.look(1400, "light", motion=motion)
            self.open_ways()
            self.assertEqual(set(self.script(
                "return getComputedStyle(document.querySelector('svg .node')).transitionDuration").split(", ")), seconds)

    # The list, and other answers --------------------------------------------------------------------

    def test_what_a_row_shares_with_the_one_above_is_quiet(self):
        self.open(self.many, from_="s", to="t")
        self.answered("About 1.0 × 10^30 shortest paths of 31 hops.")
        quiet = self.script("""return [...document.querySelectorAll("#list li")].slice(0, 2).map(
            row => [...row.querySelectorAll(".chip")].map(chip => chip.classList.contains("same")))""")
        paths = self.paths()
        self.assertEqual(quiet[0], [False] * 32)
        first = next(k for k in range(32) if paths[0][k] != paths[1][k])
        self.assertEqual(quiet[1][:-1], [k < first for k in range(31)])
        self.assertTrue(quiet[1][-1])

    def test_other_answers_are_one_press_away(self):
        self.open(self.many, from_="s", to="t")
        self.answered("About 1.0 × 10^30 shortest paths of 31 hops.")
        for name in ("longer", "far"):
            self.assertLess(self.find(f"{name}-tab").rect["y"], 900)
        self.find("longer-tab").click()
        self.wait(lambda: self.text("longer-paths").startswith("There are no such paths."))
        self.assertFalse(self.browser.find_element(By.CSS_SELECTOR, "#longer-paths button").is_displayed())
        self.find("far-tab").click()
        self.wait(lambda: "on average" in self.text("far"))
        self.assertIn("tab=far", self.browser.current_url)

    def test_the_way_back_names_titles(self):
        self.open(self.sample, from_="laos", to="POLAND")
        self.wait(lambda: self.text("back") == "Poland → Laos: 3 hops.")

    def test_an_interval_that_says_nothing_is_not_shown(self):
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        for spread, count in ((1.1, 6), (30, 0)):
            self.script("""const spread = arguments[0], real = window.realFetch ||= window.fetch;
                const row = (allocator) => ({ allocator, seconds_median: 1, seconds_min: 1 / spread, seconds_max: spread, speed: 1.05,
                  speed_low: 1 / spread, speed_high: spread, malloc_calls: 1, node_bytes: 16, peak_rss_bytes: 1, unfinished: 0 });
                window.fetch = (place, more) => (place.startsWith("api/costs") ? Promise.resolve(new Response(JSON.stringify(
                  { engine: "plain", rounds: 5, confidence: 0.94, visited: 3, queue: null, rows: [row("malloc"), row("slab")] }))) : real(place, more));
                document.getElementById("costs").replaceChildren();""", spread)
            self.browser.find_element(By.CSS_SELECTOR, "#costs-form button").click()
            self.wait(lambda: "Bytes per list node" in self.text("costs"))
            self.assertEqual(self.script("return document.querySelectorAll('#costs .interval').length"), count)
            self.assertEqual("differ too much" in self.text("costs"), not count)
            self.assertIn("Slab shows no difference from malloc.", self.text("costs"))
        self.assertNotIn("first touch", self.text("costs"))

    def test_a_short_search_says_that_a_difference_is_the_first_touch(self):
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        for seconds, is_said in ((2e-5, True), (2.0, False)):
            self.script("""const seconds = arguments[0], real = window.realFetch ||= window.fetch;
                const row = (allocator, speed) => ({ allocator, seconds_median: seconds / speed, seconds_min: seconds / speed,
                  seconds_max: seconds / speed, speed, speed_low: speed, speed_high: speed, malloc_calls: 1, node_bytes: 16, peak_rss_bytes: 1, unfinished: 0 });
                window.fetch = (place, more) => (place.startsWith("api/costs") ? Promise.resolve(new Response(JSON.stringify(
                  { engine: "plain", rounds: 5, confidence: 0.94, visited: 3, queue: null, rows: [row("malloc", 1), row("slab", 0.4)] }))) : real(place, more));
                document.getElementById("costs").replaceChildren();""", seconds)
            self.browser.find_element(By.CSS_SELECTOR, "#costs-form button").click()
            self.wait(lambda: "slab takes 2.5 times as long as malloc" in self.text("costs").lower())
            self.assertEqual("first touch of a page" in self.text("costs"), is_said)

    # The phone, paper, elsewhere --------------------------------------------------------------------

    def test_on_a_phone_the_question_folds_and_the_answer_is_in_view(self):
        self.look(360, "light")
        self.open_ways()
        self.assertFalse(self.find("question").is_displayed())
        self.assertTrue(self.text("asked").startswith("New York → A title"))
        self.assertLess(self.find("picture").rect["y"], 600)
        tops = self.script("return [...document.querySelectorAll('svg .node')].map(x => [x.getAttribute('aria-label'), x.getBBox().y])")
        places = dict(tops)
        rows = [min(y for name, y in places.items() if f", {count} hop" in name) for count in range(4)]
        self.assertEqual(rows, sorted(set(rows)))  # from top to bottom
        small = self.script("""return [...document.querySelectorAll("button, input, a, select, svg [role=button] rect")].filter(x => {
            const box = x.getBoundingClientRect();
            return x.checkVisibility() && box.width && (box.height < 44 || box.width < 44); }).map(x => x.outerHTML)""")
        self.assertEqual(small, [])
        height = self.find("asked").rect["height"]
        self.open(self.ways, from_="New_York", to=LONG, without="a")
        self.answered("1 shortest path of 3 hops.")
        self.assertIn(", not through a", self.text("asked"))
        self.assertEqual(self.find("asked").rect["height"], height)  # one line, too
        self.open_ways()
        self.find("asked").click()
        self.assertTrue(self.find("question").is_displayed())
        self.assertEqual(self.find("asked").get_attribute("aria-expanded"), "true")
        self.find("to").send_keys(Keys.CONTROL, "a")
        self.find("to").send_keys("c", Keys.ENTER)
        self.answered("1 shortest path of 2 hops.", "→ c")
        self.assertFalse(self.find("question").is_displayed())
        self.keys(Keys.ENTER)  # twice, as many people do
        self.assertFalse(self.find("question").is_displayed())
        self.find("asked").click()
        rows = {self.find(name).rect["y"] for name in ("swap", "random", "avoid")}
        rows.add(self.browser.find_element(By.CSS_SELECTOR, "#question .main").rect["y"])
        self.assertEqual(len(rows), 1, rows)
        self.open(self.sample)
        self.wait(lambda: self.find("drawing").is_displayed())
        self.assertLess(self.find("status").rect["y"], 400)
        self.assertLess(self.find("picture").rect["y"], 500)
        self.look(1400, "light")
        self.assertTrue(self.find("question").is_displayed())

    def test_paper_is_white_and_has_the_answer_alone(self):
        self.open_ways()
        for media, is_shown in (("", True), ("print", False)):
            self.look(768, "dark", media)
            color = self.script("return getComputedStyle(document.body).backgroundColor")
            self.assertEqual(sum(map(int, re.findall(r"\d+", color)[:3])) > 3 * 240, not is_shown)
            for name in ("question", "tabs", "tools"):
                self.assertEqual(self.find(name).is_displayed(), is_shown, (media, name))
            for name in ("asked", "picture", "list", "status"):
                self.assertTrue(name == "asked" or self.find(name).is_displayed(), (media, name))
        self.assertTrue(self.find("asked").is_displayed())

    def test_there_is_an_icon_and_a_description(self):
        self.open(self.sample)
        icon = self.script("return document.querySelector('link[rel=icon]').getAttribute('href')")
        status, headers, _ = self.sample.get("/" + icon)
        self.assertEqual((status, headers["content-type"]), (200, "image/svg+xml"))
        self.assertIn("shortest paths", self.script("return document.querySelector('meta[name=description]').content"))

    # For everybody ----------------------------------------------------------------------------

    def states(self):
        """The page in each of its states."""
        self.open(self.sample)
        self.wait(lambda: self.find("drawing").is_displayed())
        yield "start"
        self.script("for (const name of ['from', 'to']) document.getElementById(name).value = ''")
        self.browser.find_element(By.CSS_SELECTOR, "#question .main").click()
        yield "empty"
        self.find("from").send_keys("co")
        self.wait(lambda: self.find("from").get_attribute("aria-expanded") == "true")
        self.keys(Keys.ARROW_DOWN)
        yield "suggestions"
        self.open(self.sample, from_="Laoss", to="Poland")
        yield "unknown"
        self.open(self.sample, from_="Laos", to="Poland", without="India")
        yield "answer"
        self.press_node("Laos")
        self.wait(lambda: "Show all paths" in self.text("choice"))
        yield "chosen"
        self.find("far-tab").click()
        self.wait(lambda: "on average" in self.text("far"))
        yield "distances"
        self.find("longer-tab").click()
        self.wait(lambda: "hops:" in self.text("longer-paths"))
        yield "longer"
        self.open(self.sample, from_="Laos", to="Haiti")
        self.answered("There is no path.")
        yield "none"
        self.open(self.many, from_="s", to="t")
        yield "many"
        self.open(self.sample, from_="Laos", to="Poland", tab="costs")
        self.wait(lambda: "Bytes per list node" in self.text("costs"))
        yield "costs"

    def test_every_state_fits_is_readable_and_has_names(self):
        axe = AXE.read_text(encoding="utf-8") if AXE.exists() else None
        for scheme in SCHEMES:
            for state in self.states():
                for width in WIDTHS:
                    self.look(width, scheme)
                    asked = (scheme, state, width)
                    with contextlib.suppress(TimeoutException):  # a new width is drawn a frame later
                        self.wait(lambda: self.script("return document.documentElement.scrollWidth") <= width)
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
        self.answered("1 shortest path of 3 hops.")
        tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        heard = {(node["role"]["value"], node.get("name", {}).get("value")) for node in tree
                 if not node["ignored"]}
        for wanted in (("combobox", "From"), ("combobox", "To"), ("combobox", "Not through"),
                       ("button", "Ask"), ("button", "Swap from and to"), ("button", "Random pair"),
                       ("tab", "Paths"), ("tab", "One hop longer"), ("tab", "Distances"),
                       ("tabpanel", "Paths"),
                       ("button", "China, 1 hop from Laos"),
                       ("region", "Drawing of all shortest paths")):
            self.assertIn(wanted, heard)
        self.assertIn("status", {role for role, _ in heard})

    def test_no_request_leaves_this_computer_and_nothing_is_complained_of(self):
        self.browser.get_log("performance")
        self.browser.get_log("browser")
        self.open(self.sample, from_="Laos", to="Poland")
        self.answered("1 shortest path of 3 hops.")
        self.find("random").click()
        self.wait(lambda: "from=Laos&to=Poland" not in self.browser.current_url)
        self.wait(lambda: " hop" in self.text("status"))
        self.assertNotIn("no path", self.text("status"))
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
