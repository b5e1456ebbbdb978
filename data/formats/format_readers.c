/*
 * format_readers.c - the list of further formats.
 */
#include "format_readers.h"
#include "unread_formats.h"

static const struct graph_reader readers[] = {
    {"graphml", graphml_matches, graphml_read},
    {"gml", gml_matches, gml_read},
    {.name = NULL},
};

const struct graph_readers format_readers = {readers, unread_format_find};
