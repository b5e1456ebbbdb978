/*
 * graph_error.c - one-line messages; nothing is printed here.
 */
#include "graph_error.h"
#include "base/one_line.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool graph_fail_line(struct graph_error *error, const char *path, uint64_t line, const char *format,
                     ...)
{
    if (error != NULL && error->message[0] == '\0') {
        char place[32] = ""; /* both together always fit the message */
        if (line > 0) {
            snprintf(place, sizeof(place), ":%llu", (unsigned long long)line);
        }
        int used = snprintf(error->message, sizeof(error->message), "%.300s%s: ", path, place);
        pw_assert(used > 0 && (size_t)used < sizeof(error->message));
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message + used, sizeof(error->message) - (size_t)used, format, arguments);
        va_end(arguments);
        error->is_memory |= strncmp(error->message + used, "out of memory", 13) == 0;
        one_line(error->message);
    }
    return false;
}

bool graph_fail_at(struct graph_error *error, const char *path)
{
    static const char unknown[] = "graph: ";
    if (strncmp(error->message, unknown, sizeof(unknown) - 1) == 0) {
        struct graph_error placed = {0};
        graph_fail(&placed, path, "%s", error->message + sizeof(unknown) - 1);
        *error = placed;
    }
    return false;
}

void graph_error_advise(struct graph_error *error, const char *const words[GRAPH_REMEDIES])
{
    const size_t used = strlen(error->message);
    if (words[error->remedy] != NULL) {
        snprintf(error->message + used, sizeof(error->message) - used, "%s", words[error->remedy]);
    }
}

const char *graph_quote(char quoted[GRAPH_QUOTE_SIZE], const char *text, size_t length)
{
    size_t used = 0;
    quoted[used++] = '"';
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        size_t bytes = utf8_decode(text + i, length - i, &code);
        if (used + 9 > GRAPH_QUOTE_SIZE) { /* \xNN, three dots, the quote, the NUL */
            used += (size_t)snprintf(quoted + used, GRAPH_QUOTE_SIZE - used, "...");
            break;
        }
        if (bytes == 0 || utf8_is_hidden(code)) { /* shown byte by byte */
            used += (size_t)snprintf(quoted + used, GRAPH_QUOTE_SIZE - used, "\\x%02x",
                                     (unsigned char)text[i]);
            i++;
        } else {
            memcpy(quoted + used, text + i, bytes);
            used += bytes;
            i += bytes;
        }
    }
    pw_assert(used + 2 <= GRAPH_QUOTE_SIZE);
    quoted[used++] = '"';
    quoted[used] = '\0';
    return quoted;
}
