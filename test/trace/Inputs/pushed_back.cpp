// A list that grows as elements come, one or two for each zone: its last block is half empty. Where lines begin in it depends on what is
// allocated before.
#include <cstdlib>
#include <vector>

int main(int, char **argv) {
  constexpr int Zones = 216;
  volatile char *before = new char[std::atoi(argv[1])];
  before[0] = 1;
  std::vector<int> first;
  std::vector<double> parts;
  first.reserve(Zones + 1);
  for (int zone = 0; zone < Zones; zone++) {
    first.push_back(int(parts.size()));
    for (int part = 0; part < (zone % 5 ? 1 : 2); part++)
      parts.push_back(part);
  }
  first.push_back(int(parts.size()));
  for (int step = 0; step < 100; step++)
#pragma omp parallel for schedule(static)
    for (int zone = 0; zone < Zones; zone++)
      for (int part = first[zone]; part < first[zone + 1]; part++)
        parts[part] += 1;
  return parts[0] < 1;
}
