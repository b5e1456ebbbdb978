/*
 * wiki_import.c - reads the tables in order, watches the memory, and builds the graph.
 * One file: the steps of an import, which share struct import and are read in this order.
 */
#include "wiki_import.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "wiki_facts.h"
#include "wiki_names.h"
#include "wiki_tables.h"
#include "wiki_templates.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define WORKER_BYTES ((uint64_t)4 << 20)
#define RANGE_MIN    ((uint64_t)64 << 20) /* bytes for links out of order, without a limit */
#define LINKS_MANY   1000                 /* from this number on, most must have a known target */

struct import {
    const struct wiki_options *options;
    struct wiki_report *report;
    struct wiki_files files;
    struct wiki_state state;
    struct graph_error *error;
    struct graph *graph;
    enum wiki_table table; /* being read now */
    char broken[WIKI_TABLES][WIKI_BROKEN_SIZE];
    bool names_beside_links, has_names, has_wiki; /* the last: the page table names the wiki */
    unsigned tables_read;                         /* a bit for each */
    unsigned threads;
};

__attribute__((format(printf, 2, 3))) static void note(struct import *import, const char *format,
                                                       ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    import->options->note(import->options->context, text);
}

static void show(void *context, uint64_t bytes_done)
{
    const struct import *import = context;
    import->options->progress(import->options->context, wiki_table_names[import->table], bytes_done,
                              import->files.sizes[import->table]);
}

static void note_missing(struct import *import, enum wiki_table table)
{
    note(import, "there is no dump of table %s", wiki_table_names[table]);
    snprintf(import->broken[table], sizeof(import->broken[table]), "there is no dump of it");
}

/* Take the wiki and date from a dump. False with error set if it is of another wiki. */
static bool take_facts(struct import *import, enum wiki_table table,
                       const struct sql_dump_facts *facts)
{
    struct wiki_report *report = import->report;
    if (table != WIKI_PAGE) {
        return facts->database[0] == '\0' || !import->has_wiki ||
               strcmp(facts->database, report->wiki) == 0 ||
               graph_fail(import->error, import->files.paths[table], "is of %s, page of %s",
                          facts->database, report->wiki);
    }
    import->has_wiki = facts->database[0] != '\0';
    if (import->has_wiki) {
        memcpy(report->wiki, facts->database, sizeof(facts->database));
    }
    if (report->date[0] == '\0') {
        memcpy(report->date, facts->date, sizeof(facts->date));
    }
    return true;
}

static uint64_t memory_limit(const struct import *import)
{
    return import->options->memory_limit > 0 ? import->options->memory_limit : memory_available();
}

/* Memory for titles and link targets, estimated from the sizes of the files. */
static uint64_t memory_by_files(const struct import *import)
{
    const uint64_t *sizes = import->files.sizes;
    const bool *packed = import->files.packed;
    return (packed[WIKI_PAGE] ? sizes[WIKI_PAGE] / 2 : sizes[WIKI_PAGE] / 5) +
           (packed[WIKI_LINKTARGET] ? sizes[WIKI_LINKTARGET] / 3 : sizes[WIKI_LINKTARGET] / 8);
}

/* Tables -------------------------------------------------------------------------------------- */

/* Read the dump of a table. A missing dump is a failure unless the table may be missing. */
static bool read_table(struct import *import, enum wiki_table table, bool is_needed)
{
    const struct wiki_options *options = import->options;
    const struct sql_dump_options how = {.threads = import->threads,
                                         .allow_incomplete = options->allow_incomplete,
                                         .cancel = options->cancel,
                                         .progress = show,
                                         .context = import};
    const struct sql_sink sink = wiki_sink(&import->state, table);
    struct sql_dump_facts facts;
    import->table = table;
    if (import->files.paths[table][0] == '\0') {
        if (is_needed && options->allow_incomplete) {
            note_missing(import, table);
        }
        if (!is_needed || options->allow_incomplete) {
            return true;
        }
        import->error->remedy = GRAPH_REMEDY_INCOMPLETE;
        return graph_fail(import->error, import->files.prefix, "there is no dump of table %s",
                          wiki_table_names[table]);
    }
    struct wiki_stage *stage = wiki_stages_begin(
        &import->report->stages, table == WIKI_PAGELINKS && import->names_beside_links
                                     ? "pagelinks and names"
                                     : wiki_table_names[table]);
    if (!sql_dump_read(import->files.paths[table], &wiki_sql_tables[table], &sink, &how, &facts,
                       import->error)) {
        return false;
    }
    stage->decode_ns += facts.decode_ns;
    import->tables_read |= 1U << table;
    if (facts.broken[0] != '\0' && import->broken[table][0] == '\0') {
        memcpy(import->broken[table], facts.broken, sizeof(facts.broken));
        note(import, "%s is incomplete: %s", import->files.paths[table], facts.broken);
    }
    return take_facts(import, table, &facts);
}

/* Memory ------------------------------------------------------------------------------------ */

/* Memory for everything but the links. Every title may become a name, which takes its text again,
 * its offset, its page id, its rank and its sort key. With a memory limit, names are made after
 * everything is read. */
static uint64_t fixed_memory(const struct import *import)
{
    const struct wiki_state *state = &import->state;
    const uint64_t names = state->titles.text_end +
                           state->titles.count * (3 * sizeof(uint64_t) + 2 * sizeof(uint32_t));
    const uint64_t reading =
        state->target_end * sizeof(*state->targets) + import->threads * WORKER_BYTES;
    return title_table_memory(&state->titles) + title_table_memory(&state->templates.titles) +
           state->node_count * sizeof(*state->links.offsets) +
           WORKER_BYTES + /* the program itself */
           (import->options->memory_limit == 0 ? names + reading
            : names > reading                  ? names
                                               : reading);
}

/* True if the import will fit, by the sizes of the files. False with error set. */
static bool check_memory(struct import *import)
{
    char needs[32], available[32];
    const uint64_t fixed = memory_by_files(import);
    return fixed <= memory_limit(import) ||
           graph_fail(import->error, import->files.prefix,
                      "needs about %s of memory (4 bytes per link target, 10 per title and its "
                      "text), %s %s",
                      memory_text(needs, fixed), memory_text(available, memory_limit(import)),
                      import->options->memory_limit > 0 ? "are allowed" : "are available");
}

/* Prepare to take links. False with error set. */
static bool open_links(struct import *import)
{
    char needs[32], available[32];
    struct wiki_state *state = &import->state;
    struct graph *graph = import->graph;
    const uint64_t fixed = fixed_memory(import), limit = memory_limit(import);
    import->report->memory = fixed;
    if (fixed >= limit && import->options->memory_limit > 0) {
        return graph_fail(
            import->error, import->files.prefix,
            "needs %s of memory for titles, names and link targets alone, %s are allowed",
            memory_text(needs, fixed), memory_text(available, limit));
    }
    const uint64_t left = limit > fixed ? limit - fixed : 0;
    state->templates.limit = import->options->memory_limit > 0 ? left : UINT64_MAX;
    state->links.limit = left > RANGE_MIN || import->options->memory_limit > 0 ? left : RANGE_MIN;
    state->links.node_count = state->node_count;
    state->links.keep_duplicates = import->options->keep_duplicates;
    state->links.out = import->options->links;
    graph->node_limit = state->node_count;
    graph->offsets =
        graph_map_array(graph, (uint64_t)state->node_count + 1, sizeof(*graph->offsets));
    state->links.offsets = graph->offsets;
    return (graph->offsets != NULL && link_table_open(&state->links)) ||
           graph_fail(import->error, import->files.prefix, "the links cannot be kept: %s",
                      link_table_reason());
}

/* Links --------------------------------------------------------------------------------------- */

/* Read the links in as many passes as they need. False with error set. */
static bool read_passes(struct import *import)
{
    struct wiki_state *state = &import->state;
    bool again = true;
    for (state->is_counting = true; again; state->is_counting = false) {
        state->pass_rows = 0;
        if (!read_table(import, WIKI_PAGELINKS, true)) {
            return false;
        }
        if (state->pass_rows != state->counts[WIKI_LINK_ROWS]) {
            return graph_fail(import->error, import->files.paths[WIKI_PAGELINKS],
                              "has changed while it was read");
        }
        if (state->is_counting) {
            const uint64_t taken = template_links_memory(&state->templates);
            state->links.limit -= taken < state->links.limit ? taken : state->links.limit;
        }
        if (!link_table_end_pass(&state->links, &again)) {
            return graph_fail(import->error, import->files.paths[WIKI_PAGELINKS],
                              "the links cannot be kept: %s", link_table_reason());
        }
    }
    state->counts[WIKI_LINKS_DUPLICATE] = state->links.duplicates;
    import->report->passes = state->links.passes;
    return true;
}

/* has_names is true on success. */
static void make_names(struct import *import)
{
    import->has_names = wiki_names_make(import->graph, &import->state, import->options->threads);
}

/* Make the names in a thread of low priority, because the links take longer. */
static void *make_names_beside(void *import)
{
    setpriority(PRIO_PROCESS, 0, 10); /* on Linux this applies to the thread only */
    make_names(import);
    return NULL;
}

/* Read the links, and meanwhile make the names, which need no links. False with error set. */
static bool read_links(struct import *import)
{
    pthread_t thread;
    if (!open_links(import)) {
        return false;
    }
    const bool beside = import->options->memory_limit == 0 && import->threads > 1 &&
                        pthread_create(&thread, NULL, make_names_beside, import) == 0;
    import->names_beside_links = beside;
    const bool done = read_passes(import);
    if (beside) {
        pthread_join(thread, NULL);
    }
    return done;
}

/* True if most targets of links or inclusions, which are in a table, are known. False with error
 * set, unless that is allowed. */
static bool check_known(struct import *import, enum wiki_table table, const char *what,
                        uint64_t unknown, uint64_t count)
{
    static const char format[] =
        "%llu of %llu %s have a target that the dump of linktarget does not have";
    const unsigned long long some = unknown, all = count;
    if (unknown <= count / 2) {
        return true;
    }
    if (!import->options->allow_incomplete && count >= LINKS_MANY) {
        return graph_fail(import->error, import->files.paths[table], format, some, all, what);
    }
    note(import, format, some, all, what);
    return true;
}

/* True if most targets of inclusions are known; as check_known. */
static bool check_inclusions(struct import *import)
{
    const uint64_t *counts = import->report->counts;
    return check_known(import, WIKI_TEMPLATELINKS, "inclusions", counts[WIKI_INCLUSIONS_UNKNOWN],
                       counts[WIKI_INCLUSION_ROWS]);
}

/* True if most targets of links are known; as check_known. */
static bool check_targets(struct import *import)
{
    const uint64_t *counts = import->report->counts;
    const uint64_t links = counts[WIKI_LINK_ROWS] - counts[WIKI_LINKS_OF_OTHERS] -
                           counts[WIKI_LINKS_OF_REDIRECTS] - counts[WIKI_LINKS_OF_DROPPED];
    if (!import->state.has_targets && import->state.has_target_column) {
        note_missing(import, WIKI_LINKTARGET); /* allowed, else reading would have failed */
        return true;
    }
    return check_known(import, WIKI_PAGELINKS, "links", counts[WIKI_LINKS_UNKNOWN], links);
}

/* Leave out the links of templates, if that is asked for. False with error set. */
static bool leave_out_templates(struct import *import)
{
    struct wiki_state *state = &import->state;
    uint64_t *offsets = import->graph->offsets;
    char rule[SQL_RULE_SIZE];
    if (!import->options->without_templates) {
        return true;
    }
    if (!wiki_templates_open(state, offsets, rule)) {
        return graph_fail(import->error, import->files.prefix, "%s", rule);
    }
    if (!read_table(import, WIKI_TEMPLATELINKS, true) || !check_inclusions(import)) {
        return false;
    }
    wiki_stages_begin(&import->report->stages, "dropping links");
    return wiki_templates_drop(state, offsets, rule) ||
           graph_fail(import->error, import->files.prefix, "%s", rule);
}

/* The graph ----------------------------------------------------------------------------------- */

/* Everything is read: build the graph. False with error set. */
static bool make_graph(struct import *import)
{
    struct wiki_state *state = &import->state;
    struct graph *graph = import->graph;
    title_table_free_slots(&state->titles);
    memory_unmap(state->targets, state->target_count * sizeof(*state->targets));
    state->targets = NULL;
    state->target_count = 0;
    if (!import->names_beside_links) {
        wiki_stages_begin(&import->report->stages, "names");
        make_names(import);
    }
    const bool done = import->has_names && wiki_facts_make(graph->origin, import->options,
                                                           import->report, import->broken);
    title_table_free(&state->titles);
    wiki_stages_begin(&import->report->stages, NULL);
    if (!done) {
        return graph_fail(import->error, import->files.prefix, "out of memory");
    }
    return snapshot_ahead_map(import->options->links, graph) ||
           graph_fail(import->error, import->files.prefix, "the links cannot be kept: %s",
                      strerror(errno));
}

/* Number the pages and make the index. False with error set. */
static bool index_titles(struct import *import, struct title_table *titles)
{
    uint32_t bad;
    const char *wrong = title_table_index(titles, &bad);
    return wrong == NULL || graph_fail(import->error, import->files.paths[WIKI_PAGE], "%s %u",
                                       wrong, titles->page_ids != NULL ? titles->page_ids[bad] : 0);
}

/* The dump that is read last must be there from the start. False with error set. */
static bool check_templates(struct import *import)
{
    const bool is_there = import->files.paths[WIKI_TEMPLATELINKS][0] != '\0';
    return !import->options->without_templates || import->options->allow_incomplete || is_there ||
           graph_fail(import->error, import->files.prefix, "there is no dump of table %s",
                      wiki_table_names[WIKI_TEMPLATELINKS]);
}

/* Read all tables in order. False with error set. */
static bool read_all(struct import *import)
{
    struct wiki_state *state = &import->state;
    if (!check_memory(import) || !check_templates(import)) {
        return false;
    }
    if (!read_table(import, WIKI_PAGE, true)) {
        return false;
    }
    wiki_stages_begin(&import->report->stages, "indexing titles");
    if (!index_titles(import, &state->titles) ||
        (import->options->without_templates && !index_titles(import, &state->templates.titles))) {
        return false;
    }
    if (import->options->drop_disambiguation && !read_table(import, WIKI_PAGE_PROPS, true)) {
        return false;
    }
    if (!wiki_number_nodes(state)) {
        return graph_fail(import->error, import->files.prefix, "out of memory");
    }
    if (state->node_count == 0) {
        return graph_fail(import->error, import->files.paths[WIKI_PAGE],
                          "has no page of the wanted namespaces that is not a redirect");
    }
    if (!read_table(import, WIKI_REDIRECT, true)) {
        return false;
    }
    wiki_stages_begin(&import->report->stages, "following redirects");
    wiki_follow_redirects(state);
    wiki_templates_follow(state);
    state->has_targets = import->files.paths[WIKI_LINKTARGET][0] != '\0';
    return read_table(import, WIKI_LINKTARGET, false) && read_links(import) &&
           check_targets(import) && leave_out_templates(import);
}

bool wiki_import(const char *place, const struct wiki_options *options, struct graph *graph,
                 struct wiki_report *report, struct graph_error *error)
{
    struct import *import = calloc(1, sizeof(*import));
    memset(graph, 0, sizeof(*graph));
    memset(report, 0, sizeof(*report));
    if (import == NULL) {
        return graph_fail(error, place, "out of memory");
    }
    import->options = options;
    import->report = report;
    import->error = error;
    import->graph = graph;
    import->threads = parallel_count(options->threads);
    import->state.options = options;
    import->state.counts = report->counts;
    import->state.titles.has_spaces = options->namespace_count > 1;
    bool done = wiki_files_find(place, &import->files, error);
    if (!options->without_templates) {
        import->files.paths[WIKI_TEMPLATELINKS][0] = '\0';
    }
    if (done) {
        import->state.memory_limit = memory_limit(import);
        memcpy(report->wiki, import->files.wiki, sizeof(report->wiki));
        memcpy(report->date, import->files.date, sizeof(report->date));
        done = read_all(import) &&
               wiki_files_are_unchanged(&import->files, import->tables_read, error);
    }
    if (done) {
        report->memory =
            fixed_memory(import) + import->state.links.size + import->state.templates.memory;
        done = make_graph(import);
    }
    if (!done) {
        graph_free(graph);
    }
    wiki_state_free(&import->state);
    free(import);
    return done;
}
