/* A queue of level 2 that registers nothing for the list: each library has a malloc of its own. */
#include "queue.h"
#include <stdlib.h>
#define malloc                       NULL
#define free                         NULL
#define linked_list_register_malloc  nothing_registered
#define linked_list_register_free    nothing_registered
#define nothing_registered(function) ((function) != NULL)
#include "good_queue.inc"
