/*
 * cache_geometry.c - caches from sysfs, from a table, or from the command line.
 */
#include "cache_geometry.h"
#include "base/number.h"
#include "base/pw_assert.h"
#include "base/system_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES  128
#define INDEXES_MAX 8

const char *cache_describe(const struct cache *cache, char text[CACHE_TEXT_BYTES])
{
    const char *unit = "KiB";
    double size = (double)cache->size_bytes / 1024;
    if (size >= 1024) {
        size /= 1024;
        unit = "MiB";
    }
    if (cache->size_bytes == 0) {
        snprintf(text, CACHE_TEXT_BYTES, "not described");
    } else if (cache->ways == 0) {
        snprintf(text, CACHE_TEXT_BYTES, "%g %s, %u-byte lines", size, unit, cache->line_bytes);
    } else {
        snprintf(text, CACHE_TEXT_BYTES, "%g %s %u-way, %u-byte lines", size, unit, cache->ways,
                 cache->line_bytes);
    }
    return text;
}

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
    if (read_line(root, index, name, line, sizeof(line))) {
        number_read(line, strcspn(line, "\n"), NUMBER_BYTES, &number);
    }
    return number;
}

bool cache_geometry_host(struct cache_geometry *geometry, const char *root)
{
    memset(geometry, 0, sizeof(*geometry));
    snprintf(geometry->name, sizeof(geometry->name), "host");
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
        } else if (level == 3) {
            geometry->l3 = cache;
        }
    }
    return geometry->l1i.size_bytes > 0 && geometry->l1d.size_bytes > 0 &&
           geometry->l2.size_bytes > 0;
}

static bool is_power_of_two(uint64_t number)
{
    return number > 0 && (number & (number - 1)) == 0;
}

/* Whether Valgrind's model can have such a cache. */
static bool can_simulate(const struct cache *cache)
{
    uint64_t way_bytes = (uint64_t)cache->ways * cache->line_bytes;
    return way_bytes > 0 && is_power_of_two(cache->line_bytes) && cache->line_bytes >= 16 &&
           cache->size_bytes % way_bytes == 0 && is_power_of_two(cache->size_bytes / way_bytes);
}

/* "48K,12,64" up to a ':' or the end; what follows goes to *rest. */
static bool parse_cache(const char *text, struct cache *cache, const char **rest)
{
    static const uint64_t most[3] = {UINT64_C(1) << 40, 1024, 4096};
    uint64_t parts[3];
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(text, ",:");
        bool ends = text[length] != ',';
        if (!number_read(text, length, NUMBER_BYTES, &parts[i]) || parts[i] > most[i] ||
            ends != (i == 2)) {
            return false;
        }
        text += length + (text[length] != '\0');
    }
    *cache = (struct cache){parts[0], (uint32_t)parts[1], (uint32_t)parts[2]};
    *rest = text;
    return true;
}

static bool refuse(char *message, size_t message_size, const char *text)
{
    snprintf(message, message_size, "%s", text);
    return false;
}

bool cache_geometry_parse(struct cache_geometry *geometry, const char *text, char *message,
                          size_t message_size)
{
    static const struct cache_geometry pi4 = {
        .l1i = {48 << 10, 3, 64},
        .l1d = {32 << 10, 2, 64},
        .l2 = {1 << 20, 16, 64},
        .name = "pi4",
    };
    if (strcmp(text, "pi4") == 0) {
        *geometry = pi4;
    } else if (strcmp(text, "host") == 0) {
        if (!cache_geometry_host(geometry, "")) {
            return refuse(message, message_size,
                          "this machine does not describe its caches; name a processor (pi4) or "
                          "give L1I:L1D:L2, each SIZE,WAYS,LINE");
        }
    } else {
        const char *rest = text;
        memset(geometry, 0, sizeof(*geometry));
        snprintf(geometry->name, sizeof(geometry->name), "given");
        if (!parse_cache(rest, &geometry->l1i, &rest) ||
            !parse_cache(rest, &geometry->l1d, &rest) || !parse_cache(rest, &geometry->l2, &rest) ||
            *rest != '\0' || rest[-1] == ':') {
            return refuse(message, message_size,
                          "expected host, pi4, or L1I:L1D:L2, each SIZE,WAYS,LINE, as in "
                          "32K,8,64:48K,12,64:1M,16,64");
        }
    }
    if (!can_simulate(&geometry->l1i) || !can_simulate(&geometry->l1d) ||
        !can_simulate(&geometry->l2)) {
        return refuse(message, message_size,
                      "a cache of this geometry cannot be simulated: SIZE / (WAYS x LINE) must be "
                      "a power of two");
    }
    pw_assert(geometry->l1d.size_bytes >= (uint64_t)geometry->l1d.ways * geometry->l1d.line_bytes);
    return true;
}
