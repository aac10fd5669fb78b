// Weights in falling order, sorted only where somebody looks.
//
// What the filters of sampling keep is always a beginning of the tokens in falling order of probability, and
// a token is drawn by walking along that order. A vocabulary need not be sorted for it: weights between 0 and
// 1 fall into buckets of equal leading bits (eight to an octave), whose counts and sums take one pass; only
// the buckets that a question leads to are sorted. Among equal weights the lower index comes first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cuset::generate {

class RankedWeights {
 public:
  // Numbers in [0, 1], which must outlive this.
  explicit RankedWeights(std::span<const float> weights);

  size_t size() const { return weights_.size(); }

  // Ranks count from 0, the heaviest.
  float weight_at(size_t rank);
  size_t index_at(size_t rank);

  // How many weigh at least so much.
  size_t count_at_least(float weight);

  // Sum of the `count` heaviest.
  double mass_of(size_t count);

  // The least count whose mass is above `mass`; one more than all where there is none.
  size_t count_above(double mass);

 private:
  static constexpr size_t kBuckets = 256;
  struct Bucket {
    size_t count = 0;
    double mass = 0;
  };
  struct Entry {
    float weight;
    uint32_t index;
  };

  static size_t bucket_of(float weight);
  const Entry& entry_at(size_t rank);
  const std::vector<Entry>& sorted(size_t bucket);

  std::span<const float> weights_;
  std::array<Bucket, kBuckets> buckets_{};
  std::vector<Entry> entries_;  // of the bucket sorted last
  size_t sorted_ = kBuckets;
};

}  // namespace cuset::generate
