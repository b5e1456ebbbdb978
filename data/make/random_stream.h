/*
 * random_stream.h - a stream of random numbers for each purpose and index of a generated graph.
 *
 * The numbers depend on nothing else, so threads may share the work in any way.
 */
#pragma once

#include "base/splitmix.h"
#include "base/wide.h"

/* The purposes of the streams; part of their seeds. */
enum stream {
    STREAM_LABELS = 1,
    STREAM_OUT_DEGREE,
    STREAM_ROW,
    STREAM_PAIRS,
    STREAM_EDGE,
    STREAM_KEYS
};

/* The start of the stream of a purpose and an index, for splitmix_next. */
static inline uint64_t random_stream(uint64_t seed, enum stream purpose, uint64_t index)
{
    return splitmix_mix(splitmix_mix(seed + (uint64_t)purpose * UINT64_C(0xd1342543de82ef95)) +
                        index);
}

/* The high half of the product: scales a uniform 64-bit number to 0 .. limit - 1. */
static inline uint64_t random_below(uint64_t uniform, uint64_t limit)
{
    return wide_high(uniform, limit);
}
