/*
 * title_table.h - the pages of the wanted namespaces: their titles, and what each one leads to.
 *
 * A title's number is the rank of its page id. Numbers are found by title through a hash table
 * that is four fifths full, and by page id by search. Lookups come in batches, so that memory is
 * fetched ahead. Cost: 10 bytes per title (begin 2, page id 4, end 4) and its text, 5 more for the
 * slots, one more with several namespaces.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TITLE_NONE       UINT32_MAX
#define TITLE_LENGTH_MAX 255
#define TITLE_COUNT_MAX  ((UINT32_C(1) << 30) - 16) /* an end below 2^30 */

/* What a title, or a link to it, leads to. From TITLE_NODE on: TITLE_NODE plus a node. */
enum title_end {
    TITLE_UNKNOWN,    /* nobody has said */
    TITLE_RED,        /* no page has the title */
    TITLE_ELSEWHERE,  /* a page of another namespace or wiki */
    TITLE_DROPPED,    /* a page that was left out */
    TITLE_MISSING,    /* a redirect that leads to no page, */
    TITLE_CIRCLE,     /* to itself, through others too, */
    TITLE_UNLISTED,   /* or nowhere: table redirect does not have it, */
    TITLE_TO_DROPPED, /* or to a page that was left out */
    TITLE_REDIRECT,   /* a redirect that was not followed yet */
    TITLE_WALKED,     /* one that is being followed */
    TITLE_ARTICLE,    /* not numbered yet */
    TITLE_NODE = 16
};
#define TITLE_THROUGH  (UINT32_C(1) << 31) /* reached through a redirect */
#define TITLE_TEMPLATE (UINT32_C(1) << 30) /* a template's number follows */

/* True if an end is a template's number. */
static inline bool title_is_template(uint32_t end)
{
    return (end & (TITLE_TEMPLATE | TITLE_THROUGH)) == TITLE_TEMPLATE;
}

/* The bytes mapped for each array. A failure may leave some arrays larger than the others. */
struct title_sizes {
    uint64_t text, bases, begins, page_ids, ends, spaces;
};

struct title_table {
    uint32_t count;
    char *text;        /* of all titles, each ended by a NUL */
    uint64_t text_end; /* bytes in use */
    uint64_t *bases;   /* where every 8,192nd begins */
    uint32_t *begins;  /* of every other one, from the base on */
    uint32_t *page_ids, *ends;
    uint8_t *spaces; /* which of the namespaces; NULL: only one */
    uint32_t room;   /* titles that all of begins, page_ids, ends and spaces have room for */
    struct title_sizes sizes;
    /* Numbers plus one; above number_bits, bits of the titles' hashes. In lines of 16, each filled
     * from its start; a number that finds its line full goes into the next line. */
    uint32_t *slots;
    uint64_t slot_count;
    unsigned number_bits;
    bool has_spaces;
    bool is_unordered; /* page ids did not ascend */
};

struct title_query {
    const char *text;
    uint32_t length;
    uint32_t space;
};

/* Add a page; NULL, or the rule that it breaks. end: TITLE_ARTICLE or TITLE_REDIRECT. length: at
 * most TITLE_LENGTH_MAX. */
const char *title_table_add(struct title_table *table, uint32_t page_id, unsigned space,
                            uint32_t end, const char *text, size_t length);

/* Number the pages by their ids and build the index. Returns NULL, or what is wrong, with *bad set
 * to the number of a page. */
const char *title_table_index(struct title_table *table, uint32_t *bad);

/* A title's text, ended by a NUL. */
const char *title_text(const struct title_table *table, uint32_t number, size_t *length);

/* Look up titles: their numbers, or TITLE_NONE if there is no such page. Safe in any thread. */
void title_table_find(const struct title_table *table, const struct title_query *queries,
                      size_t count, uint32_t *numbers);

/* The number of a page, or TITLE_NONE. hint: a number found before; pages near it are fast. */
uint32_t title_table_find_page(const struct title_table *table, uint32_t page_id, uint32_t hint);

/* Free the slots, once no title is looked up any more. */
void title_table_free_slots(struct title_table *table);
void title_table_free(struct title_table *table);

/* Bytes in use now. */
uint64_t title_table_memory(const struct title_table *table);
