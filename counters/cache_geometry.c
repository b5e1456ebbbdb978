/*
 * cache_geometry.c - reads caches from sysfs, from a table, or from the command line.
 */
#include "cache_geometry.h"
#include "base/number.h"
#include "base/pw_assert.h"
#include "base/system_file.h"
#include <stdio.h>
#include <string.h>

#define PATH_BYTES  128
#define INDEXES_MAX 8

const char *cache_describe(const struct cache *cache, char text[CACHE_TEXT_BYTES])
{
    bool large = cache->size_bytes >= 1 << 20;
    double size = (double)cache->size_bytes / (large ? 1 << 20 : 1 << 10);
    char ways[16] = "";
    if (cache->ways > 0) {
        snprintf(ways, sizeof(ways), " %u-way", cache->ways);
    }
    snprintf(text, CACHE_TEXT_BYTES, "%g %s%s, %u-byte lines", size, large ? "MiB" : "KiB", ways,
             cache->line_bytes);
    return cache->size_bytes > 0 ? text : "not described";
}

/* A line of the description of a cache of processor 0. */
static bool read_line(const char *root, int index, const char *name, char *line, size_t size)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    return system_file_line(root, path, line, size);
}

static uint64_t read_number(const char *root, int index, const char *name)
{
    char line[64];
    uint64_t number = 0;
    read_line(root, index, name, line, sizeof(line));
    number_read(line, strlen(line), NUMBER_BYTES, &number);
    return number;
}

bool cache_geometry_host(struct cache_geometry *geometry, const char *root)
{
    *geometry = (struct cache_geometry){.name = "host"};
    for (int index = 0; index < INDEXES_MAX; index++) {
        char type[32];
        if (!read_line(root, index, "type", type, sizeof(type))) {
            continue;
        }
        uint64_t level = read_number(root, index, "level");
        const struct cache cache = {
            .size_bytes = read_number(root, index, "size"),
            .ways = (uint32_t)read_number(root, index, "ways_of_associativity"),
            .line_bytes = (uint32_t)read_number(root, index, "coherency_line_size"),
        };
        if (level == 1 && strcmp(type, "Instruction") == 0) {
            geometry->l1i = cache;
        } else if (level == 1) {
            geometry->l1d = cache;
        } else if (level == 2) {
            geometry->l2 = cache;
        }
    }
    return geometry->l1i.size_bytes > 0 && geometry->l1d.size_bytes > 0 &&
           geometry->l2.size_bytes > 0;
}

static bool is_power_of_two(uint64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

/* True if Callgrind can simulate such a cache: its number of sets is a power of two. */
static bool can_simulate(const struct cache *cache)
{
    uint64_t way_bytes = (uint64_t)cache->ways * cache->line_bytes;
    return way_bytes > 0 && is_power_of_two(cache->line_bytes) && cache->line_bytes >= 16 &&
           cache->size_bytes % way_bytes == 0 && is_power_of_two(cache->size_bytes / way_bytes);
}

/* "32K,8,64:48K,12,64:1M,16,64" */
static bool parse_given(const char *text, struct cache_geometry *geometry)
{
    static const uint64_t most[3] = {UINT64_C(1) << 40, 1024, 4096};
    static const char ends[] = ",,:,,:,,"; /* and the end after the last */
    uint64_t parts[9];
    for (int i = 0; i < 9; i++) {
        size_t length = strcspn(text, ",:");
        if (!number_read(text, length, NUMBER_BYTES, &parts[i]) || parts[i] > most[i % 3] ||
            text[length] != ends[i]) {
            return false;
        }
        text += length + 1;
    }
    *geometry = (struct cache_geometry){
        .l1i = {parts[0], (uint32_t)parts[1], (uint32_t)parts[2]},
        .l1d = {parts[3], (uint32_t)parts[4], (uint32_t)parts[5]},
        .l2 = {parts[6], (uint32_t)parts[7], (uint32_t)parts[8]},
        .name = "given",
    };
    return true;
}

bool cache_geometry_parse(struct cache_geometry *geometry, const char *text,
                          struct command_error *error)
{
    static const struct cache_geometry pi4 = {
        .l1i = {48 << 10, 3, 64},
        .l1d = {32 << 10, 2, 64},
        .l2 = {1 << 20, 16, 64},
        .name = "pi4",
    };
    const char *problem = NULL;
    if (strcmp(text, "pi4") == 0) {
        *geometry = pi4;
    } else if (strcmp(text, "host") == 0) {
        if (!cache_geometry_host(geometry, "")) {
            problem = "this machine does not describe its caches; name a processor (pi4) or give "
                      "L1I:L1D:L2, each SIZE,WAYS,LINE";
        }
    } else if (!parse_given(text, geometry)) {
        problem = "expected host, pi4, or L1I:L1D:L2, each SIZE,WAYS,LINE, as in "
                  "32K,8,64:48K,12,64:1M,16,64";
    }
    if (problem == NULL && !(can_simulate(&geometry->l1i) && can_simulate(&geometry->l1d) &&
                             can_simulate(&geometry->l2))) {
        problem = "a cache of this geometry cannot be simulated: SIZE / (WAYS x LINE) must be a "
                  "power of two";
    }
    pw_assert(problem != NULL || (geometry->l1i.ways > 0 && geometry->l2.line_bytes > 0));
    return problem == NULL || command_fail(error, "%s", problem);
}

bool cache_option_read(const char *value, void *field, struct command_error *error)
{
    struct cache_geometry geometry;
    *(const char **)field = value;
    return cache_geometry_parse(&geometry, value, error);
}
