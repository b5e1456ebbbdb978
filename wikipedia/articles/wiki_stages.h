/*
 * wiki_stages.h - how long each stage of an import took.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define WIKI_STAGES_MAX 16

struct wiki_stage {
    const char *name;
    uint64_t elapsed_ns;
    uint64_t processor_ns; /* of all threads */
    uint64_t decode_ns;    /* by the thread that decompresses */
};

struct wiki_stages {
    size_t count;
    struct wiki_stage items[WIKI_STAGES_MAX];
    struct wiki_stage *running; /* NULL: none */
    uint64_t began_ns, processor_began_ns;
};

/*
 * End the running stage and begin the one with this name, which is returned. A name that was used
 * before continues its stage, as in a further pass over the links. name: must stay; NULL: begin
 * none, and return NULL.
 */
struct wiki_stage *wiki_stages_begin(struct wiki_stages *stages, const char *name);
