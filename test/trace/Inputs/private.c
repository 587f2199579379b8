/* Each thread has an array of its own. */
static double own[512];
#pragma omp threadprivate(own)

int main(void) {
  double sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 512; i++) {
    own[i] = i;
    sum += own[511 - i];
  }
  return sum < 0;
}
