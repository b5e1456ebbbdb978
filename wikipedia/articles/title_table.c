/*
 * title_table.c - titles in one text, found by open addressing, a cache line at a time.
 */
#include "title_table.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "huge_array.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define BASE_SHIFT   13             /* 8,192 titles of at most 256 bytes: offsets fit 32 bits */
#define BASES_SIZE   HUGE_ARRAY_MIN /* enough for TITLE_COUNT_MAX */
#define FIND_AT_ONCE 64
#define LINE_SLOTS   16 /* in a cache line, which is 64 bytes nearly everywhere */
#define TEXT_FIRST   ((uint64_t)16 << 20)

typedef uint32_t slot_lanes __attribute__((vector_size(16), may_alias));

/* Where the titles of an even number and of the next odd number begin. */
static uint64_t pair_begin(const struct title_table *table, uint32_t number)
{
    return table->bases[number >> BASE_SHIFT] + table->begins[number / 2];
}

static uint64_t begin_of(const struct title_table *table, uint32_t number)
{
    const uint64_t begin = pair_begin(table, number);
    return number % 2 == 0 ? begin : begin + strlen(table->text + begin) + 1;
}

const char *title_text(const struct title_table *table, uint32_t number, size_t *length)
{
    pw_assert(number < table->count);
    const char *text = table->text + begin_of(table, number);
    *length = strlen(text);
    return text;
}

/* Enlarge an array to that many bytes, if it is smaller, and keep its size. */
static bool grow(void *array, uint64_t *size, uint64_t bytes)
{
    if (*size >= bytes) {
        return true;
    }
    if (!huge_array_grow(array, *size, bytes)) {
        return false;
    }
    *size = bytes;
    return true;
}

/* Room for one title more. False when out of memory; title_table_free gives back what has grown. */
static bool reserve(struct title_table *table)
{
    struct title_sizes *sizes = &table->sizes;
    if (sizes->text < table->text_end + TITLE_LENGTH_MAX + 1 &&
        !grow(&table->text, &sizes->text, sizes->text > 0 ? sizes->text * 2 : TEXT_FIRST)) {
        return false;
    }
    if (table->room == table->count) {
        const uint64_t room = table->room > 0 ? (uint64_t)table->room * 2 : HUGE_ARRAY_MIN;
        if (!grow(&table->bases, &sizes->bases, BASES_SIZE) ||
            !grow(&table->begins, &sizes->begins, room / 2 * sizeof(*table->begins)) ||
            !grow(&table->page_ids, &sizes->page_ids, room * sizeof(*table->page_ids)) ||
            !grow(&table->ends, &sizes->ends, room * sizeof(*table->ends)) ||
            (table->has_spaces && !grow(&table->spaces, &sizes->spaces, room))) {
            return false;
        }
        table->room = (uint32_t)room;
    }
    return true;
}

const char *title_table_add(struct title_table *table, uint32_t page_id, unsigned space,
                            uint32_t end, const char *text, size_t length)
{
    const uint32_t number = table->count;
    pw_assert(length <= TITLE_LENGTH_MAX);
    if (memchr(text, '\0', length) != NULL) {
        return "page_title holds a NUL";
    }
    if (number == TITLE_COUNT_MAX) {
        return "there are more than 2^30 - 16 pages";
    }
    if (!reserve(table)) {
        return "out of memory";
    }
    if (number % (1U << BASE_SHIFT) == 0) {
        table->bases[number >> BASE_SHIFT] = table->text_end;
    }
    if (number % 2 == 0) {
        table->begins[number / 2] =
            (uint32_t)(table->text_end - table->bases[number >> BASE_SHIFT]);
    }
    table->is_unordered |= number > 0 && table->page_ids[number - 1] >= page_id;
    memcpy(table->text + table->text_end, text, length);
    table->text[table->text_end + length] = '\0';
    table->text_end += length + 1;
    table->page_ids[number] = page_id;
    table->ends[number] = end;
    if (table->has_spaces) {
        table->spaces[number] = (uint8_t)space;
    }
    table->count++;
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
    struct title_table other = done ? *table : sorted;
    *table = done ? sorted : *table;
    title_table_free(&other);
    return done;
}

static uint64_t hash_of(const struct title_query *query)
{
    return XXH3_64bits(query->text, query->length) + query->space * UINT64_C(0x9e3779b97f4a7c15);
}

/* The slot where the search for a hash starts: the first of a cache line. */
static uint64_t first_slot(const struct title_table *table, uint64_t hash)
{
    return ((hash >> 32) * (table->slot_count / LINE_SLOTS) >> 32) * LINE_SLOTS;
}

/* The tag above the number in a slot: bits of the hash that do not choose the slot. */
static uint32_t tag_of(const struct title_table *table, uint64_t hash)
{
    return (uint32_t)hash << table->number_bits;
}

/* The number in a slot plus one; 0 if the slot is empty. */
static uint32_t number_in(const struct title_table *table, uint64_t slot)
{
    return table->slots[slot] & ((UINT32_C(1) << table->number_bits) - 1);
}

/* The first slot from one on that is empty or has the tag of a hash. A whole line is compared at
 * once, because the number of steps cannot be predicted. */
static uint64_t next_slot(const struct title_table *table, uint64_t slot, uint64_t hash)
{
    const uint32_t tag = tag_of(table, hash);
    const slot_lanes bits = {1, 2, 4, 8};
    for (;;) {
        const uint64_t begin = slot < table->slot_count ? slot / LINE_SLOTS * LINE_SLOTS : 0;
        slot_lanes found = {0};
        for (unsigned i = 0; i < LINE_SLOTS; i += 4) {
            const slot_lanes lanes = *(const slot_lanes *)&table->slots[begin + i];
            const slot_lanes other = (lanes ^ tag) >> table->number_bits;
            found |= (slot_lanes)((lanes == 0) | (other == 0)) & (bits << i);
        }
        const uint32_t all = found[0] | found[1] | found[2] | found[3];
        slot %= LINE_SLOTS;
        if (all >> slot != 0) {
            return begin + slot + (unsigned)__builtin_ctz(all >> slot);
        }
        slot = begin + LINE_SLOTS;
    }
}

static bool is_title(const struct title_table *table, uint32_t number,
                     const struct title_query *query)
{
    size_t length;
    const char *text = title_text(table, number, &length);
    return length == query->length &&
           (table->spaces == NULL || table->spaces[number] == query->space) &&
           memcmp(text, query->text, length) == 0;
}

/* The slot of a title, or the empty slot where it would go. slot: the result of next_slot. */
static uint64_t find_slot(const struct title_table *table, uint64_t slot, uint64_t hash,
                          const struct title_query *query)
{
    while (table->slots[slot] != 0 && !is_title(table, number_in(table, slot) - 1, query)) {
        slot = next_slot(table, slot + 1, hash);
    }
    return slot;
}

/* Compute the hashes of titles and fetch their slots. */
static void hash_titles(const struct title_table *table, const struct title_query *queries,
                        size_t count, uint64_t *hashes)
{
    for (size_t i = 0; i < count; i++) {
        hashes[i] = hash_of(&queries[i]);
        __builtin_prefetch(&table->slots[first_slot(table, hashes[i])]);
    }
}

const char *title_table_index(struct title_table *table, uint32_t *bad)
{
    *bad = 0;
    if (table->count > 0 && table->is_unordered && !sort_pages(table)) {
        return "out of memory";
    }
    while (table->count >> table->number_bits != 0) {
        table->number_bits++;
    }
    table->slot_count = (table->count / 4 * 5 / LINE_SLOTS + 1) * LINE_SLOTS;
    table->slots = memory_map(table->slot_count * sizeof(*table->slots), true);
    if (table->slots == NULL) {
        return "out of memory";
    }
    for (uint32_t first = 0; first < table->count; first += FIND_AT_ONCE) {
        const uint32_t left = table->count - first;
        const uint32_t count = left < FIND_AT_ONCE ? left : FIND_AT_ONCE;
        struct title_query queries[FIND_AT_ONCE];
        uint64_t hashes[FIND_AT_ONCE];
        for (uint32_t i = 0; i < count; i++) {
            size_t length;
            queries[i].text = title_text(table, first + i, &length);
            queries[i].length = (uint32_t)length;
            queries[i].space = table->spaces != NULL ? table->spaces[first + i] : 0;
        }
        hash_titles(table, queries, count, hashes);
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t start = next_slot(table, first_slot(table, hashes[i]), hashes[i]);
            const uint64_t slot = find_slot(table, start, hashes[i], &queries[i]);
            *bad = first + i;
            if (first + i > 0 && table->page_ids[first + i - 1] == table->page_ids[first + i]) {
                return "two pages have the id";
            }
            if (table->slots[slot] != 0) {
                return "two pages have the title of page";
            }
            table->slots[slot] = (first + i + 1) | tag_of(table, hashes[i]);
        }
    }
    return NULL;
}

void title_table_find(const struct title_table *table, const struct title_query *queries,
                      size_t count, uint32_t *numbers)
{
    uint64_t hashes[FIND_AT_ONCE], slots[FIND_AT_ONCE];
    for (size_t first = 0; first < count; first += FIND_AT_ONCE) {
        const size_t some = count - first < FIND_AT_ONCE ? count - first : FIND_AT_ONCE;
        const struct title_query *query = queries + first;
        hash_titles(table, query, some, hashes);
        for (size_t i = 0; i < some; i++) {
            slots[i] = next_slot(table, first_slot(table, hashes[i]), hashes[i]);
            const uint32_t number = number_in(table, slots[i]); /* plus one, but near enough */
            __builtin_prefetch(&table->begins[number / 2]);
            __builtin_prefetch(&table->ends[number]); /* the caller's next question */
        }
        for (size_t i = 0; i < some; i++) {
            const uint32_t number = number_in(table, slots[i]);
            __builtin_prefetch(table->text + pair_begin(table, number - (number > 0)));
        }
        for (size_t i = 0; i < some; i++) {
            const uint64_t slot = find_slot(table, slots[i], hashes[i], &query[i]);
            numbers[first + i] = table->slots[slot] != 0 ? number_in(table, slot) - 1 : TITLE_NONE;
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
    memory_unmap(table->slots, table->slot_count * sizeof(*table->slots));
    table->slots = NULL;
    table->slot_count = 0;
}

void title_table_free(struct title_table *table)
{
    title_table_free_slots(table);
    memory_unmap(table->bases, table->sizes.bases);
    memory_unmap(table->text, table->sizes.text);
    memory_unmap(table->begins, table->sizes.begins);
    memory_unmap(table->page_ids, table->sizes.page_ids);
    memory_unmap(table->ends, table->sizes.ends);
    memory_unmap(table->spaces, table->sizes.spaces);
    *table = (struct title_table){.has_spaces = table->has_spaces};
}

uint64_t title_table_memory(const struct title_table *table)
{
    return table->text_end + (uint64_t)table->count * (10 + (uint64_t)table->has_spaces) +
           table->slot_count * sizeof(*table->slots);
}
