/*
 * names_file.c - the lines of a file into a table of names.
 */
#include "names_file.h"
#include "data/graph/graph_memory.h"
#include "data/names/name_table.h"
#include "text_reader.h"

bool names_fit_memory(const struct graph_names *names, uint64_t allowed, const char *path,
                      struct graph_error *error)
{
    char text[32];
    return graph_names_memory(names) <= allowed ||
           graph_fail(error, path, "the names do not fit: %lu of them need %s of memory",
                      (unsigned long)names->count, memory_text(text, graph_names_memory(names)));
}

/* All lines into the table. False with error set. */
static bool read_lines(struct text_lines *lines, struct name_table *table, uint64_t memory_limit,
                       struct graph_error *error)
{
    const char *begin, *end;
    while (text_lines_next(lines, &begin, &end, error)) {
        if (!name_table_add(table, begin, end, error)) {
            return false;
        }
        if (lines->left == 0 && !names_fit_memory(table->names, memory_limit, table->path, error)) {
            return false; /* looked at once per block of lines */
        }
    }
    return error->message[0] == '\0';
}

struct graph_names *names_file_load(const char *path, bool *has_ids, uint64_t memory_limit,
                                    const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    struct text_lines lines;
    struct graph_names *names = NULL;
    if (!text_lines_open(&lines, path, error)) {
        return NULL;
    }
    struct name_table table = {.path = lines.source.name};
    lines.source.cancel = cancel;
    if (read_lines(&lines, &table, memory_limit, error)) {
        names = name_table_take(&table, has_ids, error);
    }
    name_table_free(&table);
    if (!text_lines_close(&lines, error)) {
        graph_names_free(names);
        return NULL;
    }
    return names;
}
