/*
 * event_table.c - the event for a role on each processor, and whether it counts speculative or
 * retired operations.
 *
 * The first choice of a family that can be encoded is taken: its libpfm4 name, else its raw code
 * where one is given. A choice of PMU_FAMILY_OTHER serves every processor, after its own choices;
 * there is none for the second-level cache, because the kernel has no generic event for it.
 * Sources: Arm Cortex-A72 TRM (table 11-24); AMD PPR for families 17h, 19h and 1Ah; Intel SDM 3B.
 */
#include "base/macros.h"
#include "event_library.h"
#include "events.h"
#include <linux/perf_event.h>
#include <stdio.h>

static const char generic_loads_note[] =
    "the kernel's generic event; on some processors it counts stores too";
static const char zen_fill_note[] = "demand fills of the data cache, those for stores included";

struct choice {
    enum pmu_family family;
    enum event_role role;
    enum event_stage stage;
    uint64_t code;    /* raw; 0: only by name */
    const char *name; /* libpfm4's; of PMU_FAMILY_OTHER the kernel's generic one */
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
     "those of them that miss there"},

    {INTEL, EVENT_LOADS, RETIRED, 0, "MEM_INST_RETIRED:ALL_LOADS", NULL},
    {INTEL, EVENT_L1D_MISSES, RETIRED, 0, "MEM_LOAD_RETIRED:L1_MISS",
     "a load that finds its line on the way already counts as neither hit nor miss"},
    {INTEL, EVENT_L2_MISSES, RETIRED, 0, "MEM_LOAD_RETIRED:L2_MISS", NULL},
    {INTEL, EVENT_DTLB_MISSES, RETIRED, 0, "MEM_INST_RETIRED:STLB_MISS_LOADS",
     "loads that miss both levels of the TLB"},
    {INTEL, EVENT_BRANCHES, RETIRED, 0, "BR_INST_RETIRED:ALL_BRANCHES", NULL},
    {INTEL, EVENT_BRANCH_MISSES, RETIRED, 0, "BR_MISP_RETIRED:ALL_BRANCHES", NULL},

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
    char why[128] = "";
    if (choice->family == OTHER) {
        if (!event_find(choice->name, out, error)) {
            return false;
        }
    } else {
        *out = (struct event){.code = {.type = PERF_TYPE_RAW, .config = choice->code}};
        snprintf(out->name, sizeof(out->name), "%.191s", choice->name);
        bool named =
            choice->family != A72 && event_library_find(choice->name, &out->code, why, sizeof(why));
        if (!named && choice->code == 0) {
            return command_fail(error, "%s: %s", choice->name, why);
        }
    }
    out->stage = choice->stage;
    out->note = choice->note;
    return true;
}

bool event_for_role(enum pmu_family family, enum event_role role, struct event *out,
                    struct command_error *error)
{
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
    return names[role];
}

const char *event_stage_name(enum event_stage stage)
{
    static const char *const names[] = {"unknown", "speculative", "retired"};
    return names[stage];
}
