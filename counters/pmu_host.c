/*
 * pmu_host.c - identifies the processor, and what keeps a program from its counters, from /proc and
 * /sys.
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/system_file.h"
#include "pmu.h"
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

void pmu_host_read(struct pmu_host *host, const char *root)
{
    memset(host, 0, sizeof(*host));
    read_cpuinfo(host, root);
    host->perf_event_paranoid = read_paranoid(root);
    host->has_pmu = has_processor_pmu(root);
    host->has_watchdog = read_watchdog(root);
    host->is_container = exists(root, "/.dockerenv") || exists(root, "/run/.containerenv");
    host->is_virtual |= exists(root, "/sys/hypervisor/type");
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
