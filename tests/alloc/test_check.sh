#!/bin/sh
# test_check.sh - `allocbench check` finds every rule that a plug-in breaks, and none where none is.
#
# 1. broken_plugin.c, built once per mistake: the rule, the operation and the seed are named.
# 2. The example plug-in and every kind of specification pass.
# 3. bfs on a plug-in that crashes ends with one line that says which allocator was in use.
set -u
. "$PW_SOURCE/tests/support/script.sh"
allocbench=$PW_BUILD/bin/allocbench
limit=
# A library opened in a program with a sanitizer needs none itself.
build() { # NAME SOURCE FLAG...
    name=$1
    source=$2
    shift 2
    "$PW_CC" -std=c17 -Wall -Wextra -Werror -shared -fPIC -I "$PW_BUILD/include" "$@" \
        -o "$scratch/$name.so" "$source" || fail "building $name"
}
# check STATUS SPECIFICATION: the exit status; what is written stays in $scratch/out.
check() {
    $limit "$allocbench" check --alloc "$2" >"$scratch/out" 2>&1
    status=$?
    [ "$status" = "$1" ] || fail "$2: exit $status instead of $1: $(cat "$scratch/out")"
}
# breaks MISTAKE RULE TEXT: found under that rule, in these words.
breaks() {
    build broken "$PW_SOURCE/tests/alloc/broken_plugin.c" "-DBREAKS=$1"
    check 1 "plugin:$scratch/broken.so"
    grep -q "^  BROKEN  $2 " "$scratch/out" || fail "$1 is not found as \"$2\": $(cat "$scratch/out")"
    grep -qE "$3" "$scratch/out" || fail "$1 is not said as \"$3\": $(cat "$scratch/out")"
    grep -qE '^          [a-z ]+, operation [0-9]+, seed 1: ' "$scratch/out" ||
        fail "$1: no operation and seed: $(cat "$scratch/out")"
    grep -q "again: allocbench check --alloc 'plugin:$scratch/broken.so' --seed 1" "$scratch/out" ||
        fail "$1: how to repeat it is not said"
}

build sound "$PW_SOURCE/tests/alloc/broken_plugin.c" -DBREAKS=NOTHING
check 0 "plugin:$scratch/sound.so"
build lifo "$PW_SOURCE/alloc/foreign/example/lifo.c"
check 0 "plugin:$scratch/lifo.so,with=size=64,count(plugin:$scratch/lifo.so),slab,null"
[ "$(grep -c '^  keeps every rule' "$scratch/out")" = 4 ] || fail "four allocators: $(cat "$scratch/out")"

check 0 slab
[ -n "$PW_SANITIZE" ] || # whose memory checker closes the fast path
    ! grep -q '^  -' "$scratch/out" || fail "every rule was looked at: $(cat "$scratch/out")"

# Mistakes among threads, by an allocator that has none without them.
build threads "$PW_SOURCE/tests/alloc/broken_threads.c" -DBREAKS=NOTHING
check 0 "plugin:$scratch/threads.so"
if [ -z "$PW_SANITIZE" ]; then
    for mistake in LOSE_REMOTE GIVE_TWICE FREE_EARLY; do
        build threads "$PW_SOURCE/tests/alloc/broken_threads.c" "-DBREAKS=$mistake"
        check 1 "plugin:$scratch/threads.so"
        grep -qE '^  BROKEN  (threads|survives) ' "$scratch/out" ||
            fail "$mistake is not found: $(cat "$scratch/out")"
        grep -q '^          threads, ' "$scratch/out" ||
            fail "$mistake is not found by threads: $(cat "$scratch/out")"
    done
fi

if [ -z "$PW_SANITIZE" ]; then # a sanitizer ends the child before the rule is looked at
    breaks OVERLAP apart 'overlaps one of [0-9]+ at 0x[0-9a-f]+, given in operation'
    breaks MISALIGN aligned 'a block of [0-9]+ bytes at 0x[0-9a-f]+ is not aligned to 16'
    breaks FORGET returns 'closed, and keeps [0-9]+ blocks of its source'
    breaks CRASH survives 'crashes: signal 11 \(.*\) in request of [0-9]+ bytes'
    breaks LEAVE survives 'ends the process with exit status 3 in request'
    breaks GIVE_NULL gives 'although its source refused nothing'
    breaks SCRIBBLE content 'byte 0 of a live block of [0-9]+ bytes at'
    breaks OVERRUN source 'wrote after the [0-9]+ bytes at .* that its source gave'
    breaks SHORT survives 'crashes: signal (11|7) \(.*\) in writing to a block of [0-9]+ bytes'
    breaks CLOSE aligned 'a block of [0-9]+ bytes at 0x[0-9a-f]+ is not aligned to 16'
    breaks RELEASE_TWICE source 'to its source twice'
    breaks FOREIGN source 'which never gave it'
    breaks MISCOUNT counts 'blocks are alive; there are'
    breaks UNDERSTATE cost 'bytes_per_block of 17 bytes is 16.0'
    breaks GIVE_UP refuses 'does not serve again when there is memory again|refused nothing'
    breaks LOSE_CHAIN chains 'took a chain of [0-9]+ back, and says'
    breaks UNSOUND sound 'its own check says: my list has a circle'
    if command -v prlimit >/dev/null; then
        limit="prlimit --cpu=1:20" # of processor time; the child's own limit is 10 seconds
        breaks SPIN survives 'does not finish in request'
        limit=
    fi
fi

# crash FLAG SIGNAL: bfs says in one line what crashed, and ends by that signal.
crash() {
    build broken "$PW_SOURCE/tests/alloc/broken_plugin.c" "-DBREAKS=$1"
    plugin=plugin:$scratch/broken.so
    (
        "$PW_BUILD/bin/bfs" generate:nodes=2k,edges=20k random:2 --alloc "$plugin" --threads 1 \
            2>"$scratch/err" >"$scratch/out"
        echo $? >"$scratch/status"
    ) >/dev/null 2>&1
    [ "$(cat "$scratch/status")" -gt 128 ] || fail "$1: bfs exits with $(cat "$scratch/status")"
    grep '^bfs: ' "$scratch/err" >"$scratch/line"
    echo "bfs: crashed (SIG$2) with the allocator $plugin; to find out why: allocbench check \
--alloc '$plugin'" | diff - "$scratch/line" ||
        fail "$1: $(cat "$scratch/err")"
}
if [ -z "$PW_SANITIZE" ]; then
    crash CRASH SEGV
    crash RELEASE_TWICE ABRT
fi

# Where there is no memory, nothing is said of the allocator: its heap has 256 MiB.
if [ -z "$PW_SANITIZE" ]; then
    sh -c 'ulimit -v 200000; exec "$1" check --alloc first-fit' sh "$allocbench" >"$scratch/out" 2>&1
    [ $? = 1 ] || fail "without memory: $(cat "$scratch/out")"
    grep -q '^allocbench: not enough memory to check first-fit (opening)$' "$scratch/out" ||
        fail "without memory: $(cat "$scratch/out")"
    ! grep -q BROKEN "$scratch/out" || fail "what had no memory is called broken"
fi

# A specification that is not legal is wrong usage, a plug-in that does not open a broken rule.
check 2 nonsense
grep -q 'allocbench: --alloc: unknown allocator "nonsense"' "$scratch/out" || fail "an unknown name"
check 1 "plugin:$scratch/none.so"
grep -q "^  BROKEN  opens " "$scratch/out" || fail "a file that is not there"
"$allocbench" check >"$scratch/out" 2>&1
[ $? = 2 ] || fail "no allocator named"
exit $failed
