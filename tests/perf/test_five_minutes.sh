#!/bin/sh
# test_five_minutes.sh - the page perf/program/five_minutes.md: its commands do what it says, each whose
# programs are installed.
set -u
. "$PW_SOURCE/tests/support/script.sh"
setarch -R true 2>"$scratch/err" || skip "this system does not let addresses be the same in each run"
page=$PW_SOURCE/perf/program/five_minutes.md
mkdir "$scratch/bin" "$scratch/here"
cd "$scratch/here" || exit 1
# Twice is enough for a test, but the commands are the page's.
printf '#!/bin/sh\nname=$1\nshift\ncase $name in\nprogram | trace) set -- --runs 2 "$@" ;;\nesac\nexec "%s" "$name" "$@"\n' \
    "$PW_BUILD/bin/allocbench" >"$scratch/bin/allocbench"
chmod +x "$scratch/bin/allocbench"
PATH=$scratch/bin:$PATH
export PATH
sed -n 's/^    //p' "$page" | sed ':again; /\\$/ { N; s/\\\n *//; b again; }' >commands
[ "$(wc -l <commands)" -ge 13 ] || fail "few commands: $(cat commands)"
typed=0
while read -r command; do
    for program in gcc jq sqlite3 perl python3 awk; do
        case " $command" in
        *" $program "*) command -v "$program" >/dev/null || continue 2 ;;
        esac
    done
    sh -euc "$command" >out 2>err </dev/null || fail "$command: exit $?: $(cat out err)"
    typed=$((typed + 1))
    case $command in
    *"allocbench program"*)
        grep -q '^replayed' out || fail "$command: nothing is replayed: $(cat out)"
        grep -q '^as it is .*[0-9]' out || fail "$command: no figure: $(cat out)"
        tr '\n' ' ' <out | grep -q 'replayed is left out' && fail "$command: $(cat out)"
        ;;
    *"allocbench record"*) [ -s sort.rec ] || fail "$command: no recording" ;;
    *"allocbench trace"*) grep -q '^first-fit' out || fail "$command: $(cat out)" ;;
    esac
done <commands
[ "$typed" -ge 8 ] || fail "only $typed commands could be typed"
exit $failed
