#!/bin/sh
# test_abi.sh - the three libraries have the binary interface of tests/abi: functions, types, layouts.
#
# A program that was built against an earlier version must run with the next one. A change that is
# meant goes into the baseline by tests/abi/update. The last step changes a struct and a prototype on
# purpose, and the test must report it.
set -u
. "$PW_SOURCE/tests/support/script.sh"
command -v abidiff >/dev/null || skip "abidiff is not installed (package abigail-tools)"
[ -e "$PW_BUILD/lib/libqueue.so" ] || skip "the libraries are static archives in this build"
[ "$(uname -m)" = x86_64 ] || skip "the baselines are of x86-64"
[ "$PW_BUILD_TYPE$PW_SANITIZE" = Release ] || skip "the baselines are of a release build"

for name in linked_list queue pwgraph; do
    abidiff --no-show-locs "$PW_SOURCE/tests/abi/$name.abi" "$PW_BUILD/lib/lib$name.so" >"$scratch/out" 2>&1 || {
        cat "$scratch/out"
        fail "the ABI of lib$name.so has changed; if that is meant: tests/abi/update"
    }
done

soname=$(readlink "$PW_BUILD/lib/libqueue.so")

# changed NAME EXPRESSION: libqueue with headers and source edited so must not pass.
changed() {
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    cp -r "$PW_SOURCE/base" "$PW_SOURCE/alloc" "$PW_SOURCE/liblist" "$PW_SOURCE/libqueue" "$scratch/tree"
    sed -i "$2" "$scratch/tree/libqueue/queue.h" "$scratch/tree/libqueue/queue.c"
    "$PW_CC" -std=c17 -D_GNU_SOURCE -g -gdwarf-4 -O2 -w -fPIC -fvisibility=hidden -shared \
        -I "$scratch/tree" -I "$scratch/tree/alloc" -I "$scratch/tree/liblist" \
        "$scratch/tree/libqueue/queue.c" "$scratch/tree/libqueue/queue_more.c" -o "$scratch/libqueue.so" -Wl,-soname,"$soname" \
        -L "$PW_BUILD/lib" -llinked_list || fail "building the library with $1"
    abidiff --no-show-locs "$PW_SOURCE/tests/abi/queue.abi" "$scratch/libqueue.so" >"$scratch/out" 2>&1
    [ $(($? & 4)) = "$3" ] || {
        cat "$scratch/out"
        fail "the library with $1"
    }
}
changed "nothing changed" "s/^/&/" 0
changed "a larger struct queue" "s/^struct queue {/& long one_more;/" 4
changed "another prototype" "s/bool queue_next(struct queue \*queue, unsigned int \*/bool queue_next(struct queue *queue, unsigned long */" 4
exit $failed
