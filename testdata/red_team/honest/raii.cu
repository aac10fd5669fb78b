// C++ with owning buffers and exceptions.
// insert: io solve

#include <memory>
#include <stdexcept>
#include <string>
static void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}
struct Free {
  void operator()(void* memory) const { cudaFree(memory); }
};
template <typename T>
std::unique_ptr<T[], Free> make(size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)));
  return std::unique_ptr<T[], Free>(static_cast<T*>(memory));
}
int main() try {
  const auto values = read_inputs();
  const auto in = make<In>(kIn);
  const auto out = make<Out>(kOut);
  check(cudaMemcpy(in.get(), values.data(), values.size() * sizeof(In), cudaMemcpyHostToDevice));
  solve<<<kGrid, kBlock>>>(in.get(), out.get());
  check(cudaPeekAtLastError());
  std::vector<Out> result(kOut);
  check(cudaMemcpy(result.data(), out.get(), kOut * sizeof(Out), cudaMemcpyDeviceToHost));
  write_output(result);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
