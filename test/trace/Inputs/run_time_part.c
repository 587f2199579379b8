double NAME(const double *from, long count);
double NAME(const double *from, long count) {
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += from[i] / (1 + sum);
  return sum;
}
