/*
 * library_long.c - one call of the libraries again and again in one process, and what it holds.
 *
 * library_long WHAT COUNT FILE...: WHAT is searches (one graph, every engine in turn), loads (each
 * file in turn, a file that cannot be loaded too), lists, queues or allocators. After every
 * hundredth of COUNT a line "DONE BYTES RESIDENT DESCRIPTORS": the bytes of live blocks, the
 * resident bytes, the open descriptors. Exit status 1 when an answer changes.
 */
#include "bfs/pwgraph/pwgraph.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static char **files;
static size_t file_count;

static size_t resident_bytes(void)
{
    unsigned long size = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm != NULL) {
        if (fscanf(statm, "%lu %lu", &size, &resident) != 2) {
            resident = 0;
        }
        fclose(statm);
    }
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t descriptors(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL) {
        count++;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

static bool search(size_t number)
{
    static const char *const engines[] = {"array",         "bitmap",       "direction-optimizing",
                                          "bidirectional", "multi-source", "mark-on-push",
                                          "plain"};
    static struct pwgraph *graph;
    static struct pwgraph_search *searches[COUNT_OF(engines)];
    char message[PWGRAPH_TEXT_SIZE];
    uint32_t nodes[64], hops = 0;
    if (graph == NULL && (graph = pwgraph_load(files[0], message)) == NULL) {
        return false;
    }
    struct pwgraph_search **one = &searches[number % COUNT_OF(engines)];
    if (*one == NULL) {
        *one = pwgraph_search_create(graph, engines[number % COUNT_OF(engines)], NULL);
    }
    if (*one == NULL) {
        return false;
    }
    uint32_t count = pwgraph_node_count(graph);
    uint32_t from = 1 + (uint32_t)number % (count - 1),
             to = 1 + (uint32_t)(number / 7) % (count - 1);
    enum pwgraph_answer answer = pwgraph_search_run(*one, from, to, &hops);
    return answer == PWGRAPH_NO_PATH ||
           (answer == PWGRAPH_FOUND && pwgraph_search_path(*one, nodes, COUNT_OF(nodes)) &&
            nodes[hops] == to);
}

static bool load(size_t number)
{
    char message[PWGRAPH_TEXT_SIZE] = "";
    struct pwgraph *graph = pwgraph_load(files[number % file_count], message);
    bool answered = graph != NULL || message[0] != '\0';
    if (graph != NULL) {
        struct pwgraph_search *one = pwgraph_search_create(graph, NULL, NULL);
        answered = one != NULL && pwgraph_search_run(one, 1, 2, NULL) != PWGRAPH_FAILED;
        pwgraph_search_free(one);
    }
    pwgraph_free(graph);
    return answered;
}

static bool use_list(size_t number)
{
    struct linked_list *ll = linked_list_create();
    for (unsigned i = 0; i < 20; i++) {
        linked_list_insert_end(ll, i + (unsigned)number);
    }
    bool sound = linked_list_size(ll) == 20 && linked_list_find(ll, 3 + (unsigned)number) == 3;
    return linked_list_delete(ll) && sound;
}

static bool use_queue(size_t number)
{
    unsigned value = 0;
    struct queue *queue = queue_create();
    for (unsigned i = 0; i < 50; i++) {
        queue_push(queue, i + (unsigned)number);
    }
    bool sound = queue_pop(queue, &value) && value == (unsigned)number;
    return queue_delete(queue) && sound;
}

static bool use_allocator(size_t number)
{
    static const char *const allocators[] = {"pool", "slab:chunk=64K", "first-fit:heap=64K",
                                             "block:heap=1M", "malloc"};
    return linked_list_set_allocator(allocators[number % COUNT_OF(allocators)]) &&
           use_list(number) && linked_list_set_allocator("slab:chunk=64K") && use_queue(number) &&
           linked_list_set_allocator("malloc"); /* holds nothing */
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        bool (*step)(size_t number);
    } loops[] = {{"searches", search},
                 {"loads", load},
                 {"lists", use_list},
                 {"queues", use_queue},
                 {"allocators", use_allocator}};
    size_t loop = 0;
    while (count > 3 && loop < COUNT_OF(loops) && strcmp(loops[loop].name, arguments[1]) != 0) {
        loop++;
    }
    if (count < 4 || loop == COUNT_OF(loops)) {
        fprintf(stderr, "library_long: expected WHAT COUNT FILE...\n");
        return 2;
    }
    const size_t steps = strtoul(arguments[2], NULL, 10);
    files = arguments + 3;
    file_count = (size_t)count - 3;
    for (size_t i = 0; i < steps; i++) {
        if (!loops[loop].step(i)) {
            fprintf(stderr, "library_long: %s: number %zu went wrong\n", arguments[1], i);
            return 1;
        }
        if ((i + 1) % (steps / 100 + 1) == 0) {
            printf("%zu %zu %zu %zu\n", i + 1, mallinfo2().uordblks + mallinfo2().hblkhd,
                   resident_bytes(), descriptors());
        }
    }
    return 0;
}
