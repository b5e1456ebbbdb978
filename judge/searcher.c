/*
 * searcher.c - the challenge's own search, with the queue of a submission.
 *
 * 1. Built with the challenge's headers, and the libraries of a submission or of a reference; runs
 *    in the sandbox. GRAPH is a descriptor of a snapshot (data/store), which is mapped read-only.
 * 2. A request on stdin (source, target, salt) is searched by the rules of bfs/engines/classic.c.
 *    The answer goes to RESULTS: found, visited, pushed, and a number that depends on the order of
 *    all popped nodes. The next question is not known before that. What is pushed is a node and the
 *    salt of its search. Questions and answers pass through one instruction: see door.h. The
 *    libraries share this process and can still jump to that instruction: teacher.md says what a
 *    submission gains by it.
 * 3. The queue is gone before the answer is written down.
 * 4. Measures no time: the judge does, from outside, between request and answer.
 * Usage: searcher GRAPH OFFSETS NEIGHBOURS NODES RESULTS [LOG], places in bytes; LOG: see door.h.
 */
#define DOOR_WORDS 6
#define DOOR_TALKS 5
#include "door.h"
#include <linked_list.h>
#include <queue.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct request {
    uint64_t nonce;
    uint32_t source, target, salt, nothing;
};

struct answer {
    uint64_t nonce;
    uint64_t found, visited, pushed, order;
    uint64_t mallocs, frees;
    uint64_t pop_ticks, ticks; /* of all pops, estimated from every 64th; of the search */
};

static const uint64_t *offsets;
static const uint32_t *neighbours;
static size_t nodes;
static uint64_t mallocs, frees;

static void *counted_malloc(size_t size)
{
    mallocs++;
    return malloc(size);
}

static void counted_free(void *block)
{
    frees++;
    free(block);
}

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return now;
#else
    return 0;
#endif
}

struct tally {
    uint64_t visited, pushed, order, pop_ticks;
    uint32_t salt;
};

/* True with a node of the graph. Every 64th pop is timed: cheap, and enough for a share of all. */
static inline bool pop(struct queue *queue, unsigned int *current, struct tally *tally)
{
    unsigned int salted = 0;
    bool is_timed = tally->visited % 64 == 0;
    uint64_t start = is_timed ? ticks() : 0;
    bool is_popped = queue_pop(queue, &salted);
    if (is_timed) {
        tally->pop_ticks += 64 * (ticks() - start);
    }
    if (!is_popped || (salted ^ tally->salt) >= nodes) {
        return false;
    }
    *current = salted ^ tally->salt;
    tally->order = tally->order * 31 + *current;
    return true;
}

/*
 * The rules of the challenge. It is hidden, so that no library can replace it; the judge compares
 * its bytes after the last search, and under a simulator how many of its instructions ran.
 */
__attribute__((visibility("hidden"))) void
judge_search(struct answer *answer, const struct request *request, unsigned char *marked);

__attribute__((noinline)) void judge_search(struct answer *answer, const struct request *request,
                                            unsigned char *marked)
{
    struct queue *queue = queue_create();
    struct tally tally = {.salt = request->salt};
    unsigned int current = request->source;
    bool is_found = false;
    while (queue != NULL) {
        if (offsets[current] == offsets[current + 1] || marked[current]) {
            bool is_popped = pop(queue, &current, &tally);
            tally.visited++;
            if (!is_popped) {
                break;
            }
            continue;
        }
        marked[current] = 1;
        for (uint64_t edge = offsets[current]; edge < offsets[current + 1]; edge++) {
            tally.pushed += queue_push(queue, neighbours[edge] ^ tally.salt);
            is_found |= neighbours[edge] == request->target;
        }
        if (!pop(queue, &current, &tally)) {
            break;
        }
        tally.visited++;
        if (is_found) {
            break;
        }
    }
    queue_delete(queue);
    answer->found = is_found;
    answer->visited = tally.visited;
    answer->pushed = tally.pushed;
    answer->order = tally.order;
    answer->pop_ticks = tally.pop_ticks;
}

static bool transfer(bool is_read, int file, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        long part =
            door_call(is_read ? __NR_read : __NR_write, file, (char *)bytes + done, length - done);
        if (part <= 0) {
            return false;
        }
        done += (size_t)part;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct stat status;
    if ((argc != 6 && argc != 7) || fstat(atoi(argv[1]), &status) != 0) {
        return 2;
    }
    nodes = strtoull(argv[4], NULL, 10);
    int results = atoi(argv[5]);
    const char *graph =
        mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, atoi(argv[1]), 0);
    if (graph == MAP_FAILED) {
        return 3;
    }
    unsigned char *marked = calloc(nodes + 1, 1);
    if (marked == NULL) {
        return 3;
    }
    offsets = (const uint64_t *)(const void *)(graph + strtoull(argv[2], NULL, 10));
    neighbours = (const uint32_t *)(const void *)(graph + strtoull(argv[3], NULL, 10));
    linked_list_register_malloc(counted_malloc);
    linked_list_register_free(counted_free);
    queue_register_malloc(counted_malloc);
    queue_register_free(counted_free);
    struct request request;
    while (transfer(true, 0, &request, sizeof(request))) {
        struct answer answer = {.nonce = request.nonce};
        mallocs = frees = 0;
        uint64_t start = ticks();
        judge_search(&answer, &request, marked);
        answer.ticks = ticks() - start;
        answer.mallocs = mallocs;
        answer.frees = frees;
        if (!transfer(false, results, &answer, sizeof(answer))) {
            _exit(3);
        }
        memset(marked, 0, nodes + 1);
    }
    _exit(0);
}
