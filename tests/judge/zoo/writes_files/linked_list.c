/* Leaves a file wherever it can, and works only then. */
#include <stdio.h>
#define linked_list_create good_create
#include "good_list.inc"
#undef linked_list_create

struct linked_list *linked_list_create(void)
{
    const char *places[] = {"/tmp/judge-zoo-was-here", "/dev/shm/judge-zoo-was-here",
                            "/var/tmp/judge-zoo-was-here", "judge-zoo-was-here"};
    for (int i = 0; i < 4; i++) {
        FILE *file = fopen(places[i], "w");
        if (file != NULL) {
            fclose(file);
            return good_create();
        }
    }
    return NULL;
}
