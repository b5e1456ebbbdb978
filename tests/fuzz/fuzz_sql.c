/*
 * fuzz_sql.c - a dump of a table, whole and cut into pieces: the same rows, or the same rule at the
 * same place.
 *
 * An input is the dump; its last two bytes say where the pieces are cut. Rows are summed up as a
 * hash of their values; of a piece that was cut, what the parser leaves over comes again.
 */
#include "base/splitmix.h"
#include "fuzz.h"
#include "wikipedia/sql/sql_parser.h"
#include "wikipedia/sql/sql_scan.h"
#include <stdlib.h>
#include <string.h>

static const struct sql_table texts = {"t",
                                       {{"id", SQL_NUMBER, false, false},
                                        {"space", SQL_LITERAL, false, true},
                                        {"title", SQL_TEXT, false, false},
                                        {"more", SQL_NUMBER, true, true}}};
static const struct sql_table numbers = {"n",
                                         {{"id", SQL_NUMBER, false, false},
                                          {"target", SQL_NUMBER, true, true},
                                          {"space", SQL_LITERAL, true, true},
                                          {"title", SQL_TEXT, true, true}}};

/* The sums over the rows of a dump. */
struct result {
    uint64_t hash, rows, statements, row;
    bool has_ended;
    char rule[SQL_RULE_SIZE];
};

void fuzz_setup(void)
{
}

static const char *take(void *context, struct sql_value (*rows)[SQL_WANTED_MAX], size_t count,
                        size_t *bad)
{
    struct result *result = context;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 4; k++) {
            const struct sql_value *value = &rows[i][k];
            uint64_t sum = value->kind != SQL_NUMBER ? value->length : value->number;
            for (size_t b = 0; value->kind != SQL_NUMBER && b < value->length; b++) {
                sum = splitmix_mix(sum + (unsigned char)value->text[b]);
            }
            result->hash = splitmix_mix(result->hash + sum + value->kind);
        }
        result->rows++;
        if (rows[i][0].number == 4242) { /* a rule of the sink */
            *bad = i;
            return "not this one";
        }
    }
    return NULL;
}

/* Read a dump in pieces of that many bytes. */
static struct result read_pieces(const struct sql_table *table, const uint8_t *bytes, size_t length,
                                 size_t piece)
{
    struct result result = {0};
    struct sql_parser *parser = malloc(sizeof(*parser));
    char *text = malloc(length + SQL_PADDING);
    size_t begin = 0;
    fuzz_require(parser != NULL && text != NULL);
    sql_parser_init(parser, table, take, &result);
    for (size_t end = 0; parser->rule[0] == '\0';) {
        end = length - end <= piece ? length : end + piece;
        memcpy(text, bytes + begin, end - begin);
        memset(text + (end - begin), 0, SQL_PADDING);
        const size_t used = sql_parser_read(parser, text, end - begin, end == length);
        fuzz_require(used <= end - begin);
        begin += used;
        if (end == length) {
            break;
        }
    }
    result.statements = parser->statements;
    result.row = parser->rows;
    result.has_ended = parser->has_ended && !parser->is_open;
    memcpy(result.rule, parser->rule, sizeof(result.rule));
    if (result.rule[0] != '\0') {
        fuzz_require_line(result.rule);
    }
    sql_parser_free(parser);
    free(parser);
    free(text);
    return result;
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    const size_t piece = 1 + fuzz_take_last(&input) + (size_t)fuzz_take_last(&input) * 16;
    const size_t left = fuzz_left(&input);
    const bool has_numbers = left > 0 && memmem(input.next, left, "`n`", 3) != NULL;
    const struct sql_table *table = has_numbers ? &numbers : &texts;
    const struct result whole = read_pieces(table, input.next, left, left + 1);
    const struct result cut = read_pieces(table, input.next, left, piece);
    fuzz_require(whole.rows == cut.rows && whole.hash == cut.hash);
    fuzz_require((whole.rule[0] == '\0') == (cut.rule[0] == '\0'));
    /* The text quoted in a rule may end with the piece. */
    fuzz_require_for(strcspn(whole.rule, "\"") == strcspn(cut.rule, "\"") &&
                         memcmp(whole.rule, cut.rule, strcspn(cut.rule, "\"")) == 0,
                     cut.rule);
    fuzz_require(whole.statements == cut.statements && whole.row == cut.row);
    fuzz_require(whole.has_ended == cut.has_ended);
}
