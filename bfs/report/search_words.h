/*
 * search_words.h - the words for how a search ended, for every report of searches.
 */
#pragma once

#include "bfs/search/search.h"

#define OUTCOME_SIZE  32
#define OUTCOME_WIDTH 11 /* of a column: "not found *" */

/* In CSV and JSON: "done", "timed-out". */
const char *search_status_name(enum search_status status);

/* For people: "3 hops", "not found", "timed out". disturbed: marked by a star. */
void search_outcome(char text[OUTCOME_SIZE], const struct search_result *result, bool disturbed);
