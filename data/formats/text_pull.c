/*
 * text_pull.c - turns pieces of a text into bytes and records.
 */
#include "text_pull.h"
#include "base/array_reserve.h"
#include <stdlib.h>
#include <string.h>

void text_pull_init(struct text_pull *pull, struct graph_reading *reading)
{
    *pull = (struct text_pull){.reading = reading, .line = 1};
}

void text_pull_free(struct text_pull *pull)
{
    free(pull->buffer);
    pull->buffer = NULL;
}

bool text_pull_more(struct text_pull *pull)
{
    if (pull->has_ended) {
        return false;
    }
    size_t got = pull->reading->take(pull->reading, &pull->at);
    pull->has_failed = got == SIZE_MAX;
    pull->has_ended = pull->has_failed || got == 0;
    pull->end = pull->has_ended ? pull->at : pull->at + got;
    return !pull->has_ended;
}

bool text_pull_keep(struct text_pull *pull, char byte)
{
    const bool fits = pull->used < TEXT_PULL_MAX;
    if (!fits || !array_reserve(&pull->buffer, &pull->capacity, pull->used + 2, 1)) {
        pull->has_failed = pull->has_ended = true;
        return text_pull_fail(pull, "%s", fits ? "out of memory" : "a text is longer than 1 MiB");
    }
    pull->buffer[pull->used++] = byte;
    pull->buffer[pull->used] = '\0';
    return true;
}
