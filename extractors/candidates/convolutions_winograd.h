/* The products of a kernel, as a template, with half of the multiplications: TILE rows of the output
   from POINTS rows of the input (Winograd 1980, "Arithmetic Complexity of Computations"; Lavin and
   Gray 2016, "Fast Algorithms for Convolutional Neural Networks", F(4, 3)).

   The algorithm evaluates two polynomials at 0, 1, -1, 2, -2 and infinity, multiplies the values, and
   interpolates. All values are integers: sums of inputs, at most 10 * LIMIT, and sums of weights, at
   most 7 * LIMIT, fit in 16 bits. The interpolation gives 24 times the output, modulo 2^32; so the
   output is exact, although the sums may overflow.

   It uses the macros of convolutions_products.h. A group is two numbers. */

/* TILES: at most, at once. */
enum { TILE = 4, POINTS = TILE + TAPS - 1, TILES = BLOCK / TILE, PANEL = LANES * VECTORS };
#define ROWS_AT_ONCE BLOCK
#define MATRICES POINTS

/* Evaluate POINTS rows of the input for a tile; the first one is `step` numbers before `d`. */
TARGET void NAME(evaluate)(
    const NUMBER *d, int64_t step, NUMBER values[POINTS][TILES][WIDTH], int64_t tile)
{
    for (int i = 0; i < WIDTH; i++, d++) {
        int d0 = d[-step], d1 = d[0], d2 = d[step], d3 = d[2 * step], d4 = d[3 * step];
        int even = d4 - 4 * d2, odd = d3 - 4 * d1;
        int even_2 = d4 - d2, odd_2 = 2 * (d3 - d1);
        values[0][tile][i] = (NUMBER)(4 * d0 - 5 * d2 + d4);
        values[1][tile][i] = (NUMBER)(even + odd);
        values[2][tile][i] = (NUMBER)(even - odd);
        values[3][tile][i] = (NUMBER)(even_2 + odd_2);
        values[4][tile][i] = (NUMBER)(even_2 - odd_2);
        values[5][tile][i] = (NUMBER)(4 * d1 - 5 * d3 + d[4 * step]);
    }
}

/* Multiply the values of ROWS tiles by PANEL columns of weights. */
TARGET void NAME(multiply_values)(
    const NUMBER values[ROWS][WIDTH], const NUMBER *columns, uint32_t products[ROWS][PANEL])
{
    VECTOR sums[ROWS][VECTORS];
    memset(sums, 0, sizeof sums);
    /* Without the unrolling, GCC copies each sum in each round. */
#pragma GCC unroll 4
    for (int k = 0; k < WIDTH; k += 2) {
        VECTOR factors[VECTORS];
        for (int v = 0; v < VECTORS; v++)
            factors[v] = LOAD(columns + k * PANEL + v * LANES * 2);
        for (int row = 0; row < ROWS; row++) {
            int32_t group;
            memcpy(&group, values[row] + k, GROUP);
            VECTOR repeated = REPEAT(group);
            for (int v = 0; v < VECTORS; v++)
                sums[row][v] = ADD_PRODUCTS(sums[row][v], repeated, factors[v]);
        }
    }
    for (int row = 0; row < ROWS; row++)
        for (int v = 0; v < VECTORS; v++)
            STORE(products[row] + v * LANES, sums[row][v]);
}

/* Interpolate PANEL columns of a tile; its rows are `step` numbers apart. 24 divides the sums, and
   the inverse of 3 modulo 2^32 is 0xAAAAAAAB. */
TARGET void NAME(interpolate)(
    const uint32_t values[POINTS][TILES][PANEL], int64_t tile, const int32_t *starts,
    int32_t *output, int64_t step)
{
    const uint32_t third = 0xAAAAAAAB;
    for (int i = 0; i < PANEL; i++, output++) {
        uint32_t sum = 4 * (values[1][tile][i] + values[2][tile][i]);
        uint32_t difference = 4 * (values[1][tile][i] - values[2][tile][i]);
        uint32_t sum_2 = values[3][tile][i] + values[4][tile][i];
        uint32_t difference_2 = 2 * (values[3][tile][i] - values[4][tile][i]);
        uint32_t outputs[TILE] = {
            6 * values[0][tile][i] - sum + sum_2,
            difference_2 - difference,
            4 * sum_2 - sum,
            4 * difference_2 - difference + 24 * values[5][tile][i],
        };
        for (int row = 0; row < TILE; row++)
            output[row * step] = ((int32_t)(outputs[row] * third) >> 3) + starts[i];
    }
}

/* Multiply up to BLOCK rows. A tile has every `dilation`-th row, and `dilation` divides TILES.
   For each PANEL of columns, the weights of each point lie together. */
TARGET void NAME(multiply)(
    const void *inputs, int64_t rows, int64_t dilation, const void *weights,
    const int32_t *starts, int32_t *products)
{
    NUMBER values[POINTS][TILES][WIDTH];
    uint32_t multiplied[POINTS][TILES][PANEL];
    const NUMBER *panel = weights;
    int64_t span = TILE * dilation, step = dilation * WIDTH, firsts[TILES];
    int64_t tiles = (rows + span - 1) / span * dilation;
    tiles = (tiles + ROWS - 1) / ROWS * ROWS;
    for (int64_t tile = 0; tile < tiles; tile++) {
        firsts[tile] = (tile / dilation * span + tile % dilation) * WIDTH;
        NAME(evaluate)((const NUMBER *)inputs + firsts[tile], step, values, tile);
    }
    for (int column = 0; column < WIDTH; column += PANEL) {
        for (int point = 0; point < POINTS; point++, panel += WIDTH * PANEL)
            for (int64_t tile = 0; tile < tiles; tile += ROWS)
                NAME(multiply_values)(
                    (const void *)(values[point] + tile), panel, multiplied[point] + tile);
        for (int64_t tile = 0; tile < tiles; tile++)
            NAME(interpolate)(
                (const void *)multiplied, tile, starts + column,
                products + firsts[tile] + column, step);
    }
}
