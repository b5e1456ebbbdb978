/*
 * prng.c - xoshiro256**, and the elementary functions in plain arithmetic.
 */
#include "prng.h"
#include "base/splitmix.h"
#include <math.h>
#include <string.h>

#define LN_2 0.69314718055994530942

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

void prng_start(struct prng *prng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        prng->state[i] = splitmix_next(&seed);
    }
}

uint64_t prng_next(struct prng *prng)
{
    uint64_t *s = prng->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint32_t prng_below(struct prng *prng, uint32_t limit)
{
    return (uint32_t)((prng_next(prng) >> 32) * limit >> 32);
}

/* In [0, 1). */
static double unit(struct prng *prng)
{
    return (double)(prng_next(prng) >> 11) * 0x1p-53;
}

/* x = m * 2^k with m around 1; the logarithm of m from the series of atanh((m - 1) / (m + 1)). */
double prng_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1023) << 52;
    double m;
    memcpy(&m, &bits, sizeof(m));
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    double s = (m - 1) / (m + 1);
    double square = s * s;
    double sum = 0;
    for (int i = 23; i >= 1; i -= 2) {
        sum = sum * square + 1.0 / i;
    }
    return exponent * LN_2 + 2 * s * sum;
}

/* x = k ln 2 + r; e^r from its series. */
double prng_exp(double x)
{
    int k = (int)(x / LN_2 + (x < 0 ? -0.5 : 0.5));
    double r = x - k * LN_2;
    double sum = 1;
    for (int i = 18; i >= 1; i--) {
        sum = sum * r / i + 1;
    }
    uint64_t bits = (uint64_t)(1023 + k) << 52;
    double power;
    memcpy(&power, &bits, sizeof(power));
    return sum * power;
}

double prng_exponential(struct prng *prng)
{
    return -prng_log(1 - unit(prng));
}

/* The polar method of Marsaglia; the second number of a pair is not kept. */
double prng_normal(struct prng *prng)
{
    for (;;) {
        double x = 2 * unit(prng) - 1;
        double y = 2 * unit(prng) - 1;
        double square = x * x + y * y;
        if (square < 1 && square > 0) {
            return x * sqrt(-2 * prng_log(square) / square);
        }
    }
}
