/*
 * search_row.h - the row of a search and the sums of many, for every report of searches: of bfs,
 * and of the ranks of bfs-mpi.
 */
#pragma once

#include "base/report/report.h"
#include "bfs/run/search_totals.h"
#include "search_words.h"

/* How the rows of a report look. */
struct search_row_look {
    const struct graph *graph; /* for the names of nodes */
    unsigned source_width, target_width, count_width;
    bool has_trials; /* there are several */
    bool has_list;   /* the list nodes of the queue come from an allocator */
    bool sees_calls; /* the calls of malloc and free are known */
};

/* The texts that the cells of a row point to. */
struct search_row_texts {
    char source[GRAPH_LABEL_SIZE], target[GRAPH_LABEL_SIZE];
    char outcome[OUTCOME_SIZE];
};

#define SEARCH_ROW_CELLS 16
#define SEARCH_ROW_TIME  7 /* the width of a time, "36.5 ms" */

/* Set the widths: of the widest labels of count pairs, and of the number of edges. numbers: of the
 * pairs, from 1; NULL: all. */
void search_row_measure(struct search_row_look *look, const struct pair *pairs,
                        const size_t *numbers, size_t count, uint64_t edge_count);

/*
 * Write the cells of a row: SEARCH_ROW_CELLS. disturbed: as for search_outcome. The first fourteen
 * names and their order are the interface of the CSV: a report adds its own columns after them.
 */
void search_row_cells(const struct search_row_look *look, const struct search_row *row,
                      bool disturbed, struct search_row_texts *texts,
                      struct report_cell cells[SEARCH_ROW_CELLS]);

#define SEARCH_ENDED_FIELDS 7
#define SEARCH_COUNT_FIELDS 6

/* Write the fields of a summary: how the searches ended; their rates and counts. is_shared: one
 * pass answered several searches, so that the rate of a search is not shown. */
void search_ended_fields(const struct search_totals *totals,
                         struct report_field fields[SEARCH_ENDED_FIELDS]);
void search_count_fields(const struct search_totals *totals, bool is_shared,
                         struct report_field fields[SEARCH_COUNT_FIELDS]);

/* A label or title in text, shown only if it has something to say. */
static inline const char *label_if(bool there, const char *label)
{
    return there ? label : NULL;
}
