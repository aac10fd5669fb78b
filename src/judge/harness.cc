#include "judge/harness.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/files/scratch_file.h"
#include "judge/data_files.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kGuardBytes = 4096;

constexpr const char* kBuffers = R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" __attribute__((weak)) int cuset_checks_bounds();

namespace cuset_harness {

constexpr size_t kGuard = 4096;

[[noreturn]] inline void give_up(const char* what, const char* which) {
  std::fprintf(stderr, "harness: %s %s\n", what, which);
  std::exit(70);
}

inline void require(cudaError_t status, const char* what) {
  if (status != cudaSuccess) give_up(what, cudaGetErrorString(status));
}

inline std::vector<char> read_file(const std::string& path, size_t size) {
  std::vector<char> bytes(size);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr || std::fread(bytes.data(), 1, size, file) != size) give_up("cannot read", path.c_str());
  std::fclose(file);
  return bytes;
}

inline void write_file(const std::string& path, const char* bytes, size_t size) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(bytes, 1, size, file) != size || std::fclose(file) != 0)
    give_up("cannot write", path.c_str());
}

// Device memory between two guard bands. Where every access is checked, the memory alone: what touches the
// guards is to be seen as outside of it.
class Buffer {
 public:
  Buffer(const char* name, size_t size, const char* content)
      : name_(name), size_(size), guard_(cuset_checks_bounds && cuset_checks_bounds() ? 0 : kGuard) {
    std::vector<char> image(size + 2 * kGuard);
    const std::vector<char> poison = read_file("check/poison", 8);
    for (size_t i = 0; i < image.size(); ++i) image[i] = poison[i % 8];
    if (content != nullptr) {
      const std::vector<char> bytes = read_file(content, size);
      std::memcpy(image.data() + kGuard, bytes.data(), size);
    }
    require(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes()), "cudaMalloc:");
    if (content == nullptr && guard_ == 0) return;  // unset memory, as far as checks know
    require(cudaMemcpy(memory_, image.data() + kGuard - guard_, bytes(), cudaMemcpyHostToDevice), "cudaMemcpy:");
  }

  // The next call gets the same addresses with other numbers behind them.
  ~Buffer() { cudaFree(memory_); }
  Buffer(const Buffer&) = delete;

  template <typename T>
  T as() const {
    return reinterpret_cast<T>(memory_ + guard_);
  }

  void save(const std::string& path) const {
    std::vector<char> image(bytes());
    require(cudaMemcpy(image.data(), memory_, image.size(), cudaMemcpyDeviceToHost), "cudaMemcpy:");
    write_file(path, image.data() + guard_, size_);
    std::vector<char> guards(image.begin(), image.begin() + guard_);
    guards.insert(guards.end(), image.end() - guard_, image.end());
    write_file("check/" + std::string(name_) + ".guards", guards.data(), guards.size());
  }

 private:
  size_t bytes() const { return size_ + 2 * guard_; }

  const char* name_;
  size_t size_;
  size_t guard_;
  char* memory_ = nullptr;
};

}  // namespace cuset_harness

)";

static_assert(kGuardBytes == 4096, "the harness's text says the same");

uint64_t bytes_of_shape(const tasks::Shape& shape, tasks::NumberType type) {
  return tasks::count_of(shape) * tasks::bytes_of(type);
}

bool is_buffer(const tasks::Task& task, const std::string& name) {
  const auto named = [&](const auto& one) { return one.name == name; };
  return std::any_of(task.inputs.begin(), task.inputs.end(), named) ||
         std::any_of(task.outputs.begin(), task.outputs.end(), named);
}

std::string call_of(const tasks::Task& task) {
  const tasks::FunctionInterface& function = task.function;
  std::vector<std::string> arguments;
  for (const auto& parameter : function.parameters) {
    arguments.push_back(is_buffer(task, parameter.name)
                            ? fmt::format("buffer_{}.as<{}>()", parameter.name, parameter.type)
                            : fmt::format("static_cast<{}>({})", parameter.type, parameter.value));
  }
  std::string launch;
  if (function.kernel) {
    launch = fmt::format("<<<dim3({}), dim3({}), {}>>>", fmt::join(function.grid, ", "),
                         fmt::join(function.block, ", "), function.shared_bytes);
  }
  return fmt::format("  {}{}({});\n", function.name, launch, fmt::join(arguments, ", "));
}

std::string main_of(const tasks::Task& task) {
  std::string text = "int main() {\n  using namespace cuset_harness;\n";
  for (const tasks::TaskInput& input : task.inputs) {
    text += fmt::format("  const Buffer buffer_{0}(\"{0}\", {1}, \"{2}\");\n", input.name,
                        bytes_of_shape(input.shape, input.type), data_file(input.name));
  }
  for (const tasks::TaskOutput& output : task.outputs) {
    text += fmt::format("  const Buffer buffer_{0}(\"{0}\", {1}, nullptr);\n", output.name,
                        bytes_of_shape(output.shape, output.type));
  }
  text += call_of(task);
  text += "  require(cudaGetLastError(), \"the call:\");\n";
  text += "  require(cudaDeviceSynchronize(), \"the call:\");\n";
  for (const tasks::TaskInput& input : task.inputs)
    text += fmt::format("  buffer_{0}.save(\"check/{0}.after\");\n", input.name);
  for (const tasks::TaskOutput& output : task.outputs)
    text += fmt::format("  buffer_{0}.save(\"{1}\");\n", output.name, data_file(output.name));
  return text + "  return 0;\n}\n";
}

bool holds_pattern(const std::vector<std::byte>& bytes, size_t first, size_t count, uint64_t pattern,
                   size_t phase) {
  unsigned char wanted[8];
  std::memcpy(wanted, &pattern, 8);
  for (size_t i = 0; i < count; ++i)
    if (std::to_integer<unsigned char>(bytes[first + i]) != wanted[(phase + i) % 8]) return false;
  return true;
}

}  // namespace

std::string declaration_of(const tasks::FunctionInterface& function) {
  std::vector<std::string> parameters;
  for (const auto& parameter : function.parameters)
    parameters.push_back(parameter.type + " " + parameter.name);
  return fmt::format("{}void {}({});", function.kernel ? "__global__ " : "", function.name,
                     fmt::join(parameters, ", "));
}

std::string in_harness(const tasks::Task& task, const std::string& answer) {
  return fmt::format("{}{}\n\n{}\n#define main cuset_answer_main\n#line 1 \"answer.cu\"\n{}\n", kBuffers,
                     declaration_of(task.function), main_of(task), answer);
}

HarnessFiles::HarnessFiles(fs::path folder, const tasks::Task& task, uint64_t poison, bool has_guards)
    : folder_(std::move(folder)), task_(task), poison_(poison), has_guards_(has_guards) {
  fs::create_directories(folder_ / "check");
  base::write_scratch_file(folder_ / "check/poison",
                           std::string_view(reinterpret_cast<const char*>(&poison_), sizeof poison_));
}

std::string HarnessFiles::guard_damage(const std::string& name) const {
  const OutputFile guards = read_output(folder_, "check/" + name + ".guards", 2 * kGuardBytes);
  if (!has_guards_ && guards.size == 0 && guards.state == OutputFile::State::kWhole) return "";
  if (guards.size != 2 * kGuardBytes) return fmt::format("the guards of {} are gone", name);
  uint64_t size = 0;
  for (const tasks::TaskInput& input : task_.inputs)
    if (input.name == name) size = bytes_of_shape(input.shape, input.type);
  for (const tasks::TaskOutput& output : task_.outputs)
    if (output.name == name) size = bytes_of_shape(output.shape, output.type);
  if (!holds_pattern(guards.bytes, 0, kGuardBytes, poison_, 0))
    return fmt::format("it wrote before the beginning of {}", name);
  if (!holds_pattern(guards.bytes, kGuardBytes, kGuardBytes, poison_, (kGuardBytes + size) % 8))
    return fmt::format("it wrote beyond the end of {}", name);
  return "";
}

std::string HarnessFiles::damage(const std::vector<tasks::Array>& inputs) const {
  for (size_t i = 0; i < task_.inputs.size(); ++i) {
    const std::string& name = task_.inputs[i].name;
    const OutputFile after = read_output(folder_, "check/" + name + ".after", inputs[i].bytes.size());
    if (after.bytes != inputs[i].bytes) return fmt::format("it changed its input {}", name);
    if (std::string damage = guard_damage(name); !damage.empty()) return damage;
  }
  for (const tasks::TaskOutput& output : task_.outputs) {
    if (std::string damage = guard_damage(output.name); !damage.empty()) return damage;
  }
  return "";
}

}  // namespace cuset::judge
