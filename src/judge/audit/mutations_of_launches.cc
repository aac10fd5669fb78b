// Mutations of threads, barriers, and copies between host and device.
#include <fmt/format.h>

#include <algorithm>

#include "judge/audit/mutations.h"

namespace cuset::judge {
namespace {

// Whether the kernel works for any size of the grid: it asks how many blocks there are.
bool strides_over_grid(const MutationSubject& subject, const std::string& kernel) {
  for (const cuda_source::Function& function : subject.functions())
    if (function.name == kernel && holds(subject, function.body, function.end, {"gridDim"})) return true;
  return false;
}

// The calls of host code that copy, with `direction` among their arguments: the name's token.
std::vector<size_t> copies(const MutationSubject& subject, std::string_view direction) {
  const cuda_source::Code& code = subject.code();
  std::vector<size_t> found;
  for (size_t i = 0; i + 1 < code.size(); ++i)
    if (subject.raw(i).starts_with("cudaMemcpy") && code[i + 1].is('(') && code.is_closed(i + 1) &&
        holds(subject, i + 1, code.match(i + 1), {direction}))
      found.push_back(i);
  return found;
}

Mutations without_copies(const MutationSubject& subject, std::string_view direction) {
  Mutations mutations;
  for (const size_t i : copies(subject, direction)) {
    const size_t end = subject.code().match(i + 1) + 1;
    mutations.push_back(replaced(subject, i, end, "cudaSuccess"));
    mutations.back().description = fmt::format("{} was left out", shown(subject.between(i, end)));
  }
  return mutations;
}

}  // namespace

// Which thread comes first decides whether a missing barrier is seen.
Mutations dropped_barrier(const MutationSubject& subject) {
  const cuda_source::Code& code = subject.code();
  Mutations mutations;
  for (size_t i = 1; i + 1 < code.size(); ++i) {
    if (!subject.is_device_code(i) || !code[i + 1].is('(') || !code.is_closed(i + 1)) continue;
    const std::string_view name = subject.raw(i);
    const bool group = name == "sync" && (code[i - 1].is('.') || code[i - 1].is(cuda_source::kScope));
    if (name != "__syncthreads" && name != "__syncwarp" && !group) continue;
    const size_t first = std::max<size_t>(group ? i - 2 : i, subject.statement_first(i));
    mutations.push_back(doubtful(replaced(subject, first, code.match(i + 1) + 1, "")));
  }
  return mutations;
}

// Half the blocks; kernels that stride over the grid do not mind and come last.
Mutations wrong_launch_size(const MutationSubject& subject) {
  Mutations mutations;
  Mutations harmless;
  for (const cuda_source::Launch& launch : subject.launches()) {
    if (launch.arguments.empty() || subject.is_device_code(launch.token)) continue;
    const size_t first = launch.arguments.front().first;
    const size_t last = std::min<size_t>(subject.expression_end(first), launch.arguments.front().second);
    if (first >= last || (!launch.bracketed && launch.arguments.size() < 2)) continue;
    const std::string grid = subject.between(first, last);
    const bool any_grid = strides_over_grid(subject, launch.kernel);
    Mutations& chosen = any_grid ? harmless : mutations;
    chosen.push_back(
        replaced(subject, first, last, fmt::format("dim3(dim3({0}).x / 2, dim3({0}).y, dim3({0}).z)", grid)));
    chosen.back().certain = !any_grid;
    chosen.back().description = fmt::format("the grid {} of `{}` was halved", shown(grid), launch.kernel);
  }
  mutations.insert(mutations.end(), harmless.begin(), harmless.end());
  return mutations;
}

// The threads that return may have nothing to do: the last of a short row's.
Mutations early_return(const MutationSubject& subject) {
  Mutations mutations;
  for (const cuda_source::Function& function : subject.functions())
    if (function.kernel) {
      const size_t end = subject.code()[function.body].end;
      mutations.push_back({{{end, end, " if (threadIdx.x >= blockDim.x / 2) return;"}},
                           fmt::format("half the threads of `{}` return at once", function.name),
                           "",
                           false});
    }
  return mutations;
}

Mutations missing_copy_back(const MutationSubject& subject) {
  return without_copies(subject, "cudaMemcpyDeviceToHost");
}

Mutations missing_copy_in(const MutationSubject& subject) {
  return without_copies(subject, "cudaMemcpyHostToDevice");
}

Mutations partial_copy_back(const MutationSubject& subject) {
  Mutations mutations;
  for (const size_t i : copies(subject, "cudaMemcpyDeviceToHost")) {
    if (subject.raw(i) != "cudaMemcpy" && subject.raw(i) != "cudaMemcpyAsync") continue;
    const size_t source = subject.expression_end(i + 2) + 1;
    const size_t size = subject.expression_end(source) + 1;
    const size_t end = subject.expression_end(size);
    if (size >= end || end >= subject.code().size()) continue;
    mutations.push_back(replaced(subject, size, end, fmt::format("({}) / 2", subject.between(size, end))));
    // Half of a single whole number is all that a small one needs.
    mutations.back().certain = holds(subject, size, end, {"*"}) || subject.raw(size) != "sizeof";
  }
  return mutations;
}

}  // namespace cuset::judge
