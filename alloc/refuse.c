/*
 * refuse.c - see refuse.h.
 */
#include "refuse.h"
#include "base/one_line.h"

bool refuse(struct node_allocator_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    one_line_write(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return false;
}
