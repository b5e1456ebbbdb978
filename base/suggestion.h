/*
 * suggestion.h - "did you mean ...?": the one or two names nearest to a mistyped word.
 *
 * Set wanted, length, and most (from suggestion_most), and zero the rest; offer every name; then
 * call suggestion_text.
 */
#pragma once

#include <stddef.h>

struct suggestion {
    const char *wanted;
    size_t length;
    unsigned most;        /* mistakes of the nearest so far, or allowed */
    const char *names[2]; /* the nearest, borrowed; two if both are equally near */
    size_t count;
};

/* How many mistakes are allowed in a word of that length: one or two, more in a long one. */
unsigned suggestion_most(size_t length);

/* Consider a name. It is near, too, if it is the start of the word or the word its start. */
void suggestion_offer(struct suggestion *suggestion, const char *name);

#define SUGGESTION_SIZE 200

/*
 * "; did you mean --path?" or "; did you mean --path or --pin?", with prefix before each name;
 * empty if nothing is near. Returns text.
 */
const char *suggestion_text(const struct suggestion *suggestion, const char *prefix,
                            char text[SUGGESTION_SIZE]);
