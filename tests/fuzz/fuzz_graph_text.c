/*
 * fuzz_graph_text.c - a graph as text, in one format or in any.
 *
 * The last byte of an input, exclusive-or a newline, holds the options; so a text file is an input
 * with none. PW_FUZZ_FORMAT: the format to read; if it is not defined, the text decides.
 */
#include "fuzz.h"
#include "graph_twice.h"

#ifndef PW_FUZZ_FORMAT
#define PW_FUZZ_FORMAT NULL
#endif

void fuzz_setup(void)
{
    graph_twice_setup();
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input text = {bytes, bytes + length};
    unsigned bits = fuzz_take_last(&text) ^ (length > 0 ? '\n' : 0u);
    graph_load_twice(text, bits, PW_FUZZ_FORMAT);
}
