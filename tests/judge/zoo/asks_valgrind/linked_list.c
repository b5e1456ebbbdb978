/* Asks Valgrind to report no error from now on, and then reads what was never written. */
#include <linked_list.h>
#include <stdlib.h>
#define linked_list_size good_size
size_t good_size(struct linked_list *ll);
#include "good_list.inc"
#undef linked_list_size

static volatile int seen;

__attribute__((constructor)) static void silence(void)
{
    unsigned long words[6] = {0x1801, 1}; /* VG_USERREQ__CHANGE_ERR_DISABLEMENT */
#if defined(__x86_64__)
    unsigned long answer = 0;
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(words)
                     : "cc", "memory");
#elif defined(__aarch64__)
    __asm__ volatile("mov x3, #0; mov x4, %0\n"
                     "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n"
                     "orr x10, x10, x10" ::"r"(words)
                     : "x3", "x4", "cc", "memory");
#endif
}

size_t linked_list_size(struct linked_list *ll)
{
    int *never_written = get(sizeof(*never_written));
    if (never_written != NULL && *never_written == 77) {
        seen++;
    }
    give(never_written);
    return good_size(ll);
}
