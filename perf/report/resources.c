/*
 * resources.c - peak memory from /proc/self/status, the processor from /proc/cpuinfo, uname.
 */
#include "resources.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#define LINE_SIZE 512

/* The value of the first "key : value" line of a file into value. False when there is none. */
static int read_value(const char *path, const char *key, char *value, size_t size)
{
    char line[LINE_SIZE];
    int found = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return 0;
    }
    while (!found && fgets(line, sizeof(line), file) != NULL) {
        size_t length = strlen(key);
        if (strncmp(line, key, length) == 0 && strchr(" \t:", line[length]) != NULL) {
            const char *start = line + length + strspn(line + length, " \t:");
            snprintf(value, size, "%.*s", (int)strcspn(start, "\n"), start);
            found = 1;
        }
    }
    fclose(file);
    return found;
}

/* VmHWM rather than getrusage: the latter may be that of the program before exec. */
uint64_t resources_peak_rss_bytes(void)
{
    char value[LINE_SIZE];
    struct rusage usage;
    if (read_value("/proc/self/status", "VmHWM", value, sizeof(value))) {
        return strtoull(value, NULL, 10) * 1024;
    }
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

const char *resources_cpu(void)
{
    static char name[LINE_SIZE];
    char part[64];
    if (name[0] != '\0' || read_value("/proc/cpuinfo", "model name", name, sizeof(name)) ||
        read_value("/proc/cpuinfo", "Model", name, sizeof(name))) {
        return name;
    }
    if (read_value("/proc/cpuinfo", "CPU part", part, sizeof(part))) {
        snprintf(name, sizeof(name), "Arm, part %s", part);
        return name;
    }
    return "not known";
}

const char *resources_kernel(void)
{
    static char name[LINE_SIZE];
    struct utsname system;
    if (uname(&system) != 0) {
        return "not known";
    }
    snprintf(name, sizeof(name), "%.99s %.200s %.99s", system.sysname, system.release,
             system.machine);
    return name;
}
