/*
 * counter_list.h - lists the available counters, for people.
 */
#pragma once

#include <stdio.h>

/* Write the groups and what they report, then the events by name, in lines that fit columns. */
void counter_list_write(FILE *out, unsigned columns);
