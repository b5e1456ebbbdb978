/*
 * test_specification.c - the text that names an allocator: what is legal, what is said of the rest.
 */
#include "alloc/specification.h"
#include "base/macros.h"
#include "tests/support/counted_source.h"
#include "tests/support/suite.h"
#include <check.h>
#include <stdio.h>
#include <string.h>

static struct node_heap heap;
static struct node_allocator_error error;

static bool open_text(const char *specification)
{
    return node_heap_open(&heap, specification, &counted_source, &error);
}

/* The names of the allocators in one another, as "count(slab)". */
static const char *shape(void)
{
    static char text[256];
    char *end = text;
    size_t depth = 0;
    for (const struct node_allocator *at = heap.allocator; at != NULL; at = at->inner, depth++) {
        end += sprintf(end, "%s%s", depth > 0 ? "(" : "", at->type->name);
    }
    while (depth-- > 1) {
        end += sprintf(end, ")");
    }
    return text;
}

static const struct {
    const char *text;
    const char *shape;
} legal[] = {
    {"malloc", "malloc"},
    {"pool", "pool"},
    {"pool:order=fifo", "pool"},
    {"pool:fifo", "pool"}, /* a bare value is the first option's */
    {"pool(order=fifo)", "pool"},
    {"slab:chunk=64K", "slab"},
    {"slab:chunk=64k,pages=normal", "slab"},
    {"slab:pages=normal,chunk=1048576", "slab"},
    {"slab:4M", "slab"},
    {"slab:chunk=1G", "slab"},
    {"count", "count(malloc)"}, /* a wrapper around nothing wraps malloc */
    {"count()", "count(malloc)"},
    {"quick-fit", "quick-fit(first-fit)"}, /* or what its table says */
    {"quick-fit:heap=64K", "quick-fit(first-fit)"},
    {"record(heap=64K)", "record(first-fit)"},
    {"record(quick-fit:heap=64K)", "record(quick-fit(first-fit))"},
    {"fault(quick-fit,at=3,heap=64K)", "fault(quick-fit(first-fit))"},
    {"count(pool)", "count(pool)"},
    {"fault:at=7", "fault(malloc)"},
    {"fault(at=7,run=2)", "fault(malloc)"},
    {"fault(slab,at=7)", "fault(slab)"},
    {"fault(slab,chunk=64K)", "fault(slab)"}, /* handed inwards */
    {"fault(slab:chunk=64K,at=3)", "fault(slab)"},
    {"count(fault(pool:order=fifo,at=18446744073709551615))", "count(fault(pool))"},
    {"count(count(count(count(count(count(count(malloc)))))))",
     "count(count(count(count(count(count(count(malloc)))))))"},
};

START_TEST(a_legal_specification_opens_the_allocators_it_names)
{
    ck_assert_msg(open_text(legal[_i].text), "%s: %s", legal[_i].text, error.message);
    ck_assert_str_eq(shape(), legal[_i].shape);
    ck_assert_str_eq(heap.specification, legal[_i].text);
    node_heap_close(&heap);
    ck_assert_uint_eq(source.live, 0);
}
END_TEST

static const struct {
    const char *text;
    size_t position;
    const char *says; /* part of the message */
} illegal[] = {
    {"", 0, "unknown allocator \"\""},
    {"nonsense", 0, "there are malloc, "},
    {"Pool", 0, "unknown allocator \"Pool\""},
    {"pool ", 0, "unknown allocator \"pool \""},
    {"poo", 0, "unknown allocator"},
    {"pools", 0, "unknown allocator"},
    {"pool:", 5, "missing"},
    {"pool:order=sideways", 11, "lifo|fifo"},
    {"pool:order=", 11, "lifo|fifo"},
    {"pool:size=3", 5, "pool has no option \"size\"; it has order"},
    {"pool:order=fifo,order=lifo", 16, "twice"},
    {"pool:order=fifo,fifo", 16, "order is given twice"},
    {"pool:fifo,order=fifo", 10, "order is given twice"},
    {"slab:chunk=64K,foo", 15, "chunk is given twice"},
    {"count(slab:chunk=64K,foo)", 21, "chunk is given twice"},
    {"pool:order=fifo,", 16, "missing"},
    {"malloc:x=1", 7, "malloc has no options"},
    {"slab:chunk=", 11, "chunk takes a number such as 2M"},
    {"slab:chunk=x", 11, "chunk takes a number"},
    {"slab:chunk=-1", 11, "chunk takes a number"},
    {"slab:chunk=64KB", 11, "chunk takes a number"},
    {"slab:chunk=64T", 11, "chunk takes 65536 to 1073741824"},
    {"slab:chunk=16777216T", 11, "chunk takes a number"},
    {"slab:chunk=6.4M", 11, "chunk takes a number"},
    {"slab:chunk=65535", 11, "chunk takes 65536 to 1073741824"},
    {"slab:chunk=2G", 11, "chunk takes 65536 to 1073741824"},
    {"slab:chunk=99999999999999999999", 11, "chunk takes a number"},
    {"slab:chunk=17179869184G", 11, "chunk takes a number"},
    {"slab:pages=huge,chunk=1", 22, "chunk takes"},
    {"pool)", 4, "nothing may follow"},
    {"count(pool", 10, "\")\" is missing"},
    {"count(pool))", 11, "nothing may follow"},
    {"count(", 6, "unknown allocator \"\""},
    {"count(nonsense)", 6, "unknown allocator \"nonsense\""},
    {"count(pool,)", 11, "missing"},
    {"count(pool,depth=3)", 11, "count has no options"},
    {"fault(pool,depth=3)", 11, "fault has no option \"depth\"; it has at, run"},
    {"pool(malloc)", 5, "lifo|fifo"},
    {"count(count(count(count(count(count(count(count(malloc))))))))", 48, "more than 8"},
};

START_TEST(an_illegal_specification_is_refused_at_the_character_with_what_is_legal)
{
    ck_assert_msg(!open_text(illegal[_i].text), "%s", illegal[_i].text);
    ck_assert_ptr_null(heap.allocator);
    ck_assert_msg(strstr(error.message, illegal[_i].says) != NULL, "\"%s\": \"%s\" lacks \"%s\"",
                  illegal[_i].text, error.message, illegal[_i].says);
    ck_assert_msg(error.position == illegal[_i].position, "\"%s\": \"%s\": position %zu",
                  illegal[_i].text, error.message, error.position);
    char where[60];
    snprintf(where, sizeof where, "(character %zu of \"", error.position + 1);
    ck_assert_ptr_nonnull(strstr(error.message, where));
    node_heap_close(&heap);
    ck_assert_uint_eq(source.live, 0);
}
END_TEST

START_TEST(a_specification_too_long_is_refused)
{
    char text[600];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(!open_text(text));
    ck_assert_uint_gt(strlen(error.message), 0);
    text[sizeof heap.specification - 1] = '\0'; /* just fits, and is unknown */
    ck_assert(!open_text(text));
    ck_assert_ptr_nonnull(strstr(error.message, "unknown allocator"));
}
END_TEST

START_TEST(a_message_is_one_line_whatever_was_typed)
{
    ck_assert(!open_text("po\nol\x1b[31m\t"));
    ck_assert_ptr_nonnull(strstr(error.message, "unknown allocator"));
    for (const char *at = error.message; *at != '\0'; at++) {
        ck_assert_int_ge(*at, ' ');
    }
}
END_TEST

START_TEST(success_clears_the_error_of_before)
{
    ck_assert(!open_text("nonsense"));
    ck_assert(open_text("pool"));
    ck_assert_str_eq(error.message, "");
    node_heap_close(&heap);
}
END_TEST

/* A list has that file at that index, which is written or else read; NULL: it has no file. */
static void assert_file(const char *list, size_t index, const char *wanted, bool wanted_written)
{
    char path[20];
    bool is_written = !wanted_written;
    ck_assert(node_specification_file(list, index, path, sizeof(path), &is_written) ==
              (wanted != NULL));
    if (wanted != NULL) {
        ck_assert_str_eq(path, wanted);
        ck_assert(is_written == wanted_written);
    }
}

START_TEST(a_specification_names_the_files_it_reads_and_writes)
{
    const char *nested = "count(record(first-fit,file=run.script))";
    assert_file(nested, 0, "run.script", true);
    assert_file(nested, 1, NULL, false);
    assert_file("record", 0, NULL, false);
    assert_file("replay:file=run.script", 0, "run.script", false);
    assert_file("replay:file=run.script", 1, NULL, false);
    assert_file("count(plugin:./mine.so)", 0, "./mine.so", false);
    assert_file("lib:./mine.so", 0, "./mine.so", false);
    assert_file("no such allocator", 0, NULL, false);
    assert_file("", 0, NULL, false);
}
END_TEST

START_TEST(a_library_without_a_path_is_no_file)
{
    assert_file("lib", 0, NULL, false);
    assert_file("lib:jemalloc", 0, NULL, false);
    assert_file("plugin:mine.so", 0, NULL, false);
}
END_TEST

START_TEST(a_list_of_specifications_names_the_files_of_all)
{
    const char *list = "pool,record(slab,heap=1M,file=a),nonsense,replay:unchecked,file=b,"
                       "record(first-fit,file=c)";
    assert_file("record(first-fit,heap=1M,file=a),replay:unchecked,file=b", 1, "b", false);
    assert_file(list, 0, "b", false); /* slab has no heap */
    assert_file(list, 1, "c", true);
    assert_file(list, 2, NULL, false);
}
END_TEST

START_TEST(a_specification_has_the_flags_of_all_that_it_names)
{
    ck_assert(node_specification_has("slab", NODE_ALLOCATOR_ASKS_RARELY));
    ck_assert(node_specification_has("count(slab)", NODE_ALLOCATOR_ASKS_RARELY));
    ck_assert(node_specification_has("count(slab)", NODE_ALLOCATOR_WRAPS));
    ck_assert(node_specification_has("no-free(record)", NODE_ALLOCATOR_WRITES_RUN));
    ck_assert(node_specification_has("malloc", NODE_ALLOCATOR_THREAD_SAFE));
    ck_assert(node_specification_has("count(malloc)", NODE_ALLOCATOR_GIVES_BACK));
    ck_assert(!node_specification_has("count(pool)", NODE_ALLOCATOR_ASKS_RARELY));
    ck_assert(!node_specification_has("pool", NODE_ALLOCATOR_GIVES_BACK));
    ck_assert(!node_specification_has("slab", NODE_ALLOCATOR_WRAPS));
    ck_assert(!node_specification_has("slabs", NODE_ALLOCATOR_ASKS_RARELY));
}
END_TEST

START_TEST(a_list_of_specifications_is_cut_at_the_commas_between_them)
{
    ck_assert_uint_eq(node_specification_length(""), 0);
    ck_assert_uint_eq(node_specification_length("pool"), 4);
    ck_assert_uint_eq(node_specification_length("pool,slab"), 4);
    ck_assert_uint_eq(node_specification_length("slab:chunk=1M,pages=huge,pool"), 24);
    ck_assert_uint_eq(node_specification_length("fault(slab,at=7),pool:fifo"), 16);
    ck_assert_uint_eq(node_specification_length("malloc,slab:chunk=1M"), 6);
}
END_TEST

/* No text of a few characters may crash the parser or open without closing clean. */
START_TEST(every_short_text_is_either_legal_or_refused_with_a_reason)
{
    static const char *const pieces[] = {"pool", "count", "fault", "(", ")",    ":", ",",
                                         "=",    "at",    "order", "7", "fifo", ""};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    for (size_t n = 0; n < (size_t)PIECES * PIECES * PIECES * PIECES; n++) {
        char text[64] = "";
        for (size_t rest = n, i = 0; i < 4; i++, rest /= PIECES) {
            strcat(text, pieces[rest % PIECES]);
        }
        if (open_text(text)) {
            node_heap_close(&heap);
        } else if (error.message[0] == '\0' || error.position > strlen(text)) {
            ck_abort_msg("\"%s\" is refused without a reason", text);
        }
    }
    ck_assert_uint_eq(source.live, 0);
}
END_TEST

int main(void)
{
    const TTest *const for_each[] = {a_legal_specification_opens_the_allocators_it_names, NULL};
    const TTest *const for_each_of_2[] = {
        an_illegal_specification_is_refused_at_the_character_with_what_is_legal, NULL};
    const TTest *const once[] = {a_specification_too_long_is_refused,
                                 a_message_is_one_line_whatever_was_typed,
                                 success_clears_the_error_of_before,
                                 a_specification_names_the_files_it_reads_and_writes,
                                 a_library_without_a_path_is_no_file,
                                 a_list_of_specifications_names_the_files_of_all,
                                 a_specification_has_the_flags_of_all_that_it_names,
                                 a_list_of_specifications_is_cut_at_the_commas_between_them,
                                 every_short_text_is_either_legal_or_refused_with_a_reason,
                                 NULL};
    const struct suite_case cases[] = {
        {for_each, source_reset, NULL, 0, sizeof legal / sizeof *legal},
        {for_each_of_2, source_reset, NULL, 0, sizeof illegal / sizeof *illegal},
        {once, source_reset, NULL, 0, 0}};
    return suite_run_cases("specification", COUNT_OF(cases), cases);
}
