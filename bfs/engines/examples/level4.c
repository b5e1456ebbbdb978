/*
 * level4.c - the search of plain.c in several threads, by the challenge's two headers alone.
 *
 *     level4 EDGES.mtx PAIRS pairs|search THREADS
 *
 * 1. pairs: each thread takes the next pair, and has a queue and marks of its own. Threads share
 *    nothing but the graph, and nobody writes that any more.
 * 2. search: all threads work on one pair. Each node has one owner, a thread that alone marks it.
 *    Each thread has a queue per owner, which the owner empties in the next level. A barrier
 *    separates levels, so no queue has two users at a time, and neither queues nor marks need a
 *    lock.
 * Cost: one push and one pop per edge examined; in 2. one division per push, a barrier per level.
 * level4.md says how fast it is, and why not faster. Limits: 64 threads, 1,000 pairs.
 */
#include "level4_files.h"
#include <linked_list.h>
#include <pthread.h>
#include <queue.h>
#include <stdatomic.h>
#include <string.h>

enum { THREADS_MAX = 64 };

/* Read by all threads, and written while there is only one. */
static struct graph graph;
static unsigned threads;
static size_t pair_count;
static struct pair *pair;            /* the one that all threads search */
static struct pair pairs[PAIRS_MAX]; /* hops: written by the thread that took the pair */
static atomic_size_t next_pair;      /* the first that no thread has taken */
static struct queue *queues[2][THREADS_MAX][THREADS_MAX]; /* by level % 2, pusher, popper */
static unsigned char *marks;                              /* a node's belongs to its owner */
static atomic_uint found_level;  /* the level in which the target was found, or 0 */
static atomic_uint pushed_level; /* the last level in which anything was pushed */
static pthread_barrier_t level_is_over;

static unsigned search_alone(unsigned node, unsigned target, unsigned char *own,
                             struct queue *queue)
{
    must(queue_push(queue, node), "no memory for a queue");
    for (unsigned level = 1; queue_has_next(queue); level++) {
        for (size_t left = queue_size(queue); left > 0 && queue_pop(queue, &node); left--) {
            for (size_t i = graph.offsets[node]; !own[node] && i < graph.offsets[node + 1]; i++) {
                if (graph.neighbours[i] == target) {
                    return level;
                }
                must(queue_push(queue, graph.neighbours[i]), "no memory for a list node");
            }
            own[node] = 1;
        }
    }
    return 0;
}

static void *take_pairs(void *unused)
{
    unsigned char *own = malloc(graph.nodes);
    must(own != NULL, "no memory for marks");
    for (size_t i = next_pair++; i < pair_count; i = next_pair++) {
        struct queue *queue = queue_create();
        memset(own, 0, graph.nodes);
        pairs[i].hops = search_alone(pairs[i].from, pairs[i].to, own, queue);
        queue_delete(queue);
    }
    free(own);
    return unused;
}

/* Pop what all have pushed for this thread, and push for the owners. True if it pushed anything. */
static bool do_level(unsigned me, unsigned level, unsigned share)
{
    struct queue **out = queues[(level + 1) % 2][me];
    bool pushed = false;
    for (unsigned from = 0, node; from < threads; from++) {
        while (found_level == 0 && queue_pop(queues[level % 2][from][me], &node)) {
            for (size_t i = graph.offsets[node]; !marks[node] && i < graph.offsets[node + 1]; i++) {
                const unsigned next = graph.neighbours[i];
                if (next == pair->to) {
                    found_level = level;
                }
                pushed = queue_push(out[next / share], next);
                must(pushed, "no memory for a list node");
            }
            marks[node] = 1;
        }
    }
    return pushed;
}

static void *take_levels(void *number)
{
    for (unsigned level = 1;; level++) {
        if (do_level(*(unsigned *)number, level, graph.nodes / threads + 1)) {
            pushed_level = level;
        }
        pthread_barrier_wait(&level_is_over);
        /* Faster threads may be one level ahead. After the target is found nobody pushes. */
        if (pushed_level < level) {
            return NULL;
        }
    }
}

static void run(void *(*work)(void *))
{
    pthread_t started[THREADS_MAX];
    unsigned numbers[THREADS_MAX];
    for (unsigned i = 0; i < threads; i++) {
        numbers[i] = i;
        must(pthread_create(&started[i], NULL, work, &numbers[i]) == 0, "no thread");
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(started[i], NULL);
    }
}

static void search_together(void)
{
    const unsigned owner = pair->from / (graph.nodes / threads + 1);
    found_level = pushed_level = 0;
    memset(marks, 0, graph.nodes);
    for (unsigned i = 0; i < 2 * threads * threads; i++) {
        queues[i % 2][i / 2 % threads][i / 2 / threads] = queue_create();
    }
    must(queue_push(queues[1][owner][owner], pair->from), "no memory for a queue");
    run(take_levels);
    for (unsigned i = 0; i < 2 * threads * threads; i++) {
        queue_delete(queues[i % 2][i / 2 % threads][i / 2 / threads]);
    }
    pair->hops = found_level;
}

int main(int count, char **words)
{
    threads = count == 5 ? (unsigned)atoi(words[4]) : 0;
    must(threads >= 1 && threads <= THREADS_MAX, "wants EDGES.mtx PAIRS pairs|search THREADS");
    read_graph(words[1], &graph);
    pair_count = read_pairs(words[2], &graph, pairs);
    marks = malloc(graph.nodes);
    must(marks != NULL && pthread_barrier_init(&level_is_over, NULL, threads) == 0, "no memory");
    const double start = seconds(CLOCK_MONOTONIC);
    if (strcmp(words[3], "pairs") == 0) {
        run(take_pairs);
    } else {
        for (pair = pairs; pair < pairs + pair_count; pair++) {
            search_together();
        }
    }
    print_pairs(pairs, pair_count, seconds(CLOCK_MONOTONIC) - start);
    return 0;
}
