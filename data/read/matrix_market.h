/*
 * matrix_market.h - the banner and the size line of a Matrix Market file.
 */
#pragma once

#include "graph_header.h"

/* True if a Matrix Market banner opens the text or follows its first comments, in any case and with
 * one % or two. */
bool matrix_market_matches(const struct graph_header *header);

/* Read the banner. False with error set if it declares a kind that is not supported. */
bool matrix_market_read_banner(struct graph_header *header);

/* Read the banner and the size line "rows columns entries". False with error set. */
bool matrix_market_read(struct graph_header *header);
