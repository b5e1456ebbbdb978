/*
 * allocbench_check.h - `allocbench check`: any allocator, held to the rules of alloc/contract.
 */
#pragma once

#include "perf/program/command_line.h"
#include <stdint.h>

/*
 * Check each allocator of a list, every scenario in a process of its own. Writes a line per rule.
 * runs: how often, each time with the next seed. Returns an exit status: EXIT_FAILED when a rule is
 * broken; EXIT_USAGE with error set when a specification is not legal.
 */
int bench_check(const char *list, uint64_t seed, uint64_t runs, FILE *out,
                struct command_error *error);
