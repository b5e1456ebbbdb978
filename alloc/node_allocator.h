/*
 * node_allocator.h - the source of list nodes, and of any other blocks.
 *
 * An allocator is a static const struct node_allocator_type: a name, options, and functions. An
 * instance lives in a struct node_heap, which holds its state, so that opening one takes no memory.
 * Blocks come from a memory source (the registered malloc and free), so every call can be counted
 * or made to fail.
 *
 * Conventions: sizes in bytes; blocks are aligned to NODE_ALIGNMENT; NULL means out of memory, and
 * nothing has changed then; a release names the size that was asked for. Nothing here prints, exits
 * or aborts.
 * Threads: a heap serves one thread at a time unless its type says NODE_ALLOCATOR_THREAD_SAFE.
 */
#ifndef PW_NODE_ALLOCATOR_H
#define PW_NODE_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define PW_ALIGNAS(bytes) alignas(bytes)
#else
#define PW_ALIGNAS(bytes) _Alignas(bytes)
#endif

#ifndef PW_EXPORT
#define PW_EXPORT __attribute__((visibility("default")))
#endif

/* What every block is aligned to: two words, 16 bytes or, on 32 bits, 8; malloc does no less. */
#define NODE_ALIGNMENT (2 * sizeof(void *))

struct node_allocator;
struct node_front; /* node_front.h */

/* Where allocators get their memory. Both functions must be set; they may change while in use. */
struct memory_source {
    void *(*allocate)(size_t size);
    void (*release)(void *block);
};

/* Why a specification was refused. position counts characters of the specification from 0. */
struct node_allocator_error {
    size_t position;
    char message[480]; /* one line without a newline; lists the legal names if one was unknown */
};

/* What an option takes: "64K", one of "lifo|fifo", or any text without a comma or parenthesis. The
 * text of an OUTPUT, INPUT or LIBRARY is a file to write, to read or, with a slash, to run. */
enum node_option_kind {
    NODE_OPTION_SIZE,
    NODE_OPTION_CHOICE,
    NODE_OPTION_TEXT,
    NODE_OPTION_OUTPUT,
    NODE_OPTION_INPUT,
    NODE_OPTION_LIBRARY
};

struct node_option {
    const char *name; /* NULL ends the table */
    enum node_option_kind kind;
    const char *default_value; /* in the form a user would type it */
    const char *choices;       /* CHOICE: "normal|huge"; else NULL */
    uint64_t min, max;         /* SIZE: legal range, in bytes (or a count), inclusive */
    const char *help;          /* one line */
};

/* The value of one option: number for SIZE, index among the choices for CHOICE, else text. */
struct node_option_value {
    uint64_t number;
    const char *text; /* valid as long as the heap is open */
    bool given;       /* typed by the user, not the default */
};

/* Statistics of an allocator; a field that it does not know is NODE_STATISTIC_UNKNOWN. */
#define NODE_STATISTIC_UNKNOWN UINT64_MAX
struct node_allocator_statistics {
    uint64_t live_blocks;    /* given out and not released */
    uint64_t kept_blocks;    /* held for reuse, each ready to be given out again */
    uint64_t held_bytes;     /* taken from the source (or mapped) and not given back; of pool: with
                                the size word and the rounding that glibc's malloc adds */
    uint64_t held_bytes_max; /* the most held_bytes has been (high-water mark), or more */
    uint64_t requests;       /* calls of allocate and release, counted by the count wrapper */
    uint64_t releases;
    uint64_t heap_bytes;        /* of its region; unknown: it has no region */
    uint64_t heap_bytes_needed; /* a region of this size would have been enough so far */
    char note[160];             /* a note for the reader of the report, or "" */
    bool output_lost;           /* a file that it should have written is wrong; see note */
    bool diverged;              /* a replay of a different run; see note */
    char library[100];          /* the file of the library whose malloc it calls, or "" */
};

enum node_allocator_flags {
    NODE_ALLOCATOR_WRAPS = 1,            /* wraps another allocator */
    NODE_ALLOCATOR_THREAD_SAFE = 2,      /* one heap may serve several threads: see below */
    NODE_ALLOCATOR_GIVES_BACK = 4,       /* released memory returns to the source before trim */
    NODE_ALLOCATOR_NO_REUSE = 8,         /* released memory is not given out again */
    NODE_ALLOCATOR_GIVES_NONE = 16,      /* every request fails: for measuring the loop around it */
    NODE_ALLOCATOR_NEEDS_FILE = 32,      /* does not open by its name alone */
    NODE_ALLOCATOR_ASKS_RARELY = 64,     /* asks its source for few, large blocks, or never */
    NODE_ALLOCATOR_WRITES_RUN = 128,     /* writes a file of the whole run; a part is of no use */
    NODE_ALLOCATOR_MAY_BE_MISSING = 256, /* needs a library that may not be installed */
    NODE_ALLOCATOR_FOREIGN = 512,        /* runs code from outside of this project */
    NODE_ALLOCATOR_OWN_MALLOC = 1024,    /* calls a malloc of its own, not its source: calls of the
                                            source do not say how many blocks it took */
};

/*
 * What a heap promises that is NODE_ALLOCATOR_THREAD_SAFE:
 * 1. allocate, release, release_chain and all functions of fronts may be called by any number of
 *    threads at once. A block may be released by another thread than took it. A lock, an
 *    atomic or a join hands it over. No block is lost or given out twice.
 * 2. One front is used by one thread at a time. A block of any front, and one that allocate gave,
 *    may go back through any front of its size, and by release.
 * 3. The other functions (create, trim, statistics, check, region, report, destroy) are called
 *    while no thread works on the heap.
 * 4. The memory source is then thread-safe too.
 * 5. A process with threads may fork; its child calls exec or ends, as POSIX has it.
 */

/* Gets the lines of a report. line has no newline; the allocator owns it until line returns. */
struct node_report {
    void (*line)(void *context, const char *line);
    void *context;
};

#define NODE_ALLOCATOR_ABI 4

/* A shared object for "plugin:FILE" exports its const struct node_allocator_type with this. */
#define NODE_ALLOCATOR_PLUGIN        node_allocator_plugin
#define NODE_ALLOCATOR_PLUGIN_SYMBOL "node_allocator_plugin"

/*
 * The fronts of an allocator (node_front.h). A front belongs to the caller, usually one thread, and
 * has blocks of one size. All five functions must be set. trim and destroy close all fronts of a
 * heap.
 */
struct node_front_type {
    /* Open a front of all zeros for blocks of this size, without taking memory. False, and the
     * front is unchanged: no front for this size, or no front while a checker watches. */
    bool (*open)(struct node_allocator *self, struct node_front *front, size_t size);

    /* A block, after node_front_take gave NULL; or NULL. */
    void *(*take)(struct node_allocator *self, struct node_front *front);

    /* Take back a block that node_front_give did not take. */
    void (*give)(struct node_allocator *self, struct node_front *front, void *block);

    /* Take back a chain of at least one block (see release_chain). In O(1) if possible. */
    void (*give_chain)(struct node_allocator *self, struct node_front *front, void *head,
                       void *tail, size_t count);

    /* Close a front: all that it holds goes to the heap. The front is all zeros then. */
    void (*close)(struct node_allocator *self, struct node_front *front);
};

/*
 * The table of an allocator. Functions marked "may be NULL" have a default. A wrapper that leaves
 * out bytes_per_block, trim, statistics, check, region or report gets the inner allocator's. self
 * points to instance_bytes of zeroed state that begins with a struct node_allocator.
 */
struct node_allocator_type {
    uint32_t abi;        /* NODE_ALLOCATOR_ABI */
    const char *name;    /* lower case, digits, '-' */
    const char *summary; /* one line for --list-allocs */
    unsigned flags;      /* enum node_allocator_flags */
    size_t instance_bytes;
    const struct node_option *options; /* ended by a NULL name; NULL: no options */

    /* Average bytes of memory per block of this size, bookkeeping included. For a wrapper it may be
     * NULL. */
    double (*bytes_per_block)(const struct node_allocator *self, size_t size);

    /* Set up the state. values: one per option, in their order. False with error set: refused. May
     * be NULL: nothing to set up. */
    bool (*create)(struct node_allocator *self, const struct node_option_value *values,
                   struct node_allocator_error *error);

    /* A block of size bytes (at least 1), or NULL. */
    void *(*allocate)(struct node_allocator *self, size_t size);

    /* Take back a block that allocate returned for this size. */
    void (*release)(struct node_allocator *self, void *block, size_t size);

    /*
     * Take back count blocks of this size, from head to tail; the first word of each points to the
     * next, and the tail's is ignored. In O(1) if possible. May be NULL: one release per block.
     */
    void (*release_chain)(struct node_allocator *self, void *head, void *tail, size_t count,
                          size_t size);

    /* How fronts are opened and served; NULL: never a front. */
    const struct node_front_type *fronts;

    /* Return everything that no live block needs to the source; close all fronts. May be NULL:
     * nothing is kept. */
    void (*trim)(struct node_allocator *self);

    /* Fill in statistics; their fields are preset to unknown. May be NULL. */
    void (*statistics)(const struct node_allocator *self, struct node_allocator_statistics *out);

    /* Check the whole structure; message says what is wrong. May be NULL: true. */
    bool (*check)(const struct node_allocator *self, char *message, size_t message_size);

    /* Return everything to the source, also live blocks if the allocator owns their memory. May be
     * NULL: nothing is held. */
    void (*destroy)(struct node_allocator *self);

    /* The one region with all blocks. False, or NULL in the table: it has no such region. */
    bool (*region)(const struct node_allocator *self, void **base, size_t *bytes);

    /* Report mistakes and live blocks, line by line. May be NULL: nothing. */
    void (*report)(const struct node_allocator *self, const struct node_report *to);

    /* For a wrapper: the inner allocator by default. NULL: malloc. */
    const char *wraps_by_default;
};

/* The first member of every instance. */
struct node_allocator {
    const struct node_allocator_type *type;
    const struct memory_source
        *source;                  /* read at every call: the functions may be registered again */
    struct node_allocator *inner; /* of a wrapper: the allocator inside; else NULL */
};

/* An open allocator: its source, and room for its state and its inner allocators' states. */
#define NODE_HEAP_STORAGE 32768
struct node_heap {
    struct memory_source source;
    struct node_allocator *allocator; /* the outermost; NULL while closed */
    char specification[256];          /* as given */
    size_t storage_used;
    PW_ALIGNAS(64) unsigned char storage[NODE_HEAP_STORAGE];
};

/*
 * Open the allocator that a specification names:
 *     NAME   NAME:option=value,option=value   WRAPPER(SPEC)   WRAPPER(SPEC,option=value)
 * as in "pool", "slab:chunk=2M,pages=huge", "count(slab)". Inside parentheses an option that the
 * wrapper does not know is handed inwards. heap: closed or never opened. source: copied.
 * False with error set, the heap closed, when the name, an option or a value is not legal.
 */
PW_EXPORT bool node_heap_open(struct node_heap *heap, const char *specification,
                              const struct memory_source *source,
                              struct node_allocator_error *error);

/* Destroy the allocator; everything it holds goes back. Closing a closed heap does nothing. */
PW_EXPORT void node_heap_close(struct node_heap *heap);

/* The operations, with the defaults for what a type leaves out. Statistics of NULL are unknown. */
PW_EXPORT void node_allocator_release_chain(struct node_allocator *self, void *head, void *tail,
                                            size_t count, size_t size);
PW_EXPORT double node_allocator_bytes_per_block(const struct node_allocator *self, size_t size);
/* Open a front; false: it stays closed. It was closed or all zeros. */
PW_EXPORT bool node_allocator_open_front(struct node_allocator *self, struct node_front *front,
                                         size_t size);
PW_EXPORT bool node_allocator_is_thread_safe(const struct node_allocator *self);
PW_EXPORT void node_allocator_trim(struct node_allocator *self);
PW_EXPORT void node_allocator_statistics(const struct node_allocator *self,
                                         struct node_allocator_statistics *out);
PW_EXPORT bool node_allocator_check(const struct node_allocator *self, char *message,
                                    size_t message_size);
PW_EXPORT bool node_allocator_region(const struct node_allocator *self, void **base, size_t *bytes);
PW_EXPORT void node_allocator_report(const struct node_allocator *self,
                                     const struct node_report *to);

/*
 * Write the specification with another heap size, for an allocator in a region that was too small
 * (statistics: heap_bytes). False if out is too small for it.
 */
PW_EXPORT bool node_specification_with_heap(const char *specification, uint64_t heap_bytes,
                                            char *out, size_t out_size);

/*
 * Call this first in main, before opening a specification (or a list of them) that may name
 * lib:jemalloc or another library that insists on static thread-local storage. If the C library
 * reserved too little of it at the start, this process is started again (execv of itself with the
 * same arguments) with more. Returns if nothing was needed or nothing could be done.
 */
PW_EXPORT void node_allocator_prepare_process(const char *specifications, char *const argv[]);

static inline void *node_allocator_allocate(struct node_allocator *self, size_t size)
{
    return self->type->allocate(self, size);
}

static inline void node_allocator_release(struct node_allocator *self, void *block, size_t size)
{
    self->type->release(self, block, size);
}

/* All allocators, ended by NULL; and the one with that name, or NULL. */
PW_EXPORT const struct node_allocator_type *const *node_allocator_types(void);
PW_EXPORT const struct node_allocator_type *node_allocator_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
