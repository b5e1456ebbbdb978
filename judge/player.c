/*
 * player.c - plays a script of calls on a submission's libraries and reports what each returned.
 *
 * 1. Built with the challenge's headers and linked with the submission's libraries; runs in the
 *    sandbox. Where the submission's own header has the members that a harness reads comes as
 *    LAYOUT_...: nothing of that header is compiled here.
 * 2. Reads the whole script (nonce, count, calls) and writes one record per call, as soon as the
 *    call has returned, so that a crash shows the call. The last record has the index count.
 * 3. Knows no expected value: the model is in the judge's own process (model.py).
 * 4. Registered memory is counted, filled with a pattern on its way out and in, and guarded by a
 *    header: a block that is freed twice or was never handed out is reported. malloc and kin are
 *    defined here too, to count what goes past the registered functions (glibc only).
 * One file: the judge compiles it beside a submission, whose names and folders it does not know.
 * Build with -DPLAIN_MEMORY for Valgrind, which watches memory itself.
 * Usage: player SCRIPT RESULTS [LOG], open descriptors; LOG: see door.h. Calls: as in calls.py.
 */
#include "door.h"
#include <dlfcn.h>
#include <errno.h>
#include <linked_list.h>
#include <queue.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>

/* What is missing in the libraries is reported call by call. */
#pragma weak linked_list_create
#pragma weak linked_list_delete
#pragma weak linked_list_size
#pragma weak linked_list_insert_end
#pragma weak linked_list_insert_front
#pragma weak linked_list_insert
#pragma weak linked_list_find
#pragma weak linked_list_remove
#pragma weak linked_list_create_iterator
#pragma weak linked_list_delete_iterator
#pragma weak linked_list_iterate
#pragma weak linked_list_register_malloc
#pragma weak linked_list_register_free
#pragma weak linked_list_final_cleanup
#pragma weak queue_create
#pragma weak queue_delete
#pragma weak queue_push
#pragma weak queue_pop
#pragma weak queue_next
#pragma weak queue_has_next
#pragma weak queue_size
#pragma weak queue_register_malloc
#pragma weak queue_register_free

/* Where members are; the challenge's own places if the submission's could not be found. */
#ifndef LAYOUT_NODE_NEXT
#define LAYOUT_NODE_NEXT              offsetof(struct node, next)
#define LAYOUT_NODE_DATA              offsetof(struct node, data)
#define LAYOUT_LINKED_LIST_HEAD       offsetof(struct linked_list, head)
#define LAYOUT_ITERATOR_LL            offsetof(struct iterator, ll)
#define LAYOUT_ITERATOR_CURRENT_NODE  offsetof(struct iterator, current_node)
#define LAYOUT_ITERATOR_CURRENT_INDEX offsetof(struct iterator, current_index)
#define LAYOUT_ITERATOR_DATA          offsetof(struct iterator, data)
#endif

#define SLOTS      16u
#define NULL_SLOT  15u /* never set */
#define UNTOUCHED  0xdeadbeefu
#define BLOCK_MARK 0x6a756467652d6f6bu

enum kind {
    LIST_CREATE = 1,
    LIST_DELETE,
    LIST_SIZE,
    LIST_END,
    LIST_FRONT,
    LIST_INSERT,
    LIST_FIND,
    LIST_REMOVE,
    LIST_HEAD,
    LIST_WALK,
    ITERATOR_CREATE = 20,
    ITERATOR_DELETE,
    ITERATOR_NEXT,
    QUEUE_CREATE = 30,
    QUEUE_DELETE,
    QUEUE_PUSH,
    QUEUE_POP,
    QUEUE_NEXT,
    QUEUE_HAS_NEXT,
    QUEUE_SIZE,
    LIST_MALLOC = 40,
    LIST_FREE,
    QUEUE_MALLOC,
    QUEUE_FREE,
    CLEANUP,
    FAIL_AT,
    COUNTS,
    FILL_QUEUE = 50,
    DRAIN_QUEUE,
    FILL_END,
    FILL_FRONT,
    DRAIN_FRONT,
    SIZE_QUEUE,
    SIZE_LIST
};

#define FLAG_BAD_FREE     1u  /* a block that was not handed out, or twice */
#define FLAG_DENIED       2u  /* a request of this call was made to fail */
#define FLAG_MISSING      4u  /* the library lacks the function */
#define FLAG_INCONSISTENT 8u  /* an iterator's members disagree */
#define FLAG_CRASHED      16u /* value: the address, or what a register held */

struct call {
    uint16_t kind, slot;
    uint32_t data;
    uint64_t index;
};

struct record {
    uint64_t nonce;
    uint32_t index, truth;
    uint64_t value, extra;
    uint32_t mallocs, frees, strangers, flags;
};

struct block {
    uint64_t mark, size;
};

static struct {
    uint64_t live, mallocs, frees, bytes; /* of the registered functions */
    uint64_t
        strangers;    /* requests to the C library's own malloc in calls, when ours is registered */
    uint64_t fail_at; /* the request that fails, counted from now; 0: none */
    uint32_t flags;
    bool is_registered, is_inside;
} memory;

static struct linked_list *lists[SLOTS];
static struct queue *queues[SLOTS];
static struct iterator *iterators[SLOTS];

#if defined(__GLIBC__) && !defined(PLAIN_MEMORY)
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__libc_malloc(size_t size);
void __libc_free(void *block);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#define system_malloc __libc_malloc
#define system_free   __libc_free

static void counted_free(void *given);

/* What the C library and the loader ask for by themselves, such as a buffer or what a thread needs,
 * is not a request of a submission. */
static bool is_of_c_library(const void *place)
{
    Dl_info asking, library;
    return dladdr(place, &asking) != 0 && dladdr((const void *)__libc_malloc, &library) != 0 &&
           (asking.dli_fbase == library.dli_fbase ||
            (uintptr_t)asking.dli_fbase == getauxval(AT_BASE));
}

static void count_stranger(const void *place)
{
    memory.strangers += memory.is_inside && memory.is_registered && !is_of_c_library(place);
}

#define COUNT_STRANGER() count_stranger(__builtin_return_address(0))

void *malloc(size_t size)
{
    COUNT_STRANGER();
    return __libc_malloc(size);
}

/* A block of the registered malloc is given back as the registered free does, and counted. */
void free(void *block)
{
    if (memory.is_inside && block != NULL &&
        ((const struct block *)block - 1)->mark == BLOCK_MARK) {
        COUNT_STRANGER();
        counted_free(block);
        return;
    }
    __libc_free(block);
}

void *calloc(size_t count, size_t size)
{
    COUNT_STRANGER();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    COUNT_STRANGER();
    return __libc_realloc(block, size);
}

/* These three hand out what the C library asks for. */
void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes = 0;
    COUNT_STRANGER();
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : __libc_realloc(block, bytes);
}

char *strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    COUNT_STRANGER();
    char *copy = __libc_malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *strdup(const char *text)
{
    COUNT_STRANGER();
    size_t bytes = strlen(text) + 1;
    char *copy = __libc_malloc(bytes);
    return copy == NULL ? NULL : memcpy(copy, text, bytes);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    COUNT_STRANGER();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    COUNT_STRANGER();
    *block = __libc_memalign(alignment, size);
    return *block == NULL ? ENOMEM : 0;
}
#else
#define system_malloc malloc
#define system_free   free
#endif

static bool is_denied(void)
{
    if (memory.fail_at == 0 || --memory.fail_at > 0) {
        return false;
    }
    memory.flags |= FLAG_DENIED;
    return true;
}

static void *counted_malloc(size_t size)
{
    if (is_denied()) {
        return NULL;
    }
#ifdef PLAIN_MEMORY
    void *given = malloc(size);
#else
    struct block *block = system_malloc(sizeof(*block) + size);
    void *given = NULL;
    if (block != NULL) {
        block->mark = BLOCK_MARK;
        block->size = size;
        given = memset(block + 1, 0xa5, size);
    }
#endif
    if (given != NULL) {
        memory.mallocs++;
        memory.live++;
        memory.bytes += size;
    }
    return given;
}

static void counted_free(void *given)
{
    if (given == NULL) {
        return;
    }
#ifdef PLAIN_MEMORY
    free(given);
#else
    struct block *block = (struct block *)given - 1;
    if (block->mark != BLOCK_MARK) {
        memory.flags |= FLAG_BAD_FREE;
        return;
    }
    memory.bytes -= block->size;
    memset(block, 0xdf, sizeof(*block) + block->size);
    system_free(block);
#endif
    memory.frees++;
    memory.live--;
}

/* Members of the submission's structs --------------------------------------------------------- */

static const void *pointer_at(const void *base, size_t offset)
{
    const void *value;
    memcpy(&value, (const char *)base + offset, sizeof(value));
    return value;
}

static unsigned int data_at(const void *base, size_t offset)
{
    unsigned int value;
    memcpy(&value, (const char *)base + offset, sizeof(value));
    return value;
}

static size_t index_of(const struct iterator *iter)
{
    size_t value;
    memcpy(&value, (const char *)iter + LAYOUT_ITERATOR_CURRENT_INDEX, sizeof(value));
    return value;
}

/* Answers into a record, by the kind of call --------------------------------------------------- */

static void report(struct record *record, bool truth, uint64_t value)
{
    record->truth = truth;
    record->value = value;
}

/* What a harness reads of a list's members. */
static void report_head(struct record *record, const struct linked_list *ll)
{
    const void *head = ll == NULL ? NULL : pointer_at(ll, LAYOUT_LINKED_LIST_HEAD);
    report(record, head != NULL, head != NULL ? data_at(head, LAYOUT_NODE_DATA) : UNTOUCHED);
}

/* The elements after head, as a number that depends on their order, and how many. */
static void report_walk(struct record *record, const struct linked_list *ll, uint64_t at_most)
{
    uint64_t sum = 0, count = 0;
    for (const void *node = ll == NULL ? NULL : pointer_at(ll, LAYOUT_LINKED_LIST_HEAD);
         node != NULL && count < at_most; node = pointer_at(node, LAYOUT_NODE_NEXT), count++) {
        sum = sum * 31 + data_at(node, LAYOUT_NODE_DATA);
    }
    report(record, ll != NULL, sum);
    record->extra = count;
}

/* An iterator that is at a node. At the end of a list its members are its author's choice. */
static void report_iterator(struct record *record, const struct iterator *iter)
{
    const void *node = pointer_at(iter, LAYOUT_ITERATOR_CURRENT_NODE);
    report(record, true, data_at(iter, LAYOUT_ITERATOR_DATA));
    record->extra = index_of(iter);
    if (node == NULL || data_at(node, LAYOUT_NODE_DATA) != (unsigned int)record->value) {
        memory.flags |= FLAG_INCONSISTENT;
    }
}

/* The function, or a record that says it is missing. */
#define IS_THERE(function) ((function) != NULL || missing())

static bool missing(void)
{
    memory.flags |= FLAG_MISSING;
    return false;
}

#define CALL(function, nothing, ...) (IS_THERE(function) ? function(__VA_ARGS__) : (nothing))

static void play_list(struct record *record, const struct call *call)
{
    struct linked_list **ll = &lists[call->slot];
    size_t index = (size_t)call->index;
    switch (call->kind) {
    case LIST_CREATE:
        *ll = IS_THERE(linked_list_create) ? linked_list_create() : NULL;
        report(record, *ll != NULL, 0);
        break;
    case LIST_DELETE:
        report(record, CALL(linked_list_delete, false, *ll), 0);
        *ll = NULL;
        break;
    case LIST_SIZE:
        report(record, true, CALL(linked_list_size, 0, *ll));
        break;
    case LIST_END:
        report(record, CALL(linked_list_insert_end, false, *ll, call->data), 0);
        break;
    case LIST_FRONT:
        report(record, CALL(linked_list_insert_front, false, *ll, call->data), 0);
        break;
    case LIST_INSERT:
        report(record, CALL(linked_list_insert, false, *ll, index, call->data), 0);
        break;
    case LIST_FIND:
        report(record, true, CALL(linked_list_find, 0, *ll, call->data));
        break;
    case LIST_REMOVE:
        report(record, CALL(linked_list_remove, false, *ll, index), 0);
        break;
    case LIST_HEAD:
        report_head(record, *ll);
        break;
    case LIST_WALK:
        report_walk(record, *ll, call->index);
        break;
    default:
        break;
    }
}

static void play_iterator(struct record *record, const struct call *call)
{
    struct iterator **iter = &iterators[call->slot];
    struct linked_list *ll = lists[call->data % SLOTS];
    bool moved;
    switch (call->kind) {
    case ITERATOR_CREATE:
        *iter = CALL(linked_list_create_iterator, NULL, ll, (size_t)call->index);
        report(record, false, UNTOUCHED);
        if (*iter != NULL) {
            report_iterator(record, *iter);
            if (pointer_at(*iter, LAYOUT_ITERATOR_LL) != ll) {
                memory.flags |= FLAG_INCONSISTENT;
            }
        }
        break;
    case ITERATOR_DELETE:
        report(record, CALL(linked_list_delete_iterator, false, *iter), 0);
        *iter = NULL;
        break;
    case ITERATOR_NEXT:
        moved = CALL(linked_list_iterate, false, *iter);
        report(record, moved, UNTOUCHED);
        if (moved && *iter != NULL) {
            report_iterator(record, *iter);
        }
        break;
    default:
        break;
    }
}

static void play_queue(struct record *record, const struct call *call)
{
    struct queue **queue = &queues[call->slot];
    unsigned int data = UNTOUCHED;
    bool truth;
    switch (call->kind) {
    case QUEUE_CREATE:
        *queue = IS_THERE(queue_create) ? queue_create() : NULL;
        report(record, *queue != NULL, 0);
        break;
    case QUEUE_DELETE:
        report(record, CALL(queue_delete, false, *queue), 0);
        *queue = NULL;
        break;
    case QUEUE_PUSH:
        report(record, CALL(queue_push, false, *queue, call->data), 0);
        break;
    case QUEUE_POP:
        truth = CALL(queue_pop, false, *queue, &data);
        report(record, truth, data);
        break;
    case QUEUE_NEXT:
        truth = CALL(queue_next, false, *queue, &data);
        report(record, truth, data);
        break;
    case QUEUE_HAS_NEXT:
        report(record, CALL(queue_has_next, false, *queue), 0);
        break;
    case QUEUE_SIZE:
        report(record, true, CALL(queue_size, 0, *queue));
        break;
    default:
        break;
    }
}

static void play_memory(struct record *record, const struct call *call)
{
    void *(*get)(size_t) = call->data ? counted_malloc : NULL;
    void (*give)(void *) = call->data ? counted_free : NULL;
    switch (call->kind) {
    case LIST_MALLOC:
        report(record, CALL(linked_list_register_malloc, false, get), 0);
        break;
    case LIST_FREE:
        report(record, CALL(linked_list_register_free, false, give), 0);
        break;
    case QUEUE_MALLOC:
        report(record, CALL(queue_register_malloc, false, get), 0);
        break;
    case QUEUE_FREE:
        report(record, CALL(queue_register_free, false, give), 0);
        break;
    case CLEANUP:
        if (linked_list_final_cleanup != NULL) { /* the judge knows whether it has to be */
            linked_list_final_cleanup();
        }
        report(record, true, 0);
        break;
    case FAIL_AT:
        memory.fail_at = call->index;
        report(record, true, 0);
        break;
    case COUNTS:
        report(record, true, memory.live);
        record->extra = memory.bytes;
        break;
    default:
        break;
    }
    if (call->kind == LIST_MALLOC || call->kind == QUEUE_MALLOC) {
        memory.is_registered = memory.is_registered || get != NULL;
    }
}

/* Many calls as one: truth when all of them were as they should be; value: how many were. */
static void play_many(struct record *record, const struct call *call)
{
    struct queue *queue = queues[call->slot];
    struct linked_list *ll = lists[call->slot];
    uint64_t good = 0;
    for (uint64_t i = 0; i < call->index; i++) {
        unsigned int data = UNTOUCHED;
        bool fine = false;
        switch (call->kind) {
        case FILL_QUEUE:
            fine = CALL(queue_push, false, queue, (unsigned int)i);
            break;
        case DRAIN_QUEUE:
            fine = CALL(queue_pop, false, queue, &data) && data == i;
            break;
        case FILL_END:
            fine = CALL(linked_list_insert_end, false, ll, (unsigned int)i);
            break;
        case FILL_FRONT:
            fine = CALL(linked_list_insert_front, false, ll, (unsigned int)i);
            break;
        case DRAIN_FRONT:
            fine = CALL(linked_list_remove, false, ll, 0);
            break;
        case SIZE_QUEUE:
            fine = CALL(queue_size, 0, queue) == call->data;
            break;
        case SIZE_LIST:
            fine = CALL(linked_list_size, 0, ll) == call->data;
            break;
        default:
            break;
        }
        good += fine;
    }
    report(record, good == call->index, good);
}

static void play(struct record *record, const struct call *call)
{
    uint64_t mallocs = memory.mallocs, frees = memory.frees, strangers = memory.strangers;
    memory.flags = 0;
    memory.is_inside = true;
    if (call->kind < ITERATOR_CREATE) {
        play_list(record, call);
    } else if (call->kind < QUEUE_CREATE) {
        play_iterator(record, call);
    } else if (call->kind < LIST_MALLOC) {
        play_queue(record, call);
    } else if (call->kind < FILL_QUEUE) {
        play_memory(record, call);
    } else {
        play_many(record, call);
    }
    memory.is_inside = false;
    record->mallocs = (uint32_t)(memory.mallocs - mallocs);
    record->frees = (uint32_t)(memory.frees - frees);
    record->strangers = (uint32_t)(memory.strangers - strangers);
    record->flags = memory.flags;
}

/* Read all bytes or to the end: nobody is left to hear of a failure. */
static void read_all(int from, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = read(from, (char *)bytes + done, length - done);
        if (got <= 0) {
            _exit(3);
        }
        done += (size_t)got;
    }
}

static void write_record(int to, const struct record *record)
{
    if (write(to, record, sizeof(*record)) != (ssize_t)sizeof(*record)) {
        _exit(3);
    }
}

#ifndef PLAIN_MEMORY
static struct record crash;
static int crash_file;

/* A register that holds memory never written, or freed; 0: none does. */
static uint64_t suspicious(const ucontext_t *context)
{
#if defined(__x86_64__)
    const greg_t *held = context->uc_mcontext.gregs;
    const size_t count = NGREG;
#elif defined(__aarch64__)
    const unsigned long long *held = context->uc_mcontext.regs;
    const size_t count = 31;
#else
    const uint64_t *held = NULL;
    const size_t count = 0;
    (void)context;
#endif
    for (size_t i = 0; i < count; i++) {
        uint64_t high = (uint64_t)held[i] >> 32;
        if (high == 0xa5a5a5a5u || high == 0xdfdfdfdfu) {
            return (uint64_t)held[i];
        }
    }
    return 0;
}

/* The last record says where it crashed; then it crashes as it would have. */
static void crashed(int number, siginfo_t *info, void *context)
{
    uint64_t held = suspicious(context);
    crash.value = held != 0 ? held : (uint64_t)(uintptr_t)info->si_addr;
    crash.flags = FLAG_CRASHED;
    write_record(crash_file, &crash);
    signal(number, SIG_DFL);
}

static void watch_for_crashes(int results)
{
    static char stack[1 << 16];
    stack_t place = {.ss_sp = stack, .ss_size = sizeof(stack)};
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    crash_file = results;
    sigaltstack(&place, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}
#endif

int main(int argc, char **argv)
{
    uint64_t head[2];
    if (argc != 3 && argc != 4) {
        return 2;
    }
    int script = atoi(argv[1]), results = atoi(argv[2]);
    read_all(script, head, sizeof(head));
    struct call *calls = system_malloc((head[1] + 1) * sizeof(*calls));
    if (calls == NULL) {
        return 3;
    }
    read_all(script, calls, head[1] * sizeof(*calls));
#ifndef PLAIN_MEMORY
    watch_for_crashes(results);
#endif
    for (uint64_t i = 0; i < head[1]; i++) {
        struct record record = {.nonce = head[0], .index = (uint32_t)i};
        calls[i].slot %= SLOTS;
#ifndef PLAIN_MEMORY
        crash = record;
#endif
        play(&record, &calls[i]);
        write_record(results, &record);
    }
    system_free(calls);
    struct record last = {.nonce = head[0], .index = (uint32_t)head[1]};
    write_record(results, &last);
    _exit(0);
}
