/*
 * threads_long.c - random patterns of lists and queues in many threads, for as long as you like.
 *
 *     threads_long SECONDS [SEED [WORK]]      LINKED_LIST_ALLOC names the allocator
 *
 * By the challenge's headers alone. The patterns of thread_patterns.h take turns, each time with a
 * random amount of work, at most WORK (40k). One round at least; ends with 1 and the seed of the
 * round if anything was wrong, with 2 for wrong usage.
 */
#include "base/number.h"
#include "thread_patterns.h"
#include <linked_list.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static size_t pattern_count(void)
{
    size_t count = 0;
    while (thread_patterns[count].name != NULL) {
        count++;
    }
    return count;
}

/* Read argument number at, if it is there: a whole number from least to most. */
static bool read_argument(int count, char **arguments, int at, uint64_t least, uint64_t most,
                          uint64_t *number)
{
    return at >= count ||
           (number_read(arguments[at], strlen(arguments[at]), NUMBER_COUNT, number) &&
            *number >= least && *number <= most);
}

int main(int count, char **arguments)
{
    uint64_t seconds = 0;
    uint64_t first = (uint64_t)time(NULL);
    uint64_t most = 40000;
    if (count < 2 || count > 4 || !read_argument(count, arguments, 1, 0, INT32_MAX, &seconds) ||
        !read_argument(count, arguments, 2, 0, UINT64_MAX, &first) ||
        !read_argument(count, arguments, 3, 1, THREAD_WORK_MAX, &most)) {
        fprintf(stderr, "usage: threads_long SECONDS [SEED [WORK]], WORK from 1 to %u\n",
                THREAD_WORK_MAX);
        return 2;
    }
    const time_t end = time(NULL) + (time_t)seconds;
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
