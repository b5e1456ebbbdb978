/*
 * fuzz_report.c - any text in a report: a string of JSON and a field of CSV that give the text
 * back, one line in the text format, and no line wider than requested.
 *
 * The first byte of an input is the width; the rest is the text.
 */
#include "base/report/report_value.h"
#include "base/text/text_form.h"
#include "base/utf8.h"
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITTEN_MAX 16384

static char written[WRITTEN_MAX];
static FILE *out;

void fuzz_setup(void)
{
    out = fmemopen(written, sizeof(written), "w");
    fuzz_require(out != NULL);
}

static size_t write_as(enum report_format format, const char *text)
{
    rewind(out);
    report_write_value(out, format, report_text(text));
    fuzz_require(fflush(out) == 0);
    long end = ftell(out);
    fuzz_require(end >= 0 && end < WRITTEN_MAX);
    written[end] = '\0';
    return (size_t)end;
}

/* One character of a JSON string, as its code; *at moves past it. */
static unsigned json_character(const char **at)
{
    const char *p = *at;
    uint32_t character;
    size_t length = utf8_decode(p, SIZE_MAX, &character);
    unsigned code;
    fuzz_require((unsigned char)*p >= 0x20 && length > 0);
    *at = p + length;
    if (*p != '\\') {
        return (unsigned char)*p;
    }
    if (p[1] == 'u') {
        fuzz_require(sscanf(p + 2, "%4x", &code) == 1);
        *at = p + 6;
        return code;
    }
    fuzz_require(p[1] == '"' || p[1] == '\\' || strchr("bfnrt/", p[1]) != NULL);
    *at = p + 2;
    return (unsigned char)p[1];
}

/* Pass over a byte that is written as %FF. */
static void require_encoded(const char **at, char byte)
{
    char expected[4];
    snprintf(expected, sizeof(expected), "%%%02X", (unsigned char)byte);
    fuzz_require(strncmp(*at, expected, 3) == 0);
    *at += 3;
}

static void require_json(const char *text)
{
    size_t end = write_as(REPORT_FORMAT_JSON, text);
    const char *at = written + 1;
    fuzz_require(end >= 2 && written[0] == '"' && written[end - 1] == '"');
    while (at < written + end - 1) {
        const char *begin = at;
        uint32_t character;
        size_t length = utf8_decode(text, SIZE_MAX, &character);
        if (length == 0) { /* no UTF-8 */
            require_encoded(&at, *text++);
            continue;
        }
        unsigned code = json_character(&at);
        fuzz_require(begin[0] != '"');
        if (length == 1) {
            fuzz_require(code == (unsigned char)*text);
            text++;
        } else {
            fuzz_require((size_t)(at - begin) == length && memcmp(begin, text, length) == 0);
            text += length;
        }
    }
    fuzz_require(*text == '\0');
}

static void require_csv(const char *text)
{
    size_t end = write_as(REPORT_FORMAT_CSV, text);
    const bool quoted = end > 0 && written[0] == '"';
    fuzz_require(quoted == (strpbrk(text, ",\"\r\n") != NULL));
    const char *at = written + quoted;
    while (*text != '\0') {
        uint32_t character;
        const size_t length = utf8_decode(text, SIZE_MAX, &character);
        if (length == 0) {
            require_encoded(&at, *text++);
            continue;
        }
        fuzz_require(memcmp(at, text, length) == 0);
        at += length;
        fuzz_require(*text != '"' || *at++ == '"');
        text += length;
    }
    fuzz_require(strcmp(at, quoted ? "\"" : "") == 0);
}

static void require_text(const char *text, size_t columns)
{
    size_t end = write_as(REPORT_FORMAT_TEXT, text);
    for (size_t i = 0; i < end; i++) {
        fuzz_require((unsigned char)written[i] >= 0x20 && written[i] != 0x7f);
    }
    size_t fitting = text_fitting(text, columns);
    fuzz_require(fitting <= strlen(text));
    char *part = strndup(text, fitting);
    fuzz_require(part != NULL && text_width(part) <= columns);
    free(part);
    rewind(out);
    text_wrap(out, text, 0, columns % 7, columns + 20);
    fuzz_require(fflush(out) == 0 && ftell(out) < WRITTEN_MAX);
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    struct fuzz_input input = {bytes, bytes + length};
    size_t columns = fuzz_take(&input);
    if (length > 1000) {
        return;
    }
    char *text = fuzz_text(input);
    require_json(text);
    require_csv(text);
    require_text(text, columns);
    free(text);
}
