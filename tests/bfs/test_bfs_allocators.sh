#!/bin/sh
# test_bfs_allocators.sh - every kind of allocator under bfs: the same counts, and what it reports.
set -u
bfs=$PW_BUILD/bin/bfs
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

counts() { # the columns that no allocator may change
    "$bfs" generate:nodes=2k random:4 --alloc "$1" --format json 2>"$folder/err" |
        tr ',' '\n' | grep -E '"(visited|pushed|expanded|hops|found)":' >"$folder/counts"
    [ -s "$folder/counts" ] || fail "$1: $(cat "$folder/err")"
}

counts malloc
cp "$folder/counts" "$folder/expected"
for spec in pool slab first-fit first-fit32 first-fit32:align=8 block bump:heap=16M \
    'no-free(slab)' 'count(slab)' 'debug(slab)' lib:c \
    "record(first-fit,file=$folder/run.script)" "replay:file=$folder/run.script" \
    "replay:unchecked,file=$folder/run.script" first-fit:heap=64K block:heap=64K \
    "record(first-fit32,heap=64K,file=$folder/small.script)" "replay:file=$folder/small.script"; do
    counts "$spec"
    cmp -s "$folder/counts" "$folder/expected" || fail "$spec changes the counts"
done

"$bfs" generate:nodes=2k random:4 --alloc first-fit:heap=64K >"$folder/out" 2>"$folder/err" ||
    fail "a small heap is not enlarged"
grep -q "note: a heap of 65536 bytes was too small" "$folder/err" || fail "it is not said"
grep -q "heap enlarged *first-fit:heap=" "$folder/out" || fail "the report does not say it"

# A replay of another run is caught, and ends with a reason.
"$bfs" generate:nodes=2k random:3,seed=9 --alloc "replay:file=$folder/run.script" \
    >"$folder/out" 2>"$folder/err" && fail "a divergent run passed"
grep -q "the run is not the recorded one: operation" "$folder/err" || fail "$(cat "$folder/err")"
grep -q "diverged in 3 of 3 searches" "$folder/err" || fail "$(cat "$folder/err")"
grep -q "out of memory" "$folder/out" "$folder/err" && fail "a divergence is told as lack of memory"
grep -q '[0-9]  diverged' "$folder/out" || fail "a search does not say that it diverged"

# No allocator writes over an input, nor over an old file before there is anything to write.
printf '1 2\n2 3\n' >"$folder/graph.txt"
printf '1 3\n' >"$folder/pairs.txt"
for file in graph.txt pairs.txt; do
    for spec in "record(first-fit,file=$folder/$file)" "debug(malloc,report=$folder/$file)"; do
        cp "$folder/$file" "$folder/before"
        "$bfs" "$folder/graph.txt" "$folder/pairs.txt" --alloc "$spec" >"$folder/out" \
            2>"$folder/err"
        [ $? -eq 1 ] || fail "$spec is not refused"
        grep -q "it is an input file" "$folder/err" || fail "$spec: $(cat "$folder/err")"
        LINKED_LIST_ALLOC=$spec "$bfs" "$folder/graph.txt" "$folder/pairs.txt" >"$folder/out" \
            2>"$folder/err" && fail "$spec of the environment is not refused"
        cmp -s "$folder/$file" "$folder/before" || fail "$spec writes over an input"
    done
done
for spec in "record(first-fit,file=$folder/old)" "debug(malloc,report=$folder/old)"; do
    echo old >"$folder/old"
    "$bfs" "$folder/nowhere.txt" random:1 --alloc "$spec" >"$folder/out" 2>"$folder/err" &&
        fail "a graph that is not there"
    [ "$(cat "$folder/old")" = old ] || fail "$spec loses an old file without a graph"
done

printf 'short' >"$folder/bad.script"
"$bfs" generate:nodes=2k random:1 --alloc "replay:file=$folder/bad.script" 2>"$folder/err" \
    >"$folder/out"
[ $? -eq 2 ] || fail "a bad script is not refused"
"$bfs" generate:nodes=2k random:1 --alloc lib:nosuchlibrary 2>"$folder/err" >"$folder/out"
[ $? -eq 2 ] || fail "a missing library is not refused"
grep -q "not installed" "$folder/err" || fail "$(cat "$folder/err")"
if [ -z "$PW_SANITIZE" ]; then
    for library in jemalloc mimalloc tcmalloc; do
        if "$bfs" generate:nodes=2k random:1 --alloc lib:$library >"$folder/out" 2>"$folder/err"; then
            :
        else
            grep -q "not installed" "$folder/err" || fail "lib:$library: $(cat "$folder/err")"
        fi
    done
    "$PW_CC" -std=c17 -shared -fPIC -I "$PW_BUILD/include" -o "$folder/lifo.so" \
        "$PW_SOURCE/alloc/foreign/example/lifo.c" || fail "the example does not compile"
    counts "plugin:$folder/lifo.so"
    cmp -s "$folder/counts" "$folder/expected" || fail "the plugin changes the counts"
fi
exit $failed
