/*
 * answer_json.c - see answer_json.h.
 */
#include "answer_json.h"

#define ANSWER_SCHEMA    "pointer-wars-answer/1"
#define HISTOGRAM_SCHEMA "pointer-wars-histogram/2"

/* What the elements of an array are. */
typedef void write_element(FILE *out, const struct pwgraph *graph, uint32_t node);

static void write_name(FILE *out, const struct pwgraph *graph, uint32_t node)
{
    char label[PWGRAPH_TEXT_SIZE];
    report_write_value(out, REPORT_FORMAT_JSON, report_text(pwgraph_label(graph, node, label)));
}

static void write_page(FILE *out, const struct pwgraph *graph, uint32_t node)
{
    report_write_value(out, REPORT_FORMAT_JSON, report_id(pwgraph_page(graph, node)));
}

static void write_array(FILE *out, const struct pwgraph *graph, const uint32_t *nodes, size_t count,
                        write_element *write)
{
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", out);
        write(out, graph, nodes[i]);
    }
    fputc(']', out);
}

/* The fields as members. path: the nodes of an answer's path, if there is one. */
static void write_fields(FILE *out, const char *before, const struct pwgraph *graph,
                         const struct answer_field *fields, size_t count, const uint32_t *path,
                         size_t path_count)
{
    for (size_t i = 0; i < count; i++) {
        const bool is_pages = fields[i].kind == ANSWER_FIELD_PAGES;
        if (fields[i].kind == ANSWER_FIELD_NODES || (is_pages && pwgraph_has_pages(graph))) {
            fprintf(out, "%s\"%s\":", before, fields[i].name);
            write_array(out, graph, path, path_count, is_pages ? write_page : write_name);
        } else if (fields[i].kind == ANSWER_FIELD ||
                   (!is_pages && fields[i].value.kind != REPORT_UNKNOWN)) {
            report_json_member(out, before, fields[i].name, fields[i].value);
        }
        before = ",";
    }
}

/* An answer's object but for its end. */
static void write_answer(FILE *out, const struct pwgraph *graph, const struct answer *answer)
{
    struct answer_texts texts;
    struct answer_field fields[ANSWER_FIELDS_MAX];
    const size_t count = answer_fields(graph, answer, &texts, fields);
    write_fields(out, "{", graph, fields, count, answer->nodes,
                 answer->found ? (size_t)answer->hops + 1 : 0);
}

static void write_schema(FILE *out, const char *schema)
{
    report_json_member(out, ",", "schema", report_text(schema));
    fputc('}', out);
}

void answer_json(FILE *out, const struct pwgraph *graph, const struct answer *answer)
{
    write_answer(out, graph, answer);
    write_schema(out, ANSWER_SCHEMA);
}

/* All shortest paths --------------------------------------------------------------------------- */

struct path_list {
    FILE *out;
    const struct pwgraph *graph;
    write_element *write;
    bool has_begun;
};

static bool write_listed(void *context, const uint32_t *nodes, uint32_t hops)
{
    struct path_list *list = context;
    fputs(list->has_begun ? "," : "", list->out);
    list->has_begun = true;
    write_array(list->out, list->graph, nodes, (size_t)hops + 1, list->write);
    return true;
}

/* A member that is an array of paths. */
static bool write_paths(FILE *out, const char *name, const struct pwgraph *graph,
                        const struct pwgraph_paths *paths, uint64_t list_limit,
                        write_element *write)
{
    struct path_list list = {out, graph, write, false};
    fprintf(out, ",\"%s\":[", name);
    const bool done = pwgraph_paths_walk(paths, list_limit, write_listed, &list);
    fputc(']', out);
    return done;
}

bool answer_json_all(FILE *out, const struct pwgraph *graph, const struct answer *answer,
                     const struct pwgraph_paths *paths, uint64_t list_limit)
{
    struct answer counted = *answer;
    counted.path_count = paths->count_at_most;
    counted.path_digits = paths->count;
    write_answer(out, graph, &counted);
    bool done = write_paths(out, "paths", graph, paths, list_limit, write_name);
    if (done && pwgraph_has_pages(graph)) {
        done = write_paths(out, "paths_page_ids", graph, paths, list_limit, write_page);
    }
    if (done && answer->longer != NULL) {
        done = write_paths(out, "longer_paths", graph, answer->longer, list_limit, write_name);
    }
    if (done && answer->longer != NULL && pwgraph_has_pages(graph)) {
        done = write_paths(out, "longer_paths_page_ids", graph, answer->longer, list_limit,
                           write_page);
    }
    write_schema(out, ANSWER_SCHEMA);
    return done;
}

/* The histogram -------------------------------------------------------------------------------- */

void answer_json_histogram(FILE *out, const struct answer_distances *distances,
                           size_t avoided_count, const char *note)
{
    struct answer_texts texts;
    struct answer_field fields[ANSWER_FIELDS_MAX];
    const struct pwgraph *graph = distances->graph;
    report_json_member(out, "{", "from",
                       report_text(pwgraph_label(graph, distances->source, texts.from)));
    fputs(",\"histogram\":[", out);
    for (size_t hops = 0; hops < distances->level_count; hops++) {
        fprintf(out, "%s%llu", hops > 0 ? "," : "", (unsigned long long)distances->levels[hops]);
    }
    fputc(']', out);
    const size_t count = answer_histogram_fields(distances, avoided_count, note, &texts, fields);
    write_fields(out, ",", graph, fields, count, NULL, 0);
    write_schema(out, HISTOGRAM_SCHEMA);
}
