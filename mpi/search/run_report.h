/*
 * run_report.h - the report of a run: as bfs's (bfs/report/README.md), and the bytes on the wire.
 * Rank 0 writes it.
 */
#pragma once

#include "base/report/report.h"
#include "bfs/report/search_row.h"
#include "search_run.h"

struct run_report {
    FILE *out;
    enum report_format format;
    bool quiet;    /* text: only the summary */
    bool in_words; /* text: nothing but the answer to the only search */
    const char *program;
    const char *graph_name, *pairs_name;
    uint64_t load_ns;
    uint64_t rank_bytes;         /* memory that a rank takes, by the formula; 0: not known */
    struct search_totals totals; /* filled in, at rank 0 */
    /* Private. */
    struct search_run *run;
    struct report report;
    struct search_row_look look;
    bool is_shared; /* a pass answered several searches */
};

/*
 * Make the searches of run, all ranks together, and report them. Fills row and context of run.
 * *written: at rank 0, true if the whole report could be written. Collective.
 */
enum run_outcome run_report(struct run_report *run_report, struct search_run *run, bool *written);
