/*
 * command_error.c - see command_error.h.
 */
#include "command_error.h"
#include "base/one_line.h"
#include <errno.h>

bool command_fail(struct command_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    one_line_write(error->message, sizeof(error->message), format, arguments);
    va_end(arguments);
    return false;
}

int command_refusal(int error_number)
{
    switch (error_number) {
    case ENOMEM:
    case EAGAIN:
    case EMFILE:
    case ENFILE:
    case ENOSPC:
    case EDQUOT:
    case EIO:
        return EXIT_FAILED;
    default:
        return EXIT_USAGE;
    }
}
