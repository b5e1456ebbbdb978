/*
 * allocbench_simulated.h - "pointer-wars --sim": the first searches on a simulated processor.
 */
#pragma once

#include "allocbench.h"

/*
 * Have bfs, beside this program, simulate the first searches (as many as the limit allows) on each
 * allocator. Add a table of the chosen ones (indexes from 0, ascending). visited: the visits of
 * each in the measured run. False with bench->error set.
 */
bool bench_add_simulated(struct bench *bench, const size_t *chosen, size_t chosen_count,
                         const double *visited);
