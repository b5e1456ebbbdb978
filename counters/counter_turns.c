/*
 * counter_turns.c - tries which groups the processor counts at the same time; see counters.h.
 *
 * The kernel opens a group that it could count alone on an idle processor. Whether another user
 * holds counters, and which groups go together, shows only when they are started. So each group
 * joins the turn of the group before it if the two are counted all the time, else it begins a turn.
 */
#include "base/pw_assert.h"
#include "counters.h"

/* Count an empty region. True if every open group of the turn was counted all the time. */
static bool fits(struct counters *counters, size_t turn)
{
    struct counter_reading readings[COUNTER_EVENTS_MAX];
    bool all = true;
    counters_preset(counters, readings);
    counters->by_turns = true;
    counters->turn = turn;
    counters_begin(counters);
    counters_end(counters, readings);
    for (size_t i = 0; i < counters->event_count; i++) {
        const struct counter_event *event = &counters->events[i];
        bool concerns = event->descriptor >= 0 && counters->groups[event->group].turn == turn;
        all = all && (!concerns || (readings[i].time_running_ns > 0 &&
                                    readings[i].time_running_ns == readings[i].time_enabled_ns));
    }
    return all;
}

bool counters_take_turns(struct counters *counters)
{
    bool each_fits = true, any_fits = false;
    size_t turn = 0, members = 0; /* of the turn */
    for (size_t i = 0; i < counters->group_count; i++) {
        counters->groups[i].turn = COUNTER_NO_TURN;
    }
    for (size_t i = 0; i < counters->group_count; i++) {
        struct counter_group *group = &counters->groups[i];
        if (group->leader < 0) {
            continue;
        }
        group->turn = turn;
        if (fits(counters, turn)) {
            members++;
            any_fits = true;
            continue;
        }
        group->turn = members > 0 ? turn + 1 : turn; /* alone */
        if (members > 0 && fits(counters, turn + 1)) {
            turn++; /* after a group that fits */
            members = 1;
        } else {
            group->turn = COUNTER_NO_TURN;
            each_fits = false;
        }
    }
    for (size_t i = 0; i < counters->group_count; i++) {
        counters->groups[i].turn = any_fits ? counters->groups[i].turn : 0; /* what there is */
        counters->groups[i].counted_ns = 0;
    }
    counters->turn_count = turn + 1;
    counters->turn = 0;
    counters->by_turns = false;
    pw_assert(counters->turn_count <= COUNTER_GROUPS_MAX);
    return each_fits;
}
