/*
 * wiki_sums.c - SHA-1 or MD5 by Nettle: against accidents, not forgery.
 */
#include "wiki_sums.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef PW_HAVE_NETTLE
#include <nettle/md5.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#endif

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

#ifdef PW_HAVE_NETTLE
#define DIGITS_SIZE (2 * SHA1_DIGEST_SIZE + 1) /* MD5 has fewer */

static bool sum_file(const char *path, const struct nettle_hash *hash,
                     const volatile sig_atomic_t *cancel, char digits[DIGITS_SIZE],
                     struct graph_error *error)
{
    unsigned char sum[SHA1_DIGEST_SIZE], buffer[1 << 16];
    union {
        struct sha1_ctx sha1;
        struct md5_ctx md5;
    } state;
    size_t got;
    FILE *file = fopen(path, "re");
    bool done = file != NULL;
    hash->init(&state);
    while (done && *cancel == 0 && (got = fread(buffer, 1, sizeof(buffer), file)) > 0) {
        hash->update(&state, got, buffer);
    }
    hash->digest(&state, hash->digest_size, sum);
    for (unsigned i = 0; i < hash->digest_size; i++) {
        snprintf(digits + (size_t)2 * i, 3, "%02x", sum[i]);
    }
    done = (done && ferror(file) == 0) ||
           graph_fail(error, path, "cannot be read: %s", strerror(errno));
    if (file != NULL) {
        fclose(file);
    }
    return done;
}

/* Read a sum and the name of its file from a line of sha1sum or of BSD's sha1. NULL: neither. */
static const char *read_line(const char *line, char sum[64], char name[400])
{
    if (sscanf(line, "SHA1 (%399[^)]) = %63s", name, sum) != 2 &&
        sscanf(line, "MD5 (%399[^)]) = %63s", name, sum) != 2 &&
        sscanf(line, "%63s %399s", sum, name) != 2) {
        return NULL;
    }
    name += name[0] == '*';
    return strncmp(name, "./", 2) == 0 ? name + 2 : name;
}

/* Check the files that a list names, except files already checked. seen: one bit per file. */
static bool check_list(const struct wiki_files *files, FILE *list, const char *path,
                       const volatile sig_atomic_t *cancel, unsigned *seen,
                       struct graph_error *error)
{
    const unsigned before = *seen;
    char line[512], sum[64], room[400], digits[DIGITS_SIZE];
    bool done = true;
    while (done && *cancel == 0 && fgets(line, sizeof(line), list) != NULL) {
        const char *name = read_line(line, sum, room);
        const size_t length = name != NULL ? strlen(sum) : 0;
        const struct nettle_hash *hash = length == (size_t)2 * SHA1_DIGEST_SIZE  ? &nettle_sha1
                                         : length == (size_t)2 * MD5_DIGEST_SIZE ? &nettle_md5
                                                                                 : NULL;
        for (size_t i = 0; done && hash != NULL && i < WIKI_TABLES; i++) {
            if ((before >> i & 1) == 0 && files->paths[i][0] != '\0' &&
                strcmp(file_name(files->paths[i]), name) == 0) {
                done = sum_file(files->paths[i], hash, cancel, digits, error) &&
                       (strcasecmp(sum, digits) == 0 || *cancel != 0 ||
                        graph_fail(error, files->paths[i], "does not match its sum in %.200s",
                                   file_name(path)));
                *seen |= 1U << i;
            }
        }
    }
    return done &&
           (ferror(list) == 0 || graph_fail(error, path, "cannot be read: %s", strerror(errno)));
}
#endif

#define LIST_BYTES_MAX (16 << 20)

/* Open a list if there is one. NULL: there is none, or error is set. A pipe or a device may have no
 * end, and opening a pipe may wait for ever. */
static FILE *open_list(const char *path, struct graph_error *error)
{
    struct stat status = {0};
    FILE *list = NULL;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0 && (errno == ENOENT || errno == ENAMETOOLONG)) {
        return NULL;
    }
    if (descriptor >= 0 && fstat(descriptor, &status) == 0) {
        if (S_ISDIR(status.st_mode)) {
            errno = EISDIR;
        } else if (!S_ISREG(status.st_mode)) {
            graph_fail(error, path, "is no regular file, so no list of sums");
        } else if (status.st_size > LIST_BYTES_MAX) {
            graph_fail(error, path, "is larger than 16 MiB, so no list of sums");
        } else {
            list = fdopen(descriptor, "r");
        }
    }
    if (list == NULL) {
        if (error->message[0] == '\0') {
            graph_fail(error, path, "cannot be read: %s", strerror(errno));
        }
        if (descriptor >= 0) {
            close(descriptor);
        }
    }
    return list;
}

bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     struct wiki_sums *sums, struct graph_error *error)
{
    unsigned seen = 0, there = 0;
    bool done = true;
    *sums = (struct wiki_sums){0};
    for (size_t i = 0; i < WIKI_TABLES; i++) {
        there |= (files->paths[i][0] != '\0' ? 1U : 0U) << i;
    }
    for (size_t i = 0; done && i < WIKI_LISTS && seen != there; i++) {
        const char *path = files->lists[i];
        error->message[0] = '\0';
        FILE *list = open_list(path, error);
        if (list == NULL) {
            done = error->message[0] == '\0';
            continue;
        }
#ifdef PW_HAVE_NETTLE
        done = check_list(files, list, path, cancel, &seen, error);
#else
        done = graph_fail(error, path,
                          "sums cannot be checked in this build (./setup.sh build installs "
                          "Nettle; or move the list away)");
        (void)cancel;
#endif
        fclose(list);
        sums->list = file_name(path);
    }
    sums->checked = (unsigned)__builtin_popcount(seen);
    sums->files = (unsigned)__builtin_popcount(there);
    return done;
}
