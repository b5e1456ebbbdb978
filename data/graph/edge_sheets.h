/*
 * edge_sheets.h - the pieces of 2 MiB that the records of edges lie in.
 *
 * A list of sheets is linked at their ends, so that what is cut from a sheet starts at its page.
 */
#pragma once

#include "base/huge_pages.h"
#include <stdbool.h>

#define EDGE_SHEET_SIZE HUGE_PAGE_BYTES

struct edge_sheet {
    struct edge_sheet *next;
};

/* Map a sheet, of huge pages if they are allowed. NULL when out of memory. */
struct edge_sheet *edge_sheet_map(bool huge);

/* The first of the bytes of a sheet. They end where the struct begins. */
static inline unsigned char *edge_sheet_base(struct edge_sheet *sheet)
{
    return (unsigned char *)(sheet + 1) - EDGE_SHEET_SIZE;
}

/* Take the first sheet of a list, or NULL. */
struct edge_sheet *edge_sheets_take(struct edge_sheet **list);

/* Put a sheet in front of a list. */
void edge_sheets_put(struct edge_sheet **list, struct edge_sheet *sheet);

/* Put all sheets of a list, which is then empty, in front of another. */
void edge_sheets_join(struct edge_sheet **list, struct edge_sheet **sheets);

/* Give a list of sheets back to the system; NULL is fine. */
void edge_sheets_free(struct edge_sheet *sheets);
