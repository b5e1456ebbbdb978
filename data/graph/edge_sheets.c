/*
 * edge_sheets.c - lists of sheets; see edge_sheets.h.
 */
#include "edge_sheets.h"
#include "base/pw_assert.h"
#include "graph_memory.h"

struct edge_sheet *edge_sheet_map(bool huge)
{
    unsigned char *base = memory_map(EDGE_SHEET_SIZE, huge);
    if (base == NULL) {
        return NULL;
    }
    struct edge_sheet *sheet = (struct edge_sheet *)(void *)(base + EDGE_SHEET_SIZE) - 1;
    pw_assert(edge_sheet_base(sheet) == base);
    return sheet;
}

struct edge_sheet *edge_sheets_take(struct edge_sheet **list)
{
    struct edge_sheet *sheet = *list;
    if (sheet != NULL) {
        *list = sheet->next;
    }
    return sheet;
}

void edge_sheets_put(struct edge_sheet **list, struct edge_sheet *sheet)
{
    pw_assert(sheet != NULL && sheet != *list);
    sheet->next = *list;
    *list = sheet;
}

void edge_sheets_join(struct edge_sheet **list, struct edge_sheet **sheets)
{
    struct edge_sheet *sheet;
    pw_assert(list != sheets);
    while ((sheet = edge_sheets_take(sheets)) != NULL) {
        edge_sheets_put(list, sheet);
    }
}

void edge_sheets_free(struct edge_sheet *sheets)
{
    struct edge_sheet *sheet;
    while ((sheet = edge_sheets_take(&sheets)) != NULL) {
        memory_unmap(edge_sheet_base(sheet), EDGE_SHEET_SIZE);
    }
}
