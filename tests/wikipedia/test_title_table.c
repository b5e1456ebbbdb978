/*
 * test_title_table.c - a table that cannot grow says so, and gives back every byte that it mapped.
 *
 * The table is linked with this file's memory_map, and one call of that fails. A mapping that msync
 * still finds after title_table_free was forgotten.
 */
#include "data/graph/graph_memory.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include "wikipedia/articles/title_table.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAPS_MAX = 64, TITLES = (2 << 20) + 1 }; /* the last title makes the arrays grow again */

static struct {
    unsigned calls, fails_at;
    unsigned count;
    struct {
        char *base;
        size_t length;
    } made[MAPS_MAX];
} maps;

void *memory_map(size_t length, bool huge)
{
    (void)huge;
    if (maps.calls++ == maps.fails_at) {
        return NULL;
    }
    void *base = mmap(NULL, length, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(base != MAP_FAILED && maps.count < MAPS_MAX);
    maps.made[maps.count].base = base;
    maps.made[maps.count++].length = length;
    return base;
}

void memory_unmap(void *base, size_t length)
{
    if (base != NULL) {
        munmap(base, length);
    }
}

/* True if the first or the last page of a mapping is still there. */
static bool is_mapped(const char *base, size_t length)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *last = (char *)(uintptr_t)base + (length - 1) / page * page;
    return msync((char *)(uintptr_t)base, page, MS_ASYNC) == 0 || msync(last, page, MS_ASYNC) == 0;
}

/* Fill a table until it refuses a title or has all, and free it. Returns what title_table_add said
 * last. */
static const char *fill(bool has_spaces)
{
    struct title_table table = {.has_spaces = has_spaces};
    const char *wrong = NULL;
    for (uint32_t i = 0; wrong == NULL && i < TITLES; i++) {
        char title[16];
        const int length = snprintf(title, sizeof(title), "T%07u", i);
        wrong = title_table_add(&table, i + 1, i % 2, TITLE_ARTICLE, title, (size_t)length);
        require_equal(table.count, i + (wrong == NULL));
    }
    title_table_free(&table);
    return wrong;
}

static void every_map_fails_once(bool has_spaces)
{
    unsigned failures = 0;
    const char *wrong;
    do {
        memset(&maps, 0, sizeof(maps));
        maps.fails_at = failures;
        wrong = fill(has_spaces);
        require(wrong == NULL || strcmp(wrong, "out of memory") == 0);
        for (unsigned i = 0; i < maps.count; i++) {
            require_msg(!is_mapped(maps.made[i].base, maps.made[i].length),
                        "mapping %u of %zu bytes is left after map %u failed", i,
                        maps.made[i].length, failures);
        }
        failures += wrong != NULL;
    } while (wrong != NULL);
    /* text, bases, begins, page ids, ends and perhaps spaces; all but the bases grow again */
    require_equal(failures, has_spaces ? 11 : 9);
}

START_TEST(a_table_that_cannot_grow_gives_everything_back)
{
    every_map_fails_once(false);
}
END_TEST

START_TEST(so_does_a_table_of_several_namespaces)
{
    every_map_fails_once(true);
}
END_TEST

int main(void)
{
    return suite_run("title table", NULL, NULL,
                     (const TTest *[]){a_table_that_cannot_grow_gives_everything_back,
                                       so_does_a_table_of_several_namespaces, NULL});
}
