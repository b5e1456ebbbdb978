/*
 * program_format.h - what the preloaded library and its reader share: places, control, events.
 *
 * 1. A folder holds `control`, the preloaded library under the name malloc.so, a recording
 *    NUMBER.log per process, and for a replay `pages` (the class of each page) and `table`.
 * 2. Everything is mapped at fixed places, so that no mapping of the program moves.
 * 3. A recording is a header of one page and the events after it, 2 to 12 bytes each: a head with
 *    the kind and a size, then the block, as the difference to the block before it. A placed block
 *    is numbered in units of 16 bytes from the start of the region, another one by its address in
 *    units of 8 bytes; number 0 is NULL. With call sites, an event before a request names its site,
 *    and the first one holds the site's text.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Above the heap of a program at a fixed address, below position-independent ones and libraries,
 * on x86-64 and on AArch64 with 39 bits of addresses or more. */
#define PROGRAM_CONTROL UINT64_C(0x1000000000)
#define PROGRAM_PAGES   UINT64_C(0x1010000000)
#define PROGRAM_LOG     UINT64_C(0x1020000000) /* the recording, or the table of a replay */
#define PROGRAM_BLOCKS  UINT64_C(0x2000000000)

#define PROGRAM_NAME_SIZE  64
#define PROGRAM_FRAMES_MAX 12
#define PROGRAM_FRAME_SIZE 300

enum program_mode {
    PROGRAM_RECORD, /* write down each call, which the program's own malloc serves */
    PROGRAM_PLACE,  /* written down as well, with blocks whose places a replay can repeat */
    PROGRAM_CHECK,  /* answer from the recording, and compare each call with it */
    PROGRAM_REPLAY, /* answer from a table, and compare nothing */
    PROGRAM_WATCH,  /* answer nothing, only say what memory the process has at its end */
};

/* Memory of the chosen process when it calls exit(3), in bytes. */
struct program_memory {
    uint64_t resident_most; /* 0: not known, because it ended otherwise */
    uint64_t files;         /* resident now: pages of files, and shared ones */
    uint64_t heap;          /* held now for malloc, and what the program maps itself */
    uint64_t others;        /* anonymous memory besides: variables, the stack */
};

/* The first call that differs from the recording. */
struct program_difference {
    uint64_t call; /* counted from 1; 0: none differs */
    char what[160];
    uint32_t frame_count;
    char frames[PROGRAM_FRAMES_MAX][PROGRAM_FRAME_SIZE]; /* the callers, innermost first */
};

/* The program that is meant. */
struct program_choice {
    char name[PROGRAM_NAME_SIZE]; /* "": the command itself */
    uint32_t number;              /* of its processes, in the order of their start; 0: any */
};

/* Shared by allocbench and every process of the command. One struct: it is mapped as a whole. */
struct program_control {
    uint64_t answered; /* requests that a replay or a check has answered */
    uint64_t requests; /* in the table of a replay */
    uint32_t mode;     /* enum program_mode */
    int32_t command;   /* the process that the command starts as */
    uint32_t sites;    /* a recording shall have the call sites of requests */
    uint32_t watches;  /* the chosen process shall say what memory it has */
    struct program_memory memory;
    struct program_choice only;
    uint32_t number;          /* of the recording to check or replay */
    uint64_t pages, bytes;    /* of blocks, of events in it */
    _Atomic uint32_t loaded;  /* processes that loaded the library */
    _Atomic uint32_t meant;   /* processes of the program that is meant */
    _Atomic uint32_t chosen;  /* of them, to be replayed or checked */
    _Atomic int32_t process;  /* the chosen one; 0: none yet */
    _Atomic uint32_t started; /* recordings */
    int32_t exec_error;       /* errno of a command that did not start */
    uint32_t binds_deep;      /* a library was opened with RTLD_DEEPBIND where the store serves */
    int32_t place_error;      /* errno of a fixed place that could not be mapped */
    struct program_difference difference;
};

#define RECORDING_MAGIC   UINT64_C(0x31434552414d5750) /* "PWMAREC1" */
#define RECORDING_HEADER  ((size_t)64 << 10) /* the largest page: the file is mapped by windows */
#define RECORDING_VERSION 4 /* 2 and 3, whose blocks are all placed, are read, too */
#define RECORDING_NO_ROOM (-1)

/* One struct: the first page of a file, as it is mapped. */
struct recording_header {
    uint64_t magic;
    uint32_t version;
    uint32_t number;  /* in the order of their start, from 0 */
    uint64_t bytes;   /* of events */
    uint64_t calls;   /* events without changes of thread */
    uint64_t pages;   /* of blocks */
    uint64_t missing; /* calls that came during another one, from a signal handler */
    uint32_t threads; /* that made calls */
    int32_t process;
    int32_t stopped;                 /* errno of why the recording ends early, or
                                        RECORDING_NO_ROOM for unplaced bytes; 0: it does not */
    uint32_t is_forked;              /* goes on where the recording of its parent has a fork */
    char program[PROGRAM_NAME_SIZE]; /* as it was started */
    char file[PROGRAM_NAME_SIZE];    /* what is executed: for awk, perhaps mawk */
    uint32_t is_placed;              /* its blocks lie in the region of the store */
    uint64_t unplaced;
    uint64_t resident_most; /* bytes, the last time that the process looked; 0: it never did */
    uint64_t processor_ns;  /* then */
    uint64_t held_most; /* bytes until its end, without files, variables, stacks; 0: not known */
    uint64_t rest;      /* bytes of files, variables, stacks at its last look; 0: no look */
    uint64_t mapped;    /* bytes of memory that the program asked of the system itself */
    uint32_t has_ended; /* by itself, so that processor_ns is of the whole process */
    uint32_t has_own_malloc;   /* the program has a malloc that comes before this library's */
    uint32_t has_other_malloc; /* a library's malloc serves, not glibc's */
};

enum program_event_kind {
    EVENT_MALLOC = 1,
    EVENT_CALLOC,
    EVENT_REALLOC,
    EVENT_ALIGNED,
    EVENT_FREE,
    EVENT_THREAD, /* the calls after it are of thread size */
    EVENT_SITE, /* the requests after it are of call site size / 2, or of a new one (odd): size / 2
                     bytes of text follow, "FILE+0x12 in NAME < FILE+..." */
};
#define EVENT_KIND_BITS 3
#define EVENT_BYTES_MAX 48
#define SITE_FRAMES     6 /* of a call site: the callers, innermost first */
#define SITE_TEXT_MAX   (SITE_FRAMES * (PROGRAM_FRAME_SIZE + 3))

struct program_event {
    enum program_event_kind kind;
    unsigned alignment_shift; /* ALIGNED: the alignment is 1 << alignment_shift */
    uint64_t size;
    uint64_t block; /* the answer, or what is freed; 0: NULL */
    uint64_t old;   /* REALLOC */
};

/* Numbers of seven bits per byte, the lowest first. */
static inline uint8_t *number_put(uint8_t *at, uint64_t number)
{
    while (number >= 128) {
        *at++ = (uint8_t)(number | 128);
        number >>= 7;
    }
    *at++ = (uint8_t)number;
    return at;
}

/* NULL: the bytes end before the number does. */
static inline const uint8_t *number_get(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
        *number |= (uint64_t)(*at & 127) << shift;
        if (*at++ < 128) {
            return at;
        }
    }
    return NULL;
}

/* The number of a block that the program's own malloc handed out. */
static inline uint64_t address_number(const void *block)
{
    return (uint64_t)(uintptr_t)block / 8;
}

/* A difference of two blocks as a number that is small for small ones of both signs. */
static inline uint64_t difference_fold(uint64_t to, uint64_t from)
{
    int64_t difference = (int64_t)(to - from);
    return ((uint64_t)difference << 1) ^ (uint64_t)(difference >> 63);
}

static inline uint64_t difference_unfold(uint64_t folded, uint64_t from)
{
    return from + ((folded >> 1) ^ (0 - (folded & 1)));
}

/* Write an event; *last: the last block that an event before it names. Returns its end. */
static inline uint8_t *event_put(uint8_t *at, const struct program_event *event, uint64_t *last)
{
    const uint64_t kind = (uint64_t)event->kind;
    if (event->kind == EVENT_FREE) {
        at = number_put(at, difference_fold(event->block, *last) << EVENT_KIND_BITS | kind);
    } else {
        /* a size so large that no request can be granted loses its upper bits */
        at = number_put(at, event->size << EVENT_KIND_BITS | kind);
        if (event->kind >= EVENT_THREAD) {
            return at;
        }
        if (event->kind == EVENT_ALIGNED) {
            *at++ = (uint8_t)event->alignment_shift;
        } else if (event->kind == EVENT_REALLOC) {
            at = number_put(at, difference_fold(event->old, *last));
            *last = event->old;
        }
        at = number_put(at, difference_fold(event->block, *last));
    }
    *last = event->block != 0 ? event->block : *last;
    return at;
}

/* Read an event. NULL: no event is left, or not a whole one. */
static inline const uint8_t *event_get(const uint8_t *at, const uint8_t *end,
                                       struct program_event *event, uint64_t *last)
{
    uint64_t head = 0;
    uint64_t folded = 0;
    at = number_get(at, end, &head);
    if (at == NULL || (head & 7) < EVENT_MALLOC) {
        return NULL;
    }
    *event = (struct program_event){.kind = (enum program_event_kind)(head & 7),
                                    .size = head >> EVENT_KIND_BITS};
    if (event->kind >= EVENT_THREAD) {
        const uint64_t text = event->kind == EVENT_SITE && (event->size & 1) ? event->size / 2 : 0;
        return text <= (uint64_t)(end - at) ? at + text : NULL;
    }
    if (event->kind == EVENT_FREE) {
        folded = event->size;
        event->size = 0;
    } else {
        if (event->kind == EVENT_ALIGNED) {
            event->alignment_shift = at < end ? *at : 0;
            at = at < end ? at + 1 : NULL;
        } else if (event->kind == EVENT_REALLOC) {
            at = number_get(at, end, &folded);
            event->old = difference_unfold(folded, *last);
            *last = event->old;
        }
        at = at != NULL ? number_get(at, end, &folded) : NULL;
    }
    event->block = difference_unfold(folded, *last);
    *last = event->block != 0 ? event->block : *last;
    return at;
}

/* The table of a replay: a word per request, the block and whether it was never used before. */
static inline uint32_t replay_word(uint64_t block, bool is_fresh)
{
    return (uint32_t)(block << 1) | is_fresh;
}
