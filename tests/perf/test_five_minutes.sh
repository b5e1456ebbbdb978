#!/bin/sh
# test_five_minutes.sh - the page perf/program/five_minutes.md: its commands do what it says, each whose
# programs are installed.
set -u
. "$PW_SOURCE/tests/support/script.sh"
setarch -R true 2>"$scratch/err" || skip "this system does not let addresses be the same in each run"
page=$PW_SOURCE/perf/program/five_minutes.md
mkdir "$scratch/bin" "$scratch/here"
cd "$scratch/here" || exit 1
# Twice is enough for a test, and memory on malloc alone, but the commands are the page's.
cat >"$scratch/bin/allocbench" <<END
#!/bin/sh
name=\$1
shift
case \$name in
program | trace) set -- --runs 2 "\$@" ;;
memory) set -- --runs 1 --alloc malloc "\$@" ;;
esac
exec "$PW_BUILD/bin/allocbench" "\$name" "\$@"
END
chmod +x "$scratch/bin/allocbench"
PATH=$scratch/bin:$PATH
export PATH
sed -n 's/^    //p' "$page" | sed ':again; /\\$/ { N; s/\\\n *//; b again; }' >commands
[ "$(wc -l <commands)" -ge 17 ] || fail "few commands: $(cat commands)"
typed=0
while read -r command; do
    for program in gcc jq sqlite3 perl python3 awk; do
        case " $command" in
        *" $program "*) command -v "$program" >/dev/null || continue 2 ;;
        esac
    done
    case $command in
    perf/study*)
        command -v python3 >/dev/null || continue
        command="python3 \"\$PW_SOURCE\"/$command"
        command=$(printf '%s\n' "$command" | sed 's/ program / program --runs 1 --bin "$PW_BUILD"\/bin /')
        ;;
    esac
    sh -euc "$command" >out 2>err </dev/null || fail "$command: exit $?: $(cat out err)"
    typed=$((typed + 1))
    case $command in
    *"allocbench program"*)
        grep -q '^replayed' out || fail "$command: nothing is replayed: $(cat out)"
        grep -q '^as it is .*[0-9]' out || fail "$command: no figure: $(cat out)"
        tr '\n' ' ' <out | grep -q 'replayed is left out' && fail "$command: $(cat out)"
        ;;
    *"allocbench memory grows.rec")
        head -n 1 out | grep -q '^verdict: alive' || fail "$command: $(cat out)"
        tr '\n' ' ' <out | grep -q 'grows: .* from keep (grows.c:2) < main (grows.c:3)' ||
            ! command -v addr2line >/dev/null || fail "$command: $(cat out)"
        ;;
    *"allocbench trace sort.rec"*) grep -q '^first-fit' out || fail "$command: $(cat out)" ;;
    esac
done <commands
[ "$typed" -ge 11 ] || fail "only $typed commands could be typed"
exit $failed
