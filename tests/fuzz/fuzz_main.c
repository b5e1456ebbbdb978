/*
 * fuzz_main.c - the entry of every fuzz target: libFuzzer's if PW_FUZZ is defined; else each file,
 * and each file of each folder, named on the command line is one input.
 */
#include "fuzz.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct fuzz_memory fuzz_memory;

void fuzz_failed(const char *file, int line, const char *condition, const char *text)
{
    fprintf(stderr, "%s:%d: does not hold: %s  %s\n", file, line, condition, text);
    abort();
}

void fuzz_require_line(const char *message)
{
    fuzz_require(message[0] != '\0');
    for (const char *p = message; *p != '\0'; p++) {
        fuzz_require_for(((unsigned char)*p >= ' ' && *p != 0x7f), message);
    }
}

void fuzz_file_create(struct fuzz_file *file)
{
    file->fd = memfd_create("fuzz", MFD_CLOEXEC);
    fuzz_require(file->fd >= 0);
    snprintf(file->path, sizeof(file->path), "/proc/self/fd/%d", file->fd);
}

void fuzz_file_fill(const struct fuzz_file *file, const void *bytes, size_t length)
{
    fuzz_require(ftruncate(file->fd, (off_t)length) == 0);
    fuzz_require(pwrite(file->fd, bytes, length, 0) == (ssize_t)length);
}

char *fuzz_text(struct fuzz_input input)
{
    size_t length = fuzz_left(&input);
    char *text = malloc(length + 1);
    fuzz_require(text != NULL);
    if (length > 0) {
        memcpy(text, input.next, length);
    }
    text[length] = '\0';
    return text;
}

void *fuzz_malloc(size_t size)
{
    if (fuzz_memory.fail_in > 0 && --fuzz_memory.fail_in == 0) {
        return NULL;
    }
    if (fuzz_memory.size_max > 0 && size > fuzz_memory.size_max) {
        return NULL;
    }
    void *block = malloc(size);
    fuzz_require(block != NULL);
    fuzz_memory.live++;
    return block;
}

void fuzz_free(void *block)
{
    if (block != NULL) {
        fuzz_require(fuzz_memory.live > 0);
        fuzz_memory.live--;
        free(block);
    }
}

#ifdef PW_FUZZ

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    fuzz_setup();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    fuzz_one(bytes, length);
    return 0;
}

#else

static size_t inputs_run;

static void run_file(const char *path, size_t length)
{
    uint8_t *bytes = malloc(length > 0 ? length : 1);
    FILE *file = fopen(path, "rb");
    fuzz_require_for(bytes != NULL && file != NULL && fread(bytes, 1, length, file) == length,
                     path);
    fclose(file);
    fuzz_one(bytes, length);
    free(bytes);
    inputs_run++;
}

/* A file, or all files below a folder. A missing folder has no files. */
static void run(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return;
    }
    if (!S_ISDIR(status.st_mode)) {
        run_file(path, (size_t)status.st_size);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char inside[4096];
        snprintf(inside, sizeof(inside), "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') {
            run(inside);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

int main(int count, char **arguments)
{
    fuzz_setup();
    for (int i = 1; i < count; i++) {
        run(arguments[i]);
    }
    printf("%zu inputs\n", inputs_run);
    return inputs_run > 0 ? 0 : 1;
}

#endif
