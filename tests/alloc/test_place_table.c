/*
 * test_place_table.c - which block of the table a new one overlaps, to the byte.
 */
#include "alloc/heaps/place_table.h"
#include "tests/support/heap_fixture.h"
#include "tests/support/suite.h"

#define LOW    UINT64_C(0x10000) /* where two blocks of 32 bytes lie; nothing is written there */
#define HIGH   UINT64_C(0x20000)
#define SIZE   32
#define MARGIN 16

static struct place_table table;

static void set_up(void)
{
    ck_assert(place_table_reserve(&table, &heap_fixture_source));
    place_table_add(&table, (void *)LOW, SIZE, 1);
    ck_assert(place_table_reserve(&table, &heap_fixture_source));
    place_table_add(&table, (void *)HIGH, SIZE, 2);
}

static void tear_down(void)
{
    place_table_close(&table, &heap_fixture_source);
}

/* The number of the block that one of size bytes at an address overlaps; 0: none. */
static uint64_t overlapped(uint64_t address, size_t size)
{
    const struct place_entry *entry =
        place_table_overlap(&table, (const void *)(uintptr_t)address, size, MARGIN);
    return entry != NULL ? entry->number : 0;
}

START_TEST(blocks_overlap_when_their_margins_do)
{
    ck_assert_uint_eq(overlapped(LOW + SIZE + 2 * MARGIN, 8), 0);
    ck_assert_uint_eq(overlapped(LOW + SIZE + 2 * MARGIN - 1, 8), 1);
    ck_assert_uint_eq(overlapped(LOW, 8), 1);
    ck_assert_uint_eq(overlapped(HIGH - 48 - 2 * MARGIN, 48), 0);
    ck_assert_uint_eq(overlapped(HIGH - 48 - 2 * MARGIN + 1, 48), 2);
    ck_assert_uint_eq(overlapped(LOW - 8 - 2 * MARGIN, 8), 0);
    ck_assert_uint_eq(overlapped(LOW - 8 - 2 * MARGIN + 1, 8), 1);
    ck_assert_uint_eq(overlapped(HIGH + SIZE + 2 * MARGIN, 8), 0);
}
END_TEST

START_TEST(a_block_that_was_removed_is_overlapped_no_more)
{
    place_table_remove(&table, place_table_find(&table, (const void *)LOW));
    ck_assert(place_table_check(&table));
    ck_assert_uint_eq(table.count, 1);
    ck_assert_uint_eq(overlapped(LOW, 8), 0);
    ck_assert_uint_eq(overlapped(HIGH, 8), 2);
    ck_assert_ptr_null(place_table_find(&table, (const void *)LOW));
}
END_TEST

int main(void)
{
    return suite_run("place table", set_up, tear_down,
                     (const TTest *[]){blocks_overlap_when_their_margins_do,
                                       a_block_that_was_removed_is_overlapped_no_more, NULL});
}
