// The words of the setting over_length: what happens to samples that are too long.
#pragma once

#include <string_view>

#include "data/dataset.h"

namespace cuset {

// Of "drop", "error" or "truncate".
inline OverLength over_length_of(std::string_view word) {
  if (word == "error") return OverLength::kError;
  return word == "truncate" ? OverLength::kTruncate : OverLength::kDrop;
}

}  // namespace cuset
