#!/bin/sh
# test_program.sh - `allocbench program`: programs that repeat themselves are replayed, others get no
# figure.
set -u
. "$PW_SOURCE/tests/support/script.sh"
bench=$PW_BUILD/bin/allocbench
asks=$PW_BUILD/tests/asks_malloc
cd "$scratch" || exit 1
mkdir tmp
export TMPDIR="$scratch/tmp"

said() { # said TEXT: the last command said so, on standard error
    tr '\n' ' ' <err | grep -q -- "$1" || fail "$what: no \"$1\" in: $(cat err)"
}

program() { # program STATUS ARGUMENTS...
    status=$1
    shift
    what="program $*"
    timeout 1200 "$bench" program "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$status" ] || fail "$what: ended with $got: $(cat out err)"
}

# Where random addresses cannot be switched off, it says so before it runs anything; allocators are
# compared, and record and trace work.
if "$PW_BUILD/tests/forbids" fixed-addresses true 2>err; then
    printf '#!/bin/sh\nexec "%s/tests/forbids" fixed-addresses "%s" "$@"\n' "$PW_BUILD" "$bench" >fenced
    chmod +x fenced
    own=$bench
    bench=$scratch/fenced
    program 1 --runs 1 -- "$asks" later "$scratch/ran"
    said 'does not let a program run without random addresses, so nothing can be replayed; '
    said '--no-replay compares allocators only, and record and trace work'
    [ ! -s out ] || fail "$what: $(cat out)"
    [ ! -e ran ] || fail "$what: the command was run"
    program 0 --runs 1 --no-replay -- "$asks" steps
    grep -q '^as it is' out || fail "$what: no table: $(cat out)"
    ! tr '\n' ' ' <out | grep -q 'same addresses' || fail "$what: $(cat out)"
    what='record without fixed addresses'
    "$bench" record -o fenced.rec -- "$asks" fails >out 2>err
    [ $? -eq 3 ] || fail "$what: $(cat err)"
    said 'fenced.rec: asks_malloc made'
    "$bench" trace fenced.rec --alloc malloc --runs 1 >out 2>err || fail "trace: $(cat err)"
    grep -q '^malloc ' out || fail "trace: $(cat out)"
    bench=$own
fi

# Elimination.
what=program
if ! setarch -R true 2>err; then
    [ $failed -eq 0 ] || exit 1
    skip "this system does not let a program run without random addresses"
fi
program 0 --runs 2 --output result --format csv -- "$asks" steps 20000
[ "$(sed -n 's/^\([a-z" ]*\),.*/\1/p' out | tr -d '"' | tail -n 2 | tr '\n' ' ')" = "as it is replayed " ] ||
    fail "program: $(cat out)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { exit $at["share_percent"] == "" }' \
    out || fail "no share: $(cat out)"
for file in program program-memory program-requests program-histogram program-memory-times; do
    [ -s result/$file.csv ] || fail "$file.csv was not written"
done
"$bench" estimate --histogram result/program-histogram.csv --alloc malloc --runs 1 --rounds 20 \
    >out 2>err || fail "the histogram of program is none: $(cat err)"
for mode in closes exec fork; do
    program 0 --runs 1 -- "$asks" $mode 1000
done

# What no replay can place is said; a block of another malloc goes back to it.
cat >apart.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc > 1) { /* a library with a free of its own */
        void *library = dlopen("./releases.so", RTLD_NOW | RTLD_DEEPBIND);
        void (*release)(void *) = (void (*)(void *))dlsym(library, "release");
        release(strdup("a text of the program"));
    } else {
        free(malloc((size_t)9 << 30));
        char *copy = strdup("copied");
        puts(copy ? copy : "no copy");
    }
}
END
cat >locked.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
    char line[100];
    long kib = 0, granted = 0;
    const struct rlimit limit = {120 << 20, 120 << 20};
    char *grown = NULL;
    const int is_locked = argc == 1 && mlockall(MCL_FUTURE) == 0;
    if (argc > 1) {
        setrlimit(RLIMIT_DATA, &limit);
    }
    for (size_t mib = 1; mib <= 50; mib++) {
        void *before = grown;
        grown = realloc(grown, mib << 20);
        granted += grown != NULL;
        grown = grown ? grown : before;
    }
    memset(grown, 1, 33 << 20);
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof(line), status)) {
        sscanf(line, "VmLck: %ld", &kib);
    }
    printf("%ld, %s\n", granted, is_locked && kib > 120 << 10 ? "more is locked" : "as asked for");
}
END
printf '#include <stdlib.h>\nvoid release(void *block) { free(block); }\n' >releases.c
cc -shared -fPIC -o releases.so releases.c
cc -O0 -fno-builtin -w -o apart apart.c -ldl
cc -O0 -fno-builtin -w -o locked locked.c
program 1 --runs 1 -- ./apart
said 'no replay has a place for a request of 9.0 GiB, which apart makes'
# What is locked or limited is what was asked for, and no room to grow.
program 0 --runs 1 -- ./locked
program 0 --runs 1 -- ./locked limited
program 1 --runs 1 -- ./apart deep
said 'a library that it opens with RTLD_DEEPBIND releases blocks'
cat >foreign.c <<'END'
#include <stdlib.h>
void *mallocx(size_t size, int flags);
int main(void)
{
    for (int i = 1; i <= 99; i++) {
        free(realloc(mallocx(i * 9, 0), i * 20));
        free(mallocx(i, 0));
    }
}
END
if cc -w -o foreign foreign.c -l:libjemalloc.so.2 2>cc.err; then
    program 0 --runs 1 -- ./foreign
else
    echo "skipped: libjemalloc.so.2 is not installed"
fi
program 0 --runs 2 -- "$asks" steps 1
tr '\n' ' ' <out | grep -q 'as it is .*\(~\|none seen\).*runs for less than 0.1 s is rough' ||
    fail "the share of a short program: $(cat out)"
program 0 --runs 1 -- "$asks" far-apart
awk 'length > 80 { exit 1 }' out || fail "lines of more than 80 characters: $(cat out)"
program 0 --runs 1 --only asks_malloc -- sh -c "'$asks' steps 100; exit 0"
grep -q '^replayed' out || fail "--only is not replayed: $(cat out)"
two="'$asks' none; '$asks' steps 2000; exit 0"
program 0 --runs 1 --output result --only asks_malloc -- sh -c "$two"
tr '\n' ' ' <out | grep -q '2 programs named asks_malloc ran; measured is the one that asks most' ||
    fail "two programs of a name: $(cat out)"
awk -F, 'NR == 2 { exit !($2 > 2000) }' result/program-requests.csv ||
    fail "the one that asks most: $(cat out)"
program 0 --runs 1 -- sh -c "'$asks' steps 100; exit 0"
tr '\n' ' ' <out | grep -q 'asks_malloc made [0-9]* requests, more than .*--only=asks_malloc' ||
    fail "the program that asks most is not named: $(cat out)"
program 1 --runs 1 -- "$asks" fails
said 'no replay has a place for a request of 9'
program 1 --runs 1 -- sh -c 'echo x >>lines; wc -l <lines'
said 'the command prints something else when it runs again: nothing can be compared'
program 1 --runs 1 -- sh -c 'echo x >>ends; exit $(wc -l <ends)'
said 'the command ends otherwise when it runs again: nothing can be compared'
program 0 --runs 1 -- sh -c 'exit 3'
tr '\n' ' ' <out | grep -q 'ends with exit status 3' || fail "an exit status: $(cat out)"
printf 'b\na\n' >words
program 0 --runs 1 --input words -- sort

# Memory, also of a peak between two looks, and of a process that is not the command's own.
memory() { # memory MIB COMMAND...: the command holds MIB MiB at its peak, and nothing at its end
    mib=$1
    shift
    program 0 --runs 1 --output result "$@"
    awk -F, -v mib="$mib" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "as it is" {
        held = $at["held_mib"]
        exit !(held >= mib - 1 && held < mib + 1 && $at["resident_mib"] >= held + 0.4 &&
            $at["resident_mib"] < held + 6 && $at["held_end_mib"] < 1) }' result/program-memory.csv ||
        fail "$what: the memory of $mib MiB: $(cat result/program-memory.csv)"
}
if grep -q '^VmHWM' /proc/self/status; then
    memory 40 -- "$asks" peak 40
    memory 0 -- "$asks" peak 0
    memory 10 --only asks_malloc -- sh -c "'$asks' peak 10; exit 0"
fi
program 0 --runs 1 -- "$asks" leaves
! tr '\n' ' ' <out | grep -q 'resident memory is known of' ||
    fail "a program that ends by _exit: $(cat out)"

# A share is of the program that used the time, or there is none. A wrapper is what it becomes.
share() { # share: the cell of the run as it is; "-" if there is none
    awk '/^as it is/ { print $5; exit }' out
}
printf '#!/bin/sh\nexec "%s" steps 4000\n' "$asks" >becomes
printf '#!/bin/sh\n"%s" small 4000000\nexit 0\n' "$asks" >starts
printf '#!/bin/sh\nexec env -i "%s" steps 4000\n' "$asks" >hides
chmod +x becomes starts hides
program 0 --runs 2 --output result -- ./becomes
awk -F, 'NR == 2 { exit !($1 == "asks_malloc" && $2 > 4000) }' result/program-requests.csv ||
    fail "$what: not of what it becomes: $(cat out)"
[ "$(share)" != - ] || fail "$what: no share: $(cat out)"
program 0 --runs 1 -- ./starts
[ "$(share)" = - ] || fail "$what: a share of another program: $(cat out)"
tr '\n' ' ' <out | grep -q 'no share: starts used 0[^ ]* s of the [0-9.]* s of processor time; ' ||
    fail "$what: $(cat out)"
tr '\n' ' ' <out | grep -q 'asks_malloc made .* more than starts with .*; --only=asks_malloc' ||
    fail "$what: $(cat out)"
program 0 --runs 1 -- ./hides
[ "$(share)" = - ] || fail "$what: a share of another program: $(cat out)"
tr '\n' ' ' <out | grep -q 'no share: the end of env was not seen. It became another program' ||
    fail "$what: $(cat out)"

# Three calls on three commands: each interval of a share meets the others of its command, and what
# holds 0 is no share.
awk 'BEGIN { for (i = 0; i < 20000; i++) print (i * 7919) % 20011 }' >numbers
for command in "$asks small 200000" "awk '{ a[NR] = \$1 \"x\" } END { print length(a) }' numbers" \
    "sort --parallel=1 numbers"; do
    : >intervals
    for _ in 1 2 3; do
        eval "program 0 --runs 9 --output result -- $command"
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 {
            print $at["share_low"], $at["share_high"], $at["confidence"] }' result/program.csv >>intervals
        awk 'NR == FNR { holds = $1 <= 0 && $2 >= 0; near = $1 * $2 > -0.1 && $1 * $2 < 0.1; next }
            /^as it is/ { exit !near && holds != ($0 ~ /none seen/) }' intervals out || fail "$what: $(cat out)"
        tr '\n' ' ' <out | grep -q 'interval that holds the median with 96 % confidence' || fail "$what: $(cat out)"
        ! grep -q '[0-9][0-9][0-9][0-9]\.[0-9]\|[0-9],[0-9]*\.[0-9].*from' out || fail "$what: digits: $(cat out)"
    done
    awk '{ low = NR == 1 || $1 > low ? $1 : low; high = NR == 1 || $2 < high ? $2 : high
        if ($3 < 0.95) exit 1 } END { exit !(low <= high) }' intervals ||
        fail "$command: the intervals do not meet: $(cat intervals)"
done

# A program that does not repeat itself gets no figure.
program 1 --runs 1 -- "$asks" random
said 'does not repeat itself: call [0-9]* of [0-9]* is malloc of [0-9]* bytes, recorded was malloc of'
said 'called by asks_malloc+0x'
program 1 --runs 5 -- "$asks" later "$scratch/times" # the fourth run is the first that is timed
said 'replay 3 of 5 differs from the recording, so no figure is given'
[ ! -s out ] || fail "a figure of a program that diverged: $(cat out)"
program 1 --runs 1 -- "$asks" later "$scratch/sizes" 3 # the third run is compared call by call
said 'call 3 of 5 is malloc of 77 bytes, recorded was free of block'
program 1 --runs 1 -- "$asks" later "$scratch/alignments" 3 aligned
said 'call 3 of 7 is aligned malloc of 256 bytes, recorded was aligned malloc of 256 bytes'
program 1 --runs 1 -- "$asks" threads
said 'asks_malloc allocates in [0-9] threads, and a replay needs one'
program 0 --runs 1 --no-replay -- "$asks" threads
grep -q '^replayed' out && fail "--no-replay replays"
refused() { # refused TEXT ARGUMENTS...: with 1 and one line, and without a file
    text=$1
    shift
    program 1 --runs 1 --output refused "$@"
    said "^allocbench: .*$text"
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: more than one line: $(cat err)"
    [ -z "$(find . -path './refused/*')" ] || fail "$what: $(ls refused)"
}
refused 'ended by signal 6 (Aborted) as it is' -- "$asks" crash
refused 'ended by signal 9 (Killed) as it is' -- "$asks" killed
refused './nosuchprogram: cannot be started: No such file' -- ./nosuchprogram
refused 'nosuchinput: cannot be opened' --input nosuchinput -- sort
if printf 'int main(void) { return 0; }\n' | cc -x c -static -o static - 2>cc.err; then
    refused './static: nothing is recorded: it is statically linked' -- ./static
fi
if "$PW_BUILD/tests/forbids" longer-files true 2>err; then
    own=$bench
    printf '#!/bin/sh\nexec "%s/tests/forbids" longer-files "%s" "$@"\n' "$PW_BUILD" "$bench" >full
    chmod +x full
    bench=$scratch/full
    refused 'the recording could not be finished: No space left' -- "$asks" steps 200000
    bench=$own
fi
mkdir small
if unshare -rm mount -t tmpfs -o size=900k none small 2>err; then # else this user may not
    what='output larger than TMPDIR'
    unshare -rm sh -c 'mount -t tmpfs -o size=900k none small && TMPDIR=$PWD/small "$0" program --runs 1 -- \
        seq 300000' "$bench" >out 2>err
    [ $? -eq 1 ] || fail "$what: $(cat out err)"
    said '^allocbench: .*small/allocbench-.*: there is no room for what the command prints; TMPDIR names'
fi
program 0 --runs 1 --only asks_malloc -- sh -c "ulimit -v 400000; exec '$asks' greedy"
grep -q '^as it is .*[0-9]' out || fail "a program that finds no memory: $(cat out)"
program 2 --runs 1
said 'which command'
program 2 --runs 1 sort -r words
said 'the command and its options come after "--"'

# On the malloc of another library, put before the program; on nothing else.
cc -O2 -fno-builtin -shared -fPIC -o bump.so "$PW_SOURCE/tests/perf/bump_malloc.c" || fail "cc"
program 0 --runs 1 --format csv --alloc lib:./bump.so -- "$asks" steps
grep -q '^lib:./bump.so,[0-9]' out || fail "lib: $(cat out)"
program 0 --runs 1 --format csv -- "$asks" steps --alloc=x
program 0 --runs 1 --alloc slab -- "$asks" steps
tr '\n' ' ' <out | grep -q 'slab is left out: it is no library with functions named malloc and' ||
    fail "slab: $(cat out)"

# The shares as a page, with what the requests cost elsewhere; plots if gnuplot is installed.
if command -v python3 >/dev/null; then
    what="study program"
    python3 "$PW_SOURCE/perf/study" program --bin "${bench%/*}" --runs 2 --output page \
        --alloc malloc,lib:./bump.so --no-replay -- "$asks" steps >out 2>err ||
        fail "$what: $(cat err)"
    [ -s page/index.html ] || fail "$what: no page: $(cat out)"
    [ -s page/program.rec ] || fail "$what: no recording: $(cat out)"
    ! command -v gnuplot >/dev/null || [ -s page/trace.svg ] || fail "$what: no plot: $(ls page)"
    python3 "$PW_SOURCE/perf/study" program --bin "${bench%/*}" >out 2>err
    [ $? -eq 2 ] || fail "$what without a command: $(cat err)"
fi

# Ctrl-C ends the command, too; no folder and no file stays.
mkfifo began # written by the command, which then waits for a signal
env --default-signal=INT "$bench" program --runs 1 -- "$asks" sleep began >out 2>err &
read -r _ <began
kill -INT $!
wait $!
[ $? -eq 130 ] || fail "SIGINT did not end program: $(cat err)"
what="Ctrl-C"
setsid -w "$bench" program --runs 1 --output interrupted -- "$asks" interrupts >out 2>err
[ $? -eq 130 ] || fail "$what: $(cat err)"
said '^allocbench: interrupted $'
[ -z "$(find . -path './interrupted/*')" ] || fail "$what: $(ls interrupted)"
left=$(ls tmp)
[ -z "$left" ] || fail "left in TMPDIR: $left"
exit $failed
