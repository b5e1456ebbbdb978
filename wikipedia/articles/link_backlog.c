/*
 * link_backlog.c - what the reader has read waits in a list; see link_backlog.h.
 */
#include "link_backlog.h"
#include "base/pw_assert.h"
#include "data/graph/graph_memory.h"
#include "data/graph/parallel.h"
#include "wiki_rows.h"
#include <stdlib.h>
#include <string.h>

#define AHEAD 64 /* ids: how far ahead their ends are fetched */

struct link_backlog_piece {
    struct link_backlog_piece *next;
    size_t used;
    uint32_t words[]; /* a page, the number of ids, the ids */
};

void link_backlog_open(struct link_backlog *backlog)
{
    pthread_mutex_init(&backlog->lock, NULL);
    pthread_cond_init(&backlog->changed, NULL);
}

/* Reading --------------------------------------------------------------------------------------*/

static bool begin(void *context, const struct sql_schema *schema, char rule[SQL_RULE_SIZE])
{
    struct link_backlog *backlog = context;
    backlog->is_unfit = !schema->has[1] || (schema->has[2] && schema->has[3]);
    return !backlog->is_unfit || sql_fail(rule, "not all links have an id");
}

static const char *add_run(void *context, struct sql_output *output, const struct sql_value *row,
                           const uint32_t *ids, size_t count)
{
    uint32_t *words = sql_output_room(output, (count + 2) * sizeof(*words));
    const char *wrong = wiki_check_id(&row[0]);
    (void)context;
    if (words == NULL || wrong != NULL) {
        return wrong != NULL ? wrong : "out of memory";
    }
    words[0] = (uint32_t)row[0].number;
    words[1] = (uint32_t)count;
    memcpy(words + 2, ids, count * sizeof(*ids));
    output->used += (count + 2) * sizeof(*words);
    return NULL;
}

static const char *add_rows(void *context, struct sql_output *output,
                            struct sql_value (*rows)[SQL_WANTED_MAX], size_t count, size_t *bad)
{
    uint32_t ids[SQL_BATCH];
    const char *wrong = NULL;
    for (size_t first = 0, end; wrong == NULL && first < count; first = end) {
        for (end = first; end < count && rows[end][0].number == rows[first][0].number; end++) {
            const struct sql_value *id = &rows[end][1];
            const bool is_id = id->kind == SQL_NUMBER && id->number < UINT32_MAX;
            ids[end - first] = is_id ? (uint32_t)id->number : UINT32_MAX; /* of no target */
        }
        *bad = first;
        wrong = add_run(context, output, rows[first], ids, end - first);
    }
    return wrong;
}

static uint64_t bytes_of(const struct link_backlog_piece *piece)
{
    return sizeof(*piece) + piece->used * sizeof(*piece->words);
}

/* Keep what a worker has read. It is mapped, so that the system gets the memory back afterwards. */
static bool keep(void *context, struct sql_output *output, char rule[SQL_RULE_SIZE])
{
    struct link_backlog *backlog = context;
    struct link_backlog_piece *piece = memory_map(sizeof(*piece) + output->used, false);
    if (piece == NULL) {
        return sql_fail(rule, "out of memory");
    }
    piece->next = NULL;
    piece->used = output->used / sizeof(*piece->words);
    if (output->used > 0) {
        memcpy(piece->words, output->bytes, output->used);
    }
    pthread_mutex_lock(&backlog->lock);
    while (backlog->bytes > 0 && backlog->bytes + bytes_of(piece) > backlog->limit &&
           !backlog->has_stopped) {
        pthread_cond_wait(&backlog->changed, &backlog->lock);
    }
    *(backlog->first != NULL ? &backlog->last->next : &backlog->first) = piece;
    backlog->last = piece;
    backlog->bytes += bytes_of(piece);
    backlog->peak = backlog->bytes > backlog->peak ? backlog->bytes : backlog->peak;
    const bool goes_on = !backlog->has_stopped;
    pthread_cond_broadcast(&backlog->changed);
    pthread_mutex_unlock(&backlog->lock);
    return goes_on || sql_fail(rule, "interrupted");
}

struct sql_sink link_backlog_sink(struct link_backlog *backlog)
{
    return (struct sql_sink){.context = backlog,
                             .rows = add_rows,
                             .commit = keep,
                             .begin = begin,
                             .run = add_run,
                             .run_column = 1};
}

static void set(struct link_backlog *backlog, bool *flag)
{
    pthread_mutex_lock(&backlog->lock);
    *flag = true;
    pthread_cond_broadcast(&backlog->changed);
    pthread_mutex_unlock(&backlog->lock);
}

void link_backlog_end(struct link_backlog *backlog)
{
    set(backlog, &backlog->has_ended);
}

void link_backlog_stop(struct link_backlog *backlog)
{
    set(backlog, &backlog->has_stopped);
}

/* Giving ---------------------------------------------------------------------------------------*/

/* Give the rows of a piece to the sink, which makes an output of them. Returns NULL, or the rule
 * that a row breaks. */
static const char *give_rows(const struct sql_sink *to, const struct link_backlog_piece *piece,
                             struct sql_output *output)
{
    const uint32_t *words = piece->words;
    const char *wrong = NULL;
    size_t fetched = 0;
    sql_output_clear(output);
    for (size_t at = 0, next; wrong == NULL && at < piece->used; at = next) {
        const struct sql_value page = {.number = words[at], .kind = SQL_NUMBER};
        next = at + 2 + words[at + 1];
        pw_assert(words[at + 1] > 0 && next <= piece->used);
        /* Pages and lengths are taken for ids, too, for nothing. */
        for (; fetched < piece->used && fetched < next + AHEAD; fetched++) {
            if (words[fetched] < to->ahead.count) {
                __builtin_prefetch(&to->ahead.items[words[fetched]], 0, 2);
            }
        }
        wrong = to->run(to->context, output, &page, words + at + 2, words[at + 1]);
    }
    return wrong;
}

/* Wait for the next piece and take it off the list. NULL if there is none. */
static struct link_backlog_piece *next_piece(struct link_backlog *backlog)
{
    while (backlog->first == NULL && !backlog->has_ended && !backlog->has_stopped) {
        pthread_cond_wait(&backlog->changed, &backlog->lock);
    }
    struct link_backlog_piece *piece = backlog->has_stopped ? NULL : backlog->first;
    if (piece != NULL) {
        backlog->first = piece->next;
    }
    return piece;
}

/* A thread's part: make outputs of pieces, and have them taken in their order. */
static void give(void *context, unsigned number)
{
    struct link_backlog *backlog = context;
    struct sql_output output = {0};
    struct link_backlog_piece *piece;
    (void)number;
    pthread_mutex_lock(&backlog->lock);
    while ((piece = next_piece(backlog)) != NULL) {
        const uint64_t turn = backlog->next++;
        char rule[SQL_RULE_SIZE] = "";
        pthread_mutex_unlock(&backlog->lock);
        const char *wrong = give_rows(backlog->to, piece, &output);
        pthread_mutex_lock(&backlog->lock);
        while (backlog->taken != turn) {
            pthread_cond_wait(&backlog->changed, &backlog->lock);
        }
        pthread_mutex_unlock(&backlog->lock);
        const bool done = wrong == NULL
                              ? backlog->rule[0] != '\0' ||
                                    backlog->to->commit(backlog->to->context, &output, rule)
                              : sql_fail(rule, "%s", wrong);
        pthread_mutex_lock(&backlog->lock);
        if (!done && backlog->rule[0] == '\0') {
            memcpy(backlog->rule, rule, sizeof(rule));
            backlog->has_stopped = true;
        }
        backlog->bytes -= bytes_of(piece);
        backlog->taken++;
        pthread_cond_broadcast(&backlog->changed);
        pthread_mutex_unlock(&backlog->lock);
        memory_unmap(piece, bytes_of(piece));
        pthread_mutex_lock(&backlog->lock);
    }
    pthread_mutex_unlock(&backlog->lock);
    free(output.bytes);
}

bool link_backlog_give(struct link_backlog *backlog, const struct sql_sink *to, unsigned threads)
{
    backlog->to = to;
    parallel_run(threads, give, backlog);
    return !backlog->has_stopped;
}

void link_backlog_close(struct link_backlog *backlog)
{
    while (backlog->first != NULL) {
        struct link_backlog_piece *piece = backlog->first;
        backlog->first = piece->next;
        memory_unmap(piece, bytes_of(piece));
    }
    pthread_mutex_destroy(&backlog->lock);
    pthread_cond_destroy(&backlog->changed);
}
