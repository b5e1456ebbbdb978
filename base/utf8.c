/*
 * utf8.c - RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
 */
#include "utf8.h"
#include <string.h>

size_t utf8_decode(const char *text, size_t length, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    if (length == 0) {
        return 0;
    }
    size_t count = byte[0] < 0x80             ? 1
                   : (byte[0] & 0xe0) == 0xc0 ? 2
                   : (byte[0] & 0xf0) == 0xe0 ? 3
                   : (byte[0] & 0xf8) == 0xf0 ? 4
                                              : 0;
    if (count == 0 || count > length) {
        return 0;
    }
    uint32_t value = count == 1 ? byte[0] : byte[0] & (0x7fU >> count);
    for (size_t i = 1; i < count; i++) {
        if ((byte[i] & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (byte[i] & 0x3f);
    }
    *code = value;
    return value < least[count] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000) ? 0
                                                                                           : count;
}

bool utf8_is_text(const char *begin, const char *end)
{
    while (begin < end) {
        uint32_t code;
        uint64_t eight;
        while (end - begin >= (ptrdiff_t)sizeof(eight)) { /* most texts are ASCII */
            memcpy(&eight, begin, sizeof(eight));
            if ((eight & UINT64_C(0x8080808080808080)) != 0) {
                break;
            }
            begin += sizeof(eight);
        }
        const size_t bytes = utf8_decode(begin, (size_t)(end - begin), &code);
        if (bytes == 0) {
            return begin == end;
        }
        begin += bytes;
    }
    return true;
}

bool utf8_is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
           (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}
