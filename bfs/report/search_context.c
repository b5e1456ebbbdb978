/*
 * search_context.c - see search_context.h.
 */
#include "search_context.h"
#include "allocator_list.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/text/text_stream.h"
#include "bfs/run/answer_check.h"
#include "build_info.h"
#include "counters/resources.h"
#include "data/graph/graph_origin.h"
#include "data/store/graph_checksum.h"
#include "liblist/linked_list_more.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * A number that identifies the pairs: of their count, then of source and target of each, as
 * graph_checksum.h does. The ids are the ids of the graph's file, so another order of the nodes in
 * memory changes nothing.
 */
static uint64_t pairs_checksum(const struct pairs *pairs, const struct graph *graph)
{
    struct graph_sum sum;
    graph_sum_start(&sum);
    graph_sum_add(&sum, pairs->count);
    for (size_t i = 0; i < pairs->count; i++) {
        const struct pair *pair = &pairs->items[i];
        pw_assert(pair->source < graph->node_limit && pair->target < graph->node_limit);
        graph_sum_add_ids(&sum,
                          (uint32_t[]){graph_original_id(graph, pair->source),
                                       graph_original_id(graph, pair->target)},
                          2);
    }
    return graph_sum_end(&sum);
}

/* Names as "Shoe, Cheese", for free(3); NULL when out of memory. */
static char *joined(const char *const *names, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_stream_open(&text, &size);
    for (size_t i = 0; out != NULL && i < count; i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    if (out != NULL) {
        fclose(out);
    }
    return text;
}

/* For free(3); NULL: there are no nodes to avoid, or no memory for their names. */
static const char **avoided_names(const struct inputs *inputs)
{
    const size_t count = inputs->avoided_count;
    return count > 0 ? answer_path_labels(&inputs->graph, inputs->avoided, (uint32_t)count - 1)
                     : NULL;
}

/* What serves the list nodes, in text: the specification, or why none is used. */
static void describe_allocator(const struct search_report *search_report, char text[320])
{
    const bool given = search_report->options->allocator != NULL;
    if (search_report_uses_list(search_report)) {
        snprintf(text, 320, "%s", search_report->allocator);
    } else {
        snprintf(text, 320, "%s%sthe engine %s takes no list nodes",
                 given ? search_report->allocator : "none", given ? " has nothing to do: " : ": ",
                 search_report->engine->name);
    }
}

struct origin_texts {
    char wiki[64], date[32];
};

/* What is known of the wiki's dump that the graph is from. Returns how many fields. */
static size_t origin_fields(const struct graph *graph, struct origin_texts *texts,
                            struct report_field fields[2])
{
    size_t count = 0;
    graph_origin_fact(graph->origin, "wiki", texts->wiki, sizeof(texts->wiki));
    graph_origin_fact(graph->origin, "date", texts->date, sizeof(texts->date));
    if (texts->wiki[0] != '\0') {
        fields[count++] = (struct report_field){"wiki", "wiki", report_text(texts->wiki)};
    }
    if (texts->date[0] != '\0') {
        fields[count++] = (struct report_field){"dump_date", "dump of", report_text(texts->date)};
    }
    return count;
}

void search_report_context(struct search_report *search_report)
{
    const struct options *options = search_report->options;
    const struct inputs *inputs = search_report->inputs;
    const bool loaded = search_report_is_loaded(search_report);
    const struct graph *graph = &inputs->graph;
    char allocator_name[64];
    char allocator_options[512];
    char checksum[17] = "", pairs_sum[17] = "";
    char allocator[320];
    struct origin_texts origin;
    const char **avoided = avoided_names(inputs);
    char *avoided_text = avoided != NULL ? joined(avoided, inputs->avoided_count) : NULL;
    const bool uses_list = search_report_uses_list(search_report);
    search_report->paths_missing |= inputs->avoided_count > 0 && avoided_text == NULL;
    describe_allocator(search_report, allocator);
    allocator_list_describe(search_report->allocator, allocator_name, sizeof(allocator_name),
                            allocator_options, sizeof(allocator_options));
    if (options->report.format == REPORT_FORMAT_JSON && loaded) {
        snprintf(checksum, sizeof(checksum), "%016" PRIx64, graph_checksum(graph));
        snprintf(pairs_sum, sizeof(pairs_sum), "%016" PRIx64,
                 pairs_checksum(&inputs->pairs, graph));
    }
    struct report_field fields[] = {
        PROGRAM_FIELDS("bfs"),
        {"library_version", NULL, report_text(linked_list_version())},
        COMPILER_FIELDS,
        MACHINE_FIELDS,
        {"graph.name", "graph", report_text(options->graph)},
        {"graph.nodes", "nodes", report_if(loaded, report_integer(graph_node_count(graph)))},
        {"graph.edges", "edges", report_if(loaded, report_integer(graph->edge_count))},
        {"graph.checksum", NULL, report_text(checksum[0] != '\0' ? checksum : NULL)},
        {"graph.as_published", NULL, report_integer(options->as_published)},
        {"pairs.name", options->pairs != NULL ? "pairs" : NULL, report_text(options->pairs)},
        {"pairs.count", NULL, report_if(loaded, report_integer(inputs->pairs.count))},
        {"pairs.selected", label_if(inputs->stream == NULL, "searches"),
         report_if(loaded, report_integer(search_report->search_count))},
        {"pairs.checksum", NULL, report_text(pairs_sum[0] != '\0' ? pairs_sum : NULL)},
        {"graph_folded", search_report->folded_from > 0 ? "graph" : NULL,
         report_text(search_report->folded_from > 0 ? "made smaller for the simulation" : NULL)},
        {"engine", "engine", report_text(search_report->engine->name)},
        {"without", NULL, report_array(avoided, inputs->avoided_count)},
        {NULL, label_if(avoided != NULL, "without"), report_text(avoided_text)},
        {"threads", search_report->threads > 1 ? "threads" : NULL,
         report_integer(search_report->threads)},
        {NULL, "allocator", report_text(allocator)},
        {"allocator.specification", NULL, report_text(search_report->allocator)},
        {"allocator.name", NULL, report_text(allocator_name)},
        {"allocator.options", NULL, report_text(allocator_options)},
        {"allocator.used", NULL, report_boolean(uses_list)},
        {"trials", options->trials > 1 ? "trials" : NULL, report_integer(options->trials)},
        {"warmups", options->warmups > 0 ? "warm-ups" : NULL, report_integer(options->warmups)},
        {"timeout_seconds", options->timeout_ns > 0 ? "timeout" : NULL,
         report_if(options->timeout_ns > 0, report_seconds(options->timeout_ns))},
        {"cpu_pinned", options->cpu >= 0 ? "processor" : NULL,
         report_if(options->cpu >= 0, report_id((uint64_t)options->cpu))},
        {NULL, NULL, report_unknown()}, /* two more, if they are known: */
        {NULL, NULL, report_unknown()},
    };
    const size_t field_count =
        COUNT_OF(fields) - 2 + origin_fields(graph, &origin, fields + COUNT_OF(fields) - 2);
    if (options->report.format != REPORT_FORMAT_TEXT || !options->report.quiet) {
        report_section(&search_report->report, "context", NULL, fields, field_count);
        if (options->report.format == REPORT_FORMAT_TEXT) {
            fputc('\n', search_report->report.out);
        }
    }
    free(avoided);
    free(avoided_text);
}
