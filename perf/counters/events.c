/*
 * events.c - find an event by its name: the kernel's generic ones, raw codes, then libpfm4's; and
 * the names near one that does not exist.
 */
#include "events.h"
#include "base/edit_distance.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "event_library.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define CACHE(cache, op, result)                                                                   \
    (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |                              \
     PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct generic {
    const char *name;
    uint32_t type;
    uint64_t config;
} generics[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"L1-dcache-loads", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, ACCESS)},
    {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS)},
    {"L1-dcache-stores", PERF_TYPE_HW_CACHE, CACHE(L1D, WRITE, ACCESS)},
    {"L1-dcache-store-misses", PERF_TYPE_HW_CACHE, CACHE(L1D, WRITE, MISS)},
    {"L1-dcache-prefetches", PERF_TYPE_HW_CACHE, CACHE(L1D, PREFETCH, ACCESS)},
    {"L1-icache-loads", PERF_TYPE_HW_CACHE, CACHE(L1I, READ, ACCESS)},
    {"L1-icache-load-misses", PERF_TYPE_HW_CACHE, CACHE(L1I, READ, MISS)},
    {"LLC-loads", PERF_TYPE_HW_CACHE, CACHE(LL, READ, ACCESS)},
    {"LLC-load-misses", PERF_TYPE_HW_CACHE, CACHE(LL, READ, MISS)},
    {"LLC-stores", PERF_TYPE_HW_CACHE, CACHE(LL, WRITE, ACCESS)},
    {"LLC-store-misses", PERF_TYPE_HW_CACHE, CACHE(LL, WRITE, MISS)},
    {"dTLB-loads", PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, ACCESS)},
    {"dTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, READ, MISS)},
    {"dTLB-stores", PERF_TYPE_HW_CACHE, CACHE(DTLB, WRITE, ACCESS)},
    {"dTLB-store-misses", PERF_TYPE_HW_CACHE, CACHE(DTLB, WRITE, MISS)},
    {"iTLB-loads", PERF_TYPE_HW_CACHE, CACHE(ITLB, READ, ACCESS)},
    {"iTLB-load-misses", PERF_TYPE_HW_CACHE, CACHE(ITLB, READ, MISS)},
    {"node-loads", PERF_TYPE_HW_CACHE, CACHE(NODE, READ, ACCESS)},
    {"node-load-misses", PERF_TYPE_HW_CACHE, CACHE(NODE, READ, MISS)},
};

void event_generic_names(event_visit *visit, void *context)
{
    for (size_t i = 0; i < COUNT_OF(generics); i++) {
        visit(context, generics[i].name);
    }
}

#define NEAR_MAX 5

struct near_names {
    const char *wanted; /* what names an event: the part before its first ':' */
    size_t length;
    char names[NEAR_MAX][EVENT_NAME_BYTES];
    unsigned distances[NEAR_MAX]; /* ascending */
    size_t count;
};

static void consider(void *context, const char *name)
{
    struct near_names *near = context;
    const unsigned most = (unsigned)near->length / 2 + 1;
    unsigned far = edit_distance(near->wanted, near->length, name, strlen(name), most);
    if (near->length >= 4 && strcasestr(name, near->wanted) != NULL) {
        far = far < 2 ? far : 2; /* part of a name is near however long the name */
    }
    size_t at = near->count;
    while (at > 0 && near->distances[at - 1] > far) {
        at--;
    }
    if (far > most || at == NEAR_MAX) {
        return;
    }
    near->count += near->count < NEAR_MAX;
    size_t behind = near->count - 1 - at;
    memmove(near->names + at + 1, near->names + at, behind * sizeof(near->names[0]));
    memmove(near->distances + at + 1, near->distances + at, behind * sizeof(near->distances[0]));
    snprintf(near->names[at], EVENT_NAME_BYTES, "%.191s", name);
    near->distances[at] = far;
    pw_assert(at == 0 || near->distances[at - 1] <= far);
}

static bool fail_unknown(const char *name, const char *why, struct command_error *error)
{
    char stem[EVENT_NAME_BYTES];
    char list[NEAR_MAX * (EVENT_NAME_BYTES + 2)] = "";
    snprintf(stem, sizeof(stem), "%.*s", (int)strcspn(name, ":"), name);
    struct near_names near = {.wanted = stem, .length = strlen(stem)};
    event_generic_names(consider, &near);
    event_library_names(consider, &near);
    for (size_t i = 0; i < near.count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%s%s", i == 0 ? "" : ", ", near.names[i]);
    }
    if (near.count > 0) {
        return command_fail(error, "unknown event \"%.60s\"; near it: %.300s", name, list);
    }
    return command_fail(error,
                        "unknown event \"%.60s\" (%s); try cycles, instructions, branches, "
                        "L1-dcache-loads or a raw code such as r01c2",
                        name, why);
}

/* Whether a name is r and a hexadecimal number: such a name is ours, not the library's. */
static bool is_raw(const char *name)
{
    return name[0] == 'r' && name[1] != '\0' &&
           name[1 + strspn(name + 1, "0123456789abcdefABCDEF")] == '\0';
}

bool event_find(const char *name, struct event *out, struct command_error *error)
{
    char why[128] = "";
    memset(out, 0, sizeof(*out));
    if (name[0] == '\0' || strlen(name) >= sizeof(out->name)) {
        return command_fail(error, "an event name has 1 to %zu characters", sizeof(out->name) - 1);
    }
    snprintf(out->name, sizeof(out->name), "%s", name);
    for (size_t i = 0; i < COUNT_OF(generics); i++) {
        if (strcasecmp(generics[i].name, name) == 0) {
            out->code = (struct pmu_code){.type = generics[i].type, .config = generics[i].config};
            return true;
        }
    }
    if (is_raw(name)) {
        errno = 0;
        out->code.type = PERF_TYPE_RAW;
        out->code.config = strtoull(name + 1, NULL, 16);
        return errno == 0 ||
               command_fail(
                   error, "a raw event is r and at most 16 hexadecimal digits, found \"%s\"", name);
    }
    return event_library_find(name, &out->code, why, sizeof(why)) || fail_unknown(name, why, error);
}
