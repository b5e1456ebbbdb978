/*
 * specification.h - the text that names an allocator, parsed. A caller that needs a fact about a
 * specification asks here.
 */
#pragma once

#include "option_values.h"

/* Parse a text; see node_heap_open for the grammar. False with error set when it is not legal. */
PW_EXPORT bool node_specification_parse(const char *text, struct node_specification *out,
                                        struct node_allocator_error *error);

/* True if a legal specification names an allocator with that flag; false for an illegal one. */
PW_EXPORT bool node_specification_has(const char *specification, enum node_allocator_flags flag);

/* The files that the legal specifications in a list read or write, by index from 0; path is cut if
 * it is too long. False if there is no such index. */
PW_EXPORT bool node_specification_file(const char *list, size_t index, char *path, size_t path_size,
                                       bool *is_written);

/* Characters of the first of a list of specifications: up to the comma before the next one. */
PW_EXPORT size_t node_specification_length(const char *list);
