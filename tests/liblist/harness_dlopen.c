/*
 * harness_dlopen.c - a stranger's program that opens the library, uses it and closes it again.
 *
 *     harness_dlopen LIBRARY
 *
 * Compiled by test_harness.sh with the headers alone. What came from the registered malloc, kept
 * nodes and regions too, has come back when dlclose returns. Prints ok and exits 0, or says what
 * failed and exits 1.
 */
#include <dlfcn.h>
#include <linked_list.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t mallocs;
static size_t frees;

static void *counting_malloc(size_t size)
{
    mallocs++;
    return malloc(size);
}

static void counting_free(void *block)
{
    frees++;
    free(block);
}

/* A function of the library, written to a pointer of its type. */
static void look_up(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    memcpy(function, &found, sizeof(found));
}

static void use(void *library)
{
    bool (*register_malloc)(void *(*)(size_t));
    bool (*register_free)(void (*)(void *));
    struct linked_list *(*create)(void);
    bool (*insert)(struct linked_list *, unsigned int);
    bool (*delete_list)(struct linked_list *);
    look_up(library, "linked_list_register_malloc", &register_malloc);
    look_up(library, "linked_list_register_free", &register_free);
    look_up(library, "linked_list_create", &create);
    look_up(library, "linked_list_insert_end", &insert);
    look_up(library, "linked_list_delete", &delete_list);
    register_malloc(counting_malloc);
    register_free(counting_free);
    struct linked_list *ll = create();
    for (unsigned int i = 0; i < 1000; i++) {
        if (ll == NULL || !insert(ll, i)) {
            fputs("no list\n", stderr);
            exit(1);
        }
    }
    delete_list(ll);
}

int main(int argc, char **argv)
{
    for (int round = 0; argc > 1 && round < 3; round++) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        use(library);
        if (dlclose(library) != 0 || mallocs == 0 || mallocs != frees) {
            fprintf(stderr, "%zu mallocs, %zu frees\n", mallocs, frees);
            return 1;
        }
    }
    puts("ok");
    return 0;
}
