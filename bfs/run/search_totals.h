/*
 * search_totals.h - sums over the measured searches, and the times of each search over the trials.
 */
#pragma once

#include "base/report/report_value.h"
#include "run.h"

struct search_totals {
    uint64_t rows;                   /* searches measured, over all trials */
    uint64_t ended[SEARCH_STATUSES]; /* the same, by enum search_status */
    uint64_t found;                  /* of the searches that are done */
    uint64_t visited, expanded, pushed;
    uint64_t peak_queue_max;
    uint64_t elapsed_ns;
    uint64_t malloc_calls, free_calls;
    uint64_t rate_max;       /* highest nodes/s of a finished search, in thousandths */
    struct search_row *last; /* with several trials: of each search; trial 0: never made */
    /* Private: with several trials, the times in ns of the finished searches. With one trial
     * nothing is kept, however many searches it has. */
    size_t search_count;
    uint64_t trials;
    double *samples; /* trials for each search */
    size_t *sample_counts;
};

/* The times of one search over the finished trials. */
struct search_times {
    size_t count; /* 0: the other members are not known */
    uint64_t median_ns, min_ns, max_ns;
    double spread; /* half the distance of the quartiles, over the median */
};

/* Start with nothing. False when out of memory. Freed with search_totals_free. */
bool search_totals_create(struct search_totals *totals, size_t search_count, uint64_t trials);
void search_totals_free(struct search_totals *totals);

void search_totals_add(struct search_totals *totals, const struct search_row *row);

/* With several trials: the times of the search at a position. */
struct search_times search_totals_times(const struct search_totals *totals, size_t position);

/*
 * The rate that the challenge compares, nodes/s: the nodes visited per second of measured time, to
 * three decimals. Computed only here. Unknown if either is SEARCH_COUNT_UNKNOWN.
 */
struct report_value nodes_per_second(uint64_t visited, uint64_t elapsed_ns);
