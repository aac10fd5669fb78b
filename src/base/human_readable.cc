#include "base/human_readable.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace cuset::base {
namespace {

constexpr std::array<std::string_view, 7> kThousands = {"", " k", " M", " G", " T", " P", " E"};
constexpr std::array<std::string_view, 7> kBinary = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};

// 1.23, 12.3, 123; the borders lie where rounding would add a digit.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

// Divides by `base` until less than `base` is left, as it will be printed; gives the number of divisions.
size_t scale_down(double& value, double base) {
  size_t steps = 0;
  while (value >= base - 0.5 && steps + 1 < kThousands.size()) {
    value /= base;
    ++steps;
  }
  return steps;
}

}  // namespace

std::string human_count(double value) {
  if (!std::isfinite(value)) return "?";
  if (value < 0) return fmt::format("-{}", human_count(-value));
  const size_t steps = scale_down(value, 1000);
  if (steps == 0 && value == std::floor(value)) return fmt::format("{:.0f}", value);
  if (steps == 0 && value < 1) return fmt::format("{:.2g}", value);
  return fmt::format("{}{}", three_digits(value), kThousands[steps]);
}

std::string human_bytes(uint64_t bytes) {
  auto value = static_cast<double>(bytes);
  const size_t steps = scale_down(value, 1024);
  return fmt::format("{}{}", steps == 0 ? fmt::format("{}", bytes) : three_digits(value), kBinary[steps]);
}

std::string human_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e15) return "?";
  if (seconds == 0) return "0 s";
  if (seconds < 0.0005) return "<1 ms";
  if (seconds < 0.9995) return fmt::format("{:.0f} ms", 1000 * seconds);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const int64_t whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  const int64_t minutes = std::llround(seconds / 60);
  if (minutes < 24 * 60) return fmt::format("{}h {:02}m", minutes / 60, minutes % 60);
  const int64_t hours = std::llround(seconds / 3600);
  return fmt::format("{}d {:02}h", hours / 24, hours % 24);
}

}  // namespace cuset::base
