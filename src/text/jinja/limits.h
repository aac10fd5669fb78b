// What rendering a template may cost.
#pragma once

#include <cstddef>

namespace cuset::text::jinja {

struct Limits {
  // Bytes touched, and 32 for every step. The default takes about a second or two to use up.
  size_t work = size_t{1} << 29;
  // Bytes of rendered text.
  size_t output = size_t{64} << 20;
};

}  // namespace cuset::text::jinja
