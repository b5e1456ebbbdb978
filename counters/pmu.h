/*
 * pmu.h - the lowest layer under the counters: the kernel's perf events as a table of functions, so
 * that tests can replace it; and the machine's description of itself.
 *
 * Errors are negative errno values. Nothing here prints.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The request to perf_event_open. */
struct pmu_code {
    uint32_t type;
    uint64_t config;
    uint64_t config1;
    uint64_t config2;
};

/* The words read from a group: PMU_GROUP_HEADER words, then a value per event. */
enum { PMU_GROUP_EVENTS, PMU_GROUP_ENABLED_NS, PMU_GROUP_RUNNING_NS, PMU_GROUP_HEADER };

struct pmu {
    /* Open an event of the calling thread, user mode only, stopped. leader: -1 or a descriptor of
     * the group to join. Returns the descriptor, or an error. */
    int (*open)(const struct pmu_code *code, int leader);
    int (*start)(int leader); /* the whole group; 0 or an error */
    int (*stop)(int leader);
    /* Read the whole group; returns the number of words, or an error. 0: the group is lost. */
    int (*read)(int leader, uint64_t *words, size_t word_count);
    void (*close)(int descriptor);
};

/* The kernel's, in counters.c. */
extern const struct pmu pmu_kernel;

enum pmu_family {
    PMU_FAMILY_OTHER,
    PMU_FAMILY_CORTEX_A72,
    PMU_FAMILY_ZEN1,
    PMU_FAMILY_ZEN2,
    PMU_FAMILY_ZEN3, /* and later */
    PMU_FAMILY_INTEL,
    PMU_FAMILY_COUNT
};

/* The facts about the machine that decide what can be counted. */
struct pmu_host {
    enum pmu_family family;
    char processor[64];      /* model name, or "unknown processor" */
    bool has_pmu;            /* the kernel drives a processor's counters */
    bool has_watchdog;       /* the kernel's watchdog holds a counter (x86) */
    bool is_virtual;         /* a hypervisor is underneath */
    bool is_container;       /* some do not show it */
    int perf_event_paranoid; /* the kernel's setting; -100 if it is not known */
};

#define PMU_PARANOID_NONE (-100)

/* Describe the machine with /proc and /sys below root ("" for this one). */
void pmu_host_read(struct pmu_host *host, const char *root);

/* "AMD Zen 3 or later", ... */
const char *pmu_family_name(enum pmu_family family);
