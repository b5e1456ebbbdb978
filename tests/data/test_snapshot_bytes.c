/*
 * test_snapshot_bytes.c - which byte of a snapshot is wrong, which reader asks, what must happen.
 *
 * A byte is changed in a snapshot that has every array. As it is, its block is bad. With the
 * checksums made right again it is a stranger's snapshot, in which nothing may lead out of an
 * array. Whoever opens the whole names the block; whoever needs the nodes alone looks at no list;
 * whoever reads by block is refused what is in the bad block, and has all the rest. What libpwgraph
 * and the programs do then is in bfs/test_library_blocks.c and bfs/test_blocks_program.py.
 */
#include "base/macros.h"
#include "data/graph/graph_names.h"
#include "data/graph/graph_origin.h"
#include "data/store/snapshot_arrays.h"
#include "data/store/snapshot_sums.h"
#include "snapshot_fixture.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <xxhash.h>

/* A snapshot as it was saved, and its file, in which bytes are changed. */
static struct {
    const char *path;
    int fd;
    char *bytes;
    size_t length;
    struct header header;
} saved;

static void *copy_of(const void *bytes, size_t length)
{
    void *copy = malloc(length);
    ck_assert_ptr_nonnull(copy);
    return memcpy(copy, bytes, length);
}

static void read_back(void)
{
    saved.bytes = bytes_of(saved.path, &saved.length);
    memcpy(&saved.header, saved.bytes, sizeof(saved.header));
    saved.fd = open(saved.path, O_RDWR);
    ck_assert_int_ge(saved.fd, 0);
}

/* Save a graph with every array: edges 2 -> 0, 0 -> 1, 2 -> 1 between the ids 1, 3, 5. */
static void save_full(void)
{
    static const char facts[] = "wiki\ttest\n";
    static const uint32_t pages[6], alias_ids[] = {2}, order[] = {0, 1, 2, 3, 4, 5, 6};
    const struct graph_options options = {.compact = true,
                                          .build_reverse = true,
                                          .names_path =
                                              fixture_text("names", "a\nb\nc\nd\ne\nf\n")};
    struct graph graph = load(fixture_text("graph.txt", "5 1\n1 3\n5 3\n"), &options);
    struct graph_origin *origin = calloc(1, sizeof(*origin));
    ck_assert_ptr_nonnull(origin);
    graph.origin = origin;
    origin->facts = copy_of(facts, sizeof(facts));
    origin->facts_length = sizeof(facts);
    origin->page_ids = copy_of(pages, sizeof(pages));
    origin->aliases = graph_names_create();
    ck_assert(graph_names_add(origin->aliases, "x", 1));
    origin->alias_ids = copy_of(alias_ids, sizeof(alias_ids));
    origin->order = copy_of(order, sizeof(order));
    saved.path = fixture_path("full.pwg");
    save(&graph, saved.path);
    graph_free(&graph);
    read_back();
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        ck_assert_uint_gt(saved.header.sections[i].length, 0);
    }
}

static void forget(void)
{
    free(saved.bytes);
    close(saved.fd);
}

/* Who asks. */
enum asker { WHOLE, BY_THREADS, VERIFYING, NODES, BY_BLOCK, BY_BLOCK_MAPPED, ASKERS };

/* Read every array of a graph that is read by block. */
static bool reads_all(const struct graph *graph, struct graph_error *error)
{
    struct snapshot_array arrays[SECTION_COUNT];
    bool allowed = true;
    snapshot_list_arrays(graph, arrays);
    for (size_t i = 0; i < SECTION_COUNT && allowed; i++) {
        allowed = graph_allows(graph, arrays[i].items, arrays[i].length);
    }
    require(allowed != graph_is_damaged(graph, error));
    return allowed;
}

/* Open the snapshot and read what the asker reads. */
static bool is_answered(enum asker asker, struct graph_error *error)
{
    const struct graph_options options = {.threads = asker == WHOLE ? 1 : 3,
                                          .verify = asker == VERIFYING,
                                          .by_block = asker >= BY_BLOCK};
    struct graph_source source;
    struct graph graph;
    unsigned flags;
    *error = (struct graph_error){0};
    bool answered = asker == NODES ? graph_snapshot_open_nodes(saved.path, &graph, error)
                                   : graph_snapshot_open(saved.path, &options, &graph, &source,
                                                         &flags, error) == SNAPSHOT_GOOD;
    if (answered && asker >= BY_BLOCK) {
        ck_assert_ptr_nonnull(graph.blocks);
        graph.blocks->copied_max = asker == BY_BLOCK_MAPPED ? 0 : graph.blocks->copied_max;
        answered = reads_all(&graph, error);
        require(reads_all(&graph, NULL) == answered); /* also the second time */
    }
    require(answered == (error->message[0] == '\0'));
    graph_free(&graph);
    return answered;
}

/* What must happen: an error that has this text; BLOCK: and names the block that was changed; NULL:
 * an answer. */
#define BLOCK  "does not match its checksum"
#define ARRAYS "corrupt: the snapshot's arrays do not match its header"
#define SUMS   "corrupt: the checksums of its blocks are damaged"

static void expect(enum asker asker, uint64_t block, const char *wanted)
{
    struct graph_error error;
    char name[100] = "";
    if (wanted != NULL && strcmp(wanted, BLOCK) == 0) {
        snprintf(name, sizeof(name), "%s: corrupt: block %llu, the bytes from %llu on, ",
                 saved.path, (unsigned long long)block,
                 (unsigned long long)(block * GRAPH_BLOCK_BYTES));
    }
    const bool answered = is_answered(asker, &error);
    require_msg(answered == (wanted == NULL), "asker %d, block %llu: %s", asker,
                (unsigned long long)block, error.message);
    require_msg(answered || (strstr(error.message, wanted) && strstr(error.message, name)),
                "asker %d, block %llu: %s", asker, (unsigned long long)block, error.message);
}

static void write_at(const void *bytes, size_t length, uint64_t place)
{
    require(pwrite(saved.fd, bytes, length, (off_t)place) == (ssize_t)length);
}

/* Make checksums right again after an edit. */
enum repair { AS_IS, HEADER_FITS, ALL_FITS };

/* Give the header in the file its checksum. */
static void repair_header(struct header *header)
{
    union header_page page;
    memset(&page, 0, sizeof(page)); /* also what follows the header, which no initializer sets */
    page.header = *header;
    page.header.checksum = 0;
    header->checksum = XXH3_64bits(&page, sizeof(page));
    write_at(header, sizeof(*header), 0);
}

static void repair(uint64_t block, enum repair wanted)
{
    char bytes[GRAPH_BLOCK_BYTES];
    struct header header;
    require(pread(saved.fd, &header, sizeof(header), 0) == (ssize_t)sizeof(header));
    if (wanted == ALL_FITS) {
        const uint64_t begin = snapshot_blocks_length(&saved.header);
        const size_t length = (size_t)snapshot_sums_length(&saved.header);
        uint64_t *sums = copy_of(saved.bytes + begin, length);
        require(pread(saved.fd, bytes, sizeof(bytes), (off_t)(block * sizeof(bytes))) ==
                (ssize_t)sizeof(bytes));
        sums[block] = snapshot_sum(bytes);
        write_at(sums, length, begin);
        header.sums_checksum = XXH3_64bits(sums, length);
        free(sums);
    }
    if (wanted != AS_IS) {
        repair_header(&header);
    }
}

/* Make the file what was saved. */
static void restore(void)
{
    write_at(saved.bytes, saved.length, 0);
    require(ftruncate(saved.fd, (off_t)saved.length) == 0);
}

/* A row of the table: which bytes of a part, and what whoever asks gets. */
struct row {
    int part; /* a section, or */
#define HEADER (-1)
    size_t at, size; /* bytes of the part */
    uint64_t value;
    enum repair repair;
    const char *whole, *nodes, *by_block;
};

#define FIELD(name) HEADER, offsetof(struct header, name), sizeof(((struct header *)0)->name)
#define ALL(why)    why, why, why
#define LIST(why)   why, NULL, BLOCK /* of a list: readers of the nodes do not look at it */

static const struct row rows[] = {
    {HEADER, 0, 1, 'p', AS_IS, ALL("foreign: not a graph snapshot")},
    {FIELD(version), 2, AS_IS, ALL("foreign: snapshot version 2, this program reads 3: make it ")},
    {FIELD(version), 2, HEADER_FITS, ALL("make it again, with graph-convert from the graph's ")},
    {FIELD(version), 4, HEADER_FITS, ALL("this program reads 3: a newer program made it")},
    {FIELD(byte_order), 0x04030201, HEADER_FITS, ALL("foreign: the snapshot is from a machine of")},
    {FIELD(edge_count), 2, AS_IS, ALL("corrupt: the header does not match its checksum")},
    {FIELD(reserved), 1, AS_IS, ALL("corrupt: the header does not match its checksum")},
    {HEADER, HEADER_SIZE - 1, 1, 1, AS_IS, ALL("corrupt: the header does not match its checksum")},
    {FIELD(source.path[999]), 'x', HEADER_FITS, ALL(NULL)}, /* is cut, and harms nothing */
    {FIELD(first_node), 2, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(node_limit), 0, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(node_limit), 2, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(node_limit), UINT32_MAX, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(edge_count), 0, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(edge_count), 4, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(edge_count), UINT64_MAX, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(edge_count), ((uint64_t)1 << 62) + 3, HEADER_FITS, ALL(ARRAYS)}, /* 12 bytes, modulo */
    {FIELD(names_count), 0, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(names_count), 5, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(names_count), UINT32_MAX, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(block_count), 0, HEADER_FITS, ALL("bytes follow the snapshot's end")},
    {FIELD(block_count), 32, HEADER_FITS, ALL("bytes follow the snapshot's end")},
    {FIELD(block_count), (uint64_t)1 << 40, HEADER_FITS, ALL("truncated: the snapshot has ")},
    {FIELD(block_count), UINT64_MAX, HEADER_FITS, ALL("truncated: the snapshot has ")},
    {FIELD(sums_checksum), 1, HEADER_FITS, ALL(SUMS)},
    {FIELD(sections[0].begin), 65537, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[0].begin), 131072, HEADER_FITS, ALL(ARRAYS)}, /* on the next one */
    {FIELD(sections[1].begin), (uint64_t)1 << 40, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[2].begin), 0, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[3].length), (uint64_t)1 << 40, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[3].length), UINT64_MAX, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[1].length), 8, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[SECTION_ORIGINAL_IDS].length), 8, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[SECTION_ID_ORDER].length), 8, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[SECTION_NAME_BEGINS].length), 48, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[SECTION_NAME_TEXT].length), 13, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[SECTION_NAME_BUCKETS].length), 128, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[SECTION_ALIAS_BEGINS].length), 8, HEADER_FITS, ALL(ARRAYS)},
    {FIELD(sections[SECTION_NAME_ORDER].length), 24, HEADER_FITS, ALL(ARRAYS)},
    {SECTION_OFFSETS, 0, 8, 1, ALL_FITS, LIST(ARRAYS)},
    {SECTION_OFFSETS, 8, 8, 9, ALL_FITS, LIST(ARRAYS)},
    {SECTION_OFFSETS, 24, 8, 4, ALL_FITS, LIST(ARRAYS)},
    {SECTION_NEIGHBOURS, 8, 4, 3, ALL_FITS, LIST(ARRAYS)},
    {SECTION_IN_OFFSETS, 8, 8, 7, ALL_FITS, LIST(ARRAYS)},
    {SECTION_IN_OFFSETS, 24, 8, 2, ALL_FITS, LIST(ARRAYS)},
    {SECTION_IN_NEIGHBOURS, 0, 4, 9, ALL_FITS, LIST(ARRAYS)},
    {SECTION_ORIGINAL_IDS, 0, 4, 9, ALL_FITS, ALL(NULL)}, /* is another id */
    {SECTION_ID_ORDER, 0, 4, 3, ALL_FITS, ARRAYS, ARRAYS, BLOCK},
    {SECTION_NAME_BEGINS, 8, 8, 0, ALL_FITS, ARRAYS, ARRAYS, NULL}, /* seen when a name is read */
    {SECTION_NAME_BEGINS, 48, 8, 1 << 20, ALL_FITS, ALL(ARRAYS)},
    {SECTION_NAME_TEXT, 1, 1, 'x', ALL_FITS, ARRAYS, ARRAYS, NULL},
    {SECTION_NAME_BUCKETS, 0, 4, 6, ALL_FITS, ARRAYS, ARRAYS, BLOCK},
    {SECTION_NAME_BUCKETS, 60, 4, 13, ALL_FITS, ARRAYS, ARRAYS, BLOCK},
    {SECTION_FACTS, 10, 1, 'x', ALL_FITS, ARRAYS, ARRAYS, BLOCK}, /* is no text */
    {SECTION_ALIAS_BEGINS, 0, 8, 1, ALL_FITS, ARRAYS, ARRAYS, NULL},
    {SECTION_ALIAS_BEGINS, 8, 8, 1 << 20, ALL_FITS, ALL(ARRAYS)},
    {SECTION_ALIAS_TEXT, 1, 1, 'x', ALL_FITS, ARRAYS, ARRAYS, NULL},
    {SECTION_ALIAS_IDS, 0, 4, 5, ALL_FITS, ALL(NULL)}, /* the last name, and the one after it: */
    {SECTION_ALIAS_IDS, 0, 4, 6, ALL_FITS, ARRAYS, ARRAYS, BLOCK},
    {SECTION_ALIAS_IDS, 0, 4, 99, ALL_FITS, ARRAYS, ARRAYS, BLOCK},
    {SECTION_NAME_ORDER, 0, 4, 7, ALL_FITS, ARRAYS, ARRAYS, BLOCK},
};

START_TEST(a_snapshot_with_wrong_bytes_is_refused_as_the_table_says)
{
    for (const struct row *row = rows; row < rows + COUNT_OF(rows); row++) {
        const uint64_t begin = row->part == HEADER ? 0 : saved.header.sections[row->part].begin;
        const uint64_t block = (begin + row->at) / GRAPH_BLOCK_BYTES;
        const size_t size = row->size < 8 ? row->size : 8;
        const size_t above = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(row->value) - size : 0;
        write_at((const char *)&row->value + above, size, begin + row->at);
        repair(block, row->repair);
        for (enum asker asker = 0; asker < ASKERS; asker++) {
            expect(asker, block,
                   asker == NODES     ? row->nodes
                   : asker < BY_BLOCK ? row->whole
                                      : row->by_block);
        }
        restore();
    }
    for (enum asker asker = 0; asker < ASKERS; asker++) {
        expect(asker, 0, NULL);
    }
}
END_TEST

START_TEST(who_needs_the_nodes_alone_has_their_names_and_no_lists)
{
    struct graph graph;
    struct graph_error error = {0};
    char text[GRAPH_LABEL_SIZE];
    ck_assert_msg(graph_snapshot_open_nodes(saved.path, &graph, &error), "%s", error.message);
    ck_assert_str_eq(graph_label(&graph, 2, text), "f");
    ck_assert(graph.offsets == NULL && graph.neighbours == NULL);
    graph_free(&graph);
}
END_TEST

/* What must happen if the byte at a place is wrong. */
static const char *wanted_for(enum asker asker, uint64_t place)
{
    const uint64_t begin = place / GRAPH_BLOCK_BYTES * GRAPH_BLOCK_BYTES;
    const size_t kind = snapshot_section_at(&saved.header, begin);
    if (place >= snapshot_blocks_length(&saved.header)) {
        return SUMS;
    }
    if (asker == NODES) {
        return kind < SECTION_ORIGINAL_IDS ? NULL : BLOCK;
    }
    return asker < BY_BLOCK || kind < SECTION_COUNT ? BLOCK : NULL;
}

/* The file has a hole, and no checksum that holds, which is what 64 bits find. */
START_TEST(more_than_32_bits_can_map_is_refused_there)
{
    union header_page page;
    struct header *header = &page.header;
    struct graph_error error;
    snapshot_start_header(&page);
    header->node_limit = (uint32_t)1 << 27;
    header->sections[SECTION_OFFSETS].length = ((uint64_t)header->node_limit + 1) * 8;
    snapshot_place_sections(header);
    header->sums_checksum = 1;
    const uint64_t size = snapshot_blocks_length(header) + snapshot_sums_length(header);
    require(ftruncate(saved.fd, 0) == 0 && ftruncate(saved.fd, (off_t)size) == 0);
    require(snapshot_write_header(saved.fd, &page));
    require(!is_answered(WHOLE, &error) && !is_answered(BY_BLOCK, &error));
    require_msg(strstr(error.message, SIZE_MAX > UINT32_MAX
                                          ? SUMS
                                          : "134217728 nodes and 0 edges are too many for 32 bits"),
                "%s", error.message);
}
END_TEST

/* The bytes of the arrays one by one, and some of all others: between two arrays, too. */
START_TEST(every_byte_after_the_header_has_a_checksum)
{
    unsigned edited = 0;
    for (uint64_t at = HEADER_SIZE; at < saved.length;
         at += at % ALIGNMENT < 70 || at % GRAPH_BLOCK_BYTES == GRAPH_BLOCK_BYTES - 1 ? 1 : 499) {
        const char wrong = (char)(saved.bytes[at] ^ 1 << at % 8);
        write_at(&wrong, 1, at);
        const enum asker asker = (enum asker)(edited++ % ASKERS);
        expect(asker, at / GRAPH_BLOCK_BYTES, wanted_for(asker, at));
        expect(WHOLE, at / GRAPH_BLOCK_BYTES, wanted_for(WHOLE, at));
        write_at(saved.bytes + at, 1, at);
    }
    ck_assert_uint_gt(edited, 1000);
}
END_TEST

START_TEST(a_snapshot_of_another_length_is_refused)
{
    const struct {
        size_t length;
        const char *why;
    } cases[] = {{3, "foreign: not a graph snapshot"},
                 {100, "truncated: the snapshot ends inside its header"},
                 {HEADER_SIZE, "truncated: the snapshot has 4096 of its "},
                 {saved.length - 1, "truncated: the snapshot has "},
                 {saved.length + 1, "corrupt: 1 bytes follow the snapshot's end"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ck_assert_int_eq(ftruncate(saved.fd, (off_t)cases[i].length), 0);
        for (enum asker asker = 0; asker < ASKERS; asker++) {
            expect(asker, 0, cases[i].why);
        }
        restore();
    }
}
END_TEST

/* Save a small graph, the only snapshot from now on. */
static void save_small(const struct graph_options *options)
{
    struct graph graph = load(fixture_text("graph.txt", "1 2\n2 3\n"), options);
    forget();
    save(&graph, saved.path);
    graph_free(&graph);
    read_back();
}

/* Cut the snapshot before its last array, give it another header, with right checksums, and expect
 * everybody to refuse it. */
static void expect_cut_refused(struct header header, uint64_t end)
{
    const char *sums = saved.bytes + snapshot_blocks_length(&saved.header);
    header.block_count = end / GRAPH_BLOCK_BYTES;
    const size_t length = (size_t)snapshot_sums_length(&header);
    header.sums_checksum = XXH3_64bits(sums, length);
    write_at(sums, length, end);
    ck_assert_int_eq(ftruncate(saved.fd, (off_t)(end + length)), 0);
    repair_header(&header);
    for (enum asker asker = 0; asker < ASKERS; asker++) {
        expect(asker, 0, ARRAYS);
    }
}

/* Save a graph and open it without the last of its arrays. */
static void expect_without_last(const struct graph_options *options, size_t last)
{
    save_small(options);
    struct header header = saved.header;
    header.sections[last] = (struct section){0, 0};
    expect_cut_refused(header, saved.header.sections[last].begin);
}

START_TEST(a_snapshot_that_lacks_an_array_is_refused)
{
    const struct graph_options plain = {0}, reversed = {.build_reverse = true},
                               sparse = {.compact = true},
                               named = {.names_path = fixture_text("names", "a\nb\nc\n")};
    expect_without_last(&plain, SECTION_NEIGHBOURS);
    expect_without_last(&reversed, SECTION_IN_NEIGHBOURS);
    expect_without_last(&sparse, SECTION_ID_ORDER);
    expect_without_last(&named, SECTION_NAME_BUCKETS);
}
END_TEST

/* The neighbours, which are the last array, end before they begin: their length goes beyond the
 * largest number. There are as many edges as that length requires. */
START_TEST(an_array_that_is_longer_than_all_addresses_is_refused)
{
    save_small(NULL);
    struct header header = saved.header;
    struct section *last = &header.sections[SECTION_NEIGHBOURS];
    last->length = UINT64_MAX - 4095;
    header.edge_count = last->length / sizeof(uint32_t);
    expect_cut_refused(header, last->begin);
}
END_TEST

/* Arrays of many units, which threads check at the same time. */
START_TEST(of_many_bad_blocks_the_first_is_named_for_any_number_of_threads)
{
    enum { NODES_HERE = 400000 };
    const uint64_t items[] = {0, 131072 / 8, 2 * 131072 / 8 + 5, NODES_HERE - 1};
    char *text = malloc(NODES_HERE * 16), *end = text;
    ck_assert_ptr_nonnull(text);
    for (int node = 0; node + 1 < NODES_HERE; node++) {
        end += sprintf(end, "%d %d\n", node, node + 1);
    }
    const struct graph_options options = {.build_reverse = true};
    struct graph graph = load(fixture_bytes("long.txt", text, (size_t)(end - text)), &options);
    free(text);
    forget();
    save(&graph, saved.path);
    graph_free(&graph);
    read_back();
    const uint64_t begin = saved.header.sections[SECTION_OFFSETS].begin, wrong = NODES_HERE + 9;
    for (size_t i = 0; i < COUNT_OF(items); i++) {
        const uint64_t place = begin + items[i] * sizeof(wrong), block = place / GRAPH_BLOCK_BYTES;
        write_at(&wrong, sizeof(wrong), place);
        repair(block, ALL_FITS);
        expect(WHOLE, 0, ARRAYS);
        expect(BY_THREADS, 0, ARRAYS);
        restore();
        for (size_t later = i; later < COUNT_OF(items); later++) {
            write_at(&wrong, sizeof(wrong), begin + items[later] * sizeof(wrong));
        }
        expect(WHOLE, block, BLOCK);
        expect(BY_THREADS, block, BLOCK);
        expect(BY_BLOCK, block, BLOCK);
        restore();
    }
    expect(BY_THREADS, 0, NULL);
    const uint64_t small = 5,
                   unit = ALIGNMENT; /* where a unit begins: smaller than the one before */
    for (size_t kind = SECTION_OFFSETS; kind <= SECTION_IN_OFFSETS;
         kind += SECTION_IN_OFFSETS - SECTION_OFFSETS) {
        const uint64_t place = saved.header.sections[kind].begin + unit;
        write_at(&small, sizeof(small), place);
        repair(place / GRAPH_BLOCK_BYTES, ALL_FITS);
        expect(WHOLE, 0, ARRAYS);
        expect(BY_THREADS, 0, ARRAYS);
        restore();
    }
}
END_TEST

START_TEST(who_reads_by_block_and_then_all_lists_names_the_first_bad_block)
{
    const struct graph_options by_block = {.by_block = true, .threads = 2};
    struct graph graph = load(saved.path, &by_block);
    struct graph_error error = {0};
    ck_assert(graph_allows_all(&graph) && graph_check(&graph));
    graph_free(&graph);
    for (size_t i = 0; i <= SECTION_ID_ORDER; i++) {
        const uint64_t place = saved.header.sections[i].begin;
        const char wrong = (char)(saved.bytes[place] ^ 4);
        write_at(&wrong, 1, place);
        graph = load(saved.path, &by_block);
        const bool allowed = graph_allows_all(&graph);
        ck_assert_int_eq(allowed, i >= SECTION_ORIGINAL_IDS); /* is no list */
        if (!allowed) {
            char name[64];
            snprintf(name, sizeof(name), "block %llu, ",
                     (unsigned long long)(place / GRAPH_BLOCK_BYTES));
            error = (struct graph_error){0};
            ck_assert(graph_is_damaged(&graph, &error));
            ck_assert_msg(strstr(error.message, name) != NULL, "%s", error.message);
        }
        graph_free(&graph);
        write_at(saved.bytes + place, 1, place);
    }
}
END_TEST

int main(void)
{
    return suite_run(
        "snapshot bytes", save_full, forget,
        (const TTest *[]){
            a_snapshot_with_wrong_bytes_is_refused_as_the_table_says,
            who_needs_the_nodes_alone_has_their_names_and_no_lists,
            more_than_32_bits_can_map_is_refused_there, every_byte_after_the_header_has_a_checksum,
            a_snapshot_of_another_length_is_refused, a_snapshot_that_lacks_an_array_is_refused,
            an_array_that_is_longer_than_all_addresses_is_refused,
            of_many_bad_blocks_the_first_is_named_for_any_number_of_threads,
            who_reads_by_block_and_then_all_lists_names_the_first_bad_block, NULL});
}
