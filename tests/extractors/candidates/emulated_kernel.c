/* Run the kernel for ARM processors in an emulator: read its arguments from standard input, as
   test_convolutions.py writes them, and write the rows to standard output. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int supports_neon_dotprod(void);
int convolve_neon_dotprod(
    float *x, const int64_t *bounds, int64_t documents, const int64_t *dilations, int64_t layers,
    const void *weights, const int32_t *starts, const float *numbers);

static void *array(void)
{
    int64_t bytes;
    if (fread(&bytes, sizeof bytes, 1, stdin) != 1)
        exit(1);
    void *read = malloc(bytes + 1);
    if (!read || fread(read, 1, bytes, stdin) != (size_t)bytes)
        exit(1);
    return read;
}

int main(void)
{
    int64_t *sizes = array(); /* the rows, the width, the documents and the layers */
    float *x = array();
    int64_t *bounds = array(), *dilations = array();
    void *weights = array();
    int32_t *starts = array();
    float *numbers = array();
    if (!supports_neon_dotprod() || convolve_neon_dotprod(
            x, bounds, sizes[2], dilations, sizes[3], weights, starts, numbers))
        return 1;
    return fwrite(x, sizeof *x, sizes[0] * sizes[1], stdout) != (size_t)(sizes[0] * sizes[1]);
}
