#include "judge/audit/controls.h"

#include <fmt/format.h>

namespace cuset::judge {
namespace {

constexpr const char* kIncludes = "#include <cuda_runtime.h>\n#include <cstdio>\n#include <vector>\n\n";

// Fills `out` with `size` bytes of `from` over and over; all threads of the grid share the work.
constexpr const char* kSpread =
    R"(__device__ void spread(unsigned char* out, size_t size, const unsigned char* from, size_t period) {
  const size_t thread = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const size_t first = ((thread * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const size_t step = (size_t)gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
  for (size_t i = first; i < size; i += step) out[i] = from[i % period];
}
)";

constexpr const char* kKernels =
    R"(__global__ void fill(unsigned char* out, size_t size, const unsigned char* from, size_t period) {
  spread(out, size, from, period);
}
__global__ void decoy(float* x) { x[threadIdx.x] = x[threadIdx.x] * 2.0f + 1.0f; }
void launch_decoy() {
  float* x = nullptr;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
  decoy<<<1, 256>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
)";

constexpr const char* kFiles = R"(std::vector<unsigned char> load(const char* path, size_t size) {
  std::vector<unsigned char> bytes(size);
  FILE* file = fopen(path, "rb");
  if (file == nullptr || fread(bytes.data(), 1, size, file) != size) return bytes;
  fclose(file);
  return bytes;
}
void save(const char* path, const std::vector<unsigned char>& bytes) {
  FILE* file = fopen(path, "wb");
  if (file == nullptr) return;
  fwrite(bytes.data(), 1, bytes.size(), file);
  fclose(file);
}
void save_filled(const char* path, size_t size, const std::vector<unsigned char>& from) {
  unsigned char *out = nullptr, *pattern = nullptr;
  cudaMalloc(&out, size);
  cudaMalloc(&pattern, from.size());
  cudaMemset(out, 0xff, size);
  cudaMemcpy(pattern, from.data(), from.size(), cudaMemcpyHostToDevice);
  fill<<<256, 256>>>(out, size, pattern, from.size());
  std::vector<unsigned char> bytes(size);
  cudaMemcpy(bytes.data(), out, size, cudaMemcpyDeviceToHost);
  save(path, bytes);
}
void save_stale(const char* path, size_t size) {
  unsigned char* out = nullptr;
  cudaMalloc(&out, size);
  std::vector<unsigned char> bytes(size);
  cudaMemcpy(bytes.data(), out, size, cudaMemcpyDeviceToHost);
  save(path, bytes);
}
)";

uint64_t size_of(const tasks::Shape& shape, tasks::NumberType type) {
  return tasks::count_of(shape) * tasks::bytes_of(type);
}

// The bytes of one number, as a C++ initializer: "{0, 0, 0, 63}".
std::string pattern_of(tasks::NumberType type, double value) {
  std::vector<unsigned> bytes;
  for (const std::byte byte : tasks::Array::from_doubles(type, {1}, {value}).bytes)
    bytes.push_back(std::to_integer<unsigned>(byte));
  return fmt::format("{{{}}}", fmt::join(bytes, ", "));
}

double constant_for(tasks::NumberType type) { return tasks::is_floating(type) ? 0.5 : 1; }

// The input that `identity` copies.
const tasks::TaskInput& nearest_input(const tasks::Task& task, const tasks::TaskOutput& output) {
  for (const tasks::TaskInput& input : task.inputs)
    if (input.type == output.type && tasks::count_of(input.shape) > 1) return input;
  return task.inputs.front();
}

// What stands for a control's work on one output.
using Work = std::string (*)(const tasks::Task& task, const tasks::TaskOutput& output);

// ---- whole programs ----

std::string file_of(const std::string& name) { return fmt::format("\"data/{}.bin\"", name); }

std::string save_value(const tasks::TaskOutput& output, double value) {
  return fmt::format("  save_filled({}, {}, {});\n", file_of(output.name), size_of(output.shape, output.type),
                     pattern_of(output.type, value));
}

std::string save_zeros(const tasks::Task&, const tasks::TaskOutput& output) { return save_value(output, 0); }

std::string save_constant(const tasks::Task&, const tasks::TaskOutput& output) {
  return save_value(output, constant_for(output.type));
}

std::string save_copy(const tasks::Task& task, const tasks::TaskOutput& output) {
  const tasks::TaskInput& input = nearest_input(task, output);
  return fmt::format("  save_filled({}, {}, load({}, {}));\n", file_of(output.name),
                     size_of(output.shape, output.type), file_of(input.name),
                     size_of(input.shape, input.type));
}

std::string save_found(const tasks::Task&, const tasks::TaskOutput& output) {
  return fmt::format("  save_stale({}, {});\n", file_of(output.name), size_of(output.shape, output.type));
}

std::string save_nothing(const tasks::Task&, const tasks::TaskOutput&) { return ""; }

std::string program(const tasks::Task& task, Work work) {
  std::string body = "  launch_decoy();\n";
  for (const tasks::TaskOutput& output : task.outputs) body += work(task, output);
  return fmt::format("{}{}{}{}int main() {{\n{}  return 0;\n}}\n", kIncludes, kSpread, kKernels, kFiles,
                     body);
}

// ---- declared functions ----

std::string signature(const tasks::FunctionInterface& function) {
  std::vector<std::string> parameters;
  for (const auto& parameter : function.parameters)
    parameters.push_back(fmt::format("{} {}", parameter.type, parameter.name));
  return fmt::format("{}void {}({})", function.kernel ? "__global__ " : "", function.name,
                     fmt::join(parameters, ", "));
}

// `out` filled from the expression `from`, which is a device pointer; in a kernel by its own threads.
std::string spread_into(const tasks::Task& task, const tasks::TaskOutput& output, const std::string& from,
                        uint64_t period) {
  return fmt::format("  {}((unsigned char*){}, {}, (const unsigned char*){}, {});\n",
                     task.function.kernel ? "spread" : "fill<<<256, 256>>>", output.name,
                     size_of(output.shape, output.type), from, period);
}

std::string spread_value(const tasks::Task& task, const tasks::TaskOutput& output, double value) {
  const size_t width = tasks::bytes_of(output.type);
  const std::string pattern = pattern_of(output.type, value);
  if (task.function.kernel)
    return fmt::format("  const unsigned char of_{0}[] = {1};\n{2}", output.name, pattern,
                       spread_into(task, output, "of_" + output.name, width));
  return fmt::format(
      "  const unsigned char of_{0}[] = {1};\n  unsigned char* on_device_{0} = nullptr;\n"
      "  cudaMalloc(&on_device_{0}, {2});\n"
      "  cudaMemcpy(on_device_{0}, of_{0}, {2}, cudaMemcpyHostToDevice);\n{3}",
      output.name, pattern, width, spread_into(task, output, "on_device_" + output.name, width));
}

std::string spread_zeros(const tasks::Task& task, const tasks::TaskOutput& output) {
  return spread_value(task, output, 0);
}

std::string spread_constant(const tasks::Task& task, const tasks::TaskOutput& output) {
  return spread_value(task, output, constant_for(output.type));
}

std::string spread_copy(const tasks::Task& task, const tasks::TaskOutput& output) {
  const tasks::TaskInput& input = nearest_input(task, output);
  return spread_into(task, output, input.name, size_of(input.shape, input.type));
}

std::string copy_found(const tasks::Task&, const tasks::TaskOutput& output) {
  return fmt::format(
      "  void* found_{0} = nullptr;\n  cudaMalloc(&found_{0}, {1});\n"
      "  cudaMemcpy({0}, found_{0}, {1}, cudaMemcpyDeviceToDevice);\n",
      output.name, size_of(output.shape, output.type));
}

std::string function(const tasks::Task& task, Work work) {
  std::string body = task.function.kernel ? "" : "  launch_decoy();\n";
  for (const tasks::TaskOutput& output : task.outputs) body += work(task, output);
  return fmt::format("{}{}{}{} {{\n{}}}\n", kIncludes, kSpread, kKernels, signature(task.function), body);
}

}  // namespace

std::vector<Control> controls_of(const tasks::Task& task) {
  const bool is_function = task.kind == tasks::AnswerKind::kFunction;
  if (!is_function && task.kind != tasks::AnswerKind::kProgram) return {};
  const auto make = is_function ? function : program;
  std::vector<Control> controls = {
      {"zeros", make(task, is_function ? spread_zeros : save_zeros)},
      {"constant", make(task, is_function ? spread_constant : save_constant)},
  };
  if (!task.inputs.empty())
    controls.push_back({"identity", make(task, is_function ? spread_copy : save_copy)});
  if (!task.function.kernel) controls.push_back({"stale", make(task, is_function ? copy_found : save_found)});
  controls.push_back({"nothing", make(task, save_nothing)});
  return controls;
}

}  // namespace cuset::judge
