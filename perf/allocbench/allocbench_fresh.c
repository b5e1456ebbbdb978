/*
 * allocbench_fresh.c - each run is this program again, in a process that has allocated nothing.
 *
 * A forked child would own the free memory of its parent's heap. What an allocator takes from there
 * is held before and after, so it would not be counted, and it lies elsewhere than what the
 * allocator asks for itself. So this program executes itself: 1. the words of the run come before
 * the words of the command line, so both processes have the same parameters; 2. its input,
 * such as the sizes of requests, is in a file in memory, which the new process maps; 3. it prints a
 * line "name,value" per value, whose name is its number; its exit status is the outcome.
 */
#include "allocbench.h"
#include "base/macros.h"
#include "base/program/child.h"
#include "base/program/csv_child.h"
#include "base/pw_assert.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN_WORD  "a-run"
#define WORD_SIZE 256

/* The words of a run, after the name of the program. */
enum {
    RUN,
    RUN_BODY,   /* its place in the experiment's list */
    RUN_VALUES, /* how many */
    RUN_COUNT,  /* the items of its input, which is stdin; 0: there is none */
    RUN_TICK,   /* of the clock: nanoseconds per tick, and the ticks of a reading */
    RUN_READING,
    RUN_SPECIFICATION,
    RUN_WORDS
};

void *bench_map(size_t bytes)
{
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return mapped == MAP_FAILED ? NULL : mapped;
}

void bench_input_close(struct bench_input *input)
{
    if (input->items != NULL) {
        munmap((uint32_t *)input->items, input->count * sizeof(*input->items));
        input->items = NULL;
    }
}

/* The place of a body in the list of an experiment; BENCH_BODIES_MAX: it is not there. */
static size_t place_of(const struct bench_experiment *experiment, bench_body body)
{
    size_t place = 0;
    while (place < BENCH_BODIES_MAX && experiment->bodies[place] != body) {
        place++;
    }
    return place;
}

bool bench_is_apart(const struct bench *bench, bench_body body)
{
    return place_of(bench->experiment, body) < BENCH_BODIES_MAX;
}

/* Put an input into a file in memory. Returns its descriptor, or -1. */
static int write_input(const struct bench_input *input)
{
    const size_t bytes = input->count * sizeof(*input->items);
    const int file = memfd_create("allocbench", 0);
    void *map = MAP_FAILED;
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0) {
        map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    if (map == MAP_FAILED) {
        if (file >= 0) {
            close(file);
        }
        return -1;
    }
    memcpy(map, input->items, bytes);
    munmap(map, bytes);
    return file;
}

/* Become the process of a run, in a forked child whose output is a pipe. The command of the
 * program's own operands, after "--", is no matter of a run. */
__attribute__((noreturn)) static void execute(const struct bench_run *run, bench_body body,
                                              size_t value_count)
{
    static char texts[RUN_WORDS][WORD_SIZE] = {[RUN] = RUN_WORD};
    static char name[] = "allocbench";
    const struct bench *bench = run->bench;
    const struct bench_input *input = run->parameters;
    char *const *own = bench->words;
    size_t own_count = 0;
    while (own != NULL && own[own_count] != NULL && strcmp(own[own_count], "--") != 0) {
        own_count++;
    }
    snprintf(texts[RUN_BODY], WORD_SIZE, "%zu", place_of(bench->experiment, body));
    snprintf(texts[RUN_VALUES], WORD_SIZE, "%zu", value_count);
    snprintf(texts[RUN_COUNT], WORD_SIZE, "%zu", input != NULL ? input->count : 0);
    snprintf(texts[RUN_TICK], WORD_SIZE, "%a", bench->clock.ns_per_tick);
    snprintf(texts[RUN_READING], WORD_SIZE, "%u", bench->clock.reading_ticks);
    snprintf(texts[RUN_SPECIFICATION], WORD_SIZE, "%s", run->specification);
    char **words = calloc(1 + RUN_WORDS + own_count + 1, sizeof(*words));
    if (words == NULL) {
        _exit(BENCH_FAILED);
    }
    words[0] = name;
    for (size_t i = 0; i < RUN_WORDS; i++) {
        words[1 + i] = texts[i];
    }
    for (size_t i = 0; i < own_count; i++) {
        words[1 + RUN_WORDS + i] = own[i];
    }
    for (size_t i = 0; run->environment != NULL && i < 2 && run->environment[i] != NULL; i++) {
        putenv((char *)run->environment[i]);
    }
    execv("/proc/self/exe", words);
    _exit(BENCH_FAILED);
}

/* Take the values that the process of a run prints, and its outcome. */
static enum bench_status read_run(pid_t process, int in, double *values, size_t value_count)
{
    static const char *const names[] = {"name", "value"};
    struct csv_child child = {.process = process, .in = fdopen(in, "r")};
    size_t read = 0;
    child_watch(process);
    if (child.in == NULL) {
        close(in);
    } else {
        const bool has_heading = csv_child_heading(&child, names, COUNT_OF(names));
        while (has_heading && csv_child_row(&child)) {
            const size_t place = strtoul(child.cells[0], NULL, 10);
            if (place < value_count) {
                values[place] = strtod(child.cells[1], NULL);
                read++;
            }
        }
        csv_child_close(&child);
    }
    const int status = child_wait(process, NULL);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > BENCH_DIVERGED) {
        return BENCH_FAILED;
    }
    return WEXITSTATUS(status) == BENCH_DONE && read < value_count
               ? BENCH_FAILED
               : (enum bench_status)WEXITSTATUS(status);
}

enum bench_status bench_run_apart(const struct bench_run *run, bench_body body, double *values,
                                  size_t value_count)
{
    const struct bench_input *input = run->parameters;
    enum bench_status status = BENCH_FAILED;
    int ends[2];
    pw_assert(bench_is_apart(run->bench, body) && value_count > 0);
    const int file = input != NULL ? write_input(input) : -1;
    if ((input == NULL || file >= 0) && pipe(ends) == 0) {
        const pid_t process = fork();
        if (process == 0) {
            close(ends[0]);
            if (dup2(ends[1], STDOUT_FILENO) == STDOUT_FILENO &&
                (file <= 0 || (dup2(file, STDIN_FILENO) == STDIN_FILENO && close(file) == 0))) {
                close(ends[1]);
                execute(run, body, value_count);
            }
            _exit(BENCH_FAILED);
        }
        close(ends[1]);
        if (process > 0) {
            status = read_run(process, ends[0], values, value_count);
        } else {
            close(ends[0]);
        }
    }
    if (file >= 0) {
        close(file);
    }
    return status;
}

char **bench_command_line(char **words)
{
    size_t count = 0;
    while (words[count] != NULL && count < 1 + RUN_WORDS) {
        count++;
    }
    return count == 1 + RUN_WORDS && strcmp(words[1], RUN_WORD) == 0 ? words + RUN_WORDS : words;
}

/* Print the values of a run, and close the descriptor. False: some could not be written. */
static bool print_values(int descriptor, const double *values, size_t count)
{
    FILE *out = fdopen(descriptor, "w");
    if (out == NULL) {
        close(descriptor);
        return false;
    }
    fputs("name,value\n", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%zu,%a\n", i, values[i]);
    }
    return fclose(out) == 0;
}

int bench_run_main(struct bench *bench, char *const *words)
{
    char *const *of_run = words + 1;
    const size_t place = strtoul(of_run[RUN_BODY], NULL, 10);
    const size_t value_count = strtoul(of_run[RUN_VALUES], NULL, 10);
    struct bench_input input = {.count = strtoul(of_run[RUN_COUNT], NULL, 10)};
    /* whatever else prints, a plug-in say, must not print between the values */
    const int out = dup(STDOUT_FILENO);
    double *values = bench_map(value_count * sizeof(*values));
    if (place >= BENCH_BODIES_MAX || bench->experiment->bodies[place] == NULL || out < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || values == NULL) {
        close(out);
        return BENCH_FAILED;
    }
    if (input.count > 0) {
        void *map = mmap(NULL, input.count * sizeof(*input.items), PROT_READ,
                         MAP_SHARED | MAP_POPULATE, STDIN_FILENO, 0);
        if (map == MAP_FAILED) {
            close(out);
            return BENCH_FAILED;
        }
        input.items = map;
    }
    bench->clock.ns_per_tick = strtod(of_run[RUN_TICK], NULL);
    bench->clock.reading_ticks = (uint32_t)strtoul(of_run[RUN_READING], NULL, 10);
    const struct bench_run run = {.bench = bench,
                                  .specification = of_run[RUN_SPECIFICATION],
                                  .parameters = input.count > 0 ? &input : NULL};
    const enum bench_status status = bench->experiment->bodies[place](&run, values);
    if (status != BENCH_DONE) {
        close(out);
        return (int)status;
    }
    return print_values(out, values, value_count) ? BENCH_DONE : BENCH_FAILED;
}
