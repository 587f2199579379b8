/* Has an array of its own, so that step.c is compiled again. */
static double own[2000];

static const char *name_of_header(void) {
#pragma omp parallel for
  for (int i = 0; i < 2000; i++)
    own[i] = i;
  return own[1999] == 1999 ? __FILE__ : "?";
}
