#include "curate/trial/trial_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/files/file.h"

namespace cuset::curate {
namespace {

constexpr const char* kTrialHeaders = R"(#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
)";

// Before the program, so that its macros cannot change it.
constexpr const char* kTrialMachinery = R"(#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace cuset_trial {

[[noreturn]] inline void end(int status, const char* why) {
  std::fprintf(stderr, "trial: %s\n", why);
  std::exit(status);
}

inline void require(cudaError_t status) {
  if (status != cudaSuccess) end(1, cudaGetErrorString(status));
}

struct Words {
  int count;
  char** words;
  int at;

  double next() {
    if (at >= count) end(67, "too few words");
    return std::strtod(words[at++], nullptr);
  }
};

// SplitMix64: a number in [0, 1).
struct Draw {
  unsigned long long state;

  double next() {
    unsigned long long z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
};

template <typename T, typename = void>
struct Number {
  static constexpr bool kKnown = false;
};
template <typename T>
struct Number<T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>> {
  static constexpr bool kKnown = true;
  static constexpr int kDigits = std::is_floating_point_v<T> ? 1 : 0;
  using Part = T;
  static T from(double value) { return static_cast<T>(static_cast<std::conditional_t<std::is_floating_point_v<T>, T, long long>>(value)); }
  static double to(T value) { return static_cast<double>(value); }
};
template <>
struct Number<__half> {
  static constexpr bool kKnown = true;
  static constexpr int kDigits = 2;
  using Part = __half;
  static __half from(double value) { return __float2half(static_cast<float>(value)); }
  static double to(__half value) { return __half2float(value); }
};
template <>
struct Number<__nv_bfloat16> {
  static constexpr bool kKnown = true;
  static constexpr int kDigits = 2;
  using Part = __nv_bfloat16;
  static __nv_bfloat16 from(double value) { return __float2bfloat16(static_cast<float>(value)); }
  static double to(__nv_bfloat16 value) { return __bfloat162float(value); }
};

// float4 and the like, by their parts.
template <typename T>
struct PartOf {
  using Type = T;
};
#define CUSET_TRIAL_VECTOR(base, part)                    \
  template <> struct PartOf<base##2> { using Type = part; }; \
  template <> struct PartOf<base##3> { using Type = part; }; \
  template <> struct PartOf<base##4> { using Type = part; };
CUSET_TRIAL_VECTOR(float, float)
CUSET_TRIAL_VECTOR(double, double)
CUSET_TRIAL_VECTOR(int, int)
CUSET_TRIAL_VECTOR(uint, unsigned)
CUSET_TRIAL_VECTOR(short, short)
CUSET_TRIAL_VECTOR(char, signed char)
CUSET_TRIAL_VECTOR(uchar, unsigned char)
#undef CUSET_TRIAL_VECTOR
template <>
struct PartOf<__half2> {
  using Type = __half;
};
template <>
struct PartOf<__nv_bfloat162> {
  using Type = __nv_bfloat16;
};

struct Buffer {
  char* memory;
  size_t bytes;
  bool is_output;
  int digits;
  size_t part;  // bytes of one number
  void (*save)(const char* bytes, size_t size, FILE* file);
};

template <typename Part>
void save_numbers(const char* bytes, size_t size, FILE* file) {
  const size_t count = size / sizeof(Part);
  std::vector<double> numbers(count);
  for (size_t i = 0; i < count; ++i) {
    Part part;
    std::memcpy(static_cast<void*>(&part), bytes + i * sizeof(Part), sizeof(Part));
    numbers[i] = Number<Part>::to(part);
  }
  std::fwrite(numbers.data(), sizeof(double), count, file);
}

template <typename Element>
Element* make_buffer(Words& words, Draw& draw, bool is_output, std::vector<Buffer>& buffers) {
  using Part = typename PartOf<Element>::Type;
  const auto count = static_cast<size_t>(words.next());
  const double low = words.next(), high = words.next();
  const bool is_ascending = words.next() != 0;
  std::vector<char> bytes(count * sizeof(Element));
  for (size_t i = 0; i < bytes.size() / sizeof(Part); ++i) {
    const double ascending = low + 2.0 * static_cast<double>(i);
    const double value = is_ascending ? (ascending < high ? ascending : high) : low + (high - low) * draw.next();
    const Part part = Number<Part>::from(value);
    std::memcpy(bytes.data() + i * sizeof(Part), static_cast<const void*>(&part), sizeof(Part));
  }
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes.size()));
  require(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  buffers.push_back({static_cast<char*>(memory), bytes.size(), is_output, Number<Part>::kDigits, sizeof(Part), &save_numbers<Part>});
  return static_cast<Element*>(memory);
}

template <typename Parameter>
Parameter argument(Words& words, Draw& draw, std::vector<Buffer>& buffers) {
  if constexpr (std::is_pointer_v<Parameter>) {
    using Pointee = std::remove_pointer_t<Parameter>;
    using Element = std::remove_cv_t<Pointee>;
    if constexpr (Number<typename PartOf<Element>::Type>::kKnown) {
      return make_buffer<Element>(words, draw, !std::is_const_v<Pointee>, buffers);
    } else {
      end(66, "a parameter points at something that is no number");
    }
  } else if constexpr (Number<Parameter>::kKnown) {
    return Number<Parameter>::from(words.next());
  } else {
    end(66, "a parameter is no number");
  }
}

inline dim3 sides(Words& words) {
  const auto x = static_cast<unsigned>(words.next());
  const auto y = static_cast<unsigned>(words.next());
  return dim3(x, y, static_cast<unsigned>(words.next()));
}

inline void save(const std::vector<Buffer>& buffers) {
  FILE* file = std::fopen("out.bin", "ab");
  if (file == nullptr) end(67, "cannot write out.bin");
  for (const Buffer& buffer : buffers) {
    std::vector<char> bytes(buffer.bytes);
    require(cudaMemcpy(bytes.data(), buffer.memory, buffer.bytes, cudaMemcpyDeviceToHost));
    require(cudaFree(buffer.memory));
    if (!buffer.is_output) continue;
    const double head[2] = {static_cast<double>(buffer.bytes / buffer.part), static_cast<double>(buffer.digits)};
    std::fwrite(head, sizeof(double), 2, file);
    buffer.save(bytes.data(), bytes.size(), file);
  }
  std::fclose(file);
}

#ifndef CUSET_KERNEL_ABI
#define CUSET_KERNEL_ABI  // of the CPU executor's kernels; nvcc's have none
#endif

template <typename... Parameters>
void call(void (CUSET_KERNEL_ABI* kernel)(Parameters...), Words& words) {
  const dim3 grid = sides(words), block = sides(words);
  const auto shared = static_cast<size_t>(words.next());
  Draw draw{static_cast<unsigned long long>(words.next())};
  std::vector<Buffer> buffers;
  std::tuple<Parameters...> values{argument<Parameters>(words, draw, buffers)...};
  void* addresses[sizeof...(Parameters) + 1] = {};
  size_t place = 0;
  std::apply([&](auto&... value) { ((addresses[place++] = const_cast<void*>(static_cast<const void*>(&value))), ...); },
             values);
  require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, addresses, shared, nullptr));
  require(cudaDeviceSynchronize());
  save(buffers);
}

}  // namespace cuset_trial
)";

constexpr double kLargestCount = 1 << 28;

double tolerance_of(TrialDigits digits) {
  if (digits == TrialDigits::kExact) return 0;
  return digits == TrialDigits::kFloat ? 1e-4 : 2e-2;
}

}  // namespace

std::string program_alone(const std::string& program) {
  return fmt::format("{}#line 1 \"row.cu\"\n{}\nint main() {{ return 0; }}\n", kTrialHeaders, program);
}

std::string trial_program(const std::string& program,
                          const std::vector<cuda_source::KernelInterface>& kernels,
                          const std::vector<std::string>& template_arguments) {
  std::string text = fmt::format("{}{}#line 1 \"row.cu\"\n{}\n#line 1 \"trial.cu\"\n", kTrialHeaders,
                                 kTrialMachinery, program);
  text +=
      "int main(int cuset_trial_count, char** cuset_trial_words) {\n"
      "  cuset_trial::Words cuset_trial_in{cuset_trial_count, cuset_trial_words, 1};\n"
      "  const int cuset_trial_kernel = (int)cuset_trial_in.next();\n"
      "  while (cuset_trial_in.at < cuset_trial_count) {\n";
  for (size_t i = 0; i < kernels.size(); ++i) {
    const std::string arguments =
        kernels[i].template_parameters.empty() ? "" : fmt::format("<{}>", template_arguments[i]);
    text += fmt::format("    if (cuset_trial_kernel == {}) cuset_trial::call(&{}{}, cuset_trial_in);\n", i,
                        kernels[i].qualified, arguments);
  }
  return text + "  }\n  return 0;\n}\n";
}

std::vector<TrialBuffer> read_trial_output(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, failed))) return {};
  const std::string bytes = base::read_file(file);
  std::vector<double> words(bytes.size() / sizeof(double));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(double));
  std::vector<TrialBuffer> buffers;
  for (size_t at = 0; at < words.size();) {
    const double count = words[at];
    const bool fits = at + 1 < words.size() && count >= 0 && count < kLargestCount &&
                      static_cast<size_t>(count) <= words.size() - at - 2;
    const double digits = at + 1 < words.size() ? words[at + 1] : -1;
    if (!fits || !(digits == 0 || digits == 1 || digits == 2)) return {};
    TrialBuffer buffer;
    buffer.digits = static_cast<TrialDigits>(static_cast<int>(digits));
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at) + 2;
    buffer.numbers.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    buffers.push_back(std::move(buffer));
    at += 2 + static_cast<size_t>(count);
  }
  return buffers;
}

std::string difference_between(const std::vector<TrialBuffer>& usual, const std::vector<TrialBuffer>& other) {
  if (usual.size() != other.size())
    return fmt::format("{} buffers are written instead of {}", other.size(), usual.size());
  for (size_t i = 0; i < usual.size(); ++i) {
    const std::vector<double>&a = usual[i].numbers, &b = other[i].numbers;
    if (a.size() != b.size())
      return fmt::format("buffer {} has {} numbers instead of {}", i, b.size(), a.size());
    double largest = 0;
    for (const double number : a)
      if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
    const double allowed = tolerance_of(usual[i].digits);
    for (size_t k = 0; k < a.size(); ++k) {
      const bool same = a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k])) ||
                        std::abs(a[k] - b[k]) <= allowed * (std::abs(a[k]) + largest);
      if (!same) return fmt::format("buffer {}[{}] is {} instead of {}", i, k, b[k], a[k]);
    }
  }
  return "";
}

}  // namespace cuset::curate
