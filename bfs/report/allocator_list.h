/*
 * allocator_list.h - what there is to choose from, for people: --list-allocs and --list-engines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Every allocator: what it is, its bytes for a list node, its options and their defaults. */
void allocator_list_write(FILE *out);

/* Bytes that a list node costs with that allocator; 0: not known; below 0: out of memory. */
double allocator_list_node_bytes(const char *specification);

/* Every engine, a line each. */
void engine_list_write(FILE *out);

/* The engines' names in a line ("classic, array"). sharing: of those that divide one search among
 * threads alone. */
void engine_list_names(char *names, size_t size, bool sharing);

/*
 * The outermost allocator of a legal specification, and its options as "chunk=1M,pages=normal":
 * those given and the defaults of the others. What does not fit is left out.
 */
void allocator_list_describe(const char *specification, char *name, size_t name_size, char *options,
                             size_t options_size);
