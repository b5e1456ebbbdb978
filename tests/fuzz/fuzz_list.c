/*
 * fuzz_list.c - the list against an array: each byte of an input is an operation, the first one
 * chooses the allocator. After each operation size and answer agree; at the end all memory is given
 * back.
 */
#include "base/macros.h"
#include "fuzz.h"
#include "heaps.h"
#include "liblist/linked_list_more.h"
#include <string.h>

#define LENGTH_MAX 300

static struct model {
    unsigned items[LENGTH_MAX];
    size_t count;
} model;

static struct linked_list *list;

void fuzz_setup(void)
{
    fuzz_require(linked_list_register_malloc(fuzz_malloc));
    fuzz_require(linked_list_register_free(fuzz_free));
}

static void model_insert(size_t index, unsigned value)
{
    memmove(model.items + index + 1, model.items + index,
            (model.count - index) * sizeof(model.items[0]));
    model.items[index] = value;
    model.count++;
}

static void model_remove(size_t index)
{
    model.count--;
    memmove(model.items + index, model.items + index + 1,
            (model.count - index) * sizeof(model.items[0]));
}

static void compare(void)
{
    bool fails = fuzz_memory.fail_in > 0;
    struct iterator *iterator = linked_list_create_iterator(list, 0);
    fuzz_require(linked_list_check(list));
    fuzz_require((iterator != NULL) == (model.count > 0) || fails);
    for (size_t i = 0; iterator != NULL && i < model.count; i++) {
        fuzz_require(iterator->data == model.items[i] && iterator->current_index == i);
        fuzz_require(linked_list_iterate(iterator) == (i + 1 < model.count));
    }
    fuzz_require(linked_list_delete_iterator(iterator) == (iterator != NULL));
}

static void insert(struct fuzz_input *input, unsigned operation)
{
    size_t index = operation == 0 ? model.count : operation == 1 ? 0 : fuzz_take(input);
    unsigned value = fuzz_take(input);
    bool fails = fuzz_memory.fail_in > 0;
    bool done = operation == 0   ? linked_list_insert_end(list, value)
                : operation == 1 ? linked_list_insert_front(list, value)
                                 : linked_list_insert(list, index, value);
    if (done) {
        fuzz_require(index <= model.count);
        model_insert(index, value);
    } else {
        fuzz_require(index > model.count || fails || heap_is_small());
    }
}

static void insert_many(struct fuzz_input *input)
{
    unsigned values[16] = {0};
    size_t count = fuzz_take(input) % (COUNT_OF(values) + 1);
    for (size_t i = 0; i < count; i++) {
        values[i] = fuzz_take(input);
    }
    bool fails = fuzz_memory.fail_in > 0;
    if (linked_list_insert_end_all(list, values, count)) {
        for (size_t i = 0; i < count; i++) {
            model_insert(model.count, values[i]);
        }
    } else {
        fuzz_require(fails || heap_is_small());
    }
}

static void remove_many(struct fuzz_input *input)
{
    unsigned values[20] = {0};
    size_t count = fuzz_take(input) % (COUNT_OF(values) + 1);
    size_t expected = count < model.count ? count : model.count;
    const bool dropped = count % 4 == 3;
    fuzz_require((dropped ? linked_list_drop_front(list, count)
                          : linked_list_remove_front_all(list, values, count)) == expected);
    for (size_t i = 0; i < expected; i++) {
        fuzz_require(dropped || values[i] == model.items[0]);
        model_remove(0);
    }
}

static void remove_one(struct fuzz_input *input, bool front)
{
    unsigned value = 12345;
    if (front) {
        bool done = linked_list_remove_front(list, &value);
        fuzz_require(done == (model.count > 0));
        fuzz_require(value == (done ? model.items[0] : 12345));
        if (done) {
            model_remove(0);
        }
        return;
    }
    size_t index = fuzz_take(input);
    bool done = linked_list_remove(list, index);
    fuzz_require(done == (index < model.count));
    if (done) {
        model_remove(index);
    }
}

static void find(struct fuzz_input *input)
{
    unsigned value = fuzz_take(input);
    size_t index = 0;
    while (index < model.count && model.items[index] != value) {
        index++;
    }
    fuzz_require(linked_list_find(list, value) == (index < model.count ? index : SIZE_MAX));
}

static void refuse_null(void)
{
    unsigned value = 7;
    fuzz_require(!linked_list_delete(NULL) && !linked_list_insert_end(NULL, 1));
    fuzz_require(!linked_list_insert_front(NULL, 1) && !linked_list_insert(NULL, 0, 1));
    fuzz_require(linked_list_size(NULL) == SIZE_MAX && linked_list_find(NULL, 1) == SIZE_MAX);
    fuzz_require(!linked_list_remove(NULL, 0) && linked_list_create_iterator(NULL, 0) == NULL);
    fuzz_require(!linked_list_remove_front(NULL, &value) && value == 7);
    fuzz_require(!linked_list_iterate(NULL) && !linked_list_delete_iterator(NULL));
    fuzz_require(!linked_list_register_malloc(NULL) && !linked_list_register_free(NULL));
}

static void start_again(void)
{
    fuzz_require(list == NULL || linked_list_delete(list));
    fuzz_memory.fail_in = 0;
    model.count = 0;
    list = linked_list_create();
    fuzz_require(list != NULL);
}

static void step(struct fuzz_input *input)
{
    unsigned operation = fuzz_take(input) % 16;
    switch (operation) {
    case 0:
    case 1:
    case 2:
        insert(input, operation);
        break;
    case 3:
        insert_many(input);
        break;
    case 4:
        remove_many(input);
        break;
    case 5:
    case 6:
        remove_one(input, operation == 5);
        break;
    case 7:
        find(input);
        break;
    case 9:
        fuzz_memory.fail_in = fuzz_take(input) % 8;
        break;
    case 10:
        linked_list_final_cleanup();
        break;
    case 11:
        refuse_null();
        break;
    case 12:
        start_again();
        break;
    case 13:
        compare();
        break;
    default:
        insert(input, 0);
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    fuzz_memory.fail_in = 0;
    heap_choose(&input);
    start_again();
    while (fuzz_left(&input) > 0 && model.count + 20 < LENGTH_MAX) {
        step(&input);
        fuzz_require(linked_list_size(list) == model.count);
    }
    fuzz_memory.fail_in = 0;
    compare();
    fuzz_require(linked_list_delete(list));
    list = NULL;
    fuzz_require(linked_list_live_nodes() == 0);
    heap_leave();
    fuzz_require(fuzz_memory.live == 0);
}
