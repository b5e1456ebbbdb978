/*
 * wikipedia_import.c - the program wikipedia-import: the graph of a wiki's articles.
 */
#include "base/program/file_claims.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "counters/resources.h"
#include "data/graph/graph_memory.h"
#include "data/graph/parallel.h"
#include "data/load/graph_load.h"
#include "data/make/graph_order.h"
#include "data/reverse/graph_reverse.h"
#include "data/store/graph_snapshot.h"
#include "data/tools/graph_program.h"
#include "wikipedia/articles/wiki_files.h"
#include "wikipedia/articles/wiki_import.h"
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ORDER_BYTES_PER_NODE 21 /* offset, id, new id, place in the order, and a flag */

struct settings {
    struct graph_program program;
    struct wiki_options wiki;
    bool verbose, without_reverse;
    enum graph_order order;
    unsigned reverse_threads;
    struct graph graph;
    struct wiki_report report;
    struct graph_snapshot_start start;
};

static bool has_namespace(const struct wiki_options *wiki, uint32_t number)
{
    bool found = false;
    for (size_t i = 0; i < wiki->namespace_count; i++) {
        found |= wiki->namespaces[i] == number;
    }
    return found;
}

static bool read_namespaces(const char *value, void *field, struct command_error *error)
{
    struct wiki_options *wiki = field;
    wiki->namespace_count = 0;
    for (const char *at = value;; at++) {
        char *end;
        const unsigned long number = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || number > INT32_MAX || (*end != ',' && *end != '\0')) {
            return command_fail(error, "expected numbers such as 0,14, found \"%.60s\"", value);
        }
        if (has_namespace(wiki, (uint32_t)number)) {
            return command_fail(error, "%lu occurs twice", number);
        }
        if (wiki->namespace_count == WIKI_NAMESPACES_MAX) {
            return command_fail(error, "at most %d", WIKI_NAMESPACES_MAX);
        }
        wiki->namespaces[wiki->namespace_count++] = (uint32_t)number;
        at = end;
        if (*at == '\0') {
            return true;
        }
    }
}

static bool read_pattern(const char *value, void *field, struct command_error *error)
{
    struct wiki_options *wiki = field;
    if (wiki->drop_title_count == WIKI_PATTERNS_MAX) {
        return command_fail(error, "at most %d patterns", WIKI_PATTERNS_MAX);
    }
    char *copy;
    errno = 0;
    /* If the system has no such locale, patterns match bytes. */
    if ((setlocale(LC_CTYPE, "C.UTF-8") == NULL && errno == ENOMEM) ||
        (MB_CUR_MAX > 1 && mbstowcs(NULL, "\xc3\xa9", 0) != 1) ||
        asprintf(&copy, WIKI_PATTERN_GUARD "%s", value) < 0) {
        errno = ENOMEM;
        return command_fail(error, "out of memory");
    }
    for (char *at = copy; *at != '\0'; at++) {
        *at = (char)(*at == ' ' ? '_' : *at);
    }
    wiki->drop_titles[wiki->drop_title_count++] = copy;
    return true;
}

static const struct option_row rows[] = {
    {"namespaces", 0, "LIST",
     "pages of these namespaces: 0 articles, 14 categories, ... (default: 0)",
     OPTION_OWN(struct settings, wiki, read_namespaces)},
    {"drop-disambiguation", 0, NULL, "leave out disambiguation pages, which page_props names",
     OPTION_FLAG(struct settings, wiki.drop_disambiguation)},
    {"drop-title", 0, "PATTERN",
     "leave out pages whose title matches a pattern of the shell: 'List of *', '[0-9]*'; a title "
     "has no \"Category:\" in front; may be given several times",
     OPTION_OWN(struct settings, wiki, read_pattern)},
    {"without-templates", 0, NULL,
     "leave out the links of navigation boxes: A -> B if A includes a template that links to B; "
     "reads templatelinks, too. A link that the text of A has as well is also left out, because "
     "the dumps do not say where a link is from",
     OPTION_FLAG(struct settings, wiki.without_templates)},
    {"keep-self-links", 0, NULL, "keep links of a page to itself",
     OPTION_FLAG(struct settings, wiki.keep_self_links)},
    {"keep-duplicates", 0, NULL,
     "keep several links from one page to another, which come by way of redirects",
     OPTION_FLAG(struct settings, wiki.keep_duplicates)},
    {"order", 0, "ORDER",
     "number the articles by their page ids (none), by their links, most first (degree), or as a "
     "search meets them (bfs), which makes questions to a mapped OUT faster; titles and page ids "
     "are found as before (default: none)",
     OPTION_CHOICE(struct settings, order, "none, degree, bfs")},
    {"without-reverse", 0, NULL,
     "leave the reverse adjacency out of OUT, for half the size; a question then makes it every "
     "time (default: keep it if there is memory to make it)",
     OPTION_FLAG(struct settings, without_reverse)},
    {0},
};

static const struct option_row reading_rows[] = {
    {"allow-incomplete", 0, NULL, "go on where a dump breaks off or is missing, and say so",
     OPTION_FLAG(struct settings, wiki.allow_incomplete)},
    {"memory-limit", 0, "SIZE",
     "take at most this much memory, such as 4G; links that are not in the order of the pages "
     "are then read in several passes (default: what is available)",
     OPTION_SIZE(struct settings, wiki.memory_limit)},
    {"verbose", 'v', NULL, "print the time of each stage, too",
     OPTION_FLAG(struct settings, verbose)},
    {0},
};

static const struct option_group groups[] = {
    {"The graph", rows, 0},
    {"Reading the dumps", reading_rows, 0},
    {"General", graph_program_rows, offsetof(struct settings, program)},
    {0},
};

static const struct command command = {
    .name = "wikipedia-import",
    .groups = groups,
    .introduction =
        "Usage: wikipedia-import [OPTION]... FOLDER|PREFIX OUT.pwg\n"
        "\n"
        "Make a graph of the articles of a Wikipedia, and of the links between them, from\n"
        "its SQL dumps: PREFIX-page.sql.gz, -redirect, -linktarget, -pagelinks, and with\n"
        "--drop-disambiguation -page_props, with --without-templates -templatelinks; also\n"
        ".sql, .bz2 and .zst. A folder must hold the dumps of one wiki and day.\n"
        "wikipedia/fetch downloads them and checks the sums.\n"
        "\n"
        "Nodes are the articles, in the order of their page ids. Redirects are followed:\n"
        "a link to one is a link to the article, and the article is found by its name.\n"
        "In a question, a number means the page of that id, unless it is a title.\n"
        "Red links, links to other namespaces, self-links and duplicates are dropped and\n"
        "counted; graph-info prints the counts.\n",
    .epilogue = "\n"
                "Memory: 8 bytes per article, 4 per link target; per title of an article or\n"
                "redirect its text and 10 (15 where links name titles), and where it becomes a\n"
                "name its text again and 32; 4 MiB per thread. Links go to OUT as they come.\n"
                "--without-templates takes 8 per link of a template, 15 per template and its\n"
                "title, and a bit per link of the graph. Once all is read, --order takes 4 per\n"
                "link and 29 per article; then the reverse adjacency up to 10 per link, by as\n"
                "many threads as fit.\n"
                "\n"
                "Examples:\n"
                "  wikipedia/fetch simplewiki 20261101\n"
                "  wikipedia-import .cache/simplewiki-20261101 simple.pwg\n"
                "  wikipedia-import .cache/enwiki-20261101 en.pwg \\\n"
                "      --drop-title='List of *' --memory-limit=8G\n"
                "  bfs simple.pwg --from \"Ada Lovelace\" --to Banana\n"
                "\n"
                "Exit status: 0 done, 1 a dump is damaged, incomplete or does not fit, 2 wrong\n"
                "usage, 130 interrupted. OUT is written whole or not at all, and never over a\n"
                "file that is read.\n",
};

static void show_note(void *context, const char *text)
{
    progress_note(&((struct settings *)context)->program.progress, "%s", text);
}

static void show_progress(void *context, const char *table, uint64_t done, uint64_t total)
{
    struct progress *progress = &((struct settings *)context)->program.progress;
    if (progress->on) {
        progress_show(progress, false, "reading %s: %llu of %llu MB", table,
                      (unsigned long long)(done / 1000000), (unsigned long long)(total / 1000000));
    }
}

static void print_report(const struct settings *settings, const char *out)
{
    const struct wiki_report *report = &settings->report;
    const struct graph *graph = &settings->graph;
    const size_t count = wiki_count_end(&settings->wiki);
    char text[32], peak[32];
    printf("%-40s %s\n%-40s %s\n", "wiki", report->wiki, "date", report->date);
    for (size_t i = 0; i < count; i++) {
        printf("%-40s %llu\n", wiki_count_names[i], (unsigned long long)report->counts[i]);
    }
    if (report->passes > 1) {
        printf("%-40s %u\n", "passes over the links", report->passes);
    }
    printf("%-40s %s\n%-40s %s\n",
           graph->in_offsets != NULL ? "memory by the formula, without reverse"
                                     : "memory by the formula",
           memory_text(text, report->memory), "memory at most",
           memory_text(peak, resources_peak_rss_bytes()));
    printf("%s: %lu nodes, %llu edges\n", out, (unsigned long)graph_node_count(graph),
           (unsigned long long)graph->edge_count);
}

/* The time spent in all, by all processors, and by decompression. */
static void print_stages(const struct wiki_stages *stages)
{
    struct wiki_stage all = {.name = "all"};
    printf("\n%-22s %10s %12s %14s\n", "stage", "seconds", "processors", "decompression");
    for (size_t i = 0; i <= stages->count; i++) {
        const struct wiki_stage *stage = i < stages->count ? &stages->items[i] : &all;
        printf("%-22s %10.2f %12.2f", stage->name, (double)stage->elapsed_ns / 1e9,
               (double)stage->processor_ns / 1e9);
        if (stage->decode_ns > 0) {
            printf(" %14.2f", (double)stage->decode_ns / 1e9);
        }
        putchar('\n');
        all.elapsed_ns += stage->elapsed_ns;
        all.processor_ns += stage->processor_ns;
        all.decode_ns += stage->decode_ns;
    }
}

/* Renumber the articles if that is asked for. The links are then written again. False with error
 * set. */
static bool renumber(struct settings *settings, struct graph_error *error)
{
    char needs[32], has[32];
    const struct graph *graph = &settings->graph;
    const uint64_t allowed = settings->wiki.memory_limit;
    const uint64_t limit = allowed > 0 ? allowed : memory_available();
    const uint64_t needed = graph->edge_count * sizeof(*graph->neighbours) +
                            graph->node_limit * (ORDER_BYTES_PER_NODE + sizeof(*graph->offsets));
    if (settings->order == GRAPH_ORDER_NONE) {
        return true;
    }
    if (needed > limit) {
        return graph_fail(error, "--order", "takes %s, more than the %s allowed",
                          memory_text(needs, needed), memory_text(has, limit));
    }
    wiki_stages_begin(&settings->report.stages, "order");
    settings->start.ahead.count = 0;
    return graph_renumber(&settings->graph, settings->order, error);
}

/* True if the reverse adjacency is wanted and there is memory to make it, if need be with fewer
 * threads: the number of threads must not decide what is written. */
static bool wants_reverse(struct settings *settings)
{
    char needs[32];
    const uint64_t allowed = settings->wiki.memory_limit;
    const uint64_t limit = allowed > 0 ? allowed : memory_available();
    uint64_t needed;
    unsigned threads = parallel_count(settings->program.input.threads);
    if (settings->without_reverse) {
        return false;
    }
    do {
        settings->reverse_threads = threads;
        needed = graph_load_memory(settings->graph.node_limit, settings->graph.edge_count, true,
                                   threads);
    } while (needed > limit && --threads > 0);
    if (needed > limit) {
        progress_note(&settings->program.progress,
                      "the reverse adjacency, which takes %s to make, is left out",
                      memory_text(needs, needed));
        return false;
    }
    return true;
}

static bool make_reverse(void *context, struct graph_error *error)
{
    struct settings *settings = context;
    const bool done =
        graph_add_reverse(&settings->graph, settings->reverse_threads, interrupt_flag(), error);
    wiki_stages_begin(&settings->report.stages, "writing");
    return done;
}

/* True if OUT is not among the files being read. False with error set. */
static bool spares_inputs(const char *place, const char *out, struct graph_error *error)
{
    struct wiki_files files;
    struct file_claims claims = {.count = 0};
    if (!wiki_files_find(place, &files, error)) {
        return false;
    }
    for (size_t i = 0; i < WIKI_TABLES; i++) {
        file_claims_add(&claims, files.paths[i], false);
    }
    const char *why = file_claims_add(&claims, out, true);
    return why == NULL || graph_fail(error, out, "cannot be written: %s", why);
}

/* Begin OUT. It gets the links as they come, and keeps its old content until the end. False with
 * error set. */
static bool begin(struct settings *settings, const char *out, struct graph_error *error)
{
    char path[PATH_MAX];
    if (realpath(out, path) == NULL) {
        snprintf(path, sizeof(path), "%s", out);
    }
    if (access(dirname(path), W_OK) != 0) { /* file_replace would overwrite the file itself */
        return graph_fail(error, out, "cannot be written: its folder: %s", strerror(errno));
    }
    settings->wiki.links = &settings->start.ahead;
    return graph_snapshot_begin(&settings->start, out, error) &&
           (!settings->start.file.direct ||
            graph_fail(error, out, "cannot be written: it is open already"));
}

/* Print why it failed, with the option that goes on. Returns the status. */
static int fail(struct graph_program *program, const struct graph_error *error)
{
    char text[sizeof(error->message) + 64];
    snprintf(text, sizeof(text), "%s%s", error->message,
             error->remedy == GRAPH_REMEDY_INCOMPLETE ? " (--allow-incomplete takes what there is)"
                                                      : "");
    return graph_program_fail(program, text);
}

static int import(struct settings *settings, const char *place, const char *out)
{
    struct graph_program *program = &settings->program;
    struct graph *graph = &settings->graph;
    struct wiki_report *report = &settings->report;
    struct graph_error error = {0};
    settings->wiki.threads = program->input.threads;
    settings->start.file.fd = -1;
    bool done = spares_inputs(place, out, &error) && begin(settings, out, &error) &&
                wiki_import(place, &settings->wiki, graph, report, &error) &&
                renumber(settings, &error);
    progress_clear(&program->progress);
    if (!done) {
        file_replace_abandon(&settings->start.file);
        graph_free(graph);
    }
    if (done && settings->wiki.drop_title_count > 0 && report->counts[WIKI_DROPPED_TITLES] == 0) {
        progress_note(&program->progress,
                      "no title matches --drop-title; titles are without their namespace");
    }
    if (done) {
        const bool reverse = wants_reverse(settings);
        wiki_stages_begin(&report->stages, reverse ? "reverse adjacency" : "writing");
        settings->start.make_reverse = reverse ? make_reverse : NULL;
        settings->start.context = settings;
        done = graph_snapshot_finish(&settings->start, graph, NULL, 0, interrupt_flag(), &error);
        wiki_stages_begin(&report->stages, NULL);
        if (done && !program->quiet) {
            print_report(settings, out);
        }
        if (done && settings->verbose) {
            print_stages(&report->stages);
        }
        graph_free(graph);
    }
    return done ? graph_program_finish(program) : fail(program, &error);
}

int main(int argument_count, char **arguments)
{
    (void)argument_count;
    struct settings settings = {.wiki = {.namespace_count = 1, /* 0, the articles */
                                         .note = show_note,
                                         .progress = show_progress,
                                         .context = &settings,
                                         .cancel = interrupt_flag()}};
    const char *operands[2];
    int status = graph_program_open(&settings.program, &command, &settings, arguments, operands, 2,
                                    "FOLDER or PREFIX, and OUT");
    if (status < 0 && settings.wiki.without_templates && has_namespace(&settings.wiki, 10)) {
        status = progress_fail(&settings.program.progress, EXIT_USAGE,
                               "--without-templates: the templates, namespace 10, cannot be nodes "
                               "as well");
    }
    if (status < 0) {
        status = strcmp(operands[1], "-") == 0
                     ? progress_fail(&settings.program.progress, EXIT_USAGE,
                                     "a snapshot must be a file, not standard output")
                     : import(&settings, operands[0], operands[1]);
    }
    for (size_t i = 0; i < settings.wiki.drop_title_count; i++) {
        free(settings.wiki.drop_titles[i]);
    }
    return status;
}
