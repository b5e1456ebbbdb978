/*
 * recording.c - see recording.h.
 */
#include "recording.h"
#include "address_table.h"
#include "base/one_line.h"
#include "base/pw_assert.h"
#include "block_store.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reading -------------------------------------------------------------------------------------- */

/* False with error set if this is no header, or a file of this size cannot have it. */
static bool is_sound(const struct recording *recording, const char *path,
                     struct command_error *error)
{
    const struct recording_header *header = &recording->header;
    if (header->magic != RECORDING_MAGIC) {
        return command_fail(error, "%s: is not a recording of allocbench", path);
    }
    if (header->version < 2 || header->version > RECORDING_VERSION) {
        return command_fail(error, "%s: is a recording of version %u, this program reads 2 to %d",
                            path, header->version, RECORDING_VERSION);
    }
    if (header->bytes > recording->mapped_bytes - RECORDING_HEADER) {
        return command_fail(
            error, "%s: is cut: %llu bytes of calls are missing", path,
            (unsigned long long)(header->bytes + RECORDING_HEADER - recording->mapped_bytes));
    }
    return (memchr(header->program, '\0', sizeof(header->program)) != NULL &&
            memchr(header->file, '\0', sizeof(header->file)) != NULL) ||
           command_fail(error, "%s: is not a recording of allocbench", path);
}

/* True if every call can be read, and lies where a recording has blocks. */
static bool is_readable(const struct recording *recording)
{
    struct recording_cursor cursor = {.at = recording->events};
    struct program_event event;
    uint64_t calls = 0;
    const bool is_placed = recording->header.version < 4 || recording->header.is_placed;
    const uint64_t most =
        is_placed ? BLOCK_PAGES_MAX * BLOCK_PAGE_BYTES / BLOCK_UNIT : UINT64_MAX / 8;
    while (recording_next(recording, &cursor, &event)) {
        calls++;
        if (event.block >= most || event.old >= most || event.alignment_shift > 63) {
            return false;
        }
    }
    /* a process that was killed may have counted one call more or less than it wrote */
    return cursor.at == recording->end && calls + 1 >= recording->header.calls &&
           calls <= recording->header.calls + 1;
}

bool recording_open(struct recording *recording, const char *path, struct command_error *error)
{
    struct stat status;
    *recording = (struct recording){.mapped = NULL};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
        command_fail(error, "%s: cannot be opened: %s", path, strerror(errno));
        if (file >= 0) {
            close(file);
        }
        return false;
    }
    recording->mapped_bytes = (size_t)status.st_size;
    if (recording->mapped_bytes >= RECORDING_HEADER && S_ISREG(status.st_mode)) {
        recording->mapped = mmap(NULL, recording->mapped_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    }
    close(file);
    if (recording->mapped == NULL || recording->mapped == MAP_FAILED) {
        const bool is_short = recording->mapped == NULL;
        recording->mapped = NULL;
        return command_fail(
            error, is_short ? "%s: is not a recording of allocbench" : "%s: cannot be mapped",
            path);
    }
    memcpy(&recording->header, recording->mapped, sizeof(recording->header));
    if (!is_sound(recording, path, error)) {
        recording_close(recording);
        return false;
    }
    one_line(recording->header.program); /* as the program called itself */
    one_line(recording->header.file);
    recording->events = (const uint8_t *)recording->mapped + RECORDING_HEADER;
    recording->end = recording->events + recording->header.bytes;
    if (!is_readable(recording)) {
        recording_close(recording);
        return command_fail(error, "%s: is corrupt: it holds calls that no program made", path);
    }
    return true;
}

void recording_close(struct recording *recording)
{
    if (recording->mapped != NULL) {
        munmap(recording->mapped, recording->mapped_bytes);
        recording->mapped = NULL;
    }
}

bool recording_is_one(const char *path)
{
    uint64_t magic = 0;
    FILE *file = fopen(path, "rb");
    const bool is_one =
        file != NULL && fread(&magic, sizeof(magic), 1, file) == 1 && magic == RECORDING_MAGIC;
    if (file != NULL) {
        fclose(file);
    }
    return is_one;
}

bool recording_next(const struct recording *recording, struct recording_cursor *cursor,
                    struct program_event *event)
{
    const uint8_t *at = cursor->at;
    pw_assert(at >= recording->events && at <= recording->end);
    while ((at = event_get(at, recording->end, event, &cursor->last)) != NULL) {
        cursor->at = at;
        if (event->kind < EVENT_THREAD) {
            return true;
        }
        if (event->kind == EVENT_THREAD) {
            cursor->thread = (uint32_t)event->size;
        } else if (event->size & 1) {
            cursor->site = ++cursor->sites;
            cursor->text_bytes = (size_t)(event->size / 2);
            cursor->text = (const char *)at - cursor->text_bytes;
        } else {
            cursor->site = event->size / 2 <= cursor->sites ? event->size / 2 : 0;
        }
    }
    return false;
}

/* Counting ------------------------------------------------------------------------------------- */

/* Count a request or release of size bytes at a block. False: out of memory. */
static bool count_block(struct recording_summary *summary, struct address_table *blocks,
                        uint64_t block, uint64_t size, bool is_request)
{
    bool is_new = false;
    if (block == 0) {
        return true;
    }
    struct address_entry *entry = address_table_find(blocks, block, &is_new);
    if (entry == NULL) {
        return false;
    }
    if (entry->value != ADDRESS_FREE) {
        summary->live_end -= entry->value;
    }
    entry->value = is_request ? size : ADDRESS_FREE;
    summary->live_end += is_request ? size : 0;
    return true;
}

static void count_size(struct recording_summary *summary, const struct program_event *event)
{
    const uint64_t size = event->size | (event->size == 0);
    const size_t bucket = 63 - (size_t)__builtin_clzll(size);
    summary->requests++;
    summary->callocs += event->kind == EVENT_CALLOC;
    summary->reallocs += event->kind == EVENT_REALLOC;
    summary->aligned += event->kind == EVENT_ALIGNED;
    if (event->block == 0) {
        summary->failed++;
        return;
    }
    summary->requested_bytes += event->size;
    summary->buckets[bucket < SIZE_BUCKETS ? bucket : SIZE_BUCKETS - 1]++;
}

bool recording_summarize(const struct recording *recording, struct recording_summary *summary)
{
    struct recording_cursor cursor = {.at = recording->events};
    struct address_table blocks = {.entries = NULL};
    struct program_event event;
    bool done = true;
    *summary = (struct recording_summary){0};
    while (done && recording_next(recording, &cursor, &event)) {
        if (event.kind == EVENT_FREE) {
            summary->releases++;
            done = count_block(summary, &blocks, event.block, 0, false);
            continue;
        }
        count_size(summary, &event);
        if (event.kind == EVENT_REALLOC && event.block != 0) {
            done = count_block(summary, &blocks, event.old, 0, false);
        }
        done = done && count_block(summary, &blocks, event.block, event.size, true);
        summary->live_peak =
            summary->live_end > summary->live_peak ? summary->live_end : summary->live_peak;
    }
    address_table_close(&blocks);
    return done;
}

/* What a replay needs -------------------------------------------------------------------------- */

/* The tables of a replay, as block_store.h has them. */
struct pages {
    uint8_t classes[BLOCK_PAGES_MAX];
    uint32_t extents[BLOCK_PAGES_MAX];
};
_Static_assert(sizeof(struct pages) == PAGES_BYTES, "no gap between the tables");

/* Note the class of the page in which a block begins, as the recording gave it to a new one, and
 * how many pages it needs. */
static void note_pages(struct pages *pages, const struct program_event *event)
{
    const size_t size = event->size > 0 ? event->size : 1;
    const size_t alignment = (size_t)1 << event->alignment_shift;
    const size_t wanted = event->kind == EVENT_ALIGNED   ? aligned_size(alignment, size)
                          : event->kind == EVENT_REALLOC ? moved_size(size)
                                                         : size;
    const uint64_t page = event->block * BLOCK_UNIT / BLOCK_PAGE_BYTES;
    pw_assert(page < BLOCK_PAGES_MAX);
    if (event->block != event->old && wanted <= BLOCK_BYTES_MAX) {
        pages->classes[page] = (uint8_t)(class_of_size(wanted) + 1);
    }
    if (pages->classes[page] > 0) {
        const uint32_t extent = pages_of_size(pages->classes[page] - 1U, size);
        pages->extents[page] = extent > pages->extents[page] ? extent : pages->extents[page];
    }
}

/* Write the words of the table, and note the pages. False: no memory, or the disk is full. */
static bool write_table(const struct recording *recording, struct pages *pages, FILE *out,
                        uint64_t *requests)
{
    struct recording_cursor cursor = {.at = recording->events};
    struct address_table blocks = {.entries = NULL};
    struct program_event event;
    bool done = true;
    *requests = 0;
    while (done && recording_next(recording, &cursor, &event)) {
        bool is_new = false;
        if (event.kind == EVENT_FREE) {
            continue;
        }
        if (event.block != 0) {
            done = address_table_find(&blocks, event.block, &is_new) != NULL;
            note_pages(pages, &event);
        }
        const uint32_t word = replay_word(event.block, is_new);
        done = done && fwrite(&word, sizeof(word), 1, out) == 1;
        (*requests)++;
    }
    address_table_close(&blocks);
    return done && fputc(0, out) != EOF; /* so that the file is never empty */
}

bool recording_write_replay(const struct recording *recording, const char *folder,
                            uint64_t *requests, struct command_error *error)
{
    char path[600];
    struct pages *pages = calloc(1, sizeof(*pages));
    snprintf(path, sizeof(path), "%s/table", folder);
    FILE *out = pages != NULL ? fopen(path, "wb") : NULL;
    bool done = out != NULL && write_table(recording, pages, out, requests);
    done = out != NULL && fclose(out) == 0 && done;
    snprintf(path, sizeof(path), "%s/pages", folder);
    out = done ? fopen(path, "wb") : NULL;
    done = out != NULL && fwrite(pages, sizeof(*pages), 1, out) == 1;
    done = out != NULL && fclose(out) == 0 && done;
    free(pages);
    return done || command_fail(error, "%s: cannot be written: %s", path, strerror(errno));
}
