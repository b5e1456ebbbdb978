#!/bin/sh
# test_packages.sh - the Debian packages and the source archive: built twice, they are the same; lintian
# finds no error; unpacked, the programs run and a program builds against the libraries.
#
# Only where PW_PACKAGES=1, since it builds everything twice: two minutes.
set -u
. "$PW_SOURCE/tests/support/script.sh"
[ "${PW_PACKAGES:-}" = 1 ] || skip "takes two minutes; PW_PACKAGES=1 asks for it"
[ "$PW_BUILD_TYPE$PW_SANITIZE" = Release ] || skip "packages are made of a release build"
for program in dpkg-deb dpkg-shlibdeps git cpack; do
    command -v $program >/dev/null || skip "$program is not installed"
done

# The committed sources, in two folders of different names and depth.
SOURCE_DATE_EPOCH=$(git -C "$PW_SOURCE" log -1 --format=%ct)
GIT_AUTHOR_DATE="@$SOURCE_DATE_EPOCH +0000" # the archive names the commit, which names its time
GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
export SOURCE_DATE_EPOCH GIT_AUTHOR_DATE GIT_COMMITTER_DATE
for copy in one deeper/inside/two; do
    mkdir -p "$scratch/$copy"
    git -C "$PW_SOURCE" archive HEAD | tar -x -C "$scratch/$copy"
    git -C "$scratch/$copy" init -q && git -C "$scratch/$copy" add -A &&
        git -C "$scratch/$copy" -c user.name=test -c user.email=test commit -q -m test
    (cd "$scratch/$copy" && CCACHE_DISABLE=1 packaging/packages "$scratch/$copy.packages" >"$scratch/log" 2>&1) || {
        cat "$scratch/log"
        fail "building in $copy"
        exit 1
    }
done
diff -rq "$scratch/one.packages" "$scratch/deeper/inside/two.packages" ||
    fail "two builds of the same sources differ"
cd "$scratch/one.packages" || exit 1
[ "$(find . -name '*.deb' | wc -l)" = 3 ] || fail "there are other packages than three"

if command -v lintian >/dev/null; then
    lintian --fail-on error ./*.deb >"$scratch/log" 2>&1 || fail "lintian: $(cat "$scratch/log")"
else
    echo "without lintian: not installed"
fi

# Unpacked into a folder of its own, as dpkg would into /.
root=$scratch/root
for package in ./*.deb; do
    dpkg-deb -x "$package" "$root" || fail "unpacking $package"
done
library=$(dirname "$(find "$root/usr/lib" -name 'libqueue.so.0')")
export LD_LIBRARY_PATH="$library"
for program in "$root"/usr/bin/*; do
    "$program" --help >"$scratch/log" 2>&1 || fail "${program##*/}: $(cat "$scratch/log")"
done
readelf -d "$root/usr/bin/bfs" | grep -E 'RPATH|RUNPATH' && fail "a package's program has a RUNPATH"
sample=$root/usr/share/pointer-wars/sample/borders.tsv
"$root/usr/bin/bfs" "$sample" --from Laos --to Poland --path >"$scratch/out" 2>&1 ||
    fail "bfs: $(cat "$scratch/out")"
grep -q Poland "$scratch/out" || fail "bfs on the sample: $(cat "$scratch/out")"
"$PW_CC" -I "$root/usr/include" "$root/usr/share/doc/libpointer-wars-dev/examples/harness.c" \
    -o "$scratch/harness" -L "$library" -llinked_list -lqueue || fail "building an example"
[ "$("$scratch/harness")" = ok ] || fail "the example does not run"
gzip -t "$root"/usr/share/man/man1/*.1.gz || fail "manual pages"

# The source archive builds.
mkdir "$scratch/source"
tar -xzf pointer-wars-*.tar.gz -C "$scratch/source" --strip-components=1
git -C "$scratch/one" ls-files | while read -r file; do
    [ -e "$scratch/source/$file" ] || echo "$file"
done >"$scratch/missing"
[ ! -s "$scratch/missing" ] || fail "not in the source archive: $(cat "$scratch/missing")"
exit $failed
