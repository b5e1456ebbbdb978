/*
 * metrics.h - the metrics from the counters: counts, hit rates, amounts per visited node.
 *
 * A specification, as the user types it, becomes metrics and the counters they need:
 *     auto           the group pointer-wars; silent if the machine has no counters
 *     none           nothing
 *     pointer-wars   loads, cache and TLB hit rates, branches, share predicted, IPC
 *     memory, core   the two halves of it, four events each
 *     EVENT,...      events by name (events.h); {A,B} are counted at the same time
 */
#pragma once

#include "counter_offers.h"
#include "counters.h"

#define METRICS_MAX 64

enum metric_kind {
    METRIC_COUNT,    /* a */
    METRIC_HIT_RATE, /* 1 - a / b: 0 to 1 */
    METRIC_RATIO,    /* a / b */
    METRIC_PER_NODE, /* a / nodes visited */
};

struct metric {
    char name[EVENT_NAME_BYTES + 16];    /* a column's name: "l1d_hit_rate", "loads_per_node" */
    char title[EVENT_NAME_BYTES + 16];   /* for people: "L1D hit rate" */
    char heading[EVENT_NAME_BYTES + 16]; /* over a column of text: "L1D hit" */
    enum metric_kind kind;
    size_t a, b; /* indexes into the counters' events, of one group when there are two */
};

struct metrics {
    struct metric list[METRICS_MAX];
    size_t count;
    bool automatic; /* "auto": the user did not ask for counters by name */
};

/*
 * Plan and open the counters of a specification. NULL, "" and "none" give no metrics. False with
 * error set for a name that does not exist. An unavailable counter is no error: its status says so.
 * Call counters_close afterwards.
 */
bool metrics_open(struct metrics *metrics, struct counters *counters, const char *specification,
                  const struct pmu *pmu, const struct pmu_host *host, struct command_error *error);

/* The metrics of the group pointer-wars for readings from elsewhere. The only group of the counters
 * has an event for every role, in the order of the roles. */
void metrics_of_roles(struct metrics *metrics, struct counters *counters);

/* The value of a metric, from the readings of its events and the number of visited nodes. */
struct counter_reading metric_value(const struct metric *metric,
                                    const struct counter_reading *readings, uint64_t visited);

/*
 * One or two sentences for under a table: why it has dashes, and what the reader can do. offers:
 * the program's options that help. Empty if every reading has a value. Returns out.
 */
const char *metrics_footnote(const struct counters *counters, const struct metrics *metrics,
                             const struct counter_reading *readings,
                             const struct counter_offers *offers, char *out, size_t out_size);
