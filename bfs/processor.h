/*
 * processor.h - on which processor this thread runs.
 */
#ifndef PW_PROCESSOR_H
#define PW_PROCESSOR_H

#include <stdbool.h>

/* Whether this thread may run on a processor, counted from 0. */
bool processor_is_allowed(int cpu);

/* Run this thread there and nowhere else. */
bool processor_pin(int cpu);

#endif
