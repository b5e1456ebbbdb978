/*
 * allocator_list.h - the available allocators and engines, for people: --list-allocs,
 * --list-engines.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* List every allocator: its purpose, its bytes per list node, its options and their defaults. */
void allocator_list_write(FILE *out);

/* List the specifications of a list with commas, one per line: "slab:a=1,b=2" is one. */
void allocator_list_write_each(FILE *out, const char *list);

/* Bytes per list node with that allocator; 0: not known; below 0: out of memory. */
double allocator_list_node_bytes(const char *specification);

/* List every engine, one per line. */
void engine_list_write(FILE *out);

/* The engines' names in a line ("classic, array"). sharing: only engines that divide one search
 * among threads. */
void engine_list_names(char *names, size_t size, bool sharing);

/*
 * The outermost allocator of a legal specification, and its options as "chunk=1M,pages=normal":
 * the given ones, and the defaults of the others. Options that do not fit are left out.
 */
void allocator_list_describe(const char *specification, char *name, size_t name_size, char *options,
                             size_t options_size);
