// The words of the setting over_length: what happens to samples that are too long.
#pragma once

#include <string_view>

#include "data/dataset.h"

namespace cuset::cli {

// Of "drop", "error", "truncate" or "truncate_turns".
inline data::OverLength over_length_of(std::string_view word) {
  if (word == "error") return data::OverLength::kError;
  if (word == "truncate_turns") return data::OverLength::kTruncateTurns;
  return word == "truncate" ? data::OverLength::kTruncate : data::OverLength::kDrop;
}

}  // namespace cuset::cli
