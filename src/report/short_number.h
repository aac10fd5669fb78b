// Numbers with the digits that a page can show, so that they take little room in it.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace cuset {

// `value` with five significant digits; what is not finite stays so, and becomes null in JSON.
inline double short_number(double value) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr) : value;
}

}  // namespace cuset
