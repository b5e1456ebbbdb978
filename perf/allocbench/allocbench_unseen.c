/*
 * allocbench_unseen.c - see allocbench_unseen.h.
 */
#include "allocbench_unseen.h"
#include "counters/resources.h"
#include "data/graph/graph_memory.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SCRIPTS_MAX  4                    /* a script's interpreter may be a script */
#define UNSEEN_BYTES ((uint64_t)1 << 20)  /* less without malloc is the libraries' */
#define OTHERS_BYTES ((uint64_t)16 << 20) /* less may be what another malloc keeps */
#define NOTHING_PART 64                   /* malloc's part of the memory is less than a 64th */
#define MOST_PART    4

bool unseen_file(const char *command, char path[PATH_MAX])
{
    return strchr(command, '/') != NULL ? snprintf(path, PATH_MAX, "%s", command) < PATH_MAX
                                        : resources_program(command, path, PATH_MAX);
}

/* A program's file --------------------------------------------------------------------------- */

struct image {
    const uint8_t *bytes;
    size_t size;
};

/* Copy a part of the file. False: it has no such part. */
static bool get(const struct image *image, uint64_t at, void *to, size_t size)
{
    if (at > image->size || size > image->size - at) {
        return false;
    }
    memcpy(to, image->bytes + at, size);
    return true;
}

/* The program header of a type, after the first `skip` ones. False: there is no such header. */
static bool find_part(const struct image *image, uint32_t type, size_t skip, Elf64_Phdr *part)
{
    Elf64_Ehdr head;
    if (!get(image, 0, &head, sizeof(head))) {
        return false;
    }
    for (size_t i = 0; i < head.e_phnum; i++) {
        if (!get(image, head.e_phoff + i * sizeof(*part), part, sizeof(*part))) {
            return false;
        }
        if (part->p_type == type && skip-- == 0) {
            return true;
        }
    }
    return false;
}

/* The place in the file of an address. SIZE_MAX: it is not in the file. */
static uint64_t place_of(const struct image *image, uint64_t address)
{
    Elf64_Phdr part;
    for (size_t i = 0; find_part(image, PT_LOAD, i, &part); i++) {
        if (address - part.p_vaddr < part.p_filesz) {
            return part.p_offset + (address - part.p_vaddr);
        }
    }
    return SIZE_MAX;
}

/* The library that a program needs whose name holds a word. False: it needs none. */
static bool needs(const struct image *image, const char *word, char name[64])
{
    Elf64_Phdr dynamic;
    Elf64_Dyn entry;
    uint64_t names = SIZE_MAX;
    if (!find_part(image, PT_DYNAMIC, 0, &dynamic)) {
        return false;
    }
    for (int look = 0; look < 2; look++) { /* first where the names are, then the names */
        const uint64_t end = dynamic.p_filesz;
        for (uint64_t at = 0;
             at < end && get(image, dynamic.p_offset + at, &entry, sizeof(entry)) &&
             entry.d_tag != DT_NULL;
             at += sizeof(entry)) {
            if (look == 0 && entry.d_tag == DT_STRTAB) {
                names = place_of(image, entry.d_un.d_ptr);
            }
            const uint64_t place = names + entry.d_un.d_val;
            if (look == 1 && entry.d_tag == DT_NEEDED && names < image->size &&
                place < image->size) {
                snprintf(name, 64, "%.*s",
                         (int)strnlen((const char *)image->bytes + place, image->size - place),
                         (const char *)image->bytes + place);
                if (strstr(name, word) != NULL) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* What a program's file says; NULL: nothing. */
static const char *reason_of(const struct image *image, char text[UNSEEN_SIZE])
{
    static const unsigned char kind[] = {0x7f, 'E', 'L', 'F',
                                         sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32};
    Elf64_Phdr part;
    char name[64];
    if (image->size < sizeof(Elf64_Ehdr) || memcmp(image->bytes, kind, 4) != 0) {
        return NULL;
    }
    if (image->bytes[EI_CLASS] != ELFCLASS64) {
        return "it is a program of 32 bits";
    }
    if (!find_part(image, PT_INTERP, 0, &part)) {
        return "it is statically linked";
    }
    if (needs(image, "asan", name)) {
        snprintf(text, UNSEEN_SIZE, "it needs %s, AddressSanitizer, which has to come first", name);
        return text;
    }
    return NULL;
}

/* True if the system gives the program of a file other rights than its caller's. */
static bool has_other_rights(const char *path, const struct stat *status)
{
    return ((status->st_mode & S_ISUID) != 0 && status->st_uid != geteuid()) ||
           ((status->st_mode & S_ISGID) != 0 && status->st_gid != getegid()) ||
           (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0);
}

/* The interpreter of a script in its first line. False: it is no script. */
static bool interpreter_of(const struct image *image, char path[PATH_MAX])
{
    char line[PATH_MAX] = "";
    const size_t size = image->size < sizeof(line) - 1 ? image->size : sizeof(line) - 1;
    memcpy(line, image->bytes, size);
    if (strncmp(line, "#!", 2) != 0) {
        return false;
    }
    const char *start = line + 2 + strspn(line + 2, " \t");
    snprintf(path, PATH_MAX, "%.*s", (int)strcspn(start, " \t\n"), start);
    return path[0] == '/';
}

const char *unseen_reason(const char *command, char text[UNSEEN_SIZE])
{
    char path[PATH_MAX];
    const char *reason = NULL;
    bool is_script = unseen_file(command, path);
    for (int i = 0; i < SCRIPTS_MAX && is_script && reason == NULL; i++) {
        struct stat status;
        const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        const bool is_file =
            file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
        struct image image = {.size = is_file ? (size_t)status.st_size : 0};
        void *mapped =
            is_file ? mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
        is_script = false;
        if (mapped != MAP_FAILED) {
            image.bytes = mapped;
            reason = has_other_rights(path, &status) ? "it runs with another user's rights"
                                                     : reason_of(&image, text);
            is_script = interpreter_of(&image, path);
            munmap(mapped, image.size);
        }
        if (file >= 0) {
            close(file);
        }
    }
    return reason != NULL ? reason : "the reason is not known";
}

/* A process ---------------------------------------------------------------------------------- */

/* What the memory of a process says. */
static enum unseen judge_memory(const struct recording_header *header, uint64_t live)
{
    const uint64_t base = header->has_other_malloc != 0 ? OTHERS_BYTES : UNSEEN_BYTES;
    const bool is_seen = header->held_most > 0;
    const uint64_t held = is_seen ? header->held_most : header->mapped;
    if (header->is_forked || /* it has the memory of its parent, too */
        held <= live + base || header->mapped <= (held - live) / 2 || live >= held / MOST_PART) {
        return UNSEEN_LITTLE;
    }
    return !is_seen ? UNSEEN_UNKNOWN : live < held / NOTHING_PART ? UNSEEN_ALL : UNSEEN_MOST;
}

enum unseen unseen_memory(const struct recording_header *header,
                          const struct recording_summary *summary, char text[UNSEEN_SIZE])
{
    static const char *const parts[] = {
        [UNSEEN_MOST] = "most of it is not seen", [UNSEEN_ALL] = "nothing of it is seen"};
    char bytes[32], live[32];
    const bool is_other = header->has_own_malloc != 0 && summary->requests == 0;
    const enum unseen unseen = is_other ? UNSEEN_ALL : judge_memory(header, summary->live_peak);
    memory_text(live, summary->live_peak);
    if (is_other) {
        snprintf(text, UNSEEN_SIZE,
                 "%s: it has an allocator of its own: nothing of it is seen. The program's file "
                 "has a malloc, which comes first",
                 header->program);
    } else if (unseen == UNSEEN_UNKNOWN) {
        snprintf(text, UNSEEN_SIZE,
                 "%s: whether it has an allocator of its own is not known: its end was not seen. "
                 "It asked the system for %s itself, and malloc for at most %s",
                 header->program, memory_text(bytes, header->mapped), live);
    } else if (unseen != UNSEEN_LITTLE) {
        snprintf(text, UNSEEN_SIZE,
                 "%s: it has an allocator of its own: %s. Of the %s that it held, %s were asked of "
                 "malloc; it asks the system itself",
                 header->program, parts[unseen], memory_text(bytes, header->held_most), live);
    }
    return unseen;
}
