/*
 * wiki_sums.h - checks the sums in sha1sums.txt or md5sums.txt beside the dumps. The name may begin
 * with the wiki's name and a dash.
 */
#pragma once

#include "wiki_files.h"
#include <signal.h>
#include <stddef.h>

struct wiki_sums {
    unsigned files, checked; /* all, and those with a sum in a list */
    const char *list;        /* the last one read; NULL: there is none */
};

/*
 * Check the files that a list beside them names. A second list is read for files missing from the
 * first. A line is sha1sum's, md5sum's or BSD's: "SHA1 (NAME) = SUM". False with error set when a
 * file does not match, or when a file or list cannot be read. It is an error, too, if there is a
 * list but the build has no Nettle.
 * Cost: the files are read; some 0.5 to 1.5 ns per byte.
 */
bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     struct wiki_sums *sums, struct graph_error *error);
