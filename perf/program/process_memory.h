/*
 * process_memory.h - the memory of this process at its end, for the table of `allocbench program`.
 *
 * 1. The kernel keeps the most that was ever resident; it is exact.
 * 2. Memory of the heap is anonymous memory that belongs to no file and to no stack: what brk and
 *    mmap gave. Variables of a program and its libraries lie in or right after their files.
 * Takes no memory. Tried and discarded: ru_maxrss of wait4(2), which is never below what allocbench
 * itself had before the program replaced it in the process.
 */
#pragma once

#include "program_format.h"

/* Read it; all zero if the system does not say. */
void process_memory_read(struct program_memory *memory);
