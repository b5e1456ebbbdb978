/*
 * wiki_files.h - the dumps in a folder: which files there are, and their wiki and day.
 */
#pragma once

#include "data/graph/graph_error.h"
#include <limits.h>

enum wiki_table {
    WIKI_PAGE,
    WIKI_PAGE_PROPS,
    WIKI_REDIRECT,
    WIKI_LINKTARGET,
    WIKI_PAGELINKS,
    WIKI_TEMPLATELINKS,
    WIKI_TABLES
};

/* "page", "page_props", ...: as in the names of the files. */
extern const char *const wiki_table_names[WIKI_TABLES];

struct wiki_files {
    char prefix[PATH_MAX];             /* FOLDER/simplewiki-20261101 */
    char paths[WIKI_TABLES][PATH_MAX]; /* "": not there */
    uint64_t sizes[WIKI_TABLES];
    uint64_t times[WIKI_TABLES]; /* of the last change */
    bool packed[WIKI_TABLES];
    char wiki[64]; /* as the files are called, or "" */
    char date[16]; /* 2026-11-01, or "" */
};

/*
 * place: a folder with the dumps of one wiki and day, or the common prefix of the file names:
 * PREFIX-page.sql and so on, also with .gz, .zst or .bz2. False with error set.
 */
bool wiki_files_find(const char *place, struct wiki_files *files, struct graph_error *error);

/* True if the files of some tables (one bit per table) have not changed since they were found.
 * False with error set. */
bool wiki_files_are_unchanged(const struct wiki_files *files, unsigned tables,
                              struct graph_error *error);
