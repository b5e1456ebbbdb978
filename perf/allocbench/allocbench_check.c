/*
 * allocbench_check.c - runs the scenarios of alloc/contract in children, and says which rule broke.
 *
 * 1. A child runs one scenario. Its watch lies in shared memory, so that after a crash the parent
 *    knows the current operation. Pages before and after it that nobody may touch stop a child that
 *    writes past its blocks, before it writes over the watch.
 * 2. A child that spins is ended by the kernel after CPU_SECONDS, one that sleeps by its alarm.
 * 3. For each rule, the first finding is kept, and the number of scenarios that broke it.
 * 4. If the system refuses a process PROBE_BYTES, or ended the child, that counts as no finding.
 */
#include "alloc/contract/contract.h"
#include "alloc/specification.h"
#include "allocbench.h"
#include "base/macros.h"
#include "base/program/child.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPU_SECONDS   10 /* a scenario takes a few hundredths */
#define NO_END        "does not finish"
#define SLEEP_SECONDS 300                 /* of wall time, even on a busy machine */
#define PROBE_BYTES   ((size_t)512 << 20) /* more than a scenario takes */
#define SHORT_STATUS  113                 /* of a child without memory */

/* A watch between two pieces of memory that no block of a scenario reaches across. */
#define GUARD_BYTES ((size_t)1 << 20)
#define WATCH_BYTES ((size_t)1 << 16)
_Static_assert(sizeof(struct contract_watch) <= WATCH_BYTES, "a multiple of every page size");

/* Map a guarded watch; NULL: there is not enough memory. */
static struct contract_watch *map_watch(void)
{
    const size_t bytes = GUARD_BYTES + WATCH_BYTES + GUARD_BYTES;
    char *guards = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (guards == MAP_FAILED) {
        return NULL;
    }
    void *watch = mmap(guards + GUARD_BYTES, WATCH_BYTES, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (watch == MAP_FAILED) {
        munmap(guards, bytes);
        return NULL;
    }
    return watch;
}

static void unmap_watch(struct contract_watch *watch)
{
    munmap((char *)watch - GUARD_BYTES, GUARD_BYTES + WATCH_BYTES + GUARD_BYTES);
}

/* The findings on each rule after all scenarios. */
struct finding {
    struct contract_watch first; /* the first that broke it; first.scenario == NULL: none */
    unsigned broken;             /* scenarios that broke it */
    uint64_t looked_at;
};

static bool memory_is_short(void)
{
    void *probe =
        mmap(NULL, PROBE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return probe == MAP_FAILED || munmap(probe, PROBE_BYTES) != 0;
}

__attribute__((noreturn)) static void end_child(const struct contract_watch *watch)
{
    (void)watch;
    _exit(memory_is_short() ? SHORT_STATUS : EXIT_FAILED);
}

/* True if a scenario broke for lack of memory: it said so, the system ended it, or it crashed when
 * no memory was left. */
static bool had_no_memory(const struct contract_watch *watch, int status)
{
    if (WIFEXITED(status)) {
        return WEXITSTATUS(status) == SHORT_STATUS && watch->broken < CONTRACT_RULES;
    }
    return WTERMSIG(status) == SIGKILL || memory_is_short();
}

/* In the child. */
__attribute__((noreturn)) static void run_scenario(const struct contract_scenario *scenario,
                                                   const char *specification, uint64_t seed,
                                                   struct contract_watch *watch)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur > CPU_SECONDS) {
        limit.rlim_cur = CPU_SECONDS;
        setrlimit(RLIMIT_CPU, &limit);
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    static const int own[] = {SIGINT, SIGTERM, SIGALRM, SIGXCPU, SIGSEGV, SIGBUS};
    for (size_t i = 0; i < COUNT_OF(own); i++) {
        signal(own[i], SIG_DFL);
    }
    alarm(SLEEP_SECONDS);
    contract_run(scenario, specification, seed, watch, end_child);
    _exit(EXIT_OK);
}

/* How a child ended that neither finished nor broke a rule. */
static void describe_end(int status, char *text, size_t size)
{
    int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal_number == SIGXCPU || signal_number == SIGALRM) {
        snprintf(text, size, NO_END);
    } else if (signal_number != 0) {
        snprintf(text, size, "crashes: signal %d (%s)", signal_number, strsignal(signal_number));
    } else {
        snprintf(text, size, "ends the process with exit status %d", WEXITSTATUS(status));
    }
}

/* Note what a scenario found. */
static void add_findings(struct finding *findings, struct contract_watch *watch, int status)
{
    bool has_broken = watch->broken < CONTRACT_RULES;
    bool is_over = watch->is_over && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OK;
    if (!is_over && !has_broken) {
        char end[100];
        char block[80] = "";
        describe_end(status, end, sizeof(end));
        if (watch->block != NULL) {
            snprintf(block, sizeof(block), " at %p", watch->block);
        }
        snprintf(watch->what, sizeof(watch->what),
                 watch->size > 0 ? "%s in %s of %zu bytes%s" : "%s in %s", end,
                 watch->doing[0] != '\0' ? watch->doing : "loading", watch->size, block);
        watch->broken = CONTRACT_SURVIVES;
        has_broken = true;
    }
    for (size_t rule = 0; rule < CONTRACT_RULES; rule++) {
        findings[rule].looked_at += watch->looked_at[rule];
    }
    if (has_broken && findings[watch->broken].broken++ == 0) {
        findings[watch->broken].first = *watch;
    }
}

/* True if one scenario did not end: each further one would take as long. */
static bool has_hung(const struct finding *findings)
{
    return strstr(findings[CONTRACT_SURVIVES].first.what, NO_END) != NULL;
}

/* Run one scenario in a child. False with error set: no child could be started. */
static bool check_scenario(const struct contract_scenario *scenario, const char *specification,
                           uint64_t seed, struct finding *findings, struct command_error *error)
{
    struct contract_watch *watch = map_watch();
    if (watch == NULL) {
        return command_fail(error, "out of memory");
    }
    *watch =
        (struct contract_watch){.scenario = scenario->name, .seed = seed, .broken = CONTRACT_RULES};
    pid_t child = fork();
    const int fork_error = errno;
    if (child == 0) {
        run_scenario(scenario, specification, seed, watch);
    }
    int status = child > 0 ? child_wait(child, NULL) : 0;
    watch->scenario = scenario->name; /* whatever the child wrote */
    watch->seed = seed;
    watch->doing[sizeof(watch->doing) - 1] = watch->what[sizeof(watch->what) - 1] = '\0';
    bool is_short = child > 0 && had_no_memory(watch, status);
    if (child > 0 && !is_short && !bench_is_cancelled()) {
        add_findings(findings, watch, status);
    }
    unmap_watch(watch);
    if (is_short) {
        return command_fail(error, "not enough memory to check %.200s (%s)", specification,
                            scenario->name);
    }
    return child > 0 || command_fail(error, "no process can be started: %s", strerror(fork_error));
}

/* Write a line per rule, and the finding under a broken one. Returns how many are broken. */
static unsigned write_findings(const struct finding *findings, FILE *out)
{
    unsigned broken = 0;
    bool all_looked_at = true;
    for (size_t rule = 0; rule < CONTRACT_RULES; rule++) {
        const struct finding *found = &findings[rule];
        const struct contract_promise *promise = &contract_promises[rule];
        const char *verdict = found->broken > 0 ? "BROKEN" : found->looked_at > 0 ? "ok" : "-";
        fprintf(out, "  %-6s  %-8s  %s\n", verdict, promise->name, promise->promise);
        if (found->broken > 0) {
            fprintf(out, "          %s, operation %llu, seed %llu: %s\n", found->first.scenario,
                    (unsigned long long)found->first.operation,
                    (unsigned long long)found->first.seed, found->first.what);
            if (found->broken > 1) {
                fprintf(out, "          and in %u more scenarios\n", found->broken - 1);
            }
        }
        broken += found->broken > 0;
        all_looked_at = all_looked_at && (found->broken > 0 || found->looked_at > 0);
    }
    if (!all_looked_at) {
        fputs("  -: nothing to look at, because the allocator has no such part or broke before\n",
              out);
    }
    return broken;
}

/* Check one allocator. Returns an exit status. */
static int check_one(const char *specification, uint64_t seed, uint64_t runs, FILE *out,
                     struct command_error *error)
{
    static struct finding findings[CONTRACT_RULES];
    memset(findings, 0, sizeof(findings));
    fprintf(out, "%s\n", specification);
    fflush(out); /* else a child would write it again */
    for (uint64_t run = 0; run < runs; run++) {
        for (const struct contract_scenario *at = contract_scenarios;
             at->name != NULL && !has_hung(findings); at++) {
            if (bench_is_cancelled()) {
                return EXIT_FAILED;
            }
            if (!check_scenario(at, specification, seed + run, findings, error)) {
                return EXIT_FAILED;
            }
        }
    }
    unsigned broken = write_findings(findings, out);
    if (broken == 0) {
        fprintf(out, "  keeps every rule (seed %llu)\n", (unsigned long long)seed);
        return EXIT_OK;
    }
    fprintf(out, "  breaks %u of %d rules; again: allocbench check --alloc '%s' --seed %llu\n",
            broken, CONTRACT_RULES, specification, (unsigned long long)seed);
    return EXIT_FAILED;
}

int bench_check(const char *list, uint64_t seed, uint64_t runs, FILE *out,
                struct command_error *error)
{
    int status = EXIT_OK;
    pw_assert(list != NULL && runs > 0);
    while (*list != '\0' && !bench_is_cancelled()) {
        char specification[256];
        struct node_specification parsed;
        struct node_allocator_error why;
        size_t length = node_specification_length(list);
        snprintf(specification, sizeof(specification), "%.*s", (int)length, list);
        if (length >= sizeof(specification) ||
            !node_specification_parse(specification, &parsed, &why)) {
            command_fail(error, "--alloc: %s",
                         length >= sizeof(specification) ? "at most 255 characters" : why.message);
            return EXIT_USAGE;
        }
        if (check_one(specification, seed, runs, out, error) != EXIT_OK) {
            status = EXIT_FAILED;
        }
        list += length + (list[length] == ',');
    }
    return status;
}
