/*
 * gapbs_reader.c - the serialized graphs of the GAP Benchmark Suite: .sg, and .wsg with weights.
 *
 * One byte: directed or not; the number of edges and of nodes; offsets; neighbours from 0. A
 * directed graph repeats all of it for the reverse, which is not read. An undirected edge is stored
 * in both directions. Numbers are little-endian: 64 bits, neighbours and weights 32.
 * Source: gapbs, writer.h and reader.h.
 */
#include "format_readers.h"
#include "text_pull.h"
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 1024 /* neighbours at a time */

bool gapbs_matches(const struct graph_head *head)
{
    return head->length >= 17 && (unsigned char)head->bytes[0] <= 1 &&
           (graph_path_ends(head->path, ".sg") || graph_path_ends(head->path, ".wsg"));
}

/* Numbers of the file become numbers of this processor. */
static void in_order(int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        numbers[i] = (int64_t)le64toh((uint64_t)numbers[i]);
    }
}

/* Read the lists of all nodes, which follow the offsets. step: bytes of a neighbour. */
static bool read_lists(struct text_pull *text, const int64_t *offsets, int64_t nodes, size_t step)
{
    struct graph_reading *reading = text->reading;
    unsigned char chunk[CHUNK * 8];
    int64_t edge = 0, node = 0;
    while (edge < offsets[nodes]) {
        int64_t left = offsets[nodes] - edge;
        size_t count = left < CHUNK ? (size_t)left : CHUNK;
        if (!text_pull_record(text, chunk, count * step)) {
            return false;
        }
        for (size_t i = 0; i < count; i++, edge++) {
            uint32_t target;
            memcpy(&target, chunk + i * step, sizeof(target));
            target = le32toh(target);
            while (offsets[node + 1] <= edge) {
                node++;
            }
            if (target >= (uint64_t)nodes) {
                return graph_fail(reading->error, reading->name,
                                  "neighbour %lu of node %lld is outside 0..%lld",
                                  (unsigned long)target, (long long)node, (long long)nodes - 1);
            }
            if (!reading->add(reading, (uint32_t)node, target, false)) {
                return graph_fail(reading->error, reading->name, "out of memory");
            }
        }
    }
    return true;
}

static bool read_file(struct text_pull *text, bool weighted, int64_t **offsets)
{
    struct graph_reading *reading = text->reading;
    unsigned char directed;
    int64_t sizes[2]; /* edges, nodes */
    if (!text_pull_record(text, &directed, sizeof(directed)) ||
        !text_pull_record(text, sizes, sizeof(sizes))) {
        return false;
    }
    in_order(sizes, 2);
    if (directed > 1 || sizes[1] < 1 || sizes[1] > (int64_t)GRAPH_NODE_MAX || sizes[0] < 0) {
        return graph_fail(reading->error, reading->name, "is no serialized graph of gapbs");
    }
    if (!reading->expect(reading, (uint64_t)sizes[1], (uint64_t)sizes[0])) {
        return false;
    }
    size_t count = (size_t)sizes[1] + 1;
    *offsets = malloc(count * sizeof(**offsets));
    if (*offsets == NULL) {
        return graph_fail(reading->error, reading->name, "out of memory");
    }
    if (!text_pull_record(text, *offsets, count * sizeof(**offsets))) {
        return false;
    }
    in_order(*offsets, count);
    bool ascends = (*offsets)[0] == 0 && (*offsets)[count - 1] == sizes[0];
    for (size_t i = 0; i + 1 < count && ascends; i++) {
        ascends = (*offsets)[i] <= (*offsets)[i + 1];
    }
    if (!ascends) {
        return graph_fail(reading->error, reading->name,
                          "is damaged: its offsets do not ascend to the %lld edges",
                          (long long)sizes[0]);
    }
    reading->has_weights = weighted;
    reading->node_count = (uint32_t)sizes[1];
    return read_lists(text, *offsets, sizes[1], weighted ? 8 : 4);
}

bool gapbs_read(struct graph_reading *reading)
{
    struct text_pull text;
    int64_t *offsets = NULL;
    text_pull_init(&text, reading);
    bool done = read_file(&text, graph_path_ends(reading->name, ".wsg"), &offsets);
    free(offsets);
    text_pull_free(&text);
    return done;
}
