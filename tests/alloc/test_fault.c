/*
 * test_fault.c - a list and a queue without memory: the k-th request to the source fails, for
 * every k.
 *
 * Over every allocator of contract_cases.h: a fixed script, repeated with k = 0, 1, 2, ... until no
 * request failed; once with a single failure, once with all from k on. A failed call returns false
 * or NULL, the structure stays as it was, and nothing leaks. What the allocators themselves do then
 * is a rule of alloc/contract.
 */
#include "base/macros.h"
#include "liblist/linked_list_more.h"
#include "libqueue/queue.h"
#include "tests/support/contract_cases.h"
#include "tests/support/suite.h"

#define REQUESTS_MAX 2000 /* more than any script makes */

static const uint64_t runs[] = {1, FAIL_FOREVER};

/* The next request to fail: every one, or the first dozen and a sample where all is watched. */
static uint64_t next(uint64_t k)
{
    return blocks_are_watched() && k >= 12 ? k + 9 : k + 1;
}

/* A list against an array that knows what must be in it. */
struct model {
    struct linked_list *ll;
    unsigned int data[200];
    size_t size;
};

static void model_verify(const struct model *model)
{
    require(linked_list_check(model->ll));
    require(linked_list_size(model->ll) == model->size);
    const struct node *node = model->ll->head;
    for (size_t i = 0; i < model->size; i++, node = node->next) {
        require(node->data == model->data[i]);
    }
    require(node == NULL);
}

static void model_insert(struct model *model, size_t index, unsigned int data)
{
    uint64_t failures = source.failures;
    bool inserted = index == 0             ? linked_list_insert_front(model->ll, data)
                    : index == model->size ? linked_list_insert_end(model->ll, data)
                                           : linked_list_insert(model->ll, index, data);
    if (inserted) {
        memmove(&model->data[index + 1], &model->data[index],
                (model->size - index) * sizeof *model->data);
        model->data[index] = data;
        model->size++;
    } else {
        require(source.failures > failures);
    }
    model_verify(model);
}

static void model_remove(struct model *model, size_t index)
{
    require(linked_list_remove(model->ll, index) == (index < model->size));
    if (index < model->size) {
        model->size--;
        memmove(&model->data[index], &model->data[index + 1],
                (model->size - index) * sizeof *model->data);
    }
    model_verify(model);
}

static void list_script(void)
{
    struct model model = {.ll = linked_list_create()};
    if (model.ll == NULL) {
        require(source.failures > 0);
        return;
    }
    for (unsigned int i = 0; i < 12; i++) {
        model_insert(&model, model.size, i);
        model_insert(&model, 0, 100 + i);
        model_insert(&model, model.size / 2, 200 + i);
        if (i % 2 == 1) {
            model_remove(&model, 0);
            model_remove(&model, model.size / 2);
        }
    }
    struct iterator *iterator = linked_list_create_iterator(model.ll, 0);
    require(iterator != NULL || source.failures > 0 || model.size == 0);
    model_verify(&model);
    require(linked_list_delete_iterator(iterator) == (iterator != NULL));
    linked_list_delete(model.ll);
}

static void queue_script(void)
{
    struct queue *queue = queue_create();
    if (queue == NULL) {
        require(source.failures > 0);
        return;
    }
    unsigned int pushed = 0, popped = 0, value = 0;
    for (unsigned int i = 0; i < 40; i++) {
        uint64_t failures = source.failures;
        size_t size = queue_size(queue);
        if (queue_push(queue, pushed)) {
            pushed++;
        } else {
            require(source.failures > failures);
            require(queue_size(queue) == size);
        }
        if (i % 3 == 2 && queue_pop(queue, &value)) {
            require(value == popped++);
        }
        require(queue_size(queue) == pushed - popped);
        require(linked_list_check(queue->ll));
    }
    require(queue_delete(queue));
}

static void run_with_failing_malloc(int index, void (*script)(void))
{
    require(linked_list_register_malloc(source_allocate));
    require(linked_list_register_free(source_release));
    for (size_t r = 0; r < 2; r++) {
        uint64_t k = 0;
        for (bool failed = true; failed; k = next(k)) {
            require(k < REQUESTS_MAX);
            require(linked_list_set_allocator("malloc"));
            source_reset();
            source_fail_after(k, runs[r]);
            if (linked_list_set_allocator(contract_cases[index].specification)) {
                script();
            } else {
                require(source.failures > 0);
                ck_assert_str_eq(linked_list_allocator(), "malloc");
            }
            failed = source.failures > 0;
            require(linked_list_live_nodes() == 0);
            source.fail_at = FAIL_NEVER;
            script();
            require(linked_list_set_allocator("malloc"));
            require(source.live == 0);
        }
    }
}

START_TEST(a_list_stays_as_it_was_when_any_request_fails)
{
    run_with_failing_malloc(_i, list_script);
}
END_TEST

START_TEST(a_queue_stays_as_it_was_when_any_request_fails)
{
    run_with_failing_malloc(_i, queue_script);
}
END_TEST

START_TEST(the_fault_wrapper_fails_the_chosen_requests)
{
    struct node_heap heap;
    struct node_allocator_error error;
    require(node_heap_open(&heap, "fault(slab,at=3,run=2)", &counted_source, &error));
    void *blocks[8];
    for (size_t i = 0; i < 8; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, 16);
        require((blocks[i] == NULL) == (i == 3 || i == 4));
    }
    for (size_t i = 0; i < 8; i++) {
        if (blocks[i] != NULL) {
            node_allocator_release(heap.allocator, blocks[i], 16);
        }
    }
    close_case(&heap);

    require(node_heap_open(&heap, "fault(pool,at=1,run=0)", &counted_source, &error));
    blocks[0] = node_allocator_allocate(heap.allocator, 16);
    require(blocks[0] != NULL);
    for (size_t i = 1; i < 8; i++) {
        require(node_allocator_allocate(heap.allocator, 16) == NULL);
    }
    node_allocator_release(heap.allocator, blocks[0], 16);
    close_case(&heap);
}
END_TEST

int main(void)
{
    contract_collect();
    int count = contract_case_count;
    const TTest *const for_each[] = {a_list_stays_as_it_was_when_any_request_fails,
                                     a_queue_stays_as_it_was_when_any_request_fails, NULL};
    const TTest *const once[] = {the_fault_wrapper_fails_the_chosen_requests, NULL};
    const struct suite_case cases[] = {{for_each, source_reset, NULL, 0, count},
                                       {once, source_reset, NULL, 0, 0}};
    return suite_run_cases("fault", COUNT_OF(cases), cases);
}
