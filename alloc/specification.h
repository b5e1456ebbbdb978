/*
 * specification.h - the text that names an allocator, taken apart.
 */
#ifndef PW_SPECIFICATION_H
#define PW_SPECIFICATION_H

#include "node_allocator.h"

#define SPECIFICATION_LEVELS  8  /* allocators in one another */
#define SPECIFICATION_OPTIONS 12 /* options of one allocator */

struct specification_level {
    const struct node_allocator_type *type;
    struct node_option_value values[SPECIFICATION_OPTIONS]; /* one per option of the type */
};

/* levels[0] is the outermost allocator, each the wrapper of the next; the last wraps nothing. */
struct specification {
    size_t level_count;
    struct specification_level levels[SPECIFICATION_LEVELS];
    size_t text_used;
    char text[512]; /* what values[].text points to; move it with the values */
};

/* Take text apart; see node_heap_open for the grammar. False with error set when it is not legal.
 */
bool specification_parse(const char *text, struct specification *out,
                         struct node_allocator_error *error);

/* The options of one type, "a=1;b=2" or "", into out->levels[0]; its type need not be listed. */
bool specification_values(const struct node_allocator_type *type, const char *text,
                          struct specification *out, struct node_allocator_error *error);

#endif
