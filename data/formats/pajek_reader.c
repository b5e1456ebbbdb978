/*
 * pajek_reader.c - Pajek networks: sections that open with a star.
 *
 *     *Vertices 3        then lines  1 "a label", perhaps with more after it
 *     *Arcs, *Edges      then lines  1 2 and perhaps a weight; edges have no direction
 *     *Arcslist, *Edgeslist          1 2 3: from the first to each of the others
 *     *Matrix                        a row of numbers per node; what is not 0 is an arc
 *
 * Lines that open with % are comments. Weights are ignored. Pajek projects (*Partition, *Vector,
 * ...) are refused. Source: A. Mrvar, V. Batagelj, Pajek reference manual.
 */
#include "base/array_reserve.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "format_readers.h"
#include "text_pull.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum section { SECTION_NONE, SECTION_VERTICES, SECTION_PAIRS, SECTION_LISTS, SECTION_MATRIX };

struct pajek {
    struct text_pull text;
    enum section section;
    bool both; /* the section's edges have no direction */
    bool has_count;
    uint32_t node_count;
    uint32_t matrix_row; /* rows of the matrix read */
    uint64_t *labels;    /* node_count: where each begins in label_text, + 1; 0: none */
    char *label_text;
    size_t label_used, label_capacity;
};

static const struct section_name {
    const char *name;
    enum section section;
    bool both;
} section_names[] = {
    {"*network", SECTION_NONE, false},   {"*vertices", SECTION_VERTICES, false},
    {"*arcs", SECTION_PAIRS, false},     {"*edges", SECTION_PAIRS, true},
    {"*arcslist", SECTION_LISTS, false}, {"*edgeslist", SECTION_LISTS, true},
    {"*matrix", SECTION_MATRIX, false},
};

static const char blanks[] = " \t\r";

bool pajek_matches(const struct graph_head *head)
{
    const char *p = head->bytes + strspn(head->bytes, " \t\r\n");
    while (*p == '%') {
        p += strcspn(p, "\n");
        p += strspn(p, " \t\r\n");
    }
    for (size_t i = 0; i < COUNT_OF(section_names); i++) {
        size_t name_length = strlen(section_names[i].name);
        if (strncasecmp(p, section_names[i].name, name_length) == 0 &&
            (p[name_length] == '\0' || strchr(" \t\r\n:", p[name_length]) != NULL)) {
            return true;
        }
    }
    return false;
}

static bool fail_found(const struct pajek *pajek, const char *what, const char *line)
{
    char quoted[GRAPH_QUOTE_SIZE];
    return text_pull_fail(&pajek->text, "expected %s, found %s", what,
                          graph_quote(quoted, line, strlen(line)));
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, blanks);
}

/* Cut a node from a line. False with error set if there is none. */
static bool read_node(const struct pajek *pajek, const char **at, const char *line, uint32_t *node)
{
    const char *p = skip_blanks(*at);
    uint64_t value = 0;
    const char *begin = p;
    while (*p >= '0' && *p <= '9' && value <= UINT32_MAX) {
        value = value * 10 + (uint64_t)(*p++ - '0');
    }
    if (p == begin || (*p != '\0' && strchr(blanks, *p) == NULL)) {
        return fail_found(pajek, "the number of a node", line);
    }
    if (value < 1 || value > pajek->node_count) {
        return text_pull_fail(&pajek->text, "node %llu is outside 1..%lu",
                              (unsigned long long)value, (unsigned long)pajek->node_count);
    }
    *node = (uint32_t)value;
    *at = p;
    return true;
}

static bool read_vertices(struct pajek *pajek, const char *line)
{
    char *end;
    unsigned long long count = strtoull(line + strlen("*vertices"), &end, 10);
    if (pajek->has_count) {
        return text_pull_fail(&pajek->text, "a second network, of which only one is read");
    }
    if (end == line + strlen("*vertices") || count == 0 || count > GRAPH_NODE_MAX) {
        return fail_found(pajek, "\"*Vertices\" and how many", line);
    }
    pajek->has_count = true;
    pajek->node_count = (uint32_t)count;
    return pajek->text.reading->expect(pajek->text.reading, count, 0);
}

static bool begin_section(struct pajek *pajek, const char *line)
{
    size_t length = strcspn(line, " \t\r:");
    for (size_t i = 0; i < COUNT_OF(section_names); i++) {
        const struct section_name *name = &section_names[i];
        if (strlen(name->name) == length && strncasecmp(line, name->name, length) == 0) {
            pajek->section = name->section;
            pajek->both = name->both;
            if (name->section == SECTION_VERTICES) {
                return read_vertices(pajek, line);
            }
            return name->section == SECTION_NONE || pajek->has_count ||
                   fail_found(pajek, "\"*Vertices\" before this", line);
        }
    }
    return fail_found(pajek, "a section of a network", line);
}

/* Keep the label at the start of text, in quotes or up to a blank. */
static bool keep_label(struct pajek *pajek, uint32_t node, const char *text)
{
    size_t length = strlen(text);
    if (pajek->labels == NULL) {
        pajek->labels = calloc(pajek->node_count, sizeof(*pajek->labels));
    }
    if (pajek->labels == NULL || !array_reserve(&pajek->label_text, &pajek->label_capacity,
                                                pajek->label_used + length + 1, 1)) {
        return text_pull_fail(&pajek->text, "out of memory for the labels");
    }
    char *to = pajek->label_text + pajek->label_used;
    size_t used = 0;
    bool quoted = *text == '"';
    text += quoted;
    while (*text != '\0' && (quoted ? *text != '"' : strchr(blanks, *text) == NULL)) {
        text += quoted && *text == '\\' && (text[1] == '"' || text[1] == '\\');
        to[used] = *text++;
        if (to[used] == '\t') {
            to[used] = ' ';
        }
        used++;
    }
    if (quoted && *text != '"') {
        return text_pull_fail(&pajek->text, "the quote of the label is not closed");
    }
    to[used] = '\0';
    char number[16];
    snprintf(number, sizeof(number), "%lu", (unsigned long)node);
    if (used > 0 && strcmp(to, number) != 0) {
        pajek->labels[node - 1] = pajek->label_used + 1;
        pajek->label_used += used + 1;
    }
    return true;
}

static bool add(struct pajek *pajek, uint32_t source, uint32_t target)
{
    return pajek->text.reading->add(pajek->text.reading, source, target, pajek->both) ||
           text_pull_fail(&pajek->text, "out of memory");
}

/* Read a row of the matrix: one number per node. */
static bool read_row(struct pajek *pajek, const char *line)
{
    const char *p = line;
    if (pajek->matrix_row == pajek->node_count) {
        return fail_found(pajek, "no more rows than nodes", line);
    }
    uint32_t source = ++pajek->matrix_row;
    for (uint32_t target = 1; target <= pajek->node_count; target++) {
        char *end;
        double value = strtod(p, &end);
        if (end == p) {
            return fail_found(pajek, "a number per node", line);
        }
        p = end;
        if (value != 0 && !add(pajek, source, target)) {
            return false;
        }
    }
    return *skip_blanks(p) == '\0' || fail_found(pajek, "a number per node", line);
}

static bool read_entry(struct pajek *pajek, const char *line)
{
    const char *p = line;
    uint32_t source = 0, target = 0;
    if (pajek->section == SECTION_MATRIX) {
        return read_row(pajek, line);
    }
    if (pajek->section == SECTION_NONE) {
        return fail_found(pajek, "a section such as \"*Vertices 3\"", line);
    }
    if (!read_node(pajek, &p, line, &source)) {
        return false;
    }
    if (pajek->section == SECTION_VERTICES) {
        p = skip_blanks(p);
        return *p == '\0' || keep_label(pajek, source, p);
    }
    do {
        if (!read_node(pajek, &p, line, &target) || !add(pajek, source, target)) {
            return false;
        }
        p = skip_blanks(p);
    } while (pajek->section == SECTION_LISTS && *p != '\0');
    pajek->text.reading->has_weights |= *p != '\0';
    return true;
}

/* The labels as names; a node without a label has its number as name. */
static bool make_names(struct pajek *pajek)
{
    struct graph_names *names = graph_names_create();
    char number[24];
    pajek->text.reading->names = names;
    bool done = names != NULL;
    for (uint32_t i = 0; i < pajek->node_count && done; i++) {
        const char *name = number;
        snprintf(number, sizeof(number), "%lu", (unsigned long)i + 1);
        if (pajek->labels[i] > 0) {
            name = pajek->label_text + pajek->labels[i] - 1;
        }
        done = graph_names_add_plain(names, name, strlen(name));
    }
    return done || text_pull_fail(&pajek->text, "out of memory for the labels");
}

static bool read_file(struct pajek *pajek)
{
    struct graph_reading *reading = pajek->text.reading;
    const char *begin, *end;
    char *line = NULL;
    size_t capacity = 0;
    bool done = true;
    while (done && text_pull_line(&pajek->text, &begin, &end)) {
        size_t length = (size_t)(end - begin);
        bool has_room = array_reserve(&line, &capacity, length + 1, 1);
        if (!has_room || memchr(begin, '\0', length) != NULL) {
            done = text_pull_fail(&pajek->text,
                                  has_room ? "the line holds a NUL byte" : "out of memory");
            break;
        }
        pw_assert(line != NULL);
        memcpy(line, begin, length);
        line[length] = '\0';
        line[length - (length > 0 && line[length - 1] == '\r')] = '\0';
        const char *p = skip_blanks(line);
        if (*p == '*') {
            done = begin_section(pajek, p);
        } else if (*p != '\0' && *p != '%') {
            done = read_entry(pajek, p);
        }
    }
    free(line);
    if (!done || pajek->text.has_failed) {
        return false;
    }
    reading->node_count = pajek->node_count;
    reading->first_node = 1;
    if (pajek->section == SECTION_MATRIX && pajek->matrix_row < pajek->node_count) {
        return text_pull_fail(&pajek->text, "the matrix ends after %lu of %lu rows",
                              (unsigned long)pajek->matrix_row, (unsigned long)pajek->node_count);
    }
    return pajek->label_used == 0 || make_names(pajek);
}

bool pajek_read(struct graph_reading *reading)
{
    struct pajek pajek = {.section = SECTION_NONE};
    text_pull_init(&pajek.text, reading);
    bool done = read_file(&pajek);
    free(pajek.labels);
    free(pajek.label_text);
    text_pull_free(&pajek.text);
    return done;
}
