/* A queue of level 2 that registers nothing for the list: each library has a malloc of its own. */
#include "queue.h"
#include <stdlib.h>
#define malloc                        NULL
#define free                          NULL
#define linked_list_register_malloc   nothing_to_register
#define linked_list_register_free     nothing_to_register
#define nothing_to_register(function) ((function) != NULL)
#include "good_queue.inc"
