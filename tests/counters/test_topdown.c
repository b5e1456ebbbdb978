/*
 * test_topdown.c - the shares of the pipeline's slots on processors that count them, on a fake PMU,
 * and the refusal on processors that do not.
 */
#include "base/macros.h"
#include "tests/support/fake_counters.h"
#include <math.h>

struct count {
    uint64_t code, count;
};

/* 1000 cycles of six slots: 3000 ops retired of 3600 dispatched. */
static const struct count zen4_counts[] = {
    {0x76, 1000},        {0x07aa, 3600},     {0xc1, 3000}, {0x1000001a0, 600},
    {0x100001ea0, 1500}, {0x1000060a0, 300}, {0, 0},
};
static const struct count zen4_details[] = {
    {0x1060001a0, 50}, {0xc3, 9},          {0x96, 3}, {0x02d6, 400},
    {0xa2d6, 300},     {0x1000000c2, 600}, {0, 0},
};
/* 1000 cycles of eight slots. */
static const struct count zen5_counts[] = {
    {0x76, 1000},        {0x07aa, 4000},     {0xc1, 3200}, {0x1000001a0, 800},
    {0x100001ea0, 2400}, {0x1000060a0, 800}, {0, 0},
};
static const struct count zen5_details[] = {
    {0x1080001a0, 60}, {0xc3, 1},        {0x019f, 3}, {0x02d6, 100},
    {0xa2d6, 20},      {0x1000000c2, 0}, {0, 0},
};
static const struct count intel_counts[] = {
    {0x400, 10000}, {0x8000, 2000}, {0x8100, 1000}, {0x8200, 500}, {0x8300, 6500}, {0, 0},
};
static const struct count intel_details[] = {
    {0x8400, 200}, {0x8500, 900}, {0x8600, 400}, {0x8700, 6000}, {0, 0},
};
/* 1000 cycles of eight slots; 5000 without work, and of the others three quarters retired. */
static const struct count arm_counts[] = {
    {0x11, 1000}, {0x3a, 3000}, {0x3b, 4000}, {0x3f, 5000}, {0x3e, 1000}, {0x3d, 4000}, {0, 0},
};
/* The same of five slots, as the Neoverse N2 counts it: one stall per cycle too many. */
static const struct count n2_counts[] = {
    {0x11, 1000}, {0x3a, 3000}, {0x3b, 4000}, {0x3f, 4000}, {0x3e, 1500}, {0x3d, 2500}, {0, 0},
};

static void processor_counts(const struct count *counts)
{
    for (size_t i = 0; counts[i].code != 0; i++) {
        ck_assert_uint_eq(fake.counts_by_config[FAKE_CODE(counts[i].code)], 0);
        fake.counts_by_config[FAKE_CODE(counts[i].code)] = counts[i].count;
    }
}

static void count_shares(const char *specification)
{
    open_metrics(specification);
    count_a_region();
}

static const char *footnote(void)
{
    static char note[640];
    return metrics_footnote(&counters, &metrics, readings, &test_offers, note, sizeof(note));
}

static void assert_share(const char *name, double wanted)
{
    struct counter_reading value = value_of(name);
    ck_assert_msg(counter_has_value(&value), "%s: %s", name, value.why);
    ck_assert_msg(fabs(value.value - wanted) < 1e-12, "%s is %f", name, value.value);
}

START_TEST(the_slots_of_a_zen_4_are_six_per_cycle)
{
    host.topdown = PMU_TOPDOWN_ZEN4;
    processor_counts(zen4_counts);
    count_shares("topdown");
    assert_share("topdown_retiring", 0.5);
    assert_share("topdown_bad_speculation", 0.1);
    assert_share("topdown_frontend_bound", 0.1);
    assert_share("topdown_backend_bound", 0.25);
    assert_share("topdown_smt_contention", 0.05);
    assert_share("topdown_sum", 1);
    ck_assert_str_eq(footnote(), "top-down: the shares add to 100.0 %");
    ck_assert_uint_eq(counters.group_count, 1);
    ck_assert_uint_eq(metrics.count, 6);
}
END_TEST

START_TEST(the_second_level_of_zen_says_what_the_first_is_made_of)
{
    host.topdown = PMU_TOPDOWN_ZEN4;
    processor_counts(zen4_counts);
    processor_counts(zen4_details);
    count_shares("topdown2");
    assert_share("topdown_fetch_latency", 0.05);
    assert_share("topdown_fetch_bandwidth", 0.05);
    assert_share("topdown_branch_mispredicts", 0.075);
    assert_share("topdown_machine_clears", 0.025);
    assert_share("topdown_memory_bound", 0.1875);
    assert_share("topdown_core_bound", 0.0625);
    assert_share("topdown_light_operations", 0.4);
    assert_share("topdown_heavy_operations", 0.1);
    assert_share("topdown_sum", 1);
}
END_TEST

START_TEST(the_slots_of_a_zen_5_are_eight_per_cycle)
{
    host.topdown = PMU_TOPDOWN_ZEN5;
    processor_counts(zen5_counts);
    processor_counts(zen5_details);
    count_shares("topdown2");
    assert_share("topdown_retiring", 0.4);
    assert_share("topdown_bad_speculation", 0.1);
    assert_share("topdown_frontend_bound", 0.1);
    assert_share("topdown_backend_bound", 0.3);
    assert_share("topdown_smt_contention", 0.1);
    assert_share("topdown_fetch_latency", 0.06);
    assert_share("topdown_branch_mispredicts", 0.025);
    assert_share("topdown_memory_bound", 0.06);
    assert_share("topdown_sum", 1);
}
END_TEST

START_TEST(intel_s_slots_lead_their_group)
{
    host.topdown = PMU_TOPDOWN_INTEL;
    processor_counts(intel_counts);
    count_shares("topdown2"); /* this processor has the first level only */
    ck_assert_uint_eq(counters.events[0].event.code.config, 0x400);
    ck_assert_uint_eq(counters.group_count, 1);
    ck_assert_uint_eq(metrics.count, 5);
    assert_share("topdown_retiring", 0.2);
    assert_share("topdown_bad_speculation", 0.1);
    assert_share("topdown_frontend_bound", 0.05);
    assert_share("topdown_backend_bound", 0.65);
    assert_share("topdown_sum", 1);
}
END_TEST

START_TEST(sapphire_rapids_counts_both_levels_in_one_group)
{
    host.topdown = PMU_TOPDOWN_INTEL_LEVEL2;
    processor_counts(intel_counts);
    processor_counts(intel_details);
    count_shares("topdown2");
    ck_assert_uint_eq(counters.group_count, 1);
    assert_share("topdown_heavy_operations", 0.02);
    assert_share("topdown_light_operations", 0.18);
    assert_share("topdown_branch_mispredicts", 0.09);
    assert_share("topdown_machine_clears", 0.01);
    assert_share("topdown_fetch_latency", 0.04);
    assert_share("topdown_fetch_bandwidth", 0.01);
    assert_share("topdown_memory_bound", 0.6);
    assert_share("topdown_core_bound", 0.05);
}
END_TEST

START_TEST(an_arm_processor_s_slots_are_as_many_as_the_kernel_says)
{
    host.topdown = PMU_TOPDOWN_ARM;
    host.slots = 8;
    processor_counts(arm_counts);
    count_shares("topdown");
    assert_share("topdown_retiring", 0.28125);
    assert_share("topdown_bad_speculation", 0.09375);
    assert_share("topdown_frontend_bound", 0.125);
    assert_share("topdown_backend_bound", 0.5);
    assert_share("topdown_sum", 1);
}
END_TEST

START_TEST(a_neoverse_n2_s_surplus_of_stalls_is_taken_off)
{
    host.topdown = PMU_TOPDOWN_ARM_N2;
    host.slots = 5;
    processor_counts(n2_counts);
    count_shares("topdown");
    assert_share("topdown_retiring", 0.3);
    assert_share("topdown_bad_speculation", 0.1);
    assert_share("topdown_frontend_bound", 0.1);
    assert_share("topdown_backend_bound", 0.5);
    assert_share("topdown_sum", 1);
}
END_TEST

START_TEST(few_counters_count_every_event_beside_its_cycles)
{
    host.topdown = PMU_TOPDOWN_ZEN4;
    fake.capacity = 2;
    processor_counts(zen4_counts);
    processor_counts(zen4_details);
    count_shares("topdown2");
    ck_assert_uint_eq(counters.group_count, 11);
    assert_share("topdown_retiring", 0.5);
    assert_share("topdown_memory_bound", 0.1875);
    assert_share("topdown_sum", 1);
}
END_TEST

START_TEST(shares_counted_below_90_percent_of_the_time_are_called_uncertain)
{
    host.topdown = PMU_TOPDOWN_INTEL;
    processor_counts(intel_counts);
    fake.running_ns = 899;
    count_shares("topdown");
    ck_assert_int_eq(value_of("topdown_retiring").status, COUNTER_SCALED);
    ck_assert_ptr_nonnull(strstr(footnote(), "uncertain: they were counted 90 % of the time"));
    ck_assert_ptr_nonnull(strstr(footnote(), "--passes"));
    counters_close(&counters);
    fake.running_ns = 900;
    count_shares("topdown");
    ck_assert_ptr_null(strstr(footnote(), "uncertain"));
}
END_TEST

START_TEST(shares_that_do_not_add_to_100_percent_are_not_to_be_trusted)
{
    host.topdown = PMU_TOPDOWN_INTEL;
    processor_counts(intel_counts);
    fake.counts_by_config[FAKE_CODE(0x8200)] = 2000;
    count_shares("topdown");
    assert_share("topdown_sum", 1.15);
    ck_assert_str_eq(footnote(), "top-down: the shares add to 115.0 %, not to 100 %, so at least "
                                 "one of them is wrong");
}
END_TEST

START_TEST(more_retired_than_dispatched_is_no_bad_speculation)
{
    host.topdown = PMU_TOPDOWN_ZEN4;
    processor_counts(zen4_counts);
    fake.counts_by_config[FAKE_CODE(0x07aa)] = 2990;
    count_shares("topdown");
    assert_share("topdown_bad_speculation", 0);
}
END_TEST

START_TEST(a_processor_without_a_second_thread_has_no_contention)
{
    host.topdown = PMU_TOPDOWN_ZEN4;
    processor_counts(zen4_counts);
    fake.counts_by_config[FAKE_CODE(0x1000060a0)] = 0;
    count_shares("topdown");
    assert_share("topdown_smt_contention", 0);
    assert_share("topdown_sum", 0.95);
}
END_TEST

START_TEST(a_region_without_a_cycle_has_no_shares)
{
    host.topdown = PMU_TOPDOWN_ZEN4;
    count_shares("topdown");
    const struct counter_reading sum = value_of("topdown_sum");
    const struct counter_reading retiring = value_of("topdown_retiring");
    ck_assert(!counter_has_value(&sum));
    ck_assert(!counter_has_value(&retiring));
    ck_assert_ptr_null(strstr(footnote(), "add to"));
}
END_TEST

START_TEST(an_event_that_is_refused_takes_its_own_shares_and_the_sum)
{
    host.topdown = PMU_TOPDOWN_ZEN4;
    fake.refuse_config = 0x1000060a0;
    fake.refuse_error = ENOENT;
    processor_counts(zen4_counts);
    count_shares("topdown");
    assert_share("topdown_retiring", 0.5);
    ck_assert_int_eq(value_of("topdown_smt_contention").status, COUNTER_NOT_SUPPORTED);
    ck_assert_int_eq(value_of("topdown_sum").status, COUNTER_NOT_SUPPORTED);
}
END_TEST

START_TEST(a_processor_without_the_events_says_which_is_missing)
{
    static const char lacks[] = "this processor lacks the event stall_slot";
    host.topdown_lacks = lacks;
    count_shares("topdown2");
    ck_assert_uint_eq(metrics.count, 5);
    for (size_t i = 0; i < metrics.count; i++) {
        struct counter_reading value = metric_value(&metrics.list[i], readings, 10);
        ck_assert_int_eq(value.status, COUNTER_NOT_SUPPORTED);
        ck_assert_str_eq(value.why, lacks);
    }
    ck_assert_ptr_nonnull(strstr(footnote(), lacks));
    ck_assert_uint_eq(fake.opened, 0);
}
END_TEST

START_TEST(a_virtual_machine_without_counters_lacks_them_all)
{
    host.has_pmu = false;
    host.is_virtual = true;
    host.topdown_lacks = "this processor lacks the event slots";
    count_shares("topdown");
    ck_assert_str_eq(value_of("topdown_sum").why,
                     "this virtual machine has no performance counters");
}
END_TEST

START_TEST(top_down_goes_with_other_groups)
{
    host.topdown = PMU_TOPDOWN_INTEL;
    processor_counts(intel_counts);
    count_shares("core,topdown,topdown2,cycles");
    assert_share("topdown_backend_bound", 0.65);
    assert_share("topdown_sum", 1);
    counters_close(&counters);
    ck_assert(!metrics_open(&metrics, &counters, "{topdown}", &pmu, &host, &error));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_slots_of_a_zen_4_are_six_per_cycle,
        the_second_level_of_zen_says_what_the_first_is_made_of,
        the_slots_of_a_zen_5_are_eight_per_cycle,
        intel_s_slots_lead_their_group,
        sapphire_rapids_counts_both_levels_in_one_group,
        an_arm_processor_s_slots_are_as_many_as_the_kernel_says,
        a_neoverse_n2_s_surplus_of_stalls_is_taken_off,
        few_counters_count_every_event_beside_its_cycles,
        shares_counted_below_90_percent_of_the_time_are_called_uncertain,
        shares_that_do_not_add_to_100_percent_are_not_to_be_trusted,
        more_retired_than_dispatched_is_no_bad_speculation,
        a_processor_without_a_second_thread_has_no_contention,
        a_region_without_a_cycle_has_no_shares,
        an_event_that_is_refused_takes_its_own_shares_and_the_sum,
        a_processor_without_the_events_says_which_is_missing,
        a_virtual_machine_without_counters_lacks_them_all,
        top_down_goes_with_other_groups,
        NULL,
    };
    return suite_run("topdown", set_up, tear_down, tests);
}
