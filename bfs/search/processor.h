/*
 * processor.h - on which processor this thread runs.
 */
#pragma once

#include <stdbool.h>

/* Run this thread on a processor, counted from 0, and nowhere else. */
bool processor_pin(int cpu);

/* Run this thread on the index-th of the processors remembered, starting again after the last. */
bool processor_pin_nth(unsigned index);

/* Remember on which processors this process may run, for processor_pin_nth. */
void processor_remember_allowed(void);
