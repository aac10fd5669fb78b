// Numbers with the digits that a picture can show, so that files and pages stay small.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace cuset::base {

// `value` with five significant digits; what is not finite stays so, and becomes null in JSON.
inline double five_digits(double value) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr) : value;
}

}  // namespace cuset::base
