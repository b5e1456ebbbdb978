/* A queue of level 3: no malloc before one is registered. */
#include "queue.h"
#include <stdlib.h>
#define malloc NULL
#define free   NULL
#include "good_queue.inc"
