/*
 * edge_scan.c - reads the numbers of a block eight bytes at a time.
 *
 * 1. A number is found and converted in one 64-bit word: a mask of the bytes that are not digits
 *    gives its length, a shift clears the bytes after it, and three multiplications give its value.
 * 2. Two numbers make a line "id id". In a file sorted by target, the second often equals the one
 *    in the line before: a comparison of its bytes saves the conversion.
 * 3. Whatever is not plain, or has more than eight digits, goes to the careful reader,
 *    edge_line_read, for one line.
 * Cost: some 15 cycles per line of a file sorted by target, 30 of others. Source: D. Lemire's notes
 * on parsing eight digits; Mycroft's test for a byte in a word.
 */
#include "edge_scan.h"
#include "base/array_reserve.h"
#include "base/pw_assert.h"
#include <endian.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint64_t load_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return le64toh(word);
}

/* Eight bytes of text; its digits become their values. */
ALWAYS_INLINE uint64_t load_values(const char *at)
{
    return load_word(at) ^ 0x3030303030303030;
}

/* How many of the first bytes are digits: 0 to 8. */
ALWAYS_INLINE unsigned count_digits(uint64_t values)
{
    /* The high bit of each byte above 9; a carry only reaches bytes after the first of them. */
    uint64_t others = ((values + 0x7676767676767676) | values) & 0x8080808080808080;
    return LIKELY(others != 0) ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The number of the first length bytes, 1 to 8. */
ALWAYS_INLINE uint32_t short_number(uint64_t values, unsigned length)
{
    uint64_t word = values << (64 - 8 * length);
    word = word * 10 + (word >> 8);
    word = ((word & 0x000000ff000000ff) * 0x000f424000000064 +
            (word >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
           32;
    return (uint32_t)word;
}

/* The purpose of a copy of the code: any scan; edges that go to the writer unchanged; or the same
 * with a sorted part. */
enum scan_kind { SCAN_ANY, SCAN_PLAIN, SCAN_SORTED };

ALWAYS_INLINE void add_edge(struct edge_scan *scan, struct target_part *part,
                            struct edge_layout layout, uint32_t source, uint32_t target,
                            enum scan_kind kind)
{
    if (kind != SCAN_PLAIN && part != NULL && part->is_sorted) {
        target_part_add(part, source, target);
    }
    if (kind != SCAN_ANY) {
        edge_writer_put(scan->writer, layout, source, target);
        return;
    }
    if (scan->direction != EDGES_REVERSE) {
        edge_writer_add(scan->writer, source, target);
    }
    if (scan->direction == EDGES_REVERSE || (scan->direction == EDGES_BOTH && source != target)) {
        edge_writer_add(scan->writer, target, source);
    }
}

void edge_scan_add(struct edge_scan *scan, uint32_t source, uint32_t target)
{
    uint32_t low = source < target ? source : target;
    uint32_t high = source < target ? target : source;
    scan->id_min = low < scan->id_min ? low : scan->id_min;
    scan->id_max = high > scan->id_max ? high : scan->id_max;
    scan->last_source = source;
    scan->last_target = target;
    scan->entry_count++;
    pw_assert(scan->id_min <= scan->id_max);
    add_edge(scan, scan->part, scan->writer->layout, source, target, SCAN_ANY);
}

void edge_scan_node(struct edge_scan *scan, uint32_t node)
{
    scan->id_min = node < scan->id_min ? node : scan->id_min;
    scan->id_max = node > scan->id_max ? node : scan->id_max;
    pw_assert(scan->id_min <= scan->id_max);
}

static void remember_skipped(struct edge_scan *scan)
{
    if (!array_reserve(&scan->skipped, &scan->skipped_capacity, scan->skipped_count + 1,
                       sizeof(*scan->skipped))) {
        scan->out_of_memory = true;
        return;
    }
    pw_assert(scan->skipped_count == 0 ||
              scan->skipped[scan->skipped_count - 1] < scan->line_count);
    scan->skipped[scan->skipped_count++] = scan->line_count;
}

/* One line by the careful reader. Returns where the next begins; NULL at a bad line. */
static const char *scan_line(struct edge_scan *scan, const char *begin, const char *end)
{
    struct edge_line line;
    const char *stop = memchr(begin, '\n', (size_t)(end - begin));
    pw_assert(stop != NULL);
    switch (edge_line_read(begin, stop, scan->rules, &line)) {
    case EDGE_LINE_EDGE:
        edge_scan_add(scan, line.source, line.target);
        scan->notes.has_more |= line.has_more;
        break;
    case EDGE_LINE_SKIP:
        scan->notes.comment_count += *begin == '#' || *begin == '%';
        if (scan->keep_skipped) {
            remember_skipped(scan);
        }
        break;
    default:
        scan->bad_begin = begin;
        scan->bad_end = stop;
        return NULL;
    }
    scan->line_count++;
    return stop + 1;
}

/* True if a byte alone may separate two ids. */
ALWAYS_INLINE bool may_separate(char c)
{
    return LIKELY(c == ' ') || c == '\t' || c == ',';
}

/* The state of the scan that changes with every line, in registers. */
struct plain_lines {
    uint64_t count;
    uint32_t id_min, id_max, source, target;
};

static void end_plain(struct edge_scan *scan, const struct plain_lines *lines)
{
    pw_assert(lines->count == 0 || lines->id_min <= lines->id_max);
    if (lines->count > 0) {
        scan->line_count += lines->count;
        scan->entry_count += lines->count;
        scan->last_source = lines->source;
        scan->last_target = lines->target;
    }
    scan->id_min = lines->id_min < scan->id_min ? lines->id_min : scan->id_min;
    scan->id_max = lines->id_max > scan->id_max ? lines->id_max : scan->id_max;
}

/* Where the next line begins if this one goes on after its second id: with a carriage return, or
 * more columns; second, at: where that id begins and ends. NULL: leave it to the careful reader. */
static const char *skip_tail(struct edge_scan *scan, const char *second, const char *at,
                             const char *end)
{
    if (*at == '\r') {
        return at[1] == '\n' && scan->rules->value_count == 0 ? at + 2 : NULL;
    }
    bool has_column = (at[1] >= '0' && at[1] <= '9') || at[1] == '-';
    if (!may_separate(*at) || !has_column || scan->has_quotes ||
        ((second[-1] == ',' || *at == ',') && scan->rules->has_no_commas)) {
        return NULL;
    }
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *other = memchr(at, '\r', (size_t)(newline - at));
    if (other != NULL && other + 1 != newline) {
        return NULL;
    }
    scan->notes.has_more |= scan->rules->value_count == 0;
    return newline + 1;
}

/* Scan the plain lines from begin on. Returns the start of the first line that is not plain. */
ALWAYS_INLINE const char *scan_plain(struct edge_scan *scan, const char *begin, const char *end,
                                     enum scan_kind kind)
{
    struct plain_lines lines = {0, UINT32_MAX, 0, 0, 0};
    const struct edge_rules *rules = scan->rules;
    const struct edge_layout layout = scan->writer->layout;
    const uint32_t source_min = (uint32_t)rules->source_min;
    const uint32_t source_span = (uint32_t)(rules->source_max - rules->source_min);
    const int newline = rules->value_count == 0 ? '\n' : -1; /* equal to no byte */
    uint64_t last_mask = 0, last_bytes = 1; /* of the last target; 1: equal to none */
    const char *taken = NULL;               /* the line whose target was taken into the ids last */
    uint32_t min_before = UINT32_MAX, max_before = 0; /* the ids without that target */
    unsigned last_length = 0;
    uint32_t target = 0;
    struct target_part part = {0}; /* a copy: two threads' parts may share a cache line */
    if (kind == SCAN_SORTED) {
        part = *scan->part;
    }
    while (begin < end) {
        uint64_t values = load_values(begin);
        unsigned length = count_digits(values);
        const char *second = begin + length + 1;
        if (length == 0 || !may_separate(second[-1])) {
            break;
        }
        uint32_t source = short_number(values, length);
        values = load_values(second);
        /* A longer number with the same first digits ends at its tail: skip_tail refuses it. */
        if ((values & last_mask) != last_bytes) {
            last_length = count_digits(values);
            if (last_length == 0) {
                break;
            }
            last_mask = UINT64_MAX >> (64 - 8 * last_length);
            last_bytes = values & last_mask;
            target = short_number(values, last_length);
            if (target < rules->target_min || target > rules->target_max) {
                break;
            }
            taken = begin;
            min_before = lines.id_min;
            max_before = lines.id_max;
            lines.id_min = target < lines.id_min ? target : lines.id_min;
            lines.id_max = target > lines.id_max ? target : lines.id_max;
        }
        const char *tail = second + last_length;
        const char *next = tail + 1;
        if (UNLIKELY((unsigned char)*tail != newline) &&
            (next = skip_tail(scan, second, tail, end)) == NULL) {
            break;
        }
        if (UNLIKELY(source - source_min > source_span)) {
            break;
        }
        lines.id_min = source < lines.id_min ? source : lines.id_min;
        lines.id_max = source > lines.id_max ? source : lines.id_max;
        lines.source = source;
        lines.target = target;
        lines.count++;
        add_edge(scan, &part, layout, source, target, kind);
        begin = next;
    }
    pw_assert(begin <= end);
    if (taken == begin) { /* its line is not plain: what was read may be a part of a number */
        lines.id_min = min_before;
        lines.id_max = max_before;
    }
    if (kind == SCAN_SORTED) {
        *scan->part = part;
    }
    end_plain(scan, &lines);
    return begin;
}

ALWAYS_INLINE bool scan_as(struct edge_scan *scan, const char *text, const char *end,
                           enum scan_kind kind)
{
    const struct edge_rules *rules = scan->rules;
    bool no_nodes = rules->source_min > rules->source_max || rules->target_min > rules->target_max;
    bool only_careful = rules->value_count > 1 || rules->prefix || no_nodes;
    while (text < end && !scan->writer->failed && !scan->out_of_memory) {
        text = only_careful ? text : scan_plain(scan, text, end, kind);
        text = text < end ? scan_line(scan, text, end) : text;
        if (text == NULL) {
            return false;
        }
    }
    return !scan->writer->failed && !scan->out_of_memory;
}

bool edge_scan_block(struct edge_scan *scan, const char *text, size_t length)
{
    const char *end = text + length;
    pw_assert(length > 0 && end[-1] == '\n');
    pw_assert(scan->part == NULL || scan->direction == EDGES_FORWARD);
    scan->has_quotes = scan->rules->is_table && memchr(text, '"', length) != NULL;
    if (scan->direction != EDGES_FORWARD) {
        return scan_as(scan, text, end, SCAN_ANY);
    }
    return scan->part != NULL && scan->part->is_sorted ? scan_as(scan, text, end, SCAN_SORTED)
                                                       : scan_as(scan, text, end, SCAN_PLAIN);
}
