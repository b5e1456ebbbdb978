/* A list of level 2: it has no malloc before one is registered. */
#include "linked_list.h"
#include <stdlib.h>
#define malloc                    NULL
#define free                      NULL
#define linked_list_final_cleanup nothing_to_clean_up
void nothing_to_clean_up(void);
#include "good_list.inc"
