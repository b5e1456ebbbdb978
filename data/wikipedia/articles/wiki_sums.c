/*
 * wiki_sums.c - SHA-1 or MD5 by Nettle: against accidents, not forgery.
 */
#include "wiki_sums.h"
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

/* The list beside the files; NULL where there is none. */
static FILE *open_list(const struct wiki_files *files, bool sha1, char path[PATH_MAX + 64])
{
    const char *slash = strrchr(files->prefix, '/');
    const char *name = sha1 ? "sha1sums.txt" : "md5sums.txt";
    snprintf(path, PATH_MAX + 64, "%s-%s", files->prefix, name);
    FILE *list = fopen(path, "re");
    if (list == NULL) {
        snprintf(path, PATH_MAX + 64, "%.*s%s",
                 slash != NULL ? (int)(slash - files->prefix) + 1 : 0, files->prefix, name);
        list = fopen(path, "re");
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
    while (got > 0 && (cancel == NULL || *cancel == 0)) {
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

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     unsigned *checked, struct graph_error *error)
{
    char path[PATH_MAX + 64], line[512], digits[DIGITS_SIZE];
    bool sha1 = true, done = true;
    FILE *list = open_list(files, true, path);
    *checked = 0;
    if (list == NULL) {
        sha1 = false;
        list = open_list(files, false, path);
    }
    const struct nettle_hash *hash = sha1 ? &nettle_sha1 : &nettle_md5;
    while (done && list != NULL && fgets(line, sizeof(line), list) != NULL) {
        char sum[64], name[400];
        if (sscanf(line, "%63s %399s", sum, name) != 2 ||
            strlen(sum) != (size_t)2 * hash->digest_size) {
            continue;
        }
        for (size_t i = 0; done && i < WIKI_TABLES; i++) {
            if (files->paths[i][0] != '\0' &&
                strcmp(file_name(files->paths[i]), name + (name[0] == '*')) == 0) {
                done = sum_file(files->paths[i], hash, cancel, digits, error) &&
                       (strcasecmp(sum, digits) == 0 || (cancel != NULL && *cancel != 0) ||
                        graph_fail(error, files->paths[i], "does not match its sum in %.200s",
                                   file_name(path)));
                ++*checked;
            }
        }
    }
    if (list != NULL) {
        fclose(list);
    }
    return done;
}
#else
bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     unsigned *checked, struct graph_error *error)
{
    char path[PATH_MAX + 64];
    FILE *list = open_list(files, true, path);
    list = list != NULL ? list : open_list(files, false, path);
    (void)cancel;
    *checked = 0;
    if (list != NULL) {
        fclose(list);
        return graph_fail(error, path,
                          "sums cannot be checked in this build (./setup.sh build installs Nettle; "
                          "or move the list away)");
    }
    return true;
}
#endif
