/*
 * pairs.c - reads the list of searches; every id must name a node of the graph.
 */
#include "pairs.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "csv_column.h"
#include "data/graph/graph_memory.h"
#include "edge_line.h"
#include "text_reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cut a line whose first name is in quotes, or whose names are CSV. */
static bool cut_columns(const char *begin, const char *end, char separator,
                        struct csv_column columns[2])
{
    return csv_column_cut(&begin, end, separator, &columns[0]) == CSV_MORE &&
           csv_column_cut(&begin, end, separator, &columns[1]) == CSV_LAST &&
           columns[0].length > 0 && columns[1].length > 0;
}

/* Cut a line at its first separator, whatever quotes it has; a run of blanks is one. False if there
 * is another one, or if a side is empty. */
static bool cut_once(const char *begin, const char *cut, const char *end,
                     struct csv_column columns[2])
{
    const char *second = cut + 1;
    while (second < end && *second == ' ' && *cut == ' ') {
        ++second;
    }
    pw_assert(second <= end);
    columns[0] = (struct csv_column){.begin = begin, .length = (size_t)(cut - begin)};
    columns[1] = (struct csv_column){.begin = second, .length = (size_t)(end - second)};
    return cut > begin && second < end && memchr(second, *cut, (size_t)(end - second)) == NULL;
}

/* Cut a line of two names: at a comma or semicolon if either name has quotes, at a blank or tab if
 * both have; else at its tab, or at the blank, comma or semicolon if there is only one. */
static bool cut_names(const char *begin, const char *end, struct csv_column columns[2])
{
    static const char separators[] = {'\t', ' ', ',', ';'};
    for (size_t i = 0; i < sizeof(separators); i++) {
        const bool is_csv = separators[i] == ',' || separators[i] == ';';
        if (cut_columns(begin, end, separators[i], columns) &&
            (is_csv ? columns[0].is_quoted || columns[1].is_quoted
                    : columns[0].is_quoted && columns[1].is_quoted)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof(separators); i++) {
        const char *cut = memchr(begin, separators[i], (size_t)(end - begin));
        if (cut != NULL) {
            return cut_once(begin, cut, end, columns);
        }
    }
    return false;
}

bool pairs_fit_memory(uint64_t count, uint64_t memory_limit, const char *place,
                      struct graph_error *error)
{
    char needed[32], limit[32];
    return memory_limit == 0 || count <= memory_limit / PAIR_BYTES ||
           graph_fail(error, place, "%llu pairs need %s, more than the %s allowed",
                      (unsigned long long)count, memory_text(needed, count * PAIR_BYTES),
                      memory_text(limit, memory_limit));
}

struct pair_reader {
    struct text_lines lines;
    const struct graph *graph;
    const struct pair_finder *finder;
    struct pairs *pairs;
    struct table_look *look; /* NULL: each line is read on its own */
    bool is_table;           /* the look says which columns are the two nodes */
    bool is_started;         /* the first line that is no comment was read */
    size_t forgiven; /* nodes with names in another spelling since the last pairs_end_note */
    size_t capacity, note_capacity;
    uint64_t note_bytes;
    struct graph_error *error;
};

/* Keep a note on a side of the pair that is being read. False with error set. */
static bool keep_note(struct pair_reader *reader, unsigned side, const char *message)
{
    struct pairs *pairs = reader->pairs;
    const char *path = reader->lines.source.name;
    const bool is_new =
        pairs->note_count == 0 || pairs->notes[pairs->note_count - 1].place != pairs->count;
    char *text = strdup(message);
    if (text == NULL || !array_reserve(&pairs->notes, &reader->note_capacity,
                                       pairs->note_count + is_new, sizeof(*pairs->notes))) {
        free(text);
        return graph_fail(reader->error, path, "out of memory after %zu pairs", pairs->count);
    }
    if (is_new) {
        pairs->notes[pairs->note_count++] = (struct pair_note){.place = pairs->count};
    }
    pairs->notes[pairs->note_count - 1].texts[side] = text;
    reader->note_bytes += strlen(text) + sizeof(struct pair_note);
    return pairs_fit_memory(pairs->count + reader->note_bytes / PAIR_BYTES,
                            reader->finder->memory_limit, path, reader->error);
}

/* Find a node by its name or original id. False with error set. side: 0 source, 1 target. */
static bool find_text(struct pair_reader *reader, unsigned side, const char *text, size_t length,
                      uint32_t *node)
{
    char message[PAIR_MESSAGE_SIZE] = "";
    const struct pair_finder *finder = reader->finder;
    struct pairs *pairs = reader->pairs;
    switch (finder->find(finder->context, text, length, node, message)) {
    case PAIR_NODE_EXACT:
        return true;
    case PAIR_NODE_FORGIVEN:
        if (reader->forgiven++ == 0) { /* the note counts the others */
            snprintf(pairs->note, sizeof(pairs->note), "%.200s:%llu: %s", reader->lines.source.name,
                     (unsigned long long)reader->lines.number, message);
        }
        return keep_note(reader, side, message);
    default:
        return graph_fail_line(reader->error, reader->lines.source.name, reader->lines.number,
                               "%s: %s", side == 0 ? "source" : "target", message);
    }
}

/* Find the node in a column, with each doubled quote as one. */
static bool find_node(struct pair_reader *reader, unsigned side, const struct csv_column *column,
                      uint32_t *node)
{
    if (!column->has_doubled) {
        return find_text(reader, side, column->begin, column->length, node);
    }
    char *text = malloc(column->length);
    const bool found = text != NULL
                           ? find_text(reader, side, text, csv_column_text(column, text), node)
                           : graph_fail(reader->error, reader->lines.source.name, "out of memory");
    free(text);
    return found;
}

/* Cut a line at its only comma or semicolon, without the blanks around it. False without one. */
static bool cut_at_comma(const char *begin, const char *end, struct csv_column columns[2])
{
    const size_t length = (size_t)(end - begin);
    const char *comma = memchr(begin, ',', length), *semicolon = memchr(begin, ';', length);
    bool has_blanks = false;
    if ((comma == NULL) == (semicolon == NULL) ||
        !cut_once(begin, comma != NULL ? comma : semicolon, end, columns)) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        const char *text = columns[i].begin;
        csv_column_trim(text, text + columns[i].length, &columns[i], &has_blanks);
    }
    return columns[0].length > 0 && columns[1].length > 0;
}

/* Cut a line of two names. A name may have a blank, and another one a comma: where a line has both,
 * the comma divides it if both parts are names of nodes. */
static bool cut_line(const struct pair_reader *reader, const char *begin, const char *end,
                     struct csv_column columns[2])
{
    struct csv_column parts[2] = {{.length = 0}, {.length = 0}};
    const struct pair_finder *finder = reader->finder;
    const bool is_cut = cut_names(begin, end, columns);
    const bool has_both =
        memchr(begin, ' ', (size_t)(end - begin)) != NULL && cut_at_comma(begin, end, parts);
    bool are_names = has_both;
    for (size_t i = 0; i < 2 && are_names && is_cut; i++) {
        char message[PAIR_MESSAGE_SIZE];
        uint32_t node;
        are_names = finder->find(finder->context, parts[i].begin, parts[i].length, &node,
                                 message) == PAIR_NODE_EXACT;
    }
    if (are_names) {
        columns[0] = parts[0];
        columns[1] = parts[1];
    }
    return is_cut || are_names;
}

/* Read a pair of names, of ids of a renumbered graph, or of numbers (#1). */
static enum edge_line_kind read_named(struct pair_reader *reader, const char *begin,
                                      const char *end, struct pair *pair)
{
    struct csv_column columns[2];
    char quoted[GRAPH_QUOTE_SIZE];
    while (begin < end && (*begin == ' ' || *begin == '\t')) {
        begin++;
    }
    while (end > begin && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    bool encoded = end - begin > 2 && *begin == '%' && begin[1] != ' ' && begin[1] != '%';
    const bool numbered = end - begin > 1 && *begin == '#' && begin[1] >= '0' && begin[1] <= '9';
    if (begin == end || (*begin == '#' && !numbered) || (*begin == '%' && !encoded)) {
        return EDGE_LINE_SKIP;
    }
    if (!cut_line(reader, begin, end, columns)) {
        graph_fail_line(reader->error, reader->lines.source.name, reader->lines.number,
                        "expected two names or ids, found %s",
                        graph_quote(quoted, begin, (size_t)(end - begin)));
        return EDGE_LINE_BAD;
    }
    return find_node(reader, 0, &columns[0], &pair->source) &&
                   find_node(reader, 1, &columns[1], &pair->target)
               ? EDGE_LINE_EDGE
               : EDGE_LINE_BAD;
}

/* True if a line is a pair of numbers, as "#5 #7", and no comment. */
static bool is_numbered(const char *begin, const char *end)
{
    struct csv_column columns[2];
    end -= end > begin && end[-1] == '\r';
    if (begin == end || *begin != '#' || !cut_names(begin, end, columns)) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct csv_column number = {.begin = columns[i].begin + 1,
                                          .length = columns[i].length - 1};
        if (*columns[i].begin != '#' || columns[i].length < 2 || !csv_column_is_number(&number)) {
            return false;
        }
    }
    return true;
}

static enum edge_line_kind read_ids(const struct pair_reader *reader, const struct graph *graph,
                                    const char *begin, const char *end, struct pair *pair)
{
    struct edge_line line;
    struct edge_rules rules = {
        .source_min = graph->first_node, .target_min = graph->first_node, .is_table = true};
    rules.source_max = rules.target_max = graph->node_limit ? graph->node_limit - 1 : 0;
    enum edge_line_kind kind = edge_line_read(begin, end, &rules, &line);
    if (kind == EDGE_LINE_EDGE) {
        *pair = (struct pair){(uint32_t)line.source, (uint32_t)line.target};
    } else if (kind == EDGE_LINE_BAD) {
        edge_line_explain(begin, end, &rules, reader->lines.source.name, reader->lines.number,
                          reader->error);
    }
    return kind;
}

/* Read a row of a table of more than two columns, or of chosen ones. */
static enum edge_line_kind read_row(struct pair_reader *reader, const char *begin, const char *end,
                                    struct pair *pair)
{
    const struct graph *graph = reader->graph;
    const struct edge_rules rules = {.source_min = graph->first_node,
                                     .source_max = graph->node_limit ? graph->node_limit - 1 : 0,
                                     .is_table = true};
    const bool named = graph->names != NULL || graph->original_ids != NULL;
    const char *path = reader->lines.source.name;
    struct pair_cell cells[2];
    uint32_t nodes[2];
    end -= end > begin && end[-1] == '\r';
    if (begin == end || *begin == '#' || *begin == '%') {
        return EDGE_LINE_SKIP;
    }
    if (!reader->finder->tables->cut(reader->look, begin, end, cells, path, reader->lines.number,
                                     reader->error)) {
        return EDGE_LINE_BAD;
    }
    for (unsigned side = 0; side < 2; side++) {
        const struct csv_column *text = &cells[side].text;
        nodes[side] = cells[side].id;
        if (named ? !find_node(reader, side, text, &nodes[side])
                  : !cells[side].is_id || !graph_has_node(graph, nodes[side])) {
            edge_id_explain(text->begin, text->begin + text->length, &rules,
                            side == 0 ? "source" : "target", path, reader->lines.number,
                            reader->error);
            return EDGE_LINE_BAD;
        }
    }
    *pair = (struct pair){nodes[0], nodes[1]};
    return EDGE_LINE_EDGE;
}

/* True if a line is the heading, and its words are no nodes. */
static bool is_heading(struct pair_reader *reader, const char *begin, const char *end)
{
    const char *words[2];
    end -= end > begin && end[-1] == '\r';
    if (reader->look == NULL ||
        !reader->finder->tables->is_heading(reader->look, begin, end, words)) {
        return false;
    }
    for (size_t side = 0; side < 2; side++) {
        char message[PAIR_MESSAGE_SIZE];
        uint32_t node;
        if (reader->graph->names == NULL || *words[side] == '\0' ||
            reader->finder->find(reader->finder->context, words[side], strlen(words[side]), &node,
                                 message) != PAIR_NODE_EXACT) {
            return true;
        }
    }
    return false;
}

/* Append a pair. False with error set. */
static bool keep_pair(struct pair_reader *reader, struct pair pair)
{
    struct pairs *pairs = reader->pairs;
    const char *path = reader->lines.source.name;
    pw_assert(graph_has_node(reader->graph, pair.source) &&
              graph_has_node(reader->graph, pair.target));
    if (!pairs_fit_memory(pairs->count + 1, reader->finder->memory_limit, path, reader->error)) {
        return false;
    }
    if (!array_reserve(&pairs->items, &reader->capacity, pairs->count + 1, sizeof(pair))) {
        return graph_fail(reader->error, path, "out of memory after %zu pairs", pairs->count);
    }
    pairs->items[pairs->count++] = pair;
    return true;
}

bool pairs_next(struct pair_reader *reader)
{
    const char *begin, *end;
    const struct graph *graph = reader->graph;
    const bool named = graph->names != NULL || graph->original_ids != NULL;
    while (text_lines_next(&reader->lines, &begin, &end, reader->error)) {
        struct pair pair = {0, 0};
        if (!reader->is_started && is_heading(reader, begin, end)) {
            reader->is_started = true;
            continue;
        }
        enum edge_line_kind kind = reader->is_table ? read_row(reader, begin, end, &pair)
                                   : named || is_numbered(begin, end)
                                       ? read_named(reader, begin, end, &pair)
                                       : read_ids(reader, graph, begin, end, &pair);
        if (kind != EDGE_LINE_SKIP) {
            reader->is_started = true;
            return kind == EDGE_LINE_EDGE && keep_pair(reader, pair);
        }
    }
    if (reader->pairs->count == 0 && reader->error->message[0] == '\0') {
        graph_fail_line(reader->error, reader->lines.source.name, reader->lines.number,
                        "no pair in the file");
    }
    return false;
}

void pairs_end_note(struct pair_reader *reader)
{
    struct pairs *pairs = reader->pairs;
    const size_t used = strlen(pairs->note);
    pw_assert((reader->forgiven > 0) == (used > 0));
    if (reader->forgiven > 1) {
        snprintf(pairs->note + used, sizeof(pairs->note) - used, ", and %zu more like it",
                 reader->forgiven - 1);
    }
    reader->forgiven = 0;
}

struct pair_reader *pairs_open(const char *path, const struct graph *graph,
                               const struct text_decoder *decoder, const struct pair_finder *finder,
                               struct pairs *pairs, struct graph_error *error)
{
    struct pair_reader *reader = malloc(sizeof(*reader));
    memset(pairs, 0, sizeof(*pairs));
    *error = (struct graph_error){0};
    if (reader == NULL) {
        graph_fail(error, path, "out of memory");
        return NULL;
    }
    *reader =
        (struct pair_reader){.graph = graph, .finder = finder, .pairs = pairs, .error = error};
    if (!text_lines_open(&reader->lines, path, decoder, error)) {
        free(reader);
        return NULL;
    }
    reader->lines.source.cancel = finder->cancel;
    const bool is_open = finder->open(finder->context, graph);
    if (!is_open || (finder->tables != NULL &&
                     !finder->tables->look(&reader->lines.source, finder->columns, &reader->look,
                                           &reader->is_table, pairs->read_as, error))) {
        graph_fail(error, path, "out of memory for the index of nodes");
        if (is_open) {
            finder->close(finder->context);
        }
        text_lines_close(&reader->lines, error);
        free(reader->look);
        free(reader);
        return NULL;
    }
    return reader;
}

bool pairs_close(struct pair_reader *reader)
{
    reader->finder->close(reader->finder->context);
    const bool done = text_lines_close(&reader->lines, reader->error);
    free(reader->look);
    free(reader);
    return done;
}

bool pairs_read(const char *path, const struct graph *graph, const struct text_decoder *decoder,
                const struct pair_finder *finder, struct pairs *pairs, struct graph_error *error)
{
    struct pair_reader *reader = pairs_open(path, graph, decoder, finder, pairs, error);
    if (reader == NULL) {
        return false;
    }
    while (pairs_next(reader)) {
    }
    pairs_end_note(reader);
    if (!pairs_close(reader)) {
        pairs_free(pairs);
        return false;
    }
    return true;
}

static int compare_places(const void *key, const void *note)
{
    const size_t place = *(const size_t *)key, other = ((const struct pair_note *)note)->place;
    return (place > other) - (place < other);
}

const char *pairs_note(const struct pairs *pairs, size_t place, unsigned side)
{
    const struct pair_note *note =
        pairs->note_count > 0
            ? bsearch(&place, pairs->notes, pairs->note_count, sizeof(*note), compare_places)
            : NULL;
    pw_assert(side < 2);
    return note != NULL ? note->texts[side] : NULL;
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->note_count; i++) {
        free(pairs->notes[i].texts[0]);
        free(pairs->notes[i].texts[1]);
    }
    free(pairs->notes);
    free(pairs->items);
    memset(pairs, 0, sizeof(*pairs));
}
