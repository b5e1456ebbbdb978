/*
 * challenge_layout.c - rows on the heap, nodes from malloc. See challenge_layout.h.
 */
#include "challenge_layout.h"
#include "perf/report/clock.h"
#include <stdlib.h>

struct row {
    unsigned int *targets;
    size_t count;
    size_t capacity;
    bool visited;
};

struct challenge_graph {
    size_t row_count;
    struct row **rows; /* NULL: no out-edges */
};

struct item {
    struct item *next;
    unsigned int data;
};

struct item_queue {
    struct item *head;
    struct item *tail;
    size_t size;
};

bool challenge_graph_add(struct challenge_graph *graph, uint32_t source, uint32_t target)
{
    struct row *row = graph->rows[source];
    if (row == NULL) {
        row = calloc(1, sizeof(*row));
        if (row == NULL) {
            return false;
        }
        graph->rows[source] = row;
    }
    if (row->count == row->capacity) {
        size_t capacity = row->capacity == 0 ? 4 : row->capacity * 2;
        unsigned int *grown = realloc(row->targets, capacity * sizeof(*grown));
        if (grown == NULL) {
            return false;
        }
        row->targets = grown;
        row->capacity = capacity;
    }
    row->targets[row->count++] = target;
    return true;
}

/* The edges by target, as the published file has them: a counting sort of the sources. */
static bool add_edges_by_target(struct challenge_graph *challenge, const struct graph *graph)
{
    uint64_t *starts = calloc((size_t)graph->node_limit + 2, sizeof(*starts));
    uint32_t *sources = malloc((size_t)(graph->edge_count + 1) * sizeof(*sources));
    bool done = starts != NULL && sources != NULL;
    if (done) {
        for (uint64_t edge = 0; edge < graph->edge_count; edge++) {
            starts[graph->neighbours[edge] + 2]++;
        }
        for (uint32_t node = 2; node <= graph->node_limit; node++) {
            starts[node] += starts[node - 1];
        }
        for (uint32_t source = 0; source < graph->node_limit; source++) {
            for (uint64_t i = graph->offsets[source]; i < graph->offsets[source + 1]; i++) {
                sources[starts[graph->neighbours[i] + 1]++] = source;
            }
        }
        for (uint32_t target = 0; done && target < graph->node_limit; target++) {
            for (uint64_t i = starts[target]; done && i < starts[target + 1]; i++) {
                done = challenge_graph_add(challenge, sources[i], target);
            }
        }
    }
    free(sources);
    free(starts);
    return done;
}

struct challenge_graph *challenge_graph_begin(uint32_t node_limit)
{
    struct challenge_graph *challenge = calloc(1, sizeof(*challenge));
    if (challenge == NULL) {
        return NULL;
    }
    challenge->row_count = node_limit;
    challenge->rows = calloc(challenge->row_count, sizeof(struct row *));
    return challenge->rows != NULL ? challenge : NULL; /* the process ends with the trial */
}

struct challenge_graph *challenge_graph_create(const struct graph *graph)
{
    struct challenge_graph *challenge = challenge_graph_begin(graph->node_limit);
    return challenge != NULL && add_edges_by_target(challenge, graph) ? challenge : NULL;
}

static bool push(struct item_queue *queue, unsigned int data)
{
    struct item *item = malloc(sizeof(*item));
    if (item == NULL) {
        return false;
    }
    item->next = NULL;
    item->data = data;
    if (queue->head == NULL) {
        queue->head = item;
    } else {
        queue->tail->next = item;
    }
    queue->tail = item;
    queue->size++;
    return true;
}

static bool pop(struct item_queue *queue, unsigned int *data)
{
    struct item *item = queue->head;
    if (item == NULL) {
        return false;
    }
    *data = item->data;
    queue->head = item->next;
    queue->size--;
    free(item);
    return true;
}

static void search(struct challenge_graph *graph, struct item_queue *queue, uint32_t source,
                   uint32_t target, struct search_result *result)
{
    unsigned int current = source;
    for (;;) {
        struct row *row = graph->rows[current];
        if (row == NULL || row->visited) {
            result->visited++;
            if (!pop(queue, &current)) {
                return;
            }
            continue;
        }
        row->visited = true;
        result->expanded++;
        for (size_t i = 0; i < row->count; i++) {
            result->found = result->found || row->targets[i] == target;
            if (!push(queue, row->targets[i])) {
                result->status = SEARCH_NO_MEMORY;
                return;
            }
            result->pushed++;
        }
        if (queue->size > result->peak_queue) {
            result->peak_queue = queue->size;
        }
        if (!pop(queue, &current)) {
            return;
        }
        result->visited++;
        if (result->found) {
            return;
        }
    }
}

void challenge_search(struct challenge_graph *graph, uint32_t source, uint32_t target,
                      struct search_result *result)
{
    *result = (struct search_result){.status = SEARCH_DONE, .hops = SEARCH_HOPS_NONE};
    for (size_t i = 0; i < graph->row_count; i++) {
        if (graph->rows[i] != NULL) {
            graph->rows[i]->visited = false;
        }
    }
    uint64_t start_ns = clock_now_ns();
    struct item_queue queue = {0};
    unsigned int ignored;
    search(graph, &queue, source, target, result);
    while (pop(&queue, &ignored)) {
    }
    result->elapsed_ns = clock_now_ns() - start_ns;
}
