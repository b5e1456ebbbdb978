/*
 * allocbench_simulated.c - the counters of "pointer-wars" for a processor without counters.
 *
 * 1. bfs --sim makes the searches under Valgrind, beginning with the first, so that a heap is as
 *    old as in the measured run; one allocator at a time, with the same limit, so on the same
 *    graph.
 * 2. Its CSV is read by the names of its columns.
 */
#include "allocbench_simulated.h"
#include "base/macros.h"
#include "base/program/child.h"
#include "base/program/csv_child.h"
#include "base/pw_assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEARCHES_MAX 8
#define FIRST        2 /* the first column after the row's names */

static const struct bench_column columns[] = {{"search", "search", 0},
                                              {"allocator", "allocator", BENCH_TEXT},
                                              {"visited", "visited", 0},
                                              {"loads", "loads", 0},
                                              {"l1d_hit_rate", "L1D", 4},
                                              {"l2_local_hit_rate", "L2 local", 4},
                                              {"branches", "branches", 0},
                                              {"branches_predicted_rate", "predicted", 4},
                                              {"instructions", "instructions", 0}};

/* The path of bfs: in the folder of this program. */
static bool find_bfs(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 8);
    path[length > 0 ? length : 0] = '\0';
    char *name = strrchr(path, '/');
    if (name == NULL) {
        return false;
    }
    memcpy(name, "/bfs", sizeof("/bfs"));
    return access(path, X_OK) == 0;
}

/* Start bfs. 0, or an errno. */
static int start(const struct bench *bench, const char *program, const char *allocator, size_t last,
                 struct csv_child *child)
{
    const struct bench_parameters *p = &bench->parameters;
    struct child_words words = {.count = 0};
    child_words_print(&words, "%s", program);
    child_words_print(&words, "%s", p->job.graph);
    child_words_print(&words, "%s", p->job.pairs);
    child_words_print(&words, "--alloc=%s", allocator);
    child_words_print(&words, "--only=1-%zu", last);
    child_words_print(&words, "--sim=%s", p->wars.simulation);
    child_words_print(&words, "--sim-limit=%.3f", (double)p->wars.simulation_limit_ns / 1e9);
    child_words_print(&words, "--engine=classic");
    child_words_print(&words, "--format=csv");
    child_words_print(&words, "--progress=never");
    child_words_print(&words, "--quiet");
    return csv_child_start(child, program, &words);
}

/* A cell as a number; NaN where it is empty. */
static double number(const char *cell)
{
    char *end = NULL;
    double value = strtod(cell, &end);
    return end != cell ? value : NAN;
}

/* Values of the chosen searches; NaN where one did not fit the limit. */
static void read_rows(struct csv_child *child, const size_t *chosen, size_t chosen_count,
                      double values[][COUNT_OF(columns)])
{
    const char *names[1 + COUNT_OF(columns) - FIRST] = {"search"};
    for (size_t c = FIRST; c < COUNT_OF(columns); c++) {
        names[1 + c - FIRST] = columns[c].name;
    }
    csv_child_heading(child, names, COUNT_OF(names));
    while (csv_child_row(child)) {
        double search = number(child->cells[0]);
        for (size_t i = 0; i < chosen_count; i++) {
            for (size_t c = FIRST; search == (double)chosen[i] + 1 && c < COUNT_OF(columns); c++) {
                values[i][c] = number(child->cells[1 + c - FIRST]);
            }
        }
    }
}

/* A row per search and allocator. Returns true if the measured graph was simulated. */
static bool add_rows(struct bench *bench, const size_t *chosen, size_t chosen_count,
                     const double *visited, double (*values)[SEARCHES_MAX][COUNT_OF(columns)])
{
    bool is_same = true;
    struct bench_table *table =
        bench_add_table(bench, "pointer-wars-simulated", columns, COUNT_OF(columns),
                        "On a simulated processor (%s), the hit rates as shares of one",
                        bench->parameters.wars.simulation);
    for (size_t s = 0; s < chosen_count; s++) {
        for (size_t i = 0; i < bench->case_count; i++) {
            if (!isnan(values[i][s][FIRST])) {
                bench_add_number(table, (double)chosen[s] + 1);
                bench_add_row(table, bench->cases[i].label, values[i][s] + FIRST);
                is_same = is_same && values[i][s][FIRST] == visited[s];
            }
        }
    }
    return is_same;
}

bool bench_add_simulated(struct bench *bench, const size_t *chosen, size_t chosen_count,
                         const double *visited)
{
    static double values[BENCH_CASES_MAX][SEARCHES_MAX][COUNT_OF(columns)];
    const size_t last = chosen[chosen_count - 1] + 1;
    size_t failed = 0;
    char program[4096];
    pw_assert(chosen_count <= SEARCHES_MAX);
    if (!find_bfs(program, sizeof(program))) {
        return command_fail(bench->error, "--sim needs bfs in the folder of allocbench");
    }
    for (size_t i = 0; i < bench->case_count; i++) {
        struct csv_child child;
        const char *label = bench->cases[i].label;
        for (size_t s = 0; s < chosen_count; s++) {
            values[i][s][FIRST] = NAN;
        }
        if (bench_is_cancelled()) {
            continue;
        }
        bench_progress(bench, "simulating %s", label);
        int failure = start(bench, program, bench->cases[i].specification, last, &child);
        if (failure != 0) {
            return command_fail(bench->error, "%s: %s", program, strerror(failure));
        }
        read_rows(&child, chosen, chosen_count, values[i]);
        csv_child_close(&child);
        int status = child_wait(child.process, NULL);
        if (!bench_is_cancelled() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
            bench_note(bench, "%s could not be simulated", label);
            failed++;
        }
    }
    if (failed == bench->case_count) {
        return command_fail(bench->error, "nothing could be simulated; bfs says why above");
    }
    bench->result->incomplete |= bench_is_cancelled();
    bool is_same = add_rows(bench, chosen, chosen_count, visited, values);
    bench_note(bench, "Simulated: the searches from 1 to %zu that fit --sim-limit%s", last,
               is_same ? "" : ", on a smaller graph; a higher limit takes all of it");
    return true;
}
