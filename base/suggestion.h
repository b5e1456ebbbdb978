/*
 * suggestion.h - "did you mean ...?": the one or two names nearest to a mistyped word.
 *
 * Start with wanted and length set and most as suggestion_most says, all else zero; offer every
 * name that there is; then suggestion_text.
 */
#pragma once

#include <stddef.h>

struct suggestion {
    const char *wanted;
    size_t length;
    unsigned most;        /* mistakes of the nearest so far, or that are allowed */
    const char *names[2]; /* the nearest, borrowed; two where both are as near */
    size_t count;
};

/* As many mistakes are allowed in a word of that length: one or two, more in a long one. */
unsigned suggestion_most(size_t length);

/* Consider a name. One that the word goes on from or that goes on from the word is near too. */
void suggestion_offer(struct suggestion *suggestion, const char *name);

#define SUGGESTION_SIZE 200

/*
 * "; did you mean --path?" or "; did you mean --path or --pin?", with prefix before each name; an
 * empty text where nothing is near. Returns text.
 */
const char *suggestion_text(const struct suggestion *suggestion, const char *prefix,
                            char text[SUGGESTION_SIZE]);
