/*
 * target_part.c - the work at a change of the target; see target_part.h.
 */
#include "target_part.h"

void target_part_end_run(struct target_part *part)
{
    pw_assert(!part->is_empty || part->run == 0);
    if (part->target == part->first_target) {
        part->first_degree += part->run;
    } else {
        part->degrees[part->target] += part->run;
    }
    part->run = 0;
}

void target_part_turn(struct target_part *part, uint32_t source, uint32_t target)
{
    if (part->is_empty) {
        pw_assert(part->run == 0 && part->first_degree == 0);
        part->first_source = source;
        part->first_target = target;
        part->is_empty = false;
    } else {
        part->is_sorted &= target > part->target;
        target_part_end_run(part);
    }
    part->target = target;
    part->source = 0;
}
