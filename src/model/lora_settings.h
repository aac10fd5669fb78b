// How large an adapter is and which layers get one (model/lora.h). Free of LibTorch headers, so that the
// command line may include it.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace cuset::model {

struct LoraSettings {
  int64_t rank = 8;
  double alpha = 16;
  double dropout = 0.05;
  bool rank_stabilized = false;  // scale alpha / sqrt(rank) instead of alpha / rank
  // Of q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj; empty: all.
  std::vector<std::string> targets = {};

  double scale() const {
    const auto r = static_cast<double>(rank);
    return alpha / (rank_stabilized ? std::sqrt(r) : r);
  }
};

}  // namespace cuset::model
