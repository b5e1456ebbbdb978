/*
 * preload_check.c - compares each call with the recorded one, and keeps the first difference.
 */
#include "preload.h"
#include <stdio.h>

static void describe(const struct program_event *call, char *text, size_t size)
{
    static const char *const names[] = {"the end",
                                        "malloc",
                                        "calloc",
                                        "realloc",
                                        "aligned malloc",
                                        "free",
                                        "another thread's call"};
    if (call->kind == EVENT_FREE) {
        snprintf(text, size, "free of block %llu", (unsigned long long)call->block);
    } else if (call->kind >= EVENT_MALLOC && call->kind <= EVENT_ALIGNED) {
        snprintf(text, size, "%s of %llu bytes", names[call->kind], (unsigned long long)call->size);
    } else {
        snprintf(text, size, "%s", names[call->kind]);
    }
}

void diverge(const struct program_event *call, const struct program_event *recorded)
{
    struct program_difference *difference = &control->difference;
    char called[60];
    char wanted[60];
    own.state = SERVING;
    describe(call, called, sizeof(called));
    describe(recorded, wanted, sizeof(wanted));
    snprintf(difference->what, sizeof(difference->what), "%s, recorded was %s", called, wanted);
    difference->call = control->answered + 1;
    struct call_site site;
    site_find(&site, PROGRAM_FRAMES_MAX);
    difference->frame_count = site.frame_count;
    for (uint32_t i = 0; i < site.frame_count; i++) {
        frame_write(site.frames[i], difference->frames[i]);
    }
}

bool is_recorded(struct program_event *call)
{
    struct program_event recorded = {.kind = 0};
    const uint8_t *at = own.at;
    do {
        at = event_get(at, own.end, &recorded, &own.last);
    } while (at != NULL && recorded.kind == EVENT_THREAD && recorded.size == 1);
    if (at == NULL) {
        recorded = (struct program_event){.kind = 0};
    }
    const uint64_t size = call->size << EVENT_KIND_BITS >> EVENT_KIND_BITS;
    const bool is_same = recorded.kind == call->kind && recorded.size == size &&
                         recorded.alignment_shift == call->alignment_shift &&
                         recorded.old == call->old && my_thread == 1 &&
                         (call->kind != EVENT_FREE || recorded.block == call->block);
    if (!is_same) {
        diverge(call, my_thread == 1 ? &recorded : &(struct program_event){.kind = EVENT_THREAD});
        return false;
    }
    own.at += at - own.at;
    control->answered++;
    call->block = recorded.block;
    return true;
}
