/*
 * wiki_sums.h - the sums that lie beside the dumps: sha1sums.txt or md5sums.txt, by themselves or
 * behind the wiki's name and a dash.
 */
#pragma once

#include "wiki_files.h"
#include <signal.h>
#include <stddef.h>

/*
 * Check the files that a list beside them names. *checked: how many it did; 0 where there is no
 * list. False with error set when one does not match, or cannot be read; also when there is a list
 * and the build has no Nettle.
 * Cost: the files are read; some 0.5 to 1.5 ns per byte.
 */
bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     unsigned *checked, struct graph_error *error);
