/*
 * text_output.c - the buffer, and the file it is written to.
 */
#include "text_output.h"
#include "base/cancel.h"
#include "base/pw_assert.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FORMAT_SIZE 1001

static bool fail_errno(struct text_output *output, const char *what)
{
    return graph_fail(output->error, output->path, "%s: %s", what, strerror(errno));
}

bool text_output_open(struct text_output *output)
{
    output->file = (struct file_replace){.fd = -1, .direct = true};
    output->buffer = malloc(TEXT_OUTPUT_SIZE);
    if (output->buffer == NULL) {
        return graph_fail(output->error, output->path, "out of memory");
    }
    if (strcmp(output->path, "-") == 0) {
        output->path = "standard output";
        output->file.fd = dup(STDOUT_FILENO);
        return output->file.fd >= 0 || fail_errno(output, "cannot write");
    }
    return file_replace_open(&output->file, output->path) ||
           fail_errno(output, output->file.direct ? "cannot open for writing" : "cannot create");
}

bool text_output_flush(struct text_output *output)
{
    pw_assert(output->used <= TEXT_OUTPUT_SIZE);
    for (size_t done = 0; done < output->used;) {
        ssize_t count = write(output->file.fd, output->buffer + done, output->used - done);
        if (cancel_is_set(output->cancel)) {
            return graph_fail(output->error, output->path, "interrupted");
        }
        if (count < 0 && errno != EINTR) {
            return fail_errno(output, "cannot write");
        }
        done += count > 0 ? (size_t)count : 0;
    }
    output->used = 0;
    return true;
}

bool text_output_bytes(struct text_output *output, const char *bytes, size_t length)
{
    while (length > 0) {
        if (output->used == TEXT_OUTPUT_SIZE && !text_output_flush(output)) {
            return false;
        }
        size_t room = TEXT_OUTPUT_SIZE - output->used;
        size_t now = length < room ? length : room;
        memcpy(output->buffer + output->used, bytes, now);
        output->used += now;
        bytes += now;
        length -= now;
    }
    return true;
}

bool text_output_format(struct text_output *output, const char *format, ...)
{
    char text[FORMAT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    pw_assert(length >= 0 && length < FORMAT_SIZE);
    return text_output_bytes(output, text, (size_t)length);
}

bool text_output_close(struct text_output *output, bool ok)
{
    ok = ok && text_output_flush(output) &&
         (file_replace_commit(&output->file) || fail_errno(output, "cannot write"));
    file_replace_abandon(&output->file);
    free(output->buffer);
    return ok;
}
