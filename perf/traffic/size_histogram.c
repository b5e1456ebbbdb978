/*
 * size_histogram.c - see size_histogram.h.
 */
#include "size_histogram.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "prng.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 400
#define NUMBERS_MAX    (2 + HISTOGRAM_KINDS_MAX)
#define BETWEEN        ", \t\r\n"

/* The names of a head, after the two of the sizes. */
static void read_head(struct size_histogram *histogram, char *line)
{
    char *rest = NULL;
    size_t place = 0;
    for (char *word = strtok_r(line, ",\r\n", &rest); word != NULL;
         word = strtok_r(NULL, ",\r\n", &rest), place++) {
        if (place >= 2 && place < NUMBERS_MAX) {
            snprintf(histogram->names[place - 2], sizeof(histogram->names[0]), "%s", word);
        }
    }
}

/* The numbers of a line; 0: it holds something else, or too many. */
static size_t read_numbers(const char *line, uint64_t numbers[NUMBERS_MAX])
{
    size_t count = 0;
    for (line += strspn(line, BETWEEN); *line != '\0'; line += strspn(line, BETWEEN)) {
        char *end = NULL;
        errno = 0;
        if (!isdigit((unsigned char)*line) || count == NUMBERS_MAX) {
            return 0;
        }
        numbers[count++] = strtoull(line, &end, 10);
        if (errno != 0 || (*end != '\0' && strchr(BETWEEN, *end) == NULL)) {
            return 0;
        }
        line = end;
    }
    return count;
}

/* Add a line, for which there is room; false: the line is not of this histogram. */
static bool add_line(struct size_histogram *histogram, const char *line)
{
    uint64_t numbers[NUMBERS_MAX];
    size_t count = read_numbers(line, numbers);
    size_t first = count > 2 ? 2 : 1; /* of the counts */
    if (count < 2 || (histogram->kind_count > 0 && histogram->kind_count != count - first)) {
        return false;
    }
    uint64_t from = numbers[0];
    uint64_t to = numbers[first - 1];
    if (from < 1 || to < from || to > UINT32_MAX - 1) {
        return false;
    }
    struct size_range *range = &histogram->ranges[histogram->range_count];
    *range = (struct size_range){.from = (uint32_t)from, .to = (uint32_t)to};
    histogram->kind_count = count - first;
    for (size_t kind = 0; kind < histogram->kind_count; kind++) {
        uint64_t before = size_histogram_total(histogram, kind);
        if (__builtin_add_overflow(before, numbers[first + kind], &range->counts[kind])) {
            return false;
        }
    }
    histogram->range_count++;
    return true;
}

bool size_histogram_load(struct size_histogram *histogram, const char *path,
                         struct command_error *error)
{
    char line[LINE_MAX_BYTES];
    unsigned long number = 0;
    bool legal = true;
    bool has_room = true;
    *histogram = (struct size_histogram){.names = {"histogram"}};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return command_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    }
    while (legal && has_room && fgets(line, sizeof(line), file) != NULL) {
        number++;
        if (number == 1 && line[0] == 's') {
            read_head(histogram, line);
        } else if (line[strspn(line, BETWEEN)] != '\0' && line[0] != '#') {
            has_room = array_reserve(&histogram->ranges, &histogram->range_capacity,
                                     histogram->range_count + 1, sizeof(*histogram->ranges));
            legal = has_room && add_line(histogram, line);
        }
    }
    fclose(file);
    if (!has_room) {
        return command_fail(error, "out of memory");
    }
    if (!legal) {
        line[strcspn(line, "\r\n")] = '\0';
        return command_fail(error, "%s:%lu: expected a size and a count, found \"%.100s\"", path,
                            number, line);
    }
    for (size_t kind = 0; kind < histogram->kind_count; kind++) {
        legal = legal && size_histogram_total(histogram, kind) > 0;
    }
    return (histogram->kind_count > 0 && legal) ||
           command_fail(error, "%s: holds no count%s", path, legal ? "" : " of some kind");
}

void size_histogram_close(struct size_histogram *histogram)
{
    free(histogram->ranges);
    histogram->ranges = NULL;
}

uint64_t size_histogram_total(const struct size_histogram *histogram, size_t kind)
{
    pw_assert(kind < HISTOGRAM_KINDS_MAX);
    return histogram->range_count > 0 ? histogram->ranges[histogram->range_count - 1].counts[kind]
                                      : 0;
}

void size_histogram_draw(const struct size_histogram *histogram, size_t kind, uint64_t seed,
                         uint32_t *sizes, size_t count)
{
    const uint64_t total = size_histogram_total(histogram, kind);
    struct prng prng;
    pw_assert(total > 0);
    prng_start(&prng, seed);
    for (size_t i = 0; i < count; i++) {
        uint64_t drawn = prng_next(&prng) % total; /* the bias is below total / 2^64 */
        size_t low = 0;
        for (size_t high = histogram->range_count - 1; low < high;) { /* the first beyond drawn */
            size_t middle = low + (high - low) / 2;
            if (histogram->ranges[middle].counts[kind] > drawn) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        const struct size_range *range = &histogram->ranges[low];
        sizes[i] = range->from + prng_below(&prng, range->to - range->from + 1);
    }
}
