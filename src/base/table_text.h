// Numbers as the tables of commands write them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace cuset::base {

// "33.3 %"; "-" of nothing.
inline std::string percent(size_t part, size_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// "1 task", "2 tasks".
inline std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace cuset::base
