/*
 * sql_dump.c - pieces, workers, and the order of the file; see sql_dump.h.
 */
#include "sql_dump.h"
#include "base/pw_assert.h"
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

#define PIECE_SIZE    ((size_t)960 << 10) /* a client's lines are mostly a little longer */
#define STEP          ((size_t)64 << 10)  /* in which a piece grows to the end of a line */
#define LONG_LINE     ((size_t)2 << 20)   /* without a cut: the rest of the dump is read alone */
#define LEFT_OVER_MAX ((size_t)64 << 20)  /* of a row or statement that does not end */

static const char split[] = "a line ends inside a row or statement, as mysqldump and mariadb-dump "
                            "write none";

struct piece {
    char *text;
    size_t length, size;
    bool is_last;
};

/* The pieces under way. Number n is at n modulo count until it is taken. */
struct piece_queue {
    struct piece *pieces;
    uint64_t count;
    uint64_t next_cut, next_read, next_taken;
    bool is_cutting, is_drained;
};

/* What is known of the pieces taken so far. */
struct taken {
    enum sql_place place;      /* after the last of them */
    uint64_t statements, rows; /* begun so far; rows of the last of them */
    bool has_ended, has_failed;
    char date[16];
};

struct sql_dump {
    const char *path;
    const struct sql_table *table;
    const struct sql_sink *sink;
    const struct sql_dump_options *options;
    struct graph_error *error;
    struct byte_stream *stream;
    atomic_uint_least64_t bytes_done;
    /* Fixed before the workers start: the columns, and where they start. */
    struct sql_schema schema;
    enum sql_place known;

    pthread_mutex_t lock; /* of the queue */
    pthread_cond_t changed;
    struct piece_queue queue;

    /* For the worker that cuts: */
    struct piece rest; /* after the last cut */
    bool is_at_end;    /* all bytes were decompressed */
    uint64_t decode_ns;
    const char *broken; /* why reading stopped early */

    struct taken taken; /* for the worker that takes */
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

/* Empty it for another piece. */
static void clear_output(struct sql_output *output)
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

static const char no_memory[] = "out of memory";

static uint64_t thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Begin a piece with the rest of the one before. False with dump->broken set. */
static bool begin_piece(struct sql_dump *dump, struct piece *piece)
{
    const size_t length = dump->rest.length;
    if (!piece_reserve(piece, length)) {
        dump->broken = no_memory;
        return false;
    }
    if (length > 0) {
        pw_assert(piece->text != NULL); /* it was reserved */
        memcpy(piece->text, dump->rest.text, length);
    }
    piece->length = length;
    piece->is_last = false;
    dump->rest.length = 0;
    return true;
}

/* Decompress more bytes into a piece. False with dump->broken set. */
static bool extend(struct sql_dump *dump, struct piece *piece)
{
    const size_t length = piece->length;
    const size_t wanted = length < PIECE_SIZE ? PIECE_SIZE - length : STEP;
    if (!piece_reserve(piece, length + wanted)) {
        dump->broken = no_memory;
        return false;
    }
    const uint64_t began_ns = thread_ns();
    size_t got = byte_stream_read(dump->stream, piece->text + length, wanted, &dump->broken);
    dump->decode_ns += thread_ns() - began_ns;
    got = got == SIZE_MAX ? 0 : got;
    piece->length += got;
    piece->is_last = dump->is_at_end = got < wanted;
    if (piece->is_last && dump->broken == NULL) { /* it may have failed after these bytes */
        char probe[1];
        byte_stream_read(dump->stream, probe, 1, &dump->broken);
    }
    return true;
}

/* End a piece at a place; what is after it comes with the next one. False with dump->broken set. */
static bool end_piece(struct sql_dump *dump, struct piece *piece, size_t end)
{
    const size_t left = piece->length - end;
    if (!piece_reserve(&dump->rest, left)) {
        dump->broken = no_memory;
        return false;
    }
    memcpy(dump->rest.text, piece->text + end, left);
    dump->rest.length = left;
    piece->length = end;
    memset(piece->text + end, 0, SQL_PADDING);
    return true;
}

/* The last place after `before` where a line ends that a statement ends, or the next row follows; 0
 * without one. */
static size_t last_cut(const struct piece *piece, size_t before)
{
    const char *text = piece->text;
    size_t end = piece->length;
    while (end > before) {
        const char *line = memrchr(text + before, '\n', end - before);
        end = line != NULL ? (size_t)(line - text) : before;
        if (line != NULL && ((end > 0 && text[end - 1] == ';') ||
                             (end + 1 < piece->length && text[end + 1] == '('))) {
            return end + 1;
        }
    }
    return 0;
}

/* Decompress and cut a piece. False if no text is left: dump->broken says why, or there is no place
 * to cut in LONG_LINE. */
static bool make_piece(struct sql_dump *dump, struct piece *piece)
{
    size_t end = 0;
    if (!begin_piece(dump, piece)) {
        return false;
    }
    while (end == 0 && !piece->is_last && piece->length < LONG_LINE) {
        const size_t before = piece->length;
        if (!extend(dump, piece)) {
            return false;
        }
        end = piece->is_last ? piece->length : last_cut(piece, before > 0 ? before - 1 : 0);
    }
    return end_piece(dump, piece, end) && (end > 0 || piece->is_last);
}

static struct piece *piece_at(const struct sql_dump *dump, uint64_t number)
{
    return &dump->queue.pieces[number % dump->queue.count];
}

/* Make the next piece. Called with the lock, which is free during the work. */
static void cut_next(struct sql_dump *dump)
{
    struct piece *piece = piece_at(dump, dump->queue.next_cut);
    dump->queue.is_cutting = true;
    pthread_mutex_unlock(&dump->lock);
    const bool done = make_piece(dump, piece);
    pthread_mutex_lock(&dump->lock);
    dump->queue.is_cutting = false;
    dump->queue.is_drained |= !done || piece->is_last;
    dump->queue.next_cut += done;
    pthread_cond_broadcast(&dump->changed);
}

/* Set the error: where in the file, and what. Returns false. */
static bool fail_at(struct sql_dump *dump, uint64_t statements, uint64_t rows, const char *rule)
{
    dump->taken.has_failed = true;
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

/* Take the facts about the dump from a piece. */
static void take_facts(struct sql_dump *dump, const struct sql_parser *parser)
{
    dump->taken.rows = parser->statements > 0 ? parser->rows : dump->taken.rows + parser->rows;
    dump->taken.statements += parser->statements;
    if (parser->has_ended) {
        memcpy(dump->taken.date, parser->date, sizeof(dump->taken.date));
    }
    dump->taken.has_ended = (dump->taken.has_ended || parser->has_ended) && !parser->is_open;
    dump->taken.place = parser->place;
}

/* Take the piece whose turn it is, whose rows are in the output. False with error set. */
static bool take_piece(struct sql_dump *dump, struct sql_parser *parser, const struct piece *piece,
                       struct sql_output *output)
{
    char rule[SQL_RULE_SIZE] = "";
    const bool goes_on = dump->options->allow_incomplete;
    const char *broken = piece->is_last ? dump->broken : NULL;
    if (broken != NULL && !goes_on) {
        dump->error->remedy = GRAPH_REMEDY_INCOMPLETE;
        return fail_at(dump, dump->taken.statements, dump->taken.rows, broken);
    }
    take_facts(dump, parser);
    if (parser->rule[0] != '\0' && !(parser->is_cut && goes_on)) {
        dump->error->remedy = parser->is_cut ? GRAPH_REMEDY_INCOMPLETE : GRAPH_REMEDY_NONE;
        return fail_at(dump, dump->taken.statements, dump->taken.rows, parser->rule);
    }
    if (!dump->sink->commit(dump->sink->context, output, rule)) {
        return fail_at(dump, dump->taken.statements, dump->taken.rows, rule);
    }
    dump->options->progress(dump->options->context, atomic_load(&dump->bytes_done));
    return *dump->options->cancel == 0 || fail_at(dump, 0, 0, "interrupted");
}

/* The state of a worker. */
struct worker {
    struct sql_dump *dump;
    struct sql_parser parser;
    struct sql_output output;
};

static const char *take_rows(void *context, struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                             size_t *bad)
{
    struct worker *worker = context;
    const struct sql_sink *sink = worker->dump->sink;
    return sink->rows(sink->context, &worker->output, rows, count, bad);
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
    }
    return worker;
}

static void close_worker(struct worker *worker)
{
    if (worker != NULL) {
        sql_parser_free(&worker->parser);
        free(worker->output.bytes);
        free(worker);
    }
}

/* Read a piece that begins at such a place. Returns the bytes done with. */
static size_t read_piece(struct worker *worker, const struct piece *piece, enum sql_place place)
{
    clear_output(&worker->output);
    sql_parser_restart(&worker->parser, place);
    return sql_parser_read(&worker->parser, piece->text, piece->length, piece->is_last);
}

/*
 * Read the next piece, wait for its turn, and take it. A line that begins with a bracket begins
 * with a row, any other one with a statement; the piece before must end at such a place. A blank
 * piece waits for that. Called with the lock, which is free during the reading.
 */
static void read_next(struct sql_dump *dump, struct worker *worker)
{
    const uint64_t number = dump->queue.next_read++;
    const struct piece *piece = piece_at(dump, number);
    const char *end = piece->text + piece->length, *first = sql_skip_space(piece->text, end);
    const bool is_blank = first == end;
    enum sql_place place = !is_blank && *first == '(' ? SQL_ROW : SQL_STATEMENT;
    size_t used = 0;
    pthread_mutex_unlock(&dump->lock);
    if (number == 0) {
        place = dump->known;
    }
    if (!is_blank) {
        used = read_piece(worker, piece, place);
    }
    pthread_mutex_lock(&dump->lock);
    while (dump->queue.next_taken != number) {
        pthread_cond_wait(&dump->changed, &dump->lock);
    }
    pthread_mutex_unlock(&dump->lock);
    if (!dump->taken.has_failed && is_blank) {
        place = dump->taken.place;
        used = read_piece(worker, piece, place);
    }
    if (!dump->taken.has_failed) {
        const bool fits = place == dump->taken.place;
        if (!fits || (take_piece(dump, &worker->parser, piece, &worker->output) &&
                      used < piece->length && !piece->is_last)) {
            fail_at(dump, dump->taken.statements, dump->taken.rows, split);
        }
    }
    pthread_mutex_lock(&dump->lock);
    dump->queue.is_drained |= dump->taken.has_failed;
    dump->queue.next_taken++;
    pthread_cond_broadcast(&dump->changed);
}

static void work(void *context, unsigned number)
{
    struct sql_dump *dump = context;
    struct worker *worker = open_worker(dump);
    (void)number;
    if (worker == NULL) {
        return; /* others do it; a check finds if nobody did */
    }
    worker->parser.schema = dump->schema;
    pthread_mutex_lock(&dump->lock);
    while (!dump->queue.is_drained || dump->queue.next_read < dump->queue.next_cut) {
        const bool has_room = dump->queue.next_cut - dump->queue.next_taken < dump->queue.count;
        if (!dump->queue.is_cutting && !dump->queue.is_drained && has_room) {
            cut_next(dump); /* first: only one worker can decompress */
        } else if (dump->queue.next_read < dump->queue.next_cut) {
            read_next(dump, worker);
        } else {
            pthread_cond_wait(&dump->changed, &dump->lock);
        }
    }
    pthread_mutex_unlock(&dump->lock);
    close_worker(worker);
}

/*
 * Read pieces one by one, wherever they end: until the columns are known; or a line that is too
 * long for a piece, and all after it. False with error set.
 */
static bool read_alone(struct sql_dump *dump, struct sql_dump_facts *facts)
{
    const bool is_head = !dump->schema.is_known;
    struct worker *worker = open_worker(dump);
    struct piece piece = {0};
    bool done = worker != NULL || graph_fail(dump->error, dump->path, no_memory);
    while (done && !dump->is_at_end && !(is_head && dump->schema.is_known)) {
        bool has_room = begin_piece(dump, &piece);
        const size_t twice = 2 * piece.length; /* so that a long statement is read few times */
        do {
            has_room = has_room && extend(dump, &piece);
        } while (has_room && !piece.is_last && piece.length < twice);
        if (!has_room) {
            break; /* check_whole reports why */
        }
        memset(piece.text + piece.length, 0, SQL_PADDING);
        worker->parser.schema = dump->schema;
        worker->parser.declared = declared;
        const size_t used = read_piece(worker, &piece, dump->taken.place);
        done = take_piece(dump, &worker->parser, &piece, &worker->output);
        if (done && piece.length - used > LEFT_OVER_MAX) {
            done = fail_at(dump, dump->taken.statements, dump->taken.rows,
                           "a row or statement is longer than 64 MiB");
        }
        done = done && (end_piece(dump, &piece, used) ||
                        fail_at(dump, dump->taken.statements, dump->taken.rows, no_memory));
        dump->schema = worker->parser.schema;
        memcpy(facts->database, worker->parser.database, sizeof(facts->database));
    }
    dump->known = dump->taken.place;
    free(piece.text);
    close_worker(worker);
    return done;
}

/* True if the dump was complete. Else error is set or, if allowed, facts->broken says why. */
static bool check_whole(struct sql_dump *dump, struct sql_dump_facts *facts)
{
    const char *why = dump->broken != NULL     ? dump->broken
                      : !dump->schema.is_known ? "there is no CREATE TABLE in the dump"
                      : !dump->taken.has_ended ? "the dump has no last line \"-- Dump completed\""
                                               : NULL;
    if (!dump->is_at_end || dump->queue.next_taken != dump->queue.next_cut) {
        return graph_fail(dump->error, dump->path, no_memory);
    }
    if (why != NULL && !dump->options->allow_incomplete) {
        dump->error->remedy = GRAPH_REMEDY_INCOMPLETE;
        return fail_at(dump, dump->taken.statements, dump->taken.rows, why);
    }
    snprintf(facts->broken, sizeof(facts->broken), "%s", why != NULL ? why : "");
    memcpy(facts->date, dump->taken.date, sizeof(facts->date));
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
    pthread_mutex_init(&dump.lock, NULL);
    pthread_cond_init(&dump.changed, NULL);
    dump.queue.count = 2 * (uint64_t)options->threads;
    dump.queue.pieces = calloc(dump.queue.count, sizeof(*dump.queue.pieces));
    bool done = dump.queue.pieces != NULL || graph_fail(error, path, "out of memory");
    done = done && open_stream(&dump, &fd) && read_alone(&dump, facts);
    if (done && !dump.is_at_end && dump.schema.is_known) {
        parallel_run(options->threads, work, &dump);
        const bool has_more = !dump.is_at_end && dump.broken == NULL && dump.rest.length > 0;
        done = !dump.taken.has_failed && (!has_more || read_alone(&dump, facts));
    }
    done = done && check_whole(&dump, facts);
    facts->decode_ns = done ? dump.decode_ns : 0;
    byte_stream_close(dump.stream);
    if (fd >= 0) {
        close(fd);
    }
    free(dump.rest.text);
    for (uint64_t i = 0; dump.queue.pieces != NULL && i < dump.queue.count; i++) {
        free(dump.queue.pieces[i].text);
    }
    free(dump.queue.pieces);
    pthread_cond_destroy(&dump.changed);
    pthread_mutex_destroy(&dump.lock);
    return done;
}
