#!/bin/sh
# test_level4.sh - the example of level 4 finds what the plain search finds, with any number of threads.
#
# level4.c is built as its page says, against the two headers and libraries. On a generated graph, with
# pairs that have a path and pairs that have none, both ways to divide the work give the hops of
# "bfs --engine=plain", on each allocator. What it refuses ends with one line and 1.
set -u
. "$PW_SOURCE/tests/support/script.sh"
[ -e "$PW_BUILD/lib/libqueue.so" ] || skip "a stranger links the shared libraries"
sanitizer=${PW_SANITIZE:+-fsanitize=$PW_SANITIZE}
cd "$scratch" || exit 1
# shellcheck disable=SC2086 # one flag, or none
"$PW_CC" -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror $sanitizer \
    -I "$PW_BUILD/include" "$PW_SOURCE/bfs/engines/examples/level4.c" -o level4 \
    -L "$PW_BUILD/lib" -lqueue -llinked_list -pthread || fail "building level4"
export LD_LIBRARY_PATH="$PW_BUILD/lib"

"$PW_BUILD/bin/graph-convert" --quiet generate:nodes=300 graph.mtx || fail "no graph"
"$PW_BUILD/bin/graph-convert" --quiet --pairs=40 generate:nodes=300 pairs || fail "no pairs"
echo "7 7" >>pairs
"$PW_BUILD/bin/bfs" graph.mtx pairs --engine=plain --quiet --format=csv --output=plain.csv ||
    fail "the plain search"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["source"], $at["target"], $at["hops"] + 0 }' plain.csv >expected
[ "$(wc -l <expected)" = 41 ] || fail "no 41 answers: $(cat expected)"
grep -q ' 0$' expected || fail "every pair has a path"
grep -q ' [3-9]$' expected || fail "no path is long"
for allocator in malloc pool slab; do
    for way in pairs search; do
        for threads in 1 2 3 8; do
            LINKED_LIST_ALLOC=$allocator ./level4 graph.mtx pairs $way $threads >found 2>log ||
                fail "$allocator, $way, $threads threads: $(cat log)"
            cmp found expected || fail "$allocator, $way, $threads threads: other answers"
        done
    done
done

# refused ARGUMENT...: it says why in one line.
refused() {
    ./level4 "$@" >found 2>log
    [ "$? $(wc -l <log)" = "1 1" ] || fail "level4 $*: $(cat log)"
}
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 2\n2 1\n1 2\n' >unsorted.mtx
echo "1 301" >outside
refused
refused graph.mtx pairs pairs 0
refused graph.mtx pairs search 65
refused none.mtx pairs pairs 2
refused pairs pairs pairs 2
refused unsorted.mtx pairs pairs 2
refused graph.mtx outside search 2
exit $failed
