/*
 * option_values.h - turns the options in a specification into values for create.
 *
 * A chain of allocators is an array of levels, the outermost first. It knows the tables in the
 * levels but not the registry, so a plug-in can use it for its own table.
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
    char text[512]; /* values[].text points into it: do not copy or move */
};

/* A text being read. */
struct specification_parser {
    const char *text;
    const char *at;   /* the next character to read */
    const char *ends; /* the characters that end an option; the first one separates two */
    struct node_specification *out;
    struct node_allocator_error *error;
};

/* Set the error, with the character and its text. Always false. */
__attribute__((format(printf, 3, 4))) bool
specification_fail(const struct specification_parser *parser, const char *where, const char *format,
                   ...);

/* Append to a comma-separated list of names; names that do not fit are left out. */
void name_list_append(char *list, size_t size, const char *name);

/* Add a level of the given type, its options at their defaults. */
bool option_values_default(struct specification_parser *parser,
                           const struct node_allocator_type *type);

/*
 * Read "a=1,b=2" at parser->at, up to a parenthesis or the end. An option goes to the level at
 * which it was written if that has one of this name, else to the nearest one inwards, then
 * outwards. A bare value goes to the first option of the level at which it was written.
 */
bool option_values_parse(struct specification_parser *parser, size_t level);

/* The options of one type, "a=1;b=2" or "", into out->levels[0]; its type need not be listed. */
bool option_values_of(const struct node_allocator_type *type, const char *text,
                      struct node_specification *out, struct node_allocator_error *error);
