/*
 * allocator_list.c - prints the registries of allocators and engines.
 */
#include "allocator_list.h"
#include "alloc/specification.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "liblist/linked_list.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_MEMORY (-1.0) /* to open the allocator with */

double allocator_list_node_bytes(const char *specification)
{
    static const struct memory_source source = {.allocate = malloc, .release = free};
    struct node_allocator_error error;
    errno = 0;
    struct node_heap *heap = calloc(1, sizeof(*heap));
    char path[8];
    double bytes = 0;
    bool writes = false;
    for (size_t i = 0;
         !writes && node_specification_file(specification, i, path, sizeof(path), &writes); i++) {
    }
    if (heap != NULL && !writes && node_heap_open(heap, specification, &source, &error)) {
        bytes = node_allocator_bytes_per_block(heap->allocator, sizeof(struct node));
        node_heap_close(heap);
    } else if (errno == ENOMEM) {
        bytes = NO_MEMORY;
    }
    free(heap);
    return bytes;
}

static void write_options(FILE *out, const struct node_option *option)
{
    for (; option != NULL && option->name != NULL; option++) {
        char head[128];
        snprintf(head, sizeof(head), "%s=%s", option->name,
                 option->choices != NULL ? option->choices : option->default_value);
        fprintf(out, "    %-28s %s", head, option->help);
        fprintf(out, " (default: %s)\n",
                option->default_value[0] != '\0' ? option->default_value : "none");
    }
}

void allocator_list_write_each(FILE *out, const char *list)
{
    for (size_t length; *list != '\0'; list += length + (list[length] == ',')) {
        length = node_specification_length(list);
        fprintf(out, "%.*s\n", (int)length, list);
    }
}

void allocator_list_write(FILE *out)
{
    for (const struct node_allocator_type *const *type = node_allocator_types(); *type; type++) {
        unsigned flags = (*type)->flags;
        double bytes = allocator_list_node_bytes((*type)->name);
        fprintf(out, "%-12s %s\n", (*type)->name, (*type)->summary);
        fputs("             ", out);
        if ((flags & NODE_ALLOCATOR_WRAPS) && (*type)->fronts == NULL) {
            fputs("bytes per node: as the allocator inside", out);
        } else if (flags & NODE_ALLOCATOR_GIVES_NONE) {
            fputs("gives no block", out);
        } else if (bytes > 0) {
            unsigned tenths = (unsigned)(bytes * 10 + 0.5);
            fprintf(out, "%u.%u bytes for a node of %zu", tenths / 10, tenths % 10,
                    sizeof(struct node));
        } else {
            fprintf(out, "bytes for a node of %zu: %s", sizeof(struct node),
                    bytes == NO_MEMORY ? "not known, out of memory" : "as the allocator inside");
        }
        fputs(flags & NODE_ALLOCATOR_THREAD_SAFE
                  ? "; thread-safe"
                  : "; not thread-safe: lists take one lock around it",
              out);
        if (!(flags & NODE_ALLOCATOR_WRAPS)) {
            fputs(flags & NODE_ALLOCATOR_GIVES_BACK ? "; gives memory back as nodes are released"
                  : (*type)->region != NULL         ? "; keeps its region until it is closed"
                                                    : "; keeps memory until final cleanup",
                  out);
        }
        fputs(flags & NODE_ALLOCATOR_NO_REUSE ? "; never reuses a node\n" : "\n", out);
        write_options(out, (*type)->options);
    }
}

void engine_list_write(FILE *out)
{
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        fprintf(out, "%-21s %s\n", (*engine)->name, (*engine)->summary);
        fprintf(out, "%-21s changes: %s\n", "", (*engine)->changes);
        fprintf(out, "%-21s keeps: %s\n", "", (*engine)->keeps);
        if ((*engine)->set_threads != NULL) {
            fprintf(out, "%-21s threads: several may work on one search, --parallel=search\n", "");
        }
    }
}

void engine_list_names(char *names, size_t size, bool sharing)
{
    names[0] = '\0';
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        size_t used = strlen(names);
        if (!sharing || (*engine)->set_threads != NULL) {
            snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", (*engine)->name);
        }
    }
}

/* Append the options with given values, or else those with their defaults. */
static void append_options(const struct node_specification_level *level, bool given, char *options,
                           size_t size)
{
    const struct node_option *option = level->type->options;
    for (size_t i = 0; option != NULL && option[i].name != NULL; i++) {
        if (level->values[i].given == given) {
            size_t used = strlen(options);
            snprintf(options + used, size - used, "%s%s=%s", used > 0 ? "," : "", option[i].name,
                     level->values[i].text);
        }
    }
}

void allocator_list_describe(const char *specification, char *name, size_t name_size, char *options,
                             size_t options_size)
{
    struct node_specification parsed;
    struct node_allocator_error error;
    name[0] = '\0';
    options[0] = '\0';
    if (node_specification_parse(specification, &parsed, &error)) {
        snprintf(name, name_size, "%s", parsed.levels[0].type->name);
        append_options(&parsed.levels[0], true, options, options_size);
        append_options(&parsed.levels[0], false, options, options_size);
    }
}
