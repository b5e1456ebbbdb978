/*
 * test_foreign_allocators.c - malloc libraries by name, and a plugin built outside the tree.
 */
#include "alloc/block_marks.h"
#include "base/macros.h"
#include "tests/support/counted_source.h"
#include "tests/support/fixture_file.h"
#include "tests/support/heap_fixture.h"
#include "tests/support/suite.h"

static struct node_heap heap;

/* Compile text (or PLUGIN_EXAMPLE) into a shared object, with nothing but the public headers. */
static const char *build_plugin(const char *name, const char *code)
{
    char command[1200];
    const char *object = fixture_path(name);
    snprintf(command, sizeof(command), "%s -std=c17 -shared -fPIC -I '%s' -o '%s' '%s' 2>&1",
             PLUGIN_COMPILER, PLUGIN_INCLUDE, object, code);
    ck_assert_int_eq(system(command), 0);
    return object;
}

static const char *plugin(const char *object, const char *options)
{
    static char text[300];
    snprintf(text, sizeof(text), "plugin:%s%s", object, options);
    return text;
}

START_TEST(the_c_library_is_a_library_like_any_other)
{
    heap_open(&heap, "lib:c");
    heap_traffic(heap.allocator, 1, 1000, 100, 600);
    struct node_allocator_statistics statistics;
    node_allocator_statistics(heap.allocator, &statistics);
    ck_assert_ptr_nonnull(strstr(statistics.note, "libc.so"));
    node_heap_close(&heap);
}
END_TEST

START_TEST(known_libraries_work_where_they_are_installed)
{
    static const char *const names[] = {"lib:mimalloc", "lib:tcmalloc", "lib:tcmalloc_minimal",
                                        "lib:jemalloc"};
    struct node_allocator_error error;
    if (blocks_are_watched()) {
        return; /* a checker and another malloc in one process do not get on */
    }
    if (!node_heap_open(&heap, names[_i], &heap_fixture_source, &error)) {
        ck_assert_msg(strstr(error.message, "not installed") != NULL ||
                          strstr(error.message, "GLIBC_TUNABLES=") != NULL,
                      "%s", error.message);
        return;
    }
    heap_traffic(heap.allocator, 1, 1000, 100, 600);
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_missing_library_and_one_without_malloc_are_refused)
{
    ck_assert_str_eq(heap_refusal("lib:nosuchthing"), "lib: libnosuchthing.so is not installed");
    ck_assert_ptr_nonnull(strstr(heap_refusal("lib:./nosuchthing.so"), "nosuchthing.so"));
#ifdef __GLIBC__ /* elsewhere libm is the C library */
    ck_assert_ptr_nonnull(strstr(heap_refusal("lib:m"), "has no malloc and free"));
#endif
    ck_assert_ptr_nonnull(strstr(heap_refusal("lib:c,prefix=zz_"), "has no zz_malloc"));
}
END_TEST

START_TEST(a_library_of_the_users_own_is_opened_by_its_path_and_prefix)
{
    const char *code = fixture_text("mine.c", "#include <stdlib.h>\n"
                                              "void *my_malloc(size_t n) { return malloc(n); }\n"
                                              "void my_free(void *p) { free(p); }\n");
    char text[300];
    const char *object = build_plugin("libmine.so", code);
    snprintf(text, sizeof(text), "lib:%s,prefix=my_", object);
    heap_open(&heap, text);
    heap_traffic(heap.allocator, 1, 100, 10, 600);
    node_heap_close(&heap);
    snprintf(text, sizeof(text), "lib:%s",
             object); /* it links to a malloc, but defines no malloc */
    ck_assert_ptr_nonnull(strstr(heap_refusal(text), "prefix= names others"));
}
END_TEST

START_TEST(the_example_plugin_is_built_outside_the_tree_and_serves)
{
    const char *object = build_plugin("lifo.so", PLUGIN_EXAMPLE);
    heap_open(&heap, plugin(object, ""));
    void *first = node_allocator_allocate(heap.allocator, 16);
    node_allocator_release(heap.allocator, first, 16);
    ck_assert_ptr_eq(node_allocator_allocate(heap.allocator, 16), first);
    node_allocator_release(heap.allocator, first, 16);
    heap_traffic(heap.allocator, 1, 1000, 100, 100);
    node_heap_close(&heap);

    heap_open(&heap, plugin(object, ",with=size=64"));
    first = node_allocator_allocate(heap.allocator, 64);
    node_allocator_release(heap.allocator, first, 64);
    ck_assert_ptr_eq(node_allocator_allocate(heap.allocator, 64), first);
    node_allocator_release(heap.allocator, first, 64);
    node_heap_close(&heap);

    ck_assert_ptr_nonnull(strstr(heap_refusal(plugin(object, ",with=size=1")), "8 to 1024"));
    ck_assert_ptr_nonnull(strstr(heap_refusal(plugin(object, ",with=colour=red")), "colour"));
    ck_assert_ptr_nonnull(strstr(heap_refusal(plugin(object, ",with=size=16;24")),
                                 "size is given twice (character 9 of \"size=16;24\")"));
    char wrapped[320];
    snprintf(wrapped, sizeof(wrapped), "count(no-free(%s))", plugin(object, ""));
    heap_open(&heap, wrapped);
    heap_traffic(heap.allocator, 1, 300, 100, 100);
    node_heap_close(&heap);
}
END_TEST

START_TEST(a_plugin_without_memory_is_refused_and_leaks_nothing)
{
    struct node_allocator_error error;
    const char *object = build_plugin("lifo.so", PLUGIN_EXAMPLE);
    bool failed = true;
    for (uint64_t k = 0; failed; k++) {
        ck_assert_uint_lt(k, 10);
        source_reset();
        source_fail_after(k, FAIL_FOREVER);
        if (node_heap_open(&heap, plugin(object, ""), &counted_source, &error)) {
            void *block = node_allocator_allocate(heap.allocator, 16);
            if (block != NULL) {
                node_allocator_release(heap.allocator, block, 16);
            }
            node_heap_close(&heap);
        }
        failed = source.failures > 0;
        ck_assert_uint_eq(source.live, 0);
    }
}
END_TEST

START_TEST(a_plugin_of_another_version_or_without_a_table_is_refused)
{
    ck_assert_ptr_nonnull(strstr(heap_refusal("plugin"), "plugin:./mine.so"));
    ck_assert_ptr_nonnull(strstr(heap_refusal("plugin:/nonexistent.so"), "/nonexistent.so"));
    const char *empty = build_plugin("empty.so", fixture_text("empty.c", "int nothing;\n"));
    ck_assert_ptr_nonnull(
        strstr(heap_refusal(plugin(empty, "")), "exports no node_allocator_plugin"));
    const char *code = fixture_text(
        "old.c", "#include <node_allocator.h>\n"
                 "const struct node_allocator_type node_allocator_plugin = {.abi = 99};\n");
    const char *old = build_plugin("old.so", code);
    ck_assert_ptr_nonnull(strstr(heap_refusal(plugin(old, "")), "built for version 99"));
    code = fixture_text("bare.c", "#include <node_allocator.h>\n"
                                  "const struct node_allocator_type node_allocator_plugin = "
                                  "{.abi = NODE_ALLOCATOR_ABI};\n");
    const char *bare = build_plugin("bare.so", code);
    ck_assert_ptr_nonnull(strstr(heap_refusal(plugin(bare, "")), "has no name; every table must"));
}
END_TEST

START_TEST(an_incomplete_table_is_refused_by_what_is_missing)
{
    static const struct {
        const char *rows, *said;
    } tables[] = {
        {".name = \"x\"", "has no summary"},
        {".name = \"x\", .summary = \"x\"", "has no function allocate"},
        {".name = \"x\", .summary = \"x\", .allocate = give", "has no function release"},
        {".name = \"x\", .summary = \"x\", .allocate = give, .release = take",
         "has no function bytes_per_block"},
        {".name = \"x\", .summary = \"x\", .allocate = give, .release = take, "
         ".bytes_per_block = cost",
         "instance_bytes of"},
        {".name = \"x\", .summary = \"x\", .allocate = give, .release = take, "
         ".bytes_per_block = cost, .instance_bytes = 64, .fronts = &fronts",
         "not all of open, take, give, give_chain and close"},
    };
    char code[1500];
    snprintf(
        code, sizeof(code),
        "#include <node_allocator.h>\n"
        "void *give(struct node_allocator *s, size_t n) { (void)s; (void)n; return 0; }\n"
        "void take(struct node_allocator *s, void *b, size_t n) { (void)s; (void)b; (void)n; }\n"
        "double cost(const struct node_allocator *s, size_t n) { (void)s; return (double)n; }\n"
        "static const struct node_front_type fronts = {.open = NULL};\n"
        "const struct node_allocator_type node_allocator_plugin = "
        "{.abi = NODE_ALLOCATOR_ABI, %s};\n",
        tables[_i].rows);
    const char *object = build_plugin("part.so", fixture_text("part.c", code));
    const char *refusal = heap_refusal(plugin(object, ""));
    ck_assert_msg(strstr(refusal, tables[_i].said) != NULL, "%s", refusal);
}
END_TEST

int main(void)
{
    const TTest *const once[] = {the_c_library_is_a_library_like_any_other,
                                 a_missing_library_and_one_without_malloc_are_refused,
                                 a_library_of_the_users_own_is_opened_by_its_path_and_prefix,
                                 the_example_plugin_is_built_outside_the_tree_and_serves,
                                 a_plugin_without_memory_is_refused_and_leaks_nothing,
                                 a_plugin_of_another_version_or_without_a_table_is_refused,
                                 NULL};
    const TTest *const for_each[] = {known_libraries_work_where_they_are_installed, NULL};
    const TTest *const for_six[] = {an_incomplete_table_is_refused_by_what_is_missing, NULL};
    const struct suite_case cases[] = {
        {once, NULL, NULL, 0, 0}, {for_each, NULL, NULL, 0, 4}, {for_six, NULL, NULL, 0, 6}};
    return suite_run_cases("foreign allocators", COUNT_OF(cases), cases);
}
