/* What a kernel consists of besides its products, as a template: convolutions.c includes this file
   once for each kind of processor, after the template of its products.

   It defines these macros before; they are undefined here. NAME(function): the name of a function;
   TARGET: the attributes of functions; NUMBER: the type of quantised inputs; ZERO: the number that
   stands for 0; ADD_PRODUCTS: the products of inputs and weights, added to sums; ROWS_AT_ONCE and
   MATRICES: see the templates of the products. */

TARGET void NAME(quantise)(const float *x, int64_t rows, const float *layer, void *inputs)
{
    NUMBER *output = inputs;
    for (int64_t row = 0; row < rows; row++, x += WIDTH, output += WIDTH) {
        int32_t integers[WIDTH];
        quantise(x, layer, integers);
        for (int i = 0; i < WIDTH; i++)
            output[i] = (NUMBER)(integers[i] + ZERO);
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
        sizeof(NUMBER), ZERO, ROWS_AT_ONCE, MATRICES * WIDTH * WIDTH * sizeof(NUMBER),
        NAME(quantise), NAME(multiply), NAME(finish)};
    return convolve(
        &kernel, x, bounds, documents, dilations, layers, weights, starts, numbers);
}

#undef NAME
#undef TARGET
#undef NUMBER
#undef ZERO
#undef ADD_PRODUCTS
#undef ROWS_AT_ONCE
#undef MATRICES
