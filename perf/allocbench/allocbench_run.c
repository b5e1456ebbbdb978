/*
 * allocbench_run.c - the cases of an experiment, and their runs in separate processes.
 */
#include "alloc/specification.h"
#include "allocbench.h"
#include "base/macros.h"
#include "base/program/interrupt.h"
#include "base/pw_assert.h"
#include "base/report/clock.h"
#include "base/report/turns.h"
#include "liblist/linked_list_more.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(BENCH_CASES_MAX *VARIANTS_MAX <= TURNS_CASES_MAX, "each has its turn");

#define HEAP_MAX          ((uint64_t)1 << 36)
#define PROGRESS_AFTER_NS 2000000000u

/* Cases --------------------------------------------------------------------------------------- */

bool bench_open_heap(struct node_heap *heap, const char *specification,
                     struct node_allocator_error *error)
{
    static const struct memory_source c_library = {.allocate = malloc, .release = free};
    struct node_allocator_error ignored;
    return node_heap_open(heap, specification, &c_library, error != NULL ? error : &ignored);
}

bool bench_claim_files(struct bench *bench, const char *list)
{
    const struct bench_parameters *p = &bench->parameters;
    const char *const inputs[] = {
        p->job.graph,          p->job.pairs,     p->distributions.sizes_file,
        p->estimate.histogram, p->program.input, p->program.trace,
        p->program.second};
    char path[512];
    bool is_written;
    bench->claims.count = 0;
    for (size_t i = 0; i < COUNT_OF(inputs); i++) {
        file_claims_add(&bench->claims, inputs[i], false);
    }
    bool legal = file_claims_have(&bench->claims, NULL, true, bench->error);
    for (size_t i = 0; legal && node_specification_file(list, i, path, sizeof(path), &is_written);
         i++) {
        legal = file_claims_have(&bench->claims, path, is_written, bench->error);
    }
    return legal;
}

bool bench_set_cases(struct bench *bench, const char *list)
{
    struct node_allocator_error why = {.message = "no allocator is named"};
    size_t named = 0;
    bench->case_count = 0;
    memset(bench->cases, 0, sizeof(bench->cases));
    bench->failure = EXIT_FAILED;
    if (!bench_claim_files(bench, list)) {
        return false;
    }
    while (*list != '\0') {
        bench->failure = EXIT_USAGE;
        struct bench_case *one = &bench->cases[bench->case_count];
        size_t length = node_specification_length(list);
        if (length >= sizeof(one->specification) || bench->case_count == BENCH_CASES_MAX) {
            return command_fail(bench->error, "--alloc: at most %d allocators of 255 characters",
                                BENCH_CASES_MAX);
        }
        snprintf(one->specification, sizeof(one->specification), "%.*s", (int)length, list);
        snprintf(one->label, sizeof(one->label), "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        named++;
        struct node_heap heap;
        errno = 0;
        bool is_open = bench_open_heap(&heap, one->specification, &why);
        bench->failure = command_refusal(errno);
        if (is_open) {
            node_heap_close(&heap);
            bench->case_count++;
        } else if (bench->failure == EXIT_USAGE &&
                   node_specification_has(one->specification, NODE_ALLOCATOR_MAY_BE_MISSING)) {
            bench_note(bench, "%s is left out: %s", one->specification, why.message);
        } else {
            return command_fail(bench->error, "--alloc: %s", why.message);
        }
    }
    bench->failure = named == 0 ? EXIT_USAGE : EXIT_FAILED;
    return bench->case_count > 0 || command_fail(bench->error, "--alloc: %s%s", why.message,
                                                 named > 1 ? ", nor are the others" : "");
}

/* Progress ------------------------------------------------------------------------------------ */

bool bench_is_cancelled(void)
{
    return *interrupt_flag() != 0;
}

void bench_progress(struct bench *bench, const char *format, ...)
{
    char text[200];
    va_list arguments;
    uint64_t elapsed_ns = clock_now_ns() - bench->started_ns;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (elapsed_ns >= PROGRESS_AFTER_NS) {
        progress_show(&bench->progress, true, "%s: %s (%llu s)", bench->experiment->name, text,
                      (unsigned long long)(elapsed_ns / 1000000000u));
    }
}

/* Runs ---------------------------------------------------------------------------------------- */

enum bench_status bench_refused(const struct node_allocator *allocator)
{
    struct node_allocator_statistics statistics = {.diverged = false};
    if (allocator != NULL) {
        node_allocator_statistics(allocator, &statistics);
    } else {
        linked_list_statistics(&statistics);
    }
    return statistics.diverged ? BENCH_DIVERGED : BENCH_FULL;
}

/* Double the heap of a case; false if it has no heap, or one that is large enough for anything. */
static bool enlarge(struct bench *bench, struct bench_case *one)
{
    char enlarged[sizeof(one->specification)];
    char before[32];
    struct node_heap heap;
    void *base = NULL;
    size_t bytes = 0;
    if (bench_open_heap(&heap, one->specification, NULL)) {
        node_allocator_region(heap.allocator, &base, &bytes);
        node_heap_close(&heap);
    }
    if (bytes == 0 || bytes >= HEAP_MAX ||
        !node_specification_with_heap(one->specification, (bytes + 64) / 64 * 128, enlarged,
                                      sizeof(enlarged))) {
        return false;
    }
    memcpy(one->specification, enlarged, sizeof(enlarged));
    bench_write_bytes(before, sizeof(before), bytes);
    bench_note(bench, "%s: a heap of %s was too small; enlarged to twice that and run again",
               one->label, before);
    return true;
}

enum bench_status bench_measure(struct bench *bench, struct bench_case *one, bench_body body,
                                const void *parameters, double *values, size_t count)
{
    const struct bench_run run = {.bench = bench,
                                  .specification = one->specification,
                                  .environment = one->environment,
                                  .parameters = parameters};
    const bool is_apart = bench_is_apart(bench, body);
    enum bench_status status;
    do {
        status = is_apart ? bench_run_apart(&run, body, values, count) : body(&run, values);
    } while (status == BENCH_FULL && !bench_is_cancelled() && enlarge(bench, one));
    if (bench_is_cancelled()) {
        bench->result->incomplete = true;
        status = BENCH_CANCELLED;
    }
    for (size_t i = 0; status != BENCH_DONE && i < count; i++) {
        values[i] = NAN;
    }
    return status;
}

static double *values_of(const struct bench_samples *samples, size_t one, size_t run)
{
    pw_assert(run < samples->runs);
    return samples->values + (one * samples->runs + run) * samples->count;
}

size_t bench_values(const struct bench_samples *samples, size_t one, size_t index,
                    double values[BENCH_RUNS_MAX])
{
    size_t count = 0;
    pw_assert(index < samples->count);
    for (size_t run = 0; run < samples->runs; run++) {
        values[count] = values_of(samples, one, run)[index];
        count += isnan(values[count]) ? 0 : 1;
    }
    return count;
}

struct samples_summary bench_summary(const struct bench_samples *samples, size_t one, size_t index)
{
    double made[BENCH_RUNS_MAX];
    return samples_summarize(made, bench_values(samples, one, index, made));
}

double bench_median(const struct bench_samples *samples, size_t one, size_t index)
{
    return bench_summary(samples, one, index).median;
}

double bench_share_spread(const double *values, const double *bases, size_t count)
{
    double shares[BENCH_RUNS_MAX];
    pw_assert(count <= BENCH_RUNS_MAX);
    for (size_t i = 0; i < count; i++) {
        shares[i] = 100 * (values[i] - bases[i]) / values[i];
    }
    return samples_summarize(shares, count).deviation;
}

/* What bench_measure_variants hands to its turns. */
struct measured {
    struct bench *bench;
    struct bench_samples *samples;
    bench_body body;
    const void *const *parameters;
    size_t variants;
};

/* Make one run; see turns.h. */
static enum turn take_turn(void *context, size_t run, size_t index)
{
    static const char *const reasons[] = {
        [BENCH_FULL] = "a request failed, and its heap cannot be enlarged",
        [BENCH_FAILED] = "its process failed",
        [BENCH_LEFT_OUT] = "it cannot be confined to 32 MiB, or puts no two blocks side by side",
        [BENCH_UNSEEN] = "it holds less than is alive, so not all of its memory is counted",
        [BENCH_DIFFERENT] =
            "it prints something else, or ends otherwise, than the unchanged command",
        [BENCH_DIVERGED] = "it diverged: it replays another run",
    };
    const struct measured *measured = context;
    const struct bench_samples *samples = measured->samples;
    struct bench *bench = measured->bench;
    struct bench_case *one = &bench->cases[index / measured->variants];
    if (bench_is_cancelled()) {
        return TURN_ENDED;
    }
    bench_progress(bench, "run %zu of %zu, %s", run + 1, bench->runs, one->label);
    const enum bench_status status =
        bench_measure(bench, one, measured->body, measured->parameters[index % measured->variants],
                      values_of(samples, index, run), samples->count);
    if (status == BENCH_DONE) {
        return TURN_MADE;
    }
    if (status == BENCH_CANCELLED) {
        return TURN_ENDED;
    }
    bench_note(bench, "%s is left out: %s", one->label, reasons[status]);
    return TURN_LEFT_OUT;
}

const struct bench_samples *bench_measure_variants(struct bench *bench, bench_body body,
                                                   const void *const *parameters, size_t variants,
                                                   size_t count)
{
    size_t all = bench->case_count * variants * bench->runs * count;
    pw_assert(bench->result->samples_count < BENCH_SAMPLES_MAX);
    pw_assert(variants > 0 && variants <= VARIANTS_MAX);
    struct bench_samples *samples = &bench->result->samples[bench->result->samples_count++];
    double *values = malloc(all * sizeof(*values));
    *samples = (struct bench_samples){values, count, values != NULL ? bench->runs : 0};
    for (size_t i = 0; values != NULL && i < all; i++) {
        values[i] = NAN;
    }
    struct measured measured = {bench, samples, body, parameters, variants};
    const struct turns turns = {bench->case_count * variants, samples->runs, take_turn, &measured};
    turns_take(&turns, bench->seed);
    bench->result->incomplete |= bench_is_cancelled();
    progress_clear(&bench->progress);
    return samples;
}

const struct bench_samples *bench_measure_all(struct bench *bench, bench_body body,
                                              const void *parameters, size_t count)
{
    return bench_measure_variants(bench, body, &parameters, 1, count);
}
