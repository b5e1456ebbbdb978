/*
 * test_link_backlog.c - what waits comes out in the order in which it was read, whole, whatever the
 * number of threads and the limit; whoever waits does not wait for ever.
 */
#include "tests/support/random.h"
#include "tests/support/require.h"
#include "tests/support/suite.h"
#include "wikipedia/articles/link_backlog.h"
#include <stdlib.h>
#include <string.h>

enum { PIECES = 400, RUNS_MAX = 40, FAILS_AT = 123 };

/* The sink that the backlog feeds: every run comes as it was read. */
struct taker {
    struct rng rng; /* what was read, once more */
    unsigned pieces;
    bool fails;
};

struct reader {
    struct link_backlog backlog;
    struct rng rng;
    bool was_refused; /* a piece was */
    char rule[SQL_RULE_SIZE];
};

/* A page and its ids, the next of a piece; false at the end of the piece. */
static bool next_run(struct rng *rng, unsigned *left, uint32_t *page, uint32_t *ids, size_t *count)
{
    if (*left == 0) {
        return false;
    }
    --*left;
    *page = (uint32_t)random_below(rng, 1000);
    *count = 1 + random_below(rng, SQL_RUN_MAX);
    for (size_t i = 0; i < *count; i++) {
        ids[i] = (uint32_t)random_below(rng, UINT64_C(1) << 32);
    }
    return true;
}

static const char *copy_run(void *context, struct sql_output *output, const struct sql_value *row,
                            const uint32_t *ids, size_t count)
{
    (void)context;
    uint32_t *room = sql_output_room(output, (count + 2) * sizeof(*room));
    require(room != NULL && row->kind == SQL_NUMBER);
    room[0] = (uint32_t)row->number;
    room[1] = (uint32_t)count;
    memcpy(room + 2, ids, count * sizeof(*ids));
    output->used += (count + 2) * sizeof(*room);
    return NULL;
}

static bool compare_piece(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct taker *taker = context;
    const uint32_t *words = (const void *)output->bytes;
    uint32_t page, ids[SQL_RUN_MAX];
    size_t count, at = 0;
    unsigned left = (unsigned)random_below(&taker->rng, RUNS_MAX);
    while (next_run(&taker->rng, &left, &page, ids, &count)) {
        require_equal(words[at], page);
        require_equal(words[at + 1], count);
        require(memcmp(words + at + 2, ids, count * sizeof(*ids)) == 0);
        at += 2 + count;
    }
    require_equal(output->used, at * sizeof(*words));
    taker->pieces++;
    return !taker->fails || taker->pieces < FAILS_AT || sql_fail(rule, "piece %d", FAILS_AT);
}

/* The reader's thread. */
static void *read_pieces(void *context)
{
    struct reader *reader = context;
    const struct sql_sink sink = link_backlog_sink(&reader->backlog);
    struct sql_output output = {0};
    uint32_t page, ids[SQL_RUN_MAX];
    size_t count;
    for (unsigned piece = 0; piece < PIECES && !reader->was_refused; piece++) {
        unsigned left = (unsigned)random_below(&reader->rng, RUNS_MAX);
        sql_output_clear(&output);
        while (next_run(&reader->rng, &left, &page, ids, &count)) {
            const struct sql_value row = {.number = page, .kind = SQL_NUMBER};
            require(sink.run(sink.context, &output, &row, ids, count) == NULL);
        }
        reader->was_refused = !sink.commit(sink.context, &output, reader->rule);
    }
    if (!reader->was_refused) {
        link_backlog_end(&reader->backlog);
    }
    free(output.bytes);
    return NULL;
}

/* Begin to read what taker expects. */
static void begin(struct reader *reader, uint64_t limit, struct taker *taker, pthread_t *thread)
{
    memset(reader, 0, sizeof(*reader));
    taker->rng = random_start("link backlog");
    reader->rng = taker->rng;
    reader->backlog.limit = limit;
    link_backlog_open(&reader->backlog);
    require_equal(pthread_create(thread, NULL, read_pieces, reader), 0);
}

static struct sql_sink sink_to(struct taker *taker)
{
    return (struct sql_sink){.context = taker, .run = copy_run, .commit = compare_piece};
}

START_TEST(links_come_out_in_the_order_in_which_they_were_read)
{
    static const uint64_t limits[] = {0, 100000, UINT64_MAX};
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        for (size_t i = 0; i < 3; i++) {
            struct reader reader;
            struct taker taker = {.fails = false};
            const struct sql_sink sink = sink_to(&taker);
            pthread_t thread;
            begin(&reader, limits[i], &taker, &thread);
            require(link_backlog_give(&reader.backlog, &sink, threads));
            pthread_join(thread, NULL);
            require_equal(taker.pieces, PIECES);
            require(!reader.was_refused);
            require(i == 0 || reader.backlog.peak <= limits[i]);
            require(reader.backlog.bytes == 0 && reader.backlog.first == NULL);
            link_backlog_close(&reader.backlog);
        }
    }
}
END_TEST

START_TEST(a_piece_that_is_refused_ends_the_reading)
{
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        struct reader reader;
        struct taker taker = {.fails = true};
        const struct sql_sink sink = sink_to(&taker);
        pthread_t thread;
        begin(&reader, threads > 1 ? UINT64_MAX : 0, &taker, &thread);
        require(!link_backlog_give(&reader.backlog, &sink, threads));
        pthread_join(thread, NULL);
        require(threads > 1 || reader.was_refused);
        require_equal(taker.pieces, FAILS_AT);
        require(strcmp(reader.backlog.rule, "piece 123") == 0);
        link_backlog_close(&reader.backlog);
    }
}
END_TEST

/* Rows in another form than runs have. */
static void set_row(struct sql_value row[SQL_WANTED_MAX], uint64_t page, enum sql_kind kind,
                    uint64_t id)
{
    memset(row, 0, SQL_WANTED_MAX * sizeof(*row));
    row[0] = (struct sql_value){.number = page, .kind = SQL_NUMBER};
    row[1] = (struct sql_value){.number = id, .kind = kind};
}

START_TEST(rows_of_a_page_become_a_run_and_no_id_another)
{
    static const uint32_t wanted[] = {7, 3, 1, UINT32_MAX, UINT32_MAX, 8, 1, UINT32_MAX, 7, 1, 5};
    struct sql_value rows[8][SQL_WANTED_MAX];
    struct link_backlog backlog = {.limit = UINT64_MAX};
    const struct sql_sink sink = link_backlog_sink(&backlog);
    struct sql_output output = {0};
    size_t bad = 0;
    set_row(rows[0], 7, SQL_NUMBER, 1);
    set_row(rows[1], 7, SQL_NULL, 2); /* what a NULL has besides means nothing */
    set_row(rows[2], 7, SQL_NUMBER, (UINT64_C(1) << 32) + 3);
    set_row(rows[3], 8, SQL_NUMBER, UINT32_MAX);
    set_row(rows[4], 7, SQL_NUMBER, 5);
    require(sink.rows(sink.context, &output, rows, 5, &bad) == NULL);
    require_equal(output.used, sizeof(wanted));
    require(memcmp(output.bytes, wanted, sizeof(wanted)) == 0);
    set_row(rows[5], UINT32_MAX, SQL_NUMBER, 1);
    require(sink.rows(sink.context, &output, rows, 6, &bad) != NULL);
    require_equal(bad, 5);
    free(output.bytes);
}
END_TEST

START_TEST(a_reader_that_waits_for_room_ends_on_request)
{
    struct reader reader;
    struct taker taker = {.fails = false};
    pthread_t thread;
    begin(&reader, 0, &taker, &thread);
    link_backlog_stop(&reader.backlog);
    pthread_join(thread, NULL);
    require(reader.was_refused);
    require(reader.rule[0] != '\0' && reader.backlog.rule[0] == '\0');
    link_backlog_close(&reader.backlog); /* with what still waits */
}
END_TEST

START_TEST(who_gives_does_not_wait_for_a_reader_that_gave_up)
{
    struct link_backlog backlog = {.limit = UINT64_MAX};
    struct taker taker = {.fails = false};
    const struct sql_sink sink = sink_to(&taker);
    link_backlog_open(&backlog);
    link_backlog_stop(&backlog);
    require(!link_backlog_give(&backlog, &sink, 3));
    require(taker.pieces == 0 && backlog.rule[0] == '\0');
    link_backlog_close(&backlog);
}
END_TEST

int main(void)
{
    return suite_run("link backlog", NULL, NULL,
                     (const TTest *[]){links_come_out_in_the_order_in_which_they_were_read,
                                       rows_of_a_page_become_a_run_and_no_id_another,
                                       a_piece_that_is_refused_ends_the_reading,
                                       a_reader_that_waits_for_room_ends_on_request,
                                       who_gives_does_not_wait_for_a_reader_that_gave_up, NULL});
}
