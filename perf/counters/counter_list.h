/*
 * counter_list.h - what there is to count, for people.
 */
#pragma once

#include <stdio.h>

/* The groups and what they report, then the events by name, in lines that fit the columns. */
void counter_list_write(FILE *out, unsigned columns);
