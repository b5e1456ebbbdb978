/*
 * edge_scan.c - find the numbers of a block without looking at its bytes one by one.
 *
 * 1. For 64 bytes at a time, make a mask of the bytes that are not digits (SSE2, or eight bytes at
 *    a time in a register), and from it a list of their positions. These are the ends of all
 *    numbers, found without a branch that depends on the text.
 * 2. Two positions make a line "id id". Each number is the eight bytes before its end, shifted
 *    clear of what precedes it, and three multiplications. No load waits for the number before.
 * 3. Whatever is not plain goes to the careful reader, edge_line_read, and the list is picked up
 *    again behind that line.
 * Cost: some 10 cycles per line. Source for both tricks: Langdale and Lemire, "Parsing gigabytes of
 * JSON per second" (2019); D. Lemire's notes on parsing eight digits.
 */
#include "edge_scan.h"
#include <stdlib.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define WINDOW_SIZE ((size_t)8 << 10) /* bytes whose positions are listed at once; fits 16 bits */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE uint64_t load_word(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

/* A bit for each of 64 bytes: set where there is no digit. */
ALWAYS_INLINE uint64_t other_than_digits(const char *at)
{
#ifdef __SSE2__
    uint64_t digits = 0;
    for (int i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + 16 * i));
        __m128i value = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
        __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);
        digits |= (uint64_t)(unsigned)_mm_movemask_epi8(is_digit) << (16 * i);
    }
    return ~digits;
#else
    uint64_t others = 0;
    for (int i = 0; i < 8; i++) {
        uint64_t word = load_word(at + 8 * i);
        uint64_t low = word & 0x7f7f7f7f7f7f7f7f;
        /* High bit of each byte: below '0', above '9', or not ASCII. */
        uint64_t other = (0xafafafafafafafaf - low) | (low + 0x4646464646464646) | word;
        other = (other & 0x8080808080808080) >> 7;
        others |= (other * 0x0102040810204080 >> 56) << (8 * i);
    }
    return others;
#endif
}

/* Without the instruction, which a plain x86-64 need not have. */
ALWAYS_INLINE unsigned count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (unsigned)(bits * 0x0101010101010101 >> 56);
}

/* List the positions of the bytes of a window that are no digits; returns how many. */
static size_t list_positions(const char *text, size_t length, uint16_t *positions)
{
    uint16_t *next = positions;
    for (size_t i = 0; i < length; i += 64) {
        uint64_t mask = other_than_digits(text + i);
        if (length - i < 64) {
            mask &= ((uint64_t)1 << (length - i)) - 1;
        }
        unsigned count = count_bits(mask);
        /* Eight at a time; the next window overwrites what is past the last. */
        for (unsigned done = 0; done < count; done += 8) {
            for (unsigned k = 0; k < 8; k++) {
                next[done + k] = (uint16_t)(i + (size_t)__builtin_ctzll(mask | (uint64_t)1 << 63));
                mask &= mask - 1;
            }
        }
        next += count;
    }
    return (size_t)(next - positions);
}

/* The number of 1 to 8 digits that ends before end. */
ALWAYS_INLINE uint32_t short_number(const char *end, unsigned length)
{
    uint64_t word = load_word(end - 8) & 0x0f0f0f0f0f0f0f0f;
    word &= UINT64_MAX << (64 - 8 * length);
    word = word * 10 + (word >> 8);
    word = ((word & 0x000000ff000000ff) * 0x000f424000000064 +
            (word >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >>
           32;
    return (uint32_t)word;
}

ALWAYS_INLINE void add_edge(struct edge_scan *scan, struct edge_layout layout, uint32_t source,
                            uint32_t target, bool plain)
{
    if (plain) {
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
    add_edge(scan, scan->writer->layout, source, target, false);
}

static void remember_skipped(struct edge_scan *scan)
{
    if (scan->skipped_count == scan->skipped_capacity) {
        size_t capacity = scan->skipped_capacity ? scan->skipped_capacity * 2 : 16;
        uint64_t *skipped = realloc(scan->skipped, capacity * sizeof(*skipped));
        if (skipped == NULL) {
            scan->out_of_memory = true;
            return;
        }
        scan->skipped = skipped;
        scan->skipped_capacity = capacity;
    }
    scan->skipped[scan->skipped_count++] = scan->line_count;
}

/* One line by the careful reader. Returns where the next begins; NULL at a bad line. */
static const char *scan_line(struct edge_scan *scan, const char *begin, const char *end)
{
    struct edge_line line;
    const char *stop = memchr(begin, '\n', (size_t)(end - begin));
    switch (edge_line_read(begin, stop, scan->rules, &line)) {
    case EDGE_LINE_EDGE:
        edge_scan_add(scan, line.source, line.target);
        scan->has_more |= line.has_more;
        break;
    case EDGE_LINE_SKIP:
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

/* Whether a byte may be all that stands between two ids. */
ALWAYS_INLINE bool stands_between(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

/* What of the scan changes with every line, in registers. */
struct plain_lines {
    uint64_t count;
    uint32_t id_min, id_max, source, target;
};

static void end_plain(struct edge_scan *scan, struct plain_lines *lines)
{
    if (lines->count > 0) {
        scan->line_count += lines->count;
        scan->entry_count += lines->count;
        scan->last_source = lines->source;
        scan->last_target = lines->target;
    }
    scan->id_min = lines->id_min < scan->id_min ? lines->id_min : scan->id_min;
    scan->id_max = lines->id_max > scan->id_max ? lines->id_max : scan->id_max;
    *lines = (struct plain_lines){0, UINT32_MAX, 0, 0, 0};
}

/*
 * How many positions the line at next has up to its newline, when it goes on after the second id: a
 * carriage return, or more columns. 0: for the careful reader.
 */
static size_t line_tail(struct edge_scan *scan, const char *window, const uint16_t *next,
                        const uint16_t *stop)
{
    const char *second = window + next[1];
    size_t count = 2;
    if (*second == '\r') {
        return second[1] == '\n' && stop - next >= 3 && scan->rules->value_count == 0 ? 3 : 0;
    }
    bool has_column = (second[1] >= '0' && second[1] <= '9') || second[1] == '-';
    if (!stands_between(*second) || !has_column) {
        return 0;
    }
    while (next + count < stop && window[next[count]] != '\n') {
        const char *other = window + next[count];
        if (*other == '\r' && other[1] != '\n') {
            return 0;
        }
        count++;
    }
    scan->has_more |= scan->rules->value_count == 0;
    return next + count < stop ? count + 1 : 0;
}

/*
 * Scan the plain lines from begin on; positions are relative to window. Returns where the first
 * line begins that is not plain or not complete in the window.
 */
ALWAYS_INLINE const char *scan_plain(struct edge_scan *scan, const char *window, const char *begin,
                                     const uint16_t **cursor, const uint16_t *stop, bool plain)
{
    struct plain_lines lines = {0, UINT32_MAX, 0, 0, 0};
    const struct edge_rules *rules = scan->rules;
    uint32_t source_min = (uint32_t)rules->source_min, target_min = (uint32_t)rules->target_min;
    uint32_t source_span = (uint32_t)(rules->source_max - rules->source_min);
    uint32_t target_span = (uint32_t)(rules->target_max - rules->target_min);
    bool needs_value = rules->value_count > 0;
    struct edge_layout layout = scan->writer->layout;
    const uint16_t *next = *cursor;
    while (stop - next >= 2) {
        const char *first = window + next[0];
        const char *second = window + next[1];
        size_t first_length = (size_t)(first - begin);
        size_t second_length = (size_t)(second - first) - 1;
        if (first_length - 1 >= 8 || second_length - 1 >= 8 || !stands_between(*first)) {
            break;
        }
        size_t ends = 2;
        const char *line_end = second;
        if (UNLIKELY(*second != '\n')) {
            ends = line_tail(scan, window, next, stop);
            if (ends == 0) {
                break;
            }
            line_end = window + next[ends - 1];
        } else if (needs_value) {
            break;
        }
        uint32_t source = short_number(first, (unsigned)first_length);
        uint32_t target = short_number(second, (unsigned)second_length);
        if ((source - source_min > source_span) | (target - target_min > target_span)) {
            break;
        }
        uint32_t low = source < target ? source : target;
        uint32_t high = source < target ? target : source;
        lines.id_min = low < lines.id_min ? low : lines.id_min;
        lines.id_max = high > lines.id_max ? high : lines.id_max;
        lines.source = source;
        lines.target = target;
        lines.count++;
        add_edge(scan, layout, source, target, plain);
        begin = line_end + 1;
        next += ends;
    }
    *cursor = next;
    end_plain(scan, &lines);
    return begin;
}

ALWAYS_INLINE bool scan_block(struct edge_scan *scan, const char *text, const char *end, bool plain)
{
    uint16_t positions[WINDOW_SIZE + 64];
    const struct edge_rules *rules = scan->rules;
    bool no_nodes = rules->source_min > rules->source_max || rules->target_min > rules->target_max;
    bool only_careful = rules->value_count > 1 || rules->prefix || no_nodes;
    while (text < end && !scan->writer->failed && !scan->out_of_memory) {
        size_t left = (size_t)(end - text);
        size_t length = left < WINDOW_SIZE ? left : WINDOW_SIZE;
        const char *window = text;
        const uint16_t *next = positions;
        const uint16_t *stop = positions;
        if (!only_careful) {
            stop += list_positions(window, length, positions);
        }
        do {
            text = scan_plain(scan, window, text, &next, stop, plain);
            if (text == window + length) {
                break;
            }
            text = scan_line(scan, text, end); /* also the last line, cut by the window */
            if (text == NULL) {
                return false;
            }
            while (next < stop && window + *next < text) {
                next++;
            }
        } while (text < window + length);
    }
    return !scan->writer->failed && !scan->out_of_memory;
}

bool edge_scan_block(struct edge_scan *scan, const char *text, size_t length)
{
    const char *end = text + length;
    /* Two copies of the code: the first for edges that go to the writer as they are. */
    return scan->direction == EDGES_FORWARD ? scan_block(scan, text, end, true)
                                            : scan_block(scan, text, end, false);
}
