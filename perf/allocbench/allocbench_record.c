/*
 * allocbench_record.c - `allocbench record`: what a command asks of malloc, as files.
 *
 * 1. The command runs once, with its own standard streams and the library of perf/program before
 *    it, which writes a recording per process.
 * 2. The recording of the command becomes the file, or the recording of the program that --only
 *    names: if several have the name, the one that asks most is taken. Each other program is
 *    FILE.NAME, and the child of its fork FILE.NAME.fork, if they ask for anything. The files are
 *    replaced when they are whole.
 */
#include "allocbench.h"
#include "allocbench_recordings.h"
#include "allocbench_unseen.h"
#include "base/program/interrupt.h"
#include "base/program/output.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

/* Copy a recording: the header, and the events that are counted in it. */
static bool copy(const struct recording *recording, const char *path, struct command_error *error)
{
    const size_t head = sizeof(recording->header); /* which has what was seen from outside, too */
    const size_t bytes = RECORDING_HEADER + recording->header.bytes;
    FILE *out = output_open(path, error);
    if (out == NULL) {
        return false;
    }
    fwrite(&recording->header, 1, head, out); /* a failure is kept by the stream */
    fwrite((const char *)recording->mapped + head, 1, bytes - head, out);
    return output_close(out, path, true, error);
}

/* True if a recording becomes a file. only: the name of the program that is meant, or NULL. */
static bool is_kept(const struct recordings *all, size_t index, const char *only)
{
    const bool is_other = only == NULL || all->list[index].header.is_forked;
    return index == all->chosen ||
           (is_other && all->summaries[index].requests > 0 && recordings_is_largest(all, index));
}

/* One line about a recording. */
static void report(const struct recording *recording, const struct recording_summary *summary,
                   const char *path)
{
    const struct recording_header *header = &recording->header;
    char live[40], unseen[UNSEEN_SIZE];
    const double bytes = (double)summary->live_peak;
    snprintf(live, sizeof(live), bytes < 1048576 ? "%.1f KiB" : "%.1f MiB",
             bytes / (bytes < 1048576 ? 1024 : 1048576));
    fprintf(stderr,
            "allocbench: %s: %s%s made %llu requests and %llu releases, at most %s alive%s\n", path,
            header->program, header->is_forked ? " (a child of a fork)" : "",
            (unsigned long long)summary->requests, (unsigned long long)summary->releases, live,
            header->threads > 1 ? ", in several threads" : "");
    if (header->stopped != 0) {
        fprintf(stderr, "allocbench: %s: the recording ends early: %s\n", path,
                strerror(header->stopped));
    }
    if (unseen_memory(header, summary, unseen) != UNSEEN_LITTLE) {
        fprintf(stderr, "allocbench: %s: %s\n", path, unseen);
    }
    if (header->missing > 0) {
        fprintf(stderr, "allocbench: %s: %llu calls of signal handlers are missing\n", path,
                (unsigned long long)header->missing);
    }
}

/* The file that a recording goes to: of another program than the chosen one, the path and the
 * program's name, without what would lead elsewhere or be a wildcard. */
static void name_file(const struct recordings *all, size_t index, const char *path, char name[800])
{
    const struct recording_header *header = &all->list[index].header;
    const bool is_chosen = index == all->chosen;
    const int length = snprintf(name, 800, "%.600s%s", path, is_chosen ? "" : ".");
    if (!is_chosen) {
        snprintf(name + length, 800 - (size_t)length, "%s%s", header->program,
                 header->is_forked ? ".fork" : "");
        for (char *at = name + length; *at != '\0'; at++) {
            if (*at == '/' || *at == '?') {
                *at = '_';
            }
        }
    }
}

/* True if two recordings are of programs of one name, both by a start or both by a fork. */
static bool is_alike(const struct recording_header *one, const struct recording_header *other)
{
    return one->is_forked == other->is_forked && strcmp(one->program, other->program) == 0;
}

/* Say how many processes have the name of a kept one and are not kept, and what they all made. */
static void report_others(const struct recordings *all, size_t index, const char *only)
{
    const struct recording_header *header = &all->list[index].header;
    unsigned long long requests = 0;
    size_t count = 0, left_out = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (!is_alike(&all->list[i].header, header) || all->summaries[i].requests == 0) {
            continue;
        }
        if (i < index && is_kept(all, i, only)) {
            return; /* said with that one */
        }
        count++;
        requests += all->summaries[i].requests;
        left_out += !is_kept(all, i, only);
    }
    if (left_out > 0) {
        fprintf(stderr,
                "allocbench: %s%s: %zu more of this name %s not kept; all %zu made %llu requests\n",
                header->program, header->is_forked ? " (children of a fork)" : "", left_out,
                left_out == 1 ? "is" : "are", count, requests);
    }
}

/* Write the recordings of a run. */
static bool write_all(const struct launch *launch, const char *only, const char *path,
                      struct file_claims *claims, struct command_error *error)
{
    struct recordings all;
    char name[800];
    bool done = recordings_load(&all, launch, only, error);
    for (size_t i = 0; done && i < all.count; i++) {
        if (!is_kept(&all, i, only)) {
            continue;
        }
        name_file(&all, i, path, name);
        done = (i == all.chosen || file_claims_have(claims, name, true, error)) &&
               copy(&all.list[i], name, error);
        if (done) {
            report(&all.list[i], &all.summaries[i], name);
            report_others(&all, i, only);
        }
    }
    recordings_close(&all);
    return done;
}

int bench_record_program(const struct program_parameters *parameters, const char *path,
                         struct command_error *error)
{
    struct launch launch = {.command = parameters->command, .inherits = true};
    struct launch_outcome outcome;
    struct file_claims claims = {.count = 0};
    char end[100];
    char command[PATH_MAX];
    pw_assert(path != NULL && parameters->command != NULL);
    if (unseen_file(parameters->command[0], command)) {
        file_claims_add(&claims, command, false);
    }
    if (!file_claims_have(&claims, path, true, error)) {
        return EXIT_FAILED;
    }
    if (!launch_open(&launch, error)) {
        return EXIT_FAILED;
    }
    launch_choose(&launch, parameters->only);
    launch.control->sites = parameters->sites;
    bool done = launch_run(&launch, LAUNCH_PRELOAD, PROGRAM_RECORD, NULL, &outcome, error) &&
                write_all(&launch, parameters->only, path, &claims, error);
    launch_close(&launch);
    if (!done) {
        return EXIT_FAILED;
    }
    if (launch_bad_end(&outcome, end) != NULL) {
        fprintf(stderr, "allocbench: %s; its recording ends there\n", end);
        return 128 + WTERMSIG(outcome.status);
    }
    return WEXITSTATUS(outcome.status);
}
