/*
 * option_values.h - the options written in a specification, as values for create.
 *
 * A chain of allocators is an array of levels, the outermost first. Knows the tables that stand in
 * the levels, and not the registry, so that a plug-in can use it for a table of its own.
 */
#pragma once

#include "node_allocator.h"

#define SPECIFICATION_LEVELS  8  /* allocators in one another */
#define SPECIFICATION_OPTIONS 12 /* options of one allocator */

struct node_specification_level {
    const struct node_allocator_type *type;
    struct node_option_value values[SPECIFICATION_OPTIONS]; /* one per option of the type */
};

/* Each level is the wrapper of the next; the last wraps nothing. */
struct node_specification {
    size_t level_count;
    struct node_specification_level levels[SPECIFICATION_LEVELS];
    size_t text_used;
    char text[512]; /* what values[].text points to: not to be copied or moved */
};

/* A text that is being read. */
struct specification_parser {
    const char *text;
    const char *at;   /* the next character to read */
    const char *ends; /* what ends an option; the first stands between two */
    struct node_specification *out;
    struct node_allocator_error *error;
};

/* Set the error, with the character and the text it stands in. Always false. */
__attribute__((format(printf, 3, 4))) bool
specification_fail(const struct specification_parser *parser, const char *where, const char *format,
                   ...);

/* Append to a comma-separated list of names; what does not fit is left out. */
void name_list_append(char *list, size_t size, const char *name);

/* Add a level of the given type, its options at their defaults. */
bool option_values_default(struct specification_parser *parser,
                           const struct node_allocator_type *type);

/*
 * Read "a=1,b=2" at parser->at, written at that level, up to a parenthesis or the end. An option
 * goes to the level it is written at, else to the nearest one inwards, then outwards, that has one
 * of that name; a bare value goes to the first option of the level it is written at.
 */
bool option_values_parse(struct specification_parser *parser, size_t level);

/* The options of one type, "a=1;b=2" or "", into out->levels[0]; its type need not be listed. */
bool option_values_of(const struct node_allocator_type *type, const char *text,
                      struct node_specification *out, struct node_allocator_error *error);
