#!/bin/sh
# test_memory_visible.sh - the checkers see an allocator's memory block by block.
#
# memory_misuse touches nodes it must not touch; the checker of this build (AddressSanitizer, or
# Memcheck in a build without a sanitizer) must report each misuse, and say nothing of clean use.
# AddressSanitizer ends the program at the first misuse; under Memcheck one run shows them all.
set -u
. "$PW_SOURCE/tests/support/script.sh"
program=$PW_BUILD/tests/memory_misuse

case $PW_SANITIZE in
*address*)
    checker=
    status_expected=1
    kinds="read-released write-released read-deleted overrun double-release"
    said='use-after-poison|heap-use-after-free|heap-buffer-overflow|double-free'
    ;;
'')
    command -v valgrind >/dev/null 2>&1 || skip "Valgrind is not installed"
    checker="valgrind --quiet --leak-check=full --error-exitcode=99"
    status_expected=99
    kinds="read-released write-released read-deleted read-new overrun double-release"
    said='Invalid (read|write|free)|uninitialised'
    output=$(valgrind --quiet --tool=none "$program" slab marked 2>&1)
    [ "$output" = unmarked ] || fail "blocks are marked under a tool that does not check: $output"
    output=$(valgrind --quiet --tool=callgrind --callgrind-out-file=/dev/null \
        "$program" slab marked 2>&1)
    [ "$output" = unmarked ] || fail "blocks are marked under callgrind: $output"
    output=$(valgrind --quiet "$program" slab marked 2>&1)
    [ "$output" = marked ] || fail "blocks are not marked under memcheck: $output"
    ;;
*)
    skip "this build's sanitizer ($PW_SANITIZE) does not look at memory blocks"
    ;;
esac

for allocator in pool pool:order=fifo slab quick-fit "count(slab)"; do
    # shellcheck disable=SC2086 # the checker is words, or nothing
    {
        output=$($checker "$program" "$allocator" clean 2>&1)
        status=$?
        [ "$status$output" = 0 ] || fail "$allocator: clean use: exit $status: $output"
        if [ -n "$checker" ]; then
            $checker "$program" "$allocator" $kinds >"$scratch/all" 2>&1
            status=$?
        fi
        for kind in $kinds; do
            if [ -n "$checker" ]; then
                output=$(awk -v kind="$kind" '/^== / { is_kind = $2 == kind } is_kind' "$scratch/all")
            else
                output=$("$program" "$allocator" "$kind" 2>&1)
                status=$?
            fi
            [ $status = $status_expected ] || fail "$allocator: $kind: exit $status: $output"
            echo "$output" | grep -qE "$said" || fail "$allocator: $kind: not reported: $output"
        done
    }
done
exit $failed
