/*
 * search_selection.c - lists of numbers and ranges.
 */
#include "search_selection.h"
#include "base/number.h"
#include <stdlib.h>
#include <string.h>

static bool read_number(const char **at, uint64_t *number)
{
    size_t length = strspn(*at, "0123456789");
    bool legal = number_read(*at, length, NUMBER_COUNT, number) && *number > 0;
    *at += length;
    return legal;
}

/* Read the next "a" or "a-b" of a list; *at moves past it and its comma. */
static bool read_range(const char **at, uint64_t *first, uint64_t *last)
{
    if (!read_number(at, first)) {
        return false;
    }
    *last = *first;
    if (**at == '-') {
        ++*at;
        if (!read_number(at, last) || *last < *first) {
            return false;
        }
    }
    if (**at == ',') {
        ++*at;
        return **at != '\0';
    }
    return **at == '\0';
}

bool search_selection_read(const char *text, void *selection, struct command_error *error)
{
    const char *at = text;
    uint64_t first, last;
    do {
        if (!read_range(&at, &first, &last)) {
            return command_fail(error,
                                "expected numbers and ranges from 1 such as 1,3,9 or 1-15,40, "
                                "found \"%.100s\"",
                                text);
        }
    } while (*at != '\0');
    *(const char **)selection = text;
    return true;
}

int search_selection_resolve(const char *selection, size_t count, size_t **numbers,
                             size_t *number_count, struct command_error *error)
{
    int status = EXIT_FAILED;
    bool *chosen = calloc(count + 1, sizeof(*chosen));
    *numbers = calloc(count + 1, sizeof(**numbers));
    *number_count = 0;
    if (chosen == NULL || *numbers == NULL) {
        command_fail(error, "out of memory for %zu searches", count);
        goto fail;
    }
    memset(chosen, selection == NULL, count + 1);
    for (const char *at = selection; at != NULL && *at != '\0';) {
        uint64_t first = 0, last = 0;
        read_range(&at, &first, &last);
        if (last > count) {
            command_fail(error, "--only %s: there is no search %llu, only 1 to %zu", selection,
                         (unsigned long long)(first > count ? first : last), count);
            status = EXIT_USAGE;
            goto fail;
        }
        memset(chosen + first, true, (size_t)(last - first + 1));
    }
    for (size_t number = 1; number <= count; number++) {
        if (chosen[number]) {
            (*numbers)[(*number_count)++] = number;
        }
    }
    free(chosen);
    return EXIT_OK;
fail:
    free(chosen);
    free(*numbers);
    *numbers = NULL;
    return status;
}
