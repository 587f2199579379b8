// Two arrays of a class that differ by their lines and by their order only. With PROGRAM the program that loads this as a library
// while it runs.
#ifdef PROGRAM
#include <dlfcn.h>

int main() {
  void *plugin = dlopen("./plugin.so", RTLD_NOW);
  auto *smooth = plugin ? reinterpret_cast<void (*)(int)>(dlsym(plugin, "smooth")) : nullptr;
  if (!smooth)
    return 1;
  smooth(100000);
}
#else
#include <cstdio>
#include <utility>
#include <vector>

struct Field {
  std::vector<double> now, then;
  explicit Field(int count) : now(count, 1.0), then(count) {}
};

extern "C" void smooth(int count) {
  Field field(count);
  for (int step = 0; step < 5; step++) {
#pragma omp parallel for
    for (int i = 1; i < count - 1; i++)
      field.then[i] = (field.now[i - 1] + field.now[i + 1]) / 2;
    field.now.swap(field.then);
  }
  printf("%g\n", field.now[count / 2]);
}
#endif
