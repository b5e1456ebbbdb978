/*
 * allocbench_sites.c - which call sites hold most, and their names, from addr2line: a process per
 * frame, so for the few sites that are shown.
 */
#include "allocbench_memory.h"
#include "base/program/child.h"
#include "base/program/csv_child.h"
#include "counters/resources.h"
#include "perf/program/program_format.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_SHOWN 3
#define GROWTH_BYTES 1024.0 /* per eighth: less is no question */
#define GROWTH_SHARE 1024

size_t memory_next_site(const struct bench_samples *memory, size_t one, size_t count,
                        enum moment moment, size_t kind, bool *taken)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const double own =
            taken[i] ? 0 : bench_median(memory, one, memory_site_value((uint32_t)i, moment, kind));
        if (own > most) {
            most = own;
            best = i;
        }
    }
    if (best != SIZE_MAX) {
        taken[best] = true;
    }
    return best;
}

double *memory_growth(const struct trace *trace)
{
    const size_t count = trace->site_count + 1;
    double *alive =
        calloc(count * (GROWTH_PARTS + 1), sizeof(*alive)); /* now, and at each eighth */
    struct trace_slot *slots = calloc((size_t)trace->slots + 1, sizeof(*slots));
    const double least = fmax(GROWTH_BYTES, (double)trace->live_peak / GROWTH_SHARE);
    for (size_t part = 0, i = 0; alive != NULL && slots != NULL && part < GROWTH_PARTS; part++) {
        for (; i < trace->steps * (part + 1) / GROWTH_PARTS; i++) {
            struct trace_slot *slot = &slots[trace->words[2 * i]];
            alive[slot->site] -= slot->size;
            *slot = (struct trace_slot){.size = trace->words[2 * i + 1],
                                        .site = trace->marks[2 * i + 1]};
            alive[slot->site] += slot->size;
        }
        memcpy(alive + count * (part + 1), alive, count * sizeof(*alive));
    }
    for (size_t site = 0; alive != NULL && slots != NULL && site < count; site++) {
        const size_t from = GROWTH_PARTS / 2, to = GROWTH_PARTS - 1; /* in eighths */
        bool shrinks = false;
        int times = 0; /* a single one may be a start */
        for (size_t part = from; part < to; part++) {
            const double more = alive[count * (part + 1) + site] - alive[count * part + site];
            shrinks = shrinks || more < 0;
            times += more > 0;
        }
        const double growth =
            (alive[count * to + site] - alive[count * from + site]) / (double)(to - from);
        alive[site] = !shrinks && times > 1 && growth >= least ? growth : 0;
    }
    free(slots);
    if (slots == NULL) {
        free(alive);
        return NULL;
    }
    return alive;
}

/* Ask addr2line for the function and the line of an address in a file. False: it is not installed,
 * or knows no line; the function that it names is then only the nearest one with a name. */
static bool look_up(const char *file, unsigned long long address, char *name, size_t size)
{
    char function[300] = "";
    char line[300] = "";
    struct csv_child child;
    struct child_words words = {.count = 0};
    child_words_print(&words, "addr2line");
    child_words_print(&words, "-sfCe");
    child_words_print(&words, "%s", file);
    child_words_print(&words, "%#llx", address);
    if (csv_child_start(&child, "addr2line", &words) != 0) {
        return false;
    }
    const bool is_known = fgets(function, sizeof(function), child.in) != NULL &&
                          fgets(line, sizeof(line), child.in) != NULL && strchr(line, '?') == NULL;
    csv_child_close(&child);
    child_wait(child.process, NULL);
    function[strcspn(function, "\n")] = '\0';
    line[strcspn(line, " \n")] = '\0';
    if (is_known) {
        snprintf(name, size, "%s (%s)", function, line);
    }
    return is_known;
}

/* The name of a frame, "FILE+0x12" or "FILE+0x12 in NAME": from debug information, else the known
 * one, else the address in the file. */
static void name_frame(const char *frame, char *name, size_t size)
{
    char file[PATH_MAX];
    char found[PATH_MAX];
    const char *plus = strrchr(frame, '+');
    const char *known = plus != NULL ? strstr(plus, " in ") : NULL;
    snprintf(file, sizeof(file), "%.*s", (int)(plus != NULL ? plus - frame : 0), frame);
    const char *slash = strrchr(file, '/');
    const bool is_there = slash != NULL || resources_program(file, found, sizeof(found));
    if (plus == NULL || !is_there ||
        !look_up(slash != NULL ? file : found, strtoull(plus + 1, NULL, 16) - 1, name, size)) {
        snprintf(name, size, "%s",
                 known != NULL ? known + 4 : frame + (slash != NULL ? slash + 1 - file : 0));
    }
}

void memory_name_site(const struct trace *trace, size_t site, char text[SITE_NAME_SIZE])
{
    const char *at = site > 0 ? trace->sites[site - 1] : "an unknown caller";
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < FRAMES_SHOWN && at != NULL && site > 0; i++) {
        char frame[PROGRAM_FRAME_SIZE];
        const char *next = strstr(at, " < ");
        snprintf(frame, sizeof(frame), "%.*s", (int)(next != NULL ? next - at : (long)strlen(at)),
                 at);
        used += (size_t)snprintf(text + used, SITE_NAME_SIZE - used, "%s", i > 0 ? " < " : "");
        name_frame(frame, text + used, 130 < SITE_NAME_SIZE - used ? 130 : SITE_NAME_SIZE - used);
        used += strlen(text + used);
        at = next != NULL ? next + 3 : NULL;
    }
    if (site == 0) {
        snprintf(text, SITE_NAME_SIZE, "%s", at);
    }
}
