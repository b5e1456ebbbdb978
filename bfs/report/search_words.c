/*
 * search_words.c - see search_words.h.
 */
#include "search_words.h"
#include <stdio.h>

static const struct {
    const char *name, *words;
} outcomes[] = {
    [SEARCH_DONE] = {"done", "not found"},
    [SEARCH_TIMED_OUT] = {"timed-out", "timed out"},
    [SEARCH_CANCELLED] = {"cancelled", "cancelled"},
    [SEARCH_NO_MEMORY] = {"no-memory", "out of memory"},
    [SEARCH_DIVERGED] = {"diverged", "diverged"},
    [SEARCH_DAMAGED] = {"damaged", "damaged"},
};

const char *search_status_name(enum search_status status)
{
    return outcomes[status].name;
}

void search_outcome(char text[OUTCOME_SIZE], const struct search_result *result, bool disturbed)
{
    const char *star = disturbed ? " *" : "";
    if (result->status == SEARCH_DONE && result->found) {
        snprintf(text, OUTCOME_SIZE, "%u hop%s%s", result->hops, result->hops == 1 ? "" : "s",
                 star);
    } else {
        snprintf(text, OUTCOME_SIZE, "%s%s", outcomes[result->status].words, star);
    }
}
