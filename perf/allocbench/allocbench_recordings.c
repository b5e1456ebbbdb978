/*
 * allocbench_recordings.c - see allocbench_recordings.h.
 */
#include "allocbench_recordings.h"
#include "allocbench_unseen.h"
#include "base/pw_assert.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_BYTES 4096

/* A process that a signal ended has not said what it held. Of the command's own one the system says
 * the most that was resident; its files, variables and stacks are taken off. The system counts by
 * tens of pages, so that less than these may be left: then a page is. */
static void add_memory(struct recording_header *header, const struct launch *launch)
{
    if (header->held_most == 0 && header->process == launch->control->command && header->rest > 0 &&
        launch->resident_most > 0) {
        header->held_most = launch->resident_most > header->rest + PAGE_BYTES
                                ? launch->resident_most - header->rest
                                : PAGE_BYTES;
    }
}

/* Open the recording with a number, if there is one: a process that could not write leaves none.
 * False with error set if it cannot be read. */
static bool open_one(struct recordings *all, const struct launch *launch, uint32_t number,
                     struct command_error *error)
{
    char path[sizeof(launch->folder) + 32];
    snprintf(path, sizeof(path), "%s/%06u.log", launch->folder, number);
    if (!recording_is_one(path)) {
        return true;
    }
    if (!recording_open(&all->list[all->count], path, error)) {
        return false;
    }
    if (!recording_summarize(&all->list[all->count], &all->summaries[all->count])) {
        recording_close(&all->list[all->count]);
        return command_fail(error, "out of memory");
    }
    add_memory(&all->list[all->count].header, launch);
    all->count++;
    return true;
}

/* The programs that were recorded, as a list. */
static const char *list_programs(const struct recordings *all, char text[300])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < all->count && used < 200; i++) {
        const char *program = all->list[i].header.program;
        if (strstr(text, program) == NULL) {
            used +=
                (size_t)snprintf(text + used, 300 - used, "%s%s", used > 0 ? ", " : "", program);
        }
    }
    return text;
}

/* Choose the recording of the command's process, the last one: by exec it may have become another
 * program, as a wrapper does. Of the programs with a name it is the one with most requests. */
static bool choose(struct recordings *all, const struct launch *launch, const char *only,
                   struct command_error *error)
{
    char list[300], reason[UNSEEN_SIZE];
    const int place_error = launch->control->place_error;
    for (size_t i = 0; i < all->count; i++) {
        const struct recording_header *header = &all->list[i].header;
        if (only != NULL ? header->is_forked : header->process != launch->control->command) {
            continue;
        }
        all->meant++;
        if (all->meant == 1 || only == NULL ||
            all->summaries[i].requests > all->summaries[all->chosen].requests) {
            all->chosen = i;
            all->number = all->meant;
        }
    }
    return all->meant > 0 ||
           command_fail(error, "%.200s: nothing of it is recorded: %s; recorded: %s",
                        only != NULL ? only : launch->command[0],
                        place_error != 0 ? strerror(place_error)
                        : only != NULL   ? "it made no call"
                                         : unseen_reason(launch->command[0], reason),
                        list_programs(all, list));
}

bool recordings_is_largest(const struct recordings *all, size_t index)
{
    const struct recording_header *own = &all->list[index].header;
    for (size_t i = 0; i < all->count; i++) {
        const struct recording_header *header = &all->list[i].header;
        const uint64_t more = all->summaries[i].requests, here = all->summaries[index].requests;
        if (i != all->chosen && header->is_forked == own->is_forked &&
            strcmp(header->program, own->program) == 0 &&
            (more > here || (more == here && i < index))) {
            return false;
        }
    }
    return true;
}

bool recordings_load(struct recordings *all, const struct launch *launch, const char *only,
                     struct command_error *error)
{
    const struct program_control *control = launch->control;
    const uint32_t started = control->started;
    char reason[UNSEEN_SIZE];
    *all = (struct recordings){.count = 0};
    if (control->loaded == 0) {
        return command_fail(error, "%.200s: nothing is recorded: %s", launch->command[0],
                            unseen_reason(launch->command[0], reason));
    }
    if (started == 0 && control->place_error != 0) {
        return command_fail(error, "%.200s: the recording could not be started: %s",
                            only != NULL ? only : launch->command[0],
                            strerror(control->place_error));
    }
    if (started == 0) {
        return command_fail(error, "no program named %.200s is among the %u that were seen", only,
                            control->loaded);
    }
    if (started > RECORDINGS_MAX) {
        return command_fail(error, "%u processes are too many; --only=NAME picks one program",
                            started);
    }
    all->list = calloc(started, sizeof(*all->list));
    all->summaries = calloc(started, sizeof(*all->summaries));
    bool done = all->list != NULL && all->summaries != NULL;
    if (!done) {
        return command_fail(error, "out of memory");
    }
    for (uint32_t i = 0; done && i < started; i++) {
        done = open_one(all, launch, i, error);
    }
    return done && choose(all, launch, only, error) &&
           (unseen_memory(&all->list[all->chosen].header, &all->summaries[all->chosen], reason) !=
                UNSEEN_ALL ||
            command_fail(error, "%s", reason));
}

void bench_note_others(struct bench *bench, const struct recordings *all)
{
    const struct recording_header *own = &all->list[all->chosen].header;
    size_t most = all->chosen;
    for (size_t i = 0; i < all->count; i++) {
        most = all->summaries[i].requests > all->summaries[most].requests ? i : most;
    }
    const struct recording_header *other = &all->list[most].header;
    char advice[160] = "";
    if (most == all->chosen) {
        return;
    }
    if (!other->is_forked && strcmp(other->program, own->program) != 0) {
        snprintf(advice, sizeof(advice), "; --only=%s is about that one", other->program);
    }
    bench_note(bench, "%s%s made %llu requests, more than %s with %llu%s", other->program,
               other->is_forked ? " (a child of a fork)" : "",
               (unsigned long long)all->summaries[most].requests, own->program,
               (unsigned long long)all->summaries[all->chosen].requests, advice);
}

void recordings_close(struct recordings *all)
{
    for (size_t i = 0; i < all->count; i++) {
        recording_close(&all->list[i]);
    }
    free(all->list);
    free(all->summaries);
}
