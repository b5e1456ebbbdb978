/*
 * edit_distance.c - computes the table of distances, keeping three rows.
 */
#include "edit_distance.h"
#include "pw_assert.h"
#include <ctype.h>

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static int folded(char letter)
{
    return letter == '_' || letter == '.' ? '-' : tolower((unsigned char)letter);
}

unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length,
                       unsigned most)
{
    unsigned rows[3][EDIT_LENGTH_MAX + 1];
    const size_t apart = a_length > b_length ? a_length - b_length : b_length - a_length;
    if (apart > most || a_length > EDIT_LENGTH_MAX || b_length > EDIT_LENGTH_MAX) {
        return most + 1;
    }
    for (unsigned j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3];
        const unsigned *two_above = rows[(i + 1) % 3];
        unsigned least = row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            int x = folded(a[i - 1]);
            int y = folded(b[j - 1]);
            unsigned cost = smaller(above[j - 1] + (x != y), smaller(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && x == folded(b[j - 2]) && y == folded(a[i - 2])) {
                cost = smaller(cost, two_above[j - 2] + 1);
            }
            row[j] = cost;
            least = smaller(least, cost);
        }
        if (least > most) {
            return most + 1;
        }
    }
    pw_assert(rows[a_length % 3][b_length] >= apart);
    return rows[a_length % 3][b_length];
}
