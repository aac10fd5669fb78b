#include "gym/solutions/map.h"

#include <fmt/format.h>

#include <algorithm>

#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/formula.h"

namespace cuset::gym {
namespace {

constexpr size_t kLongValue = 48;  // characters: beyond, four copies of it would fill the kernel

class MapKernels {
 public:
  MapKernels(const GymDraft& draft, const MapWork& work, base::RandomStream& stream)
      : draft_(draft), work_(work), stream_(stream), number_(cuda_number(work.type)) {}

  GymSolution one_thread_each();
  GymSolution grid_stride();
  GymSolution neighbors();
  GymSolution block_chunks();
  GymSolution device_function();
  GymSolution vectors();
  bool can_call() const { return draft_.outputs.size() == 1 && !work_.indexed; }
  bool can_vectorize() const;

 private:
  GymSolution solution(std::string style);
  std::string element();
  std::string all_text() const;
  std::string function() const;
  std::string call(const std::vector<std::string>& arguments) const;
  std::string at(const GymArray& array) const { return fmt::format("${}[$i]", array.key); }
  std::string local(size_t input) const;

  const GymDraft& draft_;
  const MapWork& work_;
  base::RandomStream& stream_;
  CudaNumber number_;
};

std::string MapKernels::local(size_t input) const {
  static const std::string names[] = {"value", "w", "u", "s"};
  return "$" + names[input];
}

std::string MapKernels::all_text() const {
  std::string text = work_.lines;
  for (const std::string& value : work_.values) text += value + ";";
  return text;
}

size_t uses_of(const std::string& text, const std::string& key) {
  size_t uses = 0;
  with_elements(text, [&](const std::string& found) {
    uses += found == key ? 1 : 0;
    return found;
  });
  return uses;
}

// The statements at $i. An element that is used several times is read once, into a local.
std::string MapKernels::element() {
  const std::string text = all_text();
  std::string lines;
  std::vector<std::string> locals;
  for (size_t i = 0; i < draft_.inputs.size(); ++i) {
    const GymArray& array = draft_.inputs[i];
    const size_t uses = uses_of(text, array.key);
    const bool held = uses > 1 || (uses == 1 && one_in(stream_, 4));
    if (held) lines += fmt::format("{} {} = {};\n", number_.name, local(i), loaded(array.type, at(array)));
    locals.push_back(held ? local(i) : loaded(array.type, at(array)));
  }
  const auto read = [&](const std::string& key) {
    for (size_t i = 0; i < draft_.inputs.size(); ++i)
      if (draft_.inputs[i].key == key) return locals[i];
    return "@" + key;
  };
  lines += with_elements(work_.lines, read);
  for (size_t k = 0; k < work_.values.size(); ++k) {
    const GymArray& array = draft_.outputs[k];
    lines += fmt::format("{} = {};\n", at(array), stored(array.type, with_elements(work_.values[k], read)));
  }
  return lines;
}

GymSolution MapKernels::solution(std::string style) {
  GymSolution solution;
  solution.style = std::move(style);
  solution.constants = {{"block", power_between(stream_, 64, 512)}};
  GymKernel kernel{.sizes = {"n"}, .grid = "($n + $block - 1) / $block", .block = "$block"};
  for (const std::vector<GymArray>* arrays : {&draft_.inputs, &draft_.outputs})
    for (const GymArray& array : *arrays) kernel.arrays.push_back(array.key);
  kernel.sizes.insert(kernel.sizes.end(), work_.sizes.begin(), work_.sizes.end());
  for (const GymScalar& scalar : draft_.scalars) kernel.scalars.push_back(scalar.key);
  solution.kernels = {std::move(kernel)};
  solution.reasoning.memory = one_of<std::string>(
      stream_, {"neighboring threads touch neighboring elements, so loads and stores are coalesced",
                "thread k of a warp reads element k of a contiguous run",
                "every element is read once and written once, in contiguous runs"});
  return solution;
}

GymSolution MapKernels::one_thread_each() {
  GymSolution result = solution("one_thread_each");
  const std::string first = "int $i = blockIdx.x * blockDim.x + threadIdx.x;\n";
  result.kernels[0].body = one_in(stream_, 3) ? first + "if ($i >= $n) return;\n" + element()
                                              : first + "if ($i < $n) {\n" + indented(element()) + "}\n";
  result.reasoning.mapping = fmt::format("one thread computes one element of ${}", draft_.outputs[0].key);
  return result;
}

GymSolution MapKernels::grid_stride() {
  GymSolution result = solution("grid_stride");
  result.kernels[0].body =
      one_in(stream_, 2) ? "int $stride = blockDim.x * gridDim.x;\n"
                           "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += $stride) {\n"
                         : "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; "
                           "$i += blockDim.x * gridDim.x) {\n";
  result.kernels[0].body += indented(element()) + "}\n";
  result.constants.push_back({"blocks", whole_between(stream_, 4, 40)});
  result.kernels[0].grid = "$blocks";
  result.reasoning.mapping =
      "a fixed grid of $blocks blocks strides over the array until all $n elements are done";
  return result;
}

GymSolution MapKernels::neighbors() {
  GymSolution result = solution("several_per_thread");
  result.constants.push_back({"items", whole_between(stream_, 2, 8)});
  result.kernels[0].body =
      "int $base = (blockIdx.x * blockDim.x + threadIdx.x) * $items;\n"
      "for (int $i = $base; $i < $base + $items && $i < $n; ++$i) {\n" +
      indented(element()) + "}\n";
  result.kernels[0].grid = "($n + $block * $items - 1) / ($block * $items)";
  result.reasoning.mapping = "each thread computes $items neighboring elements";
  result.reasoning.memory = "a thread reads a short run, so a warp reads $items times 32 elements in a row";
  return result;
}

GymSolution MapKernels::block_chunks() {
  GymSolution result = solution("block_chunks");
  result.constants.push_back({"items", whole_between(stream_, 2, 8)});
  result.kernels[0].body =
      "int $base = blockIdx.x * $block * $items;\n"
      "for (int $k = 0; $k < $items; ++$k) {\n"
      "  int $i = $base + $k * $block + threadIdx.x;\n"
      "  if ($i < $n) {\n" +
      indented(element(), 2) + "  }\n}\n";
  result.kernels[0].grid = "($n + $block * $items - 1) / ($block * $items)";
  result.reasoning.mapping =
      "each block takes a chunk of $block * $items elements and its threads step through it $block apart";
  return result;
}

// __device__ float $apply(float $v, float $w) { return ...; }
std::string MapKernels::function() const {
  std::vector<std::string> parameters;
  for (size_t i = 0; i < draft_.inputs.size(); ++i)
    parameters.push_back(fmt::format("{} {}", number_.name, local(i)));
  const auto read = [&](const std::string& key) {
    for (size_t i = 0; i < draft_.inputs.size(); ++i)
      if (draft_.inputs[i].key == key) return local(i);
    return "@" + key;
  };
  return fmt::format("__device__ {} $apply({}) {{\n{}  return {};\n}}\n", number_.name,
                     fmt::join(parameters, ", "), indented(with_elements(work_.lines, read)),
                     with_elements(work_.values[0], read));
}

std::string MapKernels::call(const std::vector<std::string>& arguments) const {
  return fmt::format("$apply({})", fmt::join(arguments, ", "));
}

GymSolution MapKernels::device_function() {
  GymSolution result = solution("device_function");
  std::vector<std::string> arguments;
  for (const GymArray& array : draft_.inputs) arguments.push_back(loaded(array.type, at(array)));
  result.functions = function();
  result.kernels[0].scalars.clear();
  result.kernels[0].body =
      fmt::format("int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i < $n) {{\n  {} = {};\n}}\n",
                  at(draft_.outputs[0]), stored(draft_.outputs[0].type, call(arguments)));
  result.reasoning.mapping =
      "one thread per element; the formula is a device function that the compiler puts in place";
  return result;
}

// Vectors of 16 bytes: all arrays have one type of 4 bytes, and the count divides by four.
bool MapKernels::can_vectorize() const {
  const auto fits = [&](const GymArray& array) { return array.type == work_.type; };
  return can_call() && draft_.sizes[0].value % 4 == 0 && tasks::bytes_of(work_.type) == 4 &&
         std::all_of(draft_.inputs.begin(), draft_.inputs.end(), fits) && fits(draft_.outputs[0]);
}

GymSolution MapKernels::vectors() {
  GymSolution result = solution("vector_loads");
  const std::string vector = number_.name + "4";
  const bool calls = !work_.lines.empty() || work_.values[0].size() > kLongValue;
  std::string lines;
  for (size_t i = 0; i < draft_.inputs.size(); ++i)
    lines += fmt::format("{0} {1}4 = reinterpret_cast<const {0}*>(${2})[$i];\n", vector, local(i),
                         draft_.inputs[i].key);
  lines += fmt::format("{} $r4;\n", vector);
  for (const char part : {'x', 'y', 'z', 'w'}) {
    std::vector<std::string> parts;
    for (size_t i = 0; i < draft_.inputs.size(); ++i) parts.push_back(fmt::format("{}4.{}", local(i), part));
    const auto read = [&](const std::string& key) {
      for (size_t i = 0; i < draft_.inputs.size(); ++i)
        if (draft_.inputs[i].key == key) return parts[i];
      return "@" + key;
    };
    lines += fmt::format("$r4.{} = {};\n", part, calls ? call(parts) : with_elements(work_.values[0], read));
  }
  lines += fmt::format("reinterpret_cast<{}*>(${})[$i] = $r4;\n", vector, draft_.outputs[0].key);
  if (calls) {
    result.functions = function();
    result.kernels[0].scalars.clear();
  }
  result.kernels[0].body =
      "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i < $n / 4) {\n" + indented(lines) + "}\n";
  result.kernels[0].grid = "($n / 4 + $block - 1) / $block";
  result.reasoning.mapping =
      fmt::format("one thread computes four elements, read and written as one {}", vector);
  result.reasoning.memory = "$n divides by four, so that 16 bytes move at a time without a rest";
  return result;
}

}  // namespace

std::string stored(tasks::NumberType type, const std::string& value) {
  return type == tasks::NumberType::kFloat16 ? fmt::format("__float2half({})", value) : value;
}

int64_t draw_count(base::RandomStream& stream) {
  const int64_t count =
      one_in(stream, 2) ? whole_between(stream, 1000, 10000) : whole_between(stream, 10000, 40000);
  return one_in(stream, 2) ? count / 4 * 4 : count;
}

std::vector<GymSolution> map_solutions(const GymDraft& draft, const MapWork& work,
                                       base::RandomStream& stream) {
  MapKernels kernels(draft, work, stream);
  std::vector<GymSolution> solutions = {kernels.one_thread_each(), kernels.grid_stride(), kernels.neighbors(),
                                        kernels.block_chunks()};
  if (kernels.can_call()) solutions.push_back(kernels.device_function());
  if (kernels.can_vectorize()) solutions.push_back(kernels.vectors());
  return solutions;
}

}  // namespace cuset::gym
