#!/bin/sh
# test_helgrind.sh - Helgrind reports nothing about lists and queues in many threads.
#
# Each pattern of thread_patterns.h once on each allocator, and a program with a race, which Helgrind
# must report. And wrong usage of threads_long.
set -u
. "$PW_SOURCE/tests/support/script.sh"
command -v valgrind >/dev/null 2>&1 || skip "Valgrind is not installed"
[ -z "$PW_SANITIZE" ] || skip "a sanitizer does not run under Valgrind"
helgrind="valgrind --tool=helgrind --quiet --error-exitcode=99"

for wrong in "" "ten" "-1" "1 2 0" "1 2 100000001" "1 2 3 4"; do
    # shellcheck disable=SC2086 # words
    "$PW_BUILD/tests/threads_long" $wrong 2>"$scratch/out"
    [ $? = 2 ] || fail "threads_long $wrong: no wrong usage"
    grep -q '^usage: ' "$scratch/out" || fail "threads_long $wrong: no usage"
done

for allocator in malloc pool slab quick-fit first-fit; do
    for seed in 1 2 3 4 5; do
        LINKED_LIST_ALLOC=$allocator $helgrind "$PW_BUILD/tests/threads_long" 0 $seed 2000 \
            >"$scratch/out" 2>&1 || fail "$allocator, seed $seed: $(head -60 "$scratch/out")"
    done
done

cat >"$scratch/race.c" <<END
#include <pthread.h>
static int counter;
static void *count(void *unused)
{
    counter++;
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, count, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
END
"$PW_CC" -g -O0 -o "$scratch/race" "$scratch/race.c" -lpthread || fail "building the program"
$helgrind "$scratch/race" >"$scratch/out" 2>&1
[ $? = 99 ] || fail "a race is not reported: $(cat "$scratch/out")"
exit $failed
