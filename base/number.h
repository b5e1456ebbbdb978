/*
 * number.h - numbers as people write them: 400000, 400k, 12.6M, 2G.
 *
 * The only reader of numbers from options and specifications, so a suffix means the same
 * everywhere: k, M, G and T (in either case) are powers of 1000 in a count and of 1024 in a size
 * in bytes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The factor of one step of the suffixes. */
enum number_step { NUMBER_COUNT = 1000, NUMBER_BYTES = 1024 };

/*
 * Read a whole number of length characters: digits, then at most one suffix. Decimals are allowed
 * if the result is whole (12.6M as a count). No sign, no space. False if the text is anything else
 * or the value does not fit; *number is then unchanged.
 */
bool number_read(const char *text, size_t length, enum number_step step, uint64_t *number);

/* Read digits with decimals, in units of 1/unit: "0.5" is 500000000 if unit is 1000000000. */
bool number_read_decimal(const char *text, size_t length, uint64_t unit, uint64_t *number);
