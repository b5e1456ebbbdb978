/*
 * driver_fixture.h - runs bfs on a small graph, and reads its CSV.
 */
#pragma once

#include "json.h"
#include "program.h"
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

/* Run bfs with these arguments. */
#define bfs(...) program_run_to(NULL, (const char *const[]){PW_BFS, __VA_ARGS__, NULL})

#define EDGES "# a path, a side track, and a node without out-edges\n1 2\n2 3\n3 4\n1 5\n5 6\n"
#define PAIRS "1 4\n4 1\n1 6\n2 3\n"

#define CSV_HEADER                                                                                 \
    "trial,search,source,target,found,hops,visited,expanded,pushed,peak_queue,seconds,"            \
    "nodes_per_second,malloc_calls,free_calls"

static const char *graph; /* paths of the inputs */
static const char *pairs;

static inline void write_inputs(void)
{
    static char graph_path[256];
    static char pairs_path[256];
    strcpy(graph_path, fixture_text("graph.txt", EDGES));
    strcpy(pairs_path, fixture_text("pairs.txt", PAIRS));
    graph = graph_path;
    pairs = pairs_path;
    unsetenv("LINKED_LIST_ALLOC");
}

/* The cell of a line of CSV, both counted from 0; valid until the next call but seven. */
static inline const char *cell(const char *csv, size_t line, size_t column)
{
    static char cells[8][128];
    static unsigned next;
    char *text = cells[next++ % 8];
    for (; line > 0; line--) {
        csv = strchr(csv, '\n');
        ck_assert_ptr_nonnull(csv);
        csv++;
    }
    for (; column > 0; column--) {
        csv += strcspn(csv, ",\n");
        ck_assert_int_eq(*csv, ',');
        csv++;
    }
    snprintf(text, 128, "%.*s", (int)strcspn(csv, ",\n"), csv);
    return text;
}

enum {
    TRIAL,
    SEARCH,
    SOURCE,
    TARGET,
    FOUND,
    HOPS,
    VISITED,
    EXPANDED,
    PUSHED,
    PEAK,
    SECONDS,
    RATE,
    MALLOCS,
    FREES,
    STATUS
};

/* A graph whose searches take long enough to be interrupted. */
#define LONG_GRAPH "generate:nodes=20k"

static inline void pause_ms(long milliseconds)
{
    struct timespec pause = {0, milliseconds * 1000000};
    nanosleep(&pause, NULL);
}

/* Wait until a file has that number of lines. */
static inline void wait_for_lines(const char *path, size_t lines)
{
    for (int i = 0; i < 60000; i++) {
        if (access(path, R_OK) == 0) {
            char *text = program_read(path);
            size_t found = program_line_count(text);
            free(text);
            if (found >= lines) {
                return;
            }
        }
        pause_ms(10);
    }
    ck_abort_msg("%s never had %zu lines", path, lines);
}

/* Assert that a run failed with one line on standard error that contains this text. */
static inline void assert_fails(struct program_result run, int status, const char *part)
{
    ck_assert_msg(run.status == status, "status %d: %s", run.status, run.err);
    ck_assert_msg(program_line_count(run.err) == 1 && strncmp(run.err, "bfs: ", 5) == 0,
                  "not one line: %s", run.err);
    ck_assert_msg(strstr(run.err, part) != NULL, "\"%s\" is not in: %s", part, run.err);
    program_free(&run);
}
