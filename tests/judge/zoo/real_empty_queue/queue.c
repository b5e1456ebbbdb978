/* Level 2 that has come as far as its list. */
#include "queue.h"
