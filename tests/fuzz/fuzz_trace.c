/*
 * fuzz_trace.c - any bytes as a recording.
 *
 * What is read must be calls that a program could make: a slot holds one block at a time, a release
 * is of a block, and the counts and the most bytes alive are as in a model.
 */
#include "fuzz.h"
#include "perf/program/recording.h"
#include "perf/program/trace.h"
#include <stdlib.h>

static struct fuzz_file file;

void fuzz_setup(void)
{
    fuzz_file_create(&file);
}

/* Follow the steps with a model. */
static void check_steps(const struct trace *trace)
{
    uint64_t live = 0;
    uint64_t most = 0;
    uint64_t requests = 0;
    uint32_t *sizes = calloc((size_t)trace->slots + 1, sizeof(*sizes)); /* 0: none */
    fuzz_require(sizes != NULL);
    for (size_t i = 0; i < trace->steps; i++) {
        const uint32_t slot = trace->words[2 * i];
        const uint32_t size = trace->words[2 * i + 1];
        fuzz_require(slot < trace->slots);
        fuzz_require((sizes[slot] == 0) == (size > 0));
        live += size > 0 ? size : 0;
        live -= size > 0 ? 0 : sizes[slot];
        sizes[slot] = size;
        requests += size > 0;
        most = live > most ? live : most;
    }
    fuzz_require(requests == trace->requests);
    fuzz_require(trace->steps == trace->requests + trace->releases);
    fuzz_require(most == trace->live_peak);
    free(sizes);
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct trace trace;
    struct recording recording;
    struct recording_summary summary;
    struct command_error error = {""};
    fuzz_file_fill(&file, bytes, length);
    if (trace_read(&trace, file.path, &error)) {
        check_steps(&trace);
    } else {
        fuzz_require_line(error.message);
    }
    trace_close(&trace);
    if (recording_open(&recording, file.path, &error)) {
        fuzz_require(recording_summarize(&recording, &summary));
        fuzz_require(summary.requests + summary.releases <= length);
        recording_close(&recording);
    } else {
        fuzz_require_line(error.message);
    }
}
