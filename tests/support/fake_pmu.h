/*
 * fake_pmu.h - a PMU under the reading layer that counts as a test wants it to: a test sets what
 * the region adds to each event, the times, and what goes wrong.
 */
#pragma once

#include "counters/counter_offers.h"
#include "counters/pmu.h"
#include <errno.h>
#include <string.h>

#define FAKE_EVENTS       64
#define FAKE_CODES        67 /* separates the events of each group that is tested */
#define FAKE_CODE(config) ((config) % FAKE_CODES)

struct fake_pmu {
    /* What the test sets. */
    size_t capacity;        /* events in one group; 0: no limit */
    int capacity_error;     /* errno of an event too many in a group; 0: EINVAL */
    int refuse_all;         /* errno of every open, or 0 */
    uint64_t refuse_config; /* this event alone is refused ... */
    int refuse_error;       /* ... with this errno, when not 0 */
    uint64_t enabled_ns;    /* what a region adds to each group's times */
    uint64_t running_ns;
    uint64_t counts_by_config[FAKE_CODES]; /* what it adds to an event, by FAKE_CODE(config) */
    bool lose_after;                       /* the second read of a group gives nothing */
    bool backwards;                        /* the counters lose what they should gain */
    int start_error;
    /* Its own state. */
    struct {
        bool open, running;
        int leader;
        uint64_t config, value;
        uint64_t time_enabled, time_running;
    } events[FAKE_EVENTS];
    size_t reads;
    size_t opened, closed;
};

static struct fake_pmu *fake_now; /* the one that counts */

static inline int fake_open(const struct pmu_code *code, int leader)
{
    size_t members = 0;
    if (fake_now->refuse_all != 0) {
        return -fake_now->refuse_all;
    }
    if (fake_now->refuse_error != 0 && fake_now->refuse_config == code->config) {
        return -fake_now->refuse_error;
    }
    for (int i = 0; i < FAKE_EVENTS; i++) {
        members += fake_now->events[i].open && fake_now->events[i].leader == leader;
    }
    if (leader >= 0 && fake_now->capacity != 0 && members >= fake_now->capacity) {
        return fake_now->capacity_error != 0 ? -fake_now->capacity_error : -EINVAL;
    }
    for (int i = 0; i < FAKE_EVENTS; i++) {
        if (!fake_now->events[i].open) {
            memset(&fake_now->events[i], 0, sizeof(fake_now->events[i]));
            fake_now->events[i].open = true;
            fake_now->events[i].leader = leader >= 0 ? leader : i;
            fake_now->events[i].config = code->config;
            fake_now->events[i].value = 1000; /* counters do not begin at zero */
            fake_now->opened++;
            return i;
        }
    }
    return -EMFILE;
}

static inline int fake_start(int leader)
{
    fake_now->events[leader].running = fake_now->start_error == 0;
    return -fake_now->start_error;
}

static inline int fake_stop(int leader)
{
    if (!fake_now->events[leader].running) {
        return -EINVAL;
    }
    fake_now->events[leader].running = false;
    fake_now->events[leader].time_enabled += fake_now->enabled_ns;
    fake_now->events[leader].time_running += fake_now->running_ns;
    for (int i = 0; i < FAKE_EVENTS; i++) {
        if (fake_now->events[i].open && fake_now->events[i].leader == leader) {
            uint64_t added = fake_now->counts_by_config[FAKE_CODE(fake_now->events[i].config)];
            fake_now->events[i].value += fake_now->backwards ? (uint64_t)0 - added : added;
        }
    }
    return 0;
}

static inline int fake_read(int leader, uint64_t *words, size_t word_count)
{
    size_t at = PMU_GROUP_HEADER;
    if (fake_now->reads++ > 0 && fake_now->lose_after) {
        return 0;
    }
    for (int i = 0; i < FAKE_EVENTS && at < word_count; i++) {
        if (fake_now->events[i].open && fake_now->events[i].leader == leader) {
            words[at++] = fake_now->events[i].value;
        }
    }
    words[PMU_GROUP_EVENTS] = at - PMU_GROUP_HEADER;
    words[PMU_GROUP_ENABLED_NS] = fake_now->events[leader].time_enabled;
    words[PMU_GROUP_RUNNING_NS] = fake_now->events[leader].time_running;
    return (int)at;
}

static inline void fake_close(int descriptor)
{
    fake_now->events[descriptor].open = false;
    fake_now->closed++;
}

static inline struct pmu fake_pmu(struct fake_pmu *fake)
{
    fake_now = fake;
    return (struct pmu){.open = fake_open,
                        .start = fake_start,
                        .stop = fake_stop,
                        .read = fake_read,
                        .close = fake_close};
}

/* A machine with counters that anyone may use. */
static inline struct pmu_host fake_host(void)
{
    return (struct pmu_host){
        .family = PMU_FAMILY_CORTEX_A72, .has_pmu = true, .perf_event_paranoid = 2};
}

/* What the program under test would offer. */
static const struct counter_offers test_offers = {
    .count = "--counters=pointer-wars",
    .passes = "--passes",
    .simulate = "--sim=host",
};
