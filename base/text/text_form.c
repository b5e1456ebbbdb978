/*
 * text_form.c - see text_form.h. Integer arithmetic throughout: no locale's comma, no rounding to
 * "1000 ms".
 */
#include "text_form.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TEXT_COLUMNS_MAX 1000

static unsigned clamped(uint64_t columns)
{
    return columns < TEXT_COLUMNS_MIN   ? TEXT_COLUMNS_MIN
           : columns > TEXT_COLUMNS_MAX ? TEXT_COLUMNS_MAX
                                        : (unsigned)columns;
}

/* The width, or otherwise if it is not known. */
static unsigned columns_or(FILE *out, unsigned otherwise)
{
    struct winsize size;
    const char *given = getenv("COLUMNS");
    char *end = NULL;
    unsigned long columns = given != NULL ? strtoul(given, &end, 10) : 0;
    if (columns > 0 && *end == '\0') {
        return clamped(columns);
    }
    if (fileno(out) >= 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return clamped(size.ws_col);
    }
    return otherwise;
}

unsigned text_columns(FILE *out)
{
    return columns_or(out, TEXT_COLUMNS_PLAN);
}

unsigned text_columns_if_read(FILE *out)
{
    return isatty(fileno(out)) ? columns_or(out, TEXT_COLUMNS_PLAN) : UINT_MAX;
}

const char *text_count(char text[TEXT_FORM_SIZE], uint64_t number)
{
    char digits[32];
    int length = snprintf(digits, sizeof(digits), "%" PRIu64, number);
    char *at = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *at++ = ',';
        }
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}

/* A number of units (each at least 1000) with three digits, rounded half up. False when that has
 * four digits before the point. */
static bool three_digits(char text[TEXT_FORM_SIZE], uint64_t number, uint64_t unit)
{
    for (unsigned digits = 2, power = 100; power > 0; digits--, power /= 10) {
        const uint64_t step = unit / power;
        const uint64_t scaled = number / step + (number % step >= step - step / 2);
        if (scaled < 1000) {
            int length = snprintf(text, TEXT_FORM_SIZE, "%" PRIu64, scaled / power);
            if (digits > 0) {
                snprintf(text + length, TEXT_FORM_SIZE - (size_t)length, ".%0*" PRIu64, (int)digits,
                         scaled % power);
            }
            return true;
        }
    }
    return false;
}

const char *text_append(char text[TEXT_FORM_SIZE], const char *suffix)
{
    size_t length = strlen(text);
    snprintf(text + length, TEXT_FORM_SIZE - length, "%s", suffix);
    return text;
}

const char *text_duration(char text[TEXT_FORM_SIZE], uint64_t elapsed_ns)
{
    static const struct {
        uint64_t ns;
        const char *name;
    } units[] = {{1000, " us"}, {1000000, " ms"}, {1000000000, " s"}};
    if (elapsed_ns < 1000) {
        snprintf(text, TEXT_FORM_SIZE, "%" PRIu64 " ns", elapsed_ns);
        return text;
    }
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (three_digits(text, elapsed_ns, units[i].ns)) {
            return text_append(text, units[i].name);
        }
    }
    text_count(text, elapsed_ns / 1000000000 + (elapsed_ns % 1000000000 >= 500000000));
    return text_append(text, " s");
}

const char *text_bytes(char text[TEXT_FORM_SIZE], uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    uint64_t tenths = bytes / 1024 * 10 + bytes % 1024 * 10 / 1024;
    while (tenths >= 10240 && unit + 1 < COUNT_OF(units)) {
        tenths /= 1024;
        unit++;
    }
    if (bytes < 1024) {
        snprintf(text, TEXT_FORM_SIZE, "%" PRIu64 " byte%s", bytes, bytes == 1 ? "" : "s");
    } else {
        snprintf(text, TEXT_FORM_SIZE, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10,
                 units[unit]);
    }
    return text;
}

const char *text_short(char text[TEXT_FORM_SIZE], uint64_t number)
{
    static const char *const names[] = {" k", " M", " G", " T", " P", " E"};
    uint64_t unit = 1000;
    if (number < 1000) {
        snprintf(text, TEXT_FORM_SIZE, "%" PRIu64, number);
        return text;
    }
    for (size_t i = 0; i < COUNT_OF(names); i++, unit *= 1000) {
        if (three_digits(text, number, unit)) {
            return text_append(text, names[i]);
        }
    }
    pw_assert(false); /* 2^64 is 18.4 E */
    return text;
}

/* Widths ------------------------------------------------------------------------------------- */

/* The columns of a character that is escaped: \\x0a or \\u202e. */
static size_t escaped_columns(uint32_t code)
{
    return code < 0x80 ? sizeof("\\x00") - 1 : sizeof("\\u0000") - 1;
}

size_t text_write_character(FILE *out, const char *text, size_t length)
{
    uint32_t code;
    const size_t bytes = utf8_decode(text, length, &code);
    if (bytes == 0) {
        fprintf(out, "%%%02X", (unsigned char)*text);
        return 1;
    }
    fwrite(text, 1, bytes, out);
    return bytes;
}

void text_write(FILE *out, const char *text)
{
    text_write_part(out, text, SIZE_MAX);
}

void text_write_part(FILE *out, const char *text, size_t bytes)
{
    for (size_t taken; *text != '\0' && bytes > 0; text += taken, bytes -= taken) {
        uint32_t code = 0;
        taken = utf8_decode(text, bytes, &code);
        if (taken > 0 && utf8_is_hidden(code)) {
            fprintf(out, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
        } else if (taken == 1) { /* most */
            fputc(*text, out);
        } else {
            taken = text_write_character(out, text, bytes);
        }
    }
}

struct range {
    uint32_t first, last;
};

static bool is_in(const struct range *ranges, size_t count, uint32_t character)
{
    for (size_t i = 0; i < count && character >= ranges[i].first; i++) {
        if (character <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* The columns of a character: covers combining marks in use, and what East Asian terminals show
 * wide. */
static size_t columns_of(uint32_t character)
{
    static const struct range marks[] = {
        {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},
        {0x6d6, 0x6dc},   {0x93a, 0x93c},   {0x941, 0x948},   {0xe31, 0xe31},   {0xe34, 0xe3a},
        {0xe47, 0xe4e},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e},
        {0x20d0, 0x20ff}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
    };
    static const struct range wide[] = {
        {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},
        {0x4e00, 0xa4cf},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
        {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
        {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
    };
    return character < 0x300                          ? 1
           : is_in(marks, COUNT_OF(marks), character) ? 0
           : is_in(wide, COUNT_OF(wide), character)   ? 2
                                                      : 1;
}

/* The bytes of the character at text, which is not its end; *columns: its width. */
static size_t next_character(const char *text, size_t *columns)
{
    uint32_t character = 0;
    size_t length = utf8_decode(text, SIZE_MAX, &character); /* stops at the end of the text */
    if (length > 0 && utf8_is_hidden(character)) {
        *columns = escaped_columns(character);
        return length;
    }
    if (length <= 1) {
        *columns = length == 1 ? 1 : sizeof("%FF") - 1;
        return 1;
    }
    *columns = columns_of(character);
    return length;
}

static size_t width_of_part(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t at = 0; at < bytes && text[at] != '\0';) {
        size_t columns;
        at += next_character(text + at, &columns);
        width += columns;
    }
    return width;
}

size_t text_width(const char *text)
{
    return width_of_part(text, SIZE_MAX);
}

size_t text_fitting(const char *text, size_t columns)
{
    size_t bytes = 0;
    while (text[bytes] != '\0') {
        size_t taken;
        size_t length = next_character(text + bytes, &taken);
        if (taken > columns) {
            break;
        }
        columns -= taken;
        bytes += length;
    }
    return bytes;
}

void text_wrap(FILE *out, const char *text, size_t column, size_t indent, size_t columns)
{
    bool starts_line = true; /* a word longer than a line has a line of its own */
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        size_t width = width_of_part(text, length);
        if (!starts_line && column + 1 + width > columns) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            starts_line = true;
        }
        if (!starts_line) {
            fputc(' ', out);
            column++;
        }
        text_write_part(out, text, length);
        column += width;
        starts_line = false;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}
