/* A variable that nobody uses: a warning, and the published Makefile makes it an error. */
#include "linked_list.h"
#include <stdlib.h>
#define malloc                    NULL
#define free                      NULL
#define linked_list_final_cleanup nothing_to_clean_up
void nothing_to_clean_up(void);
#include "good_list.inc"

void nothing_more(void);

void nothing_more(void)
{
    int unused;
}
