/*
 * test_counter_turns.c - events that stay at 0, and more groups than the processor has
 * counters for. A fake PMU lies below the reading layer.
 */
#include "tests/support/fake_counters.h"

/* Zeros --------------------------------------------------------------------------------------- */

static void check_not_counted(const char *metric, const char *why)
{
    struct counter_reading value = value_of(metric);
    ck_assert_msg(!counter_has_value(&value), "%s is %f", metric, value.value);
    ck_assert_str_eq(counter_status_name(value.status), "not counted");
    ck_assert_msg(strstr(value.why, why) != NULL, "%s: %s", metric, value.why);
}

START_TEST(an_event_that_stays_at_zero_over_a_million_instructions_is_not_a_count)
{
    char note[512];
    fake.counts_by_config[FAKE_CODE(0x08)] = 1000000; /* instructions */
    fake.counts_by_config[FAKE_CODE(0x11)] = 2000000;
    open_metrics("pointer-wars");
    count_a_region();
    check_not_counted("loads", "this processor does not seem to have it");
    check_not_counted("loads_per_node", "this processor does not seem to have it");
    check_not_counted("l1d_hit_rate", "this processor does not seem to have it");
    check_not_counted("branches_predicted_rate", "this processor does not seem to have it");
    ck_assert_double_eq(value_of("ipc").value, 0.5);
    metrics_footnote(&counters, &metrics, readings, &test_offers, note, sizeof(note));
    ck_assert_ptr_nonnull(strstr(note, "does not seem to have it"));
    ck_assert_ptr_nonnull(strstr(note, "choose another event"));
    ck_assert_ptr_null(strstr(note, "watchdog"));
}
END_TEST

START_TEST(an_event_at_zero_over_few_instructions_says_that_they_are_few)
{
    open_metrics("pointer-wars");
    fake.counts_by_config[FAKE_CODE(0x08)] = 300000;
    count_a_region();
    check_not_counted("loads", "too few instructions");
    for (int i = 0; i < 3; i++) {
        count_a_region();
    }
    check_not_counted("loads", "this processor does not seem to have it"); /* over 1.2 million */
}
END_TEST

START_TEST(time_takes_the_place_of_instructions_that_are_not_counted)
{
    fake.enabled_ns = fake.running_ns = 1000000;
    open_metrics("r40");
    count_a_region();
    check_not_counted("r40", "this processor does not seem to have it");
}
END_TEST

START_TEST(a_zero_is_believed_of_an_event_that_has_counted)
{
    fake.counts_by_config[FAKE_CODE(0x42)] = 1; /* misses, once */
    fake.counts_by_config[FAKE_CODE(0x40)] = 10;
    open_metrics("memory");
    count_a_region();
    fake.counts_by_config[FAKE_CODE(0x42)] = 0;
    fake.enabled_ns = fake.running_ns = 2000000;
    count_a_region();
    ck_assert_double_eq(value_of("l1d_hit_rate").value, 1);
}
END_TEST

START_TEST(a_zero_that_is_followed_by_a_count_is_part_of_the_total)
{
    struct counter_reading total = {0};
    open_metrics("cycles");
    for (size_t i = 0; i < 3; i++) {
        fake.counts_by_config[0] = 5 * i;
        count_a_region();
        counter_reading_add(&total, &readings[0], i);
        ck_assert_int_eq(counter_has_value(&total), i > 0);
    }
    ck_assert_double_eq(total.value, 15);
    ck_assert_int_eq(total.status, COUNTER_EXACT);
}
END_TEST

/* Turns --------------------------------------------------------------------------------------- */

static void count_everything(void)
{
    for (size_t i = 0; i < FAKE_CODES; i++) {
        fake.counts_by_config[i] = 1000 + i;
    }
}

/* Count regions; the events' readings are added up. How many of the last region have a value. */
static size_t count_regions(struct counter_reading *totals, size_t regions)
{
    size_t counted = 0;
    for (size_t region = 0; region < regions; region++) {
        count_a_region();
        counted = 0;
        for (size_t i = 0; i < counters.event_count; i++) {
            counter_reading_add(&totals[i], &readings[i], region);
            counted += counter_has_value(&readings[i]);
        }
    }
    return counted;
}

START_TEST(groups_that_do_not_fit_at_the_same_time_take_turns_by_region)
{
    struct counter_reading totals[COUNTER_EVENTS_MAX] = {{0}};
    count_everything();
    fake.free_counters = 6;
    open_metrics("pointer-wars");
    ck_assert_uint_eq(counters.group_count, 2);
    count_a_region();
    ck_assert_int_eq(value_of("loads").status, COUNTER_EXACT);
    check_not_counted("branches", "never got a counter");
    count_a_region();
    check_not_counted("loads", "its turn");
    ck_assert_int_eq(value_of("branches").status, COUNTER_EXACT);
    ck_assert_uint_eq(count_regions(totals, 4), 4);
    for (size_t i = 0; i < counters.event_count; i++) {
        uint64_t config = counters.events[i].event.code.config;
        ck_assert_int_eq(totals[i].status, COUNTER_SCALED);
        ck_assert_double_eq(totals[i].running, 0.5);
        ck_assert_double_eq(totals[i].value, 4 * (1000 + (double)FAKE_CODE(config)));
    }
}
END_TEST

START_TEST(groups_that_fit_at_the_same_time_are_counted_in_every_region)
{
    struct counter_reading totals[COUNTER_EVENTS_MAX] = {{0}};
    count_everything();
    fake.free_counters = 8;
    open_metrics("pointer-wars");
    ck_assert_uint_eq(count_regions(totals, 3), 8);
    ck_assert_int_eq(totals[0].status, COUNTER_EXACT);
}
END_TEST

START_TEST(groups_are_as_small_as_the_counters_that_are_free)
{
    for (size_t number = 1; number <= 8; number++) {
        struct counter_reading totals[COUNTER_EVENTS_MAX] = {{0}};
        count_everything();
        fake.free_counters = number;
        open_metrics("pointer-wars");
        ck_assert_uint_eq(counters.group_count, number < 4 ? 5 : 2);
        check_ratios_in_one_group();
        count_regions(totals, 5);
        for (size_t i = 0; i < counters.event_count; i++) { /* no ratio can be had with one */
            ck_assert_msg(counter_has_value(&totals[i]) == (number > 1), "%zu: event %zu: %s",
                          number, i, totals[i].why);
        }
        counters_close(&counters);
    }
}
END_TEST

START_TEST(a_turn_in_a_very_short_region_is_made_up_for)
{
    struct counter_reading totals[COUNTER_EVENTS_MAX] = {{0}};
    count_everything();
    fake.free_counters = 6;
    open_metrics("pointer-wars");
    fake.enabled_ns = fake.running_ns = 1000;
    count_regions(totals, 1); /* loads */
    fake.enabled_ns = fake.running_ns = 1;
    count_a_region(); /* branches, for a moment */
    fake.enabled_ns = fake.running_ns = 1000;
    count_a_region();
    ck_assert_int_eq(value_of("branches").status, COUNTER_EXACT);
    count_a_region();
    ck_assert_int_eq(value_of("loads").status, COUNTER_EXACT);
}
END_TEST

START_TEST(a_group_that_does_not_fit_has_no_turn)
{
    struct counter_reading totals[COUNTER_EVENTS_MAX] = {{0}};
    count_everything();
    fake.free_counters = 3;
    open_metrics("{cycles,instructions,branches},cycles,{r40,r41,r42,r43},branches");
    for (int region = 0; region < 4; region++) {
        count_regions(totals, 1);
        check_not_counted("r40", "too few counters");
    }
    ck_assert_uint_eq(counters.turn_count, 2);
}
END_TEST

START_TEST(a_long_region_is_shared_by_the_kernel)
{
    count_everything();
    fake.free_counters = 6;
    fake.enabled_ns = fake.running_ns = 500000000;
    open_metrics("pointer-wars");
    for (int i = 0; i < 3; i++) {
        count_a_region(); /* a kernel would give the second group its share */
        ck_assert_int_eq(value_of("loads").status, COUNTER_EXACT);
        check_not_counted("branches", "never got a counter");
    }
}
END_TEST

START_TEST(a_pass_is_counted_at_any_turn)
{
    count_everything();
    fake.free_counters = 6;
    open_metrics("pointer-wars");
    for (int i = 0; i < 4; i++) {
        counters_select(&counters, (size_t)i % 2);
        count_a_region();
        ck_assert_int_eq(value_of(i % 2 == 0 ? "loads" : "branches").status, COUNTER_EXACT);
    }
}
END_TEST

START_TEST(the_advice_names_the_watchdog_only_if_it_is_on)
{
    char note[512];
    for (int on = 0; on < 2; on++) {
        host.has_watchdog = on == 1;
        fake.running_ns = 0;
        open_metrics("cycles");
        count_a_region();
        metrics_footnote(&counters, &metrics, readings, &test_offers, note, sizeof(note));
        ck_assert_ptr_nonnull(strstr(note, "never got a counter"));
        ck_assert_ptr_nonnull(strstr(note, "--passes"));
        ck_assert_int_eq(strstr(note, "kernel.nmi_watchdog") != NULL, on == 1);
        counters_close(&counters);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_event_that_stays_at_zero_over_a_million_instructions_is_not_a_count,
        an_event_at_zero_over_few_instructions_says_that_they_are_few,
        time_takes_the_place_of_instructions_that_are_not_counted,
        a_zero_is_believed_of_an_event_that_has_counted,
        a_zero_that_is_followed_by_a_count_is_part_of_the_total,
        groups_that_do_not_fit_at_the_same_time_take_turns_by_region,
        groups_that_fit_at_the_same_time_are_counted_in_every_region,
        groups_are_as_small_as_the_counters_that_are_free,
        a_turn_in_a_very_short_region_is_made_up_for,
        a_group_that_does_not_fit_has_no_turn,
        a_long_region_is_shared_by_the_kernel,
        a_pass_is_counted_at_any_turn,
        the_advice_names_the_watchdog_only_if_it_is_on,
        NULL,
    };
    return suite_run("counter_turns", set_up, tear_down, tests);
}
