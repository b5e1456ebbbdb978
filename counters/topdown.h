/*
 * topdown.h - the top-down method: which share of the pipeline's slots retired work, was wasted on
 * a wrong path, or stayed empty because the front end or the back end was not ready.
 *
 * 1. Every processor family has a table in topdown.c: a base (cycles, or the slots themselves), its
 *    events, and a formula per share.
 * 2. The base leads every group of counters, so that an event becomes a rate per base, whose two
 *    counts were taken at the same time.
 * 3. The shares of level 1 should add to 100 %. Their sum is a metric of its own, as a check.
 */
#pragma once

#include "counters.h"

#define TOPDOWN_EVENTS_MAX   12
#define TOPDOWN_CERTAIN_FROM 0.9 /* of the time counted; below it, shares are called uncertain */

struct topdown_model; /* the table of a family */

/* One share, bound to the counters of a plan. */
struct topdown_share {
    const struct topdown_model *model;
    size_t index;                             /* among the shares of its model */
    double slots;                             /* per base */
    unsigned char events[TOPDOWN_EVENTS_MAX]; /* of each event of the model the counter's index, */
    unsigned char bases[TOPDOWN_EVENTS_MAX];  /* and the index of the base that leads its group */
};

/* How a share is called. */
struct topdown_words {
    const char *name;    /* a column's: "topdown_retiring" */
    const char *title;   /* for people: "retiring" */
    const char *heading; /* over a column of text; "" for none */
};

/*
 * Add the events of levels 1 to level (1 or 2) for the host of the counters. pairs: a group per
 * event, for processors with few counters. Sets *share to the first share; those after it differ
 * in their index only. Returns how many there are; the last is the sum. On a processor without
 * these events, the shares of level 1 are there without a value, and the reason names what is
 * missing.
 */
size_t topdown_plan(struct topdown_share *share, struct counters *counters, unsigned level,
                    bool pairs);

struct topdown_words topdown_words(const struct topdown_share *share);

/* True if it is the sum of the shares of level 1. */
bool topdown_is_sum(const struct topdown_share *share);

/* The share, 0 to 1, from the readings of all events; a negative result is 0. */
struct counter_reading topdown_value(const struct topdown_share *share,
                                     const struct counter_reading *readings);

/* One sentence about the sum of the shares: what they add to, and if they can be relied on. passes:
 * the option that counts fewer events at a time. Empty if there is no sum. Returns out. */
const char *topdown_note(const struct topdown_share *sum, const struct counter_reading *readings,
                         const char *passes, char *out, size_t out_size);
