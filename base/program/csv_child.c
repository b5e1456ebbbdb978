/*
 * csv_child.c - spawns a child with a pipe, and cuts lines at their commas.
 */
#include "csv_child.h"
#include "base/pw_assert.h"
#include "base/text/csv_cell.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int csv_child_start(struct csv_child *child, const char *program, const struct child_words *words)
{
    int ends[2];
    *child = (struct csv_child){0};
    if (words->too_many || pipe2(ends, O_CLOEXEC) != 0) {
        return words->too_many ? E2BIG : errno;
    }
    child->in = fdopen(ends[0], "r");
    if (child->in == NULL) {
        int failure = errno;
        close(ends[0]);
        close(ends[1]);
        return failure;
    }
    int failure = child_start(&child->process, program, words->list, ends[1], -1);
    close(ends[1]);
    if (failure != 0) {
        csv_child_close(child);
    }
    return failure;
}

/* Read a line, without its end. False: there are no more. */
static bool next_line(struct csv_child *child)
{
    const bool found = getline(&child->line, &child->line_size, child->in) > 0;
    if (found) {
        child->line[strcspn(child->line, "\n")] = '\0';
    }
    return found;
}

bool csv_child_heading(struct csv_child *child, const char *const names[], size_t count)
{
    size_t found = 0;
    pw_assert(count <= CSV_CHILD_COLUMNS_MAX);
    child->column_count = count;
    for (size_t i = 0; i < count; i++) {
        child->places[i] = SIZE_MAX;
    }
    if (!next_line(child)) {
        return false;
    }
    char *at = child->line;
    for (size_t place = 0; at != NULL; place++) {
        const char *name = csv_cell(&at);
        for (size_t i = 0; i < count; i++) {
            if (strcmp(name, names[i]) == 0) {
                child->places[i] = place;
                found++;
            }
        }
    }
    return found == count;
}

bool csv_child_row(struct csv_child *child)
{
    static char nothing[] = "";
    if (!next_line(child)) {
        return false;
    }
    for (size_t i = 0; i < child->column_count; i++) {
        child->cells[i] = nothing;
    }
    char *at = child->line;
    for (size_t place = 0; at != NULL; place++) {
        char *cell = csv_cell(&at);
        for (size_t i = 0; i < child->column_count; i++) {
            child->cells[i] = child->places[i] == place ? cell : child->cells[i];
        }
    }
    return true;
}

void csv_child_close(struct csv_child *child)
{
    fclose(child->in);
    free(child->line);
    child->in = NULL;
    child->line = NULL;
}
