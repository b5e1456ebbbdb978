#!/bin/sh
# test_linux_perf.sh - the section "With Linux perf" of counters/README.md: its commands work as they
# are typed, in the order of the page. Without perf, or where it may not record, this is skipped.
set -u
. "$PW_SOURCE/tests/support/script.sh"
[ -z "${PW_SANITIZE:-}" ] || skip "the commands are about a release build"
command -v perf >/dev/null || skip "perf is not installed (package linux-perf)"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$scratch" || exit 1
perf record -q -e cpu-clock:u -o try.data -- true >/dev/null 2>err ||
    skip "perf may not record here: $(tail -n 1 err)"
mkdir -p build/release
ln -s "$PW_BUILD/bin" build/release/bin
ln -s "$PW_SOURCE/perf" perf
sed -n '/^## With Linux perf$/,/^## /s/^    //p' "$PW_SOURCE/counters/README.md" |
    sed ':again; /\\$/ { N; s/\\\n *//; b again; }' >commands
[ "$(wc -l <commands)" -eq 7 ] || fail "not seven commands: $(cat commands)"
while read -r command; do
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
grep -q 'plain_search' flame.svg || fail "flame.svg has no search: $(head -c 300 flame.svg)"

# What is no recording is refused.
echo 'no stacks' >nothing.txt
python3 perf/study flame nothing.txt >out 2>err && fail "stacks without a search are drawn"
grep -q 'no stack has a search' err || fail "the refusal says: $(cat err)"
exit $failed
