/*
 * test_sort_ids.c - lists of every length are sorted as qsort does it.
 */
#include "data/make/sort_ids.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdlib.h>
#include <string.h>

enum { LENGTH_MAX = 9000 };

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

START_TEST(ids_come_out_in_order)
{
    static const uint64_t limits[] = {1, 20, 300, 70000, 3000000, UINT64_C(1) << 32};
    static const size_t lengths[] = {63, 64, 65, 255, 256, 257, 4095, 4096, 4097, LENGTH_MAX};
    static uint32_t ids[LENGTH_MAX], wanted[LENGTH_MAX];
    struct rng rng = random_start("sort ids");
    for (size_t round = 0; round < 3000; round++) {
        const uint64_t limit = limits[round % 6];
        const size_t count = round < 60 ? lengths[round / 6] : random_below(&rng, 150);
        for (size_t i = 0; i < count; i++) {
            ids[i] = wanted[i] = (uint32_t)(random_next(&rng) % limit);
        }
        if (count > 0) {
            ids[count / 2] = wanted[count / 2] = UINT32_MAX;
        }
        qsort(wanted, count, sizeof(*wanted), compare);
        sort_ids(ids, count);
        require(memcmp(ids, wanted, count * sizeof(*ids)) == 0);
    }
}
END_TEST

int main(void)
{
    return suite_run("sort ids", NULL, NULL, (const TTest *[]){ids_come_out_in_order, NULL});
}
