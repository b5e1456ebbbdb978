/*
 * archive_reader.c - decodes with libarchive, and chooses the file in a tar.
 *
 * 1. A reader is either inside an entry, whose bytes it gives, or between two entries.
 * 2. Between two it looks at the next one's first bytes; if it is chosen, they are given first.
 * 3. After the chosen entry the others are looked at, too, to refuse a tar with two graphs.
 */
#include "archive_reader.h"
#include "base/late_library.h"
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_SIZE ((size_t)128 << 10)
#define NAME_SIZE  160

/* What is called of libarchive, which is opened with the first archive. */
#define ARCHIVE_CALLS(X)                                                                           \
    X(archive_entry_filetype)                                                                      \
    X(archive_entry_pathname)                                                                      \
    X(archive_error_string)                                                                        \
    X(archive_format)                                                                              \
    X(archive_read_data)                                                                           \
    X(archive_read_free)                                                                           \
    X(archive_read_new)                                                                            \
    X(archive_read_next_header)                                                                    \
    X(archive_read_open)                                                                           \
    X(archive_read_support_filter_bzip2)                                                           \
    X(archive_read_support_filter_gzip)                                                            \
    X(archive_read_support_filter_xz)                                                              \
    X(archive_read_support_filter_zstd)                                                            \
    X(archive_read_support_format_empty)                                                           \
    X(archive_read_support_format_raw)                                                             \
    X(archive_read_support_format_tar)                                                             \
    X(archive_set_error)
LATE_CALLS(library, lib, ARCHIVE_CALLS, PW_LIBARCHIVE);

struct archive_reader {
    byte_take *take;
    void *context;
    const struct archive_choice *choice;
    struct archive *archive;
    bool is_opened, is_inside, is_tar, has_main, has_ended, has_failed;
    size_t first_length, first_used;
    char chosen[NAME_SIZE];
    char error[400];
    char input[INPUT_SIZE];     /* what libarchive reads from */
    char first[INPUT_SIZE + 1]; /* the first bytes of an entry, and a NUL */
};

/* True if the archive may be of every kind that is read here. */
static bool support_all(struct archive *archive)
{
    return lib.archive_read_support_filter_gzip(archive) != ARCHIVE_FATAL &&
           lib.archive_read_support_filter_bzip2(archive) != ARCHIVE_FATAL &&
           lib.archive_read_support_filter_xz(archive) != ARCHIVE_FATAL &&
           lib.archive_read_support_filter_zstd(archive) != ARCHIVE_FATAL &&
           lib.archive_read_support_format_tar(archive) != ARCHIVE_FATAL &&
           lib.archive_read_support_format_raw(archive) != ARCHIVE_FATAL &&
           lib.archive_read_support_format_empty(archive) != ARCHIVE_FATAL;
}

struct archive_reader *archive_reader_open(byte_take *take, void *context,
                                           const struct archive_choice *choice)
{
    struct archive_reader *reader = calloc(1, sizeof(*reader));
    if (reader == NULL) {
        return NULL;
    }
    reader->take = take;
    reader->context = context;
    reader->choice = choice;
    if (!late_library_open(&library, reader->error, sizeof(reader->error))) {
        reader->has_failed = true; /* the first read says why */
        return reader;
    }
    reader->archive = lib.archive_read_new();
    if (reader->archive == NULL || !support_all(reader->archive)) {
        archive_reader_close(reader);
        return NULL;
    }
    return reader;
}

/* The first failure is the cause; a decoder's complaint about missing input comes after it. */
static void fail(struct archive_reader *reader, const char *text)
{
    if (!reader->has_failed) {
        reader->has_failed = true;
        snprintf(reader->error, sizeof(reader->error), "%.380s", text);
    }
}

/* libarchive's reason; out of memory, it may say anything. It gives zstd a window of 128 MiB. */
static void fail_by_archive(struct archive_reader *reader)
{
    const char *text = lib.archive_error_string(reader->archive);
    if (text != NULL && strstr(text, "too much memory") != NULL) {
        text = "it was packed by zstd --long with a window of more than 128 MiB: unpack it first "
               "(zstd -d --long=31)";
    } else if (text != NULL && strstr(text, "Child process exited") != NULL) {
        text = "the program that libarchive ran printed why it failed: unpack it first";
    }
    fail(reader, errno == ENOMEM ? "out of memory" : text != NULL ? text : "unknown error");
}

static la_ssize_t give_input(struct archive *archive, void *context, const void **bytes)
{
    struct archive_reader *reader = context;
    const char *error = NULL;
    ssize_t got = reader->take(reader->context, reader->input, INPUT_SIZE, &error);
    if (got < 0) {
        fail(reader, error);
        lib.archive_set_error(archive, EINVAL, "%s", error);
    }
    *bytes = reader->input;
    return got;
}

/* True for DIR/DIR.mtx: SuiteSparse packs a matrix in this way. */
static bool is_main_file(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *suffix = strrchr(path, '.');
    if (name == NULL || suffix == NULL || suffix < name) {
        return false;
    }
    size_t length = (size_t)(suffix - name - 1);
    size_t folder = (size_t)(name - path);
    return length > 0 && folder >= length && memcmp(name - length, name + 1, length) == 0 &&
           (folder == length || name[-(ptrdiff_t)length - 1] == '/');
}

/* Take the first bytes of an entry of a tar. True if they are acceptable. */
static bool is_acceptable(struct archive_reader *reader, struct archive_entry *entry)
{
    const char *path = lib.archive_entry_pathname(entry);
    const char *name = path != NULL ? strrchr(path, '/') : NULL;
    name = name != NULL ? name + 1 : path;
    if (lib.archive_entry_filetype(entry) != AE_IFREG || name == NULL || name[0] == '.') {
        return false;
    }
    la_ssize_t got = lib.archive_read_data(reader->archive, reader->first, INPUT_SIZE);
    if (got < 0) {
        fail_by_archive(reader);
        return false;
    }
    reader->first_length = (size_t)got;
    reader->first[got] = '\0';
    const struct archive_choice *choice = reader->choice;
    return choice == NULL || choice->accepts(choice->context, reader->first, (size_t)got);
}

/* Handle an entry of a tar: go inside if it is the one to take. */
static void look_at(struct archive_reader *reader, struct archive_entry *entry)
{
    if (reader->has_main || !is_acceptable(reader, entry)) {
        reader->first_length = 0;
        return;
    }
    const char *path = lib.archive_entry_pathname(entry);
    if (reader->chosen[0]) {
        char text[2 * NAME_SIZE + 64];
        snprintf(text, sizeof(text), "the tar holds more than one graph: %s and %.150s",
                 reader->chosen, path);
        fail(reader, text);
        return;
    }
    snprintf(reader->chosen, sizeof(reader->chosen), "%s", path);
    reader->has_main = is_main_file(path);
    reader->is_inside = true;
}

static void next_entry(struct archive_reader *reader)
{
    struct archive_entry *entry;
    bool is_first = !reader->is_opened;
    reader->is_opened = true;
    reader->first_used = reader->first_length = 0;
    if (is_first &&
        lib.archive_read_open(reader->archive, reader, NULL, give_input, NULL) != ARCHIVE_OK) {
        fail_by_archive(reader);
        return;
    }
    int status = lib.archive_read_next_header(reader->archive, &entry);
    if (status == ARCHIVE_EOF) {
        reader->has_ended = true;
        if (reader->is_tar && !reader->chosen[0]) {
            fail(reader, "the tar holds no graph");
        }
    } else if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
        fail_by_archive(reader);
    } else if (lib.archive_format(reader->archive) == ARCHIVE_FORMAT_RAW) {
        reader->is_inside = true;
    } else {
        reader->is_tar = true;
        look_at(reader, entry);
    }
}

/* Bytes of the entry; 0 at its end. */
static size_t read_entry(struct archive_reader *reader, char *to, size_t length)
{
    size_t left = reader->first_length - reader->first_used;
    if (left > 0) {
        length = length < left ? length : left;
        memcpy(to, reader->first + reader->first_used, length);
        reader->first_used += length;
        return length;
    }
    la_ssize_t got = lib.archive_read_data(reader->archive, to, length);
    if (got < 0) {
        fail_by_archive(reader);
    }
    reader->is_inside = got > 0;
    return got > 0 ? (size_t)got : 0;
}

ssize_t archive_reader_read(void *context, char *to, size_t length, const char **error)
{
    struct archive_reader *reader = context;
    size_t got = 0;
    errno = 0;
    while (got == 0 && length > 0 && !reader->has_failed && !reader->has_ended) {
        if (!reader->is_inside) {
            next_entry(reader);
        } else {
            got = read_entry(reader, to, length);
            reader->has_ended = !reader->is_inside && !reader->is_tar;
        }
    }
    *error = reader->has_failed && got == 0 ? reader->error : NULL;
    return *error != NULL ? -1 : (ssize_t)got;
}

void archive_reader_close(struct archive_reader *reader)
{
    if (reader != NULL && reader->archive != NULL) {
        lib.archive_read_free(reader->archive);
    }
    free(reader);
}
