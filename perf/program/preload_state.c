/*
 * preload_state.c - the state of the process, and how it maps the files of the run's folder.
 */
#include "preload.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct preload own;
__thread uint32_t my_thread;
__thread bool is_inside;
__thread bool is_in_next;

bool map_file(const char *name, uint64_t place, size_t offset, size_t bytes, enum use use)
{
    static const int protection[] = {PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE, PROT_READ};
    static const int kinds[] = {MAP_SHARED, MAP_PRIVATE, MAP_PRIVATE | MAP_POPULATE};
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", own.folder, name);
    const int file =
        open(path, use == WRITTEN ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC,
             S_IRUSR | S_IWUSR);
    void *mapped = MAP_FAILED;
    if (file < 0) {
        return false;
    }
    /* on a full disk this fails; a write into the mapping would end the process */
    errno = use == WRITTEN ? posix_fallocate(file, (off_t)offset, (off_t)bytes) : 0;
    if (errno == 0) {
        mapped = mmap((void *)(uintptr_t)place, bytes, protection[use],
                      kinds[use] | MAP_FIXED_NOREPLACE, file, (off_t)offset);
    }
    const int error_number = errno;
    close(file);
    errno = error_number;
    if (mapped != MAP_FAILED && (uint64_t)(uintptr_t)mapped != place) {
        munmap(mapped, bytes); /* a system that does not know MAP_FIXED_NOREPLACE */
        errno = EEXIST;
        return false;
    }
    return mapped != MAP_FAILED;
}
