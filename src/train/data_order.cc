#include "train/data_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/files/crc32c.h"
#include "data/packing.h"

namespace cuset::train {
namespace {

void check(const DataOrderSettings& settings) {
  const auto at_least_one = [](size_t value, const char* key) {
    if (value == 0) throw base::UsageError("{} is 0, but must be 1 or more", key);
  };
  at_least_one(settings.accumulation, "gradient_accumulation_steps");
  at_least_one(settings.world, "the number of ranks");
  if (settings.batching != Batching::kPacks) at_least_one(settings.batch, "per_device_train_batch_size");
  if (settings.batching != Batching::kSamples) at_least_one(settings.capacity, "the size of a pack");
  if (settings.max_steps == 0 && !(settings.epochs > 0 && settings.epochs <= 1e9)) {
    throw base::UsageError("num_train_epochs is {}, but must be over 0", settings.epochs);
  }
}

void check_lengths(const std::vector<size_t>& lengths, const DataOrderSettings& settings) {
  if (lengths.empty()) {
    throw base::Error("there are no examples to train on")
        .with_remedy("look at the data with cuset inspect --data");
  }
  if (settings.batching == Batching::kSamples) return;
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  if (*longest <= settings.capacity) return;
  throw base::Error("example {} has {} tokens, but a pack holds {}", longest - lengths.begin(), *longest,
                    settings.capacity)
      .with_remedy("drop or cut long examples, or make packs larger");
}

size_t divided_up(size_t value, size_t by) { return value / by + (value % by != 0); }

}  // namespace

size_t StepData::tokens() const {
  size_t sum = 0;
  for (const MicroBatch& batch : micro_batches) sum += batch.tokens;
  return sum;
}

size_t StepData::samples() const {
  size_t sum = 0;
  for (const MicroBatch& batch : micro_batches) sum += batch.examples.size();
  return sum;
}

DataOrder::DataOrder(std::vector<size_t> lengths, const DataOrderSettings& settings)
    : lengths_(std::move(lengths)), settings_(settings) {
  check(settings_);
  check_lengths(lengths_, settings_);
  groups_ = order_epoch(0);
  epoch_ = 0;
  // Every epoch has as many groups: which lengths meet in a pack is the same for every seed.
  steps_per_epoch_ = divided_up(groups_.size(), groups_per_step());
  steps_ = settings_.max_steps > 0
               ? settings_.max_steps
               : static_cast<uint64_t>(std::ceil(settings_.epochs * static_cast<double>(steps_per_epoch_)));
}

double DataOrder::epoch_after(uint64_t steps_done) const {
  return static_cast<double>(steps_done) / static_cast<double>(steps_per_epoch_);
}

StepData DataOrder::step(uint64_t steps_done) const {
  CUSET_CHECK(steps_done < steps_, "step {} of a run of {}", steps_done, steps_);
  const uint64_t epoch = steps_done / steps_per_epoch_;
  std::vector<Group> groups;
  {
    const std::lock_guard guard(mutex_);
    if (epoch != epoch_) {
      groups_ = order_epoch(epoch);
      epoch_ = epoch;
    }
    const size_t begin = steps_done % steps_per_epoch_ * groups_per_step();
    const size_t end = std::min(begin + groups_per_step(), groups_.size());
    groups.assign(groups_.begin() + static_cast<ptrdiff_t>(begin),
                  groups_.begin() + static_cast<ptrdiff_t>(end));
  }
  StepData step{.epoch = epoch, .micro_batches = {}};
  for (Group& group : micro_batches(std::move(groups), steps_done)) {
    step.micro_batches.push_back(micro_batch(std::move(group), epoch));
  }
  return step;
}

std::vector<DataOrder::Group> DataOrder::order_epoch(uint64_t epoch) const {
  const base::RandomStream stream = stream_of("data order").child(epoch);
  std::vector<Group> groups =
      settings_.batching == Batching::kPacks ? shuffled_packs(stream) : shuffled_samples(stream);
  if (epoch > 0) return groups;
  const auto larger = [&](const Group& a, const Group& b) { return tokens_of(a) > tokens_of(b); };
  std::iter_swap(groups.begin(), std::min_element(groups.begin(), groups.end(), larger));
  // Longest first inside the first step only: elsewhere mixed lengths keep micro-batches of alike size.
  const size_t first_step = std::min(groups.size(), groups_per_step());
  std::stable_sort(groups.begin(), groups.begin() + static_cast<ptrdiff_t>(first_step), larger);
  return groups;
}

std::vector<DataOrder::Group> DataOrder::shuffled_samples(base::RandomStream stream) const {
  std::vector<Group> groups;
  groups.reserve(lengths_.size());
  for (const size_t example : stream.permutation(lengths_.size())) groups.push_back({example});
  return groups;
}

std::vector<DataOrder::Group> DataOrder::shuffled_packs(const base::RandomStream& stream) const {
  std::vector<Group> groups;
  for (data::Pack& pack : data::pack_examples(lengths_, settings_.capacity, stream)) {
    groups.push_back(std::move(pack.examples));
  }
  return groups;
}

std::vector<DataOrder::Group> DataOrder::micro_batches(std::vector<Group> groups, uint64_t steps_done) const {
  if (settings_.batching == Batching::kPacks) return groups;
  if (settings_.batching == Batching::kPackedSamples) return packed(groups, steps_done);
  std::vector<Group> batches;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i % settings_.batch == 0) batches.emplace_back();
    batches.back().push_back(groups[i].front());
  }
  return batches;
}

std::vector<DataOrder::Group> DataOrder::packed(const std::vector<Group>& samples,
                                                uint64_t steps_done) const {
  std::vector<size_t> lengths;
  for (const Group& sample : samples) lengths.push_back(tokens_of(sample));
  std::vector<Group> groups;
  for (const data::Pack& pack :
       data::pack_examples(lengths, settings_.capacity, stream_of("packs of a step").child(steps_done))) {
    Group& group = groups.emplace_back();
    for (const size_t place : pack.examples) group.push_back(samples[place].front());
  }
  const auto larger = [&](const Group& a, const Group& b) { return tokens_of(a) > tokens_of(b); };
  std::stable_sort(groups.begin(), groups.end(), larger);  // ranks get alike shares
  return groups;
}

MicroBatch DataOrder::micro_batch(Group group, uint64_t epoch) const {
  MicroBatch batch{.examples = std::move(group), .turns = {}, .tokens = 0};
  for (const size_t example : batch.examples) batch.turns.push_back(epoch * lengths_.size() + example);
  batch.tokens = tokens_of(batch.examples);
  return batch;
}

size_t DataOrder::groups_per_step() const {
  const size_t total = settings_.accumulation * settings_.world;
  return settings_.batching == Batching::kPacks ? total : settings_.batch * total;
}

size_t DataOrder::tokens_of(const Group& group) const {
  size_t tokens = 0;
  for (const size_t example : group) tokens += lengths_[example];
  return tokens;
}

base::RandomStream DataOrder::stream_of(std::string_view purpose) const { return {settings_.seed, purpose}; }

size_t DataOrder::most_tokens() const {
  if (settings_.batching == Batching::kPackedSamples) {
    const size_t all = std::accumulate(lengths_.begin(), lengths_.end(), size_t{0});
    return std::min(all, settings_.capacity);
  }
  if (settings_.batching == Batching::kPacks) return step(0).micro_batches.front().tokens;
  std::vector<size_t> longest = lengths_;
  std::sort(longest.rbegin(), longest.rend());
  longest.resize(std::min(longest.size(), settings_.batch));
  return std::accumulate(longest.begin(), longest.end(), size_t{0});
}

std::string DataOrder::fingerprint() const {
  const bool packs = settings_.batching == Batching::kPacks;
  const uint64_t deciding[] = {packs, packs ? settings_.capacity : 0, groups_per_step(), settings_.seed,
                               lengths_.size()};
  uint32_t sum = base::crc32c(std::as_bytes(std::span(deciding)));
  sum = base::crc32c(std::as_bytes(std::span(lengths_)), sum);
  return fmt::format("{:08x}", sum);
}

std::vector<MicroBatch> micro_batches_of_rank(const StepData& step, size_t rank, size_t world) {
  std::vector<MicroBatch> own;
  for (size_t i = rank; i < step.micro_batches.size(); i += world) own.push_back(step.micro_batches[i]);
  return own;
}

}  // namespace cuset::train
