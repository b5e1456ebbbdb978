/*
 * csv_child.c - spawns a child with a pipe, and cuts lines at their commas.
 */
#include "csv_child.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int csv_child_start(struct csv_child *child, const char *program, const struct child_words *words)
{
    posix_spawn_file_actions_t actions;
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
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    int failure = posix_spawn(&child->process, program, &actions, NULL, words->list, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure != 0) {
        csv_child_close(child);
        return failure;
    }
    child_watch(child->process);
    return 0;
}

/* End the cell at *at and move to the next one. */
static char *next_cell(char **at)
{
    char *cell = *at;
    bool quoted = false;
    while (**at != '\0' && **at != '\n' && (quoted || **at != ',')) {
        quoted ^= **at == '"';
        (*at)++;
    }
    bool more = **at == ',';
    **at = '\0';
    *at += more;
    return cell;
}

bool csv_child_heading(struct csv_child *child, const char *const names[], size_t count)
{
    size_t found = 0;
    pw_assert(count <= CSV_CHILD_COLUMNS_MAX);
    child->column_count = count;
    for (size_t i = 0; i < count; i++) {
        child->places[i] = SIZE_MAX;
    }
    if (getline(&child->line, &child->line_size, child->in) <= 0) {
        return false;
    }
    char *at = child->line;
    for (size_t place = 0; *at != '\0'; place++) {
        const char *name = next_cell(&at);
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
    if (getline(&child->line, &child->line_size, child->in) <= 0) {
        return false;
    }
    for (size_t i = 0; i < child->column_count; i++) {
        child->cells[i] = nothing;
    }
    char *at = child->line;
    for (size_t place = 0; *at != '\0'; place++) {
        char *cell = next_cell(&at);
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
