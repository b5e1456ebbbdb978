/*
 * test_record_replay.c - a script recorded and replayed, and every way in which that can go wrong.
 */
#include "alloc/heaps/script_checksum.h"
#include "base/macros.h"
#include "liblist/linked_list_more.h"
#include "tests/support/counted_source.h"
#include "tests/support/fixture_file.h"
#include "tests/support/heap_fixture.h"
#include "tests/support/suite.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct node_heap heap;

static const char *with_file(const char *form, const char *path)
{
    static char text[4][240];
    static unsigned next;
    char *slot = text[next++ % 4];
    snprintf(slot, 240, form, path);
    return slot;
}

static void record_traffic(const char *path, uint64_t seed)
{
    heap_open(&heap, with_file("record(first-fit,heap=1M,file=%s)", path));
    heap_traffic(heap.allocator, seed, 1000, 50, 600);
    node_heap_close(&heap);
}

static bool has_note(const char *text)
{
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_msg(strstr(statistics.note, text) != NULL, "note is \"%s\"", statistics.note);
    return true;
}

START_TEST(a_script_of_one_process_is_replayed_by_another)
{
    const char *path = fixture_path("run.script");
    pid_t child = fork();
    if (child == 0) {
        record_traffic(path, 3);
        _exit(0);
    }
    int status = 1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    heap_open(&heap, with_file("replay:file=%s", path));
    heap_traffic(heap.allocator, 3, 1000, 50, 600);
    node_heap_close(&heap);
    heap_open(&heap, with_file("replay:unchecked,file=%s", path));
    heap_traffic(heap.allocator, 3, 1000, 50, 600);
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_list_gets_the_same_nodes_from_recording_and_replay)
{
    const char *path = fixture_path("list.script");
    const char *const forms[] = {_i == 0 ? "record(first-fit32,file=%s)"
                                         : "record(quick-fit,file=%s)",
                                 "replay:checked,file=%s", "replay:unchecked,file=%s"};
    size_t distances[3][500];
    for (int run = 0; run < 3; run++) {
        ck_assert_msg(linked_list_set_allocator(with_file(forms[run], path)), "%s",
                      linked_list_error());
        struct linked_list *list = linked_list_create();
        for (unsigned i = 0; i < 1000; i++) {
            ck_assert(linked_list_insert_end(list, i));
            if (i % 3 == 2) {
                ck_assert(linked_list_remove(list, 0));
            }
        }
        struct node *node = list->head;
        for (unsigned i = 0; i < 500; i++, node = node->next) {
            distances[run][i] = (size_t)((char *)node->next - (char *)node);
        }
        ck_assert(linked_list_check(list));
        linked_list_delete(list);
        ck_assert(linked_list_set_allocator("malloc")); /* the script is finished now */
    }
    ck_assert_mem_eq(distances[0], distances[1], sizeof(distances[0]));
    ck_assert_mem_eq(distances[0], distances[2], sizeof(distances[0]));
}
END_TEST

START_TEST(a_divergent_run_is_caught_at_its_first_operation)
{
    const char *path = fixture_path("run.script");
    record_traffic(path, 4);
    heap_open(&heap, with_file("replay:file=%s", path));
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 601));
    has_note("operation 1 of");
    has_note("a request of 601 bytes, recorded was one of");
    char message[200];
    ck_assert(!node_allocator_check(heap.allocator, message, sizeof(message)));
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 1));
    node_heap_close(&heap);
}
END_TEST

START_TEST(every_kind_of_divergence_is_named)
{
    const char *path = fixture_path("short.script");
    heap_open(&heap, with_file("record(first-fit,heap=64K,file=%s)", path));
    void *a = node_allocator_allocate(heap.allocator, 16);
    void *b = node_allocator_allocate(heap.allocator, 16);
    node_allocator_release(heap.allocator, a, 16);
    node_allocator_release(heap.allocator, b, 16);
    node_heap_close(&heap);

    const char *replay = with_file("replay:file=%s", path);
    heap_open(&heap, replay);
    a = node_allocator_allocate(heap.allocator, 16);
    node_allocator_release(heap.allocator, a, 16);
    has_note("operation 2 of 4: a release, recorded was a request");
    node_heap_close(&heap);

    for (size_t size = 15; size <= 17; size += 2) {
        char note[80];
        heap_open(&heap, replay);
        ck_assert_ptr_null(node_allocator_allocate(heap.allocator, size));
        snprintf(note, sizeof(note), "a request of %zu bytes, recorded was one of 16", size);
        has_note(note);
        node_heap_close(&heap);
    }

    heap_open(&heap, replay);
    a = node_allocator_allocate(heap.allocator, 16);
    b = node_allocator_allocate(heap.allocator, 16);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 16));
    has_note("operation 3 of 4: a request of 16 bytes, recorded was a release");
    node_heap_close(&heap);

    heap_open(&heap, replay);
    a = node_allocator_allocate(heap.allocator, 16);
    b = node_allocator_allocate(heap.allocator, 16);
    node_allocator_release(heap.allocator, b, 16);
    has_note("operation 3 of 4: the block at");
    node_heap_close(&heap);

    heap_open(&heap, replay);
    a = node_allocator_allocate(heap.allocator, 16);
    b = node_allocator_allocate(heap.allocator, 16);
    node_allocator_release(heap.allocator, a, 16);
    node_allocator_release(heap.allocator, b, 16);
    heap_check(heap.allocator);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 16));
    has_note("operation 5 of 4: a request of 16 bytes, recorded was the end");
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_release_of_a_chain_is_one_operation)
{
    const char *path = fixture_path("chain.script");
    const char *specifications[2];
    specifications[0] = with_file("record(first-fit,heap=64K,file=%s)", path);
    specifications[1] = with_file("replay:file=%s", path);
    for (int run = 0; run < 2; run++) {
        void *blocks[10];
        heap_open(&heap, specifications[run]);
        for (int i = 0; i < 10; i++) {
            blocks[i] = node_allocator_allocate(heap.allocator, 16);
            ck_assert_ptr_nonnull(blocks[i]);
            if (i > 0) {
                *(void **)blocks[i - 1] = blocks[i];
            }
        }
        node_allocator_release_chain(heap.allocator, blocks[0], blocks[9], 10, 16);
        void *last = node_allocator_allocate(heap.allocator, 100);
        ck_assert_ptr_nonnull(last);
        node_allocator_release(heap.allocator, last, 100);
        heap_check(heap.allocator);
        node_heap_close(&heap);
    }
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    /* the header, 11 requests, 2 sizes, a chain of three words, a release */
    ck_assert_int_eq(status.st_size, 64 + (11 + 2 + 3 + 1) * 4);
}
END_TEST

START_TEST(a_chain_of_another_length_is_named_at_its_own_operation)
{
    const char *path = fixture_path("length.script");
    const char *specifications[2];
    specifications[0] = with_file("record(first-fit,heap=64K,file=%s)", path);
    specifications[1] = with_file("replay:file=%s", path);
    for (size_t run = 0; run < 2; run++) {
        void *blocks[2];
        heap_open(&heap, specifications[run]);
        blocks[0] = node_allocator_allocate(heap.allocator, 16);
        blocks[1] = node_allocator_allocate(heap.allocator, 16);
        *(void **)blocks[0] = blocks[1];
        node_allocator_release_chain(heap.allocator, blocks[0], blocks[1 - run], 2 - run, 16);
        if (run == 1) {
            has_note("operation 3 of 3: a chain of 1 came back, recorded was one of 2");
        }
        node_heap_close(&heap);
    }
}
END_TEST

START_TEST(a_script_that_was_changed_in_any_byte_is_refused)
{
    const char *path = fixture_path("run.script");
    record_traffic(path, 5);
    struct stat status;
    ck_assert_int_eq(stat(path, &status), 0);
    size_t size = (size_t)status.st_size;
    char *bytes = malloc(size);
    FILE *file = fopen(path, "rb");
    ck_assert_uint_eq(fread(bytes, 1, size, file), size);
    fclose(file);
    for (size_t at = 0; at < size; at += at < 80 ? 1 : 97) {
        bytes[at] ^= 0x10;
        heap_refusal(with_file("replay:file=%s", fixture_bytes("bad.script", bytes, size)));
        bytes[at] ^= 0x10;
    }
    for (size_t cut = 0; cut < size; cut += 101) {
        heap_refusal(with_file("replay:file=%s", fixture_bytes("cut.script", bytes, cut)));
    }
    free(bytes);
}
END_TEST

START_TEST(an_unchecked_replay_answers_as_many_requests_as_were_recorded_and_no_more)
{
    const char *path = fixture_path("run.script");
    struct node_allocator_statistics statistics;
    heap_open(&heap, with_file("record(first-fit,heap=64K,file=%s)", path));
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 48));
    }
    node_heap_close(&heap);
    heap_open(&heap, with_file("replay:unchecked,file=%s", path));
    for (int i = 0; i < 5; i++) {
        ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 48));
    }
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert(!statistics.diverged);
    ck_assert_ptr_null(node_allocator_allocate(heap.allocator, 48));
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert(statistics.diverged);
    node_heap_close(&heap);
}
END_TEST

/* The words of a script, and whether a heap of the size that it needs can have made them. */
#define WORD(kind, argument) ((uint32_t)(kind) << SCRIPT_KIND_SHIFT | (uint32_t)(argument))
#define HEAP_BYTES           4096
#define LAST                 (HEAP_BYTES / 4) /* granules of the heap */
static const struct {
    uint32_t words[4];
    size_t count;
    uint64_t operations, requests;
    bool is_sound;
} forged[] = {
    {{WORD(SCRIPT_SIZE, 16), WORD(SCRIPT_ALLOCATE, LAST - 4)}, 2, 1, 1, true},
    {{WORD(SCRIPT_SIZE, 16), WORD(SCRIPT_ALLOCATE, LAST - 3)}, 2, 1, 1, false}, /* beyond it */
    {{WORD(SCRIPT_SIZE, 16), WORD(SCRIPT_ALLOCATE, 0)}, 2, 2, 1, false},
    {{WORD(SCRIPT_SIZE, 16), WORD(SCRIPT_ALLOCATE, 0)}, 2, 1, 2, false},
    {{WORD(SCRIPT_SIZE, HEAP_BYTES), WORD(SCRIPT_ALLOCATE, 0)}, 2, 1, 1, true},
    {{WORD(SCRIPT_SIZE, HEAP_BYTES + 1), WORD(SCRIPT_ALLOCATE, 0)}, 2, 1, 1, false},
    {{WORD(SCRIPT_SIZE, 0), WORD(SCRIPT_ALLOCATE, 0)}, 2, 1, 1, false},
    {{WORD(SCRIPT_SIZE_HIGH, 1), WORD(SCRIPT_SIZE, 1), WORD(SCRIPT_ALLOCATE, 0)}, 3, 1, 1, false},
    {{WORD(SCRIPT_ALLOCATE, 0)}, 1, 1, 1, false}, /* of no size */
    {{WORD(SCRIPT_RELEASE, LAST - 1)}, 1, 1, 0, true},
    {{WORD(SCRIPT_RELEASE, LAST)}, 1, 1, 0, false},
    {{WORD(SCRIPT_CHAIN, LAST - 1), 1, 0}, 3, 1, 0, true},
    {{WORD(SCRIPT_CHAIN, LAST), 1, 0}, 3, 1, 0, false},
    {{WORD(SCRIPT_CHAIN, 0), 1}, 2, 1, 0, false},
    {{WORD(SCRIPT_CHAIN + 1, 0)}, 1, 0, 0, false}, /* of no kind */
};

START_TEST(a_script_whose_checksum_is_right_is_refused_for_what_no_heap_can_have_made)
{
    static struct {
        struct script_header header;
        uint32_t words[SCRIPT_CHUNK];
    } script;
    script.header = (struct script_header){.magic = SCRIPT_MAGIC,
                                           .version = SCRIPT_VERSION,
                                           .granule = 4,
                                           .heap_bytes = HEAP_BYTES,
                                           .operations = forged[_i].operations,
                                           .requests = forged[_i].requests,
                                           .words = forged[_i].count};
    memset(script.words, 0, sizeof(script.words));
    memcpy(script.words, forged[_i].words, sizeof(forged[_i].words));
    const size_t words = forged[_i].count;
    script.header.checksum =
        script_checksum(script_hash_words(0, script.words, words), &script.header);
    const char *path = fixture_bytes("forged.script", &script,
                                     sizeof(script.header) + words * sizeof(*script.words));
    if (forged[_i].is_sound) {
        heap_open(&heap, with_file("replay:file=%s", path));
        node_heap_close(&heap);
    } else {
        const char *why = heap_refusal(with_file("replay:file=%s", path));
        ck_assert_msg(strstr(why, "no heap can have made") != NULL, "%s", why);
    }
}
END_TEST

START_TEST(the_high_bits_of_a_size_have_a_word_of_their_own)
{
    if (sizeof(size_t) < sizeof(uint64_t)) {
        return; /* no heap of 2 GiB fits into 32 bits beside the program */
    }
    const size_t size = ((size_t)3 << SCRIPT_KIND_SHIFT) + 48;
    const char *path = fixture_path("large.script");
    const uint32_t expected[] = {WORD(SCRIPT_SIZE_HIGH, 3), WORD(SCRIPT_SIZE, 48)};
    uint32_t words[2] = {0, 0};
    heap_open(&heap, with_file("record(first-fit,heap=2G,file=%s)", path));
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, size)); /* never touched */
    node_heap_close(&heap);
    FILE *file = fopen(path, "rb");
    fseek(file, sizeof(struct script_header), SEEK_SET);
    ck_assert_uint_eq(fread(words, sizeof(*words), 2, file), 2);
    fclose(file);
    ck_assert_mem_eq(words, expected, sizeof(words));
}
END_TEST

START_TEST(a_script_of_an_older_version_is_refused_with_both_numbers)
{
    const uint32_t older = 1;
    const char *path = fixture_path("run.script");
    record_traffic(path, 5);
    FILE *file = fopen(path, "r+b");
    fseek(file, sizeof(uint64_t), SEEK_SET); /* after the magic number */
    ck_assert_uint_eq(fwrite(&older, sizeof(older), 1, file), 1);
    fclose(file);
    ck_assert_ptr_nonnull(strstr(heap_refusal(with_file("replay:file=%s", path)),
                                 "has version 1, this program reads version 3"));
}
END_TEST

START_TEST(what_is_no_script_is_refused_with_the_reason)
{
    ck_assert_ptr_nonnull(strstr(heap_refusal("replay"), "replay:file=run.script"));
    ck_assert_ptr_nonnull(
        strstr(heap_refusal("replay:file=/nonexistent/script"), "No such file or directory"));
    const char *text = fixture_text("text.script", "this is a text of more than sixty-four bytes, "
                                                   "but it is not a script at all");
    ck_assert_ptr_nonnull(strstr(heap_refusal(with_file("replay:file=%s", text)), "not a script"));
}
END_TEST

START_TEST(a_recording_that_ran_out_of_heap_is_refused)
{
    const char *path = fixture_path("full.script");
    heap_open(&heap, with_file("record(first-fit,heap=4K,file=%s)", path));
    while (node_allocator_allocate(heap.allocator, 100) != NULL) {
    }
    has_note("heap full");
    node_heap_close(&heap);
    ck_assert_ptr_nonnull(
        strstr(heap_refusal(with_file("replay:file=%s", path)), "ran out of heap"));
}
END_TEST

START_TEST(only_an_allocator_in_one_region_is_recorded)
{
    ck_assert_ptr_nonnull(strstr(heap_refusal("record(slab)"), "one region"));
    ck_assert_ptr_nonnull(
        strstr(heap_refusal("record(first-fit,file=/nonexistent/script)"), "cannot be written"));
    heap_open(&heap, "record(count(block))");
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_script_that_cannot_be_written_is_known_to_be_lost)
{
    struct node_allocator_statistics statistics;
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    heap_open(&heap, with_file("record(first-fit,file=%s)", fixture_path("lost.script")));
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 16));
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert(!statistics.output_lost); /* it is still in the buffer */
    signal(SIGXFSZ, SIG_IGN);
    limit.rlim_cur = 64; /* the header, and no operation */
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    node_allocator_trim(heap.allocator);
    limit.rlim_cur = before;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert(statistics.output_lost);
    has_note("cannot be written: File too large");
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_replay_without_memory_is_refused_and_leaks_nothing)
{
    struct node_allocator_error error;
    const char *path = fixture_path("run.script");
    record_traffic(path, 6);
    bool failed = true;
    for (uint64_t k = 0; failed; k++) {
        ck_assert_uint_lt(k, 10);
        source_reset();
        source_fail_after(k, FAIL_FOREVER);
        const char *specification = with_file("replay:unchecked,file=%s", path);
        if (node_heap_open(&heap, specification, &counted_source, &error)) {
            node_heap_close(&heap);
        } else {
            ck_assert_ptr_nonnull(strstr(error.message, "out of memory"));
        }
        failed = source.failures > 0;
        ck_assert_uint_eq(source.live, 0);
    }
}
END_TEST

START_TEST(a_script_is_complete_after_a_trim_but_not_when_more_followed)
{
    const char *path = fixture_path("trim.script");
    static struct node_heap other;
    heap_open(&heap, with_file("record(first-fit,heap=1M,file=%s)", path));
    ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 16));
    node_allocator_trim(heap.allocator);
    heap_open(&other, with_file("replay:file=%s", path));
    ck_assert_ptr_nonnull(node_allocator_allocate(other.allocator, 16));
    node_heap_close(&other);
    for (int i = 0; i < 2000; i++) { /* more than a buffer */
        ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 16));
    }
    ck_assert_ptr_nonnull(strstr(heap_refusal(with_file("replay:file=%s", path)), "after it"));
    node_heap_close(&heap);
    heap_open(&other, with_file("replay:file=%s", path));
    node_heap_close(&other);
}
END_TEST

static int lowest_descriptor(void)
{
    const int lowest = dup(STDOUT_FILENO);
    ck_assert_int_ge(lowest, 0);
    close(lowest);
    return lowest;
}

START_TEST(an_old_script_stays_until_the_new_one_is_whole)
{
    char kept[4];
    const char *path = fixture_text("old.script", "old");
    const int lowest = lowest_descriptor();
    for (int requests = 0; requests < 2; requests++) {
        heap_open(&heap, with_file("record(first-fit,file=%s)", path));
        for (int i = 0; i < requests * 5000; i++) { /* more than a buffer */
            ck_assert_ptr_nonnull(node_allocator_allocate(heap.allocator, 16));
        }
        FILE *file = fopen(path, "r");
        ck_assert_ptr_nonnull(fgets(kept, sizeof(kept), file));
        fclose(file);
        ck_assert_str_eq(kept, "old");
        node_heap_close(&heap);
        ck_assert_int_eq(lowest_descriptor(), lowest); /* also when there was nothing to keep */
    }
    heap_open(&heap, with_file("replay:file=%s", path));
    node_heap_close(&heap);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_script_of_one_process_is_replayed_by_another,
        a_divergent_run_is_caught_at_its_first_operation,
        every_kind_of_divergence_is_named,
        a_release_of_a_chain_is_one_operation,
        a_chain_of_another_length_is_named_at_its_own_operation,
        an_unchecked_replay_answers_as_many_requests_as_were_recorded_and_no_more,
        a_script_that_was_changed_in_any_byte_is_refused,
        the_high_bits_of_a_size_have_a_word_of_their_own,
        a_script_of_an_older_version_is_refused_with_both_numbers,
        what_is_no_script_is_refused_with_the_reason,
        a_recording_that_ran_out_of_heap_is_refused,
        only_an_allocator_in_one_region_is_recorded,
        a_script_that_cannot_be_written_is_known_to_be_lost,
        a_replay_without_memory_is_refused_and_leaks_nothing,
        a_script_is_complete_after_a_trim_but_not_when_more_followed,
        an_old_script_stays_until_the_new_one_is_whole,
        NULL};
    const TTest *const for_each[] = {
        a_script_whose_checksum_is_right_is_refused_for_what_no_heap_can_have_made, NULL};
    const TTest *const for_each_of_2[] = {a_list_gets_the_same_nodes_from_recording_and_replay,
                                          NULL};
    const struct suite_case cases[] = {{tests, NULL, NULL, 0, 0},
                                       {for_each_of_2, NULL, NULL, 0, 2},
                                       {for_each, NULL, NULL, 0, COUNT_OF(forged)}};
    return suite_run_cases("record and replay", COUNT_OF(cases), cases);
}
