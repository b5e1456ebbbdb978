/*
 * preload_record.c - writes the events of a recording into a file that is mapped part by part.
 *
 * Each part is on the disk before it is written to, so that a full disk is an error of a call and
 * not the end of the program. A part is mapped by the file's name: no file stays open that the
 * program might close.
 */
#include "preload.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define WINDOW_FIRST ((size_t)65536) /* each part is twice the one before */
#define WINDOW_MAX   ((size_t)4 << 20)
#define LARGE_BYTES  ((size_t)1 << 20) /* with a request of so much the process looks at itself */

bool open_recording(bool is_forked)
{
    char name[32];
    const uint32_t number = atomic_fetch_add(&control->started, 1);
    snprintf(name, sizeof(name), "%06u.log", number);
    if (is_forked) { /* the parent's */
        munmap(header, (size_t)(own.end - (uint8_t *)header));
    }
    if (!map_file(name, PROGRAM_LOG, 0, RECORDING_HEADER + WINDOW_FIRST, WRITTEN)) {
        return false;
    }
    own.at = (uint8_t *)header + RECORDING_HEADER;
    own.end = own.at + WINDOW_FIRST;
    own.window = WINDOW_FIRST;
    own.last = own.event_thread = own.event_site = my_thread = 0;
    sites_clear();
    own.threads = 0;
    *header = (struct recording_header){.magic = RECORDING_MAGIC,
                                        .version = RECORDING_VERSION,
                                        .number = number,
                                        .process = getpid(),
                                        .is_forked = is_forked,
                                        .is_placed = own.places};
    memcpy(header->program, own.names.started, sizeof(header->program));
    memcpy(header->file, own.names.file, sizeof(header->file));
    return true;
}

void write_usage(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0) {
        const uint64_t seconds = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
        const uint64_t rest = (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
        header->processor_ns = seconds * 1000000000 + rest * 1000;
        header->resident_most = (uint64_t)usage.ru_maxrss * 1024;
    }
}

void stop_recording(int why)
{
    header->stopped = why;
    own.state = own.places ? SERVING : PASSING;
}

/* Room for three events, one of them with a text. False: the disk is full, the recording ends. */
static bool has_room(void)
{
    char name[32];
    if (own.end - own.at >= 3 * EVENT_BYTES_MAX + SITE_TEXT_MAX) {
        return true;
    }
    const int error_number = errno;
    write_usage();
    const size_t offset = (size_t)(own.end - (uint8_t *)header);
    const size_t window = own.window < WINDOW_MAX ? 2 * own.window : WINDOW_MAX;
    snprintf(name, sizeof(name), "%06u.log", header->number);
    if (!map_file(name, PROGRAM_LOG + offset, offset, window, WRITTEN)) {
        stop_recording(errno != 0 ? errno : EIO);
        errno = error_number;
        return false;
    }
    errno = error_number;
    /* the last events are still in the part before */
    if (own.window > WINDOW_FIRST) {
        munmap(own.end - own.window, own.window - WINDOW_FIRST);
    }
    own.window = window;
    own.end += window;
    return true;
}

/* Write that the requests from here on are of a site. */
static void write_site(const struct call_site *site)
{
    bool is_new = false;
    const uint32_t number = site->hash != 0 ? site_number(site->hash, &is_new) : 0;
    if (number != own.event_site) {
        const uint64_t size = is_new ? site->text_bytes * 2 + 1 : (uint64_t)number * 2;
        own.at =
            event_put(own.at, &(struct program_event){.kind = EVENT_SITE, .size = size}, &own.last);
        own.event_site = number;
    }
    if (is_new) {
        memcpy(own.at, site->text, site->text_bytes);
        own.at += site->text_bytes;
    }
}

void write_event(const struct program_event *event, const struct call_site *site)
{
    if (!has_room()) {
        return;
    }
    if (own.event_thread != my_thread) {
        const struct program_event change = {.kind = EVENT_THREAD, .size = my_thread};
        own.event_thread = my_thread;
        own.at = event_put(own.at, &change, &own.last);
        header->threads = own.threads;
    }
    if (site != NULL) {
        write_site(site);
    }
    if (event->size >= LARGE_BYTES) {
        write_usage();
    }
    own.at = event_put(own.at, event, &own.last);
    header->calls++;
    header->pages = own.places ? store.pages : 0;
    header->bytes = (uint64_t)(own.at - (uint8_t *)header) - RECORDING_HEADER;
}
