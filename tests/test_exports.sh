#!/bin/sh
# test_exports.sh - the shared libraries export what exports-*.txt lists, no more and no less.
#
# A symbol that appears or disappears is a change of the interface: put it into the list on purpose.
# linked_list_thread, thread-local, is for libqueue.so alone (liblist/node_hooks.h).
# And no library asks libc to print or to end the process, but for assertions in a debug build.
set -u
. "$PW_SOURCE/tests/support/script.sh"
export LC_ALL=C

[ -e "$PW_BUILD/lib/libqueue.so" ] || skip "the libraries are static archives in this build"

for name in linked_list queue pwgraph; do
    library=$PW_BUILD/lib/lib$name.so
    # Sanitizers and coverage add names that begin with two underscores, musl adds _init and _fini.
    nm -D --defined-only "$library" | awk '$3 !~ /^(__|_init$|_fini$)/ { print $3 }' | sort >"$scratch/found"
    diff -u "$PW_SOURCE/tests/exports-$name.txt" "$scratch/found" ||
        fail "lib$name.so does not export what tests/exports-$name.txt lists"
    nm -D --undefined-only "$library" | awk '{ sub(/@.*/, "", $2); print $2 }' |
        grep -xE 'printf|puts|putchar|perror|vprintf|__printf_chk|stdout|stderr|exit|abort|__assert_fail' \
            >"$scratch/forbidden" && [ "$PW_BUILD_TYPE" != Debug ] &&
        fail "lib$name.so uses $(tr '\n' ' ' <"$scratch/forbidden")"
done
exit $failed
