/*
 * report_value.c - numbers and texts in the three formats.
 *
 * Everything is integer arithmetic on digits: no printf of floating point, so no locale's comma.
 */
#include "report_value.h"
#include "base/macros.h"
#include "base/pw_assert.h"
#include "base/utf8.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DIGITS_MAX 9

static uint64_t power_of_ten(unsigned exponent)
{
    uint64_t power = 1;
    pw_assert(exponent <= 19); /* more do not fit */
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
        pw_assert(rate >= whole * scale);
    }
    return report_decimal(rate, 3);
}

struct report_value report_real(double value, unsigned digits)
{
    pw_assert(digits <= DIGITS_MAX);
    double scaled = fabs(value) * (double)power_of_ten(digits) + 0.5;
    if (!(scaled < 0x1p64)) { /* also for NaN */
        return report_unknown();
    }
    struct report_value decimal = report_decimal((uint64_t)scaled, digits);
    decimal.negative = value < 0 && decimal.number > 0;
    return decimal;
}

struct report_value report_share(double share)
{
    struct report_value value = report_real(share, 6);
    value.kind = value.kind == REPORT_DECIMAL ? REPORT_SHARE : value.kind;
    return value;
}

/* The digits of a number, at most digits_max after the point. grouped: with separators. */
static void write_digits(char text[REPORT_NUMBER_SIZE], struct report_value value,
                         unsigned digits_max, bool grouped)
{
    unsigned digits = value.digits;
    uint64_t number = value.number;
    char whole[TEXT_FORM_SIZE];
    pw_assert(digits <= DIGITS_MAX);
    if (digits_max < digits) {
        uint64_t unit = power_of_ten(digits - digits_max);
        number = number / unit + (number % unit >= unit - unit / 2);
        digits = digits_max;
    }
    const uint64_t unit = power_of_ten(digits);
    if (grouped) {
        text_count(whole, number / unit);
    } else {
        snprintf(whole, sizeof(whole), "%" PRIu64, number / unit);
    }
    pw_assert(digits <= digits_max);
    int length = snprintf(text, REPORT_NUMBER_SIZE, "%s%s", value.negative ? "-" : "", whole);
    if (digits > 0) {
        snprintf(text + length, REPORT_NUMBER_SIZE - (size_t)length, ".%0*" PRIu64, (int)digits,
                 number % unit);
    }
}

void report_number(char text[REPORT_NUMBER_SIZE], struct report_value value, unsigned digits_max)
{
    if (value.kind == REPORT_SECONDS) {
        text_duration(text, value.number);
    } else if (value.kind == REPORT_BYTES) {
        text_bytes(text, value.number);
    } else if (value.kind == REPORT_SHARE) {
        pw_assert(value.digits >= 2);
        const unsigned digits = value.number < 10 * power_of_ten(value.digits) ? 2 : 0;
        value.digits -= 2;
        write_digits(text, value, digits_max < digits ? digits_max : digits, true);
        text_append(text, " %");
    } else if (digits_max == REPORT_SHORT && value.kind != REPORT_ID) {
        const uint64_t unit = power_of_ten(value.digits);
        text_short(text,
                   value.number / unit + (value.number % unit >= unit - unit / 2 && unit > 1));
    } else {
        write_digits(text, value, digits_max, value.kind != REPORT_ID);
    }
}

/* Digits after the point for four digits in all; those before the point always count. */
static unsigned true_digits(struct report_value value)
{
    uint64_t whole = value.number / power_of_ten(value.digits);
    return whole >= 1000 ? 0 : whole >= 100 ? 1 : whole >= 10 ? 2 : whole >= 1 ? 3 : 4;
}

/* Write the start of a text that needs no escape: nearly all of it. Returns the rest. */
static const char *write_plain(FILE *out, const char *text)
{
    const char *end = text;
    while (*end >= 0x20 && *end < 0x7f && *end != '"' && *end != '\\') {
        end++;
    }
    fwrite(text, 1, (size_t)(end - text), out);
    return end;
}

/* A text in quotes, escaped. */
static void write_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*(text = write_plain(out, text)) != '\0') {
        const unsigned char first = (unsigned char)*text;
        uint32_t code;
        const size_t bytes = utf8_decode(text, SIZE_MAX, &code);
        if (bytes > 0 && utf8_is_hidden(code)) {
            fprintf(out, "\\u%04x", (unsigned)code);
            text += bytes;
        } else {
            fputs(first == '"' || first == '\\' ? "\\" : "", out);
            text += text_write_character(out, text, SIZE_MAX); /* stops at the end */
        }
    }
    fputc('"', out);
}

static void write_csv_text(FILE *out, const char *text)
{
    const char *quote = text[strcspn(text, ",\"\r\n")] == '\0' ? "" : "\"";
    fputs(quote, out);
    while (*(text = write_plain(out, text)) != '\0') {
        fputs(*text == '"' ? "\"" : "", out);
        text += text_write_character(out, text, SIZE_MAX);
    }
    fputs(quote, out);
}

static void write_ids(FILE *out, enum report_format format, struct report_value value)
{
    const bool is_array = format == REPORT_FORMAT_JSON;
    fputs(is_array ? "[" : "", out);
    for (size_t i = 0; i < value.text_count; i++) {
        fprintf(out, "%s%lu", i == 0 ? "" : is_array ? ", " : " -> ", (unsigned long)value.ids[i]);
    }
    fputs(is_array ? "]" : "", out);
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
    case REPORT_INTEGER:
    case REPORT_ID:
    case REPORT_DECIMAL:
    case REPORT_SECONDS:
    case REPORT_SHARE:
    case REPORT_BYTES:
        if (format == REPORT_FORMAT_TEXT) {
            report_number(number, value, true_digits(value));
        } else {
            write_digits(number, value, DIGITS_MAX, false);
        }
        fputs(number, out);
        break;
    case REPORT_TEXT:
        if (format == REPORT_FORMAT_JSON) {
            write_json_string(out, value.text);
        } else if (format == REPORT_FORMAT_CSV) {
            write_csv_text(out, value.text);
        } else {
            text_write(out, value.text);
        }
        break;
    case REPORT_ARRAY:
        pw_assert(format == REPORT_FORMAT_JSON);
        for (size_t i = 0; i < value.text_count; i++) {
            fputs(i == 0 ? "[" : ", ", out);
            write_json_string(out, value.texts[i]);
        }
        fputs(value.text_count == 0 ? "[]" : "]", out);
        break;
    case REPORT_IDS:
        write_ids(out, format, value);
        break;
    }
}
