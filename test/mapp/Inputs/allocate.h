#include <stdlib.h>
static inline double *allocate_two(size_t n, size_t m) {
  double *block = malloc((n + m) * sizeof *block);
  return block;
}
