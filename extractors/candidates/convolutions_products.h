/* The products of a kernel, as a template: each row of the output from its TAPS rows of the input.

   It uses the macros of convolutions_kernel.h, and these for vectors: VECTOR: LANES sums; ROWS and
   VECTORS: the sums that fit in registers, in rows and in vectors; LOAD and STORE: a vector; REPEAT:
   a group of inputs in all lanes. */

/* The rows that `multiply` computes at once, and the matrices of weights of a layer. */
#define ROWS_AT_ONCE 8
#define MATRICES TAPS

/* Multiply ROWS_AT_ONCE rows. The weights of a group of inputs lie side by side for each output: an
   instruction multiplies a group in each lane, and adds the products to a sum. */
TARGET void NAME(multiply)(
    const void *inputs, int64_t rows, int64_t dilation, const void *weights,
    const int32_t *starts, int32_t *products)
{
    (void)rows; /* The rows of `products` are enough for all. */
    enum { ROW = WIDTH * sizeof(NUMBER) }; /* the bytes of a row of inputs */
    for (int first = 0; first < ROWS_AT_ONCE; first += ROWS, products += ROWS * WIDTH)
        for (int column = 0; column < WIDTH; column += LANES * VECTORS) {
            VECTOR sums[ROWS][VECTORS];
            for (int row = 0; row < ROWS; row++)
                for (int v = 0; v < VECTORS; v++)
                    sums[row][v] = LOAD(starts + column + v * LANES);
            for (int tap = 0; tap < TAPS; tap++) {
                const char *taken = (const char *)inputs + (first + (tap - 1) * dilation) * ROW;
                const char *columns = (const char *)weights + tap * WIDTH * ROW + column * GROUP;
                for (int k = 0; k < ROW; k += GROUP) {
                    VECTOR factors[VECTORS];
                    for (int v = 0; v < VECTORS; v++)
                        factors[v] = LOAD(columns + k * WIDTH + v * LANES * GROUP);
                    for (int row = 0; row < ROWS; row++) {
                        int32_t group;
                        memcpy(&group, taken + row * ROW + k, GROUP);
                        VECTOR repeated = REPEAT(group);
                        for (int v = 0; v < VECTORS; v++)
                            sums[row][v] = ADD_PRODUCTS(sums[row][v], repeated, factors[v]);
                    }
                }
            }
            for (int row = 0; row < ROWS; row++)
                for (int v = 0; v < VECTORS; v++)
                    STORE(products + row * WIDTH + column + v * LANES, sums[row][v]);
        }
}
