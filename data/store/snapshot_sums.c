/*
 * snapshot_sums.c - see snapshot_sums.h.
 */
#define XXH_STATIC_LINKING_ONLY /* the size and the members of a state */
#include "snapshot_sums.h"
#include "base/pw_assert.h"
#include "data/graph/graph_blocks.h"
#include "snapshot_layout.h"
#include <string.h>
#include <xxhash.h>

static_assert(sizeof(XXH3_state_t) <= sizeof(struct snapshot_sum), "a state fits a snapshot_sum");
static_assert(ALIGNMENT % GRAPH_BLOCK_BYTES == 0, "no block has bytes of two sections");

/* The state in a sum; a pointer in it is set again, because another process may have set it. */
static XXH3_state_t *state_of(struct snapshot_sum *sum)
{
    XXH3_state_t own, *state = (XXH3_state_t *)(void *)sum->state;
    XXH3_64bits_reset(&own);
    state->extSecret = own.extSecret;
    return state;
}

void snapshot_sum_start(struct snapshot_sum *sum)
{
    memset(sum, 0, sizeof(*sum));
    XXH3_64bits_reset((XXH3_state_t *)(void *)sum->state);
}

void snapshot_sum_add(struct snapshot_sum *sum, const void *bytes, size_t length)
{
    XXH3_64bits_update(state_of(sum), bytes, length);
}

uint64_t snapshot_sum_end(const struct snapshot_sum *sum)
{
    struct snapshot_sum copy = *sum;
    return XXH3_64bits_digest(state_of(&copy));
}

void snapshot_block_sum_start(struct snapshot_block_sum *sum, uint64_t place)
{
    sum->place = place;
    snapshot_sum_start(&sum->sum);
}

void snapshot_block_sum_add(struct snapshot_block_sum *sum, const void *bytes, size_t length,
                            uint64_t *sums)
{
    for (size_t done = 0; done < length;) {
        const uint64_t left = GRAPH_BLOCK_BYTES - sum->place % GRAPH_BLOCK_BYTES;
        const size_t now = length - done < left ? length - done : (size_t)left;
        snapshot_sum_add(&sum->sum, (const char *)bytes + done, now);
        done += now;
        sum->place += now;
        if (now == left) {
            sums[sum->place / GRAPH_BLOCK_BYTES - 1] = snapshot_sum_end(&sum->sum);
            snapshot_sum_start(&sum->sum);
        }
    }
}

void snapshot_block_sum_end(const struct snapshot_block_sum *sum, uint64_t *sums)
{
    if (sum->place % GRAPH_BLOCK_BYTES != 0) {
        sums[sum->place / GRAPH_BLOCK_BYTES] = snapshot_sum_end(&sum->sum);
    }
}

uint64_t snapshot_block_sums_length(uint64_t end)
{
    return (end + ALIGNMENT - 1) / ALIGNMENT * (ALIGNMENT / GRAPH_BLOCK_BYTES) * sizeof(uint64_t);
}

void snapshot_block_sums_set(uint64_t *sums, const void *items, uint64_t length, uint64_t begin)
{
    uint64_t *sum = sums + begin / GRAPH_BLOCK_BYTES;
    pw_assert(begin % ALIGNMENT == 0);
    for (uint64_t at = 0; at < length; at += GRAPH_BLOCK_BYTES) {
        const uint64_t left = length - at;
        *sum++ = XXH3_64bits((const char *)items + at,
                             (size_t)(left < GRAPH_BLOCK_BYTES ? left : GRAPH_BLOCK_BYTES));
    }
}
