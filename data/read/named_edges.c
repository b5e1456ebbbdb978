/*
 * named_edges.c - read lines of names.
 */
#include "named_edges.h"
#include "data/graph/graph_memory.h"
#include "text_reader.h"
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
            edge_scan_add(scan, source, target);
        }
        scan->line_count++;
    }
    return true;
}

bool names_fit(const struct graph_names *names, uint64_t allowed, const char *path,
               struct graph_error *error)
{
    char text[32];
    return graph_names_memory(names) <= allowed ||
           graph_fail(error, path, "the names do not fit: %lu of them need %s of memory",
                      (unsigned long)names->count, memory_text(text, graph_names_memory(names)));
}

struct graph_names *names_load(const char *path, uint64_t memory_limit,
                               const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    struct text_lines lines;
    const char *begin, *end;
    if (!text_lines_open(&lines, path, error)) {
        return NULL;
    }
    lines.source.cancel = cancel;
    struct graph_names *names = graph_names_create();
    bool done = names != NULL;
    while (done && text_lines_next(&lines, &begin, &end, error)) {
        end -= end > begin && end[-1] == '\r';
        size_t length = (size_t)(end - begin);
        if (memchr(begin, '\0', length) != NULL) {
            graph_fail_line(error, lines.source.name, lines.number, "a name holds a NUL byte");
            break;
        }
        done = graph_names_add(names, begin, length);
        if (lines.left == 0 && done) { /* once per block of lines */
            done = names_fit(names, memory_limit, lines.source.name, error);
        }
    }
    if (!done) {
        graph_fail(error, lines.source.name, "out of memory for the names");
    }
    if (!text_lines_close(&lines, error)) {
        graph_names_free(names);
        return NULL;
    }
    return names;
}
