// Members that classes initialise, and those that their constructors do.
#include <cstdio>
#include <memory>
#include <vector>

static const int N = 16384;

struct Mesh {
  double *rho;
};

class Domain {
public:
  Domain() : x(N, 1.0), z(N), mesh(new Mesh) { mesh->rho = new double[N](); }
  std::vector<double> x, z;
  std::unique_ptr<double[]> owned{new double[N]()};
  double *raw = new double[N]();
  std::vector<double> given = std::vector<double>(N, 3.0);
  std::unique_ptr<Mesh> mesh;
};

struct Field {
  explicit Field(int n) : first(n), last(n) {}
  std::vector<double> first;
  double *own = new double[N]();
  std::vector<double> last;
};

struct Plain {
  explicit Plain(int n) : values(n), size(n) {}
  std::vector<double> values;
  int size;
};

int main() {
  Domain d;
  Field f(N);
  Plain p(N);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum += d.x[i] + d.z[i] + d.owned[i] + d.raw[i] + d.given[i] + d.mesh->rho[i] + f.first[i] +
           f.own[i] + f.last[i] + p.values[i];
  printf("%g\n", sum);
}
