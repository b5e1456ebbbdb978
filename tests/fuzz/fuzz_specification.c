/*
 * fuzz_specification.c - the text that chooses an allocator: parsed, asked, with another heap, and
 * opened where that touches no file and takes little memory.
 */
#include "alloc/specification.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct node_heap heap;
static const struct memory_source source = {fuzz_malloc, fuzz_free};

void fuzz_setup(void)
{
    fuzz_memory.size_max = (size_t)4 << 20;
}

/* No file is written, no library loaded, and no size is large. */
static bool is_cheap(const struct node_specification *parsed)
{
    for (size_t level = 0; level < parsed->level_count; level++) {
        const struct node_allocator_type *type = parsed->levels[level].type;
        for (size_t i = 0; type->options != NULL && type->options[i].name != NULL; i++) {
            const struct node_option_value *value = &parsed->levels[level].values[i];
            switch (type->options[i].kind) {
            case NODE_OPTION_SIZE:
                if (value->number > (uint64_t)4 << 20 && strcmp(type->name, "fault") != 0) {
                    return false;
                }
                break;
            case NODE_OPTION_TEXT:
            case NODE_OPTION_OUTPUT:
            case NODE_OPTION_INPUT:
            case NODE_OPTION_LIBRARY:
                if (value->given) {
                    return false;
                }
                break;
            default:
                break;
            }
        }
    }
    return true;
}

static void open_it(const char *text)
{
    struct node_allocator_error error = {0};
    fuzz_memory.live = 0;
    if (!node_heap_open(&heap, text, &source, &error)) {
        fuzz_require_line(error.message);
        fuzz_require(heap.allocator == NULL && fuzz_memory.live == 0);
        return;
    }
    void *block = node_allocator_allocate(heap.allocator, 16);
    if (block != NULL) {
        memset(block, 1, 16);
        node_allocator_release(heap.allocator, block, 16);
    }
    node_heap_close(&heap);
    fuzz_require(fuzz_memory.live == 0);
}

/* The same specification with another heap is legal if the allocator has one, and has that size. */
static void enlarge(const char *text)
{
    static struct node_specification parsed;
    struct node_allocator_error error;
    char larger[300];
    if (!node_specification_with_heap(text, 123456, larger, sizeof(larger)) ||
        !node_specification_parse(larger, &parsed, &error)) {
        return;
    }
    for (size_t level = 0; level < parsed.level_count; level++) {
        const struct node_option *options = parsed.levels[level].type->options;
        for (size_t i = 0; options != NULL && options[i].name != NULL; i++) {
            if (strcmp(options[i].name, "heap") == 0) {
                fuzz_require_for(parsed.levels[level].values[i].number == 123456, larger);
            }
        }
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    static struct node_specification parsed;
    struct node_allocator_error error = {0};
    char path[64];
    bool is_written;
    char *text = fuzz_text((struct fuzz_input){bytes, bytes + length});
    size_t first = node_specification_length(text);
    fuzz_require(first <= strlen(text) && (text[first] == '\0' || text[first] == ','));
    if (node_specification_parse(text, &parsed, &error)) {
        fuzz_require(parsed.level_count > 0 && parsed.level_count <= SPECIFICATION_LEVELS);
        node_specification_has(text, NODE_ALLOCATOR_THREAD_SAFE);
        for (size_t i = 0; node_specification_file(text, i, path, sizeof(path), &is_written); i++) {
            fuzz_require(i < SPECIFICATION_LEVELS * SPECIFICATION_OPTIONS);
        }
        enlarge(text);
        if (is_cheap(&parsed)) {
            open_it(text);
        }
    } else {
        fuzz_require_line(error.message);
        fuzz_require(error.position <= strlen(text));
    }
    free(text);
}
