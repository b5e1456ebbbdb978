/*
 * doctor.c - the findings: tries a counter, and reports the result and the remedy.
 *
 * Each examination writes one or more findings. A mark says what it means for counting:
 * "+" good, "-" in the way, " " neither.
 */
#include "doctor.h"
#include "base/pw_assert.h"
#include "counters.h"
#include "events.h"
#include <stdarg.h>
#include <unistd.h>

#define LABEL_WIDTH 18

struct doctor {
    FILE *out;
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
        "A group of events needs as many counters as it has events; else none of them is counted.",
        "a processor that has it, a kernel that drives its PMU, and permission");
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

static void examine_watchdog(struct doctor *doctor)
{
    if (doctor->host.has_watchdog) {
        finding(doctor, '-', "watchdog",
                "It holds one counter; free it with sudo sysctl kernel.nmi_watchdog=0.", "on");
    }
}

void doctor_write(FILE *out, const struct pmu *pmu, const char *root,
                  const struct counter_offers *offers)
{
    struct doctor doctor = {.out = out, .pmu = pmu, .offers = offers};
    pmu_host_read(&doctor.host, root);
    fputs("The processor counters of this machine (+ good, - in the way):\n\n", out);
    examine_processor(&doctor);
    examine_counters(&doctor);
    examine_watchdog(&doctor);
}
