/*
 * pmu_host.c - identifies the processor, and what keeps a program from its counters, from /proc and
 * /sys.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/system_file.h"
#include "pmu.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPUINFO "/proc/cpuinfo"

static bool exists(const char *root, const char *rest)
{
    char path[512];
    int length = snprintf(path, sizeof(path), "%s%s", root, rest);
    return length > 0 && (size_t)length < sizeof(path) && access(path, F_OK) == 0;
}

/* A number of /proc/cpuinfo, decimal or 0x...; 0 if it is missing. */
static long cpu_number(const char *root, const char *key)
{
    char value[64];
    system_file_value(root, CPUINFO, key, value, sizeof(value));
    return strtol(value, NULL, 0);
}

static enum pmu_family read_family(const char *root)
{
    char vendor[32];
    system_file_value(root, CPUINFO, "vendor_id", vendor, sizeof(vendor));
    bool amd = strcmp(vendor, "AuthenticAMD") == 0;
    long family = cpu_number(root, "cpu family");
    if (cpu_number(root, "CPU implementer") == 0x41 && cpu_number(root, "CPU part") == 0xd08) {
        return PMU_FAMILY_CORTEX_A72;
    }
    if (strcmp(vendor, "GenuineIntel") == 0 && family == 6) {
        return PMU_FAMILY_INTEL;
    }
    if (amd && family == 0x17) {
        return cpu_number(root, "model") >= 0x30 ? PMU_FAMILY_ZEN2 : PMU_FAMILY_ZEN1;
    }
    return amd && family >= 0x19 ? PMU_FAMILY_ZEN3 : PMU_FAMILY_OTHER;
}

static void read_cpuinfo(struct pmu_host *host, const char *root)
{
    char flags[8192];
    host->family = read_family(root);
    if (host->family == PMU_FAMILY_CORTEX_A72) {
        snprintf(host->processor, sizeof(host->processor), "Arm Cortex-A72");
    } else if (!system_file_value(root, CPUINFO, "model name", host->processor,
                                  sizeof(host->processor))) {
        snprintf(host->processor, sizeof(host->processor), "unknown processor");
    }
    host->is_virtual = system_file_value(root, CPUINFO, "flags", flags, sizeof(flags)) &&
                       strstr(flags, " hypervisor") != NULL;
}

static int read_paranoid(const char *root)
{
    char line[32], *end;
    system_file_line(root, "/proc/sys/kernel/perf_event_paranoid", line, sizeof(line));
    long setting = strtol(line, &end, 10);
    return end != line ? (int)setting : PMU_PARANOID_NONE;
}

/* True if the kernel watches for hangs with a counter of its own: x86. Debian 13's kernel for
 * Arm has the setting, too, but there one processor watches the next (the buddy detector). */
static bool read_watchdog(const char *root)
{
    char line[32];
    return system_file_value(root, CPUINFO, "vendor_id", line, sizeof(line)) &&
           system_file_line(root, "/proc/sys/kernel/nmi_watchdog", line, sizeof(line)) &&
           strcmp(line, "0") != 0;
}

/* The names under which kernels list the counters of a processor. */
static bool has_processor_pmu(const char *root)
{
    static const char *const names[] = {
        "cpu",           "cpu_core",         "cpu_atom",         "armv8_pmuv3",
        "armv8_pmuv3_0", "armv8_cortex_a72", "armv8_cortex_a53", "armv7_cortex_a7"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char rest[96];
        snprintf(rest, sizeof(rest), "/sys/bus/event_source/devices/%s", names[i]);
        if (exists(root, rest)) {
            return true;
        }
    }
    return false;
}

#define DEVICES "/sys/bus/event_source/devices/"

/* True if the kernel lists an event of a processor whose counters match pattern. */
static bool has_event(const char *root, const char *pattern, const char *event)
{
    char path[512];
    glob_t found = {0};
    int length = snprintf(path, sizeof(path), "%s" DEVICES "%s/events/%s", root, pattern, event);
    bool has = length > 0 && (size_t)length < sizeof(path) && glob(path, 0, NULL, &found) == 0;
    globfree(&found);
    return has;
}

/* The first of names, after which NULL, that the kernel does not list; NULL if it lists all. */
static const char *missing_event(const char *root, const char *pattern, const char *const *names)
{
    while (*names != NULL && has_event(root, pattern, *names)) {
        names++;
    }
    return *names;
}

static void read_intel_topdown(struct pmu_host *host, const char *root)
{
    static const char *const level1[] = {
        "slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound",
        NULL};
    static const char *const level2[] = {"topdown-heavy-ops", "topdown-br-mispredict",
                                         "topdown-fetch-lat", "topdown-mem-bound", NULL};
    const char *devices = has_event(root, "cpu_core", "slots") ? "cpu_core" : "cpu";
    if (missing_event(root, devices, level1) != NULL) {
        host->topdown_lacks = "this processor lacks the event slots, which Intel has from Ice Lake "
                              "on";
    } else {
        host->topdown = missing_event(root, devices, level2) == NULL ? PMU_TOPDOWN_INTEL_LEVEL2
                                                                     : PMU_TOPDOWN_INTEL;
    }
}

/* The models of the kernel's arch/x86/kernel/cpu/amd.c. */
static void read_amd_topdown(struct pmu_host *host, const char *root)
{
    long family = cpu_number(root, "cpu family"), model = cpu_number(root, "model");
    bool zen4 = family == 0x19 && ((model >= 0x10 && model < 0x20) || (model >= 0x60));
    bool zen5 = family == 0x1a && (model < 0x30 || (model >= 0x40 && model < 0x50) ||
                                   (model >= 0x60 && model < 0x80));
    host->topdown = zen4 ? PMU_TOPDOWN_ZEN4 : zen5 ? PMU_TOPDOWN_ZEN5 : PMU_TOPDOWN_NONE;
    host->topdown_lacks = "this processor lacks the event DE_NO_DISPATCH_PER_SLOT, which AMD has "
                          "from Zen 4 on";
    if (family > 0x19) {
        host->topdown_lacks = "there is no table of this processor's event DE_NO_DISPATCH_PER_SLOT";
    }
}

static void read_arm_topdown(struct pmu_host *host, const char *root)
{
    static const char *const events[] = {
        "stall_slot", "stall_slot_frontend", "stall_slot_backend", "op_retired", "op_spec", NULL};
    static const char *const lacks[] = {
        "this processor lacks the event stall_slot, which Arm has from Armv8.4 on",
        "this processor lacks the event stall_slot_frontend",
        "this processor lacks the event stall_slot_backend",
        "this processor lacks the event op_retired",
        "this processor lacks the event op_spec",
    };
    glob_t found = {0};
    char pattern[512], line[32] = "";
    snprintf(pattern, sizeof(pattern), "%s" DEVICES "armv8_*/caps/slots", root);
    if (glob(pattern, 0, NULL, &found) == 0) {
        system_file_line("", found.gl_pathv[0], line, sizeof(line));
    }
    globfree(&found);
    host->slots = (unsigned)strtoul(line, NULL, 0);
    for (size_t i = 0; events[i] != NULL; i++) {
        if (!has_event(root, "armv8_*", events[i])) {
            host->topdown_lacks = lacks[i];
            return;
        }
    }
    if (host->slots == 0) {
        host->topdown_lacks = "the kernel does not say how many slots this processor has per cycle";
        return;
    }
    host->topdown = cpu_number(root, "CPU part") == 0xd49 ? PMU_TOPDOWN_ARM_N2 : PMU_TOPDOWN_ARM;
}

static void read_topdown(struct pmu_host *host, const char *root)
{
    char vendor[32];
    system_file_value(root, CPUINFO, "vendor_id", vendor, sizeof(vendor));
    if (strcmp(vendor, "GenuineIntel") == 0) {
        read_intel_topdown(host, root);
    } else if (strcmp(vendor, "AuthenticAMD") == 0) {
        read_amd_topdown(host, root);
    } else if (cpu_number(root, "CPU implementer") != 0) {
        read_arm_topdown(host, root);
    } else {
        host->topdown_lacks = "there is no table of this processor's events of slots";
    }
}

void pmu_host_read(struct pmu_host *host, const char *root)
{
    memset(host, 0, sizeof(*host));
    read_cpuinfo(host, root);
    host->perf_event_paranoid = read_paranoid(root);
    host->has_pmu = has_processor_pmu(root);
    host->has_watchdog = read_watchdog(root);
    host->is_container = exists(root, "/.dockerenv") || exists(root, "/run/.containerenv");
    host->is_virtual |= exists(root, "/sys/hypervisor/type");
    host->is_root = geteuid() == 0;
    read_topdown(host, root);
}

const char *pmu_family_name(enum pmu_family family)
{
    static const char *const names[PMU_FAMILY_COUNT] = {
        [PMU_FAMILY_OTHER] = "a processor without a table of its own",
        [PMU_FAMILY_CORTEX_A72] = "Arm Cortex-A72",
        [PMU_FAMILY_ZEN1] = "AMD Zen",
        [PMU_FAMILY_ZEN2] = "AMD Zen 2",
        [PMU_FAMILY_ZEN3] = "AMD Zen 3 or later",
        [PMU_FAMILY_INTEL] = "Intel",
    };
    pw_assert(family < PMU_FAMILY_COUNT);
    return names[family];
}
