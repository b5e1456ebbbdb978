/*
 * fuzz_replay.c - a recorded script, with a right or a wrong header, replayed as recorded, and
 * differently.
 *
 * An input: a byte of choices, the size of the heap (two bytes), then the words.
 */
#include "alloc/heaps/script_checksum.h"
#include "alloc/node_allocator.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 256

enum { UNCHECKED = 1, GRANULE_16 = 2, UNREPAIRED = 4, OTHERWISE = 8 };

static struct {
    struct script_header header;
    uint32_t words[WORDS_MAX];
} script;
static struct fuzz_file file;
static struct node_heap heap;
static const struct memory_source source = {fuzz_malloc, fuzz_free};

void fuzz_setup(void)
{
    fuzz_file_create(&file);
    fuzz_memory.size_max = (size_t)2 << 20;
}

/* The members that follow from the words. */
static void count_words(size_t words)
{
    struct script_header *header = &script.header;
    header->words = words;
    for (size_t i = 0; i < words; i++) {
        unsigned kind = script.words[i] >> SCRIPT_KIND_SHIFT;
        header->requests += kind == SCRIPT_ALLOCATE;
        header->operations +=
            kind == SCRIPT_ALLOCATE || kind == SCRIPT_RELEASE || kind == SCRIPT_CHAIN;
        i += kind == SCRIPT_CHAIN ? 2 : 0;
    }
    header->checksum = 0;
    header->checksum = script_checksum(script_hash_words(0, script.words, words), header);
}

/* Request a block, which must lie in the heap if there is one. Returns it. */
static unsigned char *request(size_t size)
{
    unsigned char *block = node_allocator_allocate(heap.allocator, size);
    if (block != NULL) {
        block[0] = 1;
        block[size - 1] = 1;
    }
    return block;
}

/* Make the calls of the words; when they are wrong, some of them only. */
static void run(size_t words, unsigned granule, unsigned choice)
{
    size_t size = 16, high = 0;
    unsigned char *base = NULL, *block; /* known from the first block */
    for (size_t i = 0; i < words; i++) {
        uint32_t argument = script.words[i] & SCRIPT_ARGUMENT;
        bool other = (choice & OTHERWISE) && argument % 7 == 3;
        switch (script.words[i] >> SCRIPT_KIND_SHIFT) {
        case SCRIPT_ALLOCATE:
            block = request(size + other);
            base = block != NULL ? block - (size_t)argument * granule : base;
            break;
        case SCRIPT_RELEASE:
            if (base != NULL) {
                node_allocator_release(heap.allocator, base + (size_t)argument * granule + other,
                                       size);
            }
            break;
        case SCRIPT_SIZE:
            size = (high << SCRIPT_KIND_SHIFT | argument) + (argument == 0);
            high = 0;
            break;
        case SCRIPT_SIZE_HIGH:
            high = argument;
            break;
        default:
            if (base != NULL && i + 2 < words) {
                void *head = base + (size_t)argument * granule;
                size_t count = script.words[i + 1] | (uint64_t)script.words[i + 2] << 32;
                node_allocator_release_chain(heap.allocator, head, head, count, size);
            }
            i += 2;
        }
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    struct node_allocator_error error = {0};
    struct node_allocator_statistics statistics;
    char text[100], message[200];
    unsigned choice = fuzz_take(&input), granule = choice & GRANULE_16 ? 16 : 4;
    size_t words = 0;
    memset(&script, 0, sizeof(script));
    script.header = (struct script_header){.magic = SCRIPT_MAGIC,
                                           .version = SCRIPT_VERSION,
                                           .granule = granule,
                                           .heap_bytes = fuzz_take_16(&input) * 16};
    while (words < WORDS_MAX && fuzz_left(&input) >= 4) {
        script.words[words++] = fuzz_take_32(&input);
    }
    count_words(words);
    size_t file_bytes = sizeof(script.header) + words * sizeof(uint32_t);
    if (choice & UNREPAIRED) { /* any byte of it is another */
        ((unsigned char *)&script)[fuzz_take(&input) % file_bytes] ^= (unsigned char)(choice >> 4);
    }
    fuzz_file_fill(&file, &script, file_bytes);
    snprintf(text, sizeof(text), "replay:file=%s,mode=%s", file.path,
             choice & UNCHECKED ? "unchecked" : "checked");
    if (!node_heap_open(&heap, text, &source, &error)) {
        fuzz_require_line(error.message);
        fuzz_require(fuzz_memory.live == 0);
        return;
    }
    run(words, granule, choice);
    node_allocator_statistics(heap.allocator, &statistics);
    node_allocator_check(heap.allocator, message, sizeof(message));
    node_heap_close(&heap);
    fuzz_require(fuzz_memory.live == 0);
}
