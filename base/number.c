/*
 * number.c - digits, a decimal point and a suffix, with every overflow seen.
 */
#include "number.h"
#include "pw_assert.h"
#include <string.h>

bool number_read_decimal(const char *text, size_t length, uint64_t unit, uint64_t *number)
{
    uint64_t value = 0;
    size_t point = length; /* where the decimal point is; length if the number has no point */
    pw_assert(unit > 0);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && point == length) {
            point = i;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value)) {
            return false;
        }
        if (i > point) {
            if (unit % 10 != 0) {
                return false; /* more decimals than the unit has */
            }
            unit /= 10;
        }
    }
    if (length == 0 || point + 1 == length || __builtin_mul_overflow(value, unit, &value)) {
        return false;
    }
    *number = value;
    return true;
}

bool number_read(const char *text, size_t length, enum number_step step, uint64_t *number)
{
    static const char suffixes[] = "kKmMgGtT";
    const char *suffix =
        length > 0 ? memchr(suffixes, text[length - 1], sizeof(suffixes) - 1) : NULL;
    uint64_t unit = 1;
    pw_assert(step == NUMBER_COUNT || step == NUMBER_BYTES);
    if (suffix == NULL) {
        return number_read_decimal(text, length, unit, number);
    }
    for (long power = (suffix - suffixes) / 2; power >= 0; power--) {
        unit *= (uint64_t)step;
    }
    return text[0] != '.' && number_read_decimal(text, length - 1, unit, number);
}
