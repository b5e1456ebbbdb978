/*
 * processor.c - the scheduler's affinity masks.
 */
#include "processor.h"
#include <sched.h>
#include <stddef.h>

bool processor_is_allowed(int cpu)
{
    cpu_set_t allowed;
    return cpu >= 0 && cpu < CPU_SETSIZE && sched_getaffinity(0, sizeof(allowed), &allowed) == 0 &&
           CPU_ISSET((size_t)cpu, &allowed);
}

bool processor_pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    return sched_setaffinity(0, sizeof(set), &set) == 0;
}
