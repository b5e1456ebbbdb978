/*
 * wiki_files.h - the dumps of a wiki in a folder: which files there are, of which wiki and day.
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
    WIKI_TABLES
};

#define WIKI_LISTS 4 /* of sums, in which those of the files may be */

/* "page", "page_props", ...: as in the names of the files. */
extern const char *const wiki_table_names[WIKI_TABLES];

struct wiki_files {
    char prefix[PATH_MAX];                 /* FOLDER/simplewiki-20261101 */
    char paths[WIKI_TABLES][PATH_MAX];     /* "": not there */
    char lists[WIKI_LISTS][PATH_MAX + 64]; /* where they would be, the best first */
    uint64_t sizes[WIKI_TABLES];
    uint64_t times[WIKI_TABLES]; /* of their last change */
    bool packed[WIKI_TABLES];
    char wiki[64]; /* as the files are called, or "" */
    char date[16]; /* 2026-11-01, or "" */
};

/*
 * place: a folder with the dumps of one wiki and day, or what the names of the files begin with.
 * NAME-page.sql and the others, also with .gz, .zst or .bz2. False with error set.
 */
bool wiki_files_find(const char *place, struct wiki_files *files, struct graph_error *error);

/* Whether those of the tables, a bit for each, are what they were when they were found. False with
 * error set. */
bool wiki_files_are_unchanged(const struct wiki_files *files, unsigned tables,
                              struct graph_error *error);
