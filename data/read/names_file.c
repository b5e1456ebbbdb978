/*
 * names_file.c - lines into names: the layout is told by the first line that is no comment.
 */
#include "names_file.h"
#include "base/macros.h"
#include "data/graph/graph_memory.h"
#include "text_reader.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NO_COLUMN   SIZE_MAX
#define COLUMNS_MAX 32
#define WHOLE_LINE  '\0' /* no separator, and quotes are letters */
#define ONE_COLUMN  '\n' /* no line holds it: one column of CSV */

/* Where the name is in a line, and the id. */
struct layout {
    char separator;  /* '\t', ',', ONE_COLUMN or WHOLE_LINE */
    size_t name, id; /* columns from 0; id may be NO_COLUMN */
    bool is_heading; /* the line that told it holds no name */
};

struct field {
    const char *begin;
    size_t length;
    bool is_quoted;
};

struct names_reader {
    struct text_lines lines;
    struct layout layout;
    struct graph_names *names;
    uint32_t *ids; /* of the names, in the order of the file */
    size_t id_capacity;
    uint64_t first_line; /* of the names */
    char *unquoted;      /* room for a name without its quotes */
    size_t unquoted_size;
    uint64_t memory_limit; /* bytes that the names may take */
    struct graph_error *error;
};

/* The field at *at, which moves behind it and its separator; *at is NULL after the last. */
static struct field next_field(const char **at, const char *end, char separator)
{
    struct field field = {.begin = *at};
    const char *stop = *at;
    if (separator != WHOLE_LINE && stop < end && *stop == '"') {
        field.is_quoted = true;
        for (stop++; stop < end && (*stop != '"' || (stop + 1 < end && stop[1] == '"')); stop++) {
            stop += *stop == '"'; /* of two quotes */
        }
    }
    while (separator != WHOLE_LINE && stop < end && *stop != separator) {
        stop++;
    }
    stop = separator == WHOLE_LINE ? end : stop;
    field.length = (size_t)(stop - *at);
    *at = stop < end ? stop + 1 : NULL;
    return field;
}

static bool is_number(struct field field)
{
    size_t digits = 0;
    while (digits < field.length && field.begin[digits] >= '0' && field.begin[digits] <= '9') {
        digits++;
    }
    return digits > 0 && digits < 11 && digits == field.length;
}

static bool is_one_of(struct field field, const char *const *words, size_t count)
{
    field.begin += field.is_quoted;
    field.length -= field.is_quoted ? 2 : 0;
    for (size_t i = 0; i < count; i++) {
        if (strlen(words[i]) == field.length &&
            strncasecmp(words[i], field.begin, field.length) == 0) {
            return true;
        }
    }
    return false;
}

/* Read the line as a heading: the first column that is called a name, and that of the ids. */
static bool read_heading(const char *begin, const char *end, char separator, struct layout *layout)
{
    static const char *const names[] = {"name", "names", "title", "page_title", "label", "article"};
    static const char *const ids[] = {"id", "node", "node_id", "nodeid", "page_id"};
    struct layout found = {
        .separator = separator, .name = NO_COLUMN, .id = NO_COLUMN, .is_heading = true};
    const char *at = begin;
    size_t column = 0;
    for (; at != NULL; column++) {
        struct field field = next_field(&at, end, separator);
        if (found.name == NO_COLUMN && is_one_of(field, names, COUNT_OF(names))) {
            found.name = column;
        } else if (found.id == NO_COLUMN && is_one_of(field, ids, COUNT_OF(ids))) {
            found.id = column;
        }
    }
    if (found.name != NO_COLUMN) {
        found.separator = column == 1 ? ONE_COLUMN : separator;
        *layout = found;
    }
    return found.name != NO_COLUMN;
}

/* What the first line says of all. */
static struct layout tell_layout(const char *begin, const char *end)
{
    struct layout layout = {.separator = WHOLE_LINE, .name = 0, .id = NO_COLUMN};
    const bool tabs = memchr(begin, '\t', (size_t)(end - begin)) != NULL;
    const char separator = tabs ? '\t' : ',';
    if (read_heading(begin, end, separator, &layout)) {
        return layout;
    }
    const char *at = begin;
    struct field first = next_field(&at, end, separator);
    if (at != NULL && is_number(first) && (tabs || *at == '"')) {
        return (struct layout){.separator = separator, .name = 1, .id = 0};
    }
    if (tabs || first.is_quoted) {
        layout.separator = separator;
    }
    return layout;
}

/* A comment before the names; a name that is URL-encoded may begin with a percent sign. */
static bool is_comment(const char *begin, const char *end)
{
    return begin < end &&
           (*begin == '#' ||
            (*begin == '%' && (end - begin == 1 || begin[1] == ' ' || begin[1] == '%')));
}

static bool add_id(struct names_reader *reader, struct field field)
{
    char quoted[GRAPH_QUOTE_SIZE];
    uint64_t id = is_number(field) ? strtoull(field.begin, NULL, 10) : UINT64_MAX;
    if (id >= UINT32_MAX) {
        return graph_fail_line(reader->error, reader->lines.source.name, reader->lines.number,
                               "expected the id of a node, found %s",
                               graph_quote(quoted, field.begin, field.length));
    }
    if (reader->names->count >= reader->id_capacity) {
        size_t capacity = reader->id_capacity * 2 + 1024;
        uint32_t *ids = reallocarray(reader->ids, capacity, sizeof(*ids));
        if (ids == NULL) {
            return false;
        }
        reader->ids = ids;
        reader->id_capacity = capacity;
    }
    reader->ids[reader->names->count] = (uint32_t)id;
    return true;
}

/* Take the quotes off a name. False with error set when there is no closing one at its end. */
static bool unquote(struct names_reader *reader, struct field *field)
{
    const char *end = field->begin + field->length - 1;
    char quoted[GRAPH_QUOTE_SIZE];
    size_t used = 0;
    if (field->length > reader->unquoted_size) {
        free(reader->unquoted);
        reader->unquoted_size = field->length * 2;
        reader->unquoted = malloc(reader->unquoted_size);
    }
    if (reader->unquoted == NULL) {
        reader->unquoted_size = 0;
        return false;
    }
    if (field->length < 2 || *end != '"') {
        return graph_fail_line(reader->error, reader->lines.source.name, reader->lines.number,
                               "expected a name in quotes that ends with one, found %s",
                               graph_quote(quoted, field->begin, field->length));
    }
    for (const char *at = field->begin + 1; at < end; at++) {
        reader->unquoted[used++] = *at;
        at += *at == '"'; /* it is there twice */
    }
    *field = (struct field){.begin = reader->unquoted, .length = used};
    return true;
}

/* Add the name of a line. False with error set, or when out of memory. */
static bool add_line(struct names_reader *reader, const char *begin, const char *end)
{
    const struct layout *layout = &reader->layout;
    struct field name = {.begin = NULL};
    struct field id = {.begin = begin};
    const char *at = begin;
    for (size_t column = 0; at != NULL && column <= COLUMNS_MAX; column++) {
        struct field field = next_field(&at, end, layout->separator);
        name = column == layout->name ? field : name;
        id = column == layout->id ? field : id;
    }
    if (name.begin == NULL) {
        char quoted[GRAPH_QUOTE_SIZE];
        return graph_fail_line(reader->error, reader->lines.source.name, reader->lines.number,
                               "expected a name in column %zu, found %s", layout->name + 1,
                               graph_quote(quoted, begin, (size_t)(end - begin)));
    }
    return (!name.is_quoted || unquote(reader, &name)) &&
           (layout->id == NO_COLUMN || add_id(reader, id)) &&
           graph_names_add(reader->names, name.begin, name.length);
}

bool names_fit_memory(const struct graph_names *names, uint64_t allowed, const char *path,
                      struct graph_error *error)
{
    char text[32];
    return graph_names_memory(names) <= allowed ||
           graph_fail(error, path, "the names do not fit: %lu of them need %s of memory",
                      (unsigned long)names->count, memory_text(text, graph_names_memory(names)));
}

/* All lines. False with error set, or when out of memory. */
static bool read_lines(struct names_reader *reader)
{
    struct text_lines *lines = &reader->lines;
    const char *begin, *end;
    bool started = false;
    while (text_lines_next(lines, &begin, &end, reader->error)) {
        end -= end > begin && end[-1] == '\r';
        if (memchr(begin, '\0', (size_t)(end - begin)) != NULL) {
            return graph_fail_line(reader->error, lines->source.name, lines->number,
                                   "a name holds a NUL byte");
        }
        if (!started && (is_comment(begin, end) || (begin == end && lines->number > 1))) {
            continue;
        }
        if (!started) {
            started = true;
            reader->layout = tell_layout(begin, end);
            reader->first_line = lines->number + reader->layout.is_heading;
            if (reader->layout.is_heading) {
                continue;
            }
        }
        if (!add_line(reader, begin, end)) {
            return false;
        }
        if (lines->left == 0 && !names_fit_memory(reader->names, reader->memory_limit,
                                                  lines->source.name, reader->error)) {
            return false; /* looked at once per block of lines */
        }
    }
    return reader->error->message[0] == '\0';
}

/* The names in the order of their ids, each of which must be there once. NULL with error set, or
 * when out of memory. */
static struct graph_names *sort_names(const struct names_reader *reader)
{
    const struct graph_names *names = reader->names;
    const uint32_t count = names->count;
    uint32_t first = UINT32_MAX;
    struct graph_names *sorted = graph_names_create();
    uint32_t *at = calloc((size_t)count + 1, sizeof(*at)); /* number + 1 of each id */
    bool done = sorted != NULL && at != NULL;
    for (uint32_t i = 0; i < count; i++) {
        first = reader->ids[i] < first ? reader->ids[i] : first;
    }
    for (uint32_t i = 0; done && i < count; i++) {
        const uint32_t id = reader->ids[i];
        const char *why = id - first >= count  ? "has an id, but not every id before it is here"
                          : at[id - first] > 0 ? "has an id that an earlier line has"
                                               : NULL;
        if (why != NULL) {
            done = graph_fail_line(reader->error, reader->lines.source.name, reader->first_line + i,
                                   "node %u %s", id, why);
        } else {
            at[id - first] = i + 1;
        }
    }
    for (uint32_t i = 0; done && i < count; i++) {
        const char *text = names->text + names->begins[at[i] - 1];
        done = graph_names_add_plain(sorted, text, strlen(text));
    }
    free(at);
    if (!done) {
        graph_names_free(sorted);
        return NULL;
    }
    sorted->first_id = first;
    return sorted;
}

struct graph_names *names_file_load(const char *path, bool *has_ids, uint64_t memory_limit,
                                    const volatile sig_atomic_t *cancel, struct graph_error *error)
{
    struct names_reader reader = {
        .error = error, .layout.id = NO_COLUMN, .memory_limit = memory_limit};
    if (!text_lines_open(&reader.lines, path, error)) {
        return NULL;
    }
    reader.lines.source.cancel = cancel;
    reader.names = graph_names_create();
    bool done = reader.names != NULL && read_lines(&reader);
    *has_ids = done && reader.layout.id != NO_COLUMN && reader.names->count > 0;
    if (*has_ids) {
        struct graph_names *sorted = sort_names(&reader);
        graph_names_free(reader.names);
        reader.names = sorted;
        done = sorted != NULL;
    }
    if (!done) {
        graph_fail(error, reader.lines.source.name, "out of memory for the names");
    }
    free(reader.ids);
    free(reader.unquoted);
    if (!text_lines_close(&reader.lines, error)) {
        graph_names_free(reader.names);
        return NULL;
    }
    return reader.names;
}

uint32_t names_file_repeats(struct graph_names *names, uint32_t *first)
{
    uint32_t repeats = 0;
    for (uint32_t i = 0; graph_names_prepare(names) && i < names->count; i++) {
        const size_t length = (size_t)(names->begins[i + 1] - names->begins[i]) - 1;
        uint32_t number = i;
        if (length > 0 &&
            graph_names_find(names, names->text + names->begins[i], length, &number) &&
            number != i && repeats++ == 0) {
            *first = i;
        }
    }
    return repeats;
}
