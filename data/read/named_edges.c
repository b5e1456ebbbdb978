/*
 * named_edges.c - reads lines of names.
 */
#include "named_edges.h"
#include "base/pw_assert.h"
#include <string.h>

bool named_edges_scan_block(struct graph_names *names, struct edge_scan *scan, const char *text,
                            size_t length, const char *path, uint64_t first_line,
                            struct graph_error *error)
{
    const char *end = text + length;
    char quoted[GRAPH_QUOTE_SIZE];
    for (const char *p = text, *stop; p < end; p = stop + 1) {
        stop = memchr(p, '\n', (size_t)(end - p));
        const char *last = stop;
        last -= last > p && last[-1] == '\r';
        if (last > p && *p != '#') {
            uint32_t source, target;
            const char *tab = memchr(p, '\t', (size_t)(last - p));
            const char *second = tab != NULL ? tab + 1 : last;
            const char *more = memchr(second, '\t', (size_t)(last - second));
            const char *second_end = more != NULL ? more : last;
            scan->has_more |= more != NULL;
            if (tab == p || second == second_end || memchr(p, '\0', (size_t)(last - p)) != NULL) {
                return graph_fail_line(error, path, first_line + scan->line_count,
                                       "expected two names with a tab between them, found %s",
                                       graph_quote(quoted, p, (size_t)(last - p)));
            }
            if (!graph_names_intern(names, p, (size_t)(tab - p), &source) ||
                !graph_names_intern(names, second, (size_t)(second_end - second), &target)) {
                return graph_fail(error, path, "out of memory for the names");
            }
            pw_assert(source < names->count && target < names->count);
            edge_scan_add(scan, source, target);
        }
        scan->line_count++;
    }
    return true;
}
