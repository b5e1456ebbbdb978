/*
 * doctor.c - the findings: read a file or try a thing, say what was found, and what to do.
 *
 * Each examination writes one or more findings. A mark says how it stands for measuring:
 * "+" good, "-" in the way, " " neither.
 */
#include "doctor.h"
#include "cache_geometry.h"
#include "events.h"
#include "kernel_calls.h"
#include "perf/report/clock.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATH_BYTES  512
#define LABEL_WIDTH 18

struct doctor {
    FILE *out;
    const char *root;
    const struct pmu *pmu;
    struct pmu_host host;
};

/* A finding: its mark and label, what was found, and the advice on a line of its own. */
__attribute__((format(printf, 5, 6))) static void finding(struct doctor *doctor, char mark,
                                                          const char *label, const char *advice,
                                                          const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(doctor->out, "%c %-*s ", mark, LABEL_WIDTH, label);
    vfprintf(doctor->out, format, arguments);
    va_end(arguments);
    fputc('\n', doctor->out);
    if (advice != NULL) {
        fprintf(doctor->out, "  %-*s %s\n", LABEL_WIDTH, "", advice);
    }
}

/* The first line of a file below root, without its newline; false when there is none. */
static bool read_line(const struct doctor *doctor, const char *rest, char *line, size_t size)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof(path), "%s%s", doctor->root, rest);
    FILE *file = fopen(path, "r");
    bool ok = file != NULL && fgets(line, (int)size, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    if (ok) {
        line[strcspn(line, "\n")] = '\0';
    }
    return ok;
}

/* The number behind "key:" in /proc/meminfo, in KiB; 0 when it is not there. */
static uint64_t memory_kib(const struct doctor *doctor, const char *key)
{
    char path[PATH_BYTES], line[256];
    uint64_t number = 0;
    snprintf(path, sizeof(path), "%s/proc/meminfo", doctor->root);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        size_t length = strlen(key);
        if (strncmp(line, key, length) == 0 && line[length] == ':') {
            number = strtoull(line + length + 1, NULL, 10);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return number;
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

static void examine_counters(struct doctor *doctor)
{
    const struct pmu_host *host = &doctor->host;
    struct event cycles;
    struct event_error error;
    event_for_role(PMU_FAMILY_OTHER, EVENT_CYCLES, &cycles, &error);
    int descriptor = doctor->pmu->open(doctor->pmu->context, &cycles.code, -1);
    if (descriptor >= 0) {
        doctor->pmu->close(doctor->pmu->context, descriptor);
        finding(doctor, '+', "counters", "bfs --counters=pointer-wars uses them.", "yes");
    } else if (!host->has_pmu) {
        finding(doctor, '-', "counters",
                host->is_virtual
                    ? "Measure on the machine itself, have the hypervisor pass its PMU through, "
                      "or simulate: bfs --sim=host."
                    : "Simulate instead: bfs --sim=host.",
                "none: %s", strerror(-descriptor));
    } else {
        finding(doctor, '-', "counters",
                host->is_container
                    ? "Start the container with --cap-add PERFMON."
                    : "Run \"sudo sysctl kernel.perf_event_paranoid=2\", or as root.",
                "refused: %s", strerror(-descriptor));
    }
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
    unsigned version = 0;
    char line[64];
    bool ready = event_library_ready(&version);
    if (version == 0) {
        finding(doctor, '-', "libpfm4",
                "Install libpfm4-dev and build again for the processor's own event names.",
                "not built in");
    } else {
        finding(doctor, ready ? '+' : ' ', "libpfm4",
                ready ? "Event names of the processor's manual can be used."
                      : "Generic names (cycles, L1-dcache-loads) and raw codes (r01c2) still work.",
                "%u.%u, %s", version >> 16, version & 0xffff,
                ready ? "knows this processor" : "does not see this processor's counters");
    }
    if (read_line(doctor, "/proc/sys/kernel/nmi_watchdog", line, sizeof(line)) &&
        strcmp(line, "0") != 0) {
        finding(doctor, '-', "watchdog",
                "It holds one counter; free it with sudo sysctl kernel.nmi_watchdog=0.", "on");
    }
}

static void examine_kernel_calls(struct doctor *doctor)
{
    const char *why = kernel_calls_arm();
    kernel_calls_disarm();
    finding(doctor, why == NULL ? '+' : '-', "kernel calls",
            why == NULL ? "brk, mmap, munmap and madvise are counted, some microseconds each."
                        : "Count them with strace -c -e trace=memory.",
            "%s", why == NULL ? "can be counted" : why);
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
    if (read_line(doctor, "/sys/devices/system/cpu/intel_pstate/no_turbo", line, sizeof(line))) {
        known = true;
        line[0] = line[0] == '1' ? '0' : '1';
    } else {
        known = read_line(doctor, "/sys/devices/system/cpu/cpufreq/boost", line, sizeof(line));
    }
    if (!known) {
        finding(doctor, ' ', "turbo", "Compare within one run, not with yesterday's.",
                "not visible here");
    } else {
        finding(doctor, line[0] == '1' ? '-' : '+', "turbo",
                line[0] == '1' ? "The clock depends on heat and neighbours: warm up, interleave, "
                                 "or switch it off."
                               : "The clock is steady.",
                "%s", line[0] == '1' ? "on" : "off");
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
                    : "A slab gets them with --alloc=slab:pages=huge.",
                "%s", line);
    } else {
        finding(doctor, '-', "transparent huge", "--alloc=slab:pages=huge will use normal pages.",
                "not in this kernel");
    }
    uint64_t total = memory_kib(doctor, "HugePages_Total");
    finding(doctor, ' ', "reserved huge",
            total > 0 ? "They are taken from the rest of the memory; give back what is not used."
                      : "None are needed: transparent ones serve.",
            "%llu pages, %llu free, of %llu KiB", (unsigned long long)total,
            (unsigned long long)memory_kib(doctor, "HugePages_Free"),
            (unsigned long long)memory_kib(doctor, "Hugepagesize"));
}

static void examine_memory(struct doctor *doctor)
{
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
         described ? "bfs --sim=host simulates these two levels."
                   : "Name a processor to simulate: bfs --sim=pi4."},
        {"cache L3", &caches.l3,
         "A graph that fits in it tells little about memory: compare at the size you care about."},
    };
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        if (levels[i].cache->size_bytes > 0 || i < 3) {
            finding(doctor, ' ', levels[i].label, levels[i].advice, "%s",
                    cache_describe(levels[i].cache, text));
        }
    }
    uint64_t available = memory_kib(doctor, "MemAvailable");
    uint64_t swap = memory_kib(doctor, "SwapTotal");
    finding(doctor, available > (4u << 20) ? '+' : '-', "memory",
            available > (4u << 20)
                ? "Enough for a graph the size of Wikipedia's on any allocator."
                : "The full Wikipedia graph wants 4 GiB with malloc; try a smaller one.",
            "%llu MiB available%s", (unsigned long long)(available >> 10),
            swap > 0 ? ", with swap behind it" : "");
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
    double cost = (double)(last - start) / READINGS;
    if (!read_line(doctor, "/sys/devices/system/clocksource/clocksource0/current_clocksource", line,
                   sizeof(line))) {
        snprintf(line, sizeof(line), "unknown source");
    }
    finding(doctor, cost < 200 ? '+' : '-', "timer",
            cost < 200 ? "Reading it is cheap enough for every search."
                       : "Reading it is a system call here; short searches look longer than they "
                         "are.",
            "%s, %.0f ns a reading, smallest step %llu ns", line, cost,
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

/* Whether a program is in PATH. */
static bool in_path(const char *name)
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        char file[PATH_BYTES];
        size_t length = strcspn(path, ":");
        snprintf(file, sizeof(file), "%.*s/%s", (int)length, path, name);
        if (access(file, X_OK) == 0) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

static void examine_tools(struct doctor *doctor)
{
    static const struct {
        const char *name, *use, *package;
    } tools[] = {
        {"valgrind", "bfs --sim", "Install the package valgrind."},
        {"perf", "flame graphs in a study", "Install the package linux-perf (or linux-tools)."},
        {"gnuplot", "plots in a study", "Install the package gnuplot-nox."},
        {"python3", "perf/study and perf/compare", "Install the package python3."},
    };
    for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
        bool found = in_path(tools[i].name);
        finding(doctor, found ? '+' : '-', tools[i].name, found ? NULL : tools[i].package,
                "%s, for %s", found ? "installed" : "not installed", tools[i].use);
    }
}

void doctor_write(FILE *out, const struct pmu *pmu, const char *root)
{
    struct doctor doctor = {.out = out, .root = root, .pmu = pmu};
    pmu_host_read(&doctor.host, root);
    fputs("What this machine offers for measuring (+ good, - in the way):\n\n", out);
    examine_processor(&doctor);
    examine_counters(&doctor);
    examine_events(&doctor);
    examine_kernel_calls(&doctor);
    examine_frequency(&doctor);
    examine_pages(&doctor);
    examine_memory(&doctor);
    examine_timer(&doctor);
    examine_load(&doctor);
    examine_tools(&doctor);
}
