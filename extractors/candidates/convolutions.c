/* The kernels of convolutions.py: the same numbers as numpy gives, in less time.

   Products are sums of integers. Every other operation is one operation of IEEE 754, in the order
   of convolutions.py. So all kernels give the same bits, if the compiler does not fuse products
   and sums (-ffp-contract=off). There are no kernels for other processors and compilers. */

#if defined(__GNUC__) && defined(__x86_64__)

#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* WIDTH: of the network; TAPS: the rows that give a row of the output; LIMIT: of quantised inputs;
   BLOCK: the rows that a kernel multiplies at once. */
enum { WIDTH = 128, TAPS = 3, LIMIT = 127, BLOCK = 8 };
/* The arrays of WIDTH numbers of a layer. */
enum { INPUT_SCALE, OUTPUT_SCALE, BIAS, NORM_SCALE, NORM_SHIFT, ARRAYS };

/* Functions compiled for one kind of processor, and functions that are inlined into them. */
#define AVX512_VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni"))) static
#define AVX2 __attribute__((target("avx2"))) static
#define INLINE static inline __attribute__((always_inline))

/* What differs between kernels. Quantised inputs are `size` bytes each, and `zero` stands for 0. */
struct kernel {
    int size, zero;
    void (*quantise)(const float *x, int64_t rows, const float *layer, void *inputs);
    void (*multiply)(
        const void *inputs, int64_t dilation, const void *weights, const int32_t *starts,
        int32_t *products);
    void (*finish)(float *x, int64_t rows, const int32_t *products, const float *layer);
};

/* Return a number times a scale, limited and rounded to an integer, half to even. */
INLINE int quantised(float number, float scale)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23: floats of this size have no fraction. */
    float scaled = number * scale;
    scaled = scaled < -(float)LIMIT ? -(float)LIMIT : scaled;
    scaled = scaled > (float)LIMIT ? (float)LIMIT : scaled;
    return (int)((scaled + shift) - shift);
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

AVX512_VNNI void quantise_vnni(const float *x, int64_t rows, const float *layer, void *inputs)
{
    uint8_t *output = inputs;
    for (int64_t row = 0; row < rows; row++)
        for (int i = 0; i < WIDTH; i++)
            *output++ = (uint8_t)(quantised(*x++, layer[i]) + LIMIT + 1);
}

/* Multiply BLOCK rows. The weights of four inputs lie side by side for each output: an instruction
   multiplies so many bytes, and adds the products to a sum. */
AVX512_VNNI void multiply_vnni(
    const void *inputs, int64_t dilation, const void *weights, const int32_t *starts,
    int32_t *products)
{
    enum { GROUP = 4, LANES = 16, VECTORS = 2 };
    for (int column = 0; column < WIDTH; column += LANES * VECTORS) {
        __m512i sums[BLOCK][VECTORS];
        for (int row = 0; row < BLOCK; row++)
            for (int v = 0; v < VECTORS; v++)
                sums[row][v] = _mm512_loadu_si512(starts + column + v * LANES);
        for (int tap = 0; tap < TAPS; tap++) {
            const uint8_t *rows = (const uint8_t *)inputs + (tap - 1) * dilation * WIDTH;
            const int8_t *columns = (const int8_t *)weights + tap * WIDTH * WIDTH + column * GROUP;
            for (int k = 0; k < WIDTH; k += GROUP) {
                __m512i factors[VECTORS];
                for (int v = 0; v < VECTORS; v++)
                    factors[v] = _mm512_loadu_si512(columns + k * WIDTH + v * LANES * GROUP);
                for (int row = 0; row < BLOCK; row++) {
                    int32_t group;
                    memcpy(&group, rows + row * WIDTH + k, sizeof group);
                    __m512i repeated = _mm512_set1_epi32(group);
                    for (int v = 0; v < VECTORS; v++)
                        sums[row][v] = _mm512_dpbusd_epi32(sums[row][v], repeated, factors[v]);
                }
            }
        }
        for (int row = 0; row < BLOCK; row++)
            for (int v = 0; v < VECTORS; v++)
                _mm512_storeu_si512(products + row * WIDTH + column + v * LANES, sums[row][v]);
    }
}

AVX512_VNNI void finish_vnni(float *x, int64_t rows, const int32_t *products, const float *layer)
{
    finish(x, rows, products, layer);
}

AVX2 void quantise_avx2(const float *x, int64_t rows, const float *layer, void *inputs)
{
    int16_t *output = inputs;
    for (int64_t row = 0; row < rows; row++)
        for (int i = 0; i < WIDTH; i++)
            *output++ = (int16_t)quantised(*x++, layer[i]);
}

/* The same with pairs of 16-bit numbers, for half of the rows at a time. */
AVX2 void multiply_avx2(
    const void *inputs, int64_t dilation, const void *weights, const int32_t *starts,
    int32_t *products)
{
    enum { GROUP = 2, LANES = 8, VECTORS = 2, ROWS = 4 };
    for (int first = 0; first < BLOCK; first += ROWS, products += ROWS * WIDTH)
        for (int column = 0; column < WIDTH; column += LANES * VECTORS) {
            __m256i sums[ROWS][VECTORS];
            for (int row = 0; row < ROWS; row++)
                for (int v = 0; v < VECTORS; v++)
                    sums[row][v] = _mm256_loadu_si256((const void *)(starts + column + v * LANES));
            for (int tap = 0; tap < TAPS; tap++) {
                const int16_t *rows =
                    (const int16_t *)inputs + (first + (tap - 1) * dilation) * WIDTH;
                const int16_t *columns =
                    (const int16_t *)weights + tap * WIDTH * WIDTH + column * GROUP;
                for (int k = 0; k < WIDTH; k += GROUP) {
                    __m256i factors[VECTORS];
                    for (int v = 0; v < VECTORS; v++)
                        factors[v] = _mm256_loadu_si256(
                            (const void *)(columns + k * WIDTH + v * LANES * GROUP));
                    for (int row = 0; row < ROWS; row++) {
                        int32_t group;
                        memcpy(&group, rows + row * WIDTH + k, sizeof group);
                        __m256i repeated = _mm256_set1_epi32(group);
                        for (int v = 0; v < VECTORS; v++)
                            sums[row][v] = _mm256_add_epi32(
                                sums[row][v], _mm256_madd_epi16(repeated, factors[v]));
                    }
                }
            }
            for (int row = 0; row < ROWS; row++)
                for (int v = 0; v < VECTORS; v++)
                    _mm256_storeu_si256(
                        (void *)(products + row * WIDTH + column + v * LANES), sums[row][v]);
        }
}

AVX2 void finish_avx2(float *x, int64_t rows, const int32_t *products, const float *layer)
{
    finish(x, rows, products, layer);
}

/* Convolve the rows of one document in all layers. `inputs` has `margin` rows before those of the
   document, and at least as many and BLOCK behind them. */
static void convolve_document(
    const struct kernel *kernel, float *x, int64_t rows, char *inputs, int64_t margin,
    const int64_t *dilations, int64_t layers, const char *weights, const int32_t *starts,
    const float *numbers)
{
    char *first = inputs + margin * WIDTH * kernel->size;
    memset(inputs, kernel->zero, (margin + rows + BLOCK + margin) * WIDTH * kernel->size);
    for (int64_t layer = 0; layer < layers; layer++) {
        kernel->quantise(x, rows, numbers, first);
        for (int64_t row = 0; row < rows; row += BLOCK) {
            int32_t products[BLOCK * WIDTH];
            int64_t count = rows - row < BLOCK ? rows - row : BLOCK;
            kernel->multiply(
                first + row * WIDTH * kernel->size, dilations[layer], weights, starts, products);
            kernel->finish(x + row * WIDTH, count, products, numbers);
        }
        weights += TAPS * WIDTH * WIDTH * kernel->size;
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
    char *inputs = malloc((margin + longest + BLOCK + margin) * WIDTH * kernel->size);
    if (!inputs)
        return 1;
    for (int64_t i = 0; i < documents; i++)
        convolve_document(
            kernel, x + bounds[2 * i] * WIDTH, bounds[2 * i + 1] - bounds[2 * i], inputs, margin,
            dilations, layers, weights, starts, numbers);
    free(inputs);
    return 0;
}

int convolve_avx512_vnni(
    float *x, const int64_t *bounds, int64_t documents, const int64_t *dilations, int64_t layers,
    const void *weights, const int32_t *starts, const float *numbers)
{
    static const struct kernel kernel = {
        1, LIMIT + 1, quantise_vnni, multiply_vnni, finish_vnni};
    return convolve(
        &kernel, x, bounds, documents, dilations, layers, weights, starts, numbers);
}

int convolve_avx2(
    float *x, const int64_t *bounds, int64_t documents, const int64_t *dilations, int64_t layers,
    const void *weights, const int32_t *starts, const float *numbers)
{
    static const struct kernel kernel = {2, 0, quantise_avx2, multiply_avx2, finish_avx2};
    return convolve(
        &kernel, x, bounds, documents, dilations, layers, weights, starts, numbers);
}

/* Return whether this processor can run a kernel. */
int supports_avx512_vnni(void)
{
    return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

int supports_avx2(void) { return __builtin_cpu_supports("avx2"); }

#endif
