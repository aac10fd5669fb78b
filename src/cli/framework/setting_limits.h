// Limits of the values of settings; what is outside ends in a UsageError that names key, value and limit.
#pragma once

#include <string_view>
#include <type_traits>

#include "base/error.h"

namespace cuset::cli {

// A value that is not a number is outside too.
template <typename T>
void at_least(std::string_view key, T value, std::type_identity_t<T> least) {
  if (!(value >= least)) throw base::UsageError("{} is {}, but must be at least {}", key, value, least);
}

template <typename T>
void within(std::string_view key, T value, std::type_identity_t<T> least, std::type_identity_t<T> most) {
  if (!(value >= least && value <= most))
    throw base::UsageError("{} is {}, but must be in {} to {}", key, value, least, most);
}

}  // namespace cuset::cli
