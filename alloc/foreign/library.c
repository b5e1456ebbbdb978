/*
 * library.c - finds a shared object by a short name.
 */
#include "library.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* True if the address lies in the library of this handle, not in one it is linked to. */
static bool is_of(void *handle, const void *address)
{
    Dl_info info;
    if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    void *same = dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (same != NULL) {
        dlclose(same);
    }
    return same == handle;
}

/* Try one candidate. False: go on looking. */
static bool try_open(struct library *library)
{
    errno = 0;
    library->handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    const bool no_memory = library->handle == NULL && errno == ENOMEM;
    const char *error = library->handle == NULL ? dlerror() : NULL;
    if (no_memory) {
        snprintf(library->why, sizeof(library->why), "out of memory for %s", library->file);
        errno = ENOMEM;
    } else if (error != NULL && strstr(error, "static TLS") != NULL) {
        library->needs_static_tls = true;
        snprintf(library->why, sizeof(library->why),
                 "%s needs static thread-local storage; start the program with "
                 "GLIBC_TUNABLES=" STATIC_TLS_TUNABLE,
                 library->file);
    } else if (error != NULL && strchr(library->file, '/') != NULL) {
        snprintf(library->why, sizeof(library->why), "%.200s", error);
    }
    return library->handle != NULL || library->needs_static_tls || no_memory;
}

bool library_open(struct library *library, const char *name)
{
    *library = (struct library){0};
    snprintf(library->why, sizeof(library->why), "lib%.64s.so is not installed", name);
    if (strchr(name, '/') != NULL) {
        snprintf(library->file, sizeof(library->file), "%s", name);
        try_open(library);
        return library->handle != NULL;
    }
    if (access(name, F_OK) == 0) {
        snprintf(library->why, sizeof(library->why),
                 "lib%.64s.so is not installed; for the file here write lib:./%.64s", name, name);
    }
    /* The minimal form first: without a heap profiler, a library needs less of C++'s library, which
     * another one may have brought along with a malloc of its own. */
    for (int form = 0; form < 2; form++) {
        for (int version = -1; version < 10; version++) {
            char suffix[4] = "";
            if (version >= 0) {
                snprintf(suffix, sizeof(suffix), ".%d", version);
            }
            int length = snprintf(library->file, sizeof(library->file), "lib%s%s.so%s", name,
                                  form == 0 ? "_minimal" : "", suffix);
            if ((size_t)length >= sizeof(library->file)) {
                return false;
            }
            if (try_open(library)) {
                return library->handle != NULL;
            }
        }
    }
    return false;
}

void *library_symbol(void *handle, const char *prefix, const char *name)
{
    char symbol[64];
    snprintf(symbol, sizeof(symbol), "%s%s", prefix, name);
    void *address = dlsym(handle, symbol);
    return is_of(handle, address) ? address : NULL;
}
