/*
 * graph_source.c - detects a changed file by its size, its time, and its hash.
 */
#include "graph_source.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define READ_SIZE ((size_t)4 << 20)

/* Read a whole file for its checksum. False when it cannot be read. */
static bool hash_file(const char *path, uint64_t *hash)
{
    XXH3_state_t *state = XXH3_createState();
    char *buffer = malloc(READ_SIZE);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool done = state != NULL && buffer != NULL && fd >= 0 && XXH3_64bits_reset(state) == XXH_OK;
    ssize_t got = done ? 1 : -1;
    while (got > 0) {
        got = read(fd, buffer, READ_SIZE);
        if (got > 0) {
            XXH3_64bits_update(state, buffer, (size_t)got);
        }
    }
    *hash = got == 0 ? XXH3_64bits_digest(state) : 0;
    if (fd >= 0) {
        close(fd);
    }
    free(buffer);
    XXH3_freeState(state);
    return got == 0;
}

bool graph_source_of(const char *path, bool hash, struct graph_source *source)
{
    struct stat status;
    char absolute[PATH_MAX];
    memset(source, 0, sizeof(*source));
    if (realpath(path, absolute) == NULL || stat(absolute, &status) != 0) {
        return false;
    }
    if (!S_ISREG(status.st_mode) || strlen(absolute) >= sizeof(source->path)) {
        errno = S_ISREG(status.st_mode) ? ENAMETOOLONG : EINVAL;
        return false;
    }
    memcpy(source->path, absolute, strlen(absolute));
    source->size = (uint64_t)status.st_size;
    source->modified_ns =
        (int64_t)status.st_mtim.tv_sec * 1000000000 + (int64_t)status.st_mtim.tv_nsec;
    return !hash || hash_file(absolute, &source->hash);
}

bool graph_source_is_fresh(const struct graph_source *recorded, bool wholly)
{
    struct graph_source now;
    if (recorded->path[0] == '\0' || !graph_source_of(recorded->path, false, &now)) {
        return true;
    }
    return now.size == recorded->size &&
           ((!wholly && now.modified_ns == recorded->modified_ns) ||
            (graph_source_of(recorded->path, true, &now) && now.hash == recorded->hash));
}
