/*
 * test_linked_list.c - the promises of linked_list.h, over several allocators.
 */
#include "base/macros.h"
#include "tests/support/list_fixture.h"
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <stdint.h>
#include <string.h>

/* A list of 0, 1, ..., size - 1. */
static struct linked_list *list_of(unsigned int size)
{
    struct linked_list *ll = linked_list_create();
    ck_assert_ptr_nonnull(ll);
    for (unsigned int i = 0; i < size; i++) {
        ck_assert(linked_list_insert_end(ll, i));
    }
    return ll;
}

/* The list holds exactly these, by its links, and knows its size and its tail. */
static void verify(struct linked_list *ll, const unsigned int *data, size_t size)
{
    require(linked_list_check(ll));
    require(linked_list_size(ll) == size);
    const struct node *node = ll->head;
    for (size_t i = 0; i < size; i++) {
        require(node != NULL);
        require(node->data == data[i]);
        require(i + 1 < size || node == ll->tail);
        node = node->next;
    }
    require(node == NULL);
}

#define VERIFY(ll, ...)                                                                            \
    verify((ll), (const unsigned int[]){__VA_ARGS__},                                              \
           sizeof((const unsigned int[]){__VA_ARGS__}) / sizeof(unsigned int))

START_TEST(null_is_refused_everywhere)
{
    ck_assert(!linked_list_delete(NULL));
    ck_assert_uint_eq(linked_list_size(NULL), SIZE_MAX);
    ck_assert(!linked_list_insert_end(NULL, 1));
    ck_assert(!linked_list_insert_front(NULL, 1));
    ck_assert(!linked_list_insert(NULL, 0, 1));
    ck_assert_uint_eq(linked_list_find(NULL, 1), SIZE_MAX);
    ck_assert(!linked_list_remove(NULL, 0));
    ck_assert_ptr_null(linked_list_create_iterator(NULL, 0));
    ck_assert(!linked_list_delete_iterator(NULL));
    ck_assert(!linked_list_iterate(NULL));
    ck_assert(!linked_list_check(NULL));
    unsigned int data = 7;
    ck_assert(!linked_list_remove_front(NULL, &data));
    ck_assert_uint_eq(linked_list_remove_front_all(NULL, &data, 1), 0);
    ck_assert_uint_eq(linked_list_drop_front(NULL, 1), 0);
    ck_assert(!linked_list_insert_end_all(NULL, &data, 1));
    ck_assert(!linked_list_insert_end_all(NULL, &data, 0));
    ck_assert_uint_eq(data, 7);
    ck_assert(!linked_list_register_malloc(NULL));
    ck_assert(!linked_list_register_free(NULL));
    ck_assert(!linked_list_set_allocator(NULL));
}
END_TEST

START_TEST(a_new_list_is_empty)
{
    list_choose(_i);
    struct linked_list *ll = linked_list_create();
    ck_assert_ptr_nonnull(ll);
    ck_assert_ptr_null(ll->head);
    ck_assert_uint_eq(linked_list_size(ll), 0);
    ck_assert_uint_eq(linked_list_find(ll, 0), SIZE_MAX);
    ck_assert(!linked_list_remove(ll, 0));
    ck_assert_ptr_null(linked_list_create_iterator(ll, 0));
    unsigned int data = 7;
    ck_assert(!linked_list_remove_front(ll, &data));
    ck_assert_uint_eq(data, 7);
    ck_assert(linked_list_check(ll));
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(elements_go_to_either_end_or_before_an_index)
{
    list_choose(_i);
    struct linked_list *ll = list_of(0);
    ck_assert(linked_list_insert(ll, 0, 1));
    VERIFY(ll, 1);
    ck_assert(linked_list_insert_end(ll, 2));
    ck_assert(linked_list_insert_front(ll, 3));
    VERIFY(ll, 3, 1, 2);
    ck_assert(linked_list_insert(ll, 3, 4)); /* index == size: at the end */
    VERIFY(ll, 3, 1, 2, 4);
    ck_assert(linked_list_insert(ll, 1, 5));
    VERIFY(ll, 3, 5, 1, 2, 4);
    ck_assert(linked_list_insert(ll, 4, 6));
    VERIFY(ll, 3, 5, 1, 2, 6, 4);
    ck_assert(linked_list_insert(ll, 0, 7));
    VERIFY(ll, 7, 3, 5, 1, 2, 6, 4);
    ck_assert(linked_list_insert_end(ll, 8)); /* the tail was right */
    VERIFY(ll, 7, 3, 5, 1, 2, 6, 4, 8);
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(an_insertion_past_the_end_is_refused_and_changes_nothing)
{
    list_choose(_i);
    for (unsigned int size = 0; size < 3; size++) {
        struct linked_list *ll = list_of(size);
        uint64_t calls = source.calls;
        ck_assert(!linked_list_insert(ll, size + 1, 9));
        ck_assert(!linked_list_insert(ll, SIZE_MAX, 9));
        ck_assert_uint_eq(source.calls, calls);
        verify(ll, (const unsigned int[]){0, 1, 2}, size);
        ck_assert(linked_list_delete(ll));
    }
}
END_TEST

START_TEST(the_tail_is_right_after_every_kind_of_removal)
{
    list_choose(_i);
    for (unsigned int size = 1; size <= 6; size++) {
        for (unsigned int index = 0; index < size; index++) {
            struct linked_list *ll = list_of(size);
            ck_assert(linked_list_remove(ll, index));
            unsigned int expected[8];
            size_t count = 0;
            for (unsigned int i = 0; i < size; i++) {
                if (i != index) {
                    expected[count++] = i;
                }
            }
            verify(ll, expected, count);
            ck_assert(linked_list_insert_end(ll, 100));
            expected[count++] = 100;
            verify(ll, expected, count);
            ck_assert(linked_list_insert_front(ll, 101));
            memmove(expected + 1, expected, count++ * sizeof *expected);
            expected[0] = 101;
            verify(ll, expected, count);
            while (linked_list_size(ll) > 0) {
                ck_assert(linked_list_remove(ll, linked_list_size(ll) - 1));
                verify(ll, expected, --count);
            }
            ck_assert_ptr_null(ll->head);
            ck_assert(linked_list_insert_end(ll, 5)); /* emptied from the back, and used again */
            VERIFY(ll, 5);
            ck_assert(linked_list_delete(ll));
        }
    }
}
END_TEST

START_TEST(a_removal_past_the_end_is_refused_and_changes_nothing)
{
    list_choose(_i);
    struct linked_list *ll = list_of(2);
    ck_assert(!linked_list_remove(ll, 2));
    ck_assert(!linked_list_remove(ll, SIZE_MAX));
    VERIFY(ll, 0, 1);
    ck_assert(!linked_list_remove_front(ll, NULL));
    VERIFY(ll, 0, 1);
    unsigned int data = 9;
    ck_assert(linked_list_remove_front(ll, &data));
    ck_assert_uint_eq(data, 0);
    VERIFY(ll, 1);
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(many_are_added_and_removed_in_their_order_by_one_call)
{
    unsigned int row[] = {0, 1, 2, 3, 4};
    unsigned int taken[] = {9, 9, 9, 9, 9};
    unsigned int data = 0;
    list_choose(_i);
    struct linked_list *ll = list_of(0);
    ck_assert(linked_list_insert_end_all(ll, NULL, 0));
    ck_assert(!linked_list_insert_end_all(ll, NULL, 1));
    ck_assert_uint_eq(linked_list_remove_front_all(ll, taken, 5), 0);
    ck_assert(linked_list_insert_end_all(ll, row, 2)); /* into an empty list, and after others */
    ck_assert(linked_list_insert_end_all(ll, row + 2, 3));
    ck_assert(linked_list_insert_end_all(ll, row, 0));
    VERIFY(ll, 0, 1, 2, 3, 4);
    ck_assert_uint_eq(linked_list_remove_front_all(ll, NULL, 3), 0);
    ck_assert_uint_eq(linked_list_remove_front_all(ll, taken, 0), 0);
    VERIFY(ll, 0, 1, 2, 3, 4);
    ck_assert_uint_eq(linked_list_remove_front_all(ll, taken, 2), 2);
    ck_assert(taken[0] == 0 && taken[1] == 1 && taken[2] == 9);
    VERIFY(ll, 2, 3, 4);
    ck_assert_uint_eq(linked_list_remove_front_all(ll, taken, SIZE_MAX), 3); /* all there are */
    ck_assert(taken[0] == 2 && taken[1] == 3 && taken[2] == 4 && taken[3] == 9);
    ck_assert_uint_eq(linked_list_size(ll), 0);
    ck_assert_uint_eq(linked_list_live_nodes(), 0);
    ck_assert(linked_list_insert_end(ll, 5)); /* the tail is right after that */
    ck_assert(linked_list_insert_end_all(ll, row, 1));
    VERIFY(ll, 5, 0);
    static unsigned int many[2500]; /* of slab, more than two pages, and part of a third one */
    for (unsigned int i = 0; i < COUNT_OF(many); i++) {
        many[i] = 7 * i;
    }
    ck_assert(linked_list_insert_end_all(ll, many, COUNT_OF(many)));
    ck_assert_uint_eq(linked_list_size(ll), COUNT_OF(many) + 2);
    ck_assert_uint_eq(linked_list_remove_front_all(ll, taken, 2), 2);
    for (unsigned int i = 0; i < COUNT_OF(many); i++) {
        require(linked_list_remove_front(ll, &data) && data == 7 * i);
    }
    ck_assert_uint_eq(linked_list_size(ll), 0);
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(find_gives_the_index_of_the_first_match)
{
    list_choose(_i);
    struct linked_list *ll = linked_list_create();
    static const unsigned int data[] = {4, 0, UINT32_MAX, 4, 0};
    for (size_t i = 0; i < 5; i++) {
        ck_assert(linked_list_insert_end(ll, data[i]));
    }
    ck_assert_uint_eq(linked_list_find(ll, 4), 0);
    ck_assert_uint_eq(linked_list_find(ll, 0), 1);
    ck_assert_uint_eq(linked_list_find(ll, UINT32_MAX), 2);
    ck_assert_uint_eq(linked_list_find(ll, 5), SIZE_MAX);
    ck_assert(linked_list_remove(ll, 0));
    ck_assert_uint_eq(linked_list_find(ll, 4), 2);
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(an_iterator_walks_to_the_last_element_and_stays_there)
{
    list_choose(_i);
    struct linked_list *ll = list_of(4);
    for (size_t start = 0; start < 4; start++) {
        struct iterator *iterator = linked_list_create_iterator(ll, start);
        ck_assert_ptr_nonnull(iterator);
        ck_assert_ptr_eq(iterator->ll, ll);
        for (size_t i = start; i < 4; i++) {
            ck_assert_uint_eq(iterator->current_index, i);
            ck_assert_uint_eq(iterator->data, i);
            ck_assert_uint_eq(iterator->current_node->data, i);
            ck_assert(linked_list_iterate(iterator) == (i < 3));
        }
        ck_assert(!linked_list_iterate(iterator));
        ck_assert_uint_eq(iterator->current_index, 3);
        ck_assert_uint_eq(iterator->data, 3);
        ck_assert_ptr_eq(iterator->current_node, ll->tail);
        ck_assert(linked_list_delete_iterator(iterator));
    }
    ck_assert_ptr_null(linked_list_create_iterator(ll, 4));
    ck_assert_ptr_null(linked_list_create_iterator(ll, SIZE_MAX));
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(delete_takes_the_elements_left_in_the_list)
{
    list_choose(_i);
    for (unsigned int size = 0; size < 3000; size = size * 3 + 1) {
        struct linked_list *ll = list_of(size);
        struct linked_list *other = list_of(2); /* not the last list alive */
        ck_assert_uint_eq(linked_list_live_nodes(), size + 2);
        ck_assert(linked_list_delete(ll));
        ck_assert_uint_eq(linked_list_live_nodes(), 2);
        VERIFY(other, 0, 1);
        ck_assert(linked_list_delete(other));
    }
}
END_TEST

/*
 * Constant time, shown by structure: the second node's link is cut, so that whoever followed it
 * would touch address 16; the operations at the ends do not. The steps before go past those after
 * which a debug build looks at the whole list.
 */
START_TEST(operations_at_the_ends_do_not_walk_the_list)
{
    list_choose(_i);
    struct linked_list *ll = list_of(5);
    for (unsigned int i = 0; i < 600; i++) {
        ck_assert(linked_list_insert_front(ll, i) && linked_list_remove(ll, 0));
    }
    struct node *second = ll->head->next;
    struct node *third = second->next;
    second->next = (struct node *)16;
    ck_assert_uint_eq(linked_list_size(ll), 5);
    ck_assert(linked_list_insert_end(ll, 5));
    ck_assert(linked_list_insert(ll, 6, 6));
    ck_assert(linked_list_insert_front(ll, 7));
    ck_assert(linked_list_insert(ll, 0, 8));
    ck_assert(linked_list_remove(ll, 0));
    ck_assert(linked_list_remove(ll, 0));
    ck_assert(linked_list_remove(ll, 0));
    ck_assert_uint_eq(linked_list_size(ll), 6);
    second->next = third;
    VERIFY(ll, 1, 2, 3, 4, 5, 6);
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(with_malloc_an_insertion_is_one_malloc_and_a_removal_one_free)
{
    struct linked_list *ll = linked_list_create();
    ck_assert_uint_eq(source.calls, 1);
    for (unsigned int i = 0; i < 30; i++) {
        uint64_t calls = source.calls;
        ck_assert(i % 3 == 0   ? linked_list_insert_end(ll, i)
                  : i % 3 == 1 ? linked_list_insert_front(ll, i)
                               : linked_list_insert(ll, 1, i));
        ck_assert_uint_eq(source.calls, calls + 1);
    }
    ck_assert_uint_eq(source.frees, 0);
    for (uint64_t i = 0; i < 20; i++) {
        ck_assert(linked_list_remove(ll, i % 2 == 0 ? 0 : linked_list_size(ll) - 1));
        ck_assert_uint_eq(source.frees, i + 1);
    }
    uint64_t calls = source.calls;
    struct iterator *iterator = linked_list_create_iterator(ll, 3);
    ck_assert_uint_eq(source.calls, calls + 1);
    ck_assert(linked_list_delete_iterator(iterator));
    ck_assert_uint_eq(source.frees, 21);
    ck_assert(linked_list_delete(ll));
    ck_assert_uint_eq(source.frees, source.calls); /* the other 10 nodes, and the list */
}
END_TEST

START_TEST(with_pool_no_list_up_to_the_peak_asks_for_nodes_again)
{
    if (blocks_are_watched()) {
        return; /* pool is malloc then */
    }
    list_choose(_i);
    for (unsigned int round = 0; round < 4; round++) {
        source_reset();
        struct linked_list *ll = list_of(1000 - round * 100);
        ck_assert(round == 0 || source.calls == 1); /* the list itself */
        ck_assert(linked_list_delete(ll));
        ck_assert_uint_eq(source.frees, 1);
    }
    ck_assert_uint_ge(source.live, 1000);
    linked_list_final_cleanup();
    ck_assert_uint_eq(source.live, 0);
    struct linked_list *ll = list_of(10); /* the library stays usable */
    VERIFY(ll, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(a_failed_allocation_changes_nothing)
{
    list_choose(_i);
    source_fail_after(0, FAIL_FOREVER);
    ck_assert_ptr_null(linked_list_create());
    ck_assert_uint_gt(strlen(linked_list_error()), 0);
    source.fail_at = FAIL_NEVER;
    struct linked_list *ll = list_of(3);
    source_fail_after(0, FAIL_FOREVER);
    ck_assert_ptr_null(linked_list_create_iterator(ll, 1));
    VERIFY(ll, 0, 1, 2);
    unsigned int inserted = 3; /* until the allocator has used up what it keeps */
    while (linked_list_insert_end(ll, inserted)) {
        inserted++;
    }
    ck_assert(!linked_list_insert_front(ll, 9));
    ck_assert(!linked_list_insert(ll, 2, 9));
    ck_assert(!linked_list_insert(ll, inserted, 9));
    ck_assert(!linked_list_insert_end_all(ll, (const unsigned int[]){9, 9}, 2));
    ck_assert(linked_list_check(ll));
    ck_assert_uint_eq(linked_list_size(ll), inserted);
    ck_assert_uint_eq(ll->tail->data, inserted - 1);
    source.fail_at = FAIL_NEVER;
    ck_assert(linked_list_insert(ll, 2, 9));
    ck_assert_uint_eq(linked_list_find(ll, 9), 2);
    ck_assert(linked_list_delete(ll));
}
END_TEST

static void *other_malloc(size_t size)
{
    return source_allocate(size);
}

START_TEST(registering_null_keeps_the_functions_there_were)
{
    ck_assert(!linked_list_register_malloc(NULL));
    ck_assert(!linked_list_register_free(NULL));
    struct linked_list *ll = list_of(2);
    ck_assert_uint_eq(source.calls, 3);
    ck_assert(linked_list_register_malloc(other_malloc));
    ck_assert(linked_list_insert_end(ll, 2));
    ck_assert_uint_eq(source.calls, 4);
    ck_assert(linked_list_delete(ll));
    ck_assert_uint_eq(source.frees, 4);
}
END_TEST

START_TEST(the_allocator_cannot_change_while_a_node_is_alive)
{
    list_choose(_i);
    struct linked_list *empty = list_of(0);
    struct linked_list *ll = list_of(2);
    source_reset();
    for (int i = 0; i < LIST_ALLOCATOR_COUNT; i++) {
        ck_assert(!linked_list_set_allocator(list_allocators[i]));
        ck_assert_ptr_nonnull(strstr(linked_list_error(), "2 nodes"));
        ck_assert_str_eq(linked_list_allocator(), list_allocators[_i]);
    }
    ck_assert_uint_eq(source.calls + source.frees, 0);
    VERIFY(ll, 0, 1);
    ck_assert(linked_list_insert_end(ll, 2));
    VERIFY(ll, 0, 1, 2);
    ck_assert(linked_list_delete(ll));
    ck_assert(linked_list_set_allocator("pool")); /* an empty list is no obstacle, and goes on */
    ck_assert(linked_list_insert_end(empty, 1));
    VERIFY(empty, 1);
    ck_assert(linked_list_delete(empty));
}
END_TEST

START_TEST(changing_the_allocator_gives_back_what_the_one_before_kept)
{
    list_choose(_i);
    ck_assert(linked_list_delete(list_of(100)));
    ck_assert(linked_list_set_allocator("malloc"));
    ck_assert_uint_eq(source.live, 0);
}
END_TEST

START_TEST(an_illegal_specification_leaves_all_as_it_was)
{
    static const char *const illegal[] = {"", "nonsense", "pool:order=sideways", "slab(", "count)"};
    list_choose(_i);
    struct linked_list *ll = list_of(0);
    for (size_t i = 0; i < sizeof illegal / sizeof *illegal; i++) {
        ck_assert(!linked_list_set_allocator(illegal[i]));
        ck_assert_uint_gt(strlen(linked_list_error()), 0);
        ck_assert_ptr_null(strchr(linked_list_error(), '\n'));
        ck_assert_str_eq(linked_list_allocator(), list_allocators[_i]);
    }
    ck_assert(linked_list_set_allocator(list_allocators[_i]));
    ck_assert_str_eq(linked_list_error(), "");
    ck_assert(linked_list_insert_end(ll, 1));
    VERIFY(ll, 1);
    ck_assert(linked_list_delete(ll));
}
END_TEST

START_TEST(the_check_notices_a_broken_list)
{
    struct linked_list *ll = list_of(3);
    ck_assert(linked_list_check(ll));
    struct node *tail = ll->tail;
    ll->tail = ll->head;
    ck_assert(!linked_list_check(ll));
    ll->tail = tail;
    struct node *second = ll->head->next;
    ll->head->next = tail;
    ck_assert(!linked_list_check(ll));
    ll->head->next = second;
    tail->next = second; /* a circle */
    ck_assert(!linked_list_check(ll));
    tail->next = NULL;
    ck_assert(linked_list_check(ll));
    ck_assert(linked_list_delete(ll));
}
END_TEST

/* Random operations against an array ------------------------------------------------------------*/

enum { MODEL_MAX = 300 };

struct model {
    unsigned int data[MODEL_MAX];
    size_t size;
};

static void model_insert(struct model *model, size_t index, unsigned int data)
{
    memmove(&model->data[index + 1], &model->data[index],
            (model->size++ - index) * sizeof *model->data);
    model->data[index] = data;
}

static void model_remove(struct model *model, size_t index)
{
    memmove(&model->data[index], &model->data[index + 1],
            (--model->size - index) * sizeof *model->data);
}

static size_t model_find(const struct model *model, unsigned int data)
{
    for (size_t i = 0; i < model->size; i++) {
        if (model->data[i] == data) {
            return i;
        }
    }
    return SIZE_MAX;
}

static void drop_front(struct model *model, struct linked_list *ll, size_t count)
{
    const size_t expected = count < model->size ? count : model->size;
    require(linked_list_drop_front(ll, count) == expected);
    for (size_t i = 0; i < expected; i++) {
        model_remove(model, 0);
    }
}

static void random_step(struct linked_list *ll, struct model *model, struct rng *rng)
{
    unsigned int data = (unsigned int)random_below(rng, 50);
    size_t index = random_below(rng, model->size + 2); /* at times past the end */
    bool room = model->size < MODEL_MAX;
    unsigned int many[MODEL_MAX];
    size_t count = random_below(rng, 1 + MODEL_MAX - model->size);
    switch (random_below(rng, 10)) {
    case 0:
    case 1:
        if (room) {
            require(linked_list_insert_end(ll, data));
            model_insert(model, model->size, data);
        }
        break;
    case 2:
        if (room) {
            require(linked_list_insert_front(ll, data));
            model_insert(model, 0, data);
        }
        break;
    case 3:
        if (room) {
            require(linked_list_insert(ll, index, data) == (index <= model->size));
            if (index <= model->size) {
                model_insert(model, index, data);
            }
        }
        break;
    case 4:
        require(linked_list_remove(ll, index) == (index < model->size));
        if (index < model->size) {
            model_remove(model, index);
        }
        break;
    case 5:
        require(linked_list_remove_front(ll, &data) == (model->size > 0));
        if (model->size > 0) {
            require(data == model->data[0]);
            model_remove(model, 0);
        }
        break;
    case 6:
        for (size_t i = 0; i < count; i++) {
            many[i] = data + (unsigned int)i;
            model_insert(model, model->size, many[i]);
        }
        require(linked_list_insert_end_all(ll, many, count));
        break;
    case 7:
        drop_front(model, ll, random_below(rng, 50));
        count = random_below(rng, 50);
        count = count < model->size ? count : model->size;
        require(linked_list_remove_front_all(ll, many, count < model->size ? count : MODEL_MAX) ==
                count);
        for (size_t i = 0; i < count; i++) {
            require(many[i] == model->data[0]);
            model_remove(model, 0);
        }
        break;
    case 8:
        require(linked_list_find(ll, data) == model_find(model, data));
        break;
    default:
        if (random_below(rng, 40) ==
            0) { /* now and then many at once, so that it also gets small */
            while (linked_list_remove(ll, 0)) {
                model_remove(model, 0);
            }
        }
    }
}

START_TEST(random_operations_agree_with_an_array)
{
    list_choose(_i);
    struct rng rng = random_start("random_operations_agree_with_an_array");
    enum { LISTS = 3 };
    struct linked_list *lists[LISTS];
    struct model models[LISTS];
    for (size_t i = 0; i < LISTS; i++) {
        lists[i] = list_of(0);
        models[i].size = 0;
    }
    size_t steps = blocks_are_watched() ? 1500 : 10000;
    for (size_t step = 0; step < steps; step++) {
        size_t which = random_below(&rng, LISTS);
        random_step(lists[which], &models[which], &rng);
        verify(lists[which], models[which].data, models[which].size);
        if (random_below(&rng, 500) == 0) {
            require(linked_list_delete(lists[which]));
            lists[which] = list_of(0);
            models[which].size = 0;
        }
    }
    for (size_t i = 0; i < LISTS; i++) {
        verify(lists[i], models[i].data, models[i].size);
        ck_assert(linked_list_delete(lists[i]));
    }
}
END_TEST

int main(void)
{
    int all = LIST_ALLOCATOR_COUNT;
    const TTest *const once[] = {
        null_is_refused_everywhere, with_malloc_an_insertion_is_one_malloc_and_a_removal_one_free,
        registering_null_keeps_the_functions_there_were, the_check_notices_a_broken_list, NULL};
    const TTest *const for_each[] = {a_new_list_is_empty,
                                     elements_go_to_either_end_or_before_an_index,
                                     an_insertion_past_the_end_is_refused_and_changes_nothing,
                                     the_tail_is_right_after_every_kind_of_removal,
                                     a_removal_past_the_end_is_refused_and_changes_nothing,
                                     many_are_added_and_removed_in_their_order_by_one_call,
                                     find_gives_the_index_of_the_first_match,
                                     an_iterator_walks_to_the_last_element_and_stays_there,
                                     delete_takes_the_elements_left_in_the_list,
                                     operations_at_the_ends_do_not_walk_the_list,
                                     a_failed_allocation_changes_nothing,
                                     the_allocator_cannot_change_while_a_node_is_alive,
                                     changing_the_allocator_gives_back_what_the_one_before_kept,
                                     an_illegal_specification_leaves_all_as_it_was,
                                     random_operations_agree_with_an_array,
                                     NULL};
    const TTest *const for_each_of_2[] = {with_pool_no_list_up_to_the_peak_asks_for_nodes_again,
                                          NULL};
    const struct suite_case cases[] = {{once, list_start, list_end, 0, 0},
                                       {for_each, list_start, list_end, 0, all},
                                       {for_each_of_2, list_start, list_end, 1, 3}};
    return suite_run_cases("linked_list", COUNT_OF(cases), cases);
}
