/*
 * graph_origin.c - facts by name.
 */
#include "graph_origin.h"
#include "base/pw_assert.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void graph_origin_free(struct graph_origin *origin)
{
    if (origin != NULL) {
        if (!origin->is_mapped) {
            free(origin->facts);
            free(origin->page_ids);
            free(origin->alias_ids);
            free(origin->order);
        }
        graph_names_free(origin->aliases);
        free(origin);
    }
}

bool graph_origin_fact(const struct graph_origin *origin, const char *name, char *value,
                       size_t size)
{
    const size_t length = strlen(name);
    pw_assert(size > 0);
    const char *line = origin != NULL ? origin->facts : NULL;
    value[0] = '\0';
    while (line != NULL && *line != '\0') {
        const size_t line_length = strcspn(line, "\n");
        if (line_length > length && line[length] == '\t' && memcmp(line, name, length) == 0) {
            snprintf(value, size, "%.*s", (int)(line_length - length - 1), line + length + 1);
            return true;
        }
        line += line_length + (line[line_length] == '\n');
    }
    return false;
}
