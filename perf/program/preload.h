/*
 * preload.h - the parts of the library that is put before a program, and their common state.
 *
 * preload.c has malloc and its family. Everything is at a fixed place or in the library's own data:
 * nothing here may ask for memory.
 */
#pragma once

#include "block_store.h"
#include "process_names.h"
#include "program_format.h"

static struct program_control *const control = (struct program_control *)PROGRAM_CONTROL;
static struct recording_header *const header = (struct recording_header *)PROGRAM_LOG;
static const uint32_t *const table = (const uint32_t *)PROGRAM_LOG;

enum state {
    UNKNOWN,   /* before the first call */
    PASSING,   /* the next malloc serves */
    LISTENING, /* and each call is written */
    RECORDING, /* the store serves, and each call is written */
    FORKED,    /* a child that has called nothing yet; it will be recorded */
    CHECKING,
    REPLAYING,
    SERVING, /* the store serves, and nothing is written */
};

/* All state of the process besides the store (block_store.c) and the threads' own. */
struct preload {
    enum state state;
    char folder[512];
    struct process_names names;
    bool places;             /* the store serves, or will after a fork */
    bool is_chosen;          /* no recording: there may be several */
    uint8_t *at;             /* the next event */
    uint8_t *end;            /* of the mapped part, or of the recording that is checked */
    size_t window;           /* bytes of the next part */
    uint64_t last;           /* the last block of an event */
    uint32_t event_thread;   /* the thread of the events */
    uint32_t event_site;     /* the site of the requests */
    _Atomic uint64_t mapped; /* bytes that the program asked of the system itself */
    _Atomic uint32_t threads;
    _Atomic uint32_t holder; /* of the lock, a thread; 0: nobody */
};

/* preload_state.c ------------------------------------------------------------------------------ */

extern struct preload own;

extern __thread uint32_t my_thread; /* from 1; 0: none yet */
extern __thread bool is_inside;     /* a call of this thread is under way */
extern __thread bool is_in_next;    /* it is in the next malloc */

/* How a file is mapped. */
enum use {
    WRITTEN, /* shared; it is made if it is missing */
    COPIED,  /* writes stay in this process */
    READ,    /* at once, so that reading it later costs no page fault */
};

/* Map a part of FOLDER/NAME at a fixed place. False with errno set. */
bool map_file(const char *name, uint64_t place, size_t offset, size_t bytes, enum use use);

/* preload_start.c ------------------------------------------------------------------------------ */

/* The first call of the process: what shall it be? Sets own.state. */
void preload_start(void);

/* Take the lock of the store. False: there is nothing to release, because the process has one
 * thread, or this one holds it already, as during a fork. */
bool lock_store(void);
void unlock_store(bool was_taken);

/* preload.c ------------------------------------------------------------------------------------ */

/* True if the next malloc serves this call, and nothing is written of it. The first call decides
 * what the process shall be. */
bool preload_passes(void);

/* While listening: write a call that the next malloc serves. */
void listen_write(const struct program_event *call);

/* preload_sites.c ------------------------------------------------------------------------------ */

/* Who called. */
struct call_site {
    uint64_t hash; /* 0: not known */
    uintptr_t frames[PROGRAM_FRAMES_MAX];
    uint32_t frame_count, frames_max;
    size_t text_bytes; /* 0: the site has a number already */
    char text[SITE_TEXT_MAX];
};

/* Find the callers of this library, up to that number of frames, and write the text of the site if
 * it is new. Call it without the lock of the store, because this takes the loader's lock. */
void site_find(struct call_site *site, uint32_t frames);

/* A frame as "FILE+0x12 in NAME", with the offset as addr2line takes it. Returns the length. */
size_t frame_write(uintptr_t frame, char text[PROGRAM_FRAME_SIZE]);

/* The number of a site, the next one for a new site, with *is_new set; 0: the table is full. */
uint32_t site_number(uint64_t hash, bool *is_new);

/* No site has a number. */
void sites_clear(void);

/* preload_record.c ----------------------------------------------------------------------------- */

/* Start a recording with nothing in it. False: it cannot be written. */
bool open_recording(bool is_forked);

/* Write an event; site: of a request, or NULL. When the disk is full the recording ends, and the
 * store goes on. */
void write_event(const struct program_event *event, const struct call_site *site);

/* Look what the process has used until now. */
void write_usage(void);

/* End the recording: an errno, or RECORDING_NO_ROOM. The program goes on. */
void stop_recording(int why);

/* preload_check.c ------------------------------------------------------------------------------ */

/* Compare a call with the recorded one, whose block is set. False: they differ; that is kept, and
 * from here the store serves. */
bool is_recorded(struct program_event *call);

/* The call differs from the recorded one, or comes after the last one (kind 0). */
void diverge(const struct program_event *call, const struct program_event *recorded);
