/*
 * event_table.c - which event stands for which role on which processor, and whether it counts
 * speculative or retired ones.
 *
 * The first choice of a family that can be encoded is taken: its libpfm4 name, else its raw code
 * where one is given. A choice of PMU_FAMILY_OTHER serves every processor, after its own choices;
 * there is none for the second-level cache, because the kernel has no generic event for it.
 * Sources: Arm Cortex-A72 TRM (table 11-24); AMD PPR for families 17h, 19h and 1Ah; Intel SDM 3B.
 */
#include "event_library.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#define CACHE(cache, result)                                                                       \
    (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_READ << 8 |                              \
     PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const char generic_loads_note[] =
    "the kernel's generic event; on some processors it counts stores too";
static const char zen_fill_note[] = "demand fills of the data cache, those for stores included";

struct choice {
    enum pmu_family family;
    enum event_role role;
    const char *name; /* libpfm4's, or the kernel's generic one */
    uint32_t type;    /* with code, when it is not libpfm4 that encodes */
    uint64_t code;    /* 0 with type RAW: only by name */
    enum event_stage stage;
    const char *note;
};

#define ZEN_L2_READS   "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS"
#define ZEN_L1_MISSES  ZEN_L2_READS ":LS_RD_BLK_L_HIT_X:LS_RD_BLK_L_HIT_S:LS_RD_BLK_C_S:LS_RD_BLK_C"
#define ZEN3_FILLS     "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM"
#define ZEN3_FAR_FILLS "INT_CACHE:EXT_CACHE_LCL:MEM_IO_LCL:EXT_CACHE_RMT:MEM_IO_RMT"
#define ZEN2_FILLS     "DATA_CACHE_REFILLS_FROM_SYSTEM"
#define ZEN2_FAR_FILLS                                                                             \
    "LS_MABRESP_LCL_CACHE:LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_CACHE:LS_MABRESP_RMT_DRAM"

#define RAW      PERF_TYPE_RAW
#define HARDWARE PERF_TYPE_HARDWARE
#define HW_CACHE PERF_TYPE_HW_CACHE

static const struct choice choices[] = {
    {PMU_FAMILY_CORTEX_A72, EVENT_LOADS, "L1D_CACHE_LD", RAW, 0x40, EVENT_SPECULATIVE, NULL},
    {PMU_FAMILY_CORTEX_A72, EVENT_L1D_MISSES, "L1D_CACHE_REFILL_LD", RAW, 0x42, EVENT_SPECULATIVE,
     NULL},
    {PMU_FAMILY_CORTEX_A72, EVENT_L2_MISSES, "L2D_CACHE_REFILL_LD", RAW, 0x52, EVENT_SPECULATIVE,
     NULL},
    {PMU_FAMILY_CORTEX_A72, EVENT_DTLB_MISSES, "L1D_TLB_REFILL_LD", RAW, 0x4c, EVENT_SPECULATIVE,
     NULL},
    {PMU_FAMILY_CORTEX_A72, EVENT_BRANCHES, "BR_PRED", RAW, 0x12, EVENT_SPECULATIVE, NULL},
    {PMU_FAMILY_CORTEX_A72, EVENT_BRANCH_MISSES, "BR_MIS_PRED", RAW, 0x10, EVENT_SPECULATIVE, NULL},
    {PMU_FAMILY_CORTEX_A72, EVENT_INSTRUCTIONS, "INST_RETIRED", RAW, 0x08, EVENT_RETIRED, NULL},
    {PMU_FAMILY_CORTEX_A72, EVENT_CYCLES, "CPU_CYCLES", RAW, 0x11, EVENT_STAGE_UNKNOWN, NULL},

    {PMU_FAMILY_ZEN3, EVENT_LOADS, "LS_DISPATCH:LD_DISPATCH", RAW, 0x0129, EVENT_SPECULATIVE, NULL},
    {PMU_FAMILY_ZEN3, EVENT_L1D_MISSES, ZEN3_FILLS ":LCL_L2:" ZEN3_FAR_FILLS, RAW, 0x5f43,
     EVENT_SPECULATIVE, zen_fill_note},
    {PMU_FAMILY_ZEN3, EVENT_L2_MISSES, ZEN3_FILLS ":" ZEN3_FAR_FILLS, RAW, 0x5e43,
     EVENT_SPECULATIVE, zen_fill_note},
    {PMU_FAMILY_ZEN2, EVENT_LOADS, "LS_DISPATCH:LD_DISPATCH", RAW, 0x0129, EVENT_SPECULATIVE, NULL},
    {PMU_FAMILY_ZEN2, EVENT_L1D_MISSES, ZEN2_FILLS ":MABRESP_LCL_L2:" ZEN2_FAR_FILLS, RAW, 0x5b43,
     EVENT_SPECULATIVE, zen_fill_note},
    {PMU_FAMILY_ZEN2, EVENT_L2_MISSES, ZEN2_FILLS ":" ZEN2_FAR_FILLS, RAW, 0x5a43,
     EVENT_SPECULATIVE, zen_fill_note},
    {PMU_FAMILY_ZEN1, EVENT_LOADS, "LS_DISPATCH:LD_DISPATCH", RAW, 0x0129, EVENT_SPECULATIVE, NULL},
    {PMU_FAMILY_ZEN1, EVENT_L1D_MISSES, ZEN_L1_MISSES, RAW, 0xe864, EVENT_SPECULATIVE,
     "data reads that reach the second level, the prefetcher's included"},
    {PMU_FAMILY_ZEN1, EVENT_L2_MISSES, ZEN_L2_READS ":LS_RD_BLK_C", RAW, 0x0864, EVENT_SPECULATIVE,
     "those of them that miss there"},

    {PMU_FAMILY_INTEL, EVENT_LOADS, "MEM_INST_RETIRED:ALL_LOADS", RAW, 0, EVENT_RETIRED, NULL},
    {PMU_FAMILY_INTEL, EVENT_L1D_MISSES, "MEM_LOAD_RETIRED:L1_MISS", RAW, 0, EVENT_RETIRED,
     "a load that finds its line on the way already counts as neither hit nor miss"},
    {PMU_FAMILY_INTEL, EVENT_L2_MISSES, "MEM_LOAD_RETIRED:L2_MISS", RAW, 0, EVENT_RETIRED, NULL},
    {PMU_FAMILY_INTEL, EVENT_DTLB_MISSES, "MEM_INST_RETIRED:STLB_MISS_LOADS", RAW, 0, EVENT_RETIRED,
     "loads that miss both levels of the TLB"},
    {PMU_FAMILY_INTEL, EVENT_BRANCHES, "BR_INST_RETIRED:ALL_BRANCHES", RAW, 0, EVENT_RETIRED, NULL},
    {PMU_FAMILY_INTEL, EVENT_BRANCH_MISSES, "BR_MISP_RETIRED:ALL_BRANCHES", RAW, 0, EVENT_RETIRED,
     NULL},

    {PMU_FAMILY_OTHER, EVENT_LOADS, "L1-dcache-loads", HW_CACHE, CACHE(L1D, ACCESS),
     EVENT_STAGE_UNKNOWN, generic_loads_note},
    {PMU_FAMILY_OTHER, EVENT_L1D_MISSES, "L1-dcache-load-misses", HW_CACHE, CACHE(L1D, MISS),
     EVENT_STAGE_UNKNOWN, generic_loads_note},
    {PMU_FAMILY_OTHER, EVENT_DTLB_MISSES, "dTLB-load-misses", HW_CACHE, CACHE(DTLB, MISS),
     EVENT_STAGE_UNKNOWN, generic_loads_note},
    {PMU_FAMILY_OTHER, EVENT_BRANCHES, "branches", HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
     EVENT_RETIRED, NULL},
    {PMU_FAMILY_OTHER, EVENT_BRANCH_MISSES, "branch-misses", HARDWARE, PERF_COUNT_HW_BRANCH_MISSES,
     EVENT_RETIRED, NULL},
    {PMU_FAMILY_OTHER, EVENT_INSTRUCTIONS, "instructions", HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
     EVENT_RETIRED, NULL},
    {PMU_FAMILY_OTHER, EVENT_CYCLES, "cycles", HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
     EVENT_STAGE_UNKNOWN, NULL},
};

static bool encode(const struct choice *choice, struct event *out, struct event_error *error)
{
    memset(out, 0, sizeof(*out));
    snprintf(out->name, sizeof(out->name), "%.191s", choice->name);
    out->stage = choice->stage;
    out->note = choice->note;
    if (choice->type == RAW) {
        char why[128];
        if (choice->family != PMU_FAMILY_CORTEX_A72 &&
            event_library_find(choice->name, &out->code, why, sizeof(why))) {
            return true;
        }
        if (choice->code == 0) {
            snprintf(error->message, sizeof(error->message), "%.191s: %.127s", choice->name, why);
            return false;
        }
    }
    out->code = (struct pmu_code){.type = choice->type, .config = choice->code};
    return true;
}

bool event_for_role(enum pmu_family family, enum event_role role, struct event *out,
                    struct event_error *error)
{
    snprintf(error->message, sizeof(error->message),
             "the kernel has no generic event for it, and %s has no event of its own here",
             pmu_family_name(family));
    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
        const struct choice *choice = &choices[i];
        bool own = choice->family == family || choice->family == PMU_FAMILY_OTHER;
        if (own && choice->role == role && encode(choice, out, error)) {
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
    return names[role];
}

const char *event_stage_name(enum event_stage stage)
{
    static const char *const names[] = {"unknown", "speculative", "retired"};
    return names[stage];
}
