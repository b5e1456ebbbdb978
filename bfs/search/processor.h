/*
 * processor.h - on which processor this thread runs.
 */
#pragma once

#include <stdbool.h>

/* Whether this thread may run on a processor, counted from 0. */
bool processor_is_allowed(int cpu);

/* Run this thread on a processor and nowhere else. */
void processor_pin(int cpu);

/* Run this thread on the index-th of the processors remembered, starting again after the last. */
void processor_pin_nth(unsigned index);

/* Remember on which processors this process may run, for processor_pin_nth. */
void processor_remember_allowed(void);
