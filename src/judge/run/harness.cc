#include "judge/run/harness.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/files/scratch_file.h"
#include "execute/objects/object_file.h"
#include "judge/run/data_files.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

// What an answer may rely on having been included.
constexpr const char* kHeaders = R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
)";

constexpr const char* kBuffers = R"(#include <stddef.h>
#include <stdint.h>

extern "C" {
struct cuset_dim3 { unsigned x, y, z; };
int cudaMalloc(void**, size_t);
int cudaFree(void*);
int cudaMemcpy(void*, const void*, size_t, int);
int cudaGetLastError();
int cudaDeviceSynchronize();
const char* cudaGetErrorString(int);
int cudaLaunchKernel(const void*, cuset_dim3, cuset_dim3, void**, size_t, void*);
__attribute__((weak)) int cuset_checks_bounds();
[[noreturn]] void exit(int) noexcept;
extern const void* const cuset_entry;
}

namespace {

constexpr Size kGuard = 4096;
constexpr int kToDevice = 1, kToHost = 2;

void say(const char* text) {
  Size length = 0;
  while (text[length] != 0) ++length;
  raw_call(kWrite, 2, address(text), static_cast<long>(length));
}

[[noreturn]] void give_up(const char* what, const char* which) {
  say("harness: ");
  say(what);
  say(" ");
  say(which);
  say("\n");
  exit(70);
}

void require(int status, const char* what) {
  if (status != 0) give_up(what, cudaGetErrorString(status));
}

// Memory of our own, from the system.
class Pages {
 public:
  explicit Pages(Size size) : size_(size) {
    const long found = raw_call(kMap, 0, static_cast<long>(size), 3, 0x22, -1, 0);
    if (found < 0 && found > -4096) give_up("cannot get", "memory");
    bytes = reinterpret_cast<char*>(found);
  }
  ~Pages() { raw_call(kUnmap, address(bytes), static_cast<long>(size_)); }
  Pages(const Pages&) = delete;

  char* bytes;

 private:
  Size size_;
};

void read_file(const char* path, char* bytes, Size size) {
  const long file = raw_call(kOpen, address(path), kReadOnly | kNoLinks);
  Size done = 0;
  while (file >= 0 && done < size) {
    const long count = raw_call(kRead, file, address(bytes + done), static_cast<long>(size - done));
    if (count <= 0) break;
    done += static_cast<Size>(count);
  }
  if (file < 0 || done != size) give_up("cannot read", path);
  raw_call(kClose, file);
}

// The parts one after the other.
void write_file(const char* path, const char* first, Size first_size, const char* second, Size second_size) {
  const long file = raw_call(kOpen, address(path), kCreate | kNoLinks, 0600);
  if (file < 0) give_up("cannot create", path);
  for (Size done = 0; done < first_size + second_size;) {
    const bool in_first = done < first_size;
    const char* const from = in_first ? first + done : second + (done - first_size);
    const Size rest = in_first ? first_size - done : first_size + second_size - done;
    const long count = raw_call(kWrite, file, address(from), static_cast<long>(rest));
    if (count <= 0) give_up("cannot write", path);
    done += static_cast<Size>(count);
  }
  raw_call(kClose, file);
}

// Device memory between two guard bands. Where every access is checked, the memory alone: what touches the
// guards is to be seen as outside of it.
class Buffer {
 public:
  Buffer(Size size, const char* content)
      : size_(size), guard_(cuset_checks_bounds && cuset_checks_bounds() ? 0 : kGuard) {
    const Pages image(size + 2 * kGuard);
    char poison[8];
    read_file("check/poison", poison, 8);
    for (Size i = 0; i < size + 2 * kGuard; ++i) image.bytes[i] = poison[i % 8];
    if (content != nullptr) read_file(content, image.bytes + kGuard, size);
    require(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes()), "cudaMalloc:");
    if (content == nullptr && guard_ == 0) return;  // unset memory, as far as checks know
    require(cudaMemcpy(memory_, image.bytes + kGuard - guard_, bytes(), kToDevice), "cudaMemcpy:");
  }

  // The next call gets the same addresses with other numbers behind them.
  ~Buffer() { cudaFree(memory_); }
  Buffer(const Buffer&) = delete;

  void* start() const { return memory_ + guard_; }

  void save(const char* path, const char* guards) const {
    const Pages image(size_ + 2 * kGuard);
    require(cudaMemcpy(image.bytes, memory_, bytes(), kToHost), "cudaMemcpy:");
    write_file(path, image.bytes + guard_, size_, nullptr, 0);
    write_file(guards, image.bytes, guard_, image.bytes + guard_ + size_, guard_);
  }

 private:
  Size bytes() const { return size_ + 2 * guard_; }

  Size size_;
  Size guard_;
  char* memory_ = nullptr;
};

}  // namespace

)";

static_assert(kGuardBytes == 4096, "the harness's text says the same");

uint64_t bytes_of_shape(const tasks::Shape& shape, tasks::NumberType type) {
  return tasks::count_of(shape) * tasks::bytes_of(type);
}

std::optional<tasks::NumberType> small_float_type(const std::string& type) {
  if (type.find("half") != std::string::npos) return tasks::NumberType::kFloat16;
  if (type.find("bfloat16") != std::string::npos) return tasks::NumberType::kBfloat16;
  return std::nullopt;
}

bool is_buffer(const tasks::Task& task, const std::string& name) {
  const auto named = [&](const auto& one) { return one.name == name; };
  return std::any_of(task.inputs.begin(), task.inputs.end(), named) ||
         std::any_of(task.outputs.begin(), task.outputs.end(), named);
}

// The type of a parameter as plain C++ passes it; half types as their bits.
std::string plain_type(const tasks::FunctionInterface::Parameter& parameter, bool buffer) {
  if (buffer) return "void*";
  return small_float_type(parameter.type) ? "unsigned short" : parameter.type;
}

std::string plain_value(const tasks::FunctionInterface::Parameter& parameter) {
  if (const auto type = small_float_type(parameter.type)) {
    const tasks::Array one =
        tasks::Array::from_doubles(*type, {1}, {std::strtod(parameter.value.c_str(), nullptr)});
    uint16_t bits = 0;
    std::memcpy(&bits, one.bytes.data(), sizeof bits);
    return std::to_string(bits);
  }
  return fmt::format("static_cast<{}>({})", parameter.type, parameter.value);
}

// Launches the kernel, or calls the function, at the address that stands in front of the answer.
std::string call_of(const tasks::Task& task) {
  const tasks::FunctionInterface& function = task.function;
  std::string text;
  std::vector<std::string> types, names, addresses;
  for (const auto& parameter : function.parameters) {
    const bool buffer = is_buffer(task, parameter.name);
    types.push_back(plain_type(parameter, buffer));
    names.push_back("value_" + parameter.name);
    addresses.push_back(
        fmt::format("const_cast<void*>(static_cast<const void*>(&value_{}))", parameter.name));
    text += fmt::format("  {} value_{} = {};\n", types.back(), parameter.name,
                        buffer ? fmt::format("buffer_{}.start()", parameter.name) : plain_value(parameter));
  }
  if (!function.kernel) {
    return text + fmt::format("  reinterpret_cast<void (*)({})>(const_cast<void*>(cuset_entry))({});\n",
                              fmt::join(types, ", "), fmt::join(names, ", "));
  }
  return text +
         fmt::format(
             "  void* values[] = {{{}}};\n"
             "  require(cudaLaunchKernel(cuset_entry, {{{}}}, {{{}}}, values, {}, nullptr), \"the call:\");\n",
             fmt::join(addresses, ", "), fmt::join(function.grid, ", "), fmt::join(function.block, ", "),
             function.shared_bytes);
}

std::string main_of(const tasks::Task& task) {
  std::string text = "extern \"C\" int cuset_run(int, char**) {\n";
  for (const tasks::TaskInput& input : task.inputs) {
    text += fmt::format("  const Buffer buffer_{}({}, \"{}\");\n", input.name,
                        bytes_of_shape(input.shape, input.type), data_file(input.name));
  }
  for (const tasks::TaskOutput& output : task.outputs) {
    text += fmt::format("  const Buffer buffer_{}({}, nullptr);\n", output.name,
                        bytes_of_shape(output.shape, output.type));
  }
  // A copy from pageable memory may return before all of it has arrived, and the answer's streams need not wait for ours.
  text += "  require(cudaDeviceSynchronize(), \"the inputs:\");\n";
  text += call_of(task);
  text += "  require(cudaGetLastError(), \"the call:\");\n";
  text += "  require(cudaDeviceSynchronize(), \"the call:\");\n";
  for (const tasks::TaskInput& input : task.inputs)
    text += fmt::format(
        "  if (exists(\"check/inputs\")) buffer_{0}.save(\"check/{0}.after\", \"check/{0}.guards\");\n",
        input.name);
  for (const tasks::TaskOutput& output : task.outputs)
    text += fmt::format("  buffer_{0}.save(\"{1}\", \"check/{0}.guards\");\n", output.name,
                        data_file(output.name));
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

const char* const kStreams = R"(#include <istream>
#include <ostream>
#define _GLIBCXX_IOSTREAM 1
namespace std {
extern istream cin;
extern ostream cout, cerr, clog;
extern wistream wcin;
extern wostream wcout, wcerr, wclog;
}
)";

std::string declaration_of(const tasks::FunctionInterface& function) {
  std::vector<std::string> parameters;
  for (const auto& parameter : function.parameters)
    parameters.push_back(parameter.type + " " + parameter.name);
  return fmt::format("{}void {}({});", function.kernel ? "__global__ " : "", function.name,
                     fmt::join(parameters, ", "));
}

std::string in_harness(const tasks::Task& task, const std::string& answer) {
  const bool streams = task.function.kernel && (answer.find("iostream") != std::string::npos ||
                                                answer.find("stdc++") != std::string::npos);
  return fmt::format(
      "{}{}\n{}\n#ifndef __CUDA_ARCH__\n"
      "extern \"C\" __attribute__((visibility(\"hidden\"), used)) const void* const {} = "
      "reinterpret_cast<const void*>(&{});\n#endif\n#line 1 \"answer.cu\"\n{}\n",
      kHeaders, streams ? kStreams : "", declaration_of(task.function), execute::kEntryName,
      task.function.name, answer);
}

std::string harness_source(const tasks::Task& task) { return kBuffers + main_of(task); }

HarnessFiles::HarnessFiles(fs::path folder, const tasks::Task& task, uint64_t poison, bool has_guards)
    : folder_(std::move(folder)), task_(task), poison_(poison), has_guards_(has_guards) {
  lay_poison(folder_, poison_);
  base::write_scratch_file(folder_ / "check/inputs", std::string_view());
}

void HarnessFiles::lay_poison(const fs::path& folder, uint64_t poison) {
  fs::create_directories(folder / "check");
  base::write_scratch_file(folder / "check/poison",
                           std::string_view(reinterpret_cast<const char*>(&poison), sizeof poison));
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
