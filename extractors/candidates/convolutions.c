/* The kernels of convolutions.py: the same numbers as numpy gives, in less time.

   Products are sums of integers. Every other operation is one operation of IEEE 754, in the order
   of convolutions.py. So all kernels give the same bits, if the compiler does not fuse products
   and sums (-ffp-contract=off). There are no kernels for other processors and compilers. */

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__AARCH64EL__))

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* WIDTH: of the network; TAPS: the rows that give a row of the output; LIMIT: of quantised inputs;
   BLOCK: the rows that a kernel multiplies at once, at most; GROUP: the bytes of a group of inputs. */
enum { WIDTH = 128, TAPS = 3, LIMIT = 127, BLOCK = 64, GROUP = 4 };
/* The arrays of WIDTH numbers of a layer. */
enum { INPUT_SCALE, OUTPUT_SCALE, BIAS, NORM_SCALE, NORM_SHIFT, ARRAYS };

#define INLINE static inline __attribute__((always_inline))

/* What differs between kernels. Quantised inputs are `size` bytes each, and `zero` stands for 0.
   The weights of a layer are `weights` bytes. `multiply` computes up to `block` rows of products; it
   reads as many rows of inputs, and the rows around them. */
struct kernel {
    int size, zero, block, weights;
    void (*quantise)(const float *x, int64_t rows, const float *layer, void *inputs);
    void (*multiply)(
        const void *inputs, int64_t rows, int64_t dilation, const void *weights,
        const int32_t *starts, int32_t *products);
    void (*finish)(float *x, int64_t rows, const int32_t *products, const float *layer);
};

/* Scale a row, limit it and round it to integers, half to even. Compilers vectorise two loops, but
   not one: they turn its limits into branches. */
INLINE void quantise(const float *row, const float *scales, int32_t *integers)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23: floats of this size have no fraction. */
    float limited[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
        float scaled = row[i] * scales[i];
        scaled = scaled < -(float)LIMIT ? -(float)LIMIT : scaled;
        limited[i] = scaled > (float)LIMIT ? (float)LIMIT : scaled;
    }
    for (int i = 0; i < WIDTH; i++)
        integers[i] = (int32_t)((limited[i] + shift) - shift);
}

/* Return the sum of WIDTH numbers: the second half is added to the first one, and so on. */
INLINE float sum_of_halves(const float *numbers)
{
    float sums[WIDTH / 2];
    for (int i = 0; i < WIDTH / 2; i++)
        sums[i] = numbers[i] + numbers[i + WIDTH / 2];
    for (int i = 0; i < WIDTH / 4; i++)
        sums[i] += sums[i + WIDTH / 4];
    for (int i = 0; i < WIDTH / 8; i++)
        sums[i] += sums[i + WIDTH / 8];
    for (int i = 0; i < WIDTH / 16; i++)
        sums[i] += sums[i + WIDTH / 16];
    for (int half = WIDTH / 32; half; half /= 2)
        for (int i = 0; i < half; i++)
            sums[i] += sums[i + half];
    return sums[0];
}

/* Add the output of a convolution to rows, and normalise them. */
INLINE void finish(float *x, int64_t rows, const int32_t *products, const float *layer)
{
    for (int64_t row = 0; row < rows; row++, x += WIDTH, products += WIDTH) {
        float sums[WIDTH], squares[WIDTH];
        for (int i = 0; i < WIDTH; i++) {
            float update = (float)products[i] * layer[OUTPUT_SCALE * WIDTH + i];
            update += layer[BIAS * WIDTH + i];
            sums[i] = x[i] + (update > 0.0f ? update : 0.0f);
        }
        float mean = sum_of_halves(sums) / WIDTH;
        for (int i = 0; i < WIDTH; i++) {
            sums[i] -= mean;
            squares[i] = sums[i] * sums[i];
        }
        float factor = 1.0f / sqrtf(sum_of_halves(squares) / WIDTH + 1e-5f);
        for (int i = 0; i < WIDTH; i++) {
            float normal = sums[i] * factor;
            normal *= layer[NORM_SCALE * WIDTH + i];
            x[i] = normal + layer[NORM_SHIFT * WIDTH + i];
        }
    }
}

/* Convolve the rows of one document in all layers. `inputs` has `margin` rows before those of the
   document, and at least as many and a block behind them. */
static void convolve_document(
    const struct kernel *kernel, float *x, int64_t rows, char *inputs, int64_t margin,
    const int64_t *dilations, int64_t layers, const char *weights, const int32_t *starts,
    const float *numbers)
{
    char *first = inputs + margin * WIDTH * kernel->size;
    memset(inputs, kernel->zero, (margin + rows + kernel->block + margin) * WIDTH * kernel->size);
    for (int64_t layer = 0; layer < layers; layer++) {
        kernel->quantise(x, rows, numbers, first);
        for (int64_t row = 0; row < rows; row += kernel->block) {
            int32_t products[BLOCK * WIDTH];
            int64_t count = rows - row < kernel->block ? rows - row : kernel->block;
            kernel->multiply(
                first + row * WIDTH * kernel->size, count, dilations[layer], weights, starts,
                products);
            kernel->finish(x + row * WIDTH, count, products, numbers);
        }
        weights += kernel->weights;
        starts += WIDTH;
        numbers += ARRAYS * WIDTH;
    }
}

/* Overwrite the rows of documents with the output of the last layer. `bounds` are the first row
   and the last one, exclusive, of each document. Return 0, or 1 if there is no memory. */
static int convolve(
    const struct kernel *kernel, float *x, const int64_t *bounds, int64_t documents,
    const int64_t *dilations, int64_t layers, const void *weights, const int32_t *starts,
    const float *numbers)
{
    int64_t longest = 0, margin = 0;
    for (int64_t i = 0; i < documents; i++)
        if (longest < bounds[2 * i + 1] - bounds[2 * i])
            longest = bounds[2 * i + 1] - bounds[2 * i];
    for (int64_t i = 0; i < layers; i++)
        if (margin < dilations[i])
            margin = dilations[i];
    char *inputs = malloc((margin + longest + kernel->block + margin) * WIDTH * kernel->size);
    if (!inputs)
        return 1;
    for (int64_t i = 0; i < documents; i++)
        convolve_document(
            kernel, x + bounds[2 * i] * WIDTH, bounds[2 * i + 1] - bounds[2 * i], inputs, margin,
            dilations, layers, weights, starts, numbers);
    free(inputs);
    return 0;
}

#ifdef __x86_64__

#include <cpuid.h>
#include <immintrin.h>

/* Four bytes in a group. Inputs have no sign. */
#define VECTOR __m512i
#define LANES 16
#define ROWS 8
#define VECTORS 2
#define LOAD(from) _mm512_loadu_si512(from)
#define STORE(to, vector) _mm512_storeu_si512(to, vector)
#define REPEAT(group) _mm512_set1_epi32(group)
#define NAME(function) function##_avx512_vnni
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) static
#define NUMBER uint8_t
#define ZERO (LIMIT + 1)
#define ADD_PRODUCTS(sums, inputs, weights) _mm512_dpbusd_epi32(sums, inputs, weights)
#include "convolutions_products.h"
#include "convolutions_kernel.h"

int supports_avx512_vnni(void)
{
    return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

/* The vectors of processors without AVX-512 have half the size. */
#undef VECTOR
#undef LANES
#undef ROWS
#undef VECTORS
#undef LOAD
#undef STORE
#undef REPEAT
#define VECTOR __m256i
#define LANES 8
#define ROWS 4
#define VECTORS 2
#define LOAD(from) _mm256_loadu_si256((const void *)(from))
#define STORE(to, vector) _mm256_storeu_si256((void *)(to), vector)
#define REPEAT(group) _mm256_set1_epi32(group)

/* Four bytes in a group. */
#if __GNUC__ >= 11 || __clang_major__ >= 12
#define NAME(function) function##_avx_vnni
#define TARGET __attribute__((target("avx2,avxvnni"))) static
#define NUMBER uint8_t
#define ZERO (LIMIT + 1)
#define ADD_PRODUCTS(sums, inputs, weights) _mm256_dpbusd_avx_epi32(sums, inputs, weights)
#include "convolutions_products.h"
#include "convolutions_kernel.h"

/* Compilers have no common name for this feature: it is bit 4 of EAX of leaf 7, subleaf 1. */
int supports_avx_vnni(void)
{
    unsigned int a = 0, b, c, d;
    return __builtin_cpu_supports("avx2") && __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a >> 4 & 1);
}
#endif

/* Two 16-bit numbers in a group. */
#define NAME(function) function##_avx2
#define TARGET __attribute__((target("avx2"))) static
#define NUMBER int16_t
#define ZERO 0
#define ADD_PRODUCTS(sums, inputs, weights)                                                        \
    _mm256_add_epi32(sums, _mm256_madd_epi16(inputs, weights))
#include "convolutions_winograd.h"
#include "convolutions_kernel.h"

int supports_avx2(void) { return __builtin_cpu_supports("avx2"); }

/* Clang compiles these instructions only if it may use them in the whole file, as on macOS. */
#elif defined(__ARM_FEATURE_DOTPROD) || !defined(__clang__)

#include <arm_neon.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

/* Four bytes in a group. */
#define NAME(function) function##_neon_dotprod
#ifdef __ARM_FEATURE_DOTPROD
#define TARGET static
#else
#define TARGET __attribute__((target("arch=armv8.2-a+dotprod"))) static
#endif
#define NUMBER int8_t
#define ZERO 0
#define VECTOR int32x4_t
#define LANES 4
#define ROWS 4
#define VECTORS 4
#define LOAD(from) vld1q_s32((const void *)(from))
#define STORE(to, vector) vst1q_s32(to, vector)
#define REPEAT(group) vdupq_n_s32(group)
#define ADD_PRODUCTS(sums, inputs, weights)                                                        \
    vdotq_s32(sums, vreinterpretq_s8_s32(inputs), vreinterpretq_s8_s32(weights))
#include "convolutions_products.h"
#include "convolutions_kernel.h"

/* All processors of Apple that run macOS have these instructions. Bit 20 of the capabilities that
   Linux reports is ASIMDDP. */
int supports_neon_dotprod(void)
{
#if defined(__APPLE__)
    return 1;
#elif defined(__linux__)
    return getauxval(AT_HWCAP) >> 20 & 1;
#else
    return 0;
#endif
}

#endif

#endif
