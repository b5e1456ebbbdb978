/*
 * fuzz_number.c - the one reader of numbers against arithmetic of 128 bits: an accepted number has
 * the written value; a refused one is too large, or is not a number of that kind.
 *
 * The first byte of an input chooses counts, bytes or decimals; the rest is the text.
 */
#include "base/number.h"
#include "fuzz.h"
#include <stdlib.h>
#include <string.h>

#define UNCHANGED UINT64_C(0x5a5a5a5a5a5a5a5a)

void fuzz_setup(void)
{
}

__extension__ typedef unsigned __int128 wide;

struct reading {
    bool is_number; /* digits with at most one point, and digits after it */
    bool is_large;  /* more digits than fit */
    wide digits;    /* without the point */
    wide scale;     /* a power of ten: the value is digits / scale */
    size_t decimals;
};

static struct reading read_digits(const char *text, size_t length)
{
    struct reading reading = {.is_number = length > 0, .scale = 1};
    bool point = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && !point) {
            point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            reading.digits = reading.digits * 10 + (unsigned)(text[i] - '0');
            reading.decimals += point;
            reading.scale *= point ? 10u : 1u;
            reading.is_large |= reading.digits > UINT64_MAX || reading.decimals > 19;
            if (reading.is_large) {
                reading.digits = reading.scale = 1;
            }
        } else {
            reading.is_number = false;
        }
    }
    reading.is_number = reading.is_number && !(point && reading.decimals == 0);
    return reading;
}

/* The expected result for digits and a unit. */
static void require_right(struct reading reading, uint64_t unit, bool accepted, uint64_t number)
{
    fuzz_require(accepted ? reading.is_number && !reading.is_large : number == UNCHANGED);
    if (accepted) {
        fuzz_require((wide)number * reading.scale == reading.digits * unit);
    } else if (reading.is_number && !reading.is_large && reading.decimals == 0) {
        fuzz_require(reading.digits * unit > UINT64_MAX);
    }
}

void fuzz_one(const uint8_t *bytes, size_t length)
{
    static const char suffixes[] = "kmgt";
    struct fuzz_input input = {bytes, bytes + length};
    unsigned choice = fuzz_take(&input) % 3;
    uint64_t number = UNCHANGED, unit = 1, step = choice == 0 ? 1000 : 1024;
    char *text = fuzz_text(input);
    size_t left = fuzz_left(&input);
    if (choice == 2) {
        bool accepted = number_read_decimal(text, left, 1000000000, &number);
        require_right(read_digits(text, left), 1000000000, accepted, number);
    } else {
        bool accepted = number_read(text, left, choice == 0 ? NUMBER_COUNT : NUMBER_BYTES, &number);
        const char *suffix =
            left > 0 && text[left - 1] != '\0' ? strchr(suffixes, text[left - 1] | 32) : NULL;
        size_t digits = left;
        if (suffix != NULL && text[left - 1] >= 'A') {
            for (digits--; suffix >= suffixes; suffix--) {
                unit *= step;
            }
        }
        struct reading reading = read_digits(text, digits);
        reading.is_number = reading.is_number && (digits == left || text[0] != '.');
        require_right(reading, unit, accepted, number);
    }
    free(text);
}
