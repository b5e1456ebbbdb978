/*
 * unread_formats.h - the files that people have and that are not read, known by their first bytes.
 */
#pragma once

#include "data/read/graph_reader.h"

/*
 * What the text is and how to convert it, for "FILE: is Parquet, ...". NULL: no such format.
 */
const char *unread_format_find(const struct graph_head *head);
