/*
 * names_file.c - reads the lines of a file into a table of names.
 */
#include "names_file.h"
#include "data/read/load_memory.h"
#include "data/read/text_reader.h"
#include "name_table.h"

/* Read all lines into the table. False with error set. */
static bool read_lines(struct text_lines *lines, struct name_table *table, uint64_t memory_limit,
                       struct graph_error *error)
{
    const char *begin, *end;
    while (text_lines_next(lines, &begin, &end, error)) {
        if (!name_table_add(table, begin, end, error)) {
            return false;
        }
        if (lines->left == 0 && !names_fit_memory(table->names, memory_limit, table->path, error)) {
            return false; /* checked once per block of lines */
        }
    }
    return error->message[0] == '\0';
}

struct graph_names *names_file_load(const char *path, const struct text_decoder *decoder,
                                    bool *has_ids, uint64_t memory_limit,
                                    const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    struct text_lines lines;
    struct graph_names *names = NULL;
    if (!text_lines_open(&lines, path, decoder, error)) {
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
