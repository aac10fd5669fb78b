#include "verify/judge/kernel_names.h"

#include <algorithm>

namespace cuset {
namespace {

// Everything outside of brackets: template arguments, parameters and "(anonymous namespace)" go.
std::string outside_brackets(std::string_view text) {
  std::string outside;
  int depth = 0;
  for (const char letter : text) {
    if (letter == '<' || letter == '(') ++depth;
    if (depth == 0) outside += letter;
    if ((letter == '>' || letter == ')') && depth > 0) --depth;
  }
  return outside;
}

}  // namespace

std::string unqualified_name(std::string_view kernel) {
  std::string name = outside_brackets(kernel);
  const size_t end = name.find_last_not_of(' ');
  name.resize(end == std::string::npos ? 0 : end + 1);
  const size_t start = name.find_last_of(" :");
  return start == std::string::npos ? name : name.substr(start + 1);
}

std::vector<std::string> names_of(const std::vector<KernelLaunches>& kernels) {
  std::vector<std::string> names;
  for (const KernelLaunches& kernel : kernels) {
    std::string name = unqualified_name(kernel.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

uint64_t own_launches(const Run& run, const std::vector<std::string>& own) {
  uint64_t launches = 0;
  for (const KernelLaunches& kernel : run.kernels) {
    if (std::find(own.begin(), own.end(), unqualified_name(kernel.name)) != own.end())
      launches += kernel.launches - std::min(kernel.failed, kernel.launches);
  }
  return launches;
}

}  // namespace cuset
