/*
 * json.h - a strict JSON reader for tests: whether a text is valid, and the value at a path.
 *
 * RFC 8259, and UTF-8 checked. A path is "summary.found" or "searches.2.hops" (elements from 0).
 */
#pragma once

#include <check.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct json_reader {
    const char *at;
    const char *path;  /* the rest of the path to find; NULL: no search */
    const char *begin; /* the value found, as written; NULL: not found */
    const char *end;
};

static inline bool json_value(struct json_reader *reader, const char *path, int depth);

static inline void json_space(struct json_reader *reader)
{
    reader->at += strspn(reader->at, " \t\r\n");
}

/* A well-formed UTF-8 sequence: its length, or 0. */
static inline size_t json_utf8(const unsigned char *p)
{
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (length == 0 || p[0] > 0xf4) {
        return 0;
    }
    unsigned code = length == 1 ? p[0] : p[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (p[i] & 0x3fu);
    }
    bool legal = length < 3 || (length == 3 ? code >= 0x800 && (code < 0xd800 || code > 0xdfff)
                                            : code >= 0x10000 && code <= 0x10ffff);
    return legal ? length : 0;
}

static inline bool json_string(struct json_reader *reader)
{
    if (*reader->at++ != '"') {
        return false;
    }
    while (*reader->at != '"') {
        const unsigned char *p = (const unsigned char *)reader->at;
        if (*p < 0x20) {
            return false;
        }
        if (*p == '\\') {
            if (p[1] == 'u') {
                for (int i = 2; i < 6; i++) {
                    if (!isxdigit(p[i])) {
                        return false;
                    }
                }
                reader->at += 6;
            } else if (p[1] != '\0' && strchr("\"\\/bfnrt", p[1]) != NULL) {
                reader->at += 2;
            } else {
                return false;
            }
        } else {
            size_t length = json_utf8(p);
            if (length == 0) {
                return false;
            }
            reader->at += length;
        }
    }
    reader->at++;
    return true;
}

static inline bool json_digits(struct json_reader *reader)
{
    size_t count = strspn(reader->at, "0123456789");
    reader->at += count;
    return count > 0;
}

static inline bool json_number(struct json_reader *reader)
{
    reader->at += *reader->at == '-';
    if (*reader->at == '0') {
        reader->at++;
    } else if (!json_digits(reader)) {
        return false;
    }
    if (*reader->at == '.') {
        reader->at++;
        if (!json_digits(reader)) {
            return false;
        }
    }
    if (*reader->at == 'e' || *reader->at == 'E') {
        reader->at++;
        reader->at += *reader->at == '+' || *reader->at == '-';
        return json_digits(reader);
    }
    return true;
}

/* The rest of a path after its first part, if that part is this name; else NULL. */
static inline const char *json_below(const char *path, const char *name, size_t length)
{
    size_t part = path != NULL ? strcspn(path, ".") : 0;
    if (path == NULL || part != length || memcmp(path, name, length) != 0) {
        return NULL;
    }
    return path[part] == '.' ? path + part + 1 : "";
}

/* Read an object or an array, with its members. */
static inline bool json_members(struct json_reader *reader, const char *path, int depth)
{
    bool is_object = *reader->at++ == '{';
    char close = is_object ? '}' : ']';
    json_space(reader);
    if (*reader->at == close) {
        reader->at++;
        return true;
    }
    for (unsigned index = 0;; index++) {
        char number[16];
        const char *name = number;
        size_t length = (size_t)snprintf(number, sizeof(number), "%u", index);
        json_space(reader);
        if (is_object) {
            name = reader->at + 1;
            if (!json_string(reader)) {
                return false;
            }
            length = (size_t)(reader->at - 1 - name);
            json_space(reader);
            if (*reader->at++ != ':') {
                return false;
            }
        }
        if (!json_value(reader, json_below(path, name, length), depth + 1)) {
            return false;
        }
        json_space(reader);
        if (*reader->at == close) {
            reader->at++;
            return true;
        }
        if (*reader->at++ != ',') {
            return false;
        }
    }
}

static inline bool json_value(struct json_reader *reader, const char *path, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    bool legal = false;
    json_space(reader);
    const char *begin = reader->at;
    if (depth > 64) {
        return false;
    }
    if (*begin == '{' || *begin == '[') {
        legal = json_members(reader, path, depth);
    } else if (*begin == '"') {
        legal = json_string(reader);
    } else if (isalpha((unsigned char)*begin)) {
        for (size_t i = 0; i < 3 && !legal; i++) {
            legal = strncmp(begin, words[i], strlen(words[i])) == 0;
            reader->at += legal ? strlen(words[i]) : 0;
        }
    } else {
        legal = json_number(reader);
    }
    if (legal && path != NULL && *path == '\0' && reader->begin == NULL) {
        reader->begin = begin;
        reader->end = reader->at;
    }
    return legal;
}

/* True if the whole text is one JSON value. */
static inline bool json_is_valid(const char *text)
{
    struct json_reader reader = {.at = text};
    bool legal = json_value(&reader, NULL, 0);
    json_space(&reader);
    return legal && *reader.at == '\0';
}

/* The value at a path as it is written, "" when there is no such value; good for eight calls. */
static inline const char *json_at(const char *text, const char *path)
{
    static char values[8][1024];
    static unsigned next;
    struct json_reader reader = {.at = text};
    char *value = values[next++ % 8];
    ck_assert(json_value(&reader, path, 0));
    if (reader.begin == NULL) {
        return "";
    }
    snprintf(value, 1024, "%.*s", (int)(reader.end - reader.begin), reader.begin);
    return value;
}
