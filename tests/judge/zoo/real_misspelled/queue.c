/* One name is misspelled, here and in the header; nothing else is wrong. */
#include "queue.h"
#include <stdlib.h>
#define malloc                NULL
#define free                  NULL
#define queue_register_malloc queue_register_maloc
#include "good_queue.inc"
