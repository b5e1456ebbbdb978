/*
 * matrix_market.h - the banner and the size line of a Matrix Market file.
 */
#ifndef PW_MATRIX_MARKET_H
#define PW_MATRIX_MARKET_H

#include "data/graph/graph_error.h"

struct matrix_market {
    bool symmetric;       /* an entry off the diagonal stands for both directions */
    bool single_percent;  /* the banner has one % where the standard has two */
    unsigned value_count; /* numbers after the ids: 0 for pattern, 2 for complex */
    uint64_t rows, columns;
    uint64_t entry_count; /* as declared */
};

/* Whether the text opens with a Matrix Market banner, in any case and with one % or two. */
bool matrix_market_is_banner(const char *text, size_t length);

/* Read the banner; begin to end is without the newline. Returns false with error set. */
bool matrix_market_read_banner(const char *begin, const char *end, const char *path,
                               struct matrix_market *header, struct graph_error *error);

/* Read the size line "rows columns entries". Returns false with error set. */
bool matrix_market_read_size(const char *begin, const char *end, const char *path, uint64_t line,
                             struct matrix_market *header, struct graph_error *error);

#endif
