/*
 * answer_fields.c - see answer_fields.h.
 */
#include "answer_fields.h"
#include "base/pw_assert.h"
#include "data/graph/graph_origin.h"

/* The fields so far. */
struct collection {
    struct answer_field *fields;
    size_t count;
};

static void add(struct collection *collection, const char *name, enum answer_field_kind kind,
                struct report_value value)
{
    pw_assert(collection->count < ANSWER_FIELDS_MAX);
    collection->fields[collection->count++] = (struct answer_field){name, kind, value};
}

struct report_value answer_path_count(uint64_t count, const char *digits)
{
    return count < UINT64_MAX ? report_integer(count) : report_text(digits);
}

bool answer_has_pages(const struct graph *graph)
{
    return graph->names != NULL && graph->origin != NULL && graph->origin->page_ids != NULL;
}

static void add_origin(struct collection *collection, const struct graph *graph,
                       struct answer_texts *texts)
{
    static const char *const names[] = {"wiki", "date"};
    char *const values[] = {texts->wiki, texts->date};
    const size_t sizes[] = {sizeof(texts->wiki), sizeof(texts->date)};
    for (size_t i = 0; i < 2; i++) {
        const bool known = graph_origin_fact(graph->origin, names[i], values[i], sizes[i]);
        add(collection, names[i], ANSWER_FIELD_OPTIONAL,
            report_if(known && values[i][0] != '\0', report_text(values[i])));
    }
}

size_t answer_fields(const struct graph *graph, const struct answer *answer,
                     struct answer_texts *texts, struct answer_field fields[ANSWER_FIELDS_MAX])
{
    const struct search_result *result = &answer->result;
    const bool found = result->found, is_back = answer->hops_back != SEARCH_HOPS_NONE;
    struct collection all = {.fields = fields};
    const char *from = graph_label(graph, answer->pair.source, texts->from);
    const char *to = graph_label(graph, answer->pair.target, texts->to);
    add(&all, "from", ANSWER_FIELD, report_text(from));
    add(&all, "to", ANSWER_FIELD, report_text(to));
    add(&all, "found", ANSWER_FIELD, report_boolean(found));
    add(&all, "hops", ANSWER_FIELD, report_if(found, report_integer(result->hops)));
    add(&all, "seconds", ANSWER_FIELD, report_seconds(result->elapsed_ns));
    add(&all, "path", ANSWER_FIELD_NODES, report_unknown());
    add(&all, "page_ids", ANSWER_FIELD_PAGES, report_unknown());
    add(&all, "shortest_path_count", ANSWER_FIELD,
        report_if(!found || (answer->path_count > 0 &&
                             (answer->path_count < UINT64_MAX || answer->path_digits != NULL)),
                  answer_path_count(answer->path_count, answer->path_digits)));
    if (answer->longer != NULL) {
        add(&all, "longer_path_count", ANSWER_FIELD,
            answer_path_count(answer->longer->count_at_most, answer->longer->count));
    }
    add(&all, "hops_back", ANSWER_FIELD, report_if(is_back, report_integer(answer->hops_back)));
    add(&all, "reached", ANSWER_FIELD,
        report_if(answer->is_counted, report_integer((uint64_t)answer->reached + 1)));
    add(&all, "expanded", ANSWER_FIELD, report_count(result->expanded));
    add(&all, "edges", ANSWER_FIELD, report_count(result->edges));
    add(&all, "avoided", ANSWER_FIELD_OPTIONAL,
        report_if(answer->avoided_count > 0, report_integer(answer->avoided_count)));
    add(&all, "verified", ANSWER_FIELD_OPTIONAL,
        report_if(answer->is_verified, report_boolean(true)));
    add(&all, "from_note", ANSWER_FIELD_OPTIONAL, report_text(answer->notes[0]));
    add(&all, "to_note", ANSWER_FIELD_OPTIONAL, report_text(answer->notes[1]));
    add_origin(&all, graph, texts);
    return all.count;
}

size_t answer_histogram_fields(const struct distances *distances,
                               const struct search_result *result, size_t avoided_count,
                               const char *note, struct answer_texts *texts,
                               struct answer_field fields[ANSWER_FIELDS_MAX])
{
    const struct graph *graph = distances->graph;
    const bool is_around = distances->around_hops != SEARCH_HOPS_NONE;
    struct collection all = {.fields = fields};
    pw_assert(distances->reached <= graph_node_count(graph));
    add(&all, "reached", ANSWER_FIELD, report_integer(distances->reached));
    add(&all, "not_reached", ANSWER_FIELD,
        report_integer(graph_node_count(graph) - distances->reached));
    add(&all, "around_hops", ANSWER_FIELD,
        report_if(is_around, report_integer(distances->around_hops)));
    add(&all, "seconds", ANSWER_FIELD, report_seconds(result->elapsed_ns));
    add(&all, "expanded", ANSWER_FIELD, report_count(result->expanded));
    add(&all, "edges", ANSWER_FIELD, report_count(result->edges));
    add(&all, "avoided", ANSWER_FIELD_OPTIONAL,
        report_if(avoided_count > 0, report_integer(avoided_count)));
    add(&all, "from_note", ANSWER_FIELD_OPTIONAL, report_text(note));
    add_origin(&all, graph, texts);
    return all.count;
}
