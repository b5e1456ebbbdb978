/*
 * crash_place.c - of libfaults.so: the name of a place in the process, and who crashed.
 *
 * A crash (SIGSEGV) in libc is blamed on the first caller outside of it: fclose(NULL) is a mistake
 * of whoever calls it. Nothing is noted where the stack is exhausted or the program catches SIGSEGV
 * itself: such a crash is always a finding.
 */
#include "fault_state.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof(*(a)))

static struct fault_place *noted;

void fault_note_place(struct fault_place *place, const void *address)
{
    Dl_info info;
    place->offset = (uint64_t)(uintptr_t)address;
    if (dladdr(address, &info) != 0 && info.dli_fname != NULL) {
        place->offset = (uint64_t)((const char *)address - (const char *)info.dli_fbase);
        snprintf(place->file, sizeof(place->file), "%s", info.dli_fname);
    }
}

/* True if a place is in libc, in the loader or in this library. */
static bool is_below(const struct fault_place *place)
{
    static const char *const names[] = {"libc.so", "ld-linux", "libfaults.so"};
    const char *slash = strrchr(place->file, '/');
    const char *name = slash != NULL ? slash + 1 : place->file;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Note who crashed. The action is the default again: back at its instruction the process ends. */
static void note_crash(int number)
{
    void *frames[64];
    (void)number;
    const int count = backtrace(frames, COUNT_OF(frames));
    for (int i = 0; i < count && noted->offset == 0; i++) {
        struct fault_place place = {0};
        fault_note_place(&place, frames[i]);
        if (place.file[0] != '\0' && !is_below(&place)) {
            *noted = place;
        }
    }
}

void fault_watch_crashes(struct fault_place *crash)
{
    struct sigaction action = {.sa_handler = note_crash, .sa_flags = (int)SA_RESETHAND};
    void *frame;
    noted = crash;
    backtrace(&frame, 1); /* the first call loads a library, which a crash is no time for */
    sigaction(SIGSEGV, &action, NULL);
}
