/*
 * gml_reader.c - GML: keys and values; some values are lists in brackets.
 *
 *     graph [ directed 1 node [ id 7 label "Seven" ] edge [ source 7 target 7 ] ]
 *
 * Keys that say nothing about nodes and edges are passed over with their values. Without
 * "directed 1" the edges have no direction. In a text &#233; and the names of HTML 4, as
 * &eacute;, are characters; other entities stay as they are. A node's label, or else its name, is
 * its name. Weights are ignored.
 * Source: M. Himsolt, GML: a portable graph file format (1997).
 */
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include "format_readers.h"
#include "gml_entities.h"
#include "node_table.h"
#include "text_pull.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum token { TOKEN_WORD, TOKEN_STRING, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_END, TOKEN_BAD };

struct gml {
    struct text_pull text; /* its buffer: the last word or string */
    struct node_table nodes;
    bool is_directed, has_edges, has_graph;
};

/* Skip blanks, and lines that open with #. */
static const char *skip_to_word(const char *p)
{
    p += strspn(p, " \t\r\n");
    while (*p == '#') {
        p += strcspn(p, "\n");
        p += strspn(p, " \t\r\n");
    }
    return p;
}

bool gml_matches(const struct graph_head *head)
{
    static const char blanks[] = " \t\r\n";
    const char *p = skip_to_word(head->bytes);
    if (!isalpha((unsigned char)*p)) {
        return false;
    }
    while ((p = strcasestr(p, "graph")) != NULL) {
        bool is_word = p == head->bytes || strchr(blanks, p[-1]) != NULL;
        p += strlen("graph");
        if (is_word && p[strspn(p, blanks)] == '[') {
            return true;
        }
    }
    return false;
}

/* Put a code point into the buffer as UTF-8. */
static bool keep_code(struct text_pull *text, unsigned long code)
{
    if (code < 0x80) {
        return text_pull_keep(text, (char)code);
    }
    unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    unsigned char lead = (unsigned char)(0xff00 >> (more + 1)); /* c0, e0, f0 */
    bool done = text_pull_keep(text, (char)(lead | code >> (6 * more)));
    while (done && more > 0) {
        more--;
        done = text_pull_keep(text, (char)(0x80 | (code >> (6 * more) & 0x3f)));
    }
    return done;
}

/* Decode an entity after its &; an unknown name stays as it is. */
static bool end_entity(struct text_pull *text, size_t begin)
{
    const char *name = text->buffer + begin + 1;
    unsigned long code = gml_entity_find(name);
    bool is_known = code > 0;
    if (name[0] == '#') {
        bool hex = name[1] == 'x' || name[1] == 'X';
        char *end;
        code = strtoul(name + 1 + hex, &end, hex ? 16 : 10);
        bool is_digit = isxdigit((unsigned char)name[1 + hex]);
        is_known = is_digit && *end == '\0' && code > 0 && code <= 0x10ffff && code >> 11 != 0x1b;
    }
    if (is_known) {
        text->used = begin;
        return keep_code(text, code);
    }
    return text_pull_keep(text, ';');
}

/* Read the rest of a string into the buffer. */
static enum token read_string(struct gml *gml)
{
    struct text_pull *text = &gml->text;
    const uint64_t line = text->line;
    size_t entity = SIZE_MAX; /* where the current one begins */
    int c;
    while ((c = text_pull_byte(text)) >= 0 && c != '"') {
        bool kept = c == ';' && entity != SIZE_MAX ? end_entity(text, entity)
                                                   : c != 0 && text_pull_keep(text, (char)c);
        if (!kept) {
            text_pull_fail(text, "a text holds a NUL byte");
            return TOKEN_BAD;
        }
        entity = c == '&' ? text->used - 1 : c == ';' ? SIZE_MAX : entity;
    }
    if (c < 0) {
        graph_fail_line(text->reading->error, text->reading->name, line,
                        "the quote that opens here is not closed");
        return TOKEN_BAD;
    }
    if (!utf8_is_text(text->buffer, text->buffer + text->used)) {
        graph_fail_line(text->reading->error, text->reading->name, line,
                        "is not UTF-8 text: " UTF8_WAY);
        return TOKEN_BAD;
    }
    return TOKEN_STRING;
}

static enum token next_token(struct gml *gml)
{
    struct text_pull *text = &gml->text;
    int c;
    text->used = 0;
    if (!text_pull_keep(text, '\0')) { /* so that there is a buffer, even for "" */
        return TOKEN_BAD;
    }
    text->used = 0;
    do {
        c = text_pull_byte(text);
        while (c == '#') {
            while (c >= 0 && c != '\n') {
                c = text_pull_byte(text);
            }
        }
    } while (c >= 0 && isspace(c));
    if (c < 0) {
        return text->has_failed ? TOKEN_BAD : TOKEN_END;
    }
    if (c == '[' || c == ']') {
        return c == '[' ? TOKEN_OPEN : TOKEN_CLOSE;
    }
    if (c == '"') {
        return read_string(gml);
    }
    for (;;) {
        if (c < 0x20 || !text_pull_keep(text, (char)c)) {
            text_pull_fail(text, "expected a key, a number or a text, found a control character");
            return TOKEN_BAD;
        }
        c = text_pull_peek(text);
        if (c < 0 || isspace(c) || c == '[' || c == ']' || c == '"') {
            return text->has_failed ? TOKEN_BAD : TOKEN_WORD;
        }
        text_pull_byte(text);
    }
}

static bool is_key(const struct gml *gml, const char *key)
{
    pw_assert(gml->text.buffer != NULL);
    return strcasecmp(gml->text.buffer, key) == 0;
}

/* Set the error "expected WHAT, found ...". Returns false. */
static bool fail_token(const struct gml *gml, enum token token, const char *what)
{
    char quoted[GRAPH_QUOTE_SIZE];
    const char *found = token == TOKEN_OPEN    ? "\"[\""
                        : token == TOKEN_CLOSE ? "\"]\""
                        : token == TOKEN_END
                            ? "the end of the file"
                            : graph_quote(quoted, gml->text.buffer, gml->text.used);
    return text_pull_fail(&gml->text, "expected %s, found %s", what, found);
}

/* Pass over the value of a key, whatever it is. */
static bool skip_value(struct gml *gml)
{
    uint64_t depth = 0;
    do {
        enum token token = next_token(gml);
        depth += token == TOKEN_OPEN;
        if (token == TOKEN_BAD || token == TOKEN_END || (token == TOKEN_CLOSE && depth == 0)) {
            return fail_token(gml, token, depth > 0 ? "\"]\"" : "a value");
        }
        depth -= token == TOKEN_CLOSE;
    } while (depth > 0);
    return true;
}

/* Read a value that is not a list, replacing an earlier one; free() it. */
static bool read_value(struct gml *gml, char **value)
{
    enum token token = next_token(gml);
    if (token != TOKEN_WORD && token != TOKEN_STRING) {
        return fail_token(gml, token, "a number or a text in quotes");
    }
    free(*value);
    pw_assert(gml->text.buffer != NULL);
    *value = strdup(gml->text.buffer);
    if (*value == NULL) {
        text_pull_fail(&gml->text, "out of memory");
        return false;
    }
    return true;
}

/* A value of a list that is kept: NULL if the list does not have the key. */
struct value {
    const char *key;
    char *text;
};

static void free_values(struct value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(values[i].text);
    }
}

/* Read a list and keep these values of it; the others are skipped. */
static bool read_list(struct gml *gml, struct value *values, size_t count)
{
    enum token token = next_token(gml);
    if (token != TOKEN_OPEN) {
        return fail_token(gml, token, "\"[\"");
    }
    while ((token = next_token(gml)) == TOKEN_WORD) {
        const bool is_weight = is_key(gml, "weight") || is_key(gml, "value");
        gml->text.reading->has_weights |= is_weight && strcmp(values[0].key, "source") == 0;
        size_t i = 0;
        while (i < count && !is_key(gml, values[i].key)) {
            i++;
        }
        if (!(i < count ? read_value(gml, &values[i].text) : skip_value(gml))) {
            return false;
        }
    }
    return token == TOKEN_CLOSE || fail_token(gml, token, "a key or \"]\"");
}

static bool read_node(struct gml *gml)
{
    struct value values[] = {{"id", NULL}, {"label", NULL}, {"name", NULL}};
    uint64_t line = gml->text.line;
    uint32_t number;
    bool done = read_list(gml, values, COUNT_OF(values));
    const char *id = values[0].text;
    const char *label = values[1].text != NULL ? values[1].text : values[2].text; /* igraph: name */
    if (done && id == NULL) {
        done = text_pull_fail(&gml->text, "expected a node with an id");
    }
    done = done && node_table_declare(&gml->nodes, id, line, &number) &&
           (label == NULL || node_table_label(&gml->nodes, number, label));
    free_values(values, COUNT_OF(values));
    return done;
}

static bool read_edge(struct gml *gml)
{
    struct value values[] = {{"source", NULL}, {"target", NULL}};
    uint64_t line = gml->text.line;
    uint32_t source, target;
    bool done = read_list(gml, values, COUNT_OF(values));
    const char *from = values[0].text, *to = values[1].text;
    if (done && (from == NULL || to == NULL)) {
        done = text_pull_fail(&gml->text, "expected an edge with source and target");
    }
    gml->has_edges = true;
    done = done && node_table_refer(&gml->nodes, from, line, &source) &&
           node_table_refer(&gml->nodes, to, line, &target) &&
           (gml->text.reading->add(gml->text.reading, source, target, !gml->is_directed) ||
            text_pull_fail(&gml->text, "out of memory"));
    free_values(values, COUNT_OF(values));
    return done;
}

static bool read_direction(struct gml *gml)
{
    char *value = NULL;
    bool done = read_value(gml, &value) && value != NULL;
    bool is_directed = done && strcmp(value, "1") == 0;
    if (done && !is_directed && strcmp(value, "0") != 0) {
        done = fail_token(gml, TOKEN_WORD, "directed 0 or 1");
    } else if (done && is_directed != gml->is_directed && gml->has_edges) {
        done = text_pull_fail(&gml->text, "expected \"directed\" before the first edge");
    }
    gml->is_directed = is_directed;
    free(value);
    return done;
}

static bool read_graph(struct gml *gml)
{
    enum token token = next_token(gml);
    if (gml->has_graph) {
        return text_pull_fail(&gml->text, "a second graph; only one is read");
    }
    if (token != TOKEN_OPEN) {
        return fail_token(gml, token, "\"[\"");
    }
    gml->has_graph = true;
    while ((token = next_token(gml)) == TOKEN_WORD) {
        bool done = is_key(gml, "node")       ? read_node(gml)
                    : is_key(gml, "edge")     ? read_edge(gml)
                    : is_key(gml, "directed") ? read_direction(gml)
                                              : skip_value(gml);
        if (!done) {
            return false;
        }
    }
    return token == TOKEN_CLOSE || fail_token(gml, token, "a key or \"]\"");
}

static bool read_file(struct gml *gml)
{
    enum token token;
    while ((token = next_token(gml)) == TOKEN_WORD) {
        if (!(is_key(gml, "graph") ? read_graph(gml) : skip_value(gml))) {
            return false;
        }
    }
    if (token != TOKEN_END) {
        return fail_token(gml, token, "a key");
    }
    return node_table_finish(&gml->nodes);
}

bool gml_read(struct graph_reading *reading)
{
    struct gml gml = {.has_graph = false};
    text_pull_init(&gml.text, reading);
    bool done = node_table_init(&gml.nodes, reading) && read_file(&gml);
    node_table_free(&gml.nodes);
    text_pull_free(&gml.text);
    return done;
}
