// Which objective a run trains with, and its constants. Each member is also the key of that name in a
// configuration file; docs/objectives.md has the table.
#pragma once

#include <cstdint>
#include <string_view>

namespace cuset::objective {

enum class Method { kSft, kDft, kEaft, kProFit, kAsft, kCuset, kCusetPlus };

// "sft", "dft", "eaft", "profit", "asft", "cuset", "cuset_plus".
std::string_view name_of(Method method);
// Throws UsageError naming the nearest method.
Method method_named(std::string_view name);

struct ObjectiveSettings {
  Method method = Method::kCuset;
  double tau = 0.1;             // ProFit, CuSeT, CuSeT+
  double tau_ramp = 0;          // share of the run over which tau rises linearly from 0; 0: constant
  double lambda = 1.0;          // CuSeT, CuSeT+: weight of the CUDA mask
  int64_t window = 256;         // CuSeT, CuSeT+: l
  bool confidence_mask = true;  // parts of CuSeT and CuSeT+
  bool cuda_mask = true;
  bool sample_weight = true;
  double refused_share = 0.05;  // CuSeT+: accepted_tokens.h
  double conflict = 0.9;        // CuSeT+: likewise; 1: never
  double entropy_exponent = 1;  // EAFT: a
  double divergence = 0.1;      // ASFT: alpha

  bool needs_reference() const { return method == Method::kAsft; }
  bool has_sample_weight() const {
    return (method == Method::kCuset || method == Method::kCusetPlus) && sample_weight;
  }
  // tau at a point of the run, `progress` in [0, 1].
  double tau_at(double progress) const;
  // Throws UsageError naming the first key whose value is out of its range.
  void check() const;
};

// What a method trains with unless keys say otherwise. CuSeT+ has neither CUDA mask nor sample weight: docs/objectives.md has
// what they cost.
ObjectiveSettings defaults_of(Method method);

}  // namespace cuset::objective
