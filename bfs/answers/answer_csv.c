/*
 * answer_csv.c - see answer_csv.h.
 */
#include "answer_csv.h"
#include "base/text/text_stream.h"
#include <errno.h>
#include <stdlib.h>

#define HISTOGRAM_CELLS 3

struct answer_table {
    struct report report;
    const struct pwgraph *graph;
    struct answer_field fields[ANSWER_FIELDS_MAX];
    size_t field_count;
    bool has_rows;
    bool is_complete; /* no path is missing for lack of memory */
};

/* A path as "Shoe -> Leather", for free(3). NULL when out of memory. texts: to be freed here. */
static char *path_text(const char **texts, size_t count)
{
    char *text = texts != NULL ? text_path(texts, count) : NULL;
    free(texts);
    return text;
}

/* A row with a path of that many nodes, which may be 0. */
static void write_row(struct answer_table *table, const uint32_t *nodes, size_t count)
{
    struct report_cell cells[ANSWER_FIELDS_MAX];
    char *texts[2] = {NULL, NULL};
    for (size_t i = 0; i < table->field_count; i++) {
        const struct answer_field *field = &table->fields[i];
        const bool is_pages = field->kind == ANSWER_FIELD_PAGES;
        cells[i] = REPORT_DATA(field->name, field->value);
        if (field->value.kind == REPORT_BOOLEAN) { /* 1 or 0, as in a report */
            cells[i].value = report_integer(field->value.number);
        }
        if (count > 0 &&
            (field->kind == ANSWER_FIELD_NODES || (is_pages && pwgraph_has_pages(table->graph)))) {
            texts[is_pages] = path_text(is_pages ? answer_pages(table->graph, nodes, count)
                                                 : answer_names(table->graph, nodes, count),
                                        count);
            table->is_complete &= texts[is_pages] != NULL;
            cells[i].value = report_text(texts[is_pages]);
        }
    }
    if (!table->has_rows) {
        report_table_begin(&table->report, "answers", cells, table->field_count);
        table->has_rows = true;
    }
    report_table_row(&table->report, NULL, cells, table->field_count);
    free(texts[0]);
    free(texts[1]);
}

static bool write_listed(void *context, const uint32_t *nodes, uint32_t hops)
{
    write_row(context, nodes, (size_t)hops + 1);
    return true;
}

/* Close the report. False with errno set if it is not whole. */
static bool finish(struct report *report, bool is_complete)
{
    const bool done = report_close(report);
    errno = !is_complete ? ENOMEM : report_failed(report);
    return done && is_complete;
}

bool answer_csv(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                const struct pwgraph_paths *paths, uint64_t list_limit)
{
    struct answer_table table = {.graph = graph, .is_complete = true};
    struct answer_texts texts;
    struct answer counted = *answer;
    if (paths != NULL) {
        counted.path_count = paths->count_at_most;
        counted.path_digits = paths->count;
    }
    table.field_count = answer_fields(graph, &counted, &texts, table.fields);
    report_open(&table.report, out, REPORT_FORMAT_CSV, NULL);
    if (paths != NULL) {
        const bool is_listed = pwgraph_paths_walk(paths, list_limit, write_listed, &table);
        table.is_complete &= is_listed;
    } else {
        write_row(&table, answer->nodes, answer->found ? (size_t)answer->hops + 1 : 0);
    }
    if (paths != NULL && answer->longer != NULL) {
        counted.hops = answer->longer->hops;
        answer_fields(graph, &counted, &texts, table.fields);
        const bool is_listed = pwgraph_paths_walk(answer->longer, list_limit, write_listed, &table);
        table.is_complete &= is_listed;
        counted.hops = answer->hops;
        answer_fields(graph, &counted, &texts, table.fields);
    }
    if (!table.has_rows) { /* no path, or none wanted: only their number */
        write_row(&table, NULL, 0);
    }
    report_table_end(&table.report);
    return finish(&table.report, table.is_complete);
}

bool answer_csv_histogram(FILE *out, const struct answer_distances *distances)
{
    struct report report;
    struct report_cell cells[HISTOGRAM_CELLS] = {REPORT_DATA("hops", report_unknown()),
                                                 REPORT_DATA("nodes", report_unknown()),
                                                 REPORT_DATA("nodes_so_far", report_unknown())};
    report_open(&report, out, REPORT_FORMAT_CSV, NULL);
    report_table_begin(&report, "histogram", cells, HISTOGRAM_CELLS);
    uint64_t so_far = 0;
    for (size_t hops = 0; hops < distances->level_count; hops++) {
        so_far += distances->levels[hops];
        cells[0].value = report_integer(hops);
        cells[1].value = report_integer(distances->levels[hops]);
        cells[2].value = report_integer(so_far);
        report_table_row(&report, NULL, cells, HISTOGRAM_CELLS);
    }
    report_table_end(&report);
    return finish(&report, true);
}
