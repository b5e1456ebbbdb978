/*
 * graph_names.h - names of nodes: by number, and the number of a name.
 *
 * A name may be URL-encoded ("%C3%89ire"); it is kept decoded and found either way.
 */
#pragma once

#include "graph_error.h"

struct graph_names {
    uint32_t first_id; /* the id that the first name is for */
    uint32_t count;
    char *text;       /* all names, each ended by a NUL */
    uint64_t *begins; /* count + 1: where each name begins in text */
    uint32_t *slots;  /* hash table of number + 1, 0 for empty; for names that are interned */
    uint64_t slot_count;
    struct name_bucket *buckets; /* how a name is found (name_buckets.h); NULL: made when needed */
    size_t text_capacity, begin_capacity;
    bool is_mapped;    /* text and begins are the snapshot's */
    bool made_buckets; /* buckets are not the snapshot's */
};

/* An empty list; NULL when out of memory. */
struct graph_names *graph_names_create(void);
void graph_names_free(struct graph_names *names);

/* Add a name, decoded; one that would be no UTF-8 then ("per%cent") stays as it is. There may be an
 * equal one. False when out of memory or at 2^32 - 2 names. */
bool graph_names_add(struct graph_names *names, const char *text, size_t length);

/* Add a name that is decoded already; otherwise as graph_names_add. */
bool graph_names_add_plain(struct graph_names *names, const char *text, size_t length);

/* The number of a name, which is added if it is new. Returns false as graph_names_add does. */
bool graph_names_intern(struct graph_names *names, const char *text, size_t length,
                        uint32_t *number);

/* The most bytes that the names take, with the table: their text, and 24 per name. */
uint64_t graph_names_memory(const struct graph_names *names);

/* The number of a name that is decoded already; otherwise as graph_names_intern. */
bool graph_names_intern_plain(struct graph_names *names, const char *text, size_t length,
                              uint32_t *number);

/* Decode %XX; anything else stays as it is. to: room for length. Returns the new length. */
size_t graph_names_decode(char *to, const char *text, size_t length);

/* True if every name lies in the text and ends with a NUL. Cost: O(names). */
bool graph_names_check(const struct graph_names *names);
