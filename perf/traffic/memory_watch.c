/*
 * memory_watch.c - see memory_watch.h.
 *
 * The file is read by its descriptor, without a stream: a stream would take memory of the allocator
 * under test.
 */
#include "memory_watch.h"
#include "base/pw_assert.h"
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* The number after a name, in KiB in the file, as bytes; NaN: missing. */
static double bytes_of(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at != NULL ? strtod(at + strlen(name), NULL) * 1024 : NAN;
}

double memory_anonymous_bytes(int file)
{
    double resident;
    return memory_bytes(file, &resident);
}

double memory_bytes(int file, double *resident)
{
    char text[2048];
    ssize_t length = file >= 0 ? pread(file, text, sizeof(text) - 1, 0) : -1;
    *resident = NAN;
    if (length <= 0) {
        return NAN;
    }
    text[length] = '\0';
    *resident = bytes_of(text, "\nRss:");
    return bytes_of(text, "\nAnonymous:") - bytes_of(text, "\nLazyFree:");
}

void memory_watch_start(struct memory_watch *watch, uint64_t steps, double *values)
{
    pw_assert(steps > 0);
    *watch = (struct memory_watch){.values = values, .steps = steps};
    for (int i = 0; i < MEMORY_VALUES; i++) {
        values[i] = NAN;
    }
    watch->file = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
    watch->before = memory_anonymous_bytes(watch->file);
#ifdef __GLIBC__
    watch->room = (double)mallinfo2().fordblks;
#endif
}

static uint64_t time_of(const struct memory_watch *watch, uint64_t step)
{
    pw_assert(step < watch->steps);
    return (uint64_t)((double)step / (double)watch->steps * MEMORY_TIMES);
}

bool memory_watch_is_due(const struct memory_watch *watch, uint64_t step, double live)
{
    return time_of(watch, step) >= watch->looked || live > watch->values[MEMORY_LIVE_PEAK];
}

void memory_watch_note(struct memory_watch *watch, uint64_t step, double live, double held)
{
    uint64_t now = time_of(watch, step);
    watch->looked = now + 1;
    watch->values[MEMORY_STEPS + now] = (double)step + 1;
    watch->values[MEMORY_LIVE + now] = live;
    watch->values[MEMORY_HELD + now] = held;
    watch->values[MEMORY_LIVE_END] = live;
    watch->values[MEMORY_HELD_END] = held;
    double live_peak = fmax(watch->values[MEMORY_LIVE_PEAK], live);
    double held_peak = fmax(watch->values[MEMORY_HELD_PEAK], held);
    watch->values[MEMORY_LIVE_PEAK] = live_peak;
    watch->values[MEMORY_HELD_PEAK] = held_peak;
    watch->values[MEMORY_FRAGMENTATION] = live_peak > 0 ? held_peak / live_peak : NAN;
}

void memory_watch_look(struct memory_watch *watch, uint64_t step, double live)
{
    double held = memory_anonymous_bytes(watch->file) - watch->before;
    memory_watch_note(watch, step, live, held < 0 ? 0 : held); /* NaN stays */
}

void memory_watch_end(struct memory_watch *watch, double live)
{
    memory_watch_look(watch, watch->steps - 1, live);
    if (watch->file >= 0) {
        close(watch->file);
    }
}

bool memory_watch_is_possible(const struct memory_watch *watch)
{
    const double *values = watch->values;
    return !(values[MEMORY_HELD_PEAK] + watch->room <
             values[MEMORY_LIVE_PEAK]); /* NaN: not known */
}
