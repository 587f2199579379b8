// What parallel regions call their data: members of a class, through a reference, a pointer, a base class, the object whose
// function it is, and variables of functions; containers of containers; static variables.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

static const int N = 200000;

struct Mesh {
  double *rho;
  struct {
    float *area[2];
  } faces;
};

struct Fields {
  std::vector<double> inherited;
};

class Domain : public Fields {
public:
  Domain() : x(N, 1.0), y(N, 2.0), z(N), mesh(new Mesh) {
    inherited.resize(N);
    rows.resize(2);
    for (auto &row : rows)
      row.resize(N);
    mesh->rho = new double[N]();
    for (float *&area : mesh->faces.area)
      area = static_cast<float *>(calloc(N, sizeof *area));
  }
  std::vector<double> x, y, z;
  std::vector<std::vector<double>> rows;
  std::unique_ptr<double[]> owned{new double[N]()};
  std::unique_ptr<Mesh> mesh;
  double norm() const;
};

static std::vector<double> history;

__attribute__((noinline)) double Domain::norm() const {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum += x[i] * y[i] + owned[i];
  return sum;
}

static __attribute__((noinline)) void scale(Domain &domain, const double *u) {
  std::vector<double> sums(N);
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    sums[i] = domain.mesh->rho[i] + domain.mesh->faces.area[1][i] + domain.inherited[i];
    domain.z[i] = u[i] + domain.rows[1][i] + sums[i] + history[i];
  }
}

int main() {
  Domain domain;
  double *u = static_cast<double *>(calloc(N, sizeof *u));
  history.resize(N);
  double sum = domain.norm();
  scale(domain, u);
  printf("sum %g\n", sum + domain.z[N / 2]);
  free(u);
}
