/*
 * library_fixture.h - graphs for the tests of libpwgraph.
 */
#pragma once

#include "bfs/pwgraph/pwgraph.h"
#include "fixture_file.h"

static struct pwgraph_error error; /* of the last call that was given it */

static inline struct pwgraph *open_text(const char *text, const struct pwgraph_options *options)
{
    memset(&error, 0, sizeof(error));
    return pwgraph_open(fixture_text("graph.txt", text), options, &error);
}

static inline void assert_code(enum pwgraph_code code)
{
    ck_assert_msg(error.code == code, "code %d instead of %d: %s", error.code, code, error.text);
    ck_assert(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
}
