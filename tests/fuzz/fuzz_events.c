/*
 * fuzz_events.c - the name of a processor event: found or refused with one line.
 *
 * libpfm4 has some thousand names to compare an unknown one with, which is slow, and its own reader
 * is not ours. So PW_FUZZ_NAMES brings a library of a few names; without it libpfm4 is asked.
 */
#include "base/macros.h"
#include "counters/event_library.h"
#include "counters/events.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PW_FUZZ_NAMES

static const char *const known[] = {
    "MEM_INST_RETIRED",
    "MEM_LOAD_RETIRED",
    "BR_MISP_RETIRED",
    "UNHALTED_CORE_CYCLES",
    "INST_RETIRED",
    "DTLB_LOAD_MISSES",
    "L2_RQSTS",
    "LONGEST_LAT_CACHE",
    "A",
    "LS_DISPATCH",
    "RETIRED_INSTRUCTIONS",
    "",
};

bool event_library_find(const char *name, struct pmu_code *code, char *why, size_t why_size)
{
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strcmp(known[i], name) == 0) {
            *code = (struct pmu_code){.config = i};
            return true;
        }
    }
    snprintf(why, why_size, "not among %zu", COUNT_OF(known));
    return false;
}

void event_library_names(void (*visit)(void *context, const char *name), void *context)
{
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        visit(context, known[i]);
    }
}

const char *event_library_problem(void)
{
    return NULL;
}

bool event_library_ready(void)
{
    return true;
}

unsigned event_library_version(void)
{
    return 0;
}

#endif

void fuzz_setup(void)
{
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct event event;
    struct command_error error = {0};
    char *text = fuzz_text((struct fuzz_input){bytes, bytes + length});
    if (event_find(text, &event, &error)) {
        fuzz_require(strcmp(event.name, text) == 0);
    } else {
        fuzz_require_line(error.message);
    }
    free(text);
}
