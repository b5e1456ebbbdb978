/*
 * fuzz_wiki.c - the dumps of a small wiki are imported or refused with one line: by one, two and
 * four threads, in one pass over the links and in several, with the
 * same graph and the same counts.
 *
 * An input has the rows of page, page_props, redirect, linktarget and pagelinks, a row per line
 * without its brackets, after each table a line "=". A line that starts with "!" goes into the dump
 * as it is; after "!;" a new statement begins. A sixth table has the rows of pagelinks when it is
 * read again, or is the same rows but one; a seventh has the rows of templatelinks. The last three
 * bytes are options: two of flags, and the room for links in a pass.
 */
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include "data/graph/graph_names.h"
#include "data/graph/graph_origin.h"
#include "fuzz.h"
#include "wikipedia/articles/wiki_files.h"
#include "wikipedia/articles/wiki_import.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { /* the last byte but two */
       SEVERAL_THREADS = 1,
       SEVERAL_PASSES = 2,
       KEEP_SELF_LINKS = 4,
       KEEP_DUPLICATES = 8,
       ALLOW_INCOMPLETE = 16,
       TWO_NAMESPACES = 32,
       DROP_DISAMBIGUATION = 64,
       DROP_TITLES = 128
};
enum { /* the last but one; the lowest two bits are the layout of pagelinks */
       LAYOUTS = 4,
       NO_LINKTARGET = 4,
       NO_REDIRECT = 8,
       NO_END = 16,
       CHANGES = 32,
       WITHOUT_TEMPLATES = 64
};
#define AGAIN          WIKI_TEMPLATELINKS /* the sixth table */
#define TEMPLATES      (AGAIN + 1)        /* the seventh */
#define DUMP_SIZE      20000
#define TEMPLATES_ROOM ((uint64_t)1 << 17) /* bytes: more than the links of templates can take */
#define LIMIT          ((uint64_t)1 << 20) /* of memory: too small for any import */

/* The tables, and pagelinks in four layouts of its history. */
static const char *const heads[WIKI_PAGELINKS + LAYOUTS + 2] = {
    "CREATE TABLE `page` (\n  `page_id` int unsigned,\n  `page_namespace` int,\n"
    "  `page_title` varbinary(255),\n  `page_is_redirect` tinyint\n);\n",
    "CREATE TABLE `page_props` (\n  `pp_page` int unsigned,\n  `pp_propname` varbinary(60)\n);\n",
    "CREATE TABLE `redirect` (\n  `rd_from` int unsigned,\n  `rd_namespace` int,\n"
    "  `rd_title` varbinary(255),\n  `rd_interwiki` varbinary(32)\n);\n",
    "CREATE TABLE `linktarget` (\n  `lt_id` bigint unsigned,\n  `lt_namespace` int,\n"
    "  `lt_title` varbinary(255)\n);\n",
    "CREATE TABLE `pagelinks` (\n  `pl_from` int unsigned,\n  `pl_target_id` bigint unsigned\n);\n",
    "CREATE TABLE `pagelinks` (\n  `pl_from` int unsigned,\n  `pl_namespace` int,\n"
    "  `pl_title` varbinary(255)\n);\n",
    "CREATE TABLE `pagelinks` (\n  `pl_from` int unsigned,\n  `pl_namespace` int,\n"
    "  `pl_title` varbinary(255),\n  `pl_target_id` bigint unsigned\n);\n",
    "CREATE TABLE `pagelinks` (\n  `pl_from` int unsigned,\n  `pl_from_namespace` int,\n"
    "  `pl_target_id` bigint unsigned\n);\n",
    "CREATE TABLE `templatelinks` (\n  `tl_from` int unsigned,\n  `tl_target_id` bigint unsigned\n"
    ");\n",
    "CREATE TABLE `templatelinks` (\n  `tl_from` int unsigned,\n  `tl_namespace` int,\n"
    "  `tl_title` varbinary(255),\n  `tl_target_id` bigint unsigned\n);\n",
};

/* The folders of the dumps: each prefix has some of them. */
static const char *const prefixes[] = {"all", "without-linktarget", "without-redirect",
                                       "without-both"};
static struct fuzz_file files[WIKI_TABLES];
static char folder[4096];

/* A dump as it is made. */
struct dump {
    char bytes[DUMP_SIZE];
    size_t used;
};
static struct dump dumps[TEMPLATES + 1];
static bool changes, has_changed;

/* The name of a prefix or of a table's dump in the folder. */
static void name_of(char path[sizeof(folder) + 64], size_t prefix, const char *table)
{
    snprintf(path, sizeof(folder) + 64, "%s/%s%s%s%s", folder, prefixes[prefix],
             table != NULL ? "-" : "", table != NULL ? table : "", table != NULL ? ".sql" : "");
}

static bool has_table(size_t prefix, size_t table)
{
    return !((prefix & 1) != 0 && table == WIKI_LINKTARGET) &&
           !((prefix & 2) != 0 && table == WIKI_REDIRECT);
}

static void remove_folder(void)
{
    char path[sizeof(folder) + 64];
    for (size_t prefix = 0; prefix < COUNT_OF(prefixes); prefix++) {
        for (size_t table = 0; table < WIKI_TABLES; table++) {
            name_of(path, prefix, wiki_table_names[table]);
            unlink(path);
        }
    }
    rmdir(folder);
}

void fuzz_setup(void)
{
    const char *temporary = getenv("TMPDIR");
    char path[sizeof(folder) + 64];
    snprintf(folder, sizeof(folder), "%s/fuzz-wiki-XXXXXX", temporary != NULL ? temporary : "/tmp");
    fuzz_require(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
    for (size_t table = 0; table < WIKI_TABLES; table++) {
        fuzz_file_create(&files[table]);
        for (size_t prefix = 0; prefix < COUNT_OF(prefixes); prefix++) {
            name_of(path, prefix, wiki_table_names[table]);
            fuzz_require(!has_table(prefix, table) || symlink(files[table].path, path) == 0);
        }
    }
    memory_use_huge_pages(false); /* clearing one takes longer than an import */
}

static void put(struct dump *dump, const void *bytes, size_t length)
{
    if (DUMP_SIZE - dump->used >= length) {
        memcpy(dump->bytes + dump->used, bytes, length);
        dump->used += length;
    }
}

static void put_text(struct dump *dump, const char *text)
{
    put(dump, text, strlen(text));
}

/* Take the next line of an input, without its newline. */
static struct fuzz_input take_line(struct fuzz_input *input)
{
    struct fuzz_input line = *input;
    while (input->next < input->end && *input->next != '\n') {
        input->next++;
    }
    line.end = input->next;
    fuzz_take(input);
    return line;
}

/* Make the dump of a table from its lines. The line with the number repeated equals the one
 * before. */
static void make_dump(struct dump *dump, struct fuzz_input *input, const char *head, bool has_end,
                      size_t repeated)
{
    struct fuzz_input before = {0};
    const char *name = strchr(head, '`'), *after = strchr(head, '(');
    bool is_open = false;
    dump->used = 0;
    put_text(dump, head);
    for (size_t number = 0; fuzz_left(input) > 0; number++) {
        const struct fuzz_input own = take_line(input);
        const struct fuzz_input line = number == repeated ? before : own;
        const size_t length = fuzz_left(&line);
        before = line;
        if (length == 1 && line.next[0] == '=') {
            break;
        }
        if (length > 0 && line.next[0] == '!') {
            put(dump, line.next + 1, length - 1);
            is_open = is_open && !(length > 1 && line.next[1] == ';');
            continue;
        }
        if (!is_open) {
            put_text(dump, "INSERT INTO ");
            put(dump, name, (size_t)(after - name));
            put_text(dump, "VALUES ");
        }
        put_text(dump, is_open ? ",(" : "(");
        put(dump, line.next, length);
        put_text(dump, ")");
        is_open = true;
    }
    if (has_end) {
        put_text(dump, is_open ? ";\n" : "");
        put_text(dump, "-- Dump completed on 2026-11-01  1:02:03\n");
    }
}

/* The CREATE TABLE of a table. */
static const char *head_of(size_t table, unsigned bits)
{
    return heads[table < WIKI_PAGELINKS ? table
                 : table <= AGAIN       ? WIKI_PAGELINKS + bits % LAYOUTS
                                        : WIKI_PAGELINKS + LAYOUTS + bits % 2];
}

/* The dumps of an input. */
static void make_dumps(struct fuzz_input input, unsigned bits, size_t room)
{
    struct fuzz_input links = input;
    for (size_t table = 0; table <= TEMPLATES; table++) {
        const bool is_other = table == AGAIN && fuzz_left(&input) == 0;
        links = table == WIKI_PAGELINKS ? input : links;
        make_dump(&dumps[table], is_other ? &links : &input, head_of(table, bits),
                  (bits & NO_END) == 0 || table < WIKI_PAGELINKS,
                  is_other ? room % 8 + 1 : SIZE_MAX);
    }
    for (size_t table = 0; table < WIKI_TABLES; table++) {
        const struct dump *dump = &dumps[table == WIKI_TEMPLATELINKS ? TEMPLATES : table];
        fuzz_file_fill(&files[table], dump->bytes, dump->used);
    }
}

static void note(void *context, const char *text)
{
    (void)context;
    fuzz_require_line(text);
}

/* After a pass over a dump: the next pass may find other content. */
static void progress(void *context, const char *table, uint64_t done, uint64_t total)
{
    (void)context;
    (void)done;
    (void)total;
    if (changes && strcmp(table, wiki_table_names[WIKI_PAGELINKS]) == 0) {
        fuzz_file_fill(&files[WIKI_PAGELINKS], dumps[AGAIN].bytes, dumps[AGAIN].used);
        has_changed = true;
    }
}

/* An import and its result. */
struct result {
    bool done;
    struct graph graph;
    struct wiki_report report;
    struct graph_error error;
};

/* Every row and every page is counted once. */
static void require_counts(const struct result *result, const struct wiki_options *options)
{
    const uint64_t *counts = result->report.counts;
    const struct graph *graph = &result->graph;
    fuzz_require(counts[WIKI_PAGE_ROWS] ==
                 counts[WIKI_PAGES_ELSEWHERE] + counts[WIKI_ARTICLES] + counts[WIKI_REDIRECTS]);
    fuzz_require(counts[WIKI_ARTICLES] ==
                 graph->node_limit + counts[WIKI_DISAMBIGUATIONS] + counts[WIKI_DROPPED_TITLES]);
    fuzz_require(counts[WIKI_REDIRECTS] ==
                 counts[WIKI_REDIRECTS_RESOLVED] + counts[WIKI_REDIRECTS_MISSING] +
                     counts[WIKI_REDIRECTS_ELSEWHERE] + counts[WIKI_REDIRECTS_CIRCLE] +
                     counts[WIKI_REDIRECTS_DROPPED] + counts[WIKI_REDIRECTS_UNLISTED]);
    uint64_t links = graph->edge_count;
    for (size_t i = WIKI_LINKS_OF_REDIRECTS; i < WIKI_LINKS_THROUGH; i++) {
        links += counts[i];
    }
    links += options->keep_self_links ? 0 : counts[WIKI_LINKS_SELF];
    links += options->keep_duplicates ? 0 : counts[WIKI_LINKS_DUPLICATE];
    links += counts[WIKI_LINKS_OF_TEMPLATES];
    fuzz_require(!options->without_templates ||
                 counts[WIKI_LINKS_BEFORE] == graph->edge_count + counts[WIKI_LINKS_OF_TEMPLATES]);
    fuzz_require(counts[WIKI_LINK_ROWS] == links);
    fuzz_require(graph->names->count == graph->node_limit);
    fuzz_require(graph->origin->aliases->count == counts[WIKI_REDIRECTS_RESOLVED]);
    for (uint32_t i = 0; i < graph->origin->aliases->count; i++) {
        fuzz_require(graph->origin->alias_ids[i] < graph->node_limit);
    }
}

static void import(struct result *result, const char *place, const struct wiki_options *wanted)
{
    struct wiki_options with_file = *wanted, *options = &with_file;
    FILE *file = tmpfile();
    fuzz_require(file != NULL);
    struct snapshot_ahead links = {.fd = fileno(file)};
    options->links = &links;
    memset(result, 0, sizeof(*result));
    result->done = wiki_import(place, options, &result->graph, &result->report, &result->error);
    fclose(file); /* which the graph has mapped */
    const struct graph *graph = &result->graph;
    if (result->done) {
        fuzz_require(graph_check(graph));
        if (!has_changed) {
            require_counts(result, options);
        }
    } else {
        fuzz_require_line(result->error.message);
        fuzz_require(graph->offsets == NULL && graph->names == NULL && graph->origin == NULL);
    }
}

static bool same(const void *one, const void *other, uint64_t count, size_t size)
{
    return count == 0 || memcmp(one, other, (size_t)count * size) == 0;
}

static bool same_names(const struct graph_names *one, const struct graph_names *other)
{
    return one->count == other->count &&
           same(one->begins, other->begins, (uint64_t)one->count + 1, sizeof(*one->begins)) &&
           same(one->text, other->text, one->begins[one->count], 1);
}

static void require_same(const struct result *one, const struct result *other)
{
    const struct graph *a = &one->graph, *b = &other->graph;
    fuzz_require_for(one->done == other->done &&
                         strcmp(one->error.message, other->error.message) == 0,
                     one->done ? other->error.message : one->error.message);
    if (!one->done) {
        return;
    }
    fuzz_require(same(one->report.counts, other->report.counts, WIKI_COUNTS, sizeof(uint64_t)));
    fuzz_require(a->node_limit == b->node_limit && a->edge_count == b->edge_count);
    fuzz_require(same(a->offsets, b->offsets, (uint64_t)a->node_limit + 1, sizeof(*a->offsets)));
    fuzz_require(same(a->neighbours, b->neighbours, a->edge_count, sizeof(*a->neighbours)));
    fuzz_require(same_names(a->names, b->names));
    fuzz_require(same_names(a->origin->aliases, b->origin->aliases));
    fuzz_require(same(a->origin->page_ids, b->origin->page_ids, a->node_limit, sizeof(uint32_t)));
    const uint64_t aliases = a->origin->aliases->count;
    fuzz_require(same(a->origin->alias_ids, b->origin->alias_ids, aliases, sizeof(uint32_t)));
    fuzz_require(
        same(a->origin->order, b->origin->order, a->names->count + aliases, sizeof(uint32_t)));
    fuzz_require(strcmp(a->origin->facts, b->origin->facts) == 0);
}

/* In several passes, with room for that many bytes of links in each; the dump changes meanwhile. */
static void import_in_passes(const struct result *whole, const char *place,
                             struct wiki_options options, unsigned room, bool dump_changes)
{
    struct result again;
    options.memory_limit = LIMIT;
    import(&again, place, &options);
    fuzz_require(!again.done); /* but report.memory says what all but the links take */
    if (again.report.memory == 0) {
        return;
    }
    options.memory_limit =
        again.report.memory + room + (options.without_templates ? TEMPLATES_ROOM : 0);
    import(&again, place, &options);
    require_same(whole, &again);
    graph_free(&again.graph);
    if (dump_changes) {
        changes = true;
        import(&again, place, &options);
        graph_free(&again.graph);
        changes = false;
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    static const volatile sig_atomic_t cancel = 0;
    static char pattern[] = "A*";
    struct fuzz_input input = {bytes, bytes + length};
    const unsigned room = 1 + fuzz_take_last(&input) % 64u;
    const unsigned bits = fuzz_take_last(&input), flags = fuzz_take_last(&input);
    struct wiki_options options = {.namespaces = {0, 14},
                                   .namespace_count = flags & TWO_NAMESPACES ? 2 : 1,
                                   .drop_titles = {pattern},
                                   .drop_title_count = (flags & DROP_TITLES) != 0,
                                   .drop_disambiguation = flags & DROP_DISAMBIGUATION,
                                   .keep_self_links = flags & KEEP_SELF_LINKS,
                                   .keep_duplicates = flags & KEEP_DUPLICATES,
                                   .without_templates = bits & WITHOUT_TEMPLATES,
                                   .allow_incomplete = flags & ALLOW_INCOMPLETE,
                                   .threads = 1,
                                   .note = note,
                                   .progress = progress,
                                   .cancel = &cancel};
    char place[sizeof(folder) + 64];
    struct result whole, again;
    has_changed = false;
    name_of(place, (bits & NO_LINKTARGET ? 1u : 0) + (bits & NO_REDIRECT ? 2u : 0), NULL);
    make_dumps(input, bits, room);
    import(&whole, place, &options);
    for (unsigned threads = 2; (flags & SEVERAL_THREADS) && threads <= 4; threads += 2) {
        options.threads = threads;
        import(&again, place, &options);
        require_same(&whole, &again);
        graph_free(&again.graph);
    }
    if (flags & SEVERAL_PASSES) {
        import_in_passes(&whole, place, options, room, bits & CHANGES);
    }
    graph_free(&whole.graph);
}
