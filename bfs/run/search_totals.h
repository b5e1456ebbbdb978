/*
 * search_totals.h - sums over the measured searches.
 */
#pragma once

#include "base/report/report_value.h"
#include "run.h"

struct search_totals {
    uint64_t rows;                   /* searches measured, over all trials */
    uint64_t ended[SEARCH_STATUSES]; /* how many ended so, by enum search_status */
    uint64_t found;                  /* of the searches that are done */
    uint64_t visited, expanded, pushed;
    uint64_t peak_queue_max;
    uint64_t elapsed_ns;
    uint64_t malloc_calls, free_calls;
    uint64_t rate_max; /* highest nodes/s of a finished search, in thousandths */
};

void search_totals_add(struct search_totals *totals, const struct search_row *row);

/*
 * The rate that the challenge compares, nodes/s: the nodes visited per second of measured time, to
 * three decimals. Computed only here. Unknown if either is SEARCH_COUNT_UNKNOWN.
 */
struct report_value nodes_per_second(uint64_t visited, uint64_t elapsed_ns);
