/*
 * turns.c - see turns.h.
 */
#include "turns.h"
#include "base/pw_assert.h"
#include "base/splitmix.h"

/* Fisher and Yates. */
static void shuffle(size_t *order, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)(splitmix_next(random) % i);
        size_t moved = order[i - 1];
        order[i - 1] = order[other];
        order[other] = moved;
    }
}

size_t turns_take(const struct turns *turns, uint64_t seed)
{
    size_t order[TURNS_CASES_MAX];
    bool left_out[TURNS_CASES_MAX] = {false};
    uint64_t random = seed;
    pw_assert(turns->case_count <= TURNS_CASES_MAX);
    for (size_t i = 0; i < turns->case_count; i++) {
        order[i] = i;
    }
    for (size_t round = 0; round < turns->rounds; round++) {
        shuffle(order, turns->case_count, &random);
        for (size_t i = 0; i < turns->case_count; i++) {
            const enum turn made =
                left_out[order[i]] ? TURN_LEFT_OUT : turns->take(turns->context, round, order[i]);
            if (made == TURN_ENDED) {
                return round;
            }
            left_out[order[i]] = made == TURN_LEFT_OUT;
        }
    }
    return turns->rounds;
}
