/*
 * fuzz_edge_scan.c - the fast reader of blocks against the careful reader, line by line: the same
 * edges in the same order, the same counts, and the same bad line.
 *
 * The first byte of an input chooses the rules, the last three of its bits the direction; the rest
 * is the block.
 */
#include "base/macros.h"
#include "data/graph/edge_lists.h"
#include "data/read/edge_scan.h"
#include "data/read/text_reader.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

#define EDGES_MAX 20000
#define ROWS      64

static const struct edge_rules rules[] = {
    {0, UINT32_MAX - 1, 0, UINT32_MAX - 1, 0, '\0', '\0', false, false},
    {1, 100, 1, 100, 0, '\0', '\0', false, false},
    {1, 63, 1, 20, 1, '\0', '\0', false, false},
    {1, 63, 1, 63, 2, '\0', '\0', false, false},
    {1, 60, 1, 60, 1, 'a', 'c', false, false},
    {0, 12345678, 5, 4000000000, 0, '\0', '\0', false, false},
    {1, 0, 1, 0, 0, '\0', '\0', false, false},
    {0, 999999999, 0, 999999999, 0, '\0', '\0', false, false},
    {0, UINT32_MAX - 1, 0, UINT32_MAX - 1, 0, '\0', '\0', true, false},
    {0, UINT32_MAX - 1, 0, UINT32_MAX - 1, 0, '\0', '\0', true, true},
};

struct expected {
    uint32_t sources[EDGES_MAX], targets[EDGES_MAX];
    size_t edges;
    uint64_t lines, entries;
    const char *bad; /* NULL: no line is */
};

static struct expected expected;

void fuzz_setup(void)
{
}

static void expect(uint32_t source, uint32_t target)
{
    expected.sources[expected.edges] = source;
    expected.targets[expected.edges++] = target;
}

static void read_carefully(const struct edge_rules *rule, enum edge_direction direction,
                           const char *text, const char *end)
{
    expected.edges = 0;
    expected.lines = expected.entries = 0;
    expected.bad = NULL;
    while (text < end && expected.edges + 2 <= EDGES_MAX) {
        struct edge_line line;
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        enum edge_line_kind kind = edge_line_read(text, stop, rule, &line);
        if (kind == EDGE_LINE_BAD) {
            expected.bad = text;
            return;
        }
        if (kind == EDGE_LINE_EDGE) {
            fuzz_require((uint32_t)line.source >= rule->source_min &&
                         line.source <= rule->source_max);
            fuzz_require((uint32_t)line.target >= rule->target_min &&
                         line.target <= rule->target_max);
            expected.entries++;
            if (direction != EDGES_REVERSE) {
                expect((uint32_t)line.source, (uint32_t)line.target);
            }
            if (direction == EDGES_REVERSE ||
                (direction == EDGES_BOTH && (uint32_t)line.source != (uint32_t)line.target)) {
                expect((uint32_t)line.target, (uint32_t)line.source);
            }
        }
        expected.lines++;
        text = stop + 1;
    }
}

/* Check that the edges of a scan of small ids, as adjacency lists, are the expected ones in
 * order. */
static void require_edges(struct edge_writer *writer)
{
    struct edge_segment segment = {0};
    uint64_t offsets[ROWS + 2] = {0};
    uint32_t *neighbours = malloc((expected.edges + 1) * sizeof(*neighbours));
    struct edge_rows rows = {expected.edges, ROWS + 1, offsets, neighbours, false, NULL};
    fuzz_require(neighbours != NULL && edge_writer_close_segment(writer, &segment));
    fuzz_require(edge_writers_count(writer, 1) == expected.edges);
    fuzz_require(edge_writers_build(writer, 1, &segment, 1, NULL, &rows));
    fuzz_require(offsets[0] == 0 && offsets[ROWS + 1] == expected.edges);
    for (size_t i = 0; i < expected.edges; i++) {
        uint64_t at = offsets[expected.sources[i]]++;
        fuzz_require(at < expected.edges && neighbours[at] == expected.targets[i]);
    }
    free(segment.counts);
    free(neighbours);
}

static void scan(const struct edge_rules *rule, enum edge_direction direction, const char *text,
                 size_t length)
{
    bool small = rule->source_max < ROWS && rule->target_max < ROWS;
    struct edge_layout layout = edge_layout_for(small ? ROWS : (uint64_t)1 << 32, small ? ROWS : 0);
    struct edge_writer writer = {0};
    struct edge_scan scan = {
        .rules = rule, .writer = &writer, .direction = direction, .id_min = UINT32_MAX};
    scan.keep_skipped = true;
    fuzz_require(edge_writer_init(&writer, layout, 1, 0));
    bool done = edge_scan_block(&scan, text, length);
    if (!scan.out_of_memory && !writer.failed) {
        fuzz_require(done == (expected.bad == NULL));
        fuzz_require(done || scan.bad_begin == expected.bad);
        fuzz_require(scan.line_count == expected.lines && scan.entry_count == expected.entries);
        fuzz_require(scan.skipped_count == expected.lines - expected.entries);
        if (expected.edges > 0 && direction == EDGES_FORWARD) {
            fuzz_require(scan.last_source == expected.sources[expected.edges - 1]);
            fuzz_require(scan.last_target == expected.targets[expected.edges - 1]);
        }
        if (small && done) {
            require_edges(&writer);
        }
    }
    free(scan.skipped);
    edge_writer_free(&writer);
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    unsigned choice = fuzz_take(&input);
    const struct edge_rules *rule = &rules[choice % COUNT_OF(rules)];
    enum edge_direction direction = (enum edge_direction)(choice / 8 % 3);
    size_t left = fuzz_left(&input);
    char *buffer = calloc(1, left + 1 + 2 * TEXT_PADDING);
    fuzz_require(buffer != NULL);
    char *text = buffer + TEXT_PADDING;
    if (left > 0) {
        memcpy(text, input.next, left);
    }
    text[left] = '\n';
    read_carefully(rule, direction, text, text + left + 1);
    if (expected.edges + 2 <= EDGES_MAX) {
        scan(rule, direction, text, left + 1);
    }
    free(buffer);
}
