/*
 * doctor.c - the findings: reads a file or tries a call, and reports the result and the remedy.
 *
 * Each examination writes one or more findings. A mark says what it means for measuring:
 * "+" good, "-" in the way, " " neither.
 */
#include "doctor.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "base/system_file.h"
#include "cache_geometry.h"
#include "counters.h"
#include "event_library.h"
#include "events.h"
#include "resources.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LABEL_WIDTH 18

struct doctor {
    FILE *out;
    const char *root;
    const struct pmu *pmu;
    const struct counter_offers *offers;
    struct pmu_host host;
    char advice[256];
};

/* Write a finding: its mark and label, the result, and the advice on a separate line. */
__attribute__((format(printf, 5, 6))) static void finding(struct doctor *doctor, char mark,
                                                          const char *label, const char *advice,
                                                          const char *format, ...)
{
    va_list arguments;
    pw_assert(mark == '+' || mark == '-' || mark == ' ');
    va_start(arguments, format);
    fprintf(doctor->out, "%c %-*s ", mark, LABEL_WIDTH, label);
    vfprintf(doctor->out, format, arguments);
    va_end(arguments);
    fputc('\n', doctor->out);
    if (advice != NULL) {
        fprintf(doctor->out, "  %-*s %s\n", LABEL_WIDTH, "", advice);
    }
}

/* Advice that names an option of the program. */
__attribute__((format(printf, 2, 3))) static const char *advise(struct doctor *doctor,
                                                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(doctor->advice, sizeof(doctor->advice), format, arguments);
    va_end(arguments);
    return doctor->advice;
}

static bool read_line(const struct doctor *doctor, const char *path, char *line, size_t size)
{
    return system_file_line(doctor->root, path, line, size);
}

/* The number after "key:" in /proc/meminfo, in KiB; 0 if there is none. */
static unsigned long long memory_kib(const struct doctor *doctor, const char *key)
{
    char value[64];
    system_file_value(doctor->root, "/proc/meminfo", key, value, sizeof(value));
    return strtoull(value, NULL, 10);
}

static void examine_processor(struct doctor *doctor)
{
    const struct pmu_host *host = &doctor->host;
    finding(doctor, ' ', "processor", NULL, "%s (%s), %ld processors", host->processor,
            pmu_family_name(host->family), sysconf(_SC_NPROCESSORS_ONLN));
    if (host->is_virtual) {
        finding(doctor, '-', "virtual machine",
                "Neighbours on the host add noise: interleave what you compare, and repeat it.",
                "yes%s", host->is_container ? ", and in a container" : "");
    } else if (host->is_container) {
        finding(doctor, ' ', "container", "Counters may need --cap-add PERFMON.", "yes");
    }
}

/* What counting needs beyond what was tried, and who can provide it. */
static void examine_needs(struct doctor *doctor, bool counts)
{
    const struct pmu_host *host = &doctor->host;
    if (!counts && host->is_virtual && !host->has_pmu) {
        finding(
            doctor, ' ', "its owner can",
            "Google Cloud offers it as an option (C4, C4A), Amazon EC2 has it in bare-metal sizes.",
            "pass the PMU through: QEMU with -cpu host,pmu=on, libvirt with <pmu state='on'/>");
    }
    finding(
        doctor, ' ', "an event needs",
        "A group of events needs as many counters as it has events; else its events take turns.",
        "a processor that has it, a kernel that drives its PMU, and permission");
    const bool has_slots = host->topdown != PMU_TOPDOWN_NONE;
    finding(doctor, has_slots && counts ? '+' : ' ', "top-down",
            has_slots && counts ? "The counter group topdown says where its slots went." : NULL,
            "%s", has_slots ? "this processor has the events" : host->topdown_lacks);
}

static void examine_counters(struct doctor *doctor)
{
    const struct pmu_host *host = &doctor->host;
    const struct counter_offers *offers = doctor->offers;
    struct event cycles;
    struct command_error error;
    enum counter_status status;
    event_for_role(PMU_FAMILY_OTHER, EVENT_CYCLES, &cycles, &error);
    int descriptor = doctor->pmu->open(&cycles.code, -1);
    if (descriptor >= 0) {
        doctor->pmu->close(descriptor);
        finding(doctor, '+', "counters",
                advise(doctor, "%s %s uses them.", offers->program, offers->count), "yes");
    } else if (!host->has_pmu) {
        finding(doctor, '-', "counters",
                host->is_virtual
                    ? advise(doctor, "Measure on the machine itself, or simulate: %s %s.",
                             offers->program, offers->simulate)
                    : advise(doctor, "Simulate instead: %s %s.", offers->program, offers->simulate),
                "none: %s", counters_refusal(host, -descriptor, &status));
    } else {
        finding(doctor, '-', "counters",
                host->is_container
                    ? "Start the container with --cap-add PERFMON."
                    : "Run \"sudo sysctl kernel.perf_event_paranoid=2\", or as root.",
                "none: %s", counters_refusal(host, -descriptor, &status));
    }
    examine_needs(doctor, descriptor >= 0);
    if (host->perf_event_paranoid == PMU_PARANOID_NONE) {
        finding(doctor, '-', "permission", "The kernel was built without perf events.",
                "no kernel.perf_event_paranoid");
    } else {
        bool enough = host->perf_event_paranoid <= 2 || host->is_root;
        finding(doctor, enough ? '+' : '-', "permission",
                enough ? "User-mode counting of one's own process is allowed."
                       : "Counting needs 2 or less: sudo sysctl kernel.perf_event_paranoid=2.",
                "kernel.perf_event_paranoid is %d%s", host->perf_event_paranoid,
                host->is_root ? ", and this is root" : "");
    }
}

static void examine_events(struct doctor *doctor)
{
    const char *problem = event_library_problem();
    unsigned version = event_library_version();
    bool ready = event_library_ready();
    if (problem != NULL) {
        finding(doctor, '-', "libpfm4",
                "Install libpfm4 (libpfm4-dev to build with it) for the processor's own event "
                "names.",
                "%s", problem);
    } else {
        finding(doctor, ready ? '+' : ' ', "libpfm4",
                ready ? "Event names of the processor's manual can be used."
                      : "Generic names (cycles, L1-dcache-loads) and raw codes (r01c2) still work.",
                "%u.%u, %s", version >> 16, version & 0xffff,
                ready ? "knows this processor" : "does not see this processor's counters");
    }
    if (doctor->host.has_watchdog) {
        finding(doctor, '-', "watchdog",
                "It holds one counter; free it with sudo sysctl kernel.nmi_watchdog=0.", "on");
    }
}

static void examine_frequency(struct doctor *doctor)
{
    char line[128];
    bool known = read_line(doctor, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", line,
                           sizeof(line));
    if (!known) {
        finding(doctor, ' ', "governor",
                "Whoever runs the machine sets the clock; watch the spread of repeated runs.",
                "not visible here");
    } else {
        bool good = strcmp(line, "performance") == 0;
        finding(doctor, good ? '+' : '-', "governor",
                good ? "The clock does not fall between searches."
                     : "Set it for the measurement: sudo cpupower frequency-set -g performance.",
                "%s", line);
    }
    bool inverted =
        read_line(doctor, "/sys/devices/system/cpu/intel_pstate/no_turbo", line, sizeof(line));
    known =
        inverted || read_line(doctor, "/sys/devices/system/cpu/cpufreq/boost", line, sizeof(line));
    bool on = line[0] == (inverted ? '0' : '1');
    if (!known) {
        finding(doctor, ' ', "turbo", "Compare within one run, not with an earlier one.",
                "not visible here");
    } else {
        finding(
            doctor, on ? '-' : '+', "turbo",
            on ? "The clock depends on heat and neighbours: warm up, interleave, or switch it off."
               : "The clock is steady.",
            "%s", on ? "on" : "off");
    }
}

static void examine_pages(struct doctor *doctor)
{
    char line[128];
    if (read_line(doctor, "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof(line))) {
        bool never = strstr(line, "[never]") != NULL;
        finding(doctor, never ? '-' : '+', "transparent huge",
                never ? "Allow them to those who ask: echo madvise | sudo tee "
                        "/sys/kernel/mm/transparent_hugepage/enabled."
                : strstr(line, "[always]") != NULL
                    ? "Every large block may get huge pages, malloc's too: compare like with like."
                    : advise(doctor, "A slab gets them with %s.", doctor->offers->huge_pages),
                "%s", line);
    } else {
        finding(doctor, '-', "transparent huge",
                advise(doctor, "%s will use normal pages.", doctor->offers->huge_pages),
                "not in this kernel");
    }
    unsigned long long total = memory_kib(doctor, "HugePages_Total");
    finding(doctor, ' ', "reserved huge",
            total > 0 ? "They are taken from the rest of the memory; give back what is not used."
                      : "None are needed: transparent ones serve.",
            "%llu pages, %llu free, of %llu KiB", total, memory_kib(doctor, "HugePages_Free"),
            memory_kib(doctor, "Hugepagesize"));
}

static void examine_memory(struct doctor *doctor)
{
    const struct counter_offers *offers = doctor->offers;
    struct cache_geometry caches;
    char text[CACHE_TEXT_BYTES];
    bool described = cache_geometry_host(&caches, doctor->root);
    const struct {
        const char *label;
        const struct cache *cache;
        const char *advice;
    } levels[] = {
        {"cache L1I", &caches.l1i, NULL},
        {"cache L1D", &caches.l1d, NULL},
        {"cache L2", &caches.l2,
         described ? advise(doctor, "%s %s simulates these two levels.", offers->program,
                            offers->simulate)
                   : advise(doctor, "Name a processor to simulate: %s %s.", offers->program,
                            offers->simulate_named)},
        {"cache L3", &caches.l3,
         "A graph that fits in it shows little about memory: compare at the size you care about."},
    };
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        if (levels[i].cache->size_bytes > 0 || i < 3) {
            finding(doctor, ' ', levels[i].label, levels[i].advice, "%s",
                    cache_describe(levels[i].cache, text));
        }
    }
    unsigned long long available = memory_kib(doctor, "MemAvailable");
    unsigned long long swap = memory_kib(doctor, "SwapTotal");
    finding(doctor, available > (4u << 20) ? '+' : '-', "memory",
            available > (4u << 20)
                ? "Enough for a graph the size of Wikipedia's on any allocator."
                : "The full Wikipedia graph needs 4 GiB with malloc; try a smaller one.",
            "%llu MiB available%s", available >> 10, swap > 0 ? ", plus swap" : "");
}

/* The smallest difference between two readings of the clock that is not zero, and the mean. */
static void examine_timer(struct doctor *doctor)
{
    enum { READINGS = 20000 };
    char line[64];
    uint64_t step = UINT64_MAX;
    uint64_t start = clock_now_ns();
    uint64_t last = start;
    for (int i = 0; i < READINGS; i++) {
        uint64_t now = clock_now_ns();
        if (now > last && now - last < step) {
            step = now - last;
        }
        last = now;
    }
    double cost = (double)(last - start) / (double)READINGS;
    if (!read_line(doctor, "/sys/devices/system/clocksource/clocksource0/current_clocksource", line,
                   sizeof(line))) {
        snprintf(line, sizeof(line), "unknown source");
    }
    finding(doctor, cost < 200 ? '+' : '-', "timer",
            cost < 200 ? "Reading it is cheap enough for every search."
                       : "Reading it is a system call here; short searches look longer than they "
                         "are.",
            "%s, %.0f ns per reading, smallest step %llu ns", line, cost,
            (unsigned long long)(step == UINT64_MAX ? 0 : step));
}

static void examine_load(struct doctor *doctor)
{
    char line[128];
    if (read_line(doctor, "/proc/loadavg", line, sizeof(line))) {
        double load = strtod(line, NULL);
        double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
        bool busy = load > processors / 2;
        finding(doctor, busy ? '-' : '+', "load",
                busy ? "Others are at work here: wait, or expect disturbed searches."
                     : "The machine is quiet enough.",
                "%.2f over the last minute, on %.0f processors", load, processors);
    }
}

static void examine_tools(struct doctor *doctor)
{
    static const struct {
        const char *name, *use, *package;
    } tools[] = {
        {"valgrind", "simulated counters", "Install the package valgrind."},
        {"strace", "calls of brk and mmap in a study", "Install the package strace."},
        {"perf", "flame graphs in a study", "Install the package linux-perf (or linux-tools)."},
        {"gnuplot", "plots in a study", "Install the package gnuplot-nox."},
        {"python3", "studies, comparisons and the judge", "Install the package python3."},
    };
    for (size_t i = 0; i < COUNT_OF(tools); i++) {
        char path[512];
        bool found = resources_program(tools[i].name, path, sizeof(path));
        finding(doctor, found ? '+' : '-', tools[i].name, found ? NULL : tools[i].package,
                "%s, for %s", found ? "installed" : "not installed", tools[i].use);
    }
}

void doctor_write(FILE *out, const struct pmu *pmu, const char *root,
                  const struct counter_offers *offers)
{
    struct doctor doctor = {.out = out, .root = root, .pmu = pmu, .offers = offers};
    pmu_host_read(&doctor.host, root);
    fputs("What this machine offers for measuring (+ good, - in the way):\n\n", out);
    examine_processor(&doctor);
    examine_counters(&doctor);
    examine_events(&doctor);
    examine_frequency(&doctor);
    examine_pages(&doctor);
    examine_memory(&doctor);
    examine_timer(&doctor);
    examine_load(&doctor);
    examine_tools(&doctor);
}
