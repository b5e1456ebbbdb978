/*
 * suggestion.c - keeps the nearest of the offered names.
 */
#include "suggestion.h"
#include "edit_distance.h"
#include "macros.h"
#include "pw_assert.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define START_MIN 3 /* letters that must agree for one word to be the start of the other */

unsigned suggestion_most(size_t length)
{
    return 1 + (unsigned)length / 4;
}

void suggestion_offer(struct suggestion *suggestion, const char *name)
{
    const size_t length = strlen(name);
    const size_t shorter = length < suggestion->length ? length : suggestion->length;
    unsigned distance =
        edit_distance(suggestion->wanted, suggestion->length, name, length, suggestion->most);
    if (shorter >= START_MIN && strncasecmp(suggestion->wanted, name, shorter) == 0) {
        distance = distance < 1 ? distance : 1;
    }
    if (distance > suggestion->most) {
        return;
    }
    if (distance < suggestion->most) {
        suggestion->most = distance;
        suggestion->count = 0;
    }
    if (suggestion->count < COUNT_OF(suggestion->names)) {
        suggestion->names[suggestion->count++] = name;
    }
    pw_assert(suggestion->count > 0);
}

const char *suggestion_text(const struct suggestion *suggestion, const char *prefix,
                            char text[SUGGESTION_SIZE])
{
    int length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < suggestion->count && length < SUGGESTION_SIZE; i++) {
        length += snprintf(text + length, SUGGESTION_SIZE - (size_t)length, "%s%s%.60s%s",
                           i == 0 ? "; did you mean " : " or ", prefix, suggestion->names[i],
                           i + 1 == suggestion->count ? "?" : "");
    }
    return text;
}
