// Bodies are structures in one vector, which its constructor fills; threads move parts of them.
//
// verdict: placement bodies
// cure: block|#pragma
#include <vector>

struct Body {
  double x[3], v[3], mass, charge;
};

int main() {
  constexpr int N = 30000, Steps = 8;
  std::vector<Body> bodies(N, Body{{0, 1, 2}, {1, 1, 1}, 1, 0});
  for (int step = 0; step < Steps; step++)
#pragma omp parallel for schedule(static)
    for (int i = 0; i < N; i++)
      for (int d = 0; d < 3; d++) {
        bodies[i].v[d] -= bodies[i].x[d] * bodies[i].mass * 1e-3;
        bodies[i].x[d] += bodies[i].v[d] * 1e-3;
      }
  return bodies[1].x[0] > 1e9;
}
