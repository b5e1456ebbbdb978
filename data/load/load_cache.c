/*
 * load_cache.c - names in the cache: the name of the text, and a hash of its path and the options.
 */
#include "load_cache.h"
#include "base/pw_assert.h"
#include "data/store/graph_snapshot.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

bool load_cache_folder(const char *wanted, char folder[PATH_MAX], struct graph_error *error)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (wanted[0]) {
        snprintf(folder, PATH_MAX, "%s", wanted);
    } else if (cache != NULL && cache[0] == '/') {
        snprintf(folder, PATH_MAX, "%s/pointer-wars", cache);
    } else if (home != NULL) {
        snprintf(folder, PATH_MAX, "%s/.cache/pointer-wars", home);
    } else {
        return graph_fail(error, "cache", "no folder for it: neither XDG_CACHE_HOME nor HOME");
    }
    for (char *slash = strchr(folder + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL) {
            *slash = '\0';
        }
        int failed = mkdir(folder, 0700) != 0 && errno != EEXIST && errno != EISDIR;
        if (slash != NULL) {
            *slash = '/';
        } else {
            return !failed || graph_fail(error, folder, "cannot be made: %s", strerror(errno));
        }
    }
}

bool load_cache_path(const char *folder, const struct graph_source *source,
                     const struct graph_options *options, char path[PATH_MAX])
{
    char key[3 * PATH_MAX];
    struct graph_source names = {0, 0, 0, ""};
    const char *base = strrchr(source->path, '/') + 1;
    if (options->names_path != NULL) {
        graph_source_of(options->names_path, false, &names);
    }
    int length = snprintf(
        key, sizeof(key), "%s\n%u\n%s%s%.2000s\n%s %llu %lld%s", source->path,
        graph_snapshot_flags(options), options->format != NULL ? options->format : "",
        options->columns != NULL ? "\n" : "", options->columns != NULL ? options->columns : "",
        names.path, (unsigned long long)names.size, (long long)names.modified_ns,
        options->search_order ? "\nsearch order" : "");
    pw_assert(length > 0 && (size_t)length < sizeof(key));
    int used = snprintf(path, PATH_MAX, "%s/%.100s-%016llx.pwg", folder, base,
                        (unsigned long long)XXH3_64bits(key, (size_t)length));
    return used > 0 && used < PATH_MAX;
}

/* True if there is no such file, or everybody may read it. */
static bool is_for_all(const char *path)
{
    struct stat status;
    return path == NULL || (stat(path, &status) == 0 && (status.st_mode & S_IROTH));
}

bool load_cache_protect(int fd, const char *path, const struct graph_options *options)
{
    struct stat status;
    if (is_for_all(path) && is_for_all(options->names_path)) {
        return true;
    }
    return fstat(fd, &status) == 0 && fchmod(fd, status.st_mode & 0700) == 0;
}
