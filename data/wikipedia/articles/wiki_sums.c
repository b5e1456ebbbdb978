/*
 * wiki_sums.c - SHA-1 (FIPS 180-4) and MD5 (RFC 1321), against accidents, not forgery.
 */
#include "wiki_sums.h"
#include "base/macros.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define READ_SIZE ((size_t)1 << 20)

struct sum {
    bool sha1;
    uint32_t state[5];
    uint64_t length;
    unsigned char block[64];
    uint32_t constants[64]; /* of MD5 */
};

static uint32_t rotate(uint32_t x, unsigned by)
{
    return x << by | x >> (32 - by);
}

static void sha1_block(uint32_t state[5], const unsigned char *bytes)
{
    static const uint32_t constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t w[80];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (size_t i = 0; i < 16; i++) {
        w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 |
               (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
    }
    for (size_t i = 16; i < 80; i++) {
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    }
    for (size_t i = 0; i < 80; i++) {
        const uint32_t f = i < 20   ? (b & c) | (~b & d)
                           : i < 40 ? b ^ c ^ d
                           : i < 60 ? (b & c) | (b & d) | (c & d)
                                    : b ^ c ^ d;
        const uint32_t next = rotate(a, 5) + f + e + constants[i / 20] + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

static void md5_block(uint32_t state[5], const unsigned char *bytes, const uint32_t constants[64])
{
    static const unsigned char turns[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const unsigned char factors[4] = {1, 5, 3, 7}, starts[4] = {0, 1, 5, 0};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t part = i / 16, at = (factors[part] * i + starts[part]) % 16;
        const uint32_t f = part == 0   ? (b & c) | (~b & d)
                           : part == 1 ? (d & b) | (~d & c)
                           : part == 2 ? b ^ c ^ d
                                       : c ^ (b | ~d);
        const uint32_t word = (uint32_t)bytes[4 * at] | (uint32_t)bytes[4 * at + 1] << 8 |
                              (uint32_t)bytes[4 * at + 2] << 16 | (uint32_t)bytes[4 * at + 3] << 24;
        const uint32_t next = b + rotate(a + f + constants[i] + word, turns[part][i % 4]);
        a = d;
        d = c;
        c = b;
        b = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void add_bytes(struct sum *sum, const unsigned char *bytes, size_t length)
{
    size_t held = (size_t)(sum->length % 64);
    sum->length += length;
    while (length > 0) {
        const size_t now = length < 64 - held ? length : 64 - held;
        const unsigned char *block = bytes;
        if (now < 64) {
            memcpy(sum->block + held, bytes, now);
            block = sum->block;
        }
        held += now;
        bytes += now;
        length -= now;
        if (held == 64) {
            if (sum->sha1) {
                sha1_block(sum->state, block);
            } else {
                md5_block(sum->state, block, sum->constants);
            }
            held = 0;
        }
    }
}

static void start(struct sum *sum, bool sha1)
{
    *sum = (struct sum){.sha1 = sha1,
                        .state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
    for (unsigned i = 0; i < 64 && !sha1; i++) {
        sum->constants[i] = (uint32_t)(fabs(sin((double)i + 1)) * 4294967296.0);
    }
}

static void finish(struct sum *sum, char digits[41])
{
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = sum->length * 8;
    unsigned char tail[8];
    const size_t held = (size_t)(sum->length % 64);
    add_bytes(sum, padding, held < 56 ? 56 - held : 120 - held);
    for (unsigned i = 0; i < 8; i++) {
        tail[i] = (unsigned char)(bits >> (sum->sha1 ? 56 - 8 * i : 8 * i));
    }
    add_bytes(sum, tail, sizeof(tail));
    for (unsigned i = 0; i < (sum->sha1 ? 5U : 4U); i++) {
        for (unsigned k = 0; k < 4; k++) {
            snprintf(digits + 8 * i + 2 * k, 3, "%02x",
                     sum->state[i] >> (sum->sha1 ? 24 - 8 * k : 8 * k) & 0xff);
        }
    }
}

void wiki_sum_of(bool sha1, const void *bytes, size_t length, char digits[41])
{
    struct sum sum;
    start(&sum, sha1);
    add_bytes(&sum, bytes, length);
    finish(&sum, digits);
}

static bool sum_file(const char *path, bool sha1, const volatile sig_atomic_t *cancel,
                     char digits[41], struct graph_error *error)
{
    struct sum sum;
    unsigned char *buffer = malloc(READ_SIZE);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = buffer != NULL && fd >= 0 ? 1 : -1;
    start(&sum, sha1);
    while (got > 0 && (cancel == NULL || *cancel == 0)) {
        got = read(fd, buffer, READ_SIZE);
        add_bytes(&sum, buffer, got > 0 ? (size_t)got : 0);
    }
    if (got < 0) {
        graph_fail(error, path, "cannot be read: %s", strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    free(buffer);
    finish(&sum, digits);
    return got >= 0;
}

/* The list beside the files; NULL where there is none. */
static FILE *open_list(const struct wiki_files *files, bool sha1, char path[PATH_MAX + 64])
{
    const char *slash = strrchr(files->prefix, '/');
    const char *name = sha1 ? "sha1sums.txt" : "md5sums.txt";
    snprintf(path, PATH_MAX + 64, "%s-%s", files->prefix, name);
    FILE *list = fopen(path, "re");
    if (list == NULL) {
        snprintf(path, PATH_MAX + 64, "%.*s%s",
                 slash != NULL ? (int)(slash - files->prefix) + 1 : 0, files->prefix, name);
        list = fopen(path, "re");
    }
    return list;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool wiki_sums_check(const struct wiki_files *files, const volatile sig_atomic_t *cancel,
                     unsigned *checked, struct graph_error *error)
{
    char path[PATH_MAX + 64], line[512], digits[41];
    bool sha1 = true, done = true;
    FILE *list = open_list(files, true, path);
    *checked = 0;
    if (list == NULL) {
        sha1 = false;
        list = open_list(files, false, path);
    }
    while (done && list != NULL && fgets(line, sizeof(line), list) != NULL) {
        char sum[64], name[400];
        if (sscanf(line, "%63s %399s", sum, name) != 2 || strlen(sum) != (sha1 ? 40 : 32)) {
            continue;
        }
        for (size_t i = 0; done && i < WIKI_TABLES; i++) {
            if (files->paths[i][0] != '\0' &&
                strcmp(file_name(files->paths[i]), name + (name[0] == '*')) == 0) {
                done = sum_file(files->paths[i], sha1, cancel, digits, error) &&
                       (strcasecmp(sum, digits) == 0 || (cancel != NULL && *cancel != 0) ||
                        graph_fail(error, files->paths[i], "does not match its sum in %.200s",
                                   file_name(path)));
                ++*checked;
            }
        }
    }
    if (list != NULL) {
        fclose(list);
    }
    return done;
}
