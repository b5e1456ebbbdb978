/*
 * wiki_sums.h - the sums that lie beside the dumps: sha1sums.txt or md5sums.txt, by themselves or
 * behind the wiki's name and a dash.
 */
#pragma once

#include "wiki_files.h"
#include <signal.h>
#include <stddef.h>

struct wiki_sums {
    unsigned files, checked; /* how many there are, and of how many a list has a sum */
    const char *list;        /* the last that was read; NULL: there is none */
};

/*
 * Check the files that a list beside them names; a second list is read for those that the first
 * does not name. A line is sha1sum's, md5sum's or BSD's: "SHA1 (NAME) = SUM". False with error set
 * when a file does not match, or it or a list cannot be read; also when there is a list and the
 * build has no Nettle.
 * Cost: the files are read; some 0.5 to 1.5 ns per byte.
 */
bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     struct wiki_sums *sums, struct graph_error *error);
