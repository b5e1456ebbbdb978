/*
 * lane_pass.c - the kernels, compiled for each number of words per node; see lane_pass.h.
 */
#include "lane_pass.h"
#include "base/pw_assert.h"
#include "marks.h"
#include <string.h>

#define LANE_PREFETCH   24   /* neighbours ahead whose lanes are fetched */
#define NODES_PER_PIECE 8192 /* nodes that a member of the team pulls for at a time */
#define NODES_PER_LOOK  1024 /* active nodes that push between two looks at the limits */

/* Nodes that a member of the team collects before appending them for all. */
#define LANE_BUFFER 1024
struct lane_buffer {
    uint64_t edges;
    uint64_t lists;
    size_t active_count;
    size_t touched_count;
    uint32_t active[LANE_BUFFER];
    uint32_t touched[LANE_BUFFER];
};

static void append(uint32_t *list, atomic_size_t *tail, const uint32_t *nodes, size_t *count)
{
    size_t at = atomic_fetch_add_explicit(tail, *count, memory_order_relaxed);
    memcpy(list + at, nodes, *count * sizeof(*nodes));
    *count = 0;
}

static inline void lane_buffer_add(struct lane_buffer *buffer, struct lane_pass *pass,
                                   uint32_t node, bool first_touch)
{
    pw_assert(buffer->active_count < LANE_BUFFER && buffer->touched_count < LANE_BUFFER);
    buffer->active[buffer->active_count++] = node;
    if (buffer->active_count == LANE_BUFFER) {
        append(pass->active_next, &pass->active_tail, buffer->active, &buffer->active_count);
    }
    buffer->touched[buffer->touched_count] = node;
    buffer->touched_count += first_touch;
    if (buffer->touched_count == LANE_BUFFER) {
        append(pass->touched, &pass->touched_tail, buffer->touched, &buffer->touched_count);
    }
}

static void lane_buffer_finish(struct lane_buffer *buffer, struct lane_pass *pass)
{
    append(pass->active_next, &pass->active_tail, buffer->active, &buffer->active_count);
    append(pass->touched, &pass->touched_tail, buffer->touched, &buffer->touched_count);
    level_add_edges(&pass->level, buffer->edges);
    atomic_fetch_add_explicit(&pass->lists, buffer->lists, memory_order_relaxed);
}

#define LANE_WORDS  1
#define LANE_SUFFIX 64
#include "lane_kernel.h"
#define LANE_WORDS  2
#define LANE_SUFFIX 128
#include "lane_kernel.h"
#define LANE_WORDS  4
#define LANE_SUFFIX 256
#include "lane_kernel.h"
#define LANE_WORDS  8
#define LANE_SUFFIX 512
#include "lane_kernel.h"

#if defined(__x86_64__)
#define LANE_WORDS  4
#define LANE_SUFFIX 256_avx2
#define LANE_TARGET __attribute__((target("avx2")))
#include "lane_kernel.h"
#define LANE_WORDS  8
#define LANE_SUFFIX 512_avx512
#define LANE_TARGET __attribute__((target("avx512f")))
#include "lane_kernel.h"
#endif

const struct lane_kernel *lane_kernel_for(size_t lane_words)
{
#if defined(__x86_64__)
    if (lane_words == 4 && __builtin_cpu_supports("avx2")) {
        return &kernel_256_avx2;
    }
    if (lane_words == 8 && __builtin_cpu_supports("avx512f")) {
        return &kernel_512_avx512;
    }
#endif
    return lane_words == 1   ? &kernel_64
           : lane_words == 2 ? &kernel_128
           : lane_words == 4 ? &kernel_256
                             : &kernel_512;
}
