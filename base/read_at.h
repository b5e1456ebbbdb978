/*
 * read_at.h - a piece of a file, whole or not at all.
 */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

/* Read length bytes at an offset. False with errno set, or with errno 0 if the file ends before. */
static inline bool read_at(int fd, void *bytes, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        const ssize_t got = pread(fd, (char *)bytes + done, length - done, (off_t)(offset + done));
        if (got == 0) {
            errno = 0;
        }
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}
