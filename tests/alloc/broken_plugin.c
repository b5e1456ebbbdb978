/*
 * broken_plugin.c - an allocator that hands every request to its source, and breaks one rule.
 *
 * test_check.sh builds it once for each, with -DBREAKS=...; BREAKS=NOTHING keeps them all.
 */
#define _GNU_SOURCE
#include <node_allocator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    NOTHING,
    OVERLAP,
    MISALIGN,
    FORGET,
    CRASH,
    SPIN,
    LEAVE,
    GIVE_NULL,
    SCRIBBLE,
    OVERRUN,
    SHORT,
    CLOSE,
    RELEASE_TWICE,
    FOREIGN,
    MISCOUNT,
    UNDERSTATE,
    GIVE_UP,
    LOSE_CHAIN,
    UNSOUND
};

#define LATE 40 /* requests that are served as they should be */
#define PAGE 4096

/*
 * The last 16 bytes before the memory that this process shares with its parent: there a plug-in's
 * own memory lies where the system puts new mappings below old ones. A block there is too short.
 * What is written to it goes on into what comes next: pages that nobody may touch, if the parent is
 * careful.
 */
static unsigned char *short_block(void)
{
    static unsigned long place;
    char line[512], kind[8];
    unsigned long begin, end, last_end = 0;
    bool is_found = place != 0;
    FILE *maps = is_found ? NULL : fopen("/proc/self/maps", "r");
    while (!is_found && fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, kind) == 3 &&
            (strcmp(kind, "rw-s") == 0 || strcmp(kind, "---p") == 0)) {
            place = begin != last_end ? begin : place;
            last_end = end;
            is_found = strcmp(kind, "rw-s") == 0;
        }
    }
    if (maps != NULL) {
        fclose(maps);
        mmap((void *)(place - PAGE), PAGE, PROT_READ | PROT_WRITE, /* unless there is some */
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    }
    return (unsigned char *)place - 16;
}

struct broken {
    struct node_allocator base;
    uint64_t requests, live;
    unsigned char *last; /* the block given last; NULL: it is back */
    bool has_given_up;
    size_t close_used;
    _Alignas(16) unsigned char close[8192]; /* small blocks, 8 bytes apart */
};

static void *allocate(struct node_allocator *self, size_t size)
{
    struct broken *broken = (struct broken *)self;
    bool late = ++broken->requests > LATE;
    volatile int *nowhere = NULL;
    if (BREAKS == CRASH && late) {
        *nowhere = 1;
    }
    if (BREAKS == LEAVE && late) {
        exit(3);
    }
    for (volatile bool spin = BREAKS == SPIN && late; spin;) {
    }
    if ((BREAKS == GIVE_NULL && broken->requests % LATE == 0) || broken->has_given_up) {
        return NULL;
    }
    if (BREAKS == OVERLAP && late && broken->last != NULL) {
        return broken->last;
    }
    if (BREAKS == SHORT && late) {
        return short_block();
    }
    if (BREAKS == CLOSE && size <= 32 && broken->close_used + size <= sizeof(broken->close)) {
        broken->close_used += 8;
        return broken->close + broken->close_used - 8;
    }
    unsigned char *block = self->source->allocate(size + (BREAKS == MISALIGN ? 8 : 0));
    if (block == NULL) {
        broken->has_given_up = BREAKS == GIVE_UP;
        return NULL;
    }
    if (BREAKS == SCRIBBLE && late && broken->last != NULL) {
        *broken->last = (unsigned char)(*broken->last + 1);
    }
    if (BREAKS == OVERRUN && late) {
        block[size] = 0;
    }
    broken->last = block;
    broken->live++;
    return block + (BREAKS == MISALIGN ? 8 : 0);
}

static void release(struct node_allocator *self, void *block, size_t size)
{
    struct broken *broken = (struct broken *)self;
    (void)size;
    broken->live--;
    if ((BREAKS == SHORT && broken->requests > LATE && block == short_block()) ||
        (BREAKS == CLOSE && (uintptr_t)block - (uintptr_t)broken->close < sizeof(broken->close))) {
        return;
    }
    broken->last = broken->last == block ? NULL : broken->last;
    if (BREAKS == FORGET && broken->live % 8 == 0) {
        return;
    }
    self->source->release((unsigned char *)block - (BREAKS == MISALIGN ? 8 : 0) +
                          (BREAKS == FOREIGN && broken->requests > LATE ? 16 : 0));
    if (BREAKS == RELEASE_TWICE && broken->requests > LATE) {
        self->source->release(block);
    }
}

static void release_chain(struct node_allocator *self, void *head, void *tail, size_t count,
                          size_t size)
{
    (void)tail;
    for (; count > (BREAKS == LOSE_CHAIN ? 1 : 0); count--) {
        void *next = *(void **)head;
        release(self, head, size);
        head = next;
    }
}

static void statistics(const struct node_allocator *self, struct node_allocator_statistics *out)
{
    const struct broken *broken = (const struct broken *)self;
    out->live_blocks = broken->live + (BREAKS == MISCOUNT && broken->requests > LATE);
}

static bool check(const struct node_allocator *self, char *message, size_t message_size)
{
    const struct broken *broken = (const struct broken *)self;
    strncpy(message, "my list has a circle", message_size - 1);
    return BREAKS != UNSOUND || broken->requests <= LATE;
}

static double bytes_per_block(const struct node_allocator *self, size_t size)
{
    (void)self;
    return BREAKS == UNDERSTATE ? 16 : (double)size + 16;
}

PW_EXPORT extern const struct node_allocator_type NODE_ALLOCATOR_PLUGIN;
const struct node_allocator_type NODE_ALLOCATOR_PLUGIN = {
    .abi = NODE_ALLOCATOR_ABI,
    .name = "broken",
    .summary = "hands requests to its source, and breaks one rule",
    .flags = NODE_ALLOCATOR_GIVES_BACK,
    .instance_bytes = sizeof(struct broken),
    .bytes_per_block = bytes_per_block,
    .allocate = allocate,
    .release = release,
    .release_chain = release_chain,
    .statistics = statistics,
    .check = check,
};
