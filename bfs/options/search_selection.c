/*
 * search_selection.c - lists of numbers and ranges.
 */
#include "search_selection.h"
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 1000000000000 /* keeps the arithmetic far from overflow */

static bool read_number(const char **at, size_t *number)
{
    size_t value = 0;
    const char *p = *at;
    for (; *p >= '0' && *p <= '9' && value < NUMBER_MAX; p++) {
        value = value * 10 + (size_t)(*p - '0');
    }
    bool legal = p != *at && value > 0;
    *at = p;
    *number = value;
    return legal;
}

/* The next "a" or "a-b" of a list; *at moves behind it and its comma. */
static bool read_range(const char **at, size_t *first, size_t *last)
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
    size_t first = 0;
    size_t last = 0;
    do {
        if (!read_range(&at, &first, &last)) {
            return command_fail(error,
                                "expected numbers and ranges from 1 such as 1,3,9 or 1-15,40, "
                                "found \"%.100s\"",
                                text);
        }
    } while (*at != '\0');
    ((struct search_selection *)selection)->text = text;
    return true;
}

bool search_selection_resolve(const struct search_selection *selection, size_t count,
                              size_t **numbers, size_t *number_count, struct command_error *error)
{
    bool *chosen = calloc(count + 1, sizeof(*chosen));
    *numbers =
        count < SIZE_MAX / sizeof(**numbers) ? malloc((count + 1) * sizeof(**numbers)) : NULL;
    *number_count = 0;
    if (chosen == NULL || *numbers == NULL) {
        command_fail(error, "out of memory for %zu searches", count);
        goto fail;
    }
    if (selection->text == NULL) {
        memset(chosen, true, count + 1);
    }
    for (const char *at = selection->text; at != NULL && *at != '\0';) {
        size_t first = 0;
        size_t last = 0;
        read_range(&at, &first, &last);
        if (last > count) {
            command_fail(error, "--only %s: there is no search %zu, only 1 to %zu", selection->text,
                         first > count ? first : last, count);
            goto fail;
        }
        memset(chosen + first, true, last - first + 1);
    }
    for (size_t number = 1; number <= count; number++) {
        if (chosen[number]) {
            (*numbers)[(*number_count)++] = number;
        }
    }
    free(chosen);
    return true;
fail:
    free(chosen);
    free(*numbers);
    *numbers = NULL;
    return false;
}
