#!/bin/sh
# test_packages.sh - the Debian packages and the source archive: built twice, they are the same; lintian
# finds no error; unpacked, the programs run and a program builds against the libraries; installed, ours
# is bfs without owning a file that Debian's package bfs has.
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
# bfs-mpi has a package of its own, where there is an MPI.
major=$(sed -n 's/^project(pointer_wars VERSION \([0-9]*\).*/\1/p' "$PW_SOURCE/CMakeLists.txt")
library_package=libpointer-wars$major
wanted="libpointer-wars-dev $library_package pointer-wars"
! command -v mpicc >/dev/null || wanted="$wanted pointer-wars-mpi"
wanted="$wanted python3-pointer-wars"
packages=$(for package in ./*.deb; do basename "${package%%_*}"; done | LC_ALL=C sort | tr '\n' ' ')
[ "$packages" = "$wanted " ] || fail "there are other packages than $wanted: $packages"
for package in ./pointer-wars-mpi_*.deb; do
    [ -e "$package" ] || continue
    dpkg-deb -f "$package" Depends >"$scratch/log"
    grep -q 'openmpi-bin\|mpich' "$scratch/log" || fail "no launcher for bfs-mpi: $(cat "$scratch/log")"
    dpkg-deb -c "$package" >"$scratch/log"
    for file in bin/bfs-mpi share/man/man1/bfs-mpi.1.gz \
        share/bash-completion/completions/bfs-mpi; do
        grep -q "/usr/$file\$" "$scratch/log" || fail "not in $package: $file"
    done
done

if command -v lintian >/dev/null; then
    lintian --fail-on error ./*.deb >"$scratch/log" 2>&1 || fail "lintian: $(cat "$scratch/log")"
else
    echo "without lintian: not installed"
fi

# Whoever links the libraries depends on their package.
for package in ./pointer-wars*.deb; do
    dpkg-deb -x "$package" "$scratch/alone" || fail "unpacking $package"
    for program in "$scratch"/alone/usr/bin/*; do
        readelf -d "$program" 2>/dev/null
    done | grep 'NEEDED.*\(libqueue\|liblinked_list\)' >"$scratch/log"
    if [ -s "$scratch/log" ]; then
        dpkg-deb -f "$package" Depends | grep -F "$library_package (=" >"$scratch/log" ||
            fail "$package does not depend on $library_package"
    fi
    rm -r "$scratch/alone"
done

# Whoever opens libarchive late depends on it.
for package in ./pointer-wars*.deb "./${library_package}_"*.deb; do
    dpkg-deb -f "$package" Depends >"$scratch/log"
    grep -q libarchive "$scratch/log" || fail "$package does not depend on libarchive: $(cat "$scratch/log")"
done

# Unpacked into a folder of its own, as dpkg would into /.
root=$scratch/root
for package in ./*.deb; do
    dpkg-deb -x "$package" "$root" || fail "unpacking $package"
done
library=$(dirname "$(find "$root/usr/lib" -name "libqueue.so.$major")")
export LD_LIBRARY_PATH="$library"
for program in "$root"/usr/bin/*; do
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/usr/lib/python3/dist-packages" "$program" --help >"$scratch/log" 2>&1 || fail "${program##*/}: $(cat "$scratch/log")"
done
readelf -d "$root/usr/bin/pointer-wars-bfs" | grep -E 'RPATH|RUNPATH' && fail "a package's program has a RUNPATH"
sample=$root/usr/share/pointer-wars/sample/borders.tsv
"$root/usr/bin/pointer-wars-bfs" "$sample" --from Laos --to Poland --path >"$scratch/out" 2>&1 ||
    fail "bfs: $(cat "$scratch/out")"
grep -q Poland "$scratch/out" || fail "bfs on the sample: $(cat "$scratch/out")"
"$PW_CC" -I "$root/usr/include" "$root/usr/share/doc/libpointer-wars-dev/examples/harness.c" \
    -o "$scratch/harness" -L "$library" -llinked_list -lqueue || fail "building an example"
[ "$("$scratch/harness")" = ok ] || fail "the example does not run"
gzip -t "$root"/usr/share/man/man1/*.1.gz || fail "manual pages"
for program in "$root"/usr/bin/*; do
    [ -e "$root/usr/share/man/man1/${program##*/}.1.gz" ] || fail "no manual page of ${program##*/}"
done
for file in bin/bfs share/man/man1/bfs.1.gz share/bash-completion/completions/bfs \
    share/zsh/vendor-completions/_bfs share/zsh/site-functions/_bfs share/fish/vendor_completions.d/bfs.fish; do
    [ ! -e "$root/usr/$file" ] || fail "the package bfs has this file, too: $file"
done
for field in Conflicts Breaks Replaces; do
    [ -z "$(dpkg-deb -f ./pointer-wars_*.deb $field)" ] || fail "pointer-wars has the field $field"
done

# Installed into a system of its own, which has nothing else; test_alternatives.sh has the other package.
system=$scratch/system
mkdir -p "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/triggers" \
    "$system/var/lib/dpkg/alternatives" "$system/etc/alternatives" "$system/var/log"
: >"$system/var/lib/dpkg/status"
PATH=$PATH:/usr/sbin:/sbin dpkg --root="$system" --force-not-root --force-script-chrootless --force-depends \
    --log="$scratch/dpkg.log" -i ./pointer-wars_*.deb >"$scratch/log" 2>&1 || fail "dpkg: $(cat "$scratch/log")"
for link in bin/bfs share/man/man1/bfs.1.gz share/bash-completion/completions/bfs \
    share/zsh/vendor-completions/_bfs share/fish/vendor_completions.d/bfs.fish; do
    file=$(readlink "$system$(readlink "$system/usr/$link")")
    if [ -z "$file" ] || [ ! -f "$system$file" ]; then fail "there is no $link"; fi
done

# The Python package, from where it was unpacked; its scripts call Debian's programs for modules.
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))'; then
    env -u POINTER_WARS_LIBRARY -u POINTER_WARS_BFS PATH="$root/usr/bin:$PATH" PYTHONDONTWRITEBYTECODE=1 \
        PYTHONPATH="$root/usr/lib/python3/dist-packages" python3 "$PW_SOURCE/tests/packaging/python_package.py" \
        "$sample" "$scratch/one/pyproject.toml" "$root/" >"$scratch/log" 2>&1 ||
        fail "the Python package: $(cat "$scratch/log")"
    env -u POINTER_WARS_LIBRARY PYTHONDONTWRITEBYTECODE=1 \
        PYTHONPATH="$root/usr/lib/python3/dist-packages" python3 "$root/usr/bin/bfs-web" --version \
        >"$scratch/log" 2>&1
    grep -q '^bfs-web .*[0-9]' "$scratch/log" || fail "bfs-web: $(cat "$scratch/log")"
else
    echo "without the Python package: it needs Python 3.9"
fi
[ -f "$root/usr/share/man/man1/bfs-web.1.gz" ] || fail "bfs-web has no manual page"
package=$(echo ./python3-pointer-wars_*.deb)
[ "$(dpkg-deb -f "$package" Architecture)" = all ] || fail "the Python package is not for all machines"
dpkg-deb -c "$package" | grep -E '__pycache__|\.pyc|\.so' && fail "the Python package has compiled files"
mkdir "$scratch/tools"
for tool in py3compile py3clean; do
    printf '#!/bin/sh\necho %s "$@" >>"%s"\n' $tool "$scratch/called" >"$scratch/tools/$tool"
    chmod 755 "$scratch/tools/$tool"
done
dpkg-deb -e "$package" "$scratch/control"
for call in "postinst configure" "prerm remove" "prerm upgrade 9"; do
    # shellcheck disable=SC2086 # words
    PATH=$scratch/tools:$PATH sh "$scratch/control/"$call || fail "$call failed"
done
printf '%s -p python3-pointer-wars\n' py3compile py3clean py3clean | cmp -s - "$scratch/called" ||
    fail "scripts: $(cat "$scratch/called")"
for words in "-i $package" "-r python3-pointer-wars"; do
    # shellcheck disable=SC2086 # words
    PATH=$PATH:/usr/sbin:/sbin dpkg --root="$system" --force-not-root --force-script-chrootless \
        --force-depends --log="$scratch/dpkg.log" $words >"$scratch/log" 2>&1 ||
        fail "dpkg $words: $(cat "$scratch/log")"
done

# The source archive builds.
mkdir "$scratch/source"
tar -xzf pointer-wars-*.tar.gz -C "$scratch/source" --strip-components=1
git -C "$scratch/one" ls-files | while read -r file; do
    [ -e "$scratch/source/$file" ] || echo "$file"
done >"$scratch/missing"
[ ! -s "$scratch/missing" ] || fail "not in the source archive: $(cat "$scratch/missing")"
exit $failed
