/*
 * pmu_host.c - which processor this is and what stands between a program and its counters, from
 * /proc and /sys.
 */
#include "pmu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 512

static bool path_of(char path[PATH_BYTES], const char *root, const char *rest)
{
    int length = snprintf(path, PATH_BYTES, "%s%s", root, rest);
    return length > 0 && length < PATH_BYTES;
}

static bool exists(const char *root, const char *rest)
{
    char path[PATH_BYTES];
    struct stat status;
    return path_of(path, root, rest) && stat(path, &status) == 0;
}

/* What stands behind "key : value" on a line of /proc/cpuinfo, or NULL. Modifies the line. */
static const char *field(char *line, const char *key)
{
    size_t length = strlen(key);
    char *colon = strchr(line, ':');
    if (colon == NULL || strncmp(line, key, length) != 0 || strchr(" \t:", line[length]) == NULL) {
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    return colon + 1 + strspn(colon + 1, " \t");
}

struct identity {
    bool amd, intel;
    long family, model;
    long implementer, part; /* AArch64 */
};

static enum pmu_family family_of(const struct identity *id)
{
    if (id->implementer == 0x41 && id->part == 0xd08) {
        return PMU_FAMILY_CORTEX_A72;
    }
    if (id->intel && id->family == 6) {
        return PMU_FAMILY_INTEL;
    }
    if (id->amd && id->family >= 0x19) {
        return PMU_FAMILY_ZEN3;
    }
    if (id->amd && id->family == 0x17) {
        return id->model >= 0x30 ? PMU_FAMILY_ZEN2 : PMU_FAMILY_ZEN1;
    }
    return PMU_FAMILY_OTHER;
}

static void read_cpuinfo(struct pmu_host *host, const char *root)
{
    char path[PATH_BYTES], line[4096];
    struct identity id = {0};
    FILE *file = path_of(path, root, "/proc/cpuinfo") ? fopen(path, "r") : NULL;
    snprintf(host->processor, sizeof(host->processor), "unknown processor");
    if (file == NULL) {
        return;
    }
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *value;
        if ((value = field(line, "vendor_id")) != NULL) {
            id.amd = strcmp(value, "AuthenticAMD") == 0;
            id.intel = strcmp(value, "GenuineIntel") == 0;
        } else if ((value = field(line, "cpu family")) != NULL) {
            id.family = strtol(value, NULL, 10);
        } else if ((value = field(line, "model name")) != NULL) {
            snprintf(host->processor, sizeof(host->processor), "%.63s", value);
        } else if ((value = field(line, "model")) != NULL) {
            id.model = strtol(value, NULL, 10);
        } else if ((value = field(line, "CPU implementer")) != NULL) {
            id.implementer = strtol(value, NULL, 0);
        } else if ((value = field(line, "CPU part")) != NULL) {
            id.part = strtol(value, NULL, 0);
        } else if ((value = field(line, "flags")) != NULL) {
            host->is_virtual |= strstr(value, " hypervisor") != NULL;
        }
    }
    fclose(file);
    host->family = family_of(&id);
    if (host->family == PMU_FAMILY_CORTEX_A72) {
        snprintf(host->processor, sizeof(host->processor), "Arm Cortex-A72");
    }
}

static void read_paranoid(struct pmu_host *host, const char *root)
{
    char path[PATH_BYTES];
    FILE *file =
        path_of(path, root, "/proc/sys/kernel/perf_event_paranoid") ? fopen(path, "r") : NULL;
    host->perf_event_paranoid = PMU_PARANOID_NONE;
    if (file != NULL) {
        if (fscanf(file, "%d", &host->perf_event_paranoid) != 1) {
            host->perf_event_paranoid = PMU_PARANOID_NONE;
        }
        fclose(file);
    }
}

/* The names under which kernels list the counters of a processor. */
static bool has_processor_pmu(const char *root)
{
    static const char *const names[] = {
        "cpu",           "cpu_core",         "cpu_atom",         "armv8_pmuv3",
        "armv8_pmuv3_0", "armv8_cortex_a72", "armv8_cortex_a53", "armv7_cortex_a7"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
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
    read_paranoid(host, root);
    host->has_pmu = has_processor_pmu(root);
    host->is_container = exists(root, "/.dockerenv") || exists(root, "/run/.containerenv");
    host->is_virtual |= exists(root, "/sys/hypervisor/type");
    host->is_root = geteuid() == 0;
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
    return names[family];
}
