/*
 * test_node_allocator.c - the contract of node_allocator.h, over every registered allocator.
 *
 * The rules and scenarios come from alloc/contract; `allocbench check` runs them, too.
 * contract_cases.h lists the allocators.
 */
#include "alloc/contract/contract.h"
#include "tests/support/contract_cases.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define NODE_BYTES 16

START_TEST(every_type_in_the_registry_has_a_complete_table)
{
    size_t count = 0;
    for (const struct node_allocator_type *const *at = node_allocator_types(); *at; at++, count++) {
        const struct node_allocator_type *type = *at;
        ck_assert_uint_eq(type->abi, NODE_ALLOCATOR_ABI);
        ck_assert_uint_gt(strlen(type->name), 0);
        ck_assert_uint_eq(strspn(type->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                          strlen(type->name));
        ck_assert_ptr_eq(node_allocator_find(type->name), type);
        ck_assert_ptr_nonnull(type->summary);
        ck_assert_ptr_null(strchr(type->summary, '\n'));
        ck_assert_uint_le(strlen(type->summary), 100);
        ck_assert_uint_ge(type->instance_bytes, sizeof(struct node_allocator));
        ck_assert_uint_lt(type->instance_bytes, NODE_HEAP_STORAGE);
        ck_assert(type->allocate && type->release);
        ck_assert(type->bytes_per_block || (type->flags & NODE_ALLOCATOR_WRAPS) ||
                  strcmp(type->name, "plugin") == 0); /* what is inside has one */
        ck_assert(type->fronts == NULL || (type->fronts->open && type->fronts->take &&
                                           type->fronts->give && type->fronts->close));
        for (const struct node_option *option = type->options; option && option->name; option++) {
            ck_assert_ptr_nonnull(option->help);
            ck_assert_ptr_nonnull(option->default_value);
            ck_assert((option->kind == NODE_OPTION_CHOICE) == (option->choices != NULL));
        }
    }
    ck_assert_uint_ge(count, 5);
    ck_assert_ptr_null(node_allocator_find("no-such-allocator"));
}
END_TEST

static const char *the_case;

__attribute__((noreturn)) static void broken(const struct contract_watch *watch)
{
    ck_abort_msg("%s breaks the rule \"%s\" in \"%s\", operation %llu (seed %llu): %s", the_case,
                 contract_promises[watch->broken].name, watch->scenario,
                 (unsigned long long)watch->operation, (unsigned long long)watch->seed,
                 watch->what);
}

static size_t scenario_count(void)
{
    size_t count = 0;
    while (contract_scenarios[count].name != NULL) {
        count++;
    }
    return count;
}

/* _i: the number of the allocator times the number of scenarios, plus the scenario. Where a
 * share of the cases is asked for, another one for each allocator. */
START_TEST(an_allocator_keeps_every_rule_in_every_scenario)
{
    size_t scenarios = scenario_count();
    const struct contract_scenario *scenario = &contract_scenarios[(size_t)_i % scenarios];
    struct contract_watch watch;
    const size_t every = scenarios / random_share(scenarios);
    if (((size_t)_i + (size_t)_i / scenarios) % every != 0) {
        return;
    }
    if (THREADS_ARE_WATCHED && strncmp(scenario->name, "threads", 7) != 0) {
        return; /* has one thread */
    }
    the_case = contract_cases[(size_t)_i / scenarios].specification;
    struct rng rng = random_start(the_case);
    contract_run(scenario, the_case, rng.state, &watch, broken);
    ck_assert(watch.is_over && watch.operation > 0);
    ck_assert_uint_gt(watch.looked_at[CONTRACT_OPENS], 0);
}
END_TEST

START_TEST(every_rule_is_looked_at_by_some_scenario)
{
    uint64_t looked_at[CONTRACT_RULES] = {0};
    struct contract_watch watch;
    the_case = "slab";
    for (const struct contract_scenario *at = contract_scenarios; at->name != NULL; at++) {
        contract_run(at, the_case, 1, &watch, broken);
        for (size_t rule = 0; rule < CONTRACT_RULES; rule++) {
            looked_at[rule] += watch.looked_at[rule];
        }
    }
    for (size_t rule = 0; rule < CONTRACT_RULES; rule++) {
        bool needs_front = rule == CONTRACT_FRONT && blocks_are_watched();
        ck_assert_msg(looked_at[rule] > 0 || needs_front, "rule \"%s\" was not looked at",
                      contract_promises[rule].name);
        ck_assert_uint_le(strlen(contract_promises[rule].promise), 64);
    }
}
END_TEST

START_TEST(a_closed_heap_can_be_closed_again)
{
    struct node_heap heap;
    open_case(&heap, _i);
    ck_assert_str_eq(heap.specification, contract_cases[_i].specification);
    close_case(&heap);
    node_heap_close(&heap);
    ck_assert_ptr_null(heap.allocator);
}
END_TEST

START_TEST(malloc_pool_and_slab_say_what_they_hold)
{
    static const char *const names[] = {"malloc", "pool", "slab"};
    struct node_heap heap;
    struct node_allocator_error error;
    struct node_allocator_statistics statistics;
    ck_assert(node_heap_open(&heap, names[_i], &counted_source, &error));
    void *node = node_allocator_allocate(heap.allocator, NODE_BYTES);
    void *large = node_allocator_allocate(heap.allocator, 5000);
    node_allocator_statistics(heap.allocator, &statistics);
    if (_i > 0) { /* malloc keeps no books: that is its point */
        ck_assert_uint_eq(statistics.live_blocks, 2);
        ck_assert_uint_ge(statistics.held_bytes, 5016);
    }
    node_allocator_release(heap.allocator, node, NODE_BYTES);
    node_allocator_release(heap.allocator, large, 5000);
    node_allocator_trim(heap.allocator);
    node_allocator_statistics(heap.allocator, &statistics);
    if (_i > 0) {
        ck_assert_uint_eq(statistics.live_blocks, 0);
        ck_assert_uint_eq(statistics.held_bytes, 0);
        ck_assert_uint_ge(statistics.held_bytes_max, 5016);
    }
    close_case(&heap);
}
END_TEST

int main(void)
{
    contract_collect();
    int cases_count = contract_case_count;
    int all = cases_count * (int)scenario_count();
    const TTest *const once[] = {every_type_in_the_registry_has_a_complete_table,
                                 every_rule_is_looked_at_by_some_scenario, NULL};
    const TTest *const for_three[] = {malloc_pool_and_slab_say_what_they_hold, NULL};
    const TTest *const for_each[] = {a_closed_heap_can_be_closed_again, NULL};
    const TTest *const for_each_scenario[] = {an_allocator_keeps_every_rule_in_every_scenario,
                                              NULL};
    const struct suite_case cases[] = {{once, source_reset, NULL, 0, 0},
                                       {for_three, source_reset, NULL, 0, 3},
                                       {for_each, source_reset, NULL, 0, cases_count},
                                       {for_each_scenario, NULL, NULL, 0, all}};
    return suite_run_cases("node_allocator", COUNT_OF(cases), cases);
}
