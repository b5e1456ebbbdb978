"""tests/mutants/run: what is mutated and what is left alone; that the named mistakes still fit."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import concerned  # noqa: E402
import mutate  # noqa: E402
import named  # noqa: E402

CODE = """/* a + b */
#include "x.h"
#define LIMIT 6 /* words */
#define TEXT(a) a + 1
static int f(int a, const char *b)
{
    pw_assert(a < 3 && b != NULL);
    int *p = &a;
    while (a <= 7) {
        a += 2;
        g(a, "1 + 1");
    }
    if (!b) {
        continue;
    }
    return *p;
}
"""


def changes(text, suffix=".c"):
    make = mutate.python_mutants if suffix == ".py" else mutate.c_mutants
    return {(mutant.line, text[mutant.start:mutant.end], mutant.new)
            for mutant in make("file" + suffix, text)}


class Mutants(unittest.TestCase):
    def test_operators_constants_conditions_and_statements_are_mutated(self):
        self.assertEqual(changes(CODE), {
            (3, "6", "7"), (3, "6", "5"), (9, "<=", "<"), (9, "<=", ">"), (9, "7", "8"),
            (9, "7", "6"), (10, "+=", "-="), (10, "+=", "="), (10, "2", "3"), (10, "2", "1"),
            (10, "a += 2", ""), (13, "(!b)", "(!(!b))"), (13, "!", ""), (14, "continue", "break")})

    def test_python_is_mutated_by_its_own_tokens(self):
        self.assertEqual(changes("x = [a + 1, -b] if a <= 2 else 'a + 1'  # 3\n", ".py"), {
            (1, "+", "-"), (1, "1", "2"), (1, "1", "0"), (1, "<=", "<"), (1, "<=", ">"),
            (1, "2", "3"), (1, "2", "1")})

    def test_a_mutant_shows_the_line_before_and_after(self):
        mutant = next(one for one in mutate.c_mutants("f.c", CODE) if one.new == "-=")
        self.assertEqual(str(mutant), "f.c:10: a += 2;   ->   a -= 2;")
        self.assertEqual(mutant.mutated, CODE.replace("+=", "-="))

    def test_a_seed_gives_the_same_mutants_each_time(self):
        def first(seed):
            return [str(one) for one, _ in zip(mutate.draw(ROOT, "libqueue", seed), range(30))]

        self.assertEqual(first(1), first(1))
        self.assertNotEqual(first(1), first(2))
        self.assertEqual(len(set(first(1))), 30)

    def test_each_named_mistake_fits_the_code_once(self):
        for entry in named.NAMED:
            self.assertNotEqual(mutate.named(ROOT, entry).mutated, (ROOT / entry[1]).read_text())
            self.assertTrue(concerned.tests_of(entry[1]), entry[1])

    def test_every_test_of_the_table_exists(self):
        lists = [*(ROOT / "tests").rglob("CMakeLists.txt"), ROOT / "tests" / "libraries.cmake"]
        text = "".join(path.read_text() for path in lists)
        for folder, tests in concerned.CONCERNED.items():
            self.assertTrue((ROOT / folder).is_dir(), folder)
            for test in tests.split():
                self.assertTrue(test.startswith("fuzz_") or re.search(rf"\b{test}\b", text), test)

    def test_every_folder_of_the_product_has_tests_and_is_tried(self):
        """A folder of the product is one that an installation takes something from."""
        for path in mutate.sources(ROOT, "."):
            top = path.partition("/")[0]
            if top in ("tests", "build", "packaging", "shared") or "/" not in path:
                continue
            self.assertIn(top, concerned.FOLDERS)
            self.assertTrue(concerned.tests_of(path), path)

    def test_the_limit_of_a_mutant_stays_in_a_test(self):
        """What ctest puts before a test may not fail by it: then each mutant would be killed."""
        text = (ROOT / "tests" / "CMakeLists.txt").read_text()
        before = re.search(r'^set\(PW_LIMIT sh -c "(.*)"\)$', text, re.M).group(1)
        before = before.replace("${PW_TEST_TIMEOUT}", "300").replace('\\"', '"')
        for limit in (5, 3000):
            run = subprocess.run(
                ["sh", "-c", before, "sh", "-c", "ulimit -S -t"], capture_output=True, text=True,
                check=False, preexec_fn=lambda limit=limit: resource.setrlimit(
                    resource.RLIMIT_CPU, (limit, limit)))
            self.assertEqual((run.stdout, run.stderr, run.returncode),
                             (f"{min(limit, 300)}\n", "", 0))

    def test_an_interrupt_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.Popen([str(HERE / "run"), "libqueue"], stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": folder}, stdout=subprocess.DEVNULL,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            while run.poll() is None and not list(pathlib.Path(folder).glob("*/tree/tests")):
                time.sleep(0.05)
            run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=600)
            self.assertEqual((run.returncode, errors), (130, "mutants: interrupted\n"))
            self.assertEqual(os.listdir(folder), [])

    def test_a_folder_without_tests_is_wrong_usage(self):
        run = subprocess.run([str(HERE / "run"), "docs"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("docs: no test is known for it", run.stderr)


if __name__ == "__main__":
    unittest.main()
