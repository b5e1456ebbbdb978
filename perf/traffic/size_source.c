/*
 * size_source.c - three distributions, recorded sizes, and histograms.
 */
#include "size_source.h"
#include "alloc/heaps/record_script.h"
#include "prng.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define EXPONENTIAL_MEAN  65536.0
#define LOG_NORMAL_MEDIAN 91.73303689 /* 64 times e to the power of sigma squared */
#define LOG_NORMAL_SIGMA  0.6

const char *const size_distribution_names[SIZES_DISTRIBUTIONS] = {"uniform", "exponential",
                                                                  "log-normal"};

static uint32_t clip(double size)
{
    return size < SIZE_SOURCE_MIN   ? SIZE_SOURCE_MIN
           : size > SIZE_SOURCE_MAX ? SIZE_SOURCE_MAX
                                    : (uint32_t)size;
}

void size_source_fill(enum size_distribution distribution, uint64_t seed, uint32_t *sizes,
                      size_t count)
{
    struct prng prng;
    prng_start(&prng, seed);
    for (size_t i = 0; i < count; i++) {
        switch (distribution) {
        case SIZES_UNIFORM:
            sizes[i] = SIZE_SOURCE_MIN + prng_below(&prng, SIZE_SOURCE_MAX - SIZE_SOURCE_MIN + 1);
            break;
        case SIZES_EXPONENTIAL:
            sizes[i] = clip(EXPONENTIAL_MEAN * prng_exponential(&prng));
            break;
        default:
            sizes[i] = clip(LOG_NORMAL_MEDIAN * prng_exp(LOG_NORMAL_SIGMA * prng_normal(&prng)));
        }
    }
}

void size_source_histogram(const uint32_t *sizes, size_t count,
                           uint64_t histogram[SIZE_SOURCE_BUCKETS])
{
    memset(histogram, 0, SIZE_SOURCE_BUCKETS * sizeof(*histogram));
    for (size_t i = 0; i < count; i++) {
        size_t bucket = 31 - (size_t)__builtin_clz(sizes[i] | 1);
        histogram[bucket < SIZE_SOURCE_BUCKETS ? bucket : SIZE_SOURCE_BUCKETS - 1]++;
    }
}

/* The sizes of the requests in a script, up to count. */
static size_t read_script(FILE *file, uint32_t *sizes, size_t count)
{
    uint32_t word = 0;
    uint64_t high = 0;
    uint64_t size = 0;
    size_t used = 0;
    while (used < count && fread(&word, sizeof(word), 1, file) == 1) {
        uint32_t argument = word & SCRIPT_ARGUMENT;
        uint32_t skipped[2];
        switch (word >> SCRIPT_KIND_SHIFT) {
        case SCRIPT_SIZE_HIGH:
            high = argument;
            break;
        case SCRIPT_SIZE:
            size = high << SCRIPT_KIND_SHIFT | argument;
            high = 0;
            break;
        case SCRIPT_ALLOCATE:
            sizes[used++] = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
            break;
        case SCRIPT_CHAIN:
            if (fread(skipped, sizeof(skipped), 1, file) != 1) {
                return used;
            }
            break;
        default:
            break;
        }
    }
    return used;
}

bool size_source_load(const char *path, uint32_t *sizes, size_t count, struct command_error *error)
{
    struct script_header header;
    size_t used = 0;
    unsigned long line = 1;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return command_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    }
    if (fread(&header, sizeof(header), 1, file) == 1 && header.magic == SCRIPT_MAGIC) {
        used = read_script(file, sizes, count);
    } else {
        rewind(file);
        unsigned long long size = 0;
        int got = 0;
        for (; used < count && (got = fscanf(file, "%llu", &size)) == 1; line++) {
            if (size == 0 || size > UINT32_MAX) {
                got = 0;
                break;
            }
            sizes[used++] = (uint32_t)size;
        }
        if (got == 0) {
            fclose(file);
            return command_fail(error, "%s:%lu: expected a size of 1 to %u bytes", path, line,
                                UINT32_MAX);
        }
    }
    fclose(file);
    if (used == 0) {
        return command_fail(error, "%s: holds no size", path);
    }
    for (size_t i = used; i < count; i++) {
        sizes[i] = sizes[i - used];
    }
    return true;
}
