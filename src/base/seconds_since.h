// Time that has passed, for reports and records.
#pragma once

#include <chrono>

namespace cuset::base {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace cuset::base
