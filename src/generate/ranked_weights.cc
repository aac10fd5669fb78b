#include "generate/ranked_weights.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace cuset::generate {

// Of positive floats the larger has the larger bits; 20 of them are dropped.
size_t RankedWeights::bucket_of(float weight) {
  constexpr uint32_t one = std::bit_cast<uint32_t>(1.0f);
  return std::min<size_t>((one - std::bit_cast<uint32_t>(weight)) >> 20, kBuckets - 1);
}

RankedWeights::RankedWeights(std::span<const float> weights) : weights_(weights) {
  for (const float weight : weights) {
    Bucket& bucket = buckets_[bucket_of(weight)];
    ++bucket.count;
    bucket.mass += weight;
  }
}

const std::vector<RankedWeights::Entry>& RankedWeights::sorted(size_t bucket) {
  if (sorted_ == bucket) return entries_;
  entries_.clear();
  for (size_t i = 0; i < weights_.size(); ++i) {
    if (bucket_of(weights_[i]) == bucket) entries_.push_back({weights_[i], static_cast<uint32_t>(i)});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.index < b.index;
  });
  sorted_ = bucket;
  return entries_;
}

const RankedWeights::Entry& RankedWeights::entry_at(size_t rank) {
  CUSET_CHECK(rank < size(), "rank {} of {}", rank, size());
  size_t bucket = 0;
  for (; rank >= buckets_[bucket].count; ++bucket) rank -= buckets_[bucket].count;
  return sorted(bucket)[rank];
}

float RankedWeights::weight_at(size_t rank) { return entry_at(rank).weight; }

size_t RankedWeights::index_at(size_t rank) { return entry_at(rank).index; }

size_t RankedWeights::count_at_least(float weight) {
  if (weight > 1) return 0;
  const size_t last = bucket_of(weight);
  size_t count = 0;
  for (size_t bucket = 0; bucket < last; ++bucket) count += buckets_[bucket].count;
  for (const Entry& entry : sorted(last)) count += entry.weight >= weight ? 1 : 0;
  return count;
}

double RankedWeights::mass_of(size_t count) {
  double mass = 0;
  size_t bucket = 0;
  for (; bucket < kBuckets && count >= buckets_[bucket].count; ++bucket) {
    count -= buckets_[bucket].count;
    mass += buckets_[bucket].mass;
  }
  if (count == 0) return mass;
  CUSET_CHECK(bucket < kBuckets, "{} more than all {}", count, size());
  for (const Entry& entry : std::span(sorted(bucket)).first(count)) mass += entry.weight;
  return mass;
}

size_t RankedWeights::count_above(double mass) {
  size_t count = 0;
  double before = 0;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    const Bucket& whole = buckets_[bucket];
    if (before + whole.mass <= mass) {
      before += whole.mass;
      count += whole.count;
      continue;
    }
    for (const Entry& entry : sorted(bucket)) {
      before += entry.weight;
      ++count;
      if (before > mass) return count;
    }
    // Added up in another order, the bucket was worth a little less: the next one decides.
  }
  return size() + 1;
}

}  // namespace cuset::generate
