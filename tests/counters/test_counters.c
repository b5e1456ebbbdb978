/*
 * test_counters.c - what the counters say when a processor counts, counts part of the time,
 * refuses, loses a counter, or has no counters. A fake PMU lies below the reading layer.
 */
#include "base/macros.h"
#include "counters/region_counters.h"
#include "counters/software_counters.h"
#include "tests/support/fake_counters.h"
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>

START_TEST(a_counter_that_ran_all_the_time_is_exact)
{
    fake.counts_by_config[0] = 4200;
    open_metrics("cycles");
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_EXACT);
    ck_assert_double_eq(readings[0].value, 4200);
    ck_assert_double_eq(value_of("cycles_per_node").value, 420);
}
END_TEST

START_TEST(a_second_region_counts_from_where_the_first_ended)
{
    fake.counts_by_config[0] = 7;
    open_metrics("cycles");
    count_a_region();
    fake.counts_by_config[0] = 9;
    count_a_region();
    ck_assert_double_eq(readings[0].value, 9);
}
END_TEST

START_TEST(a_group_is_read_once_per_region)
{
    fake.counts_by_config[0] = 7;
    open_metrics("cycles");
    count_a_region(); /* the first reads what was there before, too */
    fake.reads = 0;
    for (size_t region = 1; region <= 2; region++) {
        count_a_region();
        ck_assert_uint_eq(fake.reads, region);
    }
    ck_assert_double_eq(readings[0].value, 7);
}
END_TEST

/* Page faults, which every kernel counts: the leader starts and stops its members. */
START_TEST(the_kernel_counts_a_group_while_its_leader_runs)
{
    const struct pmu *kernel = &pmu_kernel;
    const struct pmu_code faults = {.type = 1 /* software */, .config = 2 /* page faults */};
    const size_t bytes = 64 * 4096;
    uint64_t words[PMU_GROUP_HEADER + 2];
    int leader = kernel->open(&faults, -1);
    int member = leader >= 0 ? kernel->open(&faults, leader) : -1;
    char *memory =
        mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(memory, MAP_FAILED);
    if (member >= 0) {
        ck_assert_int_eq(kernel->start(leader), 0);
        memset(memory, 1, bytes);
        ck_assert_int_eq(kernel->stop(leader), 0);
        memset(memory + bytes, 1, bytes);
        ck_assert_int_eq(kernel->read(leader, words, COUNT_OF(words)), 5);
        ck_assert_uint_eq(words[PMU_GROUP_HEADER], words[PMU_GROUP_HEADER + 1]);
        ck_assert_uint_ge(words[PMU_GROUP_HEADER], 1);
        ck_assert_uint_lt(words[PMU_GROUP_HEADER], 2 * bytes / 4096);
        ck_assert_uint_eq(words[PMU_GROUP_ENABLED_NS], words[PMU_GROUP_RUNNING_NS]);
        kernel->close(member);
    }
    if (leader >= 0) {
        kernel->close(leader);
    }
    munmap(memory, 2 * bytes);
}
END_TEST

START_TEST(a_counter_that_ran_a_quarter_of_the_time_is_scaled_and_says_so)
{
    fake.counts_by_config[0] = 100;
    fake.running_ns = 250;
    open_metrics("cycles");
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_SCALED);
    ck_assert_double_eq(readings[0].value, 400);
    ck_assert_double_eq(readings[0].running, 0.25);
}
END_TEST

START_TEST(scaling_does_not_overflow_where_integers_would)
{
    fake.counts_by_config[0] = UINT64_C(1) << 60;
    fake.enabled_ns = UINT64_C(1) << 40;
    fake.running_ns = UINT64_C(1) << 39;
    open_metrics("cycles");
    count_a_region();
    ck_assert_double_eq(readings[0].value, ldexp(1, 61));
}
END_TEST

START_TEST(a_counter_that_never_ran_has_no_value_and_a_reason)
{
    fake.running_ns = 0;
    open_metrics("cycles");
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_NOT_COUNTED);
    ck_assert_ptr_nonnull(strstr(readings[0].why, "never got a counter"));
    ck_assert(!counter_has_value(&readings[0]));
}
END_TEST

START_TEST(a_counter_that_goes_backwards_has_no_value)
{
    fake.counts_by_config[0] = 500;
    fake.backwards = true;
    open_metrics("cycles");
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_NOT_COUNTED);
    ck_assert_ptr_nonnull(strstr(readings[0].why, "backwards"));
}
END_TEST

START_TEST(times_that_make_no_sense_give_no_value)
{
    fake.running_ns = 2000; /* longer than it was enabled */
    open_metrics("cycles");
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_NOT_COUNTED);
}
END_TEST

START_TEST(a_counter_lost_in_the_middle_has_no_value_and_the_next_region_may_count_again)
{
    fake.counts_by_config[0] = 5;
    fake.lose_after = true;
    open_metrics("cycles");
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_NOT_COUNTED);
    ck_assert_ptr_nonnull(strstr(readings[0].why, "lost"));
    fake.lose_after = false;
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_EXACT);
    ck_assert_double_eq(readings[0].value, 5);
}
END_TEST

START_TEST(a_counter_that_cannot_be_started_has_no_value)
{
    fake.start_error = EINVAL;
    open_metrics("cycles");
    count_a_region();
    ck_assert_int_eq(readings[0].status, COUNTER_NOT_COUNTED);
}
END_TEST

START_TEST(a_refused_permission_says_which_setting_refuses_and_what_to_do)
{
    char note[512];
    fake.refuse_all = EACCES;
    host.perf_event_paranoid = 4;
    open_metrics("pointer-wars");
    count_a_region();
    ck_assert_uint_eq(counters_open_count(&counters), 0);
    ck_assert_int_eq(value_of("loads").status, COUNTER_NO_PERMISSION);
    metrics_footnote(&counters, &metrics, readings, &test_offers, note, sizeof(note));
    ck_assert_ptr_nonnull(strstr(note, "perf_event_paranoid is 4"));
    ck_assert_ptr_nonnull(strstr(note, "sudo sysctl kernel.perf_event_paranoid=2"));
}
END_TEST

START_TEST(a_refusal_in_a_container_names_what_to_start_the_container_with)
{
    char note[512];
    fake.refuse_all = EPERM;
    host.is_container = true;
    open_metrics("cycles");
    count_a_region();
    metrics_footnote(&counters, &metrics, readings, &test_offers, note, sizeof(note));
    ck_assert_ptr_nonnull(strstr(note, "--cap-add PERFMON"));
}
END_TEST

START_TEST(a_virtual_machine_without_counters_gets_a_message_and_no_zeros)
{
    char note[512];
    fake.refuse_all = ENOENT;
    host.has_pmu = false;
    host.is_virtual = true;
    open_metrics("auto");
    count_a_region();
    ck_assert(metrics.automatic);
    for (size_t i = 0; i < metrics.count; i++) {
        struct counter_reading value = metric_value(&metrics.list[i], readings, 10);
        ck_assert(!counter_has_value(&value));
        ck_assert_int_eq(value.status, COUNTER_NOT_SUPPORTED);
    }
    metrics_footnote(&counters, &metrics, readings, &test_offers, note, sizeof(note));
    ck_assert_ptr_nonnull(strstr(note, "virtual machine"));
    ck_assert_ptr_nonnull(strstr(note, "--sim=host"));
}
END_TEST

START_TEST(one_missing_event_takes_only_its_own_metrics_with_it)
{
    fake.refuse_config = 0x52; /* Cortex-A72: L2D_CACHE_REFILL_LD */
    fake.refuse_error = ENOENT;
    fake.counts_by_config[FAKE_CODE(0x40)] = 1000;
    fake.counts_by_config[FAKE_CODE(0x42)] = 100;
    open_metrics("pointer-wars");
    count_a_region();
    ck_assert_double_eq(value_of("loads").value, 1000);
    ck_assert_double_eq_tol(value_of("l1d_hit_rate").value, 0.9, 1e-12);
    ck_assert_int_eq(value_of("l2_local_hit_rate").status, COUNTER_NOT_SUPPORTED);
}
END_TEST

START_TEST(the_article_s_metrics_come_from_the_article_s_events)
{
    static const struct {
        enum event_role role;
        uint64_t code;
    } wanted[] = {{EVENT_LOADS, 0x40},       {EVENT_L1D_MISSES, 0x42}, {EVENT_L2_MISSES, 0x52},
                  {EVENT_DTLB_MISSES, 0x4c}, {EVENT_BRANCHES, 0x12},   {EVENT_BRANCH_MISSES, 0x10}};
    struct event event;
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        ck_assert(event_for_role(PMU_FAMILY_CORTEX_A72, wanted[i].role, &event, &error));
        ck_assert_uint_eq(event.code.config, wanted[i].code);
        ck_assert_uint_eq(event.code.type, 4); /* PERF_TYPE_RAW */
        ck_assert_int_eq(event.stage, EVENT_SPECULATIVE);
    }
}
END_TEST

START_TEST(no_generic_event_is_passed_off_as_second_level_misses)
{
    struct event event;
    ck_assert(!event_for_role(PMU_FAMILY_OTHER, EVENT_L2_MISSES, &event, &error));
    ck_assert(event_for_role(PMU_FAMILY_OTHER, EVENT_LOADS, &event, &error));
}
END_TEST

START_TEST(numerator_and_denominator_are_counted_at_the_same_time)
{
    open_metrics("pointer-wars");
    check_ratios_in_one_group();
    ck_assert_uint_eq(counters.group_count, 2);
}
END_TEST

START_TEST(a_processor_with_two_counters_gets_groups_of_two)
{
    static const int errors[] = {EINVAL, ENOSPC}; /* by x86 kernels, and by others */
    fake.capacity = 2;
    fake.counts_by_config[FAKE_CODE(0x40)] = 11; /* loads */
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        fake.capacity_error = errors[i];
        open_metrics("pointer-wars");
        check_ratios_in_one_group();
        ck_assert_uint_eq(counters.group_count, 5);
        ck_assert_uint_eq(counters_open_count(&counters), counters.event_count);
        count_a_region();
        ck_assert_int_eq(value_of("loads").status, COUNTER_EXACT);
        counters_close(&counters);
    }
}
END_TEST

START_TEST(a_group_that_fits_nowhere_is_an_error_when_the_user_asked_for_it)
{
    fake.capacity = 2;
    ck_assert(
        !metrics_open(&metrics, &counters, "{cycles,instructions,branches}", &pmu, &host, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "same time"));
}
END_TEST

START_TEST(a_pass_counts_its_group_and_leaves_the_others_as_they_are)
{
    fake.counts_by_config[FAKE_CODE(0x40)] = 11; /* loads */
    fake.counts_by_config[FAKE_CODE(0x12)] = 5;  /* branches */
    open_metrics("pointer-wars");
    counters_select(&counters, 1);
    count_a_region();
    ck_assert_int_eq(value_of("loads").status, COUNTER_NOT_COUNTED);
    ck_assert_int_eq(value_of("branches").status, COUNTER_EXACT);
    counters_select(&counters, 0);
    count_a_region();
    ck_assert_int_eq(value_of("loads").status, COUNTER_EXACT);
    ck_assert_int_eq(value_of("branches").status, COUNTER_EXACT);
}
END_TEST

START_TEST(every_rate_of_the_article_is_of_what_it_says)
{
    static const struct {
        uint64_t config, count;
    } events[] = {{0x40, 1000}, {0x42, 100}, {0x52, 25},   {0x4c, 4},
                  {0x12, 500},  {0x10, 40},  {0x11, 3000}, {0x08, 6000}};
    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        ck_assert_uint_eq(fake.counts_by_config[FAKE_CODE(events[i].config)], 0);
        fake.counts_by_config[FAKE_CODE(events[i].config)] = events[i].count;
    }
    open_metrics("pointer-wars");
    count_a_region();
    static const struct {
        const char *name;
        double value;
    } wanted[] = {{"loads", 1000},
                  {"l1d_hit_rate", 0.9},
                  {"l2_local_hit_rate", 0.75}, /* of the misses in L1, not of the loads */
                  {"dtlb_hit_rate", 0.996},
                  {"branches", 500},
                  {"branches_predicted_rate", 0.92},
                  {"instructions", 6000},
                  {"cycles", 3000},
                  {"ipc", 2},
                  {"loads_per_node", 100},
                  {"branches_per_node", 50}};
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        double value = value_of(wanted[i].name).value;
        ck_assert_msg(fabs(value - wanted[i].value) < 1e-12, "%s is %f", wanted[i].name, value);
    }
}
END_TEST

START_TEST(more_misses_than_accesses_are_not_a_hit_rate)
{
    fake.counts_by_config[FAKE_CODE(0x40)] = 10;
    fake.counts_by_config[FAKE_CODE(0x42)] = 20;
    open_metrics("memory");
    count_a_region();
    ck_assert_int_eq(value_of("l1d_hit_rate").status, COUNTER_NOT_COUNTED);
}
END_TEST

START_TEST(nothing_divided_by_nothing_has_no_value)
{
    fake.counts_by_config[FAKE_CODE(0x40)] = 11;
    fake.counts_by_config[FAKE_CODE(0x42)] = 1;
    open_metrics("memory");
    count_a_region();
    fake.counts_by_config[FAKE_CODE(0x40)] = fake.counts_by_config[FAKE_CODE(0x42)] = 0;
    count_a_region();
    ck_assert_int_eq(value_of("loads").status, COUNTER_EXACT);
    ck_assert_int_eq(value_of("l1d_hit_rate").status, COUNTER_NOT_COUNTED);
    ck_assert_int_eq(metric_value(metric_named("loads_per_node"), readings, 0).status,
                     COUNTER_NOT_COUNTED);
}
END_TEST

START_TEST(a_total_is_as_good_as_its_worst_part)
{
    struct counter_reading total = {0};
    struct counter_reading exact = {COUNTER_EXACT, 100, 1, NULL, 10, 10, 0};
    struct counter_reading scaled = {COUNTER_SCALED, 60, 0.5, NULL, 10, 5, 0};
    struct counter_reading lost = {COUNTER_NOT_COUNTED, 0, 0, "lost", 0, 0, 0};
    counter_reading_add(&total, &exact, 0);
    counter_reading_add(&total, &scaled, 1);
    ck_assert_int_eq(total.status, COUNTER_SCALED);
    ck_assert_double_eq(total.value, 160);
    ck_assert_double_eq(total.running, 0.75);
    counter_reading_add(&total, &lost, 2);
    counter_reading_add(&total, &exact, 3);
    ck_assert_int_eq(total.status, COUNTER_NOT_COUNTED);
    ck_assert_str_eq(total.why, "lost");
}
END_TEST

START_TEST(a_rate_is_as_good_as_the_worse_of_its_two_events)
{
    open_metrics("memory");
    const struct metric *rate = metric_named("l1d_hit_rate");
    const struct counter_reading exact = {COUNTER_EXACT, 100, 1, NULL, 10, 10, 0};
    const struct counter_reading scaled = {COUNTER_SCALED, 100, 0.5, NULL, 10, 5, 0};
    readings[rate->a] = readings[rate->b] = exact;
    ck_assert_int_eq(value_of("l1d_hit_rate").status, COUNTER_EXACT);
    readings[rate->a] = scaled;
    ck_assert_int_eq(value_of("l1d_hit_rate").status, COUNTER_SCALED);
    ck_assert_double_eq(value_of("l1d_hit_rate").running, 0.5);
    readings[rate->a] = exact;
    readings[rate->b] = scaled;
    ck_assert_int_eq(value_of("l1d_hit_rate").status, COUNTER_SCALED);
    ck_assert_double_eq(value_of("l1d_hit_rate").running, 0.5);
}
END_TEST

START_TEST(the_accounts_of_all_regions_hold_if_each_region_was_counted)
{
    static const bool counted[][3] = {
        {true, true, true}, {false, true, true}, {true, false, true}, {true, true, false}};
    for (size_t i = 0; i < COUNT_OF(counted); i++) {
        static struct region_counters region;
        memset(&region, 0, sizeof(region));
        for (size_t k = 0; k < 3; k++) {
            region.now.counted = counted[i][k];
            region.now.software.task_clock_ns = 5;
            region_counters_add(&region);
        }
        ck_assert_int_eq(region.total.counted, i == 0);
        ck_assert_uint_eq(region.total.software.task_clock_ns, 15);
    }
}
END_TEST

START_TEST(an_unknown_event_lists_near_names)
{
    struct event event;
    ck_assert(!event_find("branch-mises", &event, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "unknown event \"branch-mises\""));
    ck_assert_ptr_nonnull(strstr(error.message, "branch-misses"));
    ck_assert(!event_find("L1_DCACHE_LOAD", &event, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "L1-dcache-loads"));
    ck_assert(!event_find("zzzzzzzz-misses", &event, &error)); /* half of its letters, and one */
    ck_assert_ptr_nonnull(strstr(error.message, "near it: "));
    ck_assert(!event_find("zzzzzzzzzzzzzzz", &event, &error));
    ck_assert_ptr_null(strstr(error.message, "near it: "));
    ck_assert(!event_find("", &event, &error));
}
END_TEST

START_TEST(event_names_are_generic_or_raw)
{
    struct event event;
    ck_assert(event_find("Instructions", &event, &error));
    ck_assert_uint_eq(event.code.config, 1);
    ck_assert(event_find("r81d0", &event, &error));
    ck_assert_uint_eq(event.code.config, 0x81d0);
    ck_assert_uint_eq(event.code.type, 4);
    ck_assert(!event_find("r12345678901234567890", &event, &error));
}
END_TEST

START_TEST(a_bad_specification_says_where_it_is_bad)
{
    static const char *const bad[] = {
        "cycles,,branches",   "{cycles",       "cycles}", "{}", "cycles,",
        "{cycles}{branches}", "{pointer-wars}"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert_msg(!metrics_open(&metrics, &counters, bad[i], &pmu, &host, &error), "%s",
                      bad[i]);
        ck_assert_uint_gt(strlen(error.message), 0);
    }
}
END_TEST

START_TEST(an_event_that_is_also_in_a_group_is_reported_once)
{
    open_metrics("core,cycles,cycles");
    for (size_t i = 0; i < metrics.count; i++) {
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(metrics.list[i].name, metrics.list[j].name);
        }
    }
}
END_TEST

START_TEST(none_means_none)
{
    open_metrics("none");
    ck_assert_uint_eq(metrics.count, 0);
    count_a_region();
    open_metrics("");
    ck_assert_uint_eq(counters.event_count, 0);
}
END_TEST

START_TEST(too_many_events_are_refused)
{
    char specification[1024] = "cycles";
    for (int i = 0; i < 40; i++) {
        strcat(specification, ",r1");
    }
    ck_assert(!metrics_open(&metrics, &counters, specification, &pmu, &host, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "more than"));
}
END_TEST

START_TEST(the_accounts_of_a_region_are_the_difference_of_two_readings)
{
    const struct software_counters before = {100, 20, 3, 4, 5}, after = {1100, 220, 33, 404, 55};
    const struct software_counters between = software_counters_between(&before, &after);
    ck_assert_uint_eq(between.task_clock_ns, 1000);
    ck_assert_uint_eq(between.faults_minor, 200);
    ck_assert_uint_eq(between.faults_major, 30);
    ck_assert_uint_eq(between.switches_voluntary, 400);
    ck_assert_uint_eq(between.switches_involuntary, 50);
}
END_TEST

START_TEST(a_switch_of_either_kind_disturbs_a_region)
{
    static struct region_counters region;
    region.now.counted = true;
    ck_assert(!region_counters_disturbed(&region));
    region.now.software.switches_involuntary = 1;
    ck_assert(region_counters_disturbed(&region));
    region.now.software = (struct software_counters){.switches_voluntary = 1};
    ck_assert(region_counters_disturbed(&region));
}
END_TEST

START_TEST(a_pass_that_visits_other_nodes_counts_for_nothing)
{
    static struct region_counters region;
    region.counters.event_count = region.counters.group_count = 1;
    region.counters.groups[0].selected = true;
    for (uint64_t visited = 10; visited < 13; visited++) { /* 11 in the pass before */
        region.now.counted = true;
        region.first_pass = false;
        region.now.visited = 11;
        region.now.readings[0] = (struct counter_reading){.status = COUNTER_EXACT, .value = 7};
        region_counters_after(&region, visited);
        ck_assert_int_eq(region.now.readings[0].status,
                         visited == 11 ? COUNTER_EXACT : COUNTER_NOT_COUNTED);
        ck_assert((region.now.readings[0].why == NULL) == (visited == 11));
    }
}
END_TEST

START_TEST(page_faults_of_fresh_memory_are_counted_without_a_privilege)
{
    struct software_counters before, after, between;
    size_t size = (size_t)16 << 20;
    software_counters_read(&before);
    char *fresh = malloc(size);
    ck_assert_ptr_nonnull(fresh);
    for (size_t i = 0; i < size; i += 512) {
        ((volatile char *)fresh)[i] = 1;
    }
    software_counters_read(&after);
    free(fresh);
    between = software_counters_between(&before, &after);
    ck_assert_uint_gt(between.task_clock_ns, 0);
    ck_assert_uint_ge(between.faults_minor, 1);
}
END_TEST

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
        a_counter_that_ran_all_the_time_is_exact,
        a_second_region_counts_from_where_the_first_ended,
        a_group_is_read_once_per_region,
        the_kernel_counts_a_group_while_its_leader_runs,
        a_counter_that_ran_a_quarter_of_the_time_is_scaled_and_says_so,
        scaling_does_not_overflow_where_integers_would,
        a_counter_that_never_ran_has_no_value_and_a_reason,
        a_counter_that_goes_backwards_has_no_value,
        times_that_make_no_sense_give_no_value,
        a_counter_lost_in_the_middle_has_no_value_and_the_next_region_may_count_again,
        a_counter_that_cannot_be_started_has_no_value,
        a_refused_permission_says_which_setting_refuses_and_what_to_do,
        a_refusal_in_a_container_names_what_to_start_the_container_with,
        a_virtual_machine_without_counters_gets_a_message_and_no_zeros,
        one_missing_event_takes_only_its_own_metrics_with_it,
        the_article_s_metrics_come_from_the_article_s_events,
        no_generic_event_is_passed_off_as_second_level_misses,
        numerator_and_denominator_are_counted_at_the_same_time,
        a_processor_with_two_counters_gets_groups_of_two,
        a_group_that_fits_nowhere_is_an_error_when_the_user_asked_for_it,
        a_pass_counts_its_group_and_leaves_the_others_as_they_are,
        every_rate_of_the_article_is_of_what_it_says,
        more_misses_than_accesses_are_not_a_hit_rate,
        nothing_divided_by_nothing_has_no_value,
        a_total_is_as_good_as_its_worst_part,
        a_rate_is_as_good_as_the_worse_of_its_two_events,
        the_accounts_of_all_regions_hold_if_each_region_was_counted,
        an_unknown_event_lists_near_names,
        event_names_are_generic_or_raw,
        a_bad_specification_says_where_it_is_bad,
        an_event_that_is_also_in_a_group_is_reported_once,
        none_means_none,
        too_many_events_are_refused,
        the_accounts_of_a_region_are_the_difference_of_two_readings,
        a_switch_of_either_kind_disturbs_a_region,
        a_pass_that_visits_other_nodes_counts_for_nothing,
        page_faults_of_fresh_memory_are_counted_without_a_privilege,
        an_event_that_stays_at_zero_over_a_million_instructions_is_not_a_count,
        an_event_at_zero_over_few_instructions_says_that_they_are_few,
        time_takes_the_place_of_instructions_that_are_not_counted,
        a_zero_is_believed_of_an_event_that_has_counted,
        a_zero_that_is_followed_by_a_count_is_part_of_the_total,
        the_advice_names_the_watchdog_only_if_it_is_on,
        NULL,
    };
    return suite_run("counters", set_up, tear_down, tests);
}
