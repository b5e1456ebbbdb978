/*
 * report_value.c - numbers and texts in the three formats.
 *
 * Everything is integer arithmetic on digits: no printf of floating point, so no locale's comma.
 */
#include "report_value.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DIGITS_MAX 9

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;
    while (exponent-- > 0) {
        power *= 10;
    }
    return power;
}

struct report_value report_rate(uint64_t count, uint64_t elapsed_ns)
{
    if (elapsed_ns == 0) {
        return report_unknown();
    }
    /* count / (elapsed_ns / 1e9) * 1e3 in two steps, so that no product passes 64 bits. */
    const uint64_t scale = UINT64_C(1000000000000);
    const uint64_t whole = count / elapsed_ns;
    if (whole > UINT64_MAX / scale) {
        return report_unknown();
    }
    uint64_t rate = whole * scale;
    uint64_t rest = count % elapsed_ns;
    for (uint64_t unit = scale / 1000; unit > 0; unit /= 1000) {
        if (rest > UINT64_MAX / 1000) { /* a count beyond 2^54 in as many ns: digits enough */
            break;
        }
        rest *= 1000;
        rate += rest / elapsed_ns * unit;
        rest %= elapsed_ns;
    }
    return report_decimal(rate, 3);
}

struct report_value report_real(double value, unsigned digits)
{
    double scaled = fabs(value) * (double)power_of_ten(digits) + 0.5;
    if (!(scaled < 0x1p64)) { /* not a number among them */
        return report_unknown();
    }
    struct report_value decimal = report_decimal((uint64_t)scaled, digits);
    decimal.negative = value < 0 && decimal.number > 0;
    return decimal;
}

void report_number(char text[REPORT_NUMBER_SIZE], struct report_value value, unsigned digits_max)
{
    unsigned digits = value.kind == REPORT_DECIMAL ? value.digits : 0;
    uint64_t number = value.number;
    pw_assert(digits <= DIGITS_MAX);
    if (digits_max < digits) {
        uint64_t unit = power_of_ten(digits - digits_max);
        number = number / unit + (number % unit >= unit - unit / 2);
        digits = digits_max;
    }
    const uint64_t unit = power_of_ten(digits);
    int length =
        snprintf(text, REPORT_NUMBER_SIZE, "%s%" PRIu64, value.negative ? "-" : "", number / unit);
    if (digits > 0) {
        snprintf(text + length, REPORT_NUMBER_SIZE - (size_t)length, ".%0*" PRIu64, (int)digits,
                 number % unit);
    }
}

size_t report_utf8_length(const char *sequence)
{
    const unsigned char *text = (const unsigned char *)sequence;
    static const struct {
        unsigned char first, last;            /* of the lead byte */
        unsigned char second_min, second_max; /* of the byte after it */
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last) {
            continue;
        }
        if (forms[i].length > 1 &&
            (text[1] < forms[i].second_min || text[1] > forms[i].second_max)) {
            return 0;
        }
        for (size_t k = 2; k < forms[i].length; k++) {
            if (text[k] < 0x80 || text[k] > 0xbf) {
                return 0;
            }
        }
        return forms[i].length;
    }
    return 0;
}

/* A text in quotes, escaped; what is not UTF-8 becomes U+FFFD. */
static void write_json_string(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    fputc('"', out);
    for (;;) {
        size_t plain = 0; /* bytes that stand for themselves: nearly all there are */
        while (p[plain] >= 0x20 && p[plain] < 0x7f && p[plain] != '"' && p[plain] != '\\') {
            plain++;
        }
        fwrite(p, 1, plain, out);
        p += plain;
        if (*p == '\0') {
            break;
        }
        size_t length = report_utf8_length((const char *)p);
        if (length == 0) {
            fputs("\\ufffd", out);
            p++;
        } else if (*p == '"' || *p == '\\') {
            fprintf(out, "\\%c", *p++);
        } else if (*p < 0x20 || *p == 0x7f) {
            fprintf(out, "\\u%04x", *p++);
        } else {
            fwrite(p, 1, length, out);
            p += length;
        }
    }
    fputc('"', out);
}

static void write_csv_text(FILE *out, const char *text)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text, out);
    }
    fputc('"', out);
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

/* A text on a line of its own: control characters would let a file name break the line. */
static void write_plain_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (is_control(*text)) {
            fprintf(out, "\\x%02x", (unsigned char)*text);
        } else {
            fputc(*text, out);
        }
    }
}

size_t report_plain_length(const char *text)
{
    size_t length = 0;
    for (; *text != '\0'; text++) {
        length += is_control(*text) ? sizeof("\\x00") - 1 : 1;
    }
    return length;
}

static void write_bytes(FILE *out, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    fprintf(out, "%" PRIu64, bytes);
    size_t unit = 0;
    uint64_t tenths = bytes / 1024 * 10 + bytes % 1024 * 10 / 1024;
    while (tenths >= 10240 && unit + 1 < COUNT_OF(units)) {
        tenths /= 1024;
        unit++;
    }
    if (tenths >= 10) {
        fprintf(out, " (%" PRIu64 ".%" PRIu64 " %s)", tenths / 10, tenths % 10, units[unit]);
    }
}

void report_write_value(FILE *out, enum report_format format, struct report_value value)
{
    static const char *const unknown[] = {"-", "", "null"};
    char number[REPORT_NUMBER_SIZE];
    switch (value.kind) {
    case REPORT_UNKNOWN:
        fputs(unknown[format], out);
        break;
    case REPORT_BOOLEAN:
        fputs(value.number != 0 ? "true" : "false", out);
        break;
    case REPORT_BYTES:
        if (format == REPORT_FORMAT_TEXT) {
            write_bytes(out, value.number);
            break;
        } /* fall through */
    case REPORT_INTEGER:
    case REPORT_DECIMAL:
        report_number(number, value, DIGITS_MAX);
        fputs(number, out);
        break;
    case REPORT_TEXT:
        if (format == REPORT_FORMAT_JSON) {
            write_json_string(out, value.text);
        } else if (format == REPORT_FORMAT_CSV) {
            write_csv_text(out, value.text);
        } else {
            write_plain_text(out, value.text);
        }
        break;
    }
}
