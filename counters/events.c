/*
 * events.c - finds an event by its name (the kernel's generic ones, then raw codes), or names near
 * an unknown one; and the event for a role on each processor.
 *
 * For a role, the first choice for the family is taken. A choice of PMU_FAMILY_OTHER serves every
 * processor, after its own choices. No choice serves every processor for the second-level cache,
 * because the kernel has no generic event for that cache.
 * Sources: Arm Cortex-A72 TRM (table 11-24); AMD PPR for families 17h, 19h and 1Ah; Intel SDM 3B.
 */
#include "events.h"
#include "base/edit_distance.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Names --------------------------------------------------------------------------------------- */

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

#define NEAR_MAX 5

struct near_names {
    const char *wanted;
    size_t length;
    const char *names[NEAR_MAX];
    unsigned distances[NEAR_MAX]; /* ascending */
    size_t count;
};

static void consider(struct near_names *near, const char *name)
{
    const unsigned most = (unsigned)near->length / 2 + 1;
    unsigned far = edit_distance(near->wanted, near->length, name, strlen(name), most);
    if (near->length >= 4 && strcasestr(name, near->wanted) != NULL) {
        far = far < 2 ? far : 2; /* part of a name is near, however long the name is */
    }
    pw_assert(near->count <= NEAR_MAX);
    size_t at = near->count;
    while (at > 0 && near->distances[at - 1] > far) {
        at--;
    }
    if (far > most || at == NEAR_MAX) {
        return;
    }
    near->count += near->count < NEAR_MAX;
    size_t moved = near->count - 1 - at;
    memmove(near->names + at + 1, near->names + at, moved * sizeof(near->names[0]));
    memmove(near->distances + at + 1, near->distances + at, moved * sizeof(near->distances[0]));
    near->names[at] = name;
    near->distances[at] = far;
    pw_assert(at == 0 || near->distances[at - 1] <= far);
}

static bool fail_unknown(const char *name, struct command_error *error)
{
    char list[NEAR_MAX * (EVENT_NAME_BYTES + 2)] = "";
    struct near_names near = {.wanted = name, .length = strlen(name)};
    for (size_t i = 0; i < COUNT_OF(generics); i++) {
        consider(&near, generics[i].name);
    }
    for (size_t i = 0; i < near.count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof(list) - used, "%s%s", i == 0 ? "" : ", ", near.names[i]);
    }
    if (near.count > 0) {
        return command_fail(error, "unknown event \"%.60s\"; near it: %.300s", name, list);
    }
    return command_fail(error,
                        "unknown event \"%.60s\"; try cycles, instructions, branches, "
                        "L1-dcache-loads or a raw code such as r01c2",
                        name);
}

/* True if a name is r and a hexadecimal number. */
static bool is_raw(const char *name)
{
    return name[0] == 'r' && name[1] != '\0' &&
           name[1 + strspn(name + 1, "0123456789abcdefABCDEF")] == '\0';
}

bool event_find(const char *name, struct event *out, struct command_error *error)
{
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
    return fail_unknown(name, error);
}

/* Roles --------------------------------------------------------------------------------------- */

static const char generic_loads_note[] =
    "the kernel's generic event; on some processors it counts stores, too";
static const char zen_fill_note[] = "demand fills of the data cache, fills for stores included";

struct choice {
    enum pmu_family family;
    enum event_role role;
    enum event_stage stage;
    uint64_t code;    /* raw; of PMU_FAMILY_OTHER 0 */
    const char *name; /* the manual's; of PMU_FAMILY_OTHER the kernel's generic one */
    const char *note;
};

#define ZEN_L2_READS   "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS"
#define ZEN_L1_MISSES  ZEN_L2_READS ":LS_RD_BLK_L_HIT_X:LS_RD_BLK_L_HIT_S:LS_RD_BLK_C_S:LS_RD_BLK_C"
#define ZEN3_FILLS     "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM"
#define ZEN3_FAR_FILLS "INT_CACHE:EXT_CACHE_LCL:MEM_IO_LCL:EXT_CACHE_RMT:MEM_IO_RMT"
#define ZEN2_FILLS     "DATA_CACHE_REFILLS_FROM_SYSTEM"
#define ZEN2_FAR_FILLS                                                                             \
    "LS_MABRESP_LCL_CACHE:LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_CACHE:LS_MABRESP_RMT_DRAM"

#define A72   PMU_FAMILY_CORTEX_A72
#define ZEN1  PMU_FAMILY_ZEN1
#define ZEN2  PMU_FAMILY_ZEN2
#define ZEN3  PMU_FAMILY_ZEN3
#define INTEL PMU_FAMILY_INTEL
#define OTHER PMU_FAMILY_OTHER

#define SPECULATIVE EVENT_SPECULATIVE
#define RETIRED     EVENT_RETIRED
#define UNKNOWN     EVENT_STAGE_UNKNOWN

static const struct choice choices[] = {
    {A72, EVENT_LOADS, SPECULATIVE, 0x40, "L1D_CACHE_LD", NULL},
    {A72, EVENT_L1D_MISSES, SPECULATIVE, 0x42, "L1D_CACHE_REFILL_LD", NULL},
    {A72, EVENT_L2_MISSES, SPECULATIVE, 0x52, "L2D_CACHE_REFILL_LD", NULL},
    {A72, EVENT_DTLB_MISSES, SPECULATIVE, 0x4c, "L1D_TLB_REFILL_LD", NULL},
    {A72, EVENT_BRANCHES, SPECULATIVE, 0x12, "BR_PRED", NULL},
    {A72, EVENT_BRANCH_MISSES, SPECULATIVE, 0x10, "BR_MIS_PRED", NULL},
    {A72, EVENT_INSTRUCTIONS, RETIRED, 0x08, "INST_RETIRED", NULL},
    {A72, EVENT_CYCLES, UNKNOWN, 0x11, "CPU_CYCLES", NULL},

    {ZEN3, EVENT_LOADS, SPECULATIVE, 0x0129, "LS_DISPATCH:LD_DISPATCH", NULL},
    {ZEN3, EVENT_L1D_MISSES, SPECULATIVE, 0x5f43, ZEN3_FILLS ":LCL_L2:" ZEN3_FAR_FILLS,
     zen_fill_note},
    {ZEN3, EVENT_L2_MISSES, SPECULATIVE, 0x5e43, ZEN3_FILLS ":" ZEN3_FAR_FILLS, zen_fill_note},
    {ZEN2, EVENT_LOADS, SPECULATIVE, 0x0129, "LS_DISPATCH:LD_DISPATCH", NULL},
    {ZEN2, EVENT_L1D_MISSES, SPECULATIVE, 0x5b43, ZEN2_FILLS ":MABRESP_LCL_L2:" ZEN2_FAR_FILLS,
     zen_fill_note},
    {ZEN2, EVENT_L2_MISSES, SPECULATIVE, 0x5a43, ZEN2_FILLS ":" ZEN2_FAR_FILLS, zen_fill_note},
    {ZEN1, EVENT_LOADS, SPECULATIVE, 0x0129, "LS_DISPATCH:LD_DISPATCH", NULL},
    {ZEN1, EVENT_L1D_MISSES, SPECULATIVE, 0xe864, ZEN_L1_MISSES,
     "data reads that reach the second level, the prefetcher's included"},
    {ZEN1, EVENT_L2_MISSES, SPECULATIVE, 0x0864, ZEN_L2_READS ":LS_RD_BLK_C",
     "data reads that miss there"},

    {INTEL, EVENT_LOADS, RETIRED, 0x81d0, "MEM_INST_RETIRED:ALL_LOADS", NULL},
    {INTEL, EVENT_L1D_MISSES, RETIRED, 0x08d1, "MEM_LOAD_RETIRED:L1_MISS",
     "a load that finds its line on the way already counts as neither hit nor miss"},
    {INTEL, EVENT_L2_MISSES, RETIRED, 0x10d1, "MEM_LOAD_RETIRED:L2_MISS", NULL},
    {INTEL, EVENT_DTLB_MISSES, RETIRED, 0x11d0, "MEM_INST_RETIRED:STLB_MISS_LOADS",
     "loads that miss both levels of the TLB"},
    {INTEL, EVENT_BRANCHES, RETIRED, 0x00c4, "BR_INST_RETIRED:ALL_BRANCHES", NULL},
    {INTEL, EVENT_BRANCH_MISSES, RETIRED, 0x00c5, "BR_MISP_RETIRED:ALL_BRANCHES", NULL},

    {OTHER, EVENT_LOADS, UNKNOWN, 0, "L1-dcache-loads", generic_loads_note},
    {OTHER, EVENT_L1D_MISSES, UNKNOWN, 0, "L1-dcache-load-misses", generic_loads_note},
    {OTHER, EVENT_DTLB_MISSES, UNKNOWN, 0, "dTLB-load-misses", generic_loads_note},
    {OTHER, EVENT_BRANCHES, RETIRED, 0, "branches", NULL},
    {OTHER, EVENT_BRANCH_MISSES, RETIRED, 0, "branch-misses", NULL},
    {OTHER, EVENT_INSTRUCTIONS, RETIRED, 0, "instructions", NULL},
    {OTHER, EVENT_CYCLES, UNKNOWN, 0, "cycles", NULL},
};

static bool encode(const struct choice *choice, struct event *out, struct command_error *error)
{
    if (choice->family == OTHER) {
        if (!event_find(choice->name, out, error)) {
            return false;
        }
    } else {
        *out = (struct event){.code = {.type = PERF_TYPE_RAW, .config = choice->code}};
        snprintf(out->name, sizeof(out->name), "%.191s", choice->name);
    }
    out->stage = choice->stage;
    out->note = choice->note;
    return true;
}

bool event_for_role(enum pmu_family family, enum event_role role, struct event *out,
                    struct command_error *error)
{
    pw_assert(family < PMU_FAMILY_COUNT && role < EVENT_ROLE_COUNT);
    command_fail(error,
                 "the kernel has no generic event for it, and %s has no event of its own here",
                 pmu_family_name(family));
    for (size_t i = 0; i < COUNT_OF(choices); i++) {
        const struct choice *choice = &choices[i];
        bool fits = choice->family == family || choice->family == OTHER;
        if (fits && choice->role == role && encode(choice, out, error)) {
            return true;
        }
    }
    return false;
}

const char *event_role_name(enum event_role role)
{
    static const char *const names[EVENT_ROLE_COUNT + 1] = {
        "loads",         "l1d_misses",   "l2_misses", "dtlb_misses", "branches",
        "branch_misses", "instructions", "cycles",    "event"};
    pw_assert(role <= EVENT_ROLE_COUNT);
    return names[role];
}

const char *event_stage_name(enum event_stage stage)
{
    static const char *const names[] = {"unknown", "speculative", "retired"};
    pw_assert(stage <= EVENT_RETIRED);
    return names[stage];
}
