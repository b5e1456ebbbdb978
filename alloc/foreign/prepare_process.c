/*
 * prepare_process.c - restarts a process that has too little static thread-local storage.
 *
 * The thread-local variables of jemalloc are in static storage. A glibc process reserves about
 * 1.6 KiB of it for libraries opened late; dlopen and dlmopen refuse more. The size is a tunable
 * that is read only when a process starts. So the process is started again before it has done
 * anything.
 */
#include "alloc/allocators.h"
#include "alloc/block_marks.h"
#include "alloc/specification.h"
#include "library.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True if a specification names an installed library that needs more static storage. */
static bool needs_static_tls(const char *specification)
{
    struct node_specification parsed;
    struct node_allocator_error error;
    bool needed = false;
    if (!node_specification_parse(specification, &parsed, &error)) {
        return false; /* opening it reports the error */
    }
    for (size_t i = 0; i < parsed.level_count && !needed; i++) {
        struct library library;
        const struct node_specification_level *level = &parsed.levels[i];
        if (level->type == &lib_allocator) { /* its first option is the library */
            library_open(&library, level->values[0].text);
            needed = library.needs_static_tls;
        }
    }
    return needed;
}

void node_allocator_prepare_process(const char *specifications, char *const argv[])
{
    const char *set = getenv("GLIBC_TUNABLES");
    if (specifications == NULL || (set != NULL && strstr(set, STATIC_TLS_TUNABLE_NAME) != NULL) ||
        blocks_are_watched()) {
        return;
    }
    bool restart = false;
    for (const char *at = specifications; *at != '\0' && !restart;) {
        char one[256];
        size_t length = node_specification_length(at);
        snprintf(one, sizeof(one), "%.*s", (int)length, at);
        restart = needs_static_tls(one);
        at += length + (at[length] == ',');
    }
    if (restart) {
        char tunables[1024];
        snprintf(tunables, sizeof(tunables), "%s%s" STATIC_TLS_TUNABLE, set != NULL ? set : "",
                 set != NULL ? ":" : "");
        setenv("GLIBC_TUNABLES", tunables, 1);
        execv("/proc/self/exe", argv);
        unsetenv("GLIBC_TUNABLES"); /* still here: opening the library reports the error */
        if (set != NULL) {
            setenv("GLIBC_TUNABLES", set, 1);
        }
    }
}
