/*
 * late_library.c - see late_library.h.
 */
#include "late_library.h"
#include "pw_assert.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* True if the linker's text says that there was no memory, or names no cause. */
static bool is_memory(const char *text)
{
    static const char unmapped[] = "failed to map segment from shared object";
    const char *at = strstr(text, unmapped);
    return strstr(text, strerror(ENOMEM)) != NULL ||
           (at != NULL && at[sizeof(unmapped) - 1] == '\0');
}

/* A library that is there may lack another one: then the linker's text names that one. */
static void explain(const struct late_library *library, char *why, size_t size)
{
    const char *text = errno == ENOMEM ? NULL : dlerror(); /* unreliable without memory */
    const char *at = text != NULL ? strstr(text, library->file) : NULL;
    if (text == NULL || is_memory(text)) {
        snprintf(why, size, "out of memory");
    } else if (at != NULL && at[strlen(library->file)] == ':' &&
               strstr(text, strerror(ENOENT)) != NULL) {
        snprintf(why, size, "needs %s, which is not installed", library->file);
    } else {
        snprintf(why, size, "needs %s, which cannot be loaded: %s", library->file, text);
    }
}

/* Look up every function. Returns the name of one that is missing, or NULL. */
static const char *look_up(const struct late_library *library, void *handle)
{
    for (size_t i = 0; i < library->count; i++) {
        void *address = dlsym(handle, library->symbols[i]);
        if (address == NULL) {
            return library->symbols[i];
        }
        memcpy((char *)library->calls + i * sizeof(address), &address, sizeof(address));
    }
    return NULL;
}

static bool open_now(const struct late_library *library, char *why, size_t size)
{
    errno = 0;
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        explain(library, why, size);
        return false;
    }
    const char *missing = look_up(library, handle);
    if (missing != NULL) {
        snprintf(why, size, "needs %s, which has no function %s", library->file, missing);
        dlclose(handle);
        return false;
    }
    return true;
}

bool late_library_open(struct late_library *library, char *why, size_t size)
{
    pw_assert(size > 0);
    if (library->file == NULL) {
        return true;
    }
    pthread_mutex_lock(&library->mutex);
    if (!library->is_open) {
        library->is_open = open_now(library, why, size);
    }
    const bool is_open = library->is_open;
    pthread_mutex_unlock(&library->mutex);
    return is_open;
}
