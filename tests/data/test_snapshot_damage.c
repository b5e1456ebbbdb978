/*
 * test_snapshot_damage.c - snapshots with wrong bytes: the error names the block.
 */
#include "base/macros.h"
#include "snapshot_fixture.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Save a small graph, change one byte of the file or cut it, and see it refused. */
static void assert_damaged(long offset, size_t cut, const char *why)
{
    struct graph graph = load(fixture_text("graph.txt", "1 2\n2 3\n3 1\n3 2\n"), NULL);
    const char *path = fixture_path("damaged.pwg");
    size_t length;
    struct graph_error error;
    save(&graph, path);
    graph_free(&graph);
    char *bytes = bytes_of(path, &length);
    if (cut) {
        length = cut;
    } else {
        bytes[offset] ^= 0x40;
    }
    fixture_bytes("damaged.pwg", bytes, length);
    free(bytes);
    ck_assert(!graph_load(path, NULL, &graph, &error));
    ck_assert_msg(strstr(error.message, why) != NULL, "%s", error.message);
    ck_assert_ptr_null(graph.offsets);
}

START_TEST(a_damaged_snapshot_is_refused_by_name)
{
    assert_damaged(8, 0, "foreign: snapshot version");
    assert_damaged(12, 0, "foreign: the snapshot is from a machine of another byte order");
    assert_damaged(40, 0, "corrupt: the header does not match its checksum");
    assert_damaged(2000, 0, "corrupt: the header does not match its checksum");
    assert_damaged(65536 + 9, 0, "corrupt: block 16, the bytes from 65536 on, does not match its ");
    assert_damaged(131072 + 3, 0, "corrupt: block 32, the bytes from 131072 on, does not match");
    assert_damaged(131072 + 1, 0, "corrupt: block 32, the bytes from 131072 on, does not match");
    assert_damaged(196608 + 1, 0, "corrupt: the checksums of its blocks are damaged");
    assert_damaged(0, 100, "truncated: the snapshot ends inside its header");
    assert_damaged(0, 70000, "truncated: the snapshot has 70000 of its 196992 bytes");
}
END_TEST

START_TEST(damaged_names_of_a_snapshot_are_refused_by_name)
{
    for (long at = 0; at < 3 * 8; at++) { /* the begins of the names, and then their texts */
        struct graph graph = load(fixture_text("names.tsv", "a\tb\n"), NULL);
        const char *path = fixture_path("damaged.pwg");
        size_t length;
        struct graph_error error;
        save(&graph, path);
        graph_free(&graph);
        char *bytes = bytes_of(path, &length);
        ck_assert_uint_eq(length, 6 * 65536 + 6 * 16 * 8); /* last, a checksum per block */
        bytes[3 * 65536 + at] ^= 0x40;
        fixture_bytes("damaged.pwg", bytes, length);
        free(bytes);
        ck_assert_msg(!graph_load(path, NULL, &graph, &error), "byte %ld", at);
        ck_assert_ptr_nonnull(strstr(error.message, "corrupt: block 48, the bytes from 196608 on"));
    }
}
END_TEST

START_TEST(a_wrong_byte_in_any_array_of_a_snapshot_is_refused)
{
    struct graph_options options = {.compact = true,
                                    .build_reverse = true,
                                    .names_path = fixture_text("names", "a\nb\nc\nd\ne\nf\n")};
    struct graph graph = load(fixture_text("graph.txt", "5 1\n1 3\n5 3\n3 3\n"), &options);
    const char *path = fixture_path("edited.pwg");
    struct graph_error error;
    save(&graph, path);
    graph_free(&graph);
    int fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    off_t end = lseek(fd, 0, SEEK_END);
    const off_t sums = end / 65536 * 65536; /* of the blocks: the last section */
    unsigned edited = 0;
    for (off_t at = 65536; at < end; at = at % 65536 < 80 ? at + 1 : (at / 65536 + 1) * 65536) {
        for (unsigned bit = 0; bit < 8; bit += 7) {
            unsigned char good, wrong;
            ck_assert_int_eq(pread(fd, &good, 1, at), 1);
            wrong = (unsigned char)(good ^ 1 << bit);
            ck_assert_int_eq(pwrite(fd, &wrong, 1, at), 1);
            char block[80] = "corrupt: the checksums of its blocks are damaged";
            if (at < sums) {
                snprintf(block, sizeof(block), "corrupt: block %ld, the bytes from %ld on, ",
                         (long)at / 4096, (long)at / 4096 * 4096);
            }
            bool taken = graph_load(path, NULL, &graph, &error);
            if (taken) { /* the padding after an array is not part of it */
                graph_free(&graph);
            } else {
                edited++;
                require_msg(strstr(error.message, block) != NULL, "%s", error.message);
            }
            options = (struct graph_options){.verify = true};
            require(!graph_load(path, &options, &graph, &error));
            require_msg(strstr(error.message, block) != NULL, "%s", error.message);
            ck_assert_int_eq(pwrite(fd, &good, 1, at), 1);
        }
    }
    close(fd);
    /* Offsets and neighbours both ways, ids and their order, begins, texts and a bucket of names;
     * then the checksums of the blocks, of which as many are edited as of a long array. */
    ck_assert_uint_eq(edited, 2 * (2 * (4 * 8 + 4 * 4) + 2 * 3 * 4 + 7 * 8 + 12 + 64 + 81));
    graph = load(path, NULL);
    graph_free(&graph);
}
END_TEST

START_TEST(a_byte_between_the_arrays_is_found_by_verifying)
{
    const off_t places[] = {4096, 4097, 65535, 65536 + 4 * 8, 131071, 131072 + 12, 196607};
    const struct graph_options options = {.verify = true};
    struct graph graph = load(fixture_text("graph.txt", "0 1\n1 2\n2 0\n"), NULL);
    const char *path = fixture_path("padded.pwg");
    struct graph_error error;
    save(&graph, path);
    graph_free(&graph);
    int fd = open(path, O_RDWR);
    ck_assert_int_ge(fd, 0);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        char block[100];
        ck_assert_int_eq(pwrite(fd, "x", 1, places[i]), 1);
        graph = load(path, NULL); /* no answer uses it */
        graph_free(&graph);
        ck_assert_msg(!graph_load(path, &options, &graph, &error), "byte %ld", (long)places[i]);
        snprintf(block, sizeof(block), "padded.pwg: corrupt: block %ld, ", (long)places[i] / 4096);
        ck_assert_msg(strstr(error.message, block) != NULL, "%s", error.message);
        ck_assert_int_eq(pwrite(fd, "", 1, places[i]), 1);
    }
    graph = load(path, &options);
    graph_free(&graph);
    close(fd);
}
END_TEST

int main(void)
{
    return suite_run("snapshot damage", NULL, NULL,
                     (const TTest *[]){
                         a_damaged_snapshot_is_refused_by_name,
                         damaged_names_of_a_snapshot_are_refused_by_name,
                         a_wrong_byte_in_any_array_of_a_snapshot_is_refused,
                         a_byte_between_the_arrays_is_found_by_verifying,
                         NULL,
                     });
}
