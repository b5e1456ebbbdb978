/*
 * fake_cost.h - included before every file of the experiments that test_allocbench.c builds: the
 * test replaces their clocks, their allocators, their accounts of the kernel, and the start of a
 * run.
 */
#pragma once

#include "alloc/node_allocator.h"
#include "perf/traffic/cycle_clock.h"
#include <sys/resource.h>

uint64_t fake_ticks(void);
bool fake_heap_open(struct node_heap *heap, const char *specification,
                    const struct memory_source *source, struct node_allocator_error *error);
int fake_execv(const char *path, char *const words[]);
int fake_usage(int who, struct rusage *usage);

#define cycle_clock_now fake_ticks
#define node_heap_open  fake_heap_open
#define execv           fake_execv
#define getrusage       fake_usage
