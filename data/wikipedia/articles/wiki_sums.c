/*
 * wiki_sums.c - SHA-1 or MD5 by Nettle: against accidents, not forgery.
 */
#include "wiki_sums.h"
#include "base/macros.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#ifdef PW_HAVE_NETTLE
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#endif

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The list beside the files, of which kind and where; NULL where there is none. */
static FILE *open_list(const struct wiki_files *files, bool *is_sha1, char path[PATH_MAX + 64])
{
    static const char *const names[] = {"sha1sums.txt", "md5sums.txt"};
    const int folder = (int)(file_name(files->prefix) - files->prefix);
    FILE *list = NULL;
    for (size_t i = 0; list == NULL && i < COUNT_OF(names); i++) {
        *is_sha1 = i == 0;
        snprintf(path, PATH_MAX + 64, "%s-%s", files->prefix, names[i]);
        list = fopen(path, "re");
        if (list == NULL) {
            snprintf(path, PATH_MAX + 64, "%.*s%s", folder, files->prefix, names[i]);
            list = fopen(path, "re");
        }
    }
    return list;
}

#ifdef PW_HAVE_NETTLE
#define READ_SIZE   ((size_t)1 << 20)
#define DIGITS_SIZE (2 * SHA1_DIGEST_SIZE + 1) /* MD5 has fewer */

static bool sum_file(const char *path, const struct nettle_hash *hash,
                     const volatile sig_atomic_t *cancel, char digits[DIGITS_SIZE],
                     struct graph_error *error)
{
    unsigned char sum[SHA1_DIGEST_SIZE];
    unsigned char *buffer = malloc(READ_SIZE);
    void *state = malloc(hash->context_size);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = buffer != NULL && state != NULL && fd >= 0 ? 1 : -1;
    if (got > 0) {
        hash->init(state);
    }
    while (got > 0 && *cancel == 0) {
        got = read(fd, buffer, READ_SIZE);
        hash->update(state, got > 0 ? (size_t)got : 0, buffer);
    }
    if (got >= 0) {
        hash->digest(state, hash->digest_size, sum);
        for (unsigned i = 0; i < hash->digest_size; i++) {
            snprintf(digits + (size_t)2 * i, 3, "%02x", sum[i]);
        }
    } else {
        graph_fail(error, path, "cannot be read: %s", strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    free(state);
    free(buffer);
    return got >= 0;
}

static bool check_list(const struct wiki_files *files, FILE *list, const char *path,
                       const struct nettle_hash *hash, const volatile sig_atomic_t *cancel,
                       unsigned *checked, struct graph_error *error)
{
    char line[512], digits[DIGITS_SIZE];
    bool done = true;
    while (done && fgets(line, sizeof(line), list) != NULL) {
        char sum[64], name[400];
        if (sscanf(line, "%63s %399s", sum, name) != 2 ||
            strlen(sum) != (size_t)2 * hash->digest_size) {
            continue;
        }
        for (size_t i = 0; done && i < WIKI_TABLES; i++) {
            if (files->paths[i][0] != '\0' &&
                strcmp(file_name(files->paths[i]), name + (name[0] == '*')) == 0) {
                done = sum_file(files->paths[i], hash, cancel, digits, error) &&
                       (strcasecmp(sum, digits) == 0 || *cancel != 0 ||
                        graph_fail(error, files->paths[i], "does not match its sum in %.200s",
                                   file_name(path)));
                ++*checked;
            }
        }
    }
    return done;
}
#endif

bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     unsigned *checked, struct graph_error *error)
{
    char path[PATH_MAX + 64];
    bool is_sha1;
    FILE *list = open_list(files, &is_sha1, path);
    *checked = 0;
    if (list == NULL) {
        return true;
    }
#ifdef PW_HAVE_NETTLE
    bool done =
        check_list(files, list, path, is_sha1 ? &nettle_sha1 : &nettle_md5, cancel, checked, error);
#else
    bool done = graph_fail(error, path,
                           "sums cannot be checked in this build (./setup.sh build installs "
                           "Nettle; or move the list away)");
    (void)cancel;
#endif
    fclose(list);
    return done;
}
