// Kernels and launches in many forms, for cuda_source_regions.py: what nvcc compiles and launches here, the analyzer
// must find. Every kernel is instantiated, and none stands in a macro's replacement list.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <concepts>
#include <type_traits>

#define HD __host__ __device__
#define KERNEL static __global__ void
#define BOUNDS(n) __launch_bounds__(n)
#define HEAD(name, T) __global__ void name(T* a)
#define ATTRIBUTE
#define UNUSED(x) ((void)(x))

HD inline int helper(int x) { return x >> 1; }

__global__ void prototype_first(int* a);
__global__ void plain(int* a) { a[0] = helper(a[1]); }
void __global__ after_type(int* a) { a[0] = 1; }
static __global__ void with_static(int* a) { a[0] = '}'; }
__global__ static void static_after(int* a) { a[0] = "}{"[0]; }
inline __global__ void with_inline(int* a) { a[0] = 1; }
extern "C" __global__ void c_linkage(int* a) { a[0] = 1; }
extern "C" {
__global__ void c_block(int* a) { a[0] = 1; }
}
__global__ __launch_bounds__(256) void bounds_before(int* a) { a[0] = 1; }
__global__ void __launch_bounds__(256, 2) bounds_between(int* a) { a[0] = 1; }
__launch_bounds__(128) __global__ void bounds_first(int* a) { a[0] = 1; }
__global__ __attribute__((noinline)) void attribute_between(int* a) { a[0] = 1; }
[[maybe_unused]] __global__ void bracket_attribute(int* a) { a[0] = 1; }
__global__ void ATTRIBUTE macro_between(int* a) { a[0] = 1; }
__global__ void BOUNDS(64) macro_bounds(int* a) { a[0] = 1; }
KERNEL macro_head(int* a) { a[0] = 1; }
HEAD(macro_whole_head, int) { a[0] = 1; }
__global__ void/* ( { */comments /* ) */ (/* { */ int* a /* } */) /* ; */ { a[0] = 1; }
__glo\
bal__ void spli\
ced(int* a) { a[0] = 1; }
__global__ auto trailing_return(int* a) -> void { a[0] = 1; }
__global__ void in_a_loop(int* a) { a[0] = 1; }
__global__ void function_pointer(int* a, int (*f)(int)) { a[0] = f != nullptr; }
__global__ void default_argument(int* a, int n = (3 > 2)) { a[0] = n; }
__global__ void (parenthesised)(int* a) { a[0] = 1; }
__global__ void raw_string(int* a) { a[0] = R"x(} )" )x"[0]; }
__global__ void digraphs(int* a) <% a<:0:> = 1; %>
__global__ void prototype_first(int* a) { a[0] = 1'000; }

#ifdef NOT_DEFINED
#else
__global__ void other_branch(int* a) { a[0] = 2; }
#endif
__global__ void shared_tail(int* a
#ifndef NOT_DEFINED
) {
#else
, int) {
#endif
  a[0] = 1;
}
#if 0
__global__ void inactive(int* a) { it's broken {{{ }
#endif

namespace outer {
namespace {
__global__ void nested(int* a) { a[0] = 1; }
}  // namespace
struct Holder {
  template <typename T>
  static void run(T* a);
};
}  // namespace outer

template <typename T>
__global__ void templated(T* a) {
  a[0] = {};
}
template <>
__global__ void templated<char>(char* a) {
  a[0] = 2;
}
template __global__ void templated<short>(short*);
template <int N, bool B = (N > 2)>
__global__ void by_value(int* a) {
  a[0] = N + B;
}
template <template <typename> class C, typename T>
__global__ void template_template(C<T>* a) {
  a[0] = {};
}
template <typename T>
  requires std::integral<T>
__global__ void constrained_before(T* a) {
  a[0] = 1;
}
template <typename T>
__global__ void constrained_after(T* a)
  requires requires(T t) { t + 1; }
{
  a[0] = 1;
}
template <typename T>
__global__ std::enable_if_t<(sizeof(T) > 2), void> computed_return(T* a) {
  a[0] = 1;
}
template <typename... T>
__global__ void pack(T... a) {
  ((a[0] = 1), ...);
}
template <typename T>
struct Box {
  T value;
};
template <typename T>
struct Nest {
  static constexpr int size = 32;
};
template <typename T>
HD constexpr int number() {
  return 32;
}

template <typename T>
void outer::Holder::run(T* a) {
  templated<T><<<1, 32>>>(a);
}

int main() {
  int* a = nullptr;
  cudaStream_t stream = nullptr;
  dim3 grid(1), block{32, 1};
  int n = 64;
  plain<<<1, 2>>>(a);
  after_type<<<grid, block>>>(a);
  with_static<<<grid, block, 0>>>(a);
  static_after<<<grid, block, 0, stream>>>(a);
  with_inline <<< (n + 31) / 32, 32 >>> (a);
  c_linkage<<<n >> 5, 1 << 5>>>(a);
  c_block<<<dim3(1, 2), dim3{3, 4}>>>(a);
  bounds_before<<<number<Nest<Box<int>>>(), 2>>>(a);
  bounds_between<<<1, number<Nest<Box<int>>>()>>>(a);
  bounds_first<<<1, Nest<int>::size>>>(a);
  attribute_between<<<n > 3 ? 1 : 2, 32>>>(a);
  bracket_attribute<<<n < 3 ? 1 : 2, 32>>>(a), macro_between<<<1, 2>>>(a);
  macro_bounds<<</* >>> */ 1, 2 /* >>> */>>>(a);
  macro_head<<<1,  // >>>
               2>>>(a);
  macro_whole_head
      <<<1, 2>>>(a);
  comments<<<1, 2>>>(a);
  spliced<<\
<1, 2>\
>>(a);
  trailing_return<<<1, 2>>>(a);
  for (int t = 32; t <= 64; t *= 2) in_a_loop<<<1, t>>>(a);
  function_pointer<<<1, 2>>>(a, nullptr);
  default_argument<<<1, 2>>>(a);
  (parenthesised)<<<1, 2>>>(a);
  raw_string<<<1, 2>>>(a);
  digraphs<<<1, 2>>>(a);
  prototype_first<<<1, 2>>>(a);
  other_branch<<<1, 2>>>(a);
  shared_tail<<<1, 2>>>(a);
  outer::nested<<<1, 2>>>(a);
  outer::Holder::run(a);
  templated<float><<<1, 2>>>(nullptr);
  templated<Box<Box<int>>*><<<1, 2>>>(nullptr);
  by_value<(8 >> 1)><<<1, 2>>>(a);
  by_value<3, (4 > 2)><<<1, 2>>>(a);
  template_template<Box, int><<<1, 2>>>(nullptr);
  ::constrained_before<int><<<1, 2>>>(a);
  constrained_after<int><<<1, 2>>>(a);
  computed_return<int><<<1, 2>>>(a);
  pack<<<1, 2>>>(a, a);
  [&] { plain<<<1, [&] { return 32; }()>>>(a); }();
  const char* text = "plain<<<1, 2>>>(a);";
  const char* raw = R"(plain<<<1, 2>>>(a);)";
  // plain<<<1, 2>>>(a);
  UNUSED(text), UNUSED(raw);
  return n << 2 >> 3;
}
