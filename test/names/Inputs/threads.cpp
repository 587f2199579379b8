// Threads of std::thread: by a lambda expression, a member function, a function with references, and std::async.
#include <cstddef>
#include <cstdio>
#include <functional>
#include <future>
#include <thread>
#include <vector>

enum { THREADS = 4 };

struct Field {
  explicit Field(size_t count) : density(count, 1.0), flux(count, 0.0) {}
  void work(size_t part);
  void run();
  std::vector<double> density, flux;
};

void Field::work(size_t part) {
  for (size_t i = part; i < density.size(); i += THREADS)
    flux[i] = density[i] + 1;
}

void Field::run() {
  std::vector<std::thread> threads;
  for (size_t part = 0; part < THREADS; part++)
    threads.emplace_back(&Field::work, this, part);
  for (std::thread &each : threads)
    each.join();
}

static std::vector<double> history;

static void add(std::vector<double> &sums, const double *weights, size_t part) {
  for (size_t i = part; i < sums.size(); i += THREADS)
    sums[i] += weights[i] + history[i];
}

int main() {
  const size_t count = 200000;
  Field field(count);
  std::vector<double> sums(count, 0.0), weights(count, 1.0), later(count, 2.0);
  history.assign(count, 1.0);
  field.run();
  std::vector<std::thread> threads;
  for (size_t part = 0; part < THREADS; part++)
    threads.emplace_back(add, std::ref(sums), weights.data(), part);
  for (std::thread &each : threads)
    each.join();
  threads.clear();
  double *raw = new double[count]();
  for (size_t part = 0; part < THREADS; part++)
    threads.emplace_back([&field, raw, part] {
      for (size_t i = part; i < field.flux.size(); i += THREADS)
        raw[i] = field.flux[i];
    });
  for (std::thread &each : threads)
    each.join();
  std::future<double> sum = std::async(std::launch::async, [&later] {
    double result = 0;
    for (double each : later)
      result += each;
    return result;
  });
  std::printf("sum %g\n", sum.get() + sums[7] + raw[5]);
  delete[] raw;
}
