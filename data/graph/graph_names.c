/*
 * graph_names.c - names in one block of text, with a hash table of their numbers.
 *
 * Cost: the text, 8 bytes per name, and up to 16 more per name for the table (open addressing, at
 * most half full), which only interned names need.
 */
#include "graph_names.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NAME_COUNT_MAX (UINT32_MAX - 1) /* as many as there are node ids */

struct graph_names *graph_names_create(void)
{
    struct graph_names *names = calloc(1, sizeof(*names));
    uint64_t *begins = calloc(1, sizeof(*begins));
    if (names == NULL || begins == NULL) {
        free(names);
        free(begins);
        return NULL;
    }
    names->begins = begins;
    names->begin_capacity = 1;
    return names;
}

void graph_names_free(struct graph_names *names)
{
    if (names != NULL) {
        if (!names->is_mapped) {
            free(names->text);
            free(names->begins);
        }
        if (names->made_buckets) {
            free(names->buckets);
        }
        free(names->slots);
        free(names);
    }
}

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

size_t graph_names_decode(char *to, const char *text, size_t length)
{
    size_t used = 0;
    if (memchr(text, '%', length) == NULL) { /* most names */
        memcpy(to, text, length);
        return length;
    }
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%' && length - i > 2 && hex_value(text[i + 1]) >= 0 &&
            hex_value(text[i + 2]) >= 0) {
            int value = hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]);
            if (value != 0) {
                c = (char)value;
                i += 2;
            }
        }
        to[used++] = c;
    }
    return used;
}

static bool reserve(struct graph_names *names, size_t length)
{
    const size_t used = (size_t)names->begins[names->count];
    return array_reserve(&names->text, &names->text_capacity, used + length + 1, 1) &&
           array_reserve(&names->begins, &names->begin_capacity, (size_t)names->count + 2,
                         sizeof(*names->begins));
}

/* Count the name that was just written after the last one. Returns true. */
static bool end_name(struct graph_names *names, size_t used)
{
    uint64_t end = names->begins[names->count] + used;
    pw_assert(names->buckets == NULL); /* which would not have it */
    pw_assert(end < names->text_capacity && names->count + 1 < names->begin_capacity);
    names->text[end] = '\0';
    names->count++;
    names->begins[names->count] = end + 1;
    return true;
}

bool graph_names_add(struct graph_names *names, const char *text, size_t length)
{
    if (names->count >= NAME_COUNT_MAX || !reserve(names, length)) {
        return false;
    }
    char *to = names->text + names->begins[names->count];
    size_t used = graph_names_decode(to, text, length);
    if (used < length && !utf8_is_text(to, to + used) && utf8_is_text(text, text + length)) {
        memcpy(to, text, length); /* "per%cent" */
        used = length;
    }
    return end_name(names, used);
}

bool graph_names_add_plain(struct graph_names *names, const char *text, size_t length)
{
    if (names->count >= NAME_COUNT_MAX || !reserve(names, length)) {
        return false;
    }
    memcpy(names->text + names->begins[names->count], text, length);
    return end_name(names, length);
}

uint64_t graph_names_memory(const struct graph_names *names)
{
    return names->begins[names->count] + (uint64_t)names->count * 24;
}

static size_t name_length(const struct graph_names *names, uint32_t number)
{
    return (size_t)(names->begins[number + 1] - names->begins[number]) - 1;
}

/* The slot with the decoded name, or the empty slot for it. */
static uint32_t *find_slot(struct graph_names *names, const char *text, size_t length)
{
    pw_assert(names->slot_count / 2 > names->count - (names->count > 0)); /* so one is empty */
    uint64_t i = XXH3_64bits(text, length) & (names->slot_count - 1);
    for (;; i = (i + 1) & (names->slot_count - 1)) {
        uint32_t slot = names->slots[i];
        if (slot == 0 || (name_length(names, slot - 1) == length &&
                          memcmp(names->text + names->begins[slot - 1], text, length) == 0)) {
            return &names->slots[i];
        }
    }
}

/* Make a table that is less than half full with one more name, and put all names in it. */
static bool prepare(struct graph_names *names)
{
    if (names->slots != NULL && names->slot_count / 2 > names->count) {
        return true;
    }
    uint64_t count = 1024;
    while (count / 4 < names->count) {
        count *= 2;
    }
    free(names->slots);
    pw_assert(count / 2 > names->count);
    names->slot_count = count;
    names->slots = calloc((size_t)count, sizeof(*names->slots));
    if (names->slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < names->count; i++) {
        uint32_t *slot = find_slot(names, names->text + names->begins[i], name_length(names, i));
        if (*slot == 0) { /* only the first of equal names is found */
            *slot = i + 1;
        }
    }
    return true;
}

/* The number of the name just added. If there is an equal one: its number, and the copy goes. */
static bool intern_last(struct graph_names *names, uint32_t *number)
{
    pw_assert(names->count > 0);
    uint32_t last = names->count - 1;
    uint32_t *slot = find_slot(names, names->text + names->begins[last], name_length(names, last));
    if (*slot == 0) {
        *slot = names->count;
    } else {
        names->count--; /* known: forget the copy */
    }
    *number = *slot - 1;
    pw_assert(*number < names->count);
    return true;
}

bool graph_names_intern(struct graph_names *names, const char *text, size_t length,
                        uint32_t *number)
{
    return prepare(names) && graph_names_add(names, text, length) && intern_last(names, number);
}

bool graph_names_intern_plain(struct graph_names *names, const char *text, size_t length,
                              uint32_t *number)
{
    return prepare(names) && graph_names_add_plain(names, text, length) &&
           intern_last(names, number);
}

bool graph_names_check(const struct graph_names *names)
{
    bool holds = names->begins[0] == 0;
    for (uint32_t i = 0; i < names->count && holds; i++) {
        holds = names->begins[i] < names->begins[i + 1] &&
                names->begins[i + 1] <= names->begins[names->count] &&
                names->text[names->begins[i + 1] - 1] == '\0';
    }
    return holds;
}
