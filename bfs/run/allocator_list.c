/*
 * allocator_list.c - walks the registries of allocators and engines.
 */
#include "allocator_list.h"
#include "alloc/node_allocator.h"
#include "bfs/engines/engines.h"
#include "bfs/search/search.h"
#include "liblist/linked_list.h"
#include <stdlib.h>
#include <string.h>

/* Bytes that a list node costs with an allocator's defaults; 0: not known. */
static double node_bytes(const struct node_allocator_type *type)
{
    static const struct memory_source source = {.allocate = malloc, .release = free};
    struct node_allocator_error error;
    struct node_heap *heap = calloc(1, sizeof(*heap));
    double bytes = 0;
    if (heap != NULL && node_heap_open(heap, type->name, &source, &error)) {
        if (type->bytes_per_block != NULL) {
            bytes = type->bytes_per_block(heap->allocator, sizeof(struct node));
        }
        node_heap_close(heap);
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

void allocator_list_write(FILE *out)
{
    for (const struct node_allocator_type *const *type = node_allocator_types(); *type; type++) {
        unsigned flags = (*type)->flags;
        double bytes = node_bytes(*type);
        fprintf(out, "%-12s %s\n", (*type)->name, (*type)->summary);
        fputs("             ", out);
        if (flags & NODE_ALLOCATOR_WRAPS) {
            fputs("bytes a node: those of the allocator inside", out);
        } else if (flags & NODE_ALLOCATOR_GIVES_NONE) {
            fputs("gives no block", out);
        } else if (bytes > 0) {
            unsigned tenths = (unsigned)(bytes * 10 + 0.5);
            fprintf(out, "%u.%u bytes for a node of %zu", tenths / 10, tenths % 10,
                    sizeof(struct node));
        } else {
            fprintf(out, "bytes for a node of %zu: those of what it is given", sizeof(struct node));
        }
        fputs(flags & NODE_ALLOCATOR_THREAD_SAFE ? "; thread-safe" : "; not thread-safe", out);
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
    }
}

void engine_list_names(char *names, size_t size)
{
    names[0] = '\0';
    for (const struct search_engine *const *engine = search_engines(); *engine; engine++) {
        size_t used = strlen(names);
        snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", (*engine)->name);
    }
}

/* Whether "name=" stands at the beginning of an option in the given ones. */
static bool is_given(const char *given, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = given; *at != '\0';
         at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            return true;
        }
    }
    return false;
}

void allocator_list_describe(const char *specification, char *name, size_t name_size, char *options,
                             size_t options_size)
{
    size_t length = strcspn(specification, ":(");
    snprintf(name, name_size, "%.*s", (int)length, specification);
    const char *given = specification[length] == ':' ? specification + length + 1 : "";
    snprintf(options, options_size, "%s", given);
    const struct node_allocator_type *type = node_allocator_find(name);
    const struct node_option *first = type != NULL ? type->options : NULL;
    for (const struct node_option *option = first; option && option->name; option++) {
        /* A value without a name is that of the first option. */
        bool bare =
            option == first && given[0] != '\0' && memchr(given, '=', strcspn(given, ",")) == NULL;
        if (!bare && !is_given(given, option->name)) {
            size_t used = strlen(options);
            snprintf(options + used, options_size - used, "%s%s=%s", used > 0 ? "," : "",
                     option->name, option->default_value);
        }
    }
}
