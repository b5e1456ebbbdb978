/*
 * allocbench_run.c - subjects, runs in children, progress, and the parts of a result.
 */
#include "alloc/specification.h"
#include "allocbench.h"
#include "perf/bench/trial.h"
#include "perf/program/interrupt.h"
#include "perf/report/clock.h"
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAP_MAX ((uint64_t)1 << 36)

const struct memory_source bench_source = {.allocate = malloc, .release = free};

/* Subjects ------------------------------------------------------------------------------------ */

/* Whether an allocator opens; why not into message. */
static bool opens(const char *specification, char *message, size_t size)
{
    struct node_allocator_error error;
    struct node_heap *heap = calloc(1, sizeof(*heap));
    bool opened = heap != NULL && node_heap_open(heap, specification, &bench_source, &error);
    if (opened) {
        node_heap_close(heap);
    } else {
        snprintf(message, size, "%s", heap != NULL ? error.message : "out of memory");
    }
    free(heap);
    return opened;
}

bool bench_set_subjects(struct bench *bench, const char *list, struct bench_result *result,
                        struct command_error *error)
{
    char message[480] = "no allocator is named";
    size_t named = 0;
    bench->subject_count = 0;
    while (*list != '\0') {
        size_t length = node_specification_length(list);
        char specification[256];
        snprintf(specification, sizeof(specification), "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        named++;
        if (length >= sizeof(specification) || bench->subject_count == BENCH_SUBJECTS_MAX) {
            bench->is_wrong_usage = true;
            return command_fail(error, "--alloc: at most %d allocators of 255 characters",
                                BENCH_SUBJECTS_MAX);
        }
        if (opens(specification, message, sizeof(message))) {
            struct bench_subject *subject = &bench->subjects[bench->subject_count++];
            memcpy(subject->specification, specification, sizeof(specification));
            snprintf(subject->label, sizeof(subject->label), "%.79s", specification);
        } else if (node_specification_has(specification, NODE_ALLOCATOR_MAY_BE_MISSING)) {
            bench_note(result, "%s is left out: %s", specification, message);
        } else {
            bench->is_wrong_usage = true;
            return command_fail(error, "--alloc: %s", message);
        }
    }
    if (bench->subject_count == 0) {
        bench->is_wrong_usage = named == 0;
        return command_fail(error, "--alloc: %s%s", message,
                            named > 1 ? ", nor are the others" : "");
    }
    return true;
}

/* Progress ------------------------------------------------------------------------------------ */

bool bench_is_cancelled(void)
{
    return *interrupt_flag() != 0;
}

void bench_progress(struct bench *bench, const char *format, ...)
{
    if (bench->quiet || !isatty(STDERR_FILENO) ||
        clock_now_ns() - bench->started_ns < 2000000000u) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "\r\033[K%s: ", bench->experiment);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, " (%llu s)",
            (unsigned long long)((clock_now_ns() - bench->started_ns) / 1000000000u));
    bench->progress_shown = true;
}

void bench_progress_clear(struct bench *bench)
{
    if (bench->progress_shown) {
        fputs("\r\033[K", stderr);
        bench->progress_shown = false;
    }
}

/* Runs ---------------------------------------------------------------------------------------- */

struct child {
    struct bench_run run;
    bench_body body;
};

/* In the child. values[0]: the status; the body's follow. */
static bool run_body(void *context, double *values, size_t count)
{
    const struct child *child = context;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    values[0] = (double)child->body(&child->run, values + 1, count - 1);
    return true;
}

/* Bytes of the region an allocator lives in, or 0. */
static uint64_t region_bytes(const char *specification)
{
    struct node_allocator_error error;
    struct node_heap *heap = calloc(1, sizeof(*heap));
    void *base = NULL;
    size_t bytes = 0;
    if (heap != NULL && node_heap_open(heap, specification, &bench_source, &error)) {
        if (!node_allocator_region(heap->allocator, &base, &bytes)) {
            bytes = 0;
        }
        node_heap_close(heap);
    }
    free(heap);
    return bytes;
}

/* Double the heap of a subject; false when it has none or it is large enough for anything. */
static bool enlarge(struct bench_subject *subject, struct bench_result *result)
{
    char enlarged[256];
    uint64_t bytes = region_bytes(subject->specification);
    if (bytes == 0 || bytes >= HEAP_MAX ||
        !node_specification_with_heap(subject->specification, (bytes + 64) / 64 * 128, enlarged,
                                      sizeof(enlarged))) {
        return false;
    }
    memcpy(subject->specification, enlarged, sizeof(enlarged));
    char before[32];
    bench_write_bytes(before, sizeof(before), bytes);
    bench_note(result, "%s: a heap of %s was too small; enlarged to twice that and run again",
               subject->label, before);
    return true;
}

enum bench_status bench_measure(struct bench *bench, struct bench_subject *subject, bench_body body,
                                const void *parameters, double *values, size_t count,
                                struct bench_result *result)
{
    static double received[TRIAL_VALUES_MAX];
    for (;;) {
        struct child child = {
            .run = {.bench = bench,
                    .specification = subject->specification,
                    .parameters = parameters},
            .body = body,
        };
        bool ran = count < TRIAL_VALUES_MAX && trial_run(run_body, &child, received, count + 1);
        if (bench_is_cancelled()) {
            result->incomplete = true;
            return BENCH_CANCELLED;
        }
        enum bench_status status = ran ? (enum bench_status)received[0] : BENCH_FAILED;
        if (status == BENCH_DONE) {
            memcpy(values, received + 1, count * sizeof(*values));
        }
        if (status != BENCH_FULL || !enlarge(subject, result)) {
            return status;
        }
    }
}

bool bench_samples_open(struct bench_samples *samples, const struct bench *bench, size_t count)
{
    samples->count = count;
    samples->runs = bench->runs;
    size_t all = bench->subject_count * bench->runs * count;
    samples->values = calloc(all, sizeof(*samples->values));
    for (size_t i = 0; samples->values != NULL && i < all; i++) {
        samples->values[i] = NAN;
    }
    return samples->values != NULL;
}

void bench_samples_close(struct bench_samples *samples)
{
    free(samples->values);
    samples->values = NULL;
}

double *bench_samples_at(const struct bench_samples *samples, size_t subject, size_t run)
{
    return samples->values + (subject * samples->runs + run) * samples->count;
}

struct samples_summary bench_samples_summary(const struct bench_samples *samples, size_t subject,
                                             size_t index)
{
    double made[BENCH_RUNS_MAX];
    size_t count = 0;
    for (size_t run = 0; run < samples->runs; run++) {
        double value = bench_samples_at(samples, subject, run)[index];
        if (!isnan(value)) {
            made[count++] = value;
        }
    }
    return samples_summarize(made, count);
}

static void note_status(struct bench_result *result, const struct bench_subject *subject,
                        enum bench_status status)
{
    static const char *const reasons[] = {
        [BENCH_FULL] = "a request failed, and its heap cannot be enlarged",
        [BENCH_FAILED] = "its process failed",
        [BENCH_LEFT_OUT] = "it cannot take part",
    };
    if (status == BENCH_FULL || status == BENCH_FAILED || status == BENCH_LEFT_OUT) {
        bench_note(result, "%s is left out: %s", subject->label, reasons[status]);
    }
}

bool bench_measure_all(struct bench *bench, bench_body body, const void *parameters, size_t count,
                       struct bench_samples *samples, struct bench_result *result)
{
    bool out[BENCH_SUBJECTS_MAX] = {false};
    if (!bench_samples_open(samples, bench, count)) {
        return false;
    }
    for (size_t run = 0; run < bench->runs; run++) {
        for (size_t i = 0; i < bench->subject_count && !bench_is_cancelled(); i++) {
            if (out[i]) {
                continue;
            }
            bench_progress(bench, "run %zu of %zu, %s", run + 1, bench->runs,
                           bench->subjects[i].label);
            enum bench_status status =
                bench_measure(bench, &bench->subjects[i], body, parameters,
                              bench_samples_at(samples, i, run), count, result);
            if (status != BENCH_DONE) {
                out[i] = true;
                note_status(result, &bench->subjects[i], status);
            }
        }
    }
    result->incomplete = result->incomplete || bench_is_cancelled();
    bench_progress_clear(bench);
    return true;
}

/* Results ------------------------------------------------------------------------------------- */

struct bench_table *bench_add_table(struct bench_result *result, const char *name,
                                    const char *title, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, title);
    vsnprintf(text, sizeof(text), title, arguments);
    va_end(arguments);
    struct bench_table *table = &result->tables[result->table_count++];
    bench_table_open(table, name, "%s", text);
    return table;
}

struct plot *bench_add_plot(struct bench_result *result, enum plot_kind kind, const char *name,
                            size_t points, const char *title, ...)
{
    struct plot *plot = &result->plots[result->plot_count];
    if (!plot_open(plot, kind, name, points)) {
        return NULL;
    }
    result->plot_count++;
    va_list arguments;
    va_start(arguments, title);
    vsnprintf(plot->title, sizeof(plot->title), title, arguments);
    va_end(arguments);
    return plot;
}

void bench_note(struct bench_result *result, const char *format, ...)
{
    if (result->note_count == BENCH_NOTES_MAX) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->notes[result->note_count++], sizeof(result->notes[0]), format, arguments);
    va_end(arguments);
}

void bench_result_close(struct bench_result *result)
{
    for (size_t i = 0; i < result->table_count; i++) {
        bench_table_close(&result->tables[i]);
    }
    for (size_t i = 0; i < result->plot_count; i++) {
        plot_close(&result->plots[i]);
    }
    free(result->article);
    memset(result, 0, sizeof(*result));
}

void bench_write_bytes(char *text, size_t size, uint64_t bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    uint64_t rounded = bytes >= 4088 ? (bytes + 8) & ~(uint64_t)15 : bytes;
    while (unit < 4 && rounded >= 1024 && rounded % 1024 == 0) {
        rounded /= 1024;
        unit++;
    }
    snprintf(text, size, "%llu %s", (unsigned long long)rounded, units[unit]);
}
