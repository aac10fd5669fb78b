#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T>
static void read_file(const char* name, T* values, int count) {
  FILE* file = std::fopen(name, "rb");
  if (file == nullptr || std::fread(values, sizeof(T), count, file) != static_cast<size_t>(count)) {
    std::fprintf(stderr, "cannot read %s\n", name);
    std::exit(1);
  }
  std::fclose(file);
}

template <typename T>
static void write_file(const char* name, const std::vector<T>& values) {
  FILE* file = std::fopen(name, "wb");
  if (file == nullptr) std::exit(1);
  std::fwrite(values.data(), sizeof(T), values.size(), file);
  std::fclose(file);
}
