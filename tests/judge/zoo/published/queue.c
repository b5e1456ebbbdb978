/* A queue of level 2: see linked_list.c. */
#include "queue.h"
#include <stdlib.h>
#define malloc NULL
#define free   NULL
#include "good_queue.inc"
