/*
 * processor.h - the processor on which this thread runs.
 */
#pragma once

#include <stdbool.h>

/* True if this thread may run on a processor, counted from 0. */
bool processor_is_allowed(int cpu);

/* Run this thread only on one processor. */
void processor_pin(int cpu);

/* Run this thread on the index-th of the remembered processors, starting again after the last. */
void processor_pin_nth(unsigned index);

/* Remember the processors on which this process may run, for processor_pin_nth. */
void processor_remember_allowed(void);
