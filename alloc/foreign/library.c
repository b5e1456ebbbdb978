/*
 * library.c - finding a shared object by a short name.
 */
#include "library.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* One candidate. False: go on looking. */
static bool try_open(const char *file, void **handle, char *why, size_t why_size,
                     bool *needs_static_tls)
{
    *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (*handle != NULL) {
        return true;
    }
    const char *error = dlerror();
    *needs_static_tls = error != NULL && strstr(error, "static TLS") != NULL;
    if (*needs_static_tls) {
        snprintf(why, why_size,
                 "%s needs static thread-local storage; start the program with "
                 "GLIBC_TUNABLES=" STATIC_TLS_TUNABLE,
                 file);
        return true;
    }
    if (strchr(file, '/') != NULL) {
        snprintf(why, why_size, "%.200s", error != NULL ? error : file);
    }
    return false;
}

void *library_open(const char *name, char *file, size_t file_size, char *why, size_t why_size,
                   bool *needs_static_tls)
{
    static const char *const forms[] = {"lib%s.so", "lib%s_minimal.so"};
    void *handle = NULL;
    *needs_static_tls = false;
    snprintf(why, why_size, "lib%.64s.so is not installed", name);
    if (strchr(name, '/') != NULL) {
        snprintf(file, file_size, "%s", name);
        try_open(file, &handle, why, why_size, needs_static_tls);
        return handle;
    }
    for (size_t form = 0; form < 2; form++) {
        for (int version = -1; version < 10; version++) {
            int used = snprintf(file, file_size, form == 0 ? forms[0] : forms[1], name);
            if (used < 0 || (size_t)used + 3 > file_size) {
                return NULL;
            }
            if (version >= 0) {
                snprintf(file + used, file_size - (size_t)used, ".%d", version);
            }
            if (try_open(file, &handle, why, why_size, needs_static_tls)) {
                return handle;
            }
        }
    }
    return NULL;
}
