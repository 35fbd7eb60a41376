/* Loops that the compiler turns into operations on several numbers, and an exp for them. */

#ifndef AUGURY_WIDE_LOOPS_H
#define AUGURY_WIDE_LOOPS_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* Compile other versions with AVX2 and AVX-512 registers. No sum is reordered and nothing is
   contracted, so all versions compute the same numbers. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define WIDE_WHERE_POSSIBLE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE_WHERE_POSSIBLE
#endif

/* Below this, exp is not a normal number; a probability of 1e-307 is negligible. */
static const double lowest = -708.0;

/* exp(x) for lowest <= x <= 0, with a relative error of at most 2e-16. It is a polynomial,
   so that the compiler vectorises it: e^x = 2^k e^r, |r| <= log(2) / 2. */
INLINE double exp_of_negative(double x)
{
    const double shift = 0x1.8p52; /* adding it rounds to an integer, which is in the low bits */
    double shifted = x * 0x1.71547652b82fep0 + shift;
    double k = shifted - shift;
    double r = x - k * 0x1.62e42fefa0000p-1;
    r -= k * 0x1.cf79abc9e3b3ap-40;
    double s = 1.0 / 6227020800.0;
    s = s * r + 1.0 / 479001600.0;
    s = s * r + 1.0 / 39916800.0;
    s = s * r + 1.0 / 3628800.0;
    s = s * r + 1.0 / 362880.0;
    s = s * r + 1.0 / 40320.0;
    s = s * r + 1.0 / 5040.0;
    s = s * r + 1.0 / 720.0;
    s = s * r + 1.0 / 120.0;
    s = s * r + 1.0 / 24.0;
    s = s * r + 1.0 / 6.0;
    s = s * r + 0.5;
    s = s * r + 1.0;
    s = s * r + 1.0;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return s * power;
}

#endif
