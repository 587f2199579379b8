// Arrays that loops over ranges, references, other constructors and names in quotes stand between a variable and.
#include <cstring>
#include <map>
#include <string>
#include <vector>

constexpr std::size_t Count = 4096;

// What one constructor allocates, another one fills.
template <typename T> class Filled {
public:
  explicit Filled(std::size_t count) : Begin(new T[count]), Size(count) {}
  Filled(std::size_t count, T value) : Filled(count) {
    for (std::size_t i = 0; i < Size; i++)
      Begin[i] = value;
  }
  ~Filled() { delete[] Begin; }
  T *Begin;
  std::size_t Size;
};

struct Block {
  Block() {
    for (auto &part : old)
      part = new double[Count];
    for (auto &part : next) {
      part = new double[Count + 512];
    }
  }
  void set() {
    for (int i = 0; i < 2; i++)
      std::memset(old[i], 1, Count * sizeof(double)),
          std::memset(next[i], 1, Count * sizeof(double));
  }
  double *old[2], *next[2];
};

struct Field {
  explicit Field(std::size_t count) {
    chunks.resize(2);
    for (double *&chunk : chunks) {
      chunk = new double[count];
      std::memset(chunk, 0, count * sizeof(double));
    }
  }
  std::vector<double *> chunks;
};

class Store {
public:
  template <typename T, typename... Arguments>
  T &make(const std::string &name, Arguments &&...arguments) {
    T *made = new T(arguments...);
    Fields[name] = made;
    return *made;
  }

private:
  std::map<std::string, Field *> Fields;
};

static double solve(std::size_t count) {
  Store store;
  store.make<Field>("density", count + 1);
  store.make<Field>("energy", count + 1024);
  return double(count);
}

static void grow(std::map<int, std::vector<int>> &lists) {
  auto &list = lists[3];
  list.resize(Count + 2048);
  static std::vector<short> counted;
  // clang-format off
  for (int i = 0; i < 1; i++) counted.resize(4 * Count);
  // clang-format on
  std::memset(counted.data(), int(lists.size()), Count);
  list[0] = counted[Count / 4];
}

int main() {
  Filled<double> zeros(Count + 3072, 0.0);
  Filled<double> plain(Count + 4096);
  plain.Begin[0] = 0;
  Block block;
  block.set();
  double result = solve(Count);
  std::map<int, std::vector<int>> lists;
  grow(lists);
  return result > 0 && zeros.Begin[1] == plain.Begin[0] ? 0 : 1;
}
