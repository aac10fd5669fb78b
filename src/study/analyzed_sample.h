// What the analysis looks at: tokens of CUDA code with the probability that a model gave them and the
// structures that they belong to. Free of LibTorch: docs/analyze.md has the definitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuda_source/regions.h"

namespace cuset::study {

// A set of region kinds, one bit each.
using KindSet = uint16_t;

inline constexpr size_t kRegionKinds = 9;
inline constexpr KindSet kNoKinds = 0;

constexpr KindSet only(cuda_source::RegionKind kind) {
  return static_cast<KindSet>(1u << static_cast<unsigned>(kind));
}
constexpr bool holds(KindSet kinds, cuda_source::RegionKind kind) { return (kinds & only(kind)) != 0; }

// The kinds of a set, in the order of RegionKind.
std::vector<cuda_source::RegionKind> kinds_in(KindSet kinds);

// "kernel_body thread_indexing"; empty for no kind.
std::string names_of(KindSet kinds, std::string_view separator = " ");

// Which tokens count as CUDA-sensitive.
enum class Sensitivity : uint8_t {
  kStructures,  // that depend on the execution model: indexing, memory, barriers, launch configurations
  kMask,        // the CUDA mask of the CuSeT objective: kernel bodies and launch configurations
};

// "structures", "mask".
std::string_view name_of(Sensitivity sensitivity);

// The kinds whose tokens are sensitive.
KindSet sensitive_kinds(Sensitivity sensitivity);

struct AnalyzedToken {
  float confidence = 0;  // p of the token, in [0, 1]
  KindSet kinds = kNoKinds;
  bool is_sensitive = false;
  uint32_t index = 0;  // among the sample's tokens of the response, as in its heat map
  uint32_t begin = 0;  // bytes of the sample's text
  uint32_t end = 0;
};

struct AnalyzedSample {
  std::string id;                     // "data.jsonl:7", "src/scan.cu"
  std::string text;                   // the response with what closes it, or the file
  std::vector<AnalyzedToken> tokens;  // in order; at least one
};

}  // namespace cuset::study
