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
#include <stdlib.h>
#include <string.h>

#define FRAMES_SHOWN 3

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
