/* Wants 100 GB for every list. */
#define linked_list_create good_create
#include "good_list.inc"
#undef linked_list_create

struct linked_list *linked_list_create(void)
{
    size_t size = (size_t)100 << 30;
    volatile char *block = malloc(size);
    for (size_t place = 0; place < size; place += 4096) {
        block[place] = 1;
    }
    return good_create();
}
