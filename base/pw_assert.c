/*
 * pw_assert.c - says which assertion failed, without allocating, and aborts.
 */
#include "pw_assert.h"

#ifdef PW_DEBUG
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void pw_assert_failed(const char *file, int line, const char *condition)
{
    dprintf(STDERR_FILENO, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
#else
typedef int pw_assert_is_off; /* a translation unit is never empty in ISO C */
#endif
