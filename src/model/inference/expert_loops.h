// The experts of a sparse layer (model/experts.h has the formula) with our own loops on the CPU.
//
// Tokens of a block are grouped by expert. Every product gives the same bits for a token whatever its neighbors
// are, and what experts give is added in the order of their numbers, so a token's result depends on itself alone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/experts.h"
#include "model/files/config.h"
#include "model/inference/inference_weights.h"
#include "ops/cpu/panel_matrix.h"

namespace cuset::model {

class ExpertLoops {
 public:
  ExpertLoops() = default;  // of a dense layer
  // Takes over the layer's router and experts; those of a dense layer are empty.
  ExpertLoops(const ModelConfig& config, InferenceLayer& layer);

  bool is_defined() const { return !experts_.empty(); }

  // x += what the experts give for `normed`; x has as many rows, `x_row` values apart.
  void add_to(const ops::PanelRows& normed, float* x, int64_t x_row) const;

 private:
  struct Expert {
    ops::PanelMatrix gate_up, down;
  };
  struct TokenShare {
    int64_t token;
    float weight;
  };

  // What every expert works on, tokens in order.
  std::vector<std::vector<TokenShare>> route_tokens(const ops::PanelRows& normed) const;
  void add_expert(const Expert& expert, const std::vector<TokenShare>& shares, const ops::PanelRows& normed,
                  float* x, int64_t x_row) const;

  RoutingRule rule_;
  int64_t width_ = 0;  // of an expert
  ops::PanelMatrix router_;
  std::vector<Expert> experts_;
};

}  // namespace cuset::model
