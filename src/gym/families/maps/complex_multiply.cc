// Products of complex numbers that lie as pairs of real and imaginary part.
#include "gym/solutions/cuda_number.h"
#include "gym/solutions/draws.h"
#include "gym/solutions/map.h"

namespace cuset::gym {
namespace {

// Each of $n threads computes a pair; `vector` reads it as float2.
std::string pair_lines(bool conjugated, bool vector) {
  const std::string sign = conjugated ? "-" : "";
  const std::string other = conjugated ? "+" : "-";
  if (vector) {
    return "float2 $p = reinterpret_cast<const float2*>($a)[$i];\n"
           "float2 $q = reinterpret_cast<const float2*>($b)[$i];\n"
           "reinterpret_cast<float2*>($y)[$i] =\n"
           "    make_float2($p.x * $q.x " +
           other + " $p.y * $q.y, $p.y * $q.x " + (conjugated ? "-" : "+") + " $p.x * $q.y);\n";
  }
  return "float $re = $a[2 * $i], $im = $a[2 * $i + 1];\n"
         "float $c = $b[2 * $i], $d = " +
         sign +
         "$b[2 * $i + 1];\n"
         "$y[2 * $i] = $re * $c - $im * $d;\n"
         "$y[2 * $i + 1] = $re * $d + $im * $c;\n";
}

GymDraft draw_complex_multiply(base::RandomStream& stream) {
  const bool conjugated = one_in(stream, 2);
  const int64_t n = draw_count(stream) / 2;
  GymDraft draft;
  draft.sizes = {{"n", n}};
  if (conjugated) {
    draft.titles = {"products of complex numbers with the conjugate of $b",
                    "$a times the complex conjugate of $b", "the elementwise product of $a and conjugated $b",
                    "complex multiplication by a conjugate"};
    draft.formula = "$y[i] = $a[i] * conj($b[i])";
  } else {
    draft.titles = {"products of complex numbers", "the complex product of $a and $b, element by element",
                    "the elementwise multiplication of two complex vectors",
                    "complex multiplication of $a by $b"};
    draft.formula = "$y[i] = $a[i] * $b[i]";
  }
  draft.notes = {"each complex number is two float32 in a row, the real part first"};
  draft.inputs = {{"a", tasks::NumberType::kFloat32, {n, 2}, {"n", "2"}, normal(), {}},
                  {"b", tasks::NumberType::kFloat32, {n, 2}, {"n", "2"}, normal(), {}}};
  draft.outputs = {{"y", tasks::NumberType::kFloat32, {n, 2}, {"n", "2"}, {}, {2e-5, 1e-4}}};
  const std::string s = conjugated ? "-" : "";
  draft.oracle = {"loops",
                  {{"expression", "where(i1 == 0, $a[i0, 0] * $b[i0, 0] - " + s +
                                      "$a[i0, 1] * $b[i0, 1], $a[i0, 1] * "
                                      "$b[i0, 0] + $a[i0, 0] * " +
                                      s + "$b[i0, 1])"}},
                  ""};
  GymSolution each;
  each.style = "one_thread_each";
  each.constants = {{"block", power_between(stream, 64, 512)}};
  each.kernels = {
      {.arrays = {"a", "b", "y"}, .sizes = {"n"}, .grid = "($n + $block - 1) / $block", .block = "$block"}};
  each.kernels[0].body = "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i < $n) {\n" +
                         indented(pair_lines(conjugated, false)) + "}\n";
  each.reasoning = {"one thread multiplies one pair of complex numbers", "",
                    "a number lies as two floats in a row, so that a warp reads 64 floats in a row"};
  GymSolution vector = each;
  vector.style = "vector_loads";
  vector.kernels[0].body = "int $i = blockIdx.x * blockDim.x + threadIdx.x;\nif ($i >= $n) return;\n" +
                           pair_lines(conjugated, true);
  vector.reasoning.memory = "real and imaginary part are read and written together as a float2";
  GymSolution stride = each;
  stride.style = "grid_stride";
  stride.kernels[0].grid = std::to_string(whole_between(stream, 4, 40));
  stride.kernels[0].body =
      "for (int $i = blockIdx.x * blockDim.x + threadIdx.x; $i < $n; $i += blockDim.x * gridDim.x) {\n" +
      indented(pair_lines(conjugated, one_in(stream, 2))) + "}\n";
  stride.reasoning.mapping =
      "a fixed grid strides over the numbers, each thread doing whole complex products";
  draft.solutions = {each, vector, stride};
  return draft;
}

}  // namespace

extern const GymFamily kFamily_complex_multiply;
const GymFamily kFamily_complex_multiply = {"complex_multiply", "maps", draw_complex_multiply};

}  // namespace cuset::gym
