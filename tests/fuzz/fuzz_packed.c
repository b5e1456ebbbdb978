/*
 * fuzz_packed.c - a packed graph: as it is, or as a gzip or a tar made here, whose checksums are
 * right until one of its bytes is changed.
 *
 * 1. The last byte of an input holds the options, as in fuzz_graph_text.c; the one before, the kind
 *    of packing.
 * 2. KIND_GZIP: members, each with a byte for its length and its text.
 * 3. KIND_TAR: entries: a byte for the name and type, a byte for the length, the content.
 * 4. Two more bytes at the end and a value: a change; a value of 0 changes nothing.
 */
#include "base/macros.h"
#include "fuzz.h"
#include "graph_twice.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { KIND_RAW, KIND_GZIP, KIND_TAR, KIND_GZIP_TAR, KIND_COUNT };

#define PACKED_MAX ((size_t)64 << 10)

struct packed {
    unsigned char bytes[PACKED_MAX];
    size_t length;
};

static struct packed packed, inner;

void fuzz_setup(void)
{
    graph_twice_setup();
}

static struct fuzz_input cut(struct fuzz_input *input, size_t length)
{
    struct fuzz_input part = {input->next, input->next};
    length = length < fuzz_left(input) ? length : fuzz_left(input);
    part.end += length;
    input->next += length;
    return part;
}

static void put_member(struct packed *to, struct fuzz_input text)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)text.next,
                       .avail_in = (unsigned)fuzz_left(&text),
                       .next_out = to->bytes + to->length,
                       .avail_out = (unsigned)(PACKED_MAX - to->length)};
    if (deflateInit2(&stream, 1, Z_DEFLATED, 31, 1, Z_DEFAULT_STRATEGY) == Z_OK) {
        if (deflate(&stream, Z_FINISH) == Z_STREAM_END) {
            to->length = PACKED_MAX - stream.avail_out;
        }
        deflateEnd(&stream);
    }
}

static void put_entry(struct packed *to, struct fuzz_input *input)
{
    static const char *const names[] = {"a.mtx",  "a/a.mtx", "b/b.mtx", "../x",
                                        "README", "/",       "a/",      "a/a_coord.mtx"};
    static const char types[] = {'0', '\0', '5', '2', 'x', 'L', '7', 'S'};
    unsigned choice = fuzz_take(input);
    struct fuzz_input content = cut(input, fuzz_take(input));
    size_t length = fuzz_left(&content);
    unsigned char *header = to->bytes + to->length;
    if (to->length + 1024 + length > PACKED_MAX) {
        return;
    }
    memset(header, 0, 512 + (length + 511) / 512 * 512);
    snprintf((char *)header, 100, "%s", names[choice % COUNT_OF(names)]);
    snprintf((char *)header + 100, 8, "0000644");
    snprintf((char *)header + 124, 12, "%011zo", length);
    snprintf((char *)header + 136, 12, "%011o", 0u);
    header[156] = (unsigned char)types[choice / 8 % COUNT_OF(types)];
    memcpy(header + 257,
           "ustar\0"
           "00",
           8);
    memset(header + 148, ' ', 8);
    unsigned sum = 0;
    for (size_t i = 0; i < 512; i++) {
        sum += header[i];
    }
    snprintf((char *)header + 148, 8, "%06o", sum);
    if (length > 0) {
        memcpy(header + 512, content.next, length);
    }
    to->length += 512 + (length + 511) / 512 * 512;
}

static void put_tar(struct packed *to, struct fuzz_input *input)
{
    while (fuzz_left(input) > 1 && to->length + 2048 < PACKED_MAX) {
        put_entry(to, input);
    }
    if (to->length + 1024 <= PACKED_MAX) {
        memset(to->bytes + to->length, 0, 1024);
        to->length += 1024;
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    unsigned bits = fuzz_take_last(&input);
    unsigned kind = fuzz_take_last(&input) % KIND_COUNT;
    size_t at = (size_t)fuzz_take_last(&input) | (size_t)fuzz_take_last(&input) << 8;
    unsigned value = fuzz_take_last(&input);
    packed.length = inner.length = 0;
    switch (kind) {
    case KIND_GZIP:
        while (fuzz_left(&input) > 0 && packed.length + 4096 < PACKED_MAX) {
            size_t part = fuzz_take(&input);
            put_member(&packed, cut(&input, part));
        }
        break;
    case KIND_TAR:
        put_tar(&packed, &input);
        break;
    case KIND_GZIP_TAR:
        put_tar(&inner, &input);
        put_member(&packed, (struct fuzz_input){inner.bytes, inner.bytes + inner.length});
        break;
    default:
        packed.length = fuzz_left(&input) < PACKED_MAX ? fuzz_left(&input) : PACKED_MAX;
        if (packed.length > 0) {
            memcpy(packed.bytes, input.next, packed.length);
        }
    }
    if (packed.length > 0) {
        packed.bytes[at % packed.length] ^= (unsigned char)value;
    }
    graph_load_twice((struct fuzz_input){packed.bytes, packed.bytes + packed.length}, bits, NULL);
}
