/*
 * search_context.c - the report's context: program, machine, graph, allocator.
 */
#include "allocator_list.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "build_info.h"
#include "counters/resources.h"
#include "data/graph/graph_origin.h"
#include "data/store/graph_checksum.h"
#include "liblist/linked_list_more.h"
#include "search_report.h"
#include <inttypes.h>
#include <stdio.h>

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

void search_report_context(struct search_report *search_report)
{
    const struct options *options = search_report->options;
    const struct inputs *inputs = search_report->inputs;
    const bool loaded = search_report_is_loaded(search_report);
    const struct graph *graph = &inputs->graph;
    char allocator_name[64];
    char allocator_options[512];
    char checksum[17] = "";
    char pairs_sum[17] = "";
    char allocator[320];
    char date[32];
    graph_origin_fact(graph->origin, "date", date, sizeof(date));
    const bool uses_list = search_report_uses_list(search_report);
    const char *engine = search_report->engine->name;
    if (uses_list) {
        snprintf(allocator, sizeof(allocator), "%s", search_report->allocator);
    } else {
        snprintf(allocator, sizeof(allocator), "%s%sthe engine %s takes no list nodes",
                 options->allocator != NULL ? search_report->allocator : "none",
                 options->allocator != NULL ? " has nothing to do: " : ": ", engine);
    }
    allocator_list_describe(search_report->allocator, allocator_name, sizeof(allocator_name),
                            allocator_options, sizeof(allocator_options));
    if (options->report.format == REPORT_FORMAT_JSON && loaded) {
        snprintf(checksum, sizeof(checksum), "%016" PRIx64, graph_checksum(graph));
        snprintf(pairs_sum, sizeof(pairs_sum), "%016" PRIx64,
                 pairs_checksum(&inputs->pairs, graph));
    }
    const struct report_field fields[] = {
        {"program", NULL, report_text("bfs")},
        {"program_version", NULL, report_text(BUILD_VERSION)},
        {"library_version", NULL, report_text(linked_list_version())},
        {"compiler", NULL, report_text(BUILD_COMPILER)},
        {"compiler_flags", NULL, report_text(BUILD_FLAGS)},
        {"cpu", NULL, report_text(resources_cpu())},
        {"kernel", NULL, report_text(resources_kernel())},
        {"graph.name", "graph", report_text(options->graph)},
        {"graph.nodes", "nodes", report_if(loaded, report_integer(graph_node_count(graph)))},
        {"graph.edges", "edges", report_if(loaded, report_integer(graph->edge_count))},
        {"graph.checksum", NULL, report_text(checksum[0] != '\0' ? checksum : NULL)},
        {"graph.as_published", NULL, report_integer(options->as_published)},
        {"pairs.name", options->pairs != NULL ? "pairs" : NULL, report_text(options->pairs)},
        {"pairs.count", NULL, report_if(loaded, report_integer(inputs->pairs.count))},
        {"pairs.selected", "searches",
         report_if(loaded, report_integer(search_report->search_count))},
        {"pairs.checksum", NULL, report_text(pairs_sum[0] != '\0' ? pairs_sum : NULL)},
        {"graph_folded", search_report->folded_from > 0 ? "graph" : NULL,
         report_text(search_report->folded_from > 0 ? "made smaller for the simulation" : NULL)},
        {"engine", "engine", report_text(search_report->engine->name)},
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
        {"dump_date", "dump of", report_text(date)}, /* the last: only if it is known */
    };
    const size_t field_count = COUNT_OF(fields) - (date[0] == '\0');
    if (options->report.format != REPORT_FORMAT_TEXT || !options->report.quiet) {
        report_section(&search_report->report, "context", NULL, fields, field_count);
        if (options->report.format == REPORT_FORMAT_TEXT) {
            fputc('\n', search_report->report.out);
        }
    }
}
