/*
 * load_loop.c - see load_loop.h.
 */
#include "load_loop.h"
#include "base/huge_pages.h"
#include "base/pw_assert.h"
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUCKET_BITS   14
#define BUCKET_NODES  (1u << BUCKET_BITS)
#define SHORTEST_LINE 4  /* bytes: "1 2" and its end */
#define TAIL          64 /* last bytes of a file, read one by one */

struct entry {
    uint32_t source, target;
};

/* A thread's share: of the text, then of the buckets. */
struct part {
    struct load *load;
    unsigned index;
    const char *text, *end;
    struct entry *entries; /* address space for all buckets */
    size_t stride;         /* entries from bucket to bucket */
    size_t *counts;        /* of each bucket */
    uint32_t *sources;     /* in the order of the file; NULL: no reverse */
    size_t source_bytes;
    uint64_t *in_counts; /* per target */
    uint64_t edge_count;
    bool bad;
};

struct load {
    struct load_loop_graph *graph;
    const char *map_end;
    size_t buckets;
    uint64_t *bucket_begins;
    unsigned threads;
    struct part parts[LOAD_LOOP_THREADS];
};

static inline uint64_t eight_bytes(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

static uint32_t read_slowly(const char **at)
{
    uint32_t number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        number = number * 10 + (uint32_t)(**at - '0');
    }
    ++*at;
    return number;
}

/* A number of up to seven digits and the byte after it. Source: D. Lemire, "Quickly parsing eight
 * digits" (2018). */
static inline uint32_t read_number(const char **at)
{
    uint64_t digits = eight_bytes(*at) ^ UINT64_C(0x3030303030303030);
    const uint64_t others =
        ((digits + UINT64_C(0x7676767676767676)) | digits) & UINT64_C(0x8080808080808080);
    if (others == 0) {
        return read_slowly(at);
    }
    const unsigned length = (unsigned)__builtin_ctzll(others) / 8;
    *at += length + 1;
    digits = length > 0 ? digits << (8 - length) * 8 : 0;
    digits = digits * 10 + (digits >> 8);
    return (
        uint32_t)(((digits & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064) +
                   (digits >> 16 & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x0000271000000001)) >>
                  32);
}

static void *read_part(void *argument)
{
    struct part *part = argument;
    const uint32_t limit = part->load->graph->node_limit;
    const char *at = part->text;
    const char *fast_end = part->end;
    if (part->load->map_end - part->end < TAIL) {
        fast_end = part->end - part->text > TAIL ? part->end - TAIL : part->text;
    }
    uint64_t same = 0, mask = 0, count = 0, run = 0; /* about the target of the line before */
    uint32_t target = 0;
    size_t length = 0;
    bool bad = false;
    while (at < part->end && !bad) {
        const bool fast = at < fast_end;
        const uint32_t source = fast ? read_number(&at) : read_slowly(&at);
        if (fast && mask != 0 && ((eight_bytes(at) ^ same) & mask) == 0) {
            at += length;
        } else {
            const char *begin = at;
            const uint32_t before = target;
            if (part->in_counts != NULL) {
                part->in_counts[target] += count - run;
                run = count;
            }
            same = fast ? eight_bytes(at) : 0;
            target = fast ? read_number(&at) : read_slowly(&at);
            length = (size_t)(at - begin);
            mask = !fast || length > 8 ? 0
                   : length == 8       ? ~UINT64_C(0)
                                       : (UINT64_C(1) << 8 * length) - 1;
            bad = target == 0 || target >= limit || (part->sources != NULL && target < before);
        }
        bad = bad || source == 0 || source >= limit;
        if (!bad) {
            const size_t bucket = source >> BUCKET_BITS;
            part->entries[bucket * part->stride + part->counts[bucket]++] =
                (struct entry){source, target};
            if (part->sources != NULL) {
                part->sources[count] = source;
            }
            count++;
        }
    }
    if (part->in_counts != NULL && target < limit) {
        part->in_counts[target] += count - run;
    }
    part->edge_count = count;
    part->bad = bad;
    return NULL;
}

/* Count and place the entries of each bucket of this thread. */
static void *place_part(void *argument)
{
    const struct part *part = argument;
    const struct load *load = part->load;
    struct load_loop_graph *graph = load->graph;
    uint64_t places[BUCKET_NODES];
    for (size_t bucket = part->index; bucket < load->buckets; bucket += load->threads) {
        const uint32_t first = (uint32_t)(bucket << BUCKET_BITS);
        const uint32_t left = graph->node_limit - first;
        const uint32_t nodes = left < BUCKET_NODES ? left : BUCKET_NODES;
        uint64_t sum = load->bucket_begins[bucket];
        memset(places, 0, sizeof(places));
        for (unsigned i = 0; i < load->threads; i++) {
            const struct part *from = &load->parts[i];
            const struct entry *entries = from->entries + bucket * from->stride;
            for (size_t j = 0; j < from->counts[bucket]; j++) {
                places[entries[j].source - first]++;
            }
        }
        for (uint32_t node = 0; node < nodes; node++) {
            const uint64_t degree = places[node];
            places[node] = graph->offsets[first + node] = sum;
            sum += degree;
        }
        for (unsigned i = 0; i < load->threads; i++) {
            const struct part *from = &load->parts[i];
            const struct entry *entries = from->entries + bucket * from->stride;
            for (size_t j = 0; j < from->counts[bucket]; j++) {
                graph->neighbours[places[entries[j].source - first]++] = entries[j].target;
            }
        }
    }
    return NULL;
}

/* Run on all threads; the first is the caller. False if a thread could not be started. */
static bool run_parts(struct load *load, void *(*work)(void *))
{
    pthread_t threads[LOAD_LOOP_THREADS];
    unsigned started = 1;
    while (started < load->threads &&
           pthread_create(&threads[started], NULL, work, &load->parts[started]) == 0) {
        started++;
    }
    work(&load->parts[0]);
    for (unsigned i = 1; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    return started == load->threads;
}

/* Divide the text at line ends. False when out of memory. */
static bool open_parts(struct load *load, const char *text, bool reverse)
{
    const size_t share = (size_t)(load->map_end - text) / load->threads;
    const char *begin = text;
    for (unsigned i = 0; i < load->threads; i++) {
        struct part *part = &load->parts[i];
        const char *end = text + share * (i + 1);
        end = i + 1 == load->threads
                  ? load->map_end
                  : (const char *)memchr(end, '\n', (size_t)(load->map_end - end));
        end = end == NULL ? load->map_end : i + 1 < load->threads ? end + 1 : end;
        const size_t most = (size_t)(end - begin) / SHORTEST_LINE + 1;
        const size_t all = (size_t)(load->map_end - text) / SHORTEST_LINE + 1;
        part->load = load;
        part->index = i;
        part->text = begin;
        part->end = end;
        part->stride = most;
        part->entries = huge_pages_map(load->buckets * most * sizeof(*part->entries), NULL);
        part->counts = calloc(load->buckets, sizeof(*part->counts));
        if (reverse) {
            part->source_bytes = (i == 0 ? all : most) * sizeof(*part->sources);
            part->sources = huge_pages_map(part->source_bytes, NULL); /* the first takes it all */
            part->in_counts = calloc((size_t)load->graph->node_limit + 1, sizeof(*part->in_counts));
        }
        if (part->entries == NULL || part->counts == NULL ||
            (reverse && (part->sources == NULL || part->in_counts == NULL))) {
            return false;
        }
        begin = end;
    }
    return true;
}

/* Unmap memory of huge_pages_map. */
static void unmap(void *mapped, size_t bytes)
{
    if (mapped != NULL) {
        munmap(mapped, bytes);
    }
}

static void close_parts(struct load *load)
{
    for (unsigned i = 0; i < load->threads; i++) {
        struct part *part = &load->parts[i];
        unmap(part->entries, load->buckets * part->stride * sizeof(*part->entries));
        if (part->sources != load->graph->in_neighbours) {
            unmap(part->sources, part->source_bytes);
        }
        free(part->counts);
        free(part->in_counts);
    }
    free(load->bucket_begins);
}

/* The number of entries, and where each bucket's lists begin. */
static void sum_parts(struct load *load)
{
    uint64_t sum = 0;
    for (size_t bucket = 0; bucket < load->buckets; bucket++) {
        load->bucket_begins[bucket] = sum;
        for (unsigned i = 0; i < load->threads; i++) {
            sum += load->parts[i].counts[bucket];
        }
    }
    load->graph->edge_count = sum;
}

/* The sources of all parts, one after the other, and where each target's begin. */
static void join_sources(struct load *load)
{
    struct load_loop_graph *graph = load->graph;
    uint64_t sum = 0, copied = load->parts[0].edge_count;
    graph->in_neighbours = load->parts[0].sources;
    graph->in_bytes = load->parts[0].source_bytes;
    for (unsigned i = 1; i < load->threads; i++) {
        const struct part *part = &load->parts[i];
        memcpy(graph->in_neighbours + copied, part->sources,
               part->edge_count * sizeof(*part->sources));
        copied += part->edge_count;
    }
    for (uint32_t node = 0; node < graph->node_limit; node++) {
        graph->in_offsets[node] = sum;
        for (unsigned i = 0; i < load->threads; i++) {
            sum += load->parts[i].in_counts[node];
        }
    }
    graph->in_offsets[graph->node_limit] = sum;
    pw_assert(copied == graph->edge_count && sum == copied);
}

/* The text after the line of sizes. */
static const char *read_sizes(struct load *load, const char *text)
{
    while (text != NULL && text < load->map_end && *text == '%') {
        text = memchr(text, '\n', (size_t)(load->map_end - text));
        text += text != NULL;
    }
    if (text == NULL || text == load->map_end) {
        return NULL;
    }
    const unsigned long nodes = strtoul(text, NULL, 10);
    text = memchr(text, '\n', (size_t)(load->map_end - text));
    load->graph->node_limit = nodes < UINT32_MAX - 1 ? (uint32_t)nodes + 1 : 0;
    load->buckets = (load->graph->node_limit >> BUCKET_BITS) + 1;
    return text != NULL && load->graph->node_limit > 0 ? text + 1 : NULL;
}

/* From the text to the graph. Returns NULL, or the error. */
static const char *build(struct load *load, const char *text, bool reverse)
{
    struct load_loop_graph *graph = load->graph;
    const size_t offset_bytes = ((size_t)graph->node_limit + 1) * sizeof(*graph->offsets);
    load->bucket_begins = malloc(load->buckets * sizeof(*load->bucket_begins));
    graph->offsets = huge_pages_map(offset_bytes, NULL);
    graph->in_offsets = reverse ? huge_pages_map(offset_bytes, NULL) : NULL;
    if (load->bucket_begins == NULL || graph->offsets == NULL ||
        (reverse && graph->in_offsets == NULL) || !open_parts(load, text, reverse) ||
        !run_parts(load, read_part)) {
        return "no memory, or no thread";
    }
    for (unsigned i = 0; i < load->threads; i++) {
        if (load->parts[i].bad) {
            return "an id out of range, or not sorted by target";
        }
    }
    sum_parts(load);
    graph->neighbours = huge_pages_map(graph->edge_count * sizeof(*graph->neighbours) + 1, NULL);
    if (graph->neighbours == NULL || !run_parts(load, place_part)) {
        return "no memory, or no thread";
    }
    graph->offsets[graph->node_limit] = graph->edge_count;
    if (reverse) {
        join_sources(load);
    }
    return NULL;
}

const char *load_loop_read(const char *path, unsigned threads, bool reverse,
                           struct load_loop_graph *graph)
{
    struct load load = {.graph = graph, .threads = threads};
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *map =
        fd >= 0 && fstat(fd, &status) == 0 && status.st_size > 0
            ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0)
            : MAP_FAILED;
    const char *why = "cannot be read";
    if (map != MAP_FAILED && threads > 0 && threads <= LOAD_LOOP_THREADS) {
        load.map_end = map + status.st_size;
        const char *text = read_sizes(&load, map);
        why = text != NULL ? build(&load, text, reverse) : "not a Matrix Market file";
        close_parts(&load);
    }
    if (map != MAP_FAILED) {
        munmap(map, (size_t)status.st_size);
    }
    if (fd >= 0) {
        close(fd);
    }
    return why;
}

void load_loop_free(struct load_loop_graph *graph)
{
    const size_t offset_bytes = ((size_t)graph->node_limit + 1) * sizeof(*graph->offsets);
    unmap(graph->offsets, offset_bytes);
    unmap(graph->in_offsets, offset_bytes);
    unmap(graph->neighbours, graph->edge_count * sizeof(*graph->neighbours) + 1);
    unmap(graph->in_neighbours, graph->in_bytes);
    *graph = (struct load_loop_graph){0};
}
