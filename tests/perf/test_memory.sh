#!/bin/sh
# test_memory.sh - `allocbench memory`: programs that keep memory in a known way get the verdict, the
# call site and the advice that are right; and what it refuses.
set -u
. "$PW_SOURCE/tests/support/script.sh"
bench=$PW_BUILD/bin/allocbench
keeps=$PW_BUILD/tests/keeps_memory
cd "$scratch" || exit 1
mkdir tmp "with a blank"
export TMPDIR="$scratch/tmp"

measure() { # measure MODE WORD...: "allocbench memory" of it; its tables are in MODE
    mode=$1
    shift
    what="memory $mode $*"
    "$bench" memory --runs 1 --alloc malloc --output "$mode" "$@" >out 2>err ||
        fail "$what: $(cat err)"
    awk 'length > 80 { exit 1 }' out || fail "$what: lines of more than 80 characters: $(cat out)"
}

# The malloc of a sanitized build is the sanitizer's: there the commands run, and what they find is not
# asked.
is_sanitized() {
    [ -n "${PW_SANITIZE:-}" ]
}

says() { # says TEXT: in the notes of the last one
    is_sanitized && return
    tr -s ' \n' ' ' <out | grep -q -- "$1" || fail "$what: no \"$1\" in: $(cat out)"
}

cell() { # cell TABLE COLUMN [ALLOCATOR]: of the row of the allocator, or of the first
    sed 's/"\([^",]*\),\([^"]*\)"/\1\2/' "$mode/$1.csv" | awk -F, -v name="$2" -v of="${3:-}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && (of == "" || $at["allocator"] == of) { print $at[name]; exit }'
}

holds() { # holds EXPRESSION: of awk
    is_sanitized && return
    awk "BEGIN { exit !($1) }" || fail "$what: not $1: $(cat out)"
}

# Four verdicts, and who it is. A function is named where the program is, with and without -g.
measure pins -- "$keeps" pins
says 'verdict: fragmented'
says 'at the end 2000 blocks with 125.0 KiB pin [67]\.[0-9] MiB of empty pages: fill .*< keep_one'
holds "$(cell memory fragmentation_kib malloc) > 7000"
measure caches -- "$keeps" caches
says 'verdict: cached'
says 'advice: malloc, trimmed holds [5-9]\.[0-9] MiB less at the end'
holds "$(cell memory cache_kib malloc) > 7000"
measure leaks -- "$keeps" leaks
says 'verdict: alive'
says 'at the end 24000 blocks with 22.9 MiB pin .*: fill .*< leak_one'
says 'advice: no other'
measure fine -- "$keeps" fine
says 'verdict: fine'
! is_sanitized && grep -q advice out && fail "$what: advice where none is needed"

# Two complaints of many: a daemon whose peak stays, which trimming gives back, as it does in the program
# itself; and an arena per thread. What is held when replayed is what the program held, but for huge
# pages of 2 MiB. On a busy machine the daemon may end before it is looked at; then it runs again.
for _ in 1 2 3 4 5 6 7 8 9 10; do
    measure daemon -- "$keeps" daemon
    ! grep -q '^as it is,' daemon/memory-times.csv || break
done
says 'verdict: cached'
holds "$(cell memory held_end_kib malloc) > 22000"
holds "$(cell memory held_end_kib "malloc trimmed") < 9000"
says 'advice: malloc, trimmed holds 1[5-9]\.[0-9] MiB less at the end'
kept=$(cell memory-program held_end_kib)
holds "$kept > 0.9 * $(cell memory held_end_kib malloc) && $kept < 1.1 * $(cell memory held_end_kib malloc)"
awk -F, 'NR > 1 && !($6 >= 0 && $7 > $6) { exit 1 }
    END { exit $1 != "8/8" || $2 != 42001 }' daemon/memory-parts.csv ||
    fail "$what: over time: $(cat daemon/memory-parts.csv)"
measure trims -- "$keeps" trims
says 'the program itself holds [5-8]\.[0-9] MiB at its end, and held 2[0-9]\.[0-9] MiB at most: it has given'
holds "$(cell memory-program held_end_kib) < 9000 && $(cell memory-program resident_peak_kib) > 22000"
measure threads -- "$keeps" threads
holds "$(cell memory-program threads) == 5"
holds "$(cell memory held_end_kib malloc) > 2 * $(cell memory held_end_kib "malloc one arena")"

# A service that has had a peak and grows: the verdict first, then how the peak goes back, then who grows.
cat >grows.c <<'END'
#include <stdlib.h>
#include <string.h>
static char *room[15000];
static char **log_of_all;
static void note_one(int at)
{
    char *line = malloc(90);
    memset(line, 1, 90);
    *(char **)line = (char *)log_of_all;
    log_of_all = (char **)line;
}
int main(void)
{
    for (int i = 0; i < 15000; i++) {
        room[i] = memset(malloc(1300), 1, 1300);
    }
    note_one(0);
    for (int i = 0; i < 15000; i++) {
        free(room[i]);
    }
    for (int i = 0; i < 60000; i++) {
        char *request = memset(malloc(100 + i % 900), 1, 100);
        if (i % 4 == 3) {
            note_one(i);
        }
        free(request);
    }
}
END
cc -g -O0 -fno-builtin -w -o growing grows.c || fail "cc"
"$bench" record --sites -o grows.rec -- ./growing 2>err || fail "record --sites: $(cat err)"
measure grows grows.rec
if ! is_sanitized; then
    says 'verdict: cached'
    sed -n 1p out | grep -q '^verdict: ' || fail "$what: the verdict is not first: $(cat out)"
    says '^verdict: .* advice: malloc, trimmed holds .*: call malloc_trim(0) after a peak\. grows: '
    says 'grows: 20[0-9]\.[0-9] KiB more alive with each eighth of the calls, from note_one .*< main'
    [ "$(grep -c '^grows: ' out)" -eq 1 ] || fail "$what: others grow, too: $(cat out)"
fi

# Memory that is not from malloc is said of a recording, too.
cat >maps.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(void)
{
    memset(malloc(600000), 1, 600000);
    memset(mmap(NULL, 6 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1, 6 << 20);
}
END
cc -O0 -fno-builtin -w -o mapping maps.c || fail "cc"
"$bench" record --sites -o maps.rec -- ./mapping 2>err || fail "record --sites: $(cat err)"
measure maps maps.rec
says 'mapping: it has an allocator of its own: most of it is not seen'

# A wrapper: the program that asks more is named, and a wrapper that becomes a program is that one.
printf '#!/bin/sh\n"%s" leaks\nexit 0\n' "$keeps" >starts
printf '#!/bin/sh\nexec "%s" leaks\n' "$keeps" >becomes
chmod +x starts becomes
measure wrapped -- ./starts
is_sanitized || says 'keeps_memory made [0-9]* requests, more than starts with [0-9]*; --only=keeps_memory'
measure became -- ./becomes
says 'verdict: alive'
holds "$(cell memory-program resident_peak_kib) > 20000"

# A recording that is there already has the same verdict, also without call sites.
"$bench" record --sites -o "with a blank/ü.rec" -- "$keeps" pins 2>err || fail "record --sites: $(cat err)"
measure again "with a blank/ü.rec"
says 'verdict: fragmented'
says 'of empty pages: fill .*< keep_one'
there=$(cell memory fragmentation_kib malloc)
mode=pins
holds "$there > 0.98 * $(cell memory fragmentation_kib malloc)"
"$bench" record -o plain.rec -- "$keeps" pins 2>err || fail "record: $(cat err)"
measure plain plain.rec
says 'the recording has no call sites; record --sites keeps them'
[ "$(wc -c <plain.rec)" -lt "$(wc -c <"with a blank/ü.rec")" ] || fail "sites that take no room"

# The recordings of the tree have what their table says, on any malloc.
rows=0
while read -r name requests releases peak end; do
    measure tree "$PW_SOURCE/perf/program/recordings/$name"
    found=$(sed -n 2p tree/memory-program.csv)
    [ "${found%,,}" = "$requests,$releases,1,$peak,$end" ] || fail "$name: $found, said: $requests"
    rows=$((rows + 1))
done <<EOD
$(tr -d ',`' <"$PW_SOURCE/perf/program/five_minutes.md" | awk -F'|' '
    $2 ~ /\.rec/ { print $2, $(NF - 4), $(NF - 3), $(NF - 2), $(NF - 1) }')
EOD
[ $rows -eq 3 ] || fail "recordings: $rows rows"

# A program that asks for far more than it touches: the replay does not touch more either.
what="sparse"
cat >sparse.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(void)
{
    for (int i = 0; i < 90; i++) {
        char *table = malloc((size_t)700 << 20);
        if (table) {
            memset(table + ((size_t)i << 20), 1, 20000);
        }
    }
}
END
cc -O0 -fno-builtin -w -o sparse sparse.c || fail "$what: cc"
timeout 60 "$bench" memory --runs 1 --alloc malloc --output sparse.out -- ./sparse >out 2>err ||
    fail "$what: ended with $?: $(cat err)"
says 'the program had .* in memory at most'
mode=sparse.out
is_sanitized || holds "$(cell memory held_peak_kib malloc) < 100000"

# The notes are in a file; memory over time has the program's own as well.
what="files"
"$bench" memory --runs 1 --alloc malloc --output files plain.rec >out 2>err || fail "$what: $(cat err)"
is_sanitized || grep -q 'verdict: fragmented' files/memory.about.csv || fail "$what: $(cat files/memory.about.csv)"
grep -q '^as it is,' daemon/memory-times.csv || fail "no memory of the program itself over time"

# The page with its plots, if gnuplot is installed.
if command -v python3 >/dev/null; then
    what="study program --memory"
    python3 "$PW_SOURCE/perf/study" program --memory --bin "${bench%/*}" --runs 1 --output page \
        -- "$keeps" daemon >out 2>err || fail "$what: $(cat err)"
    says 'verdict: cached'
    if command -v gnuplot >/dev/null; then
        [ -s page/memory-replayed.svg ] || fail "$what: no plot: $(ls page)"
        ! grep -q '^as it is,' page/memory-times.csv || [ -s page/memory-program.svg ] ||
            fail "$what: no plot of the program: $(cat err page/memory-times.csv)"
    fi
fi

# Two recordings beside each other: before and after a leak.
what="trace A B"
"$bench" record --sites -o leak.rec -- "$keeps" leaks 2>err || fail "record --sites: $(cat err)"
"$bench" trace --runs 1 --alloc malloc --output two "with a blank/ü.rec" leak.rec >out 2>err ||
    fail "$what: $(cat err)"
says '23437\.5 KiB more alive: fill < leak_one'
mode=two
[ "$(cell trace requests)" = 4000 ] || fail "$what: $(cat two/trace.csv)"
"$bench" trace a.rec b.rec c.rec >out 2>err
[ $? -eq 2 ] || fail "$what: three files"

# Live bytes as Valgrind counts them.
if ! is_sanitized && valgrind --version >/dev/null 2>&1; then
    for mode in pins leaks caches; do
        what="Valgrind: $mode"
        valgrind --tool=memcheck --leak-check=no "$keeps" $mode 2>out >out2
        theirs=$(sed -n 's/.*in use at exit: \([0-9,]*\) bytes.*/\1/p' out | tr -d ,)
        [ "$(cell memory-program live_end_bytes)" = "$theirs" ] ||
            fail "$what: $theirs bytes are alive, found: $(cell memory-program live_end_bytes)"
    done
fi

# What is refused.
for words in '' '--alloc nonsense -- true'; do
    # shellcheck disable=SC2086 # words
    "$bench" memory $words >out 2>err
    [ $? -eq 2 ] || fail "memory $words: $(cat err)"
done
"$bench" memory nowhere.rec >out 2>err && fail "memory of nothing"
grep -q 'nowhere.rec: cannot be started' err || fail "memory of nothing: $(cat err)"
head -c 66000 plain.rec >cut.rec
"$bench" memory cut.rec >out 2>err && fail "memory of a cut recording"
grep -q 'cut.rec: is cut' err || fail "memory of a cut recording: $(cat err)"
left=$(ls tmp)
[ -z "$left" ] || fail "left in TMPDIR: $left"
exit $failed
