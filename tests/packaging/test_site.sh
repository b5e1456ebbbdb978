#!/bin/sh
# test_site.sh - the site of the pages: built without a warning; a path that names a page is a link, a
# list is a list; a dead link fails it.
set -u
. "$PW_SOURCE/tests/support/script.sh"
[ ! -x "$PW_SOURCE/build/tools/bin/python3" ] || PATH=$PW_SOURCE/build/tools/bin:$PATH
python3 -c 'import mkdocs' 2>/dev/null || skip "mkdocs is not installed"

"$PW_SOURCE/packaging/site" "$scratch/site" >"$scratch/log" 2>&1 || fail "the site: $(cat "$scratch/log")"
[ ! -s "$scratch/log" ] || fail "a warning: $(cat "$scratch/log")"
grep -qF '<a href="liblist/index.html"><code>liblist/README.md</code></a>' "$scratch/site/index.html" ||
    fail "a path is no link"
grep -q '<li>Fewer than' "$scratch/site/index.html" || fail "a list is none"
[ -s "$scratch/site/search/search_index.json" ] || fail "there is no search"
mkdir "$scratch/tree"
cp -r "$PW_SOURCE/packaging" "$scratch/tree"
printf '# A page\n\n[nowhere](nowhere.md)\n' >"$scratch/tree/README.md"
! "$scratch/tree/packaging/site" "$scratch/other" >"$scratch/log" 2>&1 || fail "a dead link is no error"
grep -q nowhere.md "$scratch/log" || fail "a dead link is not named: $(cat "$scratch/log")"
exit $failed
