/*
 * trace.c - see trace.h.
 */
#include "trace.h"
#include "address_table.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include "recording.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 1200

/* What is needed while a trace is read. */
struct reading {
    struct trace *trace;
    struct address_table blocks; /* address to slot */
    uint32_t *sizes;             /* of the block in each slot */
    size_t sizes_capacity;
    uint32_t *unused; /* slots whose block was released, the last first */
    size_t unused_count, unused_capacity;
    uint64_t live;
};

static bool add_step(struct reading *to, uint32_t slot, uint32_t size)
{
    struct trace *trace = to->trace;
    if (!array_reserve(&trace->words, &trace->capacity, 2 * trace->steps + 2,
                       sizeof(*trace->words))) {
        return false;
    }
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
    to->live -= to->sizes[slot];
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
    to->live += clipped;
    to->trace->live_peak = to->live > to->trace->live_peak ? to->live : to->trace->live_peak;
    to->trace->requests++;
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

/* Recordings ----------------------------------------------------------------------------------- */

static bool read_recording(struct reading *to, const char *path, struct command_error *error)
{
    struct recording recording;
    struct program_event event;
    bool done = recording_open(&recording, path, error);
    if (!done) {
        return false;
    }
    struct recording_cursor cursor = {.at = recording.events};
    snprintf(to->trace->program, sizeof(to->trace->program), "%s", recording.header.program);
    while (done && recording_next(&recording, &cursor, &event)) {
        if (event.kind == EVENT_FREE) {
            done = add_call(to, 0, 0, event.block);
        } else if (event.block == 0) {
            to->trace->left_out++;
        } else {
            done = add_call(to, event.block, event.size, event.old);
        }
    }
    recording_close(&recording);
    return done || command_fail(error, "out of memory");
}

/* Text of mtrace ------------------------------------------------------------------------------- */

/* The sign of a line, its address and its size; false: the line is none of mtrace's. */
static bool read_line(const char *line, char *sign, uint64_t *address, uint64_t *size)
{
    const char *at = line;
    *size = 0;
    *address = 0;
    if (line[0] == '@') { /* the caller: "@ FILE:[0x401156]", and FILE may have blanks */
        at = strstr(line, "] ");
        at = at != NULL ? at + 2 : strchr(line + 2, ' ');
        at = at != NULL ? at + strspn(at, " ") : "";
    }
    *sign = *at;
    if (*at == '\0' || strchr("+-<>!", *at) == NULL || at[1] != ' ') {
        return false;
    }
    const char *const numbers = strncmp(at + 2, "(nil)", 5) == 0 ? at + 6 : at + 2;
    const bool is_null = numbers != at + 2; /* ") 0x10" is left: a request that failed */
    const int read = is_null ? 1 + sscanf(numbers + 1, "%" SCNx64, size)
                             : sscanf(numbers, "%" SCNx64 " %" SCNx64, address, size);
    return read == 2 || (read == 1 && (*sign == '-' || *sign == '<'));
}

/* Add the lines of a text. *wrong: the number of a line that is none of mtrace's; 0: none. False:
 * out of memory. */
static bool read_lines(struct reading *to, FILE *file, char line[LINE_BYTES], unsigned long *wrong)
{
    uint64_t old = 0; /* of a realloc whose second line comes next */
    bool done = true;
    *wrong = 0;
    for (unsigned long number = 1; done && fgets(line, LINE_BYTES, file) != NULL; number++) {
        char sign = 0;
        uint64_t address = 0;
        uint64_t size = 0;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '=' || line[0] == '\0') {
            continue;
        }
        if (!read_line(line, &sign, &address, &size) || (sign == '>' && old == 0)) {
            *wrong = number;
            return true;
        }
        if (sign == '<') {
            old = address;
        } else if (sign == '!') { /* a realloc that failed */
            to->trace->left_out++;
            old = 0;
        } else {
            done = sign == '-' ? add_call(to, 0, 0, address)
                               : add_call(to, address, size, sign == '>' ? old : 0);
            old = 0;
        }
    }
    return done;
}

static bool read_text(struct reading *to, const char *path, struct command_error *error)
{
    char line[LINE_BYTES] = "";
    unsigned long wrong = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return command_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
    }
    const bool done = read_lines(to, file, line, &wrong);
    fclose(file);
    if (!done) {
        return command_fail(error, "out of memory");
    }
    for (char *at = line; *at != '\0'; at++) { /* the message is one line of what can be seen */
        if (*at < ' ' || *at > '~') {
            *at = '?';
        }
    }
    return wrong == 0 || command_fail(error,
                                      "%s:%lu: expected a recording of allocbench, or a line of "
                                      "mtrace such as \"@ prog:[0x1] + 0x2a0 0x10\", found "
                                      "\"%.60s\"",
                                      path, wrong, line);
}

bool trace_read(struct trace *trace, const char *path, struct command_error *error)
{
    struct reading reading = {.trace = trace};
    *trace = (struct trace){.words = NULL};
    const bool done = recording_is_one(path) ? read_recording(&reading, path, error)
                                             : read_text(&reading, path, error);
    address_table_close(&reading.blocks);
    free(reading.sizes);
    free(reading.unused);
    return done && (trace->requests > 0 || command_fail(error, "%s: holds no request", path));
}

void trace_close(struct trace *trace)
{
    free(trace->words);
    trace->words = NULL;
}
