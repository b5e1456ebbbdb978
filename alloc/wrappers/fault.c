/*
 * fault.c - the wrapper "fault": lets requests fail on purpose.
 *
 * Request number `at` (the first is 0) and the `run` - 1 after it give NULL; run=0 means every one
 * from `at` on. All other requests, and all releases, go to the allocator inside. For tests of a
 * caller without memory; SQLite's test_malloc.c works in the same way.
 */
#include "alloc/allocators.h"

struct fault {
    struct node_allocator base;
    uint64_t requests; /* so far, failed ones included */
    uint64_t at;
    uint64_t run;
};

enum { OPTION_AT, OPTION_RUN };

static const struct node_option options[] = {
    [OPTION_AT] = {"at", NODE_OPTION_SIZE, "0", NULL, 0, UINT64_MAX,
                   "number of the first request that fails, from 0"},
    [OPTION_RUN] = {"run", NODE_OPTION_SIZE, "1", NULL, 0, UINT64_MAX,
                    "how many fail in a row; 0: all from there on"},
    {.name = NULL},
};

static bool fault_create(struct node_allocator *self, const struct node_option_value *values,
                         struct node_allocator_error *error)
{
    struct fault *fault = (struct fault *)self;
    (void)error;
    fault->at = values[OPTION_AT].number;
    fault->run = values[OPTION_RUN].number;
    return true;
}

static void *fault_allocate(struct node_allocator *self, size_t size)
{
    struct fault *fault = (struct fault *)self;
    uint64_t request = fault->requests++;
    if (request >= fault->at && (fault->run == 0 || request - fault->at < fault->run)) {
        return NULL;
    }
    return node_allocator_allocate(self->inner, size);
}

const struct node_allocator_type fault_allocator = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "fault",
    .summary = "wrapper: make chosen requests fail, for tests",
    .flags = NODE_ALLOCATOR_WRAPS,
    .instance_bytes = sizeof(struct fault),
    .options = options,
    .create = fault_create,
    .allocate = fault_allocate,
    .release = node_allocator_release_inside,
    .release_chain = node_allocator_release_chain_inside,
};
