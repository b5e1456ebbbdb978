#!/bin/sh
# test_linux_perf.sh - the section "With Linux perf" of counters/README.md: its commands work as they
# are typed, in the order of the page. Without perf, or where it may not record, this is skipped.
set -u
. "$PW_SOURCE/tests/support/script.sh"
[ -z "${PW_SANITIZE:-}" ] || skip "the commands are about a release build"
command -v perf >/dev/null || skip "perf is not installed (package linux-perf)"
cd "$scratch" || exit 1
perf record -q -e cpu-clock:u -o try.data -- true >/dev/null 2>err ||
    skip "perf may not record here: $(tail -n 1 err)"
mkdir -p build/release
ln -s "$PW_BUILD/bin" build/release/bin
sed -n '/^## With Linux perf$/,/^## /s/^    //p' "$PW_SOURCE/counters/README.md" |
    sed ':again; /\\$/ { N; s/\\\n *//; b again; }' >commands
[ "$(wc -l <commands)" -eq 6 ] || fail "not six commands: $(cat commands)"
while read -r command; do
    case $command in
    *flamegraph.pl*) command -v flamegraph.pl stackcollapse-perf.pl >/dev/null || continue ;;
    esac
    sh -euc "$command" >out 2>err </dev/null || fail "$command: exit $?: $(tail -n 5 out err)"
    case $command in
    *cycles:u*) grep -q 'instructions:u' err || fail "$command: $(cat err)" ;;
    *TopdownL1*)
        # Of a processor without these events, or a virtual one without any, perf says so.
        grep -qi 'retiring\|cannot find metric\|<not supported>' err || fail "$command: $(cat err)"
        ;;
    *page-faults:u*) grep -q '[0-9] *page-faults' err || fail "$command: $(cat err)" ;;
    *"perf report"*) grep -q '%.*\(search\|malloc\|linked_list\)' out || fail "$command: $(cat out)" ;;
    esac
done <commands
perf script -i perf.data >stacks.txt 2>err || fail "perf script: $(tail -n 5 err)"
grep -q 'plain_search' stacks.txt || fail "no stack has a search: $(head -c 300 stacks.txt)"
exit $failed
