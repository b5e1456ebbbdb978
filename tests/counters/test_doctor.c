/*
 * test_doctor.c - what the doctor finds on machines made of files, and cache geometries.
 */
#include "counters/cache_geometry.h"
#include "counters/doctor.h"
#include "tests/support/fake_pmu.h"
#include "tests/support/suite.h"
#include "tests/support/temporary_folder.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[TEMPORARY_FOLDER_SIZE];
static char text[16384];

static void set_up(void)
{
    temporary_folder_make(root, "doctor");
}

static void tear_down(void)
{
    temporary_folder_remove(root);
}

/* A file below the root, its folders made. */
static void machine_has(const char *path, const char *content)
{
    char full[512];
    snprintf(full, sizeof(full), "%s%s", root, path);
    for (char *slash = strchr(full + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0777);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    ck_assert_ptr_nonnull(file);
    fputs(content, file);
    fclose(file);
}

static void examine(struct fake_pmu *fake)
{
    struct pmu pmu = fake_pmu(fake);
    FILE *out = fmemopen(text, sizeof(text), "w");
    ck_assert_ptr_nonnull(out);
    doctor_write(out, &pmu, root, &test_offers);
    fclose(out);
}

static void assert_says(const char *words)
{
    ck_assert_msg(strstr(text, words) != NULL, "\"%s\" is not in:\n%s", words, text);
}

START_TEST(a_raspberry_pi_is_recognised_by_its_part_number)
{
    struct pmu_host host;
    machine_has("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\n");
    machine_has("/sys/bus/event_source/devices/armv8_cortex_a72/type", "7\n");
    pmu_host_read(&host, root);
    ck_assert_int_eq(host.family, PMU_FAMILY_CORTEX_A72);
    ck_assert(host.has_pmu);
    ck_assert(!host.is_virtual);
    ck_assert_str_eq(host.processor, "Arm Cortex-A72");
    ck_assert_int_eq(host.perf_event_paranoid, PMU_PARANOID_NONE);
}
END_TEST

/* Debian 13's kernel for Arm sets nmi_watchdog, too, but no counter is held there. */
START_TEST(a_watchdog_holds_a_counter_on_x86_alone)
{
    static const char *const cpuinfo[] = {"CPU implementer\t: 0x41\nCPU part\t: 0xd08\n",
                                          "vendor_id\t: GenuineIntel\ncpu family\t: 6\n"};
    for (int on = 0; on < 2; on++) {
        for (int x86 = 0; x86 < 2; x86++) {
            struct fake_pmu fake = {0};
            machine_has("/proc/sys/kernel/nmi_watchdog", on == 1 ? "1\n" : "0\n");
            machine_has("/proc/cpuinfo", cpuinfo[x86]);
            examine(&fake);
            ck_assert_int_eq(strstr(text, "watchdog") != NULL, on == 1 && x86 == 1);
        }
    }
}
END_TEST

START_TEST(a_virtual_machine_is_known_by_its_flag_or_by_its_hypervisor)
{
    struct pmu_host host;
    machine_has("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\nflags\t\t: fpu hypervisor lm\n");
    pmu_host_read(&host, root);
    ck_assert(host.is_virtual);
    machine_has("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\nflags\t\t: fpu lm\n");
    pmu_host_read(&host, root);
    ck_assert(!host.is_virtual);
    machine_has("/sys/hypervisor/type", "xen\n");
    pmu_host_read(&host, root);
    ck_assert(host.is_virtual);
}
END_TEST

START_TEST(amd_and_intel_processors_are_distinguished)
{
    static const struct {
        const char *cpuinfo;
        enum pmu_family family;
    } machines[] = {
        {"vendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 1\n", PMU_FAMILY_ZEN1},
        {"vendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 49\n", PMU_FAMILY_ZEN2},
        {"vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 33\n", PMU_FAMILY_ZEN3},
        {"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 94\n", PMU_FAMILY_INTEL},
        {"nothing known\n", PMU_FAMILY_OTHER},
    };
    struct pmu_host host;
    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        machine_has("/proc/cpuinfo", machines[i].cpuinfo);
        pmu_host_read(&host, root);
        ck_assert_int_eq(host.family, machines[i].family);
    }
}
END_TEST

START_TEST(a_closed_kernel_gets_advice)
{
    struct fake_pmu fake = {.refuse_all = EACCES};
    machine_has("/proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel name\t: Big\n");
    machine_has("/sys/bus/event_source/devices/cpu/type", "4\n");
    machine_has("/proc/sys/kernel/perf_event_paranoid", "4\n");
    machine_has("/proc/sys/kernel/nmi_watchdog", "1\n");
    examine(&fake);
    assert_says("Big (Intel)");
    assert_says("- counters           none: ");
    assert_says("sudo sysctl kernel.perf_event_paranoid=2");
    assert_says("kernel.perf_event_paranoid is 4");
    assert_says("kernel.nmi_watchdog=0");
}
END_TEST

START_TEST(a_virtual_machine_without_counters_is_named)
{
    struct fake_pmu fake = {.refuse_all = ENOENT};
    machine_has("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 33\n"
                                 "flags\t\t: fpu hypervisor lm\n");
    examine(&fake);
    assert_says("- counters           none: this virtual machine has no performance counters");
    assert_says("--sim=host");
}
END_TEST

START_TEST(a_machine_with_counters_gets_advice_on_their_use)
{
    struct fake_pmu fake = {0};
    machine_has("/proc/sys/kernel/perf_event_paranoid", "1\n");
    examine(&fake);
    assert_says("+ counters           yes\n");
    assert_says("--counters=pointer-wars");
    ck_assert_uint_eq(fake.opened, fake.closed);
}
END_TEST

START_TEST(a_machine_that_reports_nothing_is_still_examined)
{
    struct fake_pmu fake = {.refuse_all = ENOENT};
    examine(&fake);
    assert_says("unknown processor");
    assert_says("--sim=host");
}
END_TEST

START_TEST(the_caches_are_read_from_the_machine_s_own_description)
{
    static const char *const index0[][2] = {{"level", "1\n"},
                                            {"type", "Data\n"},
                                            {"size", "48K\n"},
                                            {"ways_of_associativity", "12\n"},
                                            {"coherency_line_size", "64\n"}};
    struct cache_geometry geometry;
    for (size_t i = 0; i < sizeof(index0) / sizeof(index0[0]); i++) {
        char path[128];
        snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index0/%s", index0[i][0]);
        machine_has(path, index0[i][1]);
    }
    ck_assert(!cache_geometry_host(&geometry, root)); /* no L2 */
    ck_assert_uint_eq(geometry.l1d.size_bytes, 48 << 10);
    ck_assert_uint_eq(geometry.l1d.ways, 12);
    ck_assert_uint_eq(geometry.l1d.line_bytes, 64);
}
END_TEST

START_TEST(each_cache_of_a_machine_is_taken_for_itself)
{
    static const struct {
        const char *level, *type, *size;
    } caches[] = {{"1", "Data", "48K"},    {"1", "Instruction", "32K"}, {"2", "Unified", "2048K"},
                  {"3", "Unified", "24M"}, {"0", "Unified", "4K"}, /* of some machines */
                  {"4", "Unified", "128M"}};
    struct cache_geometry geometry;
    for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
        static const char *const names[] = {"level", "type", "size"};
        const char *const texts[] = {caches[i].level, caches[i].type, caches[i].size};
        for (size_t k = 0; k < 3; k++) {
            char path[128];
            snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%zu/%s", i,
                     names[k]);
            machine_has(path, texts[k]);
        }
    }
    ck_assert(cache_geometry_host(&geometry, root));
    ck_assert_uint_eq(geometry.l1d.size_bytes, 48 << 10);
    ck_assert_uint_eq(geometry.l1i.size_bytes, 32 << 10);
    ck_assert_uint_eq(geometry.l2.size_bytes, 2 << 20);
}
END_TEST

START_TEST(the_raspberry_pi_4_has_the_caches_of_its_manual)
{
    struct cache_geometry pi4;
    struct command_error error;
    char words[CACHE_TEXT_BYTES];
    ck_assert(cache_geometry_parse(&pi4, "pi4", &error));
    ck_assert_str_eq(cache_describe(&pi4.l1i, words), "48 KiB 3-way, 64-byte lines");
    ck_assert_str_eq(cache_describe(&pi4.l1d, words), "32 KiB 2-way, 64-byte lines");
    ck_assert_str_eq(cache_describe(&pi4.l2, words), "1 MiB 16-way, 64-byte lines");
}
END_TEST

START_TEST(a_geometry_can_be_given_and_is_checked)
{
    static const char *const bad[] = {
        "",
        "pi5",
        "32K,8,64",
        "32K,8,64:48K,12,64",
        "32K,8,64:48K,12,64:1M,16,64:",
        "32K,8,64:48K,12,64:1M,16,64 ",
        "33K,8,64:48K,12,64:1M,16,64",
        "32K,0,64:48K,12,64:1M,16,64",
        "32K,8,48:48K,12,64:1M,16,64",
        "48K,8,64:48K,12,64:1M,16,64",
        "99999999999999999999K,8,64:48K,12,64:1M,16,64",
    };
    struct cache_geometry geometry;
    struct command_error error;
    ck_assert(cache_geometry_parse(&geometry, "32K,8,64:48K,12,64:1M,16,64", &error));
    ck_assert_uint_eq(geometry.l2.size_bytes, 1 << 20);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert_msg(!cache_geometry_parse(&geometry, bad[i], &error), "%s", bad[i]);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_raspberry_pi_is_recognised_by_its_part_number,
        a_watchdog_holds_a_counter_on_x86_alone,
        a_virtual_machine_is_known_by_its_flag_or_by_its_hypervisor,
        amd_and_intel_processors_are_distinguished,
        a_closed_kernel_gets_advice,
        a_virtual_machine_without_counters_is_named,
        a_machine_with_counters_gets_advice_on_their_use,
        a_machine_that_reports_nothing_is_still_examined,
        the_caches_are_read_from_the_machine_s_own_description,
        each_cache_of_a_machine_is_taken_for_itself,
        the_raspberry_pi_4_has_the_caches_of_its_manual,
        a_geometry_can_be_given_and_is_checked,
        NULL,
    };
    return suite_run("doctor", set_up, tear_down, tests);
}
