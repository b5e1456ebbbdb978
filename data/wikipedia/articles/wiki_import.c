/*
 * wiki_import.c - the order of the tables, the memory, and the graph at the end.
 */
#include "wiki_import.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_origin.h"
#include "data/graph/parallel.h"
#include "data/names/name_order.h"
#include "link_backlog.h"
#include "wiki_sums.h"
#include "wiki_tables.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define WORKER_BYTES ((uint64_t)4 << 20)
#define EARLY_MIN    4                    /* threads, of which half read links early */
#define RANGE_MIN    ((uint64_t)64 << 20) /* bytes for links that are not in order, of no limit */
#define LINKS_MANY   1000 /* of which most lead to somewhere, or the dumps do not belong together */

const char *const wiki_count_names[WIKI_COUNTS] = {
    [WIKI_PAGE_ROWS] = "page rows",
    [WIKI_PAGES_ELSEWHERE] = "pages of other namespaces",
    [WIKI_ARTICLES] = "articles",
    [WIKI_REDIRECTS] = "redirects",
    [WIKI_DISAMBIGUATIONS] = "disambiguation pages dropped",
    [WIKI_DROPPED_TITLES] = "pages dropped by title",
    [WIKI_REDIRECT_ROWS] = "redirect rows",
    [WIKI_REDIRECTS_RESOLVED] = "redirects resolved",
    [WIKI_REDIRECTS_MISSING] = "redirects to no page",
    [WIKI_REDIRECTS_ELSEWHERE] = "redirects to other namespaces or wikis",
    [WIKI_REDIRECTS_CIRCLE] = "redirects in a circle",
    [WIKI_REDIRECTS_DROPPED] = "redirects to dropped pages",
    [WIKI_REDIRECTS_UNLISTED] = "redirects without a target",
    [WIKI_TARGET_ROWS] = "link target rows",
    [WIKI_LINK_ROWS] = "link rows",
    [WIKI_LINKS_OF_REDIRECTS] = "links of redirects",
    [WIKI_LINKS_OF_OTHERS] = "links of other pages",
    [WIKI_LINKS_OF_DROPPED] = "links of dropped pages",
    [WIKI_LINKS_ELSEWHERE] = "links to other namespaces",
    [WIKI_LINKS_RED] = "red links",
    [WIKI_LINKS_BROKEN] = "links to broken redirects",
    [WIKI_LINKS_DROPPED] = "links to dropped pages",
    [WIKI_LINKS_UNKNOWN] = "links with an unknown target",
    [WIKI_LINKS_THROUGH] = "links through redirects",
    [WIKI_LINKS_SELF] = "self-links",
    [WIKI_LINKS_DUPLICATE] = "duplicate links",
};

/* Links that a thread of their own reads, from the start on. */
struct early_links {
    bool is_running;
    pthread_t thread;
    unsigned threads; /* that it may have */
    struct link_backlog backlog;
    struct sql_dump_facts facts;
    struct graph_error error;
};

struct import {
    const struct wiki_options *options;
    struct wiki_report *report;
    struct wiki_files files;
    struct wiki_state state;
    struct graph_error *error;
    struct graph *graph;
    atomic_int table; /* that is read now */
    char broken[WIKI_TABLES][300];
    bool names_beside_links, has_names, has_wiki; /* the last: table page names it */
    unsigned tables_read;                         /* a bit for each */
    unsigned threads;                             /* for the table that is read now */
    struct early_links early;
};

/* The sums, which a thread of their own checks meanwhile. */
struct sums {
    const struct wiki_files *files;
    const volatile sig_atomic_t *cancel;
    struct wiki_sums found;
    bool good;
    struct graph_error error;
};

static void *check_sums(void *context)
{
    struct sums *sums = context;
    sums->good = wiki_sums_check(sums->files, sums->cancel, &sums->found, &sums->error);
    return NULL;
}

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
    const int table = atomic_load(&import->table);
    import->options->progress(import->options->context, wiki_table_names[table], bytes_done,
                              import->files.sizes[table]);
}

/* The same for links that are read early, once no other table is. */
static void show_early(void *context, uint64_t bytes_done)
{
    const struct import *import = context;
    if (atomic_load(&import->table) == WIKI_PAGELINKS) {
        show(context, bytes_done);
    }
}

static void note_missing(struct import *import, enum wiki_table table)
{
    note(import, "there is no dump of table %s", wiki_table_names[table]);
    snprintf(import->broken[table], sizeof(import->broken[table]), "there is no dump of it");
}

/* Take what a dump says of its wiki and date. False with error set when that is another wiki. */
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

/* What titles and link targets will take, as far as the sizes of the files say. */
static uint64_t memory_by_files(const struct import *import)
{
    const uint64_t *sizes = import->files.sizes;
    const bool *packed = import->files.packed;
    return (packed[WIKI_PAGE] ? sizes[WIKI_PAGE] / 2 : sizes[WIKI_PAGE] / 5) +
           (packed[WIKI_LINKTARGET] ? sizes[WIKI_LINKTARGET] / 3 : sizes[WIKI_LINKTARGET] / 8);
}

/* Links that are read early ------------------------------------------------------------------- */

static void *read_early_links(void *context)
{
    struct import *import = context;
    struct early_links *early = &import->early;
    const struct sql_dump_options how = {.threads = early->threads,
                                         .allow_incomplete = import->options->allow_incomplete,
                                         .cancel = import->options->cancel,
                                         .progress = show_early,
                                         .context = import};
    const struct sql_sink sink = link_backlog_sink(&early->backlog);
    if (sql_dump_read(import->files.paths[WIKI_PAGELINKS], &wiki_sql_tables[WIKI_PAGELINKS], &sink,
                      &how, &early->facts, &early->error)) {
        link_backlog_end(&early->backlog);
    } else {
        link_backlog_stop(&early->backlog);
    }
    return NULL;
}

/* Begin to read the links, if there are threads, and memory for those that wait. A pipe, whose size
 * is 0, might keep the thread waiting for ever. */
static void begin_early_links(struct import *import)
{
    struct early_links *early = &import->early;
    const uint64_t limit = memory_limit(import);
    const uint64_t others = 4 * memory_by_files(import); /* with names, and what is not foreseen */
    if (import->threads < EARLY_MIN || import->options->memory_limit > 0 ||
        limit < others + RANGE_MIN || import->files.sizes[WIKI_PAGELINKS] == 0 ||
        import->files.paths[WIKI_LINKTARGET][0] == '\0') {
        return;
    }
    early->threads = import->threads / 2;
    early->backlog.limit = (limit - others) / 2;
    link_backlog_open(&early->backlog);
    early->is_running = pthread_create(&early->thread, NULL, read_early_links, import) == 0;
    if (early->is_running) {
        import->threads -= early->threads;
        import->state.memory_limit -= early->backlog.limit;
    } else {
        link_backlog_close(&early->backlog);
    }
}

static void end_early_links(struct import *import)
{
    struct early_links *early = &import->early;
    if (early->is_running) {
        link_backlog_stop(&early->backlog);
        pthread_join(early->thread, NULL);
        link_backlog_close(&early->backlog);
        import->threads += early->threads;
        early->is_running = false;
    }
}

/* Take the links that are read early, until all are. False with error set, but where they are
 * unfit. */
static bool take_early_links(struct import *import, const struct sql_sink *sink,
                             struct sql_dump_facts *facts)
{
    struct early_links *early = &import->early;
    /* One of those that read decompresses, and the others have little to do. */
    const bool done =
        link_backlog_give(&early->backlog, sink, import->threads + early->threads / 2);
    end_early_links(import);
    *facts = early->facts;
    if (early->backlog.rule[0] != '\0') {
        return graph_fail(import->error, import->files.paths[WIKI_PAGELINKS], "%s",
                          early->backlog.rule);
    }
    if (!done && !early->backlog.is_unfit) {
        *import->error = early->error;
    }
    return done;
}

/* Tables -------------------------------------------------------------------------------------- */

/* Read the dump of a table. Where there is none: false unless it may be missing. */
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
    atomic_store(&import->table, (int)table);
    if (import->files.paths[table][0] == '\0') {
        if (is_needed && options->allow_incomplete) {
            note_missing(import, table);
        }
        return !is_needed || options->allow_incomplete ||
               graph_fail(import->error, import->files.prefix, "there is no dump of table %s",
                          wiki_table_names[table]);
    }
    struct wiki_stage *stage = wiki_stages_begin(
        &import->report->stages, table == WIKI_PAGELINKS && import->names_beside_links
                                     ? "pagelinks and names"
                                     : wiki_table_names[table]);
    const bool is_early = table == WIKI_PAGELINKS && import->early.is_running;
    bool done = is_early && take_early_links(import, &sink, &facts);
    if (!is_early || import->early.backlog.is_unfit) {
        done = sql_dump_read(import->files.paths[table], &wiki_sql_tables[table], &sink, &how,
                             &facts, import->error);
    }
    if (!done) {
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

/* What is taken beside the links. Every title may become a name: its text again, where that begins,
 * its page's id, its place in the order, and the key to order it by. With a limit, names come when
 * all is read. */
static uint64_t fixed_memory(const struct import *import)
{
    const struct wiki_state *state = &import->state;
    const uint64_t names = state->titles.text_end +
                           state->titles.count * (3 * sizeof(uint64_t) + 2 * sizeof(uint32_t));
    const uint64_t reading = state->target_end * sizeof(*state->targets) +
                             parallel_count(import->options->threads) * WORKER_BYTES;
    return title_table_memory(&state->titles) + state->node_count * sizeof(*state->links.offsets) +
           WORKER_BYTES + /* the program itself */
           (import->options->memory_limit == 0 ? names + reading
            : names > reading                  ? names
                                               : reading);
}

/* Whether it will fit, as far as the sizes of the files say. False with error set. */
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

/* Ready to take links. False with error set. */
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

/* Names --------------------------------------------------------------------------------------- */

/* What a page of a namespace is called: the names that every wiki knows. */
static const char *space_name(uint32_t space, char number[32])
{
    static const char *const names[] = {
        "",      "Talk:",      "User:",      "User talk:",      "Project:",  "Project talk:",
        "File:", "File talk:", "MediaWiki:", "MediaWiki talk:", "Template:", "Template talk:",
        "Help:", "Help talk:", "Category:",  "Category talk:"};
    if (space < COUNT_OF(names)) {
        return names[space];
    }
    snprintf(number, 32, "Namespace %u:", space);
    return space == 100 ? "Portal:" : space == 828 ? "Module:" : number;
}

/* Add a title as it is shown: behind its namespace, with spaces. */
static bool add_name(const struct import *import, struct graph_names *names, uint32_t title)
{
    const struct title_table *titles = &import->state.titles;
    char shown[TITLE_LENGTH_MAX + 64], number[32];
    size_t length;
    const char *text = title_text(titles, title, &length);
    const size_t place = titles->spaces != NULL ? titles->spaces[title] : 0;
    const char *before = space_name(import->options->namespaces[place], number);
    size_t used = 0;
    for (; before[used] != '\0'; used++) {
        shown[used] = before[used];
    }
    for (size_t i = 0; i < length; i++) {
        shown[used + i] = (char)(text[i] == '_' ? ' ' : text[i]);
    }
    return graph_names_add_plain(names, shown, used + length);
}

/* Names of the nodes and of redirects that lead to one; page ids. False when out of memory. */
static bool add_names(struct import *import)
{
    struct graph *graph = import->graph;
    const struct wiki_state *state = &import->state;
    const struct title_table *titles = &state->titles;
    const uint64_t resolved = state->counts[WIKI_REDIRECTS_RESOLVED];
    struct graph_origin *origin = calloc(1, sizeof(*origin));
    graph->origin = origin;
    graph->names = graph_names_create();
    if (origin == NULL || graph->names == NULL) {
        return false;
    }
    origin->aliases = graph_names_create();
    origin->page_ids = calloc((size_t)state->node_count + 1, sizeof(*origin->page_ids));
    origin->alias_ids = calloc((size_t)resolved + 1, sizeof(*origin->alias_ids));
    if (origin->aliases == NULL || origin->page_ids == NULL || origin->alias_ids == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < titles->count; i++) {
        const uint32_t end = titles->ends[i];
        struct graph_names *names = (end & TITLE_THROUGH) != 0 ? origin->aliases : graph->names;
        const uint32_t number = names->count;
        if (end < TITLE_NODE) {
            continue;
        }
        if (!add_name(import, names, i)) {
            return false;
        }
        if (names == graph->names) {
            pw_assert(number == end - TITLE_NODE);
            origin->page_ids[number] = titles->page_ids[i];
        } else {
            pw_assert(number < resolved);
            origin->alias_ids[number] = (end & ~TITLE_THROUGH) - TITLE_NODE;
        }
    }
    pw_assert(origin->aliases->count == resolved && graph->names->count == state->node_count);
    return true;
}

/* Names, and their order: has_names says whether they could be made. */
static void make_names(struct import *import)
{
    import->has_names =
        add_names(import) && name_order_make(import->graph, import->options->threads);
}

/* The same as a thread's work, for what processors have left: links take longer. */
static void *make_names_beside(void *import)
{
    setpriority(PRIO_PROCESS, 0, 10); /* on Linux: of this thread */
    make_names(import);
    return NULL;
}

/* Links --------------------------------------------------------------------------------------- */

/* Links, in as many passes as they need. False with error set. */
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
        if (!link_table_end_pass(&state->links, &again)) {
            return graph_fail(import->error, import->files.paths[WIKI_PAGELINKS],
                              "the links cannot be kept: %s", link_table_reason());
        }
    }
    state->counts[WIKI_LINKS_DUPLICATE] = state->links.duplicates;
    import->report->passes = state->links.passes;
    return true;
}

/* Links, and meanwhile the names, which need none. False with error set. */
static bool read_links(struct import *import)
{
    pthread_t thread;
    if (!open_links(import)) {
        return false;
    }
    const bool beside = import->options->memory_limit == 0 &&
                        parallel_count(import->options->threads) > 1 &&
                        pthread_create(&thread, NULL, make_names_beside, import) == 0;
    import->names_beside_links = beside;
    const bool done = read_passes(import);
    if (beside) {
        pthread_join(thread, NULL);
    }
    return done;
}

/* Whether most targets of links are known. False with error set, unless that is allowed. */
static bool check_targets(struct import *import)
{
    static const char format[] =
        "%llu of %llu links have a target that the dump of linktarget does not have";
    const uint64_t *counts = import->report->counts;
    const unsigned long long unknown = counts[WIKI_LINKS_UNKNOWN];
    const unsigned long long links = counts[WIKI_LINK_ROWS] - counts[WIKI_LINKS_OF_OTHERS] -
                                     counts[WIKI_LINKS_OF_REDIRECTS] -
                                     counts[WIKI_LINKS_OF_DROPPED];
    if (!import->state.has_targets && import->state.has_target_column) {
        note_missing(import, WIKI_LINKTARGET); /* which is allowed, or reading would have failed */
        return true;
    }
    if (unknown <= links / 2) {
        return true;
    }
    if (!import->options->allow_incomplete && links >= LINKS_MANY) {
        return graph_fail(import->error, import->files.paths[WIKI_PAGELINKS], format, unknown,
                          links);
    }
    note(import, format, unknown, links);
    return true;
}

/* The graph ----------------------------------------------------------------------------------- */

/* What the snapshot says of itself. False when out of memory. */
static bool make_facts(struct import *import, struct graph_origin *origin)
{
    const struct wiki_options *options = import->options;
    const struct wiki_report *report = import->report;
    size_t length = 0;
    FILE *out = open_memstream(&origin->facts, &length);
    if (out == NULL) {
        return false;
    }
    fprintf(out, "wiki\t%s\ndate\t%s\nnamespaces\t", report->wiki, report->date);
    for (size_t i = 0; i < options->namespace_count; i++) {
        fprintf(out, "%s%u", i > 0 ? "," : "", options->namespaces[i]);
    }
    fputc('\n', out);
    if (options->keep_self_links || options->keep_duplicates) {
        fprintf(out, "kept\t%s%s%s\n", options->keep_self_links ? "self-links" : "",
                options->keep_self_links && options->keep_duplicates ? ", " : "",
                options->keep_duplicates ? "duplicates" : "");
    }
    for (size_t i = 0; i < WIKI_TABLES; i++) {
        if (import->broken[i][0] != '\0') {
            fprintf(out, "incomplete\t%s: %s\n", wiki_table_names[i], import->broken[i]);
        }
    }
    for (size_t i = 0; i < WIKI_COUNTS; i++) {
        fprintf(out, "%s\t%llu\n", wiki_count_names[i], (unsigned long long)report->counts[i]);
    }
    const bool done = fclose(out) == 0 && origin->facts != NULL;
    origin->facts_length = length + 1;
    return done;
}

/* Everything was read: the graph. False with error set. */
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
    const bool done = import->has_names && make_facts(import, graph->origin);
    title_table_free(&state->titles);
    wiki_stages_begin(&import->report->stages, NULL);
    if (!done) {
        return graph_fail(import->error, import->files.prefix, "out of memory");
    }
    return snapshot_ahead_map(import->options->links, graph) ||
           graph_fail(import->error, import->files.prefix, "the links cannot be kept: %s",
                      strerror(errno));
}

/* All tables, in their order. False with error set. */
static bool read_all(struct import *import)
{
    struct wiki_state *state = &import->state;
    uint32_t bad;
    if (!check_memory(import)) {
        return false;
    }
    begin_early_links(import);
    if (!read_table(import, WIKI_PAGE, true)) {
        return false;
    }
    wiki_stages_begin(&import->report->stages, "indexing titles");
    const char *wrong = title_table_index(&state->titles, &bad);
    if (wrong != NULL) {
        return graph_fail(import->error, import->files.paths[WIKI_PAGE], "%s %u", wrong,
                          state->titles.page_ids != NULL ? state->titles.page_ids[bad] : 0);
    }
    if (import->options->drop_disambiguation && !read_table(import, WIKI_PAGE_PROPS, true)) {
        return false;
    }
    if (!wiki_number_nodes(state)) {
        return graph_fail(import->error, import->files.prefix, "out of memory");
    }
    if (state->node_count == 0) {
        return graph_fail(import->error, import->files.paths[WIKI_PAGE],
                          "has no page of the wanted namespaces that is no redirect");
    }
    if (!read_table(import, WIKI_REDIRECT, true)) {
        return false;
    }
    wiki_stages_begin(&import->report->stages, "following redirects");
    wiki_follow_redirects(state);
    state->has_targets = import->files.paths[WIKI_LINKTARGET][0] != '\0';
    return read_table(import, WIKI_LINKTARGET, false) && read_links(import) &&
           check_targets(import);
}

bool wiki_import(const char *place, const struct wiki_options *options, struct graph *graph,
                 struct wiki_report *report, struct graph_error *error)
{
    struct import *import = calloc(1, sizeof(*import));
    struct sums sums = {.cancel = options->cancel, .good = true};
    pthread_t thread;
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
    if (done) {
        sums.files = &import->files;
        import->state.memory_limit = memory_limit(import);
        const bool apart = pthread_create(&thread, NULL, check_sums, &sums) == 0;
        if (!apart) {
            check_sums(&sums);
        }
        memcpy(report->wiki, import->files.wiki, sizeof(report->wiki));
        memcpy(report->date, import->files.date, sizeof(report->date));
        done = read_all(import) &&
               wiki_files_are_unchanged(&import->files, import->tables_read, error);
        end_early_links(import);
        if (apart) {
            pthread_join(thread, NULL);
        }
        if (!sums.good) { /* why anything else is wrong, too */
            *error = sums.error;
            done = false;
        }
        report->sums_checked = sums.found.checked;
        if (done && sums.found.list != NULL && sums.found.checked < sums.found.files) {
            note(import, "%s has no sum of %u of %u files", sums.found.list,
                 sums.found.files - sums.found.checked, sums.found.files);
        }
    }
    if (done) {
        report->memory =
            fixed_memory(import) + import->state.links.size + import->early.backlog.peak;
        done = make_graph(import);
    }
    if (!done) {
        graph_free(graph);
    }
    wiki_state_free(&import->state);
    free(import);
    return done;
}
