/*
 * sort_ids.c - three ways to sort, by length: most lists are short.
 *
 * 1. Few ids: the place of an id is the number of smaller ids, counted without a branch, several at
 *    a time.
 * 2. Some: by the bytes of the ids, the last byte first.
 * 3. Many, which is rare: Shell sort with the gaps of M. Ciura (2001), in place.
 */
#include "sort_ids.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <string.h>

#define FEW_MAX  64
#define SOME_MAX 4096
#define AT_ONCE  8

static void sort_few(uint32_t *ids, size_t count)
{
    int32_t keys[FEW_MAX]; /* signed comparisons are faster */
    uint32_t sorted[FEW_MAX];
    uint64_t taken = 0;
    const size_t padded = (count + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    pw_assert(count <= FEW_MAX);
    for (size_t i = 0; i < FEW_MAX; i++) {
        keys[i] = INT32_MAX;
    }
    for (size_t i = 0; i < count; i++) {
        keys[i] = (int32_t)(ids[i] ^ UINT32_C(0x80000000));
    }
    for (size_t i = 0; i < count; i++) {
        const int32_t key = keys[i];
        unsigned place = 0;
        for (size_t k = 0; k < padded; k += AT_ONCE) {
            for (size_t j = k; j < k + AT_ONCE; j++) {
                place += keys[j] < key;
            }
        }
        while ((taken >> place & 1) != 0) { /* equal ones */
            place++;
        }
        pw_assert(place < count);
        taken |= UINT64_C(1) << place;
        sorted[place] = ids[i];
    }
    memcpy(ids, sorted, count * sizeof(*ids));
}

static void sort_some(uint32_t *ids, size_t count)
{
    uint32_t scratch[SOME_MAX];
    uint32_t *from = ids, *to = scratch;
    uint32_t bits = 0;
    pw_assert(count <= SOME_MAX);
    for (size_t i = 0; i < count; i++) {
        bits |= ids[i];
    }
    for (unsigned shift = 0; shift < 32 && bits >> shift != 0; shift += 8) {
        uint32_t places[257] = {0};
        for (size_t i = 0; i < count; i++) {
            places[(from[i] >> shift & 0xff) + 1]++;
        }
        for (size_t i = 1; i < 256; i++) {
            places[i] += places[i - 1];
        }
        for (size_t i = 0; i < count; i++) {
            to[places[from[i] >> shift & 0xff]++] = from[i];
        }
        uint32_t *other = from;
        from = to;
        to = other;
    }
    if (from != ids) {
        memcpy(ids, from, count * sizeof(*ids));
    }
}

static void sort_many(uint32_t *ids, size_t count)
{
    static const size_t gaps[] = {8858, 3937, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < COUNT_OF(gaps); g++) {
        size_t gap = gaps[g];
        for (size_t i = gap; i < count; i++) {
            uint32_t value = ids[i];
            size_t j = i;
            for (; j >= gap && ids[j - gap] > value; j -= gap) {
                ids[j] = ids[j - gap];
            }
            ids[j] = value;
        }
    }
}

void sort_ids(uint32_t *ids, size_t count)
{
    if (count <= FEW_MAX) {
        sort_few(ids, count);
    } else if (count <= SOME_MAX) {
        sort_some(ids, count);
    } else {
        sort_many(ids, count);
    }
}
