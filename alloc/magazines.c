/*
 * magazines.c - see magazines.h.
 */
#include "magazines.h"
#include "base/pw_assert.h"
#include "block_marks.h"
#include "shared_locks.h"
#include <string.h>

static void *next_block(void *block)
{
    return ((void **)block)[0];
}

static void *next_chain(void *block)
{
    return ((void **)block)[1];
}

static void link_block(void *block, void *next)
{
    ((void **)block)[0] = next;
}

static void link_chain(void *block, void *next)
{
    ((void **)block)[1] = next;
}

/* Link a block that a checker knows to be dead. */
static void link_dead(const struct magazine_depot *depot, void *block, void *next)
{
    block_mark_own(depot->is_watched, block, sizeof(void *));
    link_block(block, next);
    block_mark_dead(depot->is_watched, block, sizeof(void *));
}

/* Chains --------------------------------------------------------------------------------------- */

/* The blocks of a chain of the depot. */
static size_t count_of(void *head)
{
    return next_block(head) == NULL ? 1 : ((size_t *)next_block(head))[1];
}

/* Make a chain for the depot of a list of count blocks. */
static void start_chain(void *head, size_t count, void *next)
{
    link_chain(head, next);
    if (next_block(head) != NULL) {
        ((size_t *)next_block(head))[1] = count;
    }
    pw_assert(count_of(head) == count);
}

static void push(struct magazine_depot *depot, void *head, size_t count)
{
    if (count > 0) {
        depot->last = depot->first == NULL ? head : depot->last;
        start_chain(head, count, depot->first);
        depot->first = head;
    }
}

static void append(struct magazine_depot *depot, void *head, size_t count)
{
    if (count > 0) {
        start_chain(head, count, NULL);
        if (depot->first == NULL) {
            depot->first = head;
        } else {
            link_chain(depot->last, head);
        }
        depot->last = head;
    }
}

/* Take up to most blocks of the first chain; there must be one. Returns how many. */
static size_t take_first(struct magazine_depot *depot, size_t most, void **head)
{
    void *block = *head = depot->first;
    void *following = next_chain(block);
    const size_t count = count_of(block);
    pw_assert(most > 0);
    if (count <= most) {
        depot->first = following;
        return count;
    }
    for (size_t i = 1; i < most; i++) {
        block = next_block(block);
    }
    void *rest = next_block(block);
    link_block(block, NULL);
    start_chain(rest, count - most, following);
    depot->last = depot->last == *head ? rest : depot->last;
    depot->first = rest;
    return most;
}

/* Fronts --------------------------------------------------------------------------------------- */

void magazines_open(struct magazine_depot *depot, struct node_front *front, size_t block_bytes)
{
    pw_assert(block_bytes >= 2 * sizeof(void *) && front->previous_front == NULL);
    front->block_bytes = block_bytes;
    front->keep = depot->is_fifo ? 0 : depot->is_watched ? SIZE_MAX : MAGAZINE_BLOCKS;
    depot->shared = depot->shared == NULL ? front : depot->shared;
    front->next_front = depot->fronts;
    if (depot->fronts != NULL) {
        depot->fronts->previous_front = front;
    }
    depot->fronts = front;
}

struct node_front *magazines_open_of_thread(struct magazine_depot *depot, struct node_front *front)
{
    const bool locked = shared_lock(LOCK_HEAPS);
    magazines_open(depot, front, SIZE_CLASS_STEP);
    shared_unlock(LOCK_HEAPS, locked);
    return front;
}

/* The blocks given back to a front first in, first out; its list of them is empty then. */
static size_t take_waiting(const struct magazine_depot *depot, struct node_front *front,
                           void **head)
{
    const size_t count = front->own_count[MAGAZINE_WAITING];
    *head = front->own[MAGAZINE_OLDEST];
    if (count > 0) {
        link_dead(depot, front->own[MAGAZINE_YOUNGEST], NULL);
    }
    front->own[MAGAZINE_OLDEST] = front->own[MAGAZINE_YOUNGEST] = NULL;
    front->own_count[MAGAZINE_WAITING] = 0;
    return count;
}

uint64_t magazines_kept(const struct node_front *front)
{
    return front->kept + (front->own[MAGAZINE_SECOND] != NULL ? MAGAZINE_BLOCKS : 0) +
           front->own_count[MAGAZINE_WAITING];
}

/* The blocks of a list; most + 1 if there are more. */
static size_t listed(void *block, size_t most)
{
    size_t count = 0;
    for (; block != NULL && count <= most; count++) {
        block = next_block(block);
    }
    return count;
}

void magazines_settle(const struct magazine_depot *depot, struct node_front *front)
{
    if (!shared_locks_were_forked() || depot->is_watched) {
        return;
    }
    if (front->own[MAGAZINE_SECOND] == front->free_list) {
        front->own[MAGAZINE_SECOND] = NULL;
    }
    front->kept = listed(front->free_list, SIZE_MAX - 1);
    void **oldest = front->own[MAGAZINE_OLDEST];
    front->own_count[MAGAZINE_WAITING] = listed(oldest, SIZE_MAX - 1);
    for (void **block = oldest; block != NULL; block = *block) {
        front->own[MAGAZINE_YOUNGEST] = block;
    }
}

bool magazines_load_some(struct magazine_depot *depot, struct node_front *front)
{
    pw_assert(front->free_list == NULL && front->kept == 0);
    if (depot->first == NULL && front != depot->shared) {
        magazines_flush(depot, depot->shared);
    }
    if (depot->first != NULL) {
        front->kept = take_first(depot, MAGAZINE_BLOCKS, &front->free_list);
    } else {
        front->kept = take_waiting(depot, front, &front->free_list);
    }
    pw_assert((front->free_list == NULL) == (front->kept == 0));
    return front->kept > 0;
}

static void wait(const struct magazine_depot *depot, struct node_front *front, void *block)
{
    link_block(block, NULL); /* a checker reports a block that was given back before */
    node_front_fence();
    if (front->own[MAGAZINE_OLDEST] == NULL) {
        front->own[MAGAZINE_OLDEST] = block;
    } else {
        link_dead(depot, front->own[MAGAZINE_YOUNGEST], block);
    }
    front->own[MAGAZINE_YOUNGEST] = block;
    front->own_count[MAGAZINE_WAITING]++;
}

bool magazines_keep(const struct magazine_depot *depot, struct node_front *front, void *block)
{
    if (depot->is_fifo) {
        const bool has_room =
            depot->is_watched || front->own_count[MAGAZINE_WAITING] < MAGAZINE_BLOCKS;
        if (has_room) {
            wait(depot, front, block);
        }
        return has_room;
    }
    if (front->own[MAGAZINE_SECOND] != NULL) {
        return false;
    }
    pw_assert(front->kept == MAGAZINE_BLOCKS);
    front->own[MAGAZINE_SECOND] = front->free_list;
    link_block(block, NULL);
    node_front_fence();
    front->free_list = block;
    front->kept = 1;
    return true;
}

void magazines_store(struct magazine_depot *depot, struct node_front *front, void *block)
{
    if (depot->is_fifo) {
        void *waiting;
        const size_t count = take_waiting(depot, front, &waiting);
        append(depot, waiting, count);
        wait(depot, front, block);
        return;
    }
    pw_assert(front->own[MAGAZINE_SECOND] != NULL);
    push(depot, front->own[MAGAZINE_SECOND], MAGAZINE_BLOCKS);
    front->own[MAGAZINE_SECOND] = NULL;
    magazines_keep(depot, front, block);
}

void magazines_release(struct magazine_depot *depot, void *block)
{
    struct node_front *front = depot->shared;
    if (!node_front_give(front, block, front->block_bytes) &&
        !magazines_keep(depot, front, block)) {
        magazines_store(depot, front, block);
    }
}

void magazines_flush(struct magazine_depot *depot, struct node_front *front)
{
    void *waiting;
    magazines_settle(depot, front);
    const size_t count = take_waiting(depot, front, &waiting);
    push(depot, front->own[MAGAZINE_SECOND],
         front->own[MAGAZINE_SECOND] != NULL ? MAGAZINE_BLOCKS : 0);
    /* also first in, first out: they are the next to be given out */
    push(depot, front->free_list, front->kept);
    append(depot, waiting, count);
    front->own[MAGAZINE_SECOND] = front->free_list = NULL;
    front->kept = 0;
}

void magazines_give_chain(struct magazine_depot *depot, struct node_front *front, void *head,
                          void *tail, size_t count)
{
    magazines_flush(depot, front);
    if (count > 0) {
        link_block(tail, NULL);
        (depot->is_fifo ? append : push)(depot, head, count);
    }
}

void magazines_close(struct magazine_depot *depot, struct node_front *front)
{
    pw_assert(magazines_kept(front) == 0);
    *(front->previous_front != NULL ? &front->previous_front->next_front : &depot->fronts) =
        front->next_front;
    if (front->next_front != NULL) {
        front->next_front->previous_front = front->previous_front;
    }
    memset(front, 0, sizeof(*front));
}

void magazines_forget(struct node_front *front)
{
    *front = (struct node_front){.keep = front->keep,
                                 .block_bytes = front->block_bytes,
                                 .next_front = front->next_front,
                                 .previous_front = front->previous_front};
}

void *magazines_pop(struct magazine_depot *depot)
{
    void *block = NULL;
    if (depot->first != NULL) {
        take_first(depot, 1, &block);
    }
    return block;
}

uint64_t magazines_blocks(const struct magazine_depot *depot, uint64_t most)
{
    uint64_t blocks = 0;
    bool is_sound = true;
    for (const struct node_front *at = depot->fronts; at != NULL; at = at->next_front) {
        struct node_front front = *at;
        magazines_settle(depot, &front);
        blocks += magazines_kept(&front);
        is_sound =
            is_sound && (depot->is_watched || listed(front.free_list, front.kept) == front.kept);
    }
    for (void *chain = depot->first; chain != NULL && is_sound && blocks <= most;
         chain = next_chain(chain)) {
        const size_t count = count_of(chain);
        is_sound = count <= most && listed(chain, count) == count;
        blocks += count;
    }
    return is_sound ? blocks : most + 1;
}
