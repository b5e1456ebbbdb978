/*
 * names_fit.h - which node each name is for, once the ids of the graph are known.
 */
#pragma once

#include "data/read/text_aids.h"

/*
 * Fit the names to the nodes from *first to *limit - 1: by the ids in their file, or in the order
 * of the ids. Both may change. Notes repeated names. False with error set if there are too many or
 * too few names.
 */
bool names_fit(const struct names_fit *fit, uint32_t *first, uint64_t *limit,
               struct graph_error *error);
