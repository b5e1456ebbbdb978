/*
 * snapshot_layout.c - reads and writes the header of a snapshot.
 */
#include "snapshot_layout.h"
#include "base/cancel.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define WRITE_SIZE ((size_t)4 << 20)

static const char magic[8] = SNAPSHOT_MAGIC;

bool snapshot_write_at(int fd, const void *bytes, uint64_t length, uint64_t offset,
                       const volatile sig_atomic_t *cancel)
{
    for (uint64_t done = 0; done < length;) {
        uint64_t left = length - done;
        ssize_t put = pwrite(fd, (const char *)bytes + done,
                             left < WRITE_SIZE ? (size_t)left : WRITE_SIZE, (off_t)(offset + done));
        if (cancel_is_set(cancel)) {
            errno = EINTR;
            return false;
        }
        if (put < 0 && errno != EINTR) {
            return false;
        }
        done += put > 0 ? (uint64_t)put : 0;
    }
    return true;
}

void snapshot_start_header(union header_page *page)
{
    memset(page, 0, sizeof(*page));
    memcpy(page->header.magic, magic, sizeof(magic));
    page->header.version = VERSION;
    page->header.byte_order = BYTE_ORDER_MARK;
}

bool snapshot_write_header(int fd, union header_page *page)
{
    page->header.checksum = XXH3_64bits(page, sizeof(*page));
    return snapshot_write_at(fd, page, sizeof(*page), 0, NULL);
}

bool snapshot_read_header(int fd, const char *path, union header_page *page,
                          struct graph_error *error)
{
    struct stat status;
    struct header *header = &page->header;
    memset(page, 0, sizeof(*page));
    ssize_t got = pread(fd, page, sizeof(*page), 0);
    bool is_ours = got >= (ssize_t)sizeof(magic) && memcmp(page, magic, sizeof(magic)) == 0;
    uint64_t checksum = header->checksum;
    if (got < 0) {
        graph_fail(error, path, "cannot be read: %s", strerror(errno));
    } else if (!is_ours) {
        graph_fail(error, path, "foreign: not a graph snapshot");
    } else if (got < (ssize_t)sizeof(*page)) {
        graph_fail(error, path, "truncated: the snapshot ends inside its header");
    } else if (header->byte_order != BYTE_ORDER_MARK) {
        graph_fail(error, path, "foreign: the snapshot is from a machine of another byte order");
    } else if (header->version != VERSION) {
        graph_fail(error, path, "foreign: snapshot version %lu, this program reads %d",
                   (unsigned long)header->version, VERSION);
    } else {
        header->checksum = 0;
        if (XXH3_64bits(page, sizeof(*page)) != checksum) {
            graph_fail(error, path, "corrupt: the header does not match its checksum");
        } else if (fstat(fd, &status) != 0) {
            graph_fail(error, path, "cannot be read: %s", strerror(errno));
            return false; /* the header itself is good */
        } else if ((uint64_t)status.st_size < header->file_size) {
            graph_fail(error, path, "truncated: the snapshot has %llu of its %llu bytes",
                       (unsigned long long)status.st_size, (unsigned long long)header->file_size);
            return false;
        } else {
            return true;
        }
    }
    memset(page, 0, sizeof(*page));
    return false;
}
