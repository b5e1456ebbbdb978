/*
 * magazines.c - see magazines.h.
 */
#include "magazines.h"
#include "base/pw_assert.h"
#include "block_marks.h"
#include <string.h>

/* What own and own_count of a front hold. */
enum {
    SECOND, /* the second magazine, full; NULL: empty */
    OLDEST, /* is_fifo: the first and the last of the blocks given back; NULL: none */
    YOUNGEST
};
enum { WAITING }; /* is_fifo: their number */

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

static void push(struct magazine_depot *depot, void *head)
{
    if (head == NULL) {
        return;
    }
    depot->last = depot->first == NULL ? head : depot->last;
    link_chain(head, depot->first);
    depot->first = head;
}

static void append(struct magazine_depot *depot, void *head)
{
    if (head == NULL) {
        return;
    }
    link_chain(head, NULL);
    if (depot->first == NULL) {
        depot->first = head;
    } else {
        link_chain(depot->last, head);
    }
    depot->last = head;
}

/* Take up to count blocks of the first chain; there must be one. Returns how many. */
static size_t cut(struct magazine_depot *depot, size_t count, void **head)
{
    void *block = *head = depot->first;
    void *following = next_chain(block);
    size_t taken = 1;
    pw_assert(count > 0);
    while (taken < count && next_block(block) != NULL) {
        block = next_block(block);
        taken++;
    }
    void *rest = next_block(block);
    link_block(block, NULL);
    if (rest == NULL) {
        depot->first = following;
    } else {
        link_chain(rest, following);
        depot->last = depot->last == *head ? rest : depot->last;
        depot->first = rest;
    }
    return taken;
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

bool magazines_swap(struct node_front *front)
{
    pw_assert(front->free_list == NULL && front->kept == 0);
    if (front->own[SECOND] == NULL) {
        return false;
    }
    front->free_list = front->own[SECOND];
    front->kept = MAGAZINE_BLOCKS;
    front->own[SECOND] = NULL;
    return true;
}

/* The blocks given back to a front first in, first out; its list of them is empty then. */
static size_t take_waiting(const struct magazine_depot *depot, struct node_front *front,
                           void **head)
{
    const size_t count = front->own_count[WAITING];
    *head = front->own[OLDEST];
    if (count > 0) {
        link_dead(depot, front->own[YOUNGEST], NULL);
    }
    front->own[OLDEST] = front->own[YOUNGEST] = NULL;
    front->own_count[WAITING] = 0;
    return count;
}

/* The blocks that a front has on its lists. */
static uint64_t kept_by(const struct node_front *front)
{
    return front->kept + (front->own[SECOND] != NULL ? MAGAZINE_BLOCKS : 0) +
           front->own_count[WAITING];
}

bool magazines_load(struct magazine_depot *depot, struct node_front *front)
{
    pw_assert(front->free_list == NULL && front->kept == 0);
    if (depot->first == NULL && front != depot->shared && kept_by(depot->shared) > 0) {
        magazines_flush(depot, depot->shared);
    }
    if (depot->first != NULL) {
        front->kept = cut(depot, MAGAZINE_BLOCKS, &front->free_list);
    } else {
        front->kept = take_waiting(depot, front, &front->free_list);
    }
    pw_assert((front->free_list == NULL) == (front->kept == 0));
    return front->kept > 0;
}

static void wait(const struct magazine_depot *depot, struct node_front *front, void *block)
{
    link_block(block, NULL); /* a checker reports a block that was given back before */
    if (front->own[OLDEST] == NULL) {
        front->own[OLDEST] = block;
    } else {
        link_dead(depot, front->own[YOUNGEST], block);
    }
    front->own[YOUNGEST] = block;
    front->own_count[WAITING]++;
}

bool magazines_keep(const struct magazine_depot *depot, struct node_front *front, void *block)
{
    if (depot->is_fifo) {
        const bool has_room = depot->is_watched || front->own_count[WAITING] < MAGAZINE_BLOCKS;
        if (has_room) {
            wait(depot, front, block);
        }
        return has_room;
    }
    if (front->own[SECOND] != NULL) {
        return false;
    }
    pw_assert(front->kept == MAGAZINE_BLOCKS);
    front->own[SECOND] = front->free_list;
    link_block(block, NULL);
    front->free_list = block;
    front->kept = 1;
    return true;
}

void magazines_store(struct magazine_depot *depot, struct node_front *front, void *block)
{
    if (depot->is_fifo) {
        void *waiting;
        take_waiting(depot, front, &waiting);
        append(depot, waiting);
        wait(depot, front, block);
        return;
    }
    pw_assert(front->own[SECOND] != NULL);
    push(depot, front->own[SECOND]);
    front->own[SECOND] = NULL;
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
    take_waiting(depot, front, &waiting);
    push(depot, front->own[SECOND]);
    push(depot, front->free_list); /* also first in, first out: they are the next to be given out */
    append(depot, waiting);
    front->own[SECOND] = front->free_list = NULL;
    front->kept = 0;
}

void magazines_give_chain(struct magazine_depot *depot, struct node_front *front, void *head,
                          void *tail)
{
    magazines_flush(depot, front);
    if (head != NULL) {
        link_block(tail, NULL);
        depot->is_fifo ? append(depot, head) : push(depot, head);
    }
}

void magazines_close(struct magazine_depot *depot, struct node_front *front)
{
    pw_assert(kept_by(front) == 0);
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
        cut(depot, 1, &block);
    }
    return block;
}

uint64_t magazines_blocks(const struct magazine_depot *depot, uint64_t most)
{
    uint64_t blocks = 0;
    for (const struct node_front *at = depot->fronts; at != NULL; at = at->next_front) {
        blocks += kept_by(at);
        size_t listed = 0;
        for (void *block = depot->is_watched ? NULL : at->free_list;
             block != NULL && listed <= at->kept; listed++) {
            block = next_block(block);
        }
        if (!depot->is_watched && listed != at->kept) {
            return most + 1;
        }
    }
    for (void *chain = depot->first; chain != NULL && blocks <= most; chain = next_chain(chain)) {
        for (void *block = chain; block != NULL && blocks <= most; block = next_block(block)) {
            blocks++;
        }
    }
    return blocks;
}
