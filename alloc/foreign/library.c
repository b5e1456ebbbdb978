/*
 * library.c - finding a shared object, and restarting a process that reserved too little static
 * TLS.
 *
 * jemalloc's thread-local variables are in static TLS, of which a glibc process reserves about 1.6
 * KiB for libraries opened late; dlopen refuses, and dlmopen too. The size is a tunable that is
 * read once, at the start; so the process is started again, before it has done anything.
 */
#include "library.h"
#include "alloc/block_marks.h"
#include "alloc/node_allocator.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TUNABLE      "glibc.rtld.optional_static_tls"
#define TUNABLE_SIZE "16384"

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
                 "GLIBC_TUNABLES=" TUNABLE "=" TUNABLE_SIZE,
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

void node_allocator_prepare_process(const char *specification, char *const argv[])
{
    const char *set = getenv("GLIBC_TUNABLES");
    if (specification == NULL || (set != NULL && strstr(set, TUNABLE) != NULL) ||
        blocks_are_watched()) {
        return;
    }
    bool restart = false;
    for (const char *at = strstr(specification, "lib"); at != NULL; at = strstr(at, "lib")) {
        at += 3;
        if (*at != ':' && *at != '(') {
            continue;
        }
        char name[128];
        char file[160];
        char why[256];
        bool needs_static_tls = false;
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at + 1, ":,()"), at + 1);
        if (strncmp(name, "name=", 5) == 0) {
            memmove(name, name + 5, strlen(name) - 4);
        }
        if (library_open(name, file, sizeof(file), why, sizeof(why), &needs_static_tls) == NULL) {
            restart = restart || needs_static_tls;
        }
    }
    if (restart) {
        char tunables[1024];
        snprintf(tunables, sizeof(tunables), "%s%s" TUNABLE "=" TUNABLE_SIZE, set ? set : "",
                 set ? ":" : "");
        setenv("GLIBC_TUNABLES", tunables, 1);
        execv("/proc/self/exe", argv);
        unsetenv("GLIBC_TUNABLES"); /* still here: opening the library will say what is wrong */
        if (set != NULL) {
            setenv("GLIBC_TUNABLES", set, 1);
        }
    }
}
