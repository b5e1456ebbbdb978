/*
 * resources.c - peak memory from /proc/self/status, the processor from /proc/cpuinfo, uname.
 */
#include "resources.h"
#include "base/system_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#define TEXT_SIZE 512

/* VmHWM rather than getrusage, which may report the program before exec. */
uint64_t resources_peak_rss_bytes(void)
{
    char value[TEXT_SIZE];
    struct rusage usage;
    if (system_file_value("", "/proc/self/status", "VmHWM", value, sizeof(value))) {
        return strtoull(value, NULL, 10) * 1024;
    }
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

uint64_t resources_minor_faults(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_minflt : 0;
}

const char *resources_cpu(void)
{
    static char name[TEXT_SIZE];
    char part[64];
    if (name[0] != '\0' ||
        system_file_value("", "/proc/cpuinfo", "model name", name, sizeof(name)) ||
        system_file_value("", "/proc/cpuinfo", "Model", name, sizeof(name))) {
        return name;
    }
    if (system_file_value("", "/proc/cpuinfo", "CPU part", part, sizeof(part))) {
        snprintf(name, sizeof(name), "Arm, part %s", part);
        return name;
    }
    return "not known";
}

const char *resources_kernel(void)
{
    static char name[TEXT_SIZE];
    struct utsname system;
    if (uname(&system) != 0) {
        return "not known";
    }
    snprintf(name, sizeof(name), "%.99s %.200s %.99s", system.sysname, system.release,
             system.machine);
    return name;
}

bool resources_program(const char *name, char *path, size_t size)
{
    const char *folder = getenv("PATH");
    while (folder != NULL) {
        const int length = (int)strcspn(folder, ":");
        const int written = snprintf(path, size, "%.*s/%s", length > 0 ? length : 1,
                                     length > 0 ? folder : ".", name);
        if (written > 0 && (size_t)written < size && access(path, X_OK) == 0) {
            return true;
        }
        folder = folder[length] == ':' ? folder + length + 1 : NULL;
    }
    return false;
}
