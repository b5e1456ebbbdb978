/*
 * threads_long.c - random patterns of lists and queues in many threads, for as long as you like.
 *
 *     threads_long SECONDS [SEED [WORK]]      LINKED_LIST_ALLOC names the allocator
 *
 * By the challenge's headers alone. The patterns of thread_patterns.h take turns, each time with a
 * random amount of work, at most WORK. One round at least; ends with 1 and the seed of the round if
 * anything was wrong.
 */
#include "thread_patterns.h"
#include <linked_list.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static size_t pattern_count(void)
{
    size_t count = 0;
    while (thread_patterns[count].name != NULL) {
        count++;
    }
    return count;
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fputs("usage: threads_long SECONDS [SEED [WORK]]\n", stderr);
        return 2;
    }
    const time_t end = time(NULL) + atol(arguments[1]);
    const uint64_t first = count > 2 ? strtoull(arguments[2], NULL, 10) : (uint64_t)time(NULL);
    const uint64_t given = count > 3 ? strtoull(arguments[3], NULL, 10) : 0;
    const uint64_t most = given > 0 ? given : 40000;
    uint64_t seed = first;
    do {
        const uint64_t chosen = seed * 0x9E3779B97F4A7C15u >> 32;
        const struct thread_pattern *pattern = &thread_patterns[seed % pattern_count()];
        const size_t work = 1 + (size_t)(chosen % most);
        const size_t wrong = pattern->run(seed, work);
        linked_list_final_cleanup();
        if (wrong > 0) {
            printf("%s: %zu wrong; again: threads_long 0 %llu %llu\n", pattern->name, wrong,
                   (unsigned long long)seed, (unsigned long long)most);
            return 1;
        }
        seed++;
    } while (time(NULL) < end);
    printf("%llu rounds, from seed %llu\n", (unsigned long long)(seed - first),
           (unsigned long long)first);
    return 0;
}
