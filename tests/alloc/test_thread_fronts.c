/*
 * test_thread_fronts.c - blocks of nodes that allocate gives and release takes, in many threads:
 * without the lock, and what a thread keeps serves the next one. Pages and forks among threads.
 */
#include "base/macros.h"
#include "tests/support/contract_cases.h"
#include "tests/support/front_fixture.h"
#include "tests/support/suite.h"
#include "tests/support/thread_sanitizer.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NODE_BYTES = NODE_ALIGNMENT, LARGE = 1000, MANY = 100, HELD = 300 };

static const char *const specifications[] = {"pool", "slab:chunk=64K", "pool:order=fifo"};

static struct node_heap heap;
static atomic_size_t calls, live;
static void (*on_large)(void); /* called in the source, for a block of LARGE bytes */
static pthread_barrier_t barrier;

static void *source_gives(size_t size)
{
    if (size == LARGE && on_large != NULL) {
        on_large();
    }
    atomic_fetch_add(&calls, 1);
    atomic_fetch_add(&live, 1);
    void *block = malloc(size);
    return block != NULL ? memset(block, 0xA5, size) : NULL;
}

static void source_takes(void *block)
{
    atomic_fetch_sub(&live, block != NULL);
    free(block);
}

static void open_heap(const char *specification)
{
    static const struct memory_source watched_source = {source_gives, source_takes};
    struct node_allocator_error error;
    have_a_second_thread();
    atomic_store(&calls, 0); /* with CK_FORK=no all tests are in one process */
    on_large = NULL;
    ck_assert_msg(node_heap_open(&heap, specification, &watched_source, &error), "%s",
                  error.message);
}

static void close_heap(void)
{
    char message[200] = "";
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_uint_eq(statistics.live_blocks, 0);
    ck_assert_msg(node_allocator_check(heap.allocator, message, sizeof(message)), "%s", message);
    node_allocator_trim(heap.allocator);
    ck_assert_uint_eq(atomic_load(&live), 0);
    node_heap_close(&heap);
}

/* Take blocks, and give them back in the order in which they came. */
static void take_and_give(size_t count)
{
    uint64_t *blocks[HELD];
    for (size_t i = 0; i < count; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, NODE_BYTES);
        require(blocks[i] != NULL);
        *blocks[i] = (uint64_t)(uintptr_t)blocks ^ i;
    }
    for (size_t i = 0; i < count; i++) {
        require(*blocks[i] == ((uint64_t)(uintptr_t)blocks ^ i));
        node_allocator_release(heap.allocator, blocks[i], NODE_BYTES);
    }
}

/* Without the lock ----------------------------------------------------------------------------- */

static void *work_while_the_source_is_asked(void *unused)
{
    take_and_give(MANY);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier); /* the other thread is in the source, under the lock */
    for (int round = 0; round < MANY; round++) {
        take_and_give(MANY);
    }
    pthread_barrier_wait(&barrier);
    return unused;
}

static void let_the_other_work(void)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
}

/* If the other thread needed the lock, both would wait for ever. First in, first out the lock is
 * taken for each batch of blocks that waited. */
START_TEST(a_thread_uses_its_blocks_while_another_has_the_lock)
{
    pthread_t other;
    open_heap(specifications[_i]);
    if (!blocks_are_watched()) { /* under a checker every block takes the lock */
        pthread_barrier_init(&barrier, NULL, 2);
        ck_assert_int_eq(pthread_create(&other, NULL, work_while_the_source_is_asked, NULL), 0);
        pthread_barrier_wait(&barrier);
        on_large = let_the_other_work;
        node_allocator_release(heap.allocator, node_allocator_allocate(heap.allocator, LARGE),
                               LARGE);
        pthread_join(other, NULL);
        pthread_barrier_destroy(&barrier);
    }
    close_heap();
}
END_TEST

/* Pages and magazines that change their owner -------------------------------------------------- */

enum { PAGE_BLOCK = 512, IN_PAGES = 100, AT_ONCE = 3, CHANGES = 3000 };

static atomic_bool is_over;

/* Take blocks and give them back. A page has some thirty of them, so that pages come and go all the
 * time. front: an open one, or NULL. */
static void use_pages(struct node_front *front, uint64_t tag)
{
    uint64_t *taken[IN_PAGES];
    for (size_t i = 0; i < IN_PAGES; i++) {
        taken[i] = front_take(&heap, front);
        require(taken[i] != NULL);
        taken[i][0] = taken[i][PAGE_BLOCK / sizeof(uint64_t) - 1] = tag + i;
    }
    for (size_t i = 0; i < IN_PAGES; i++) {
        require_equal(taken[i][0], tag + i);
        require_equal(taken[i][PAGE_BLOCK / sizeof(uint64_t) - 1], tag + i);
        front_give(&heap, front, taken[i]);
    }
}

/* A list after the other, each with a front of its own, until the argument's count or a fork. */
static void *change_pages(void *argument)
{
    const size_t *changes = argument;
    for (size_t i = 0; i < *changes && !atomic_load(&is_over); i++) {
        struct node_front front = {0};
        if (node_allocator_open_front(heap.allocator, &front, PAGE_BLOCK)) {
            for (uint64_t round = 0; round < 5; round++) {
                use_pages(&front, (uint64_t)(uintptr_t)&front + round);
            }
            close_front(&heap, &front);
        }
    }
    return NULL;
}

static void *change_magazines(void *argument)
{
    const size_t *changes = argument;
    for (size_t i = 0; i < *changes; i++) {
        take_and_give(HELD);
    }
    return NULL;
}

static void start_threads(pthread_t *threads, void *(*run)(void *), size_t *changes)
{
    atomic_store(&is_over, false);
    for (size_t i = 0; i < AT_ONCE; i++) {
        require(pthread_create(&threads[i], NULL, run, changes) == 0);
    }
}

static void join_threads(const pthread_t *threads)
{
    for (size_t i = 0; i < AT_ONCE; i++) {
        pthread_join(threads[i], NULL);
    }
}

START_TEST(pages_and_magazines_have_one_owner_at_a_time)
{
    pthread_t threads[AT_ONCE];
    size_t changes = blocks_are_watched() ? CHANGES / 100 : CHANGES;
    open_heap(specifications[_i / 2]);
    start_threads(threads, _i % 2 == 0 ? change_pages : change_magazines, &changes);
    join_threads(threads);
    close_heap();
}
END_TEST

enum { GIVES_MAGAZINE, TAKES_PAGE, GIVES_PAGES, CHANGES_OF_OWNER };

static atomic_int changer; /* the thread that needs the lock */
static atomic_bool is_going, has_changed;

static void *change_owner(void *argument)
{
    const int what = *(const int *)argument;
    struct node_front front = {0};
    void *taken[HELD];
    const size_t count = what == GIVES_MAGAZINE ? HELD : what == GIVES_PAGES ? IN_PAGES : 0;
    const bool is_open =
        what == GIVES_MAGAZINE || node_allocator_open_front(heap.allocator, &front, PAGE_BLOCK);
    require(is_open);
    for (size_t i = 0; i < count; i++) {
        taken[i] = what == GIVES_MAGAZINE ? node_allocator_allocate(heap.allocator, NODE_BYTES)
                                          : front_take(&heap, &front);
        require(taken[i] != NULL);
    }
    atomic_store(&changer, (int)syscall(SYS_gettid));
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier); /* the other thread has the lock */
    atomic_store(&is_going, true);
    for (size_t i = 0; i < count; i++) {
        if (what == GIVES_MAGAZINE) {
            node_allocator_release(heap.allocator, taken[i], NODE_BYTES);
        } else {
            front_give(&heap, &front, taken[i]);
        }
    }
    void *one = what == TAKES_PAGE ? front_take(&heap, &front) : NULL;
    atomic_store(&has_changed, true);
    if (one != NULL) {
        front_give(&heap, &front, one);
    }
    if (what != GIVES_MAGAZINE) {
        close_front(&heap, &front);
    }
    return NULL;
}

/* In the source, under the lock: the other thread goes on until it sleeps, which it may not do
 * without a lock to wait for. */
static void let_the_other_wait(void)
{
    char name[64];
    char line[256];
    bool sleeps = false;
    snprintf(name, sizeof(name), "/proc/self/task/%d/stat", atomic_load(&changer));
    pthread_barrier_wait(&barrier);
    while (!sleeps && !atomic_load(&has_changed)) {
        const bool going = atomic_load(&is_going); /* before that it waits for the barrier */
        FILE *file = fopen(name, "r");
        require(file != NULL && fgets(line, sizeof(line), file) != NULL);
        fclose(file);
        sleeps = going && strstr(line, ") S ") != NULL;
    }
    require(!atomic_load(&has_changed));
}

START_TEST(what_changes_its_owner_needs_the_lock)
{
    int what = _i % CHANGES_OF_OWNER;
    const char *specification = specifications[_i / CHANGES_OF_OWNER];
    if (blocks_are_watched() || getenv("PW_EMULATED") != NULL ||
        (what == GIVES_PAGES && strcmp(specification, "pool") == 0)) {
        return; /* a checker has no fronts, an emulator no state of a thread, a pool no pages */
    }
    pthread_t other;
    open_heap(specification);
    atomic_store(&is_going, false);
    atomic_store(&has_changed, false);
    pthread_barrier_init(&barrier, NULL, 2);
    ck_assert_int_eq(pthread_create(&other, NULL, change_owner, &what), 0);
    pthread_barrier_wait(&barrier);
    on_large = let_the_other_wait;
    node_allocator_release(heap.allocator, node_allocator_allocate(heap.allocator, LARGE), LARGE);
    pthread_join(other, NULL);
    pthread_barrier_destroy(&barrier);
    close_heap();
}
END_TEST

/* Memory of the source is not zero: what a thread that the child does not have took and did not
 * begin to use is not looked at. */
static void trim_in_child(void)
{
    char message[200] = "";
    struct node_allocator_statistics statistics;
    struct node_front front = {0};
    node_allocator_statistics(heap.allocator, &statistics);
    require_msg(node_allocator_check(heap.allocator, message, sizeof(message)), "%s", message);
    node_allocator_trim(heap.allocator);
    require_msg(node_allocator_check(heap.allocator, message, sizeof(message)), "%s", message);
    take_and_give(HELD);
    if (node_allocator_open_front(heap.allocator, &front, PAGE_BLOCK)) {
        use_pages(&front, 7);
        close_front(&heap, &front);
    }
}

START_TEST(a_child_of_fork_trims_a_heap_that_others_used)
{
    if (FORKS_MAY_HANG || blocks_are_watched() || getenv("PW_EMULATED") != NULL) {
        return; /* for a checker each thread that the child does not have is a leak */
    }
    pthread_t threads[AT_ONCE];
    size_t changes = SIZE_MAX;
    open_heap(specifications[_i]);
    start_threads(threads, change_pages, &changes);
    for (size_t i = 0; i < 3 * MANY; i++) {
        int status = 1;
        const pid_t child = fork();
        if (child == 0) {
            trim_in_child();
            _exit(0);
        }
        ck_assert(child > 0 && waitpid(child, &status, 0) == child);
        ck_assert_msg(status == 0, "child %zu ended with %#x", i, status);
    }
    atomic_store(&is_over, true);
    join_threads(threads);
    close_heap();
}
END_TEST

/* The end of a thread -------------------------------------------------------------------------- */

static void *take_and_give_many(void *unused)
{
    take_and_give(MANY);
    return unused;
}

START_TEST(what_a_thread_kept_serves_the_next_one)
{
    open_heap(specifications[_i]);
    size_t after_first = 0;
    for (int i = 0; i < MANY; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, take_and_give_many, NULL), 0);
        pthread_join(thread, NULL);
        after_first = i == 0 ? atomic_load(&calls) : after_first;
    }
    ck_assert_uint_eq(atomic_load(&calls), after_first);
    close_heap();
}
END_TEST

/* More threads than have a number -------------------------------------------------------------- */

static void *take_and_give_at_once(void *unused)
{
    for (int round = 0; round < 10; round++) {
        pthread_barrier_wait(&barrier); /* nobody ends before all have a number, or none */
        take_and_give(HELD);
    }
    return unused;
}

START_TEST(a_hundred_threads_at_once_lose_nothing)
{
    pthread_t threads[MANY];
    open_heap(specifications[_i]);
    pthread_barrier_init(&barrier, NULL, MANY);
    for (size_t i = 0; i < MANY; i++) {
        require(pthread_create(&threads[i], NULL, take_and_give_at_once, NULL) == 0);
    }
    for (size_t i = 0; i < MANY; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_barrier_destroy(&barrier);
    close_heap();
}
END_TEST

/* What waits in a front ------------------------------------------------------------------------ */

static void *blocks[HELD];

static void *take_all(void *unused)
{
    for (size_t i = 0; i < HELD; i++) {
        blocks[i] = node_allocator_allocate(heap.allocator, NODE_BYTES);
        require(blocks[i] != NULL);
    }
    return unused;
}

START_TEST(what_threads_keep_is_not_alive)
{
    struct node_allocator_statistics statistics;
    pthread_t thread;
    open_heap(specifications[_i]);
    ck_assert_int_eq(pthread_create(&thread, NULL, take_all, NULL), 0);
    pthread_join(thread, NULL);
    for (size_t i = 0; i < HELD; i++) {
        node_allocator_statistics(heap.allocator, &statistics);
        require_equal(statistics.live_blocks, HELD - i);
        node_allocator_release(heap.allocator, blocks[i], NODE_BYTES); /* another than took it */
    }
    close_heap();
}
END_TEST

/* A thread and its lists share what they keep, so that a pool mallocs what is alive at most. */
START_TEST(a_list_takes_what_its_thread_keeps)
{
    struct node_front front = {0};
    open_heap(specifications[_i]);
    if (open_front(&heap, &front, NODE_BYTES)) {
        take_and_give(MANY);
        const size_t asked = atomic_load(&calls);
        void *tail = NULL;
        void *head = NULL;
        for (int i = 0; i < MANY; i++) {
            void *block = front_take(&heap, &front);
            *(void **)block = head;
            tail = tail == NULL ? block : tail;
            head = block;
        }
        ck_assert_uint_eq(atomic_load(&calls), asked);
        heap.allocator->type->fronts->close(heap.allocator, &front, head, tail, MANY);
        take_and_give(MANY);
        take_all(NULL);
        for (size_t i = 0; i + 1 < HELD; i++) {
            *(void **)blocks[i] = blocks[i + 1];
        }
        node_allocator_release_chain(heap.allocator, blocks[0], blocks[HELD - 1], HELD, NODE_BYTES);
        take_and_give(HELD);
        ck_assert_uint_eq(atomic_load(&calls), _i == 1 ? asked : HELD);
    }
    close_heap();
}
END_TEST

int main(void)
{
    const TTest *const lifo[] = {a_thread_uses_its_blocks_while_another_has_the_lock, NULL};
    const TTest *const each[] = {a_child_of_fork_trims_a_heap_that_others_used,
                                 what_a_thread_kept_serves_the_next_one,
                                 a_hundred_threads_at_once_lose_nothing,
                                 what_threads_keep_is_not_alive,
                                 a_list_takes_what_its_thread_keeps,
                                 NULL};
    const TTest *const waits[] = {what_changes_its_owner_needs_the_lock, NULL};
    const TTest *const twice[] = {pages_and_magazines_have_one_owner_at_a_time, NULL};
    const struct suite_case cases[] = {{lifo, NULL, NULL, 0, 2},
                                       {twice, NULL, NULL, 0, 2 * COUNT_OF(specifications)},
                                       {waits, NULL, NULL, 0, 2 * CHANGES_OF_OWNER},
                                       {each, NULL, NULL, 0, COUNT_OF(specifications)}};
    return suite_run_cases("thread_fronts", COUNT_OF(cases), cases);
}
