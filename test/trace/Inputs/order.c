/* Parallel regions that come in another order than their code. */
static double values[64];

static void fourth(void) {
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    values[i] += 4;
}

static void second(void) {
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    values[i] += 2;
}

static void third(void) {
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    values[i] += 3;
}

static void first(void) {
#pragma omp parallel for
  for (int i = 0; i < 64; i++)
    values[i] = 1;
}

int main(void) {
  first();
  second();
  third();
  first();
  fourth();
  return values[5] != 1 + 4;
}
