/*
 * dump_tables.h - the dumps of a made-up wiki.
 */
#pragma once

#include "dump_model.h"

/* How pagelinks names its targets; the four layouts of its history. */
enum dump_layout { DUMP_TITLES, DUMP_FROM_NAMESPACE, DUMP_BOTH, DUMP_TARGETS };

/* An INSERT of many rows per line, or a row per line, as newer clients write. */
enum dump_form { DUMP_STATEMENTS, DUMP_ROWS };

struct dump_plan {
    const char *folder, *wiki;
    const char *date; /* 2026-11-01 */
    int level;        /* of gzip; 0: not compressed */
    enum dump_form form;
    bool old_page; /* page with page_restrictions and page_counter */
    enum dump_layout layout;
    bool backwards; /* pagelinks from the last page to the first */
};

/* Write all dumps. False with path set to the file that failed, and errno. */
bool dump_tables_write(const struct dump_model *model, const struct dump_plan *plan,
                       char path[4096]);
