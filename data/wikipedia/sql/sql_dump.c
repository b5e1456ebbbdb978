/*
 * sql_dump.c - pieces, workers, and the order of the file; see sql_dump.h.
 */
#include "sql_dump.h"
#include "data/decode/byte_stream.h"
#include "data/graph/parallel.h"
#include "sql_scan.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PIECE_SIZE    ((size_t)1 << 20)
#define LEFT_OVER_MAX ((size_t)64 << 20) /* of a row or statement that does not end */

struct piece {
    char *text;
    size_t length, size;
    uint64_t number;
    bool is_last;
};

struct sql_dump {
    const char *path;
    const struct sql_table *table;
    const struct sql_sink *sink;
    const struct sql_dump_options *options;
    struct graph_error *error;
    struct byte_stream *stream;
    atomic_uint_least64_t bytes_done;
    struct sql_schema schema; /* fixed before the workers start */

    pthread_mutex_t cutting; /* for what follows */
    struct piece rest;       /* behind the last cut */
    uint64_t next_piece;
    bool is_drained;
    uint64_t decode_ns;
    const char *broken; /* why reading broke off */

    pthread_mutex_t taking; /* for what follows */
    pthread_cond_t taken;
    uint64_t next_taken;
    struct sql_state state; /* behind the last piece that was taken */
    char *left_over;        /* of it, incomplete */
    size_t left_length;
    uint64_t statements, rows; /* begun so far; rows of the last of them */
    bool has_ended, has_failed;
    char date[16];
};

void *sql_output_room(struct sql_output *output, size_t length)
{
    if (output->size - output->used < length) {
        const size_t size = output->size * 2 + length + 4096;
        char *bytes = realloc(output->bytes, size);
        if (bytes == NULL) {
            return NULL;
        }
        output->bytes = bytes;
        output->size = size;
    }
    return output->bytes + output->used;
}

static void restart_output(struct sql_output *output)
{
    output->used = 0;
    memset(output->counts, 0, sizeof(output->counts));
    memset(output->memory, 0, sizeof(output->memory));
}

static bool piece_reserve(struct piece *piece, size_t length)
{
    if (piece->size < length + SQL_PADDING) {
        char *text = realloc(piece->text, length + SQL_PADDING);
        if (text == NULL) {
            return false;
        }
        piece->text = text;
        piece->size = length + SQL_PADDING;
    }
    return true;
}

/* Where to cut: behind the last line, or the last thing that looks like the end of a row. */
static size_t cut_of(const char *text, size_t length)
{
    for (size_t i = length; i > 3; i--) {
        if (text[i - 1] == '\n') {
            return i;
        }
        if (text[i - 1] == '(' && text[i - 2] == ',' && text[i - 3] == ')') {
            return i - 1;
        }
    }
    return length;
}

static uint64_t thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Cut the next piece. False at the end, and when it cannot be made: then error is set. */
static bool cut_piece(struct sql_dump *dump, struct piece *piece)
{
    const char *broken = NULL;
    bool done = false;
    pthread_mutex_lock(&dump->cutting);
    if (!dump->is_drained) {
        const size_t before = dump->rest.length;
        if (!piece_reserve(piece, before + PIECE_SIZE)) {
            broken = "out of memory";
        } else {
            if (before > 0) {
                memcpy(piece->text, dump->rest.text, before);
            }
            const uint64_t began_ns = thread_ns();
            size_t got = byte_stream_read(dump->stream, piece->text + before, PIECE_SIZE, &broken);
            dump->decode_ns += thread_ns() - began_ns;
            got = got == SIZE_MAX ? 0 : got;
            piece->is_last = got < PIECE_SIZE;
            size_t all = before + got;
            piece->length = piece->is_last ? all : cut_of(piece->text, all);
            dump->rest.length = 0;
            if (!piece_reserve(&dump->rest, all - piece->length)) {
                broken = "out of memory";
            } else {
                dump->rest.length = all - piece->length;
                memcpy(dump->rest.text, piece->text + piece->length, dump->rest.length);
                memset(piece->text + piece->length, 0, SQL_PADDING);
                done = true;
            }
            if (piece->is_last && broken == NULL) { /* it may have failed behind these bytes */
                char probe[1];
                byte_stream_read(dump->stream, probe, 1, &broken);
            }
        }
        dump->is_drained = !done || piece->is_last;
        dump->broken = broken;
        piece->number = dump->next_piece;
        dump->next_piece += done;
    }
    pthread_mutex_unlock(&dump->cutting);
    return done;
}

/* Set the error: where in the file and what. False. */
static bool fail_at(struct sql_dump *dump, uint64_t statements, uint64_t rows, const char *rule)
{
    dump->has_failed = true;
    if (statements == 0) {
        return graph_fail(dump->error, dump->path, "%s", rule);
    }
    if (rows == 0) {
        return graph_fail(dump->error, dump->path, "statement %llu: %s",
                          (unsigned long long)statements, rule);
    }
    return graph_fail(dump->error, dump->path, "statement %llu, row %llu: %s",
                      (unsigned long long)statements, (unsigned long long)rows, rule);
}

/* Read the piece again, behind what was left over before it. Returns the bytes done with. */
static size_t read_again(struct sql_dump *dump, struct sql_parser *parser, struct piece *piece,
                         struct sql_output *output)
{
    restart_output(output);
    if (dump->left_length > 0) {
        const size_t length = dump->left_length + piece->length;
        if (!piece_reserve(piece, length)) {
            snprintf(parser->rule, sizeof(parser->rule), "out of memory");
            return 0;
        }
        memmove(piece->text + dump->left_length, piece->text, piece->length);
        memcpy(piece->text, dump->left_over, dump->left_length);
        piece->length = length;
        memset(piece->text + length, 0, SQL_PADDING);
        dump->left_length = 0;
    }
    sql_parser_restart(parser, &dump->state);
    return sql_parser_read(parser, piece->text, piece->length, piece->is_last);
}

/* Keep what the parser did not finish. False with error set. */
static bool keep_left_over(struct sql_dump *dump, const struct piece *piece, size_t used)
{
    const size_t left = piece->length - used;
    if (left > 0) {
        char *kept = left <= LEFT_OVER_MAX ? realloc(dump->left_over, left) : NULL;
        if (kept == NULL) {
            return fail_at(dump, dump->statements, dump->rows,
                           left > LEFT_OVER_MAX ? "a row or statement is longer than 64 MiB"
                                                : "out of memory");
        }
        memcpy(kept, piece->text + used, left);
        dump->left_over = kept;
    }
    dump->left_length = left;
    return true;
}

/* What a piece that was read says of the dump. */
static void take_facts(struct sql_dump *dump, const struct sql_parser *parser)
{
    dump->rows = parser->statements > 0 ? parser->rows : dump->rows + parser->rows;
    dump->statements += parser->statements;
    if (parser->has_ended) {
        memcpy(dump->date, parser->date, sizeof(dump->date));
    }
    dump->has_ended = (dump->has_ended || parser->has_ended) && !parser->is_open;
    dump->state = parser->state;
}

/* Take a piece, whose turn it is: what parser made of it where it began as assumed, or again. */
static bool take_piece(struct sql_dump *dump, struct sql_parser *parser, struct piece *piece,
                       const struct sql_state *assumed, size_t used, struct sql_output *output)
{
    char rule[SQL_RULE_SIZE] = "";
    const bool goes_on = dump->options->allow_incomplete;
    pthread_mutex_lock(&dump->cutting);
    const char *broken = piece->is_last ? dump->broken : NULL;
    pthread_mutex_unlock(&dump->cutting);
    if (broken != NULL && !goes_on) {
        return fail_at(dump, dump->statements, dump->rows, broken);
    }
    if (assumed == NULL || dump->left_length > 0 || !sql_state_equals(assumed, &dump->state)) {
        used = read_again(dump, parser, piece, output);
    }
    if (parser->rule[0] != '\0' && !(parser->is_cut && goes_on)) {
        return fail_at(dump, dump->statements + parser->statements,
                       parser->statements > 0 ? parser->rows : dump->rows + parser->rows,
                       parser->rule);
    }
    take_facts(dump, parser);
    if (!dump->sink->commit(dump->sink->context, output, rule)) {
        return fail_at(dump, dump->statements, dump->rows, rule);
    }
    dump->options->progress(dump->options->context, atomic_load(&dump->bytes_done));
    if (*dump->options->cancel != 0) {
        return fail_at(dump, 0, 0, "interrupted");
    }
    return keep_left_over(dump, piece, used);
}

/* What a worker has. */
struct worker {
    struct sql_dump *dump;
    struct sql_parser parser;
    struct sql_output output;
    struct piece piece;
};

static const char *take_rows(void *context, struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                             size_t *bad)
{
    struct worker *worker = context;
    const struct sql_sink *sink = worker->dump->sink;
    return sink->rows(sink->context, &worker->output, rows, count, bad);
}

static const char *take_run(void *context, const struct sql_value *row, const uint32_t *numbers,
                            size_t count)
{
    struct worker *worker = context;
    const struct sql_sink *sink = worker->dump->sink;
    return sink->run(sink->context, &worker->output, row, numbers, count);
}

static bool declared(void *context, const struct sql_schema *schema, char rule[SQL_RULE_SIZE])
{
    const struct sql_sink *sink = ((struct worker *)context)->dump->sink;
    return sink->begin == NULL || sink->begin(sink->context, schema, rule);
}

static struct worker *open_worker(struct sql_dump *dump)
{
    struct worker *worker = calloc(1, sizeof(*worker));
    if (worker != NULL) {
        worker->dump = dump;
        sql_parser_init(&worker->parser, dump->table, take_rows, worker);
        worker->parser.take_run = dump->sink->run != NULL ? take_run : NULL;
        worker->parser.run_column = dump->sink->run_column;
        worker->parser.ahead = dump->sink->ahead;
    }
    return worker;
}

static void close_worker(struct worker *worker)
{
    if (worker != NULL) {
        sql_parser_free(&worker->parser);
        free(worker->output.bytes);
        free(worker->piece.text);
        free(worker);
    }
}

static void work(void *context, unsigned number)
{
    struct sql_dump *dump = context;
    struct worker *worker = open_worker(dump);
    struct sql_state assumed;
    (void)number;
    if (worker == NULL) {
        return; /* others do it; that nobody did is noticed */
    }
    worker->parser.schema = dump->schema;
    while (cut_piece(dump, &worker->piece)) {
        struct piece *piece = &worker->piece;
        sql_state_guess(&assumed, &dump->schema, dump->table, piece->text, piece->length);
        restart_output(&worker->output);
        sql_parser_restart(&worker->parser, &assumed);
        const size_t used =
            sql_parser_read(&worker->parser, piece->text, piece->length, piece->is_last);
        pthread_mutex_lock(&dump->taking);
        while (dump->next_taken != piece->number) {
            pthread_cond_wait(&dump->taken, &dump->taking);
        }
        if (!dump->has_failed &&
            !take_piece(dump, &worker->parser, piece, &assumed, used, &worker->output)) {
            pthread_mutex_lock(&dump->cutting);
            dump->is_drained = true;
            pthread_mutex_unlock(&dump->cutting);
        }
        dump->next_taken++;
        pthread_cond_broadcast(&dump->taken);
        pthread_mutex_unlock(&dump->taking);
    }
    close_worker(worker);
}

/* Read pieces one by one until the columns are known. False with error set. */
static bool read_head(struct sql_dump *dump, struct sql_dump_facts *facts)
{
    struct worker *worker = open_worker(dump);
    bool done = worker != NULL || graph_fail(dump->error, dump->path, "out of memory");
    while (done && !dump->schema.is_known && cut_piece(dump, &worker->piece)) {
        worker->parser.declared = declared;
        done = take_piece(dump, &worker->parser, &worker->piece, NULL, 0, &worker->output);
        dump->next_taken++;
        dump->schema = worker->parser.schema;
        memcpy(facts->database, worker->parser.database, sizeof(facts->database));
    }
    close_worker(worker);
    return done;
}

/* Whether all of the dump was there. False with error set; where allowed, facts->broken says so. */
static bool check_whole(struct sql_dump *dump, struct sql_dump_facts *facts)
{
    const char *why = dump->broken != NULL     ? dump->broken
                      : !dump->schema.is_known ? "there is no CREATE TABLE in the dump"
                      : !dump->has_ended       ? "the dump has no last line \"-- Dump completed\""
                                               : NULL;
    if (!dump->schema.is_known) {
        return graph_fail(dump->error, dump->path, "%s", why);
    }
    if (!dump->is_drained || dump->next_taken != dump->next_piece) {
        return graph_fail(dump->error, dump->path, "out of memory");
    }
    if (why != NULL && !dump->options->allow_incomplete) {
        return fail_at(dump, dump->statements, dump->rows, why);
    }
    snprintf(facts->broken, sizeof(facts->broken), "%s", why != NULL ? why : "");
    memcpy(facts->date, dump->date, sizeof(facts->date));
    return true;
}

static bool open_stream(struct sql_dump *dump, int *fd)
{
    char front[BYTE_STREAM_FRONT];
    size_t length = 0;
    *fd = open(dump->path, O_RDONLY | O_CLOEXEC);
    ssize_t got = *fd >= 0 ? 1 : -1;
    while (got > 0 && length < sizeof(front)) {
        got = read(*fd, front + length, sizeof(front) - length);
        length += got > 0 ? (size_t)got : 0;
    }
    if (got < 0) {
        return graph_fail(dump->error, dump->path, "cannot be read: %s", strerror(errno));
    }
    dump->stream = byte_stream_open(*fd, front, length, byte_stream_is_packed(front, length), NULL,
                                    false, &dump->bytes_done);
    return dump->stream != NULL || graph_fail(dump->error, dump->path, "out of memory");
}

bool sql_dump_read(const char *path, const struct sql_table *table, const struct sql_sink *sink,
                   const struct sql_dump_options *options, struct sql_dump_facts *facts,
                   struct graph_error *error)
{
    struct sql_dump dump = {
        .path = path, .table = table, .sink = sink, .options = options, .error = error};
    int fd = -1;
    memset(facts, 0, sizeof(*facts));
    pthread_mutex_init(&dump.cutting, NULL);
    pthread_mutex_init(&dump.taking, NULL);
    pthread_cond_init(&dump.taken, NULL);
    bool done = open_stream(&dump, &fd) && read_head(&dump, facts);
    if (done) {
        parallel_run(options->threads, work, &dump);
        done = !dump.has_failed && check_whole(&dump, facts);
    }
    facts->decode_ns = done ? dump.decode_ns : 0;
    byte_stream_close(dump.stream);
    if (fd >= 0) {
        close(fd);
    }
    free(dump.rest.text);
    free(dump.left_over);
    pthread_cond_destroy(&dump.taken);
    pthread_mutex_destroy(&dump.taking);
    pthread_mutex_destroy(&dump.cutting);
    return done;
}
