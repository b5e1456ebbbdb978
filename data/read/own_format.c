/*
 * own_format.c - the callbacks for the reader of a format.
 */
#include "own_format.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include <stdlib.h>

#define BLOCK_SIZE ((size_t)256 << 10)

static size_t take(struct graph_reading *reading, const char **text)
{
    struct own_format *own = (struct own_format *)reading;
    char needs[32];
    if (reading->kept > own->limit) {
        graph_fail(reading->error, reading->name,
                   "ids and labels do not fit: they need %s of memory",
                   memory_text(needs, reading->kept));
        return SIZE_MAX;
    }
    size_t got =
        text_source_read(own->source, own->position, own->buffer, BLOCK_SIZE, reading->error);
    if (got != SIZE_MAX) {
        own->position += got;
        *text = own->buffer;
        own->report(own->context);
    }
    return got;
}

static bool add(struct graph_reading *reading, uint32_t source, uint32_t target, bool both)
{
    struct edge_scan *scan = ((struct own_format *)reading)->scan;
    enum edge_direction usual = scan->direction;
    pw_assert(source <= GRAPH_NODE_MAX && target <= GRAPH_NODE_MAX);
    scan->direction = both ? EDGES_BOTH : usual;
    edge_scan_add(scan, source, target);
    scan->direction = usual;
    return !scan->writer->failed;
}

static bool expect(struct graph_reading *reading, uint64_t nodes, uint64_t edges)
{
    struct own_format *own = (struct own_format *)reading;
    return own->fits(own->context, nodes, edges, reading->error);
}

bool own_format_read(struct own_format *own, const struct graph_reader *reader,
                     struct graph_error *error)
{
    struct graph_reading *reading = &own->reading;
    *reading = (struct graph_reading){
        .name = own->source->name, .error = error, .take = take, .add = add, .expect = expect};
    own->buffer = malloc(BLOCK_SIZE);
    if (own->buffer == NULL) {
        return graph_fail(error, reading->name, "out of memory");
    }
    bool done = reader->read(reading);
    pw_assert(!done || reading->first_node <= 1);
    free(own->buffer);
    if (reading->has_weights && own->options->note != NULL) {
        own->options->note(own->options->context, "weights are ignored", GRAPH_REMEDY_NONE);
    }
    return done &&
           (reading->node_count > 0 || graph_fail(error, reading->name, "no node in the file"));
}
