/*
 * process_memory.c - see process_memory.h.
 */
#include "process_memory.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file of /proc, line by line. */
struct lines {
    int file;
    size_t from, to; /* what is not yet read of the text */
    char text[5000]; /* a line ends with the path of a file at most */
};

/* The next line; NULL: no line is left. */
static const char *next_line(struct lines *lines)
{
    for (;;) {
        char *const line = lines->text + lines->from;
        char *const end = memchr(line, '\n', lines->to - lines->from);
        if (end != NULL) {
            *end = '\0';
            lines->from = (size_t)(end + 1 - lines->text);
            return line;
        }
        lines->to -= lines->from;
        memmove(lines->text, line, lines->to);
        lines->from = 0;
        const ssize_t got =
            read(lines->file, lines->text + lines->to, sizeof(lines->text) - lines->to);
        if (got <= 0) {
            return NULL;
        }
        lines->to += (size_t)got;
    }
}

/* Add what "NAME:  123 kB" says to bytes, if the line has this name. */
static void add(uint64_t *bytes, const char *line, const char *name)
{
    const size_t length = strlen(name);
    if (strncmp(line, name, length) == 0) {
        *bytes += strtoull(line + length, NULL, 10) * 1024;
    }
}

static void read_status(struct lines *lines, struct program_memory *memory)
{
    const char *line = NULL;
    while ((line = next_line(lines)) != NULL) {
        add(&memory->resident_most, line, "VmHWM:");
        add(&memory->files, line, "RssFile:");
        add(&memory->files, line, "RssShmem:");
    }
}

/* The path of a mapping's line, or "". */
static const char *path_of(const char *line)
{
    for (int field = 0; field < 5; field++) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return line;
}

static void read_mappings(struct lines *lines, struct program_memory *memory)
{
    const char *line = NULL;
    uint64_t *kind = &memory->others;
    uint64_t freed = 0; /* pages that the kernel may take */
    unsigned long long end = 0;
    while ((line = next_line(lines)) != NULL) {
        if (line[0] < 'A' || line[0] > 'Z') { /* a mapping, and no figure of one */
            char *at = NULL;
            const unsigned long long start = strtoull(line, &at, 16);
            const char *path = path_of(line);
            const bool is_unnamed = path[0] == '\0' || strncmp(path, "[anon", 5) == 0;
            const bool follows_file = start == end && kind == &memory->others;
            end = strtoull(at + (*at == '-'), NULL, 16);
            kind = strcmp(path, "[heap]") == 0 || (is_unnamed && !follows_file) ? &memory->heap
                                                                                : &memory->others;
        }
        add(kind, line, "Anonymous:");
        add(&freed, line, "LazyFree:");
    }
    memory->heap -= freed < memory->heap ? freed : memory->heap;
}

void process_memory_read(struct program_memory *memory)
{
    static const char *const paths[] = {"/proc/self/status", "/proc/self/smaps"};
    static void (*const readers[])(struct lines *, struct program_memory *) = {read_status,
                                                                               read_mappings};
    *memory = (struct program_memory){0};
    for (int i = 0; i < 2; i++) {
        struct lines lines = {.file = open(paths[i], O_RDONLY | O_CLOEXEC)};
        if (lines.file >= 0) {
            readers[i](&lines, memory);
            close(lines.file);
        }
    }
}
