/*
 * preload_check.c - compares each call with the recorded one, and keeps the first difference.
 */
#include "preload.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unwind.h>

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *difference)
{
    struct program_difference *to = difference;
    Dl_info place;
    Dl_info self;
    const uintptr_t address = _Unwind_GetIP(context);
    if (address == 0 || to->frame_count == PROGRAM_FRAMES_MAX) {
        return _URC_END_OF_STACK;
    }
    if (dladdr((void *)(address - 1), &place) == 0 || place.dli_fname == NULL) {
        snprintf(to->frames[to->frame_count++], PROGRAM_FRAME_SIZE, "%#zx", (size_t)address);
        return _URC_NO_REASON;
    }
    if (dladdr(&own, &self) != 0 && self.dli_fbase == place.dli_fbase) {
        return _URC_NO_REASON; /* one of this library's functions */
    }
    snprintf(to->frames[to->frame_count++], PROGRAM_FRAME_SIZE, "%.120s+%#zx%s%.60s",
             place.dli_fname, (size_t)(address - (uintptr_t)place.dli_fbase),
             place.dli_sname != NULL ? " in " : "", place.dli_sname != NULL ? place.dli_sname : "");
    return _URC_NO_REASON;
}

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
    _Unwind_Backtrace(add_frame, difference);
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
