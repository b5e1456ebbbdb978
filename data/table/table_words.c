/*
 * table_words.c - compares words of headings.
 *
 * 1. A word is made plain: in lower case, without signs before it (~from, _to, :START_ID), a type
 *    after a colon (from:string), or a group in parentheses after it (:END_ID(Person)).
 * 2. Two plain words are compared with each row of a table: as a whole, or as a part of them with
 *    the same letters before and after it.
 */
#include "table_words.h"
#include "base/macros.h"
#include <ctype.h>
#include <string.h>

#define WORD_SIZE 48

static const struct {
    const char *source, *target;
    enum table_words as_whole;
} ends[] = {
    {"source", "target", WORDS_KNOWN},
    {"source", "destination", WORDS_KNOWN},
    {"source", "dest", WORDS_KNOWN},
    {"from", "to", WORDS_KNOWN},
    {"src", "dst", WORDS_KNOWN},
    {"src", "dest", WORDS_KNOWN},
    {"src", "tgt", WORDS_KNOWN},
    {"src", "trg", WORDS_KNOWN},
    {"start_id", "end_id", WORDS_KNOWN},
    {"head", "tail", WORDS_KNOWN}, /* of a triple of a knowledge graph */
    {"tail", "head", WORDS_KNOWN}, /* of an arc */
    {"subject", "object", WORDS_KNOWN},
    {"sender", "receiver", WORDS_KNOWN},
    {"sender", "recipient", WORDS_KNOWN},
    {"caller", "callee", WORDS_KNOWN},
    {"citing", "cited", WORDS_KNOWN},
    {"follower", "followee", WORDS_KNOWN},
    {"follower", "followed", WORDS_KNOWN},
    {"origin", "destination", WORDS_KNOWN},
    {"origin", "dest", WORDS_KNOWN},
    {"orig", "dest", WORDS_KNOWN},
    {"payer", "payee", WORDS_KNOWN},
    {"employee", "manager", WORDS_KNOWN},
    {"buyer", "seller", WORDS_KNOWN},
    {"user", "friend", WORDS_KNOWN},
    {"paper", "reference", WORDS_KNOWN},
    {"giver", "receiver", WORDS_KNOWN},
    {"rater", "ratee", WORDS_KNOWN},
    {"ego", "alter", WORDS_KNOWN},
    {"who", "whom", WORDS_WEAK},
    {"person", "friend", WORDS_WEAK},
    {"name", "friend", WORDS_WEAK},
    {"supplier", "customer", WORDS_WEAK},
    {"lender", "borrower", WORDS_WEAK},
    {"borrower", "lender", WORDS_WEAK},
    {"paper", "cites", WORDS_WEAK},
    {"name", "boss", WORDS_WEAK},
    {"von", "nach", WORDS_KNOWN},
    {"quelle", "ziel", WORDS_KNOWN},
    {"origen", "destino", WORDS_KNOWN},
    {"origine", "destination", WORDS_KNOWN},
    {"parent", "child", WORDS_WEAK},
    {"start", "end", WORDS_WEAK},
    {"start", "stop", WORDS_WEAK},
    {"left", "right", WORDS_WEAK},
    {"first", "second", WORDS_WEAK},
    {"out", "in", WORDS_OTHER},
    {"u", "v", WORDS_LETTERS},
    {"i", "j", WORDS_LETTERS},
    {"x", "y", WORDS_LETTERS},
    {"s", "t", WORDS_LETTERS},
    {"a", "b", WORDS_LETTERS},
    {"0", "1", WORDS_OTHER},
    {"1", "2", WORDS_OTHER},
};

static const char *const facts[] = {
    "id",     "edge",   "edge_id", "edgeid",   "index",    "row",          "nr",        "no",
    "number", "time",   "date",    "year",     "day",      "timestamp",    "datetime",  "unixtime",
    "ts",     "weight", "count",   "value",    "distance", "label",        "type",      "name",
    "kind",   "rel",    "role",    "relation", "property", "relationship", "predicate", "timeset",
    "rating", "score",  "length",  "cost",     "comment",  "rank",
};

/* Make a word plain. Returns its length; 0 if it is too long, or holds no word. */
static size_t make_plain(const char *word, size_t length, char plain[WORD_SIZE])
{
    const char *colon = length > 0 ? memrchr(word, ':', length) : NULL;
    const char *end = word + length;
    size_t used = 0;
    if (length > 0 && end[-1] == ')') {
        const char *open = memrchr(word, '(', length);
        end = open != NULL && open > word ? open : end;
        colon = memrchr(word, ':', (size_t)(end - word));
    }
    if (colon != NULL && colon > word) { /* name:START_ID says an end, from:string a type */
        const bool is_end = end - colon > 3 && memcmp(end - 3, "_ID", 3) == 0;
        word = is_end ? colon : word;
        end = is_end ? end : colon;
    }
    while (word < end && strchr("~:_@$.- ", *word) != NULL) {
        word++;
    }
    for (; word < end && used < WORD_SIZE - 1; word++) {
        const unsigned char c = (unsigned char)*word;
        if (!isalnum(c) && strchr("_-. :;/", (char)c) == NULL) {
            return 0;
        }
        plain[used++] = isalnum(c) ? (char)tolower(c) : '_';
    }
    plain[used] = '\0';
    return word == end ? used : 0;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* True if the words are equal but for a row of the table. *before: the letters before that. */
static bool differ_in(const char *a, const char *b, size_t row, size_t *before)
{
    const char *source = ends[row].source, *target = ends[row].target;
    for (size_t i = 0; a[i] != '\0' && b[i] != '\0'; i++) {
        if (begins_with(a + i, source) && begins_with(b + i, target) &&
            strcmp(a + i + strlen(source), b + i + strlen(target)) == 0) {
            *before = i;
            return true;
        }
        if (a[i] != b[i]) {
            return false;
        }
    }
    return false;
}

/* The letters and digits of a variable from p on: at most 4, the first a small letter, unlike the
 * name J.Smith. */
static size_t variable_length(const char *p, size_t length)
{
    size_t i = 0;
    while (i < length && isalnum((unsigned char)p[i])) {
        i++;
    }
    return i > 0 && i <= 4 && islower((unsigned char)*p) ? i : 0;
}

/* True if two words differ in a variable of Cypher alone: a.name, b.name; or id(a), id(b). */
static bool are_of_variables(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const char *open = memchr(a, '(', a_length);
    const size_t begin = open != NULL ? (size_t)(open + 1 - a) : 0;
    if (b_length <= begin || memcmp(a, b, begin) != 0) {
        return false;
    }
    const size_t one = variable_length(a + begin, a_length - begin);
    const size_t other = variable_length(b + begin, b_length - begin);
    const char *rest = a + begin + one;
    const size_t left = a_length - begin - one;
    return one > 0 && other > 0 && left > 0 && left == b_length - begin - other &&
           memcmp(rest, b + begin + other, left) == 0 && *rest == (open != NULL ? ')' : '.') &&
           (open != NULL || left > 1) && (one != other || memcmp(a + begin, b + begin, one) != 0);
}

enum table_words table_words_compare(const char *first, size_t first_length, const char *second,
                                     size_t second_length)
{
    char a[WORD_SIZE], b[WORD_SIZE];
    enum table_words best = WORDS_OTHER;
    const size_t a_length = make_plain(first, first_length, a);
    const size_t b_length = make_plain(second, second_length, b);
    if (a_length == 0 || b_length == 0) {
        return WORDS_OTHER;
    }
    if (are_of_variables(first, first_length, second, second_length)) {
        best = WORDS_PART;
    } else if (strcmp(a, b) == 0) {
        return first_length == second_length && memcmp(first, second, first_length) == 0
                   ? WORDS_EQUAL
                   : WORDS_OTHER;
    }
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t before;
        enum table_words found = WORDS_OTHER;
        if (!differ_in(a, b, i, &before)) {
            continue;
        }
        const size_t part = strlen(ends[i].source);
        if (before == 0 && a_length == part) {
            found = ends[i].as_whole;
        } else if (part > 1) {
            found = WORDS_PART;
        } else if (before > 0) {
            found = WORDS_NUMBERED;
        }
        best = found > best ? found : best;
    }
    return best;
}

bool table_words_is_fact(const char *word, size_t length)
{
    char plain[WORD_SIZE];
    if (make_plain(word, length, plain) == 0) {
        return length == 0;
    }
    for (size_t i = 0; i < COUNT_OF(facts); i++) {
        if (strcmp(plain, facts[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool table_words_are_of_nodes(const char *first, size_t first_length, const char *second,
                              size_t second_length)
{
    char a[WORD_SIZE], b[WORD_SIZE];
    const char *mark = memmem(first, first_length, ":ID", 3); /* of Neo4j: cityId:ID, :ID(City) */
    const bool is_marked = mark != NULL && (mark + 3 == first + first_length || mark[3] == '(');
    return make_plain(first, first_length, a) > 0 && make_plain(second, second_length, b) > 0 &&
           (is_marked || strcmp(a, "id") == 0 || strcmp(a, "node_id") == 0) &&
           (strcmp(b, "label") == 0 || strcmp(b, "name") == 0);
}

size_t table_words_stem(const char *first, size_t first_length, const char *second,
                        size_t second_length)
{
    size_t same = 0;
    while (same < first_length && same < second_length && first[same] == second[same]) {
        same++;
    }
    return same;
}
