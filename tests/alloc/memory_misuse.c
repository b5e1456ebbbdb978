/*
 * memory_misuse.c - a program that touches list nodes it must not touch, for
 * test_memory_visible.sh.
 *
 * memory_misuse ALLOCATOR KIND...: per kind a line "== KIND" on standard error where there are
 * several, a list of a few nodes from that allocator, and then
 *     clean           nothing wrong
 *     read-released   read a node after its removal
 *     write-released  write to it
 *     read-deleted    read a node after its list was deleted
 *     read-new        decide by a node's data before anything was written there (Memcheck only)
 *     overrun         write the byte after a node
 *     double-release  release a block twice; the program ends
 *     marked          nothing wrong; prints whether blocks are marked at all
 */
#include "alloc/block_marks.h"
#include "alloc/node_allocator.h"
#include "liblist/linked_list_more.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 40 };

static volatile unsigned int sink;

/* The block-wise kinds go through the allocator itself; the list would not be that careless. */
static void misuse_blocks(const char *allocator, const char *kind)
{
    const struct memory_source libc = {malloc, free};
    static struct node_heap heap;
    struct node_allocator_error error;
    if (!node_heap_open(&heap, allocator, &libc, &error)) {
        exit(2);
    }
    unsigned int *first = node_allocator_allocate(heap.allocator, sizeof(struct node));
    unsigned int *second = node_allocator_allocate(heap.allocator, sizeof(struct node));
    if (strcmp(kind, "read-new") == 0 && second[2] == 17) {
        sink = 1;
    }
    node_allocator_release(heap.allocator, first, sizeof(struct node));
    if (strcmp(kind, "double-release") == 0) {
        node_allocator_release(heap.allocator, first, sizeof(struct node));
        exit(0); /* the allocator's own structure is in disorder now */
    }
    node_allocator_release(heap.allocator, second, sizeof(struct node));
    node_heap_close(&heap);
}

static void misuse_list(const char *allocator, const char *kind)
{
    if (!linked_list_set_allocator(allocator)) {
        exit(2);
    }
    struct linked_list *ll = linked_list_create();
    for (unsigned int i = 0; i < NODES; i++) {
        if (!linked_list_insert_end(ll, i)) {
            exit(2);
        }
    }
    struct node *head = ll->head;
    struct node *tail = ll->tail;
    linked_list_remove(ll, 0);
    if (strcmp(kind, "read-released") == 0) {
        sink = head->data;
    } else if (strcmp(kind, "write-released") == 0) {
        head->data = 1;
    } else if (strcmp(kind, "overrun") == 0) {
        ((volatile unsigned char *)tail)[sizeof *tail] = 1;
    }
    linked_list_delete(ll);
    if (strcmp(kind, "read-deleted") == 0) {
        sink = tail->data;
    }
    linked_list_final_cleanup();
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        if (argc > 3) {
            fprintf(stderr, "== %s\n", argv[i]);
        }
        if (strcmp(argv[i], "marked") == 0) {
            puts(blocks_are_watched() ? "marked" : "unmarked");
        } else if (strcmp(argv[i], "read-new") == 0 || strcmp(argv[i], "double-release") == 0) {
            misuse_blocks(argv[1], argv[i]);
        } else {
            misuse_list(argv[1], argv[i]);
        }
    }
    return 0;
}
