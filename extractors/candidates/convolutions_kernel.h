/* A kernel, as a template: convolutions.c includes this file once for each kind of processor.

   It defines these macros before.
   For vectors: VECTOR: LANES sums; ROWS and VECTORS: the sums that fit in registers, in rows and in
   vectors; LOAD and STORE: a vector; REPEAT: a group of inputs in all lanes.
   For a kernel, undefined here: NAME(function): the name of a function; TARGET: the attributes of
   functions; NUMBER: the type of quantised inputs; ZERO: the number that stands for 0;
   ADD_PRODUCTS: the products of inputs and weights, added to sums. */

TARGET void NAME(quantise)(const float *x, int64_t rows, const float *layer, void *inputs)
{
    NUMBER *output = inputs;
    for (int64_t row = 0; row < rows; row++)
        for (int i = 0; i < WIDTH; i++)
            *output++ = (NUMBER)(quantised(*x++, layer[i]) + ZERO);
}

/* Multiply BLOCK rows. The weights of a group of inputs lie side by side for each output: an
   instruction multiplies a group in each lane, and adds the products to a sum. */
TARGET void NAME(multiply)(
    const void *inputs, int64_t dilation, const void *weights, const int32_t *starts,
    int32_t *products)
{
    enum { ROW = WIDTH * sizeof(NUMBER) }; /* the bytes of a row of inputs */
    for (int first = 0; first < BLOCK; first += ROWS, products += ROWS * WIDTH)
        for (int column = 0; column < WIDTH; column += LANES * VECTORS) {
            VECTOR sums[ROWS][VECTORS];
            for (int row = 0; row < ROWS; row++)
                for (int v = 0; v < VECTORS; v++)
                    sums[row][v] = LOAD(starts + column + v * LANES);
            for (int tap = 0; tap < TAPS; tap++) {
                const char *rows = (const char *)inputs + (first + (tap - 1) * dilation) * ROW;
                const char *columns = (const char *)weights + tap * WIDTH * ROW + column * GROUP;
                for (int k = 0; k < ROW; k += GROUP) {
                    VECTOR factors[VECTORS];
                    for (int v = 0; v < VECTORS; v++)
                        factors[v] = LOAD(columns + k * WIDTH + v * LANES * GROUP);
                    for (int row = 0; row < ROWS; row++) {
                        int32_t group;
                        memcpy(&group, rows + row * ROW + k, GROUP);
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

TARGET void NAME(finish)(float *x, int64_t rows, const int32_t *products, const float *layer)
{
    finish(x, rows, products, layer);
}

int NAME(convolve)(
    float *x, const int64_t *bounds, int64_t documents, const int64_t *dilations, int64_t layers,
    const void *weights, const int32_t *starts, const float *numbers)
{
    static const struct kernel kernel = {
        sizeof(NUMBER), ZERO, NAME(quantise), NAME(multiply), NAME(finish)};
    return convolve(
        &kernel, x, bounds, documents, dilations, layers, weights, starts, numbers);
}

#undef NAME
#undef TARGET
#undef NUMBER
#undef ZERO
#undef ADD_PRODUCTS
