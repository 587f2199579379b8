/* A pointer that is one of two is followed as the caller at hand has stored it: the signals' own loops, not those of
   the other caller, tell who goes over them.

   RUN: mapp-rewrite -q %s | FileCheck %s
*/
enum { Signals = 512, Samples = 512 };

// CHECK: {{^\+}}MAI_STATIC(signal, "block"); /* mapp: rows follow index s of the parallel loop in smooth_all(); {{.*}} */
static double signal[Signals][Samples];
static double silence[2];

static double differences(const double *before, const double *now, int passes) {
  double sum = 0;
  for (int pass = 0; pass < passes; pass++)
    for (int k = 0; k < 2; k++)
      sum += before[k] * now[k];
  return sum;
}

static double filter(const double *samples, int first, int step, int count, int passes) {
  double sum = 0;
  for (int i = 0; i < count - 1; i++) {
    const double *now = samples + first + i * step;
    sum += differences(i > 0 ? now - step : silence, now, passes);
  }
  return sum;
}

static double smooth_all(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int s = 0; s < Signals; s++)
    sum += filter(&signal[0][0], s * Samples, 1, Samples, 3);
  return sum;
}

static double mix(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int t = 0; t < Samples; t++)
    sum += filter(&signal[0][0], t, Samples, Signals, 1);
  return sum;
}

int main(void) {
  signal[1][1] = 1;
  return smooth_all() > mix();
}
