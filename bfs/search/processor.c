/*
 * processor.c - the affinity masks of the scheduler.
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

void processor_pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    sched_setaffinity(0, sizeof(set), &set);
}

static cpu_set_t process_allowed;

void processor_remember_allowed(void)
{
    sched_getaffinity(0, sizeof(process_allowed), &process_allowed);
}

void processor_pin_nth(unsigned index)
{
    unsigned count = (unsigned)CPU_COUNT(&process_allowed);
    unsigned skip = count > 0 ? index % count : 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET((size_t)cpu, &process_allowed) && skip-- == 0) {
            processor_pin(cpu);
            return;
        }
    }
}
