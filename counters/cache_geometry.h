/*
 * cache_geometry.h - the caches of a processor: of this machine, of a named processor, or as the
 * user gives them.
 */
#pragma once

#include "base/program/command_line.h"
#include <stdbool.h>
#include <stdint.h>

struct cache {
    uint64_t size_bytes; /* 0: not known */
    uint32_t ways;
    uint32_t line_bytes;
};

struct cache_geometry {
    struct cache l1i, l1d, l2;
    const char *name; /* its source: "host", "pi4", "given" */
};

#define CACHE_TEXT_BYTES 64

/* "48 KiB 12-way, 64-byte lines". Returns text. */
const char *cache_describe(const struct cache *cache, char text[CACHE_TEXT_BYTES]);

/* Read the caches of processor 0 of the machine below root ("" for this one). False if it does not
 * describe both L1 caches and the L2. */
bool cache_geometry_host(struct cache_geometry *geometry, const char *root);

/*
 * "host", "pi4", or "L1I:L1D:L2", each SIZE,WAYS,LINE, as in "32K,8,64:48K,12,64:1M,16,64". False
 * with error set if it is not legal or cannot be simulated: the number of sets must be a power of
 * two.
 */
bool cache_geometry_parse(struct cache_geometry *geometry, const char *text,
                          struct command_error *error);

/*
 * For the option that names them, in a const char *: the end of its help, and its reader. The text
 * is checked and kept (borrowed).
 */
#define CACHES_HELP "CACHES: host, pi4, or L1I:L1D:L2, each SIZE,WAYS,LINE (default: host)"

#define OPTION_CACHES(type, member) OPTION_OWN(type, member, cache_option_read), .implied = "host"

bool cache_option_read(const char *value, void *field, struct command_error *error);
