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
#include <unistd.h>

#define LABEL_WIDTH 18

/* Write a finding: its mark, label and result, then on a line of its own the advice, two texts. */
static void finding(FILE *out, char mark, const char *label, const char *result, const char *advice,
                    const char *more)
{
    pw_assert(mark == '+' || mark == '-' || mark == ' ');
    fprintf(out, "%c %-*s %s\n", mark, LABEL_WIDTH, label, result);
    if (advice != NULL) {
        fprintf(out, "  %-*s %s%s\n", LABEL_WIDTH, "", advice, more);
    }
}

static void examine_processor(FILE *out, const struct pmu_host *host)
{
    char result[128];
    snprintf(result, sizeof(result), "%s (%s), %ld processors", host->processor,
             pmu_family_name(host->family), sysconf(_SC_NPROCESSORS_ONLN));
    finding(out, ' ', "processor", result, NULL, NULL);
    if (host->is_virtual) {
        finding(out, '-', "virtual machine", "yes",
                "Neighbours on the host add noise: interleave what you compare, and repeat it.",
                "");
    }
}

static void examine_counters(FILE *out, const struct pmu *pmu, const struct pmu_host *host,
                             const struct counter_offers *offers)
{
    struct event cycles;
    struct command_error error;
    enum counter_status status;
    char result[160];
    event_for_role(PMU_FAMILY_OTHER, EVENT_CYCLES, &cycles, &error);
    const int descriptor = pmu->open(&cycles.code, -1);
    if (descriptor >= 0) {
        pmu->close(descriptor);
        finding(out, '+', "counters", "yes", "They are counted with ", offers->count);
        return;
    }
    const char *why = counters_refusal(host, -descriptor, &status);
    if (status == COUNTER_NO_PERMISSION) {
        snprintf(result, sizeof(result), "none: %s (kernel.perf_event_paranoid is %d)", why,
                 host->perf_event_paranoid);
    } else {
        snprintf(result, sizeof(result), "none: %s", why);
    }
    if (!host->has_pmu) {
        finding(out, '-', "counters", result,
                "Measure on another machine, or simulate: ", offers->simulate);
    } else {
        finding(out, '-', "counters", result,
                host->is_container
                    ? "Start the container with --cap-add PERFMON."
                    : "Run \"sudo sysctl kernel.perf_event_paranoid=2\", or as root.",
                "");
    }
}

void doctor_write(FILE *out, const struct pmu *pmu, const char *root,
                  const struct counter_offers *offers)
{
    struct pmu_host host;
    pmu_host_read(&host, root);
    fputs("The processor counters of this machine (+ good, - in the way):\n\n", out);
    examine_processor(out, &host);
    examine_counters(out, pmu, &host, offers);
    if (host.has_watchdog) {
        finding(out, '-', "watchdog", "on",
                "It holds one counter; free it with sudo sysctl kernel.nmi_watchdog=0.", "");
    }
}
