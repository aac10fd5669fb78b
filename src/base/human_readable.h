// Numbers as people read them: three significant digits and a unit.
#pragma once

#include <cstdint>
#include <string>

namespace cuset::base {

// "950", "12.3 k", "1.20 M": powers of 1000 up to E. Small fractions keep two digits: "0.25".
std::string human_count(double value);

// "512 B", "1.50 KiB", "12.3 GiB": powers of 1024.
std::string human_bytes(uint64_t bytes);

// "250 ms", "1.5 s", "42 s", "1m 05s", "2h 07m", "3d 04h"; "?" for what is negative or not finite.
std::string human_duration(double seconds);

}  // namespace cuset::base
