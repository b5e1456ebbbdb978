#!/bin/sh
# test_bfs_allocators.sh - every kind of allocator under bfs: the same counts, and what it reports.
set -u
. "$PW_SOURCE/tests/support/script.sh"
bfs=$PW_BUILD/bin/bfs

counts() { # the columns that no allocator may change
    "$bfs" generate:nodes=2k random:4 --alloc "$1" --format json 2>"$scratch/err" |
        tr ',' '\n' | grep -E '"(visited|pushed|expanded|hops|found)":' >"$scratch/counts"
    [ -s "$scratch/counts" ] || fail "$1: $(cat "$scratch/err")"
}

counts malloc
cp "$scratch/counts" "$scratch/expected"
for spec in pool slab first-fit first-fit32 first-fit32:align=8 block bump:heap=16M \
    quick-fit 'quick-fit(malloc)' quick-fit:heap=16M \
    "record(quick-fit,file=$scratch/quick.script)" "replay:file=$scratch/quick.script" \
    'no-free(slab)' 'count(slab)' lib:c \
    "record(first-fit,file=$scratch/run.script)" "replay:file=$scratch/run.script" \
    "replay:unchecked,file=$scratch/run.script" \
    first-fit:heap=16M; do
    counts "$spec"
    cmp -s "$scratch/counts" "$scratch/expected" || fail "$spec changes the counts"
done

"$bfs" generate:nodes=2k random:4 --alloc first-fit:heap=64K >"$scratch/out" 2>"$scratch/err" &&
    fail "a heap too small passed"
grep -q "out of memory in 3 of 4 searches" "$scratch/err" || fail "it is not said"
grep -q "heap needed" "$scratch/out" || fail "the report does not say how large it must be"

# A replay of another run is caught, and ends with a reason.
"$bfs" generate:nodes=2k random:3,seed=9 --alloc "replay:file=$scratch/run.script" \
    >"$scratch/out" 2>"$scratch/err" && fail "a divergent run passed"
grep -q "the run is not the recorded one: operation" "$scratch/err" || fail "$(cat "$scratch/err")"
grep -q "diverged in 3 of 3 searches" "$scratch/err" || fail "$(cat "$scratch/err")"
grep -q "out of memory" "$scratch/out" "$scratch/err" && fail "a divergence is reported as lack of memory"
grep -q '[0-9]  diverged' "$scratch/out" || fail "a search does not say that it diverged"

# No allocator writes over an input, nor over an old file before there is anything to write.
printf '1 2\n2 3\n' >"$scratch/graph.txt"
printf '1 3\n' >"$scratch/pairs.txt"
for file in graph.txt pairs.txt; do
    for spec in "record(first-fit,file=$scratch/$file)" "record(bump,file=$scratch/$file)"; do
        cp "$scratch/$file" "$scratch/before"
        "$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" --alloc "$spec" >"$scratch/out" \
            2>"$scratch/err"
        [ $? -eq 1 ] || fail "$spec is not refused"
        grep -q "it is an input file" "$scratch/err" || fail "$spec: $(cat "$scratch/err")"
        LINKED_LIST_ALLOC=$spec "$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" >"$scratch/out" \
            2>"$scratch/err" && fail "$spec of the environment is not refused"
        cmp -s "$scratch/$file" "$scratch/before" || fail "$spec writes over an input"
    done
done
for spec in "record(first-fit,file=$scratch/old)" "record(bump,file=$scratch/old)"; do
    echo old >"$scratch/old"
    "$bfs" "$scratch/nowhere.txt" random:1 --alloc "$spec" >"$scratch/out" 2>"$scratch/err" &&
        fail "a graph that is not there"
    [ "$(cat "$scratch/old")" = old ] || fail "$spec loses an old file without a graph"
done

# Nor over a script or a library that an allocator reads; and no two outputs are one file.
one_file() { # FILE WHY ALLOCATOR [OPTION...]: refused, and the file is as before
    file=$1 why=$2
    shift 2
    cp "$file" "$scratch/before"
    "$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" -q --alloc "$@" >"$scratch/out" 2>"$scratch/err"
    [ $? -eq "$status" ] || fail "$* is not refused"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "$*: $(cat "$scratch/err")"
    grep -q "^bfs: cannot write .*: $why$" "$scratch/err" || fail "$*: $(cat "$scratch/err")"
    cmp -s "$file" "$scratch/before" || fail "$* writes over $file"
}
script=$scratch/run.script
input="it is an input file" same="another output is the same file" status=1
"$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" -q --alloc "record(first-fit,file=$script)" \
    >"$scratch/out" || fail "no script is recorded"
ln -s run.script "$scratch/link.script"
ln "$script" "$scratch/second.script"
for path in "$script" "$scratch/./run.script" "$scratch/link.script" "$scratch/second.script"; do
    one_file "$script" "$input" "replay:file=$script" -o "$path"
    one_file "$script" "$input" "count(replay:file=$path)" -o "$script"
    one_file "$script" "$same" "record(first-fit,file=$script)" -o "$path"
done
for kind in plugin lib; do
    one_file "$script" "$input" "$kind:$script" -o "$script"
done
LINKED_LIST_ALLOC="replay:file=$script" "$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" -q \
    -o "$script" 2>"$scratch/err" && fail "the script of the environment is not refused"
cmp -s "$script" "$scratch/before" || fail "the script of the environment is written over"
"$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" --alloc "record(first-fit,file=$scratch/new)" \
    >"$scratch/new" 2>"$scratch/err" && fail "standard output is written twice"
grep -q "$same" "$scratch/err" || fail "$(cat "$scratch/err")"
rm -f "$scratch/new"
for path in "$scratch/new" "$scratch/./new" "$scratch/../${scratch##*/}/new"; do # not there yet
    one_file "$script" "$same" "record(first-fit,file=$path)" -o "$scratch/new"
    [ ! -e "$scratch/new" ] || fail "$path is made"
done
ln -s new "$scratch/dangling"
one_file "$script" "it is a link to nothing" "record(first-fit,file=$scratch/dangling)" -o "$scratch/new"
[ ! -e "$scratch/new" ] || fail "what a link to nothing leads to is made"
status=2 # compared with one another
one_file "$script" "$input" "replay:file=$script,pool" -o "$script"
one_file "$script" "$input" "record(first-fit,file=$script),replay:file=$script"
one_file "$script" "$same" "record(first-fit,file=$script),record(bump,file=$script)"
"$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" -q --alloc "replay:file=$script" \
    -o /dev/null || fail "a script is not replayed"
"$bfs" "$scratch/graph.txt" "$scratch/pairs.txt" -q --alloc "record(first-fit,file=/dev/null)" \
    -o /dev/null || fail "a device is refused"

printf 'short' >"$scratch/bad.script"
"$bfs" generate:nodes=2k random:1 --alloc "replay:file=$scratch/bad.script" 2>"$scratch/err" \
    >"$scratch/out"
[ $? -eq 2 ] || fail "a bad script is not refused"
# Of two forms of a library the minimal one is taken.
printf '#include <stdlib.h>\nvoid *twin_malloc(size_t n) { return malloc(n); }\nvoid twin_free(void *p) { free(p); }\n' \
    >"$scratch/twin.c"
for form in twin twin_minimal; do
    "$PW_CC" -shared -fPIC -o "$scratch/lib$form.so" "$scratch/twin.c" || fail "building lib$form.so"
done
LD_LIBRARY_PATH=$scratch "$bfs" generate:nodes=2k random:1 --alloc lib:twin,prefix=twin_ >"$scratch/out" 2>&1
grep -q 'libtwin_minimal.so' "$scratch/out" || fail "lib:twin: $(cat "$scratch/out")"

"$bfs" generate:nodes=2k random:1 --alloc lib:nosuchlibrary 2>"$scratch/err" >"$scratch/out"
[ $? -eq 2 ] || fail "a missing library is not refused"
grep -q "not installed" "$scratch/err" || fail "$(cat "$scratch/err")"
if [ -z "$PW_SANITIZE" ]; then
    for library in lib:jemalloc lib:mimalloc lib:tcmalloc; do
        if "$bfs" generate:nodes=2k random:4 --alloc "$library" --threads 2 >"$scratch/out" 2>"$scratch/err"; then
            :
        else
            grep -q "not installed" "$scratch/err" || fail "$library: $(cat "$scratch/err")"
        fi
    done
    "$PW_CC" -std=c17 -shared -fPIC -I "$PW_BUILD/include" -o "$scratch/lifo.so" \
        "$PW_SOURCE/alloc/foreign/example/lifo.c" || fail "the example does not compile"
    counts "plugin:$scratch/lifo.so"
    cmp -s "$scratch/counts" "$scratch/expected" || fail "the plugin changes the counts"
fi
exit $failed
