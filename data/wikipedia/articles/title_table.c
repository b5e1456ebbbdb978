/*
 * title_table.c - titles in one text, found by open addressing with linear probing.
 */
#include "title_table.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BASE_SHIFT   12 /* 4,096 titles of at most 256 bytes: 32 bits say where each begins */
#define FIND_AT_ONCE 64

static uint64_t begin_of(const struct title_table *table, uint32_t number)
{
    return table->bases[number >> BASE_SHIFT] + table->begins[number];
}

const char *title_text(const struct title_table *table, uint32_t number, size_t *length)
{
    pw_assert(number < table->count);
    const uint64_t begin = begin_of(table, number);
    *length = (size_t)(begin_of(table, number + 1) - begin) - 1;
    return table->text + begin;
}

static bool grow(void *array, uint64_t count, size_t size)
{
    void **place = array;
    void *larger = realloc(*place, count * size);
    if (larger != NULL) {
        *place = larger;
    }
    return larger != NULL;
}

/* Room for one title more, and for where the one behind it begins. */
static bool reserve(struct title_table *table, uint64_t text_end)
{
    if (table->text_size < text_end + TITLE_LENGTH_MAX + 1) {
        const uint64_t size = table->text_size + table->text_size / 2 + 65536;
        if (!grow(&table->text, size, 1)) {
            return false;
        }
        table->text_size = size;
    }
    if (table->room < table->count + 2) {
        const uint32_t room = table->room + table->room / 2 + 4096;
        if (!grow(&table->begins, room, sizeof(*table->begins)) ||
            !grow(&table->page_ids, room, sizeof(*table->page_ids)) ||
            !grow(&table->ends, room, sizeof(*table->ends)) ||
            !grow(&table->bases, (room >> BASE_SHIFT) + 1, sizeof(*table->bases)) ||
            (table->has_spaces && !grow(&table->spaces, room, sizeof(*table->spaces)))) {
            return false;
        }
        table->room = room;
    }
    return true;
}

static void set_begin(struct title_table *table, uint32_t number, uint64_t begin)
{
    if (number % (1U << BASE_SHIFT) == 0) {
        table->bases[number >> BASE_SHIFT] = begin;
    }
    table->begins[number] = (uint32_t)(begin - table->bases[number >> BASE_SHIFT]);
}

const char *title_table_add(struct title_table *table, uint32_t page_id, unsigned space,
                            uint32_t end, const char *text, size_t length)
{
    const uint32_t number = table->count;
    if (length > TITLE_LENGTH_MAX) {
        return "page_title is longer than 255 bytes";
    }
    if (memchr(text, '\0', length) != NULL) {
        return "page_title holds a NUL";
    }
    if (number == TITLE_COUNT_MAX) {
        return "there are more than 2^30 pages";
    }
    const uint64_t begin = number > 0 ? begin_of(table, number) : 0;
    if (!reserve(table, begin)) {
        return "out of memory";
    }
    if (number == 0) {
        set_begin(table, 0, 0);
    } else if (table->page_ids[number - 1] >= page_id) {
        table->is_unordered = true;
    }
    memcpy(table->text + begin, text, length);
    table->text[begin + length] = '\0';
    table->page_ids[number] = page_id;
    table->ends[number] = end;
    if (table->has_spaces) {
        table->spaces[number] = (uint8_t)space;
    }
    table->count++;
    set_begin(table, number + 1, begin + length + 1);
    return NULL;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Put the titles into the order of their page ids. False when out of memory. */
static bool sort_pages(struct title_table *table)
{
    struct title_table sorted = {.has_spaces = table->has_spaces};
    uint64_t *pairs = malloc(table->count * sizeof(*pairs));
    bool done = pairs != NULL;
    for (uint32_t i = 0; done && i < table->count; i++) {
        pairs[i] = (uint64_t)table->page_ids[i] << 32 | i;
    }
    if (done) {
        qsort(pairs, table->count, sizeof(*pairs), compare_pairs);
    }
    for (uint32_t i = 0; done && i < table->count; i++) {
        size_t length;
        const uint32_t from = (uint32_t)pairs[i];
        const char *text = title_text(table, from, &length);
        done = title_table_add(&sorted, table->page_ids[from],
                               table->has_spaces ? table->spaces[from] : 0, table->ends[from], text,
                               length) == NULL;
    }
    free(pairs);
    if (done) {
        struct title_table unsorted = *table;
        *table = sorted;
        sorted = unsorted;
    }
    title_table_free(&sorted);
    return done;
}

static uint64_t hash_of(const char *text, size_t length, uint32_t space)
{
    return XXH3_64bits(text, length) + space * UINT64_C(0x9e3779b97f4a7c15);
}

/* The slot where a hash is looked for first. */
static uint64_t first_slot(const struct title_table *table, uint64_t hash)
{
    return (hash >> 32) * table->slot_count >> 32;
}

static bool is_title(const struct title_table *table, uint32_t number, const char *text,
                     size_t length, uint32_t space)
{
    size_t own_length;
    const char *own = title_text(table, number, &own_length);
    return own_length == length && (table->spaces == NULL || table->spaces[number] == space) &&
           memcmp(own, text, length) == 0;
}

/* The slot of a title, or the empty one where it would go. */
static uint64_t find_slot(const struct title_table *table, uint64_t slot,
                          const struct title_query *query)
{
    while (table->slots[slot] != 0 &&
           !is_title(table, table->slots[slot] - 1, query->text, query->length, query->space)) {
        slot = slot + 1 < table->slot_count ? slot + 1 : 0;
    }
    return slot;
}

const char *title_table_index(struct title_table *table, uint32_t *bad)
{
    *bad = 0;
    if (table->count > 0 && table->is_unordered && !sort_pages(table)) {
        return "out of memory";
    }
    table->slot_count = table->count + table->count / 2 + 8;
    table->slots = calloc(table->slot_count, sizeof(*table->slots));
    if (table->slots == NULL) {
        return "out of memory";
    }
    for (uint32_t first = 0; first < table->count; first += FIND_AT_ONCE) {
        const uint32_t left = table->count - first;
        const uint32_t count = left < FIND_AT_ONCE ? left : FIND_AT_ONCE;
        struct title_query queries[FIND_AT_ONCE];
        uint64_t slots[FIND_AT_ONCE];
        for (uint32_t i = 0; i < count; i++) {
            size_t length;
            queries[i].text = title_text(table, first + i, &length);
            queries[i].length = (uint32_t)length;
            queries[i].space = table->spaces != NULL ? table->spaces[first + i] : 0;
            slots[i] = first_slot(table, hash_of(queries[i].text, length, queries[i].space));
            __builtin_prefetch(&table->slots[slots[i]]);
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t slot = find_slot(table, slots[i], &queries[i]);
            *bad = first + i;
            if (first + i > 0 && table->page_ids[first + i - 1] == table->page_ids[first + i]) {
                return "two pages have the id";
            }
            if (table->slots[slot] != 0) {
                return "two pages have the title of page";
            }
            table->slots[slot] = first + i + 1;
        }
    }
    return NULL;
}

void title_table_find(const struct title_table *table, const struct title_query *queries,
                      size_t count, uint32_t *numbers)
{
    uint64_t slots[FIND_AT_ONCE];
    for (size_t first = 0; first < count; first += FIND_AT_ONCE) {
        const size_t some = count - first < FIND_AT_ONCE ? count - first : FIND_AT_ONCE;
        const struct title_query *query = queries + first;
        for (size_t i = 0; i < some; i++) {
            slots[i] = first_slot(table, hash_of(query[i].text, query[i].length, query[i].space));
            __builtin_prefetch(&table->slots[slots[i]]);
        }
        for (size_t i = 0; i < some; i++) {
            const uint32_t slot = table->slots[slots[i]];
            __builtin_prefetch(&table->begins[slot]);
            numbers[first + i] = slot;
        }
        for (size_t i = 0; i < some; i++) {
            if (numbers[first + i] != 0) {
                __builtin_prefetch(table->text + begin_of(table, numbers[first + i] - 1));
            }
        }
        for (size_t i = 0; i < some; i++) {
            const uint32_t slot = table->slots[find_slot(table, slots[i], &query[i])];
            numbers[first + i] = slot != 0 ? slot - 1 : TITLE_NONE;
        }
    }
}

uint32_t title_table_find_page(const struct title_table *table, uint32_t page_id, uint32_t hint)
{
    uint32_t low = 0, high = table->count;
    if (hint < table->count && table->page_ids[hint] <= page_id) { /* gallop */
        low = hint;
        for (uint32_t step = 1; low + step < high; step *= 2) {
            if (table->page_ids[low + step] > page_id) {
                high = low + step;
                break;
            }
            low += step;
        }
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (table->page_ids[middle] < page_id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < table->count && table->page_ids[low] == page_id ? low : TITLE_NONE;
}

void title_table_free_slots(struct title_table *table)
{
    free(table->slots);
    table->slots = NULL;
    table->slot_count = 0;
}

void title_table_free(struct title_table *table)
{
    title_table_free_slots(table);
    free(table->text);
    free(table->bases);
    free(table->begins);
    free(table->page_ids);
    free(table->ends);
    free(table->spaces);
    *table = (struct title_table){.has_spaces = table->has_spaces};
}

uint64_t title_table_memory(const struct title_table *table)
{
    const uint64_t text = table->count > 0 ? begin_of(table, table->count) : 0;
    return text + (uint64_t)table->count * (12 + (uint64_t)table->has_spaces) +
           table->slot_count * sizeof(*table->slots);
}
