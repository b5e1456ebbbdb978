/*
 * refuse.c - see refuse.h.
 */
#include "refuse.h"
#include "base/one_line.h"
#include <stdarg.h>
#include <stdio.h>

bool refuse(struct node_allocator_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    one_line(error->message);
    return false;
}
