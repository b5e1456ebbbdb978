#!/bin/sh
# test_ten_minutes.sh - the page alloc/foreign/ten_minutes.md: its program is built, checked and measured
# by its commands, as they are printed.
set -u
. "$PW_SOURCE/tests/support/script.sh"
if [ -n "$PW_SANITIZE" ] || [ ! -e "$PW_BUILD/lib/libqueue.so" ]; then
    skip "a plug-in is built for the shared libraries of a build without a sanitizer"
fi
page=$PW_SOURCE/alloc/foreign/ten_minutes.md
cd "$scratch" || exit 1
mkdir build
ln -s "$PW_BUILD" build/release
ln -s "$PW_SOURCE/perf" perf
sed -n '/^```c$/,/^```$/p' "$page" | sed '/^```/d' >mine.c
grep -E '^    (cc |build/release/bin/|for |perf/study )' "$page" | sed 's/^    //' >commands
[ "$(wc -l <commands)" = 6 ] || fail "other commands than six: $(cat commands)"
# The study looks for the programs in the build "release" of its own tree.
[ "$PW_BUILD" = "$PW_SOURCE/build/release" ] || sed -i '/^perf\/study/d' commands
while read -r command; do
    sh -euc "$command" >out 2>&1 </dev/null || fail "$command: exit $?: $(cat out)"
    case $command in
    *check*)
        # What the page shows is printed, line by line.
        sed -n '/^    plugin:/,/^$/p' "$page" | sed 's/^    //; /^  \.\.\.$/d' | while read -r line; do
            grep -qF "$line" out || echo "$line"
        done >missing
        [ ! -s missing ] || fail "the check does not say: $(cat missing)"
        ;;
    *queue*) grep -q '^plugin:./mine.so ' out || fail "no row of the plug-in: $(cat out)" ;;
    perf/study*) grep -q mine study/results.csv || fail "the study knows no plug-in" ;;
    esac
done <commands

# What the page says of a mistake.
sed '/mine->live--/d' mine.c >mistaken.c
cc -std=c11 -w -O2 -shared -fPIC -I build/release/include -o mistaken.so mistaken.c
build/release/bin/allocbench check --alloc plugin:./mistaken.so >out && fail "the mistake is not found"
grep -q '^  BROKEN  returns ' out || fail "another rule is broken: $(cat out)"
exit $failed
