/*
 * answer_fields.c - see answer_fields.h.
 */
#include "answer_fields.h"
#include "base/pw_assert.h"

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

static void add_origin(struct collection *collection, const struct pwgraph *graph,
                       struct answer_texts *texts)
{
    static const char *const names[] = {"wiki", "date"};
    char *const values[] = {texts->wiki, texts->date};
    for (size_t i = 0; i < 2; i++) {
        const bool known = pwgraph_fact(graph, names[i], values[i]);
        add(collection, names[i], ANSWER_FIELD_OPTIONAL,
            report_if(known && values[i][0] != '\0', report_text(values[i])));
    }
}

size_t answer_fields(const struct pwgraph *graph, const struct answer *answer,
                     struct answer_texts *texts, struct answer_field fields[ANSWER_FIELDS_MAX])
{
    const struct pwgraph_counts *counts = &answer->counts;
    const bool found = answer->found, is_back = answer->hops_back != PWGRAPH_NONE;
    struct collection all = {.fields = fields};
    const char *from = pwgraph_label(graph, answer->question.source, texts->from);
    const char *to = pwgraph_label(graph, answer->question.target, texts->to);
    add(&all, "from", ANSWER_FIELD, report_text(from));
    add(&all, "to", ANSWER_FIELD, report_text(to));
    add(&all, "found", ANSWER_FIELD, report_boolean(found));
    add(&all, "hops", ANSWER_FIELD, report_if(found, report_integer(answer->hops)));
    add(&all, "seconds", ANSWER_FIELD, report_seconds(counts->nanoseconds));
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
        report_if(answer->reached > 0, report_integer(answer->reached)));
    add(&all, "expanded", ANSWER_FIELD, report_count(counts->nodes));
    add(&all, "edges", ANSWER_FIELD, report_count(counts->edges));
    add(&all, "avoided", ANSWER_FIELD_OPTIONAL,
        report_if(answer->avoided_count > 0, report_integer(answer->avoided_count)));
    add(&all, "verified", ANSWER_FIELD_OPTIONAL,
        report_if(answer->is_verified, report_boolean(true)));
    add(&all, "from_note", ANSWER_FIELD_OPTIONAL, report_text(answer->notes[0]));
    add(&all, "to_note", ANSWER_FIELD_OPTIONAL, report_text(answer->notes[1]));
    add_origin(&all, graph, texts);
    return all.count;
}

size_t answer_histogram_fields(const struct answer_distances *distances, size_t avoided_count,
                               const char *note, struct answer_texts *texts,
                               struct answer_field fields[ANSWER_FIELDS_MAX])
{
    const struct pwgraph *graph = distances->graph;
    const bool is_around = distances->around_hops != PWGRAPH_NONE;
    struct collection all = {.fields = fields};
    pw_assert(distances->reached <= pwgraph_node_count(graph));
    add(&all, "reached", ANSWER_FIELD, report_integer(distances->reached));
    add(&all, "not_reached", ANSWER_FIELD,
        report_integer(pwgraph_node_count(graph) - distances->reached));
    add(&all, "around_hops", ANSWER_FIELD,
        report_if(is_around, report_integer(distances->around_hops)));
    add(&all, "seconds", ANSWER_FIELD, report_seconds(distances->counts.nanoseconds));
    add(&all, "expanded", ANSWER_FIELD, report_count(distances->counts.nodes));
    add(&all, "edges", ANSWER_FIELD, report_count(distances->counts.edges));
    add(&all, "avoided", ANSWER_FIELD_OPTIONAL,
        report_if(avoided_count > 0, report_integer(avoided_count)));
    add(&all, "from_note", ANSWER_FIELD_OPTIONAL, report_text(note));
    add_origin(&all, graph, texts);
    return all.count;
}
