/*
 * trace.c - see trace.h.
 */
#include "trace.h"
#include "address_table.h"
#include "base/array_reserve.h"
#include "base/one_line.h"
#include "base/pw_assert.h"
#include "recording.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is needed while a trace is read. */
struct reading {
    struct trace *trace;
    struct address_table blocks; /* address to slot */
    uint32_t *sizes;             /* of the block in each slot */
    size_t sizes_capacity;
    uint32_t *unused; /* slots whose block was released, the last first */
    size_t unused_count, unused_capacity;
    struct recording_cursor cursor;
};

static bool add_step(struct reading *to, uint32_t slot, uint32_t size)
{
    struct trace *trace = to->trace;
    if (!array_reserve(&trace->words, &trace->capacity, 2 * trace->steps + 2,
                       sizeof(*trace->words))) {
        return false;
    }
    if (!array_reserve(&trace->marks, &trace->marks_capacity, 2 * trace->steps + 2,
                       sizeof(*trace->marks))) {
        return false;
    }
    trace->marks[2 * trace->steps] = to->cursor.thread;
    trace->marks[2 * trace->steps + 1] = size > 0 ? (uint32_t)to->cursor.site : 0;
    trace->words[2 * trace->steps] = slot;
    trace->words[2 * trace->steps + 1] = size;
    trace->steps++;
    return true;
}

/* Take the block at an address out of the table; its slot is still in use. False: the trace has not
 * requested it. */
static bool detach(struct reading *to, uint64_t address, uint32_t *slot)
{
    bool is_new = false;
    struct address_entry *entry =
        address != 0 ? address_table_find(&to->blocks, address, &is_new) : NULL;
    if (entry == NULL || entry->value == ADDRESS_FREE) {
        return false;
    }
    *slot = (uint32_t)entry->value;
    entry->value = ADDRESS_FREE;
    return true;
}

/* Release the block of a slot. False: out of memory. */
static bool add_release(struct reading *to, uint32_t slot)
{
    pw_assert(slot < to->trace->slots);
    to->trace->live_end -= to->sizes[slot];
    if (!array_reserve(&to->unused, &to->unused_capacity, to->unused_count + 1,
                       sizeof(*to->unused))) {
        return false;
    }
    to->unused[to->unused_count++] = slot;
    to->trace->releases++;
    return add_step(to, slot, 0);
}

/* Request a block that the program got at an address, which is not alive. False: out of memory. */
static bool add_request(struct reading *to, uint64_t address, uint64_t size)
{
    bool is_new = false;
    struct address_entry *entry = address_table_find(&to->blocks, address, &is_new);
    if (entry == NULL || !array_reserve(&to->sizes, &to->sizes_capacity,
                                        (size_t)to->trace->slots + 1, sizeof(*to->sizes))) {
        return false;
    }
    const uint32_t slot =
        to->unused_count > 0 ? to->unused[--to->unused_count] : to->trace->slots++;
    const uint32_t clipped = size < 1 ? 1 : size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
    pw_assert(entry->value == ADDRESS_FREE);
    entry->value = slot;
    to->sizes[slot] = clipped;
    struct trace *trace = to->trace;
    trace->live_end += clipped;
    trace->live_peak = trace->live_end > trace->live_peak ? trace->live_end : trace->live_peak;
    trace->requests++;
    return add_step(to, slot, clipped);
}

/* A call: a request at an address (0: none), and the release of an older block (0: none). False:
 * out of memory. */
static bool add_call(struct reading *to, uint64_t address, uint64_t size, uint64_t old)
{
    uint32_t old_slot = 0;
    uint32_t lost_slot = 0;
    const bool has_old = detach(to, old, &old_slot);
    /* an address that is alive was released where the trace does not show it */
    const bool has_lost = detach(to, address, &lost_slot);
    to->trace->left_out += (address == 0 && size > 0) || (old != 0 && !has_old && address == 0);
    return (!has_lost || add_release(to, lost_slot)) &&
           (address == 0 || add_request(to, address, size)) &&
           (!has_old || add_release(to, old_slot));
}

/* Keep the texts of the sites that the cursor has passed. False: out of memory. */
static bool add_sites(struct trace *trace, const struct recording_cursor *cursor)
{
    while (trace->site_count < cursor->sites) {
        if (!array_reserve(&trace->sites, &trace->sites_capacity, trace->site_count + 1,
                           sizeof(*trace->sites))) {
            return false;
        }
        char *text = strndup(cursor->text, cursor->text_bytes);
        if (text == NULL) {
            return false;
        }
        one_line(text); /* of files with any names */
        trace->sites[trace->site_count++] = text;
    }
    return true;
}

static bool read_recording(struct reading *to, const char *path, struct command_error *error)
{
    struct recording recording;
    struct program_event event;
    bool done = recording_open(&recording, path, error);
    if (!done) {
        return false;
    }
    to->cursor.at = recording.events;
    snprintf(to->trace->program, sizeof(to->trace->program), "%s", recording.header.program);
    to->trace->resident_most = recording.header.resident_most;
    while (done && recording_next(&recording, &to->cursor, &event)) {
        done = add_sites(to->trace, &to->cursor);
        if (event.kind == EVENT_FREE) {
            done = done && add_call(to, 0, 0, event.block);
        } else if (event.block == 0) {
            to->trace->left_out++;
        } else {
            done = done && add_call(to, event.block, event.size, event.old);
        }
    }
    recording_close(&recording);
    return done || command_fail(error, "out of memory");
}

bool trace_read(struct trace *trace, const char *path, struct command_error *error)
{
    struct reading reading = {.trace = trace};
    *trace = (struct trace){.words = NULL};
    const bool done = read_recording(&reading, path, error);
    address_table_close(&reading.blocks);
    free(reading.sizes);
    free(reading.unused);
    return done && (trace->requests > 0 || command_fail(error, "%s: holds no request", path));
}

void trace_close(struct trace *trace)
{
    for (size_t i = 0; i < trace->site_count; i++) {
        free(trace->sites[i]);
    }
    free(trace->sites);
    free(trace->marks);
    free(trace->words);
    trace->words = NULL; /* its numbers stay, for the words about it */
    trace->marks = NULL;
    trace->sites = NULL;
    trace->site_count = 0;
}
