#!/bin/sh
# test_late.sh - a question does not load what it does not need; a file that needs libarchive says so if
# that cannot be loaded, and is read otherwise.
set -u
. "$PW_SOURCE/tests/support/script.sh"
[ "$PW_LATE" = ON ] || skip "this build links libarchive"
bfs=$PW_BUILD/bin/bfs
sample=$PW_SOURCE/data/sample/borders.tsv
"$PW_BUILD/bin/graph-convert" --quiet "$sample" "$scratch/b.pwg" || exit 1
gzip -c "$sample" >"$scratch/b.tsv.gz"
python3 -c 'import bz2, sys; sys.stdout.buffer.write(bz2.compress(sys.stdin.buffer.read()))' \
    <"$sample" >"$scratch/b.tsv.bz2" || skip "Python has no bz2"

# No program and no library of ours names them.
for file in "$PW_BUILD"/bin/* "$PW_BUILD"/lib/*.so; do
    [ -f "$file" ] || continue
    LC_ALL=C readelf -d "$file" 2>/dev/null | grep -E 'NEEDED.*libarchive' && fail "$file is linked to it"
done

# loads FILE: the libraries that a question to FILE loads, as the dynamic linker says.
loads() {
    LD_DEBUG=files LD_DEBUG_OUTPUT="$scratch/linker" "$bfs" "$1" --from Laos --to Poland >"$scratch/out" 2>&1 ||
        fail "$1: $(cat "$scratch/out")"
    grep -q 'Laos -> China -> Russia -> Poland' "$scratch/out" || fail "$1: $(cat "$scratch/out")"
    cat "$scratch"/linker.* >"$scratch/loaded"
    rm "$scratch"/linker.*
}
for file in "$sample" "$scratch/b.pwg" "$scratch/b.tsv.gz"; do
    loads "$file"
    grep -q 'libxxhash' "$scratch/loaded" || skip "this dynamic linker does not say what it loads"
    grep -E 'lib(archive|xml2)' "$scratch/loaded" && fail "loaded for a question to $file"
done
loads "$scratch/b.tsv.bz2"
grep -q libarchive "$scratch/loaded" || fail "bzip2 is decoded without libarchive"

# Neither does it open processor events.
if strace -o "$scratch/calls" -e trace=perf_event_open true 2>/dev/null && [ -z "$PW_SANITIZE" ]; then
    strace -f -o "$scratch/calls" -e trace=perf_event_open "$bfs" "$sample" --from Laos --to Poland >"$scratch/out"
    grep perf_event_open "$scratch/calls" && fail "a question opens counters"
else
    echo "without strace"
fi

# libarchive is damaged.
soname=$(grep -o 'libarchive\.[a-z]*\.[0-9]*' "$scratch/loaded" | head -n 1)
mkdir "$scratch/damaged"
: >"$scratch/damaged/$soname"
export LD_LIBRARY_PATH="$scratch/damaged"
"$bfs" "$scratch/b.tsv.bz2" --from Laos --to Poland >"$scratch/out" 2>"$scratch/err"
[ $? -eq 1 ] || fail "not exit status 1 without $soname"
if [ "$(wc -l <"$scratch/err")" -ne 1 ] ||
    ! grep -q "b.tsv.bz2: .*needs $soname, which cannot be loaded" "$scratch/err"; then
    fail "without $soname: $(cat "$scratch/err")"
fi
"$bfs" "$scratch/b.tsv.gz" --from Laos --to Poland >"$scratch/out" 2>&1 ||
    fail "without $soname, gzip: $(cat "$scratch/out")"
exit $failed
