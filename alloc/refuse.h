/*
 * refuse.h - reports why an allocator cannot be opened.
 */
#pragma once

#include "node_allocator.h"

/* Write the message, cut to fit. Always false, so that a caller can end with it. */
__attribute__((format(printf, 2, 3))) bool refuse(struct node_allocator_error *error,
                                                  const char *format, ...);
