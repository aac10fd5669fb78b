// The time of day as results record it.
#pragma once

#include <ctime>
#include <string>

namespace cuset::base {

// "2026-11-17T08:30:00Z"
inline std::string utc_time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace cuset::base
