/*
 * system_file.c - see system_file.h.
 */
#include "system_file.h"
#include "pw_assert.h"
#include <stdio.h>
#include <string.h>

#define PATH_BYTES 512
#define LINE_BYTES 8192 /* the flags of a processor take some 2,000 */

static FILE *open_below(const char *root, const char *path)
{
    char full[PATH_BYTES];
    int length = snprintf(full, sizeof(full), "%s%s", root, path);
    return length > 0 && (size_t)length < sizeof(full) ? fopen(full, "re") : NULL;
}

/* The text after "key:" at the start of a line, or NULL. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0) {
        return NULL;
    }
    line += length + strspn(line + length, " \t");
    return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

/* The first line, or with a key the first value. */
static bool read_first(const char *root, const char *path, const char *key, char *out, size_t size)
{
    char line[LINE_BYTES];
    const char *found = NULL;
    FILE *file = open_below(root, path);
    pw_assert(size > 0);
    out[0] = '\0';
    while (file != NULL && found == NULL && fgets(line, sizeof(line), file) != NULL) {
        found = key != NULL ? value_of(line, key) : line;
    }
    if (found != NULL) {
        snprintf(out, size, "%.*s", (int)strcspn(found, "\n"), found);
    }
    if (file != NULL) {
        fclose(file);
    }
    return found != NULL;
}

bool system_file_line(const char *root, const char *path, char *line, size_t size)
{
    return read_first(root, path, NULL, line, size);
}

bool system_file_value(const char *root, const char *path, const char *key, char *value,
                       size_t size)
{
    return read_first(root, path, key, value, size);
}
