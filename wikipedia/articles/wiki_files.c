/*
 * wiki_files.c - names of files.
 */
#include "wiki_files.h"
#include "base/macros.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *const wiki_table_names[WIKI_TABLES] = {"page",       "page_props", "redirect",
                                                   "linktarget", "pagelinks",  "templatelinks"};

static const char *const endings[] = {".sql.gz", ".sql", ".sql.zst", ".sql.bz2"};

/* The length of PREFIX in "PREFIX-page.sql.gz"; 0: the name has another form. */
static size_t prefix_length(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        char tail[32];
        const int used = snprintf(tail, sizeof(tail), "-page%s", endings[i]);
        if (length > (size_t)used && strcmp(name + length - (size_t)used, tail) == 0) {
            return length - (size_t)used;
        }
    }
    return 0;
}

/* The one prefix in a folder. False with error set. */
static bool find_prefix(const char *folder, char prefix[PATH_MAX], struct graph_error *error)
{
    DIR *entries = opendir(folder);
    char found[NAME_MAX + 1] = "";
    bool done = true;
    if (entries == NULL) {
        return graph_fail(error, folder, "cannot be read: %s", strerror(errno));
    }
    for (struct dirent *entry; done && (entry = readdir(entries)) != NULL;) {
        const size_t length = prefix_length(entry->d_name);
        if (length == 0 ||
            (strlen(found) == length && strncmp(found, entry->d_name, length) == 0)) {
            continue;
        }
        char other[NAME_MAX + 1];
        snprintf(other, sizeof(other), "%.*s", (int)length, entry->d_name);
        if (found[0] != '\0') {
            const bool before = strcmp(found, other) < 0;
            done = graph_fail(error, folder, "has the dumps of %.80s and of %.80s: say which",
                              before ? found : other, before ? other : found);
        }
        memcpy(found, other, sizeof(found));
    }
    closedir(entries);
    if (done && found[0] == '\0') {
        return graph_fail(error, folder, "has no dump: no file is called WIKI-DATE-page.sql.gz");
    }
    const size_t used = strlen(folder);
    return done && (snprintf(prefix, PATH_MAX, "%s%s%s", folder,
                             used > 0 && folder[used - 1] == '/' ? "" : "/", found) < PATH_MAX ||
                    graph_fail(error, folder, "the name is too long"));
}

/* Wiki and date, of "simplewiki-20261101". */
static void read_name(struct wiki_files *files)
{
    const char *slash = strrchr(files->prefix, '/');
    const char *name = slash != NULL ? slash + 1 : files->prefix;
    const char *dash = strchr(name, '-');
    const size_t length = dash != NULL ? (size_t)(dash - name) : strlen(name);
    bool is_date = dash != NULL && strlen(dash) == 9;
    for (size_t i = 1; is_date && i < 9; i++) {
        is_date = isdigit((unsigned char)dash[i]);
    }
    snprintf(files->wiki, sizeof(files->wiki), "%.*s", (int)length, name);
    if (is_date) {
        snprintf(files->date, sizeof(files->date), "%.4s-%.2s-%.2s", dash + 1, dash + 5, dash + 7);
    }
}

static uint64_t time_of(const struct stat *status)
{
    return (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

bool wiki_files_are_unchanged(const struct wiki_files *files, unsigned tables,
                              struct graph_error *error)
{
    struct stat now;
    for (size_t i = 0; i < WIKI_TABLES; i++) {
        if ((tables >> i & 1) == 0 || files->sizes[i] == 0) { /* of size 0: a pipe, say */
            continue;
        }
        if (stat(files->paths[i], &now) != 0) {
            return graph_fail(error, files->paths[i], "cannot be read: %s", strerror(errno));
        }
        if ((uint64_t)now.st_size != files->sizes[i] || time_of(&now) != files->times[i]) {
            return graph_fail(error, files->paths[i], "has changed while it was read");
        }
    }
    return true;
}

bool wiki_files_find(const char *place, struct wiki_files *files, struct graph_error *error)
{
    struct stat status;
    memset(files, 0, sizeof(*files));
    errno = 0;
    if (stat(place, &status) == 0 && S_ISDIR(status.st_mode)) {
        if (!find_prefix(place, files->prefix, error)) {
            return false;
        }
    } else if (errno != 0 && errno != ENOENT && errno != ENOTDIR) {
        return graph_fail(error, place, "cannot be read: %s", strerror(errno));
    } else if (snprintf(files->prefix, PATH_MAX, "%s", place) >= PATH_MAX) {
        return graph_fail(error, place, "the name is too long");
    }
    for (size_t i = 0; i < WIKI_TABLES; i++) {
        for (size_t k = 0; k < COUNT_OF(endings); k++) {
            char path[PATH_MAX + 64];
            const int used = snprintf(path, sizeof(path), "%s-%s%s", files->prefix,
                                      wiki_table_names[i], endings[k]);
            errno = ENOENT;
            if (used < PATH_MAX && stat(path, &status) == 0) {
                if (files->paths[i][0] != '\0') {
                    return graph_fail(error, path, "there is also %s: move one of them away",
                                      files->paths[i]);
                }
                memcpy(files->paths[i], path, (size_t)used + 1);
                files->sizes[i] = (uint64_t)status.st_size;
                files->times[i] = time_of(&status);
                files->packed[i] = strcmp(endings[k], ".sql") != 0;
            } else if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG) {
                return graph_fail(error, path, "cannot be read: %s", strerror(errno));
            }
        }
    }
    read_name(files);
    return files->paths[WIKI_PAGE][0] != '\0' ||
           graph_fail(error, place, "there is no dump: neither a folder nor %.200s-page.sql.gz",
                      files->prefix);
}
