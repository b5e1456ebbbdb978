/*
 * text_file.c - read a whole file, regular or not, into one block.
 */
#include "text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool grow(struct text_file *file, size_t *capacity)
{
    size_t wanted = *capacity ? *capacity * 2 : 64 * 1024;
    char *text = wanted > *capacity ? realloc(file->text, wanted) : NULL;
    if (text != NULL) {
        file->text = text;
        *capacity = wanted;
    }
    return text != NULL;
}

static bool read_all(int fd, size_t size_hint, struct text_file *file)
{
    size_t capacity = 0;
    if (size_hint > 0 && size_hint < SIZE_MAX - 2) {
        file->text = malloc(size_hint + 2); /* a byte to see the end with, and the NUL */
        capacity = file->text != NULL ? size_hint + 2 : 0;
    }
    for (;;) {
        if (capacity - file->length < 2 && !grow(file, &capacity)) {
            errno = ENOMEM;
            return false;
        }
        ssize_t got = read(fd, file->text + file->length, capacity - file->length - 1);
        if (got == 0) {
            file->text[file->length] = '\0';
            return true;
        }
        if (got < 0 && errno != EINTR) {
            return false;
        }
        file->length += got > 0 ? (size_t)got : 0;
    }
}

bool text_file_read(const char *path, struct text_file *file, struct graph_error *error)
{
    struct stat status;
    memset(file, 0, sizeof(*file));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        graph_fail(error, path, "cannot be opened: %s", strerror(errno));
        goto fail;
    }
    if (S_ISDIR(status.st_mode)) {
        graph_fail(error, path, "is a directory, not a file");
        goto fail;
    }
    if (!read_all(fd, S_ISREG(status.st_mode) ? (size_t)status.st_size : 0, file)) {
        graph_fail(error, path, "cannot be read: %s", strerror(errno));
        goto fail;
    }
    if (file->length == 0) {
        graph_fail(error, path, "is empty");
        goto fail;
    }
    close(fd);
    return true;
fail:
    if (fd >= 0) {
        close(fd);
    }
    text_file_free(file);
    return false;
}

void text_file_free(struct text_file *file)
{
    free(file->text);
    memset(file, 0, sizeof(*file));
}

const char *text_line_end(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline != NULL ? newline : end;
}
