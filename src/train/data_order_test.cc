#include "train/data_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"

namespace cuset::train {
namespace {

std::vector<size_t> random_lengths(size_t count, uint64_t seed = 1) {
  base::RandomStream stream(seed, "lengths");
  std::vector<size_t> lengths;
  for (size_t i = 0; i < count; ++i) lengths.push_back(1 + stream.below(100));
  return lengths;
}

std::multiset<size_t> examples_of(const StepData& step) {
  std::multiset<size_t> examples;
  for (const MicroBatch& batch : step.micro_batches)
    examples.insert(batch.examples.begin(), batch.examples.end());
  return examples;
}

std::vector<std::multiset<size_t>> examples_of_steps(const DataOrder& order) {
  std::vector<std::multiset<size_t>> steps;
  for (uint64_t s = 0; s < order.steps(); ++s) steps.push_back(examples_of(order.step(s)));
  return steps;
}

std::vector<std::vector<size_t>> batches_of(const StepData& step) {
  std::vector<std::vector<size_t>> batches;
  for (const MicroBatch& batch : step.micro_batches) batches.push_back(batch.examples);
  return batches;
}

const std::vector<DataOrderSettings> kAllKinds = {
    {.batching = Batching::kSamples, .batch = 3, .accumulation = 4, .world = 2, .epochs = 3, .seed = 7},
    {.batching = Batching::kPackedSamples,
     .capacity = 150,
     .batch = 3,
     .accumulation = 4,
     .epochs = 3,
     .seed = 7},
    {.batching = Batching::kPacks, .capacity = 150, .accumulation = 5, .world = 1, .epochs = 3, .seed = 7},
};

TEST(DataOrder, EveryEpochHoldsEveryExampleOnce) {
  for (const DataOrderSettings& settings : kAllKinds) {
    const DataOrder order(random_lengths(101), settings);
    ASSERT_EQ(order.steps(), 3 * order.steps_per_epoch());
    std::vector<std::vector<size_t>> seen(3, std::vector<size_t>(101, 0));
    for (uint64_t s = 0; s < order.steps(); ++s) {
      const StepData step = order.step(s);
      EXPECT_EQ(step.epoch, s / order.steps_per_epoch());
      for (const size_t example : examples_of(step)) ++seen[step.epoch][example];
    }
    EXPECT_EQ(seen, (std::vector<std::vector<size_t>>(3, std::vector<size_t>(101, 1))));
  }
}

TEST(DataOrder, AnyStepIsReachedWithoutTheOthers) {
  for (const DataOrderSettings& settings : kAllKinds) {
    const DataOrder forward(random_lengths(60), settings);
    const DataOrder backward(random_lengths(60), settings);
    std::vector<StepData> steps;
    for (uint64_t s = 0; s < forward.steps(); ++s) steps.push_back(forward.step(s));
    for (uint64_t s = backward.steps(); s-- > 0;) {
      EXPECT_EQ(batches_of(backward.step(s)), batches_of(steps[s])) << s;
    }
  }
}

TEST(DataOrder, EpochsAndSeedsDiffer) {
  for (DataOrderSettings settings : kAllKinds) {
    const DataOrder order(random_lengths(60), settings);
    const uint64_t next = order.steps_per_epoch();
    EXPECT_NE(batches_of(order.step(next)), batches_of(order.step(2 * next)));
    settings.seed = 8;
    const DataOrder other(random_lengths(60), settings);
    EXPECT_NE(batches_of(order.step(next)), batches_of(other.step(next)));
  }
}

TEST(DataOrder, ExamplesOfAStepDoNotDependOnTheSplit) {
  const auto with = [](Batching batching, size_t batch, size_t accumulation, size_t world) {
    return examples_of_steps(DataOrder(random_lengths(53), {.batching = batching,
                                                            .capacity = 130,
                                                            .batch = batch,
                                                            .accumulation = accumulation,
                                                            .world = world,
                                                            .epochs = 2,
                                                            .seed = 3}));
  };
  const auto wanted = with(Batching::kSamples, 1, 8, 1);
  EXPECT_EQ(wanted.size(), 14u);
  EXPECT_EQ(with(Batching::kSamples, 2, 4, 1), wanted);
  EXPECT_EQ(with(Batching::kSamples, 8, 1, 1), wanted);
  EXPECT_EQ(with(Batching::kSamples, 2, 2, 2), wanted);
  EXPECT_EQ(with(Batching::kPackedSamples, 1, 8, 1), wanted);
  EXPECT_EQ(with(Batching::kPackedSamples, 1, 4, 2), wanted);
  EXPECT_EQ(with(Batching::kPacks, 1, 4, 2), with(Batching::kPacks, 1, 8, 1));
}

TEST(DataOrder, MicroBatchesHaveTheSizeAskedFor) {
  const DataOrder samples(random_lengths(50),
                          {.batching = Batching::kSamples, .batch = 4, .accumulation = 3});
  EXPECT_EQ(samples.steps_per_epoch(), 5u);  // 12 examples each, the last has 2
  EXPECT_EQ(samples.step(1).micro_batches.size(), 3u);
  for (const MicroBatch& batch : samples.step(1).micro_batches) EXPECT_EQ(batch.examples.size(), 4u);
  EXPECT_EQ(samples.step(4).micro_batches.size(), 1u);
  EXPECT_EQ(samples.step(4).samples(), 2u);

  const DataOrder packs(random_lengths(50),
                        {.batching = Batching::kPacks, .capacity = 128, .accumulation = 3});
  for (uint64_t s = 0; s + 1 < packs.steps_per_epoch(); ++s)
    EXPECT_EQ(packs.step(s).micro_batches.size(), 3u);
  for (uint64_t s = 0; s < packs.steps(); ++s) {
    for (const MicroBatch& batch : packs.step(s).micro_batches) {
      EXPECT_LE(batch.tokens, 128u);
      EXPECT_GT(batch.tokens, 0u);
    }
  }
}

TEST(DataOrder, LargestMicroBatchRunsFirst) {
  for (const Batching batching : {Batching::kSamples, Batching::kPacks}) {
    const DataOrder order(
        random_lengths(80),
        {.batching = batching, .capacity = 111, .batch = 1, .accumulation = 4, .epochs = 2});
    const size_t first = order.step(0).micro_batches.front().tokens;
    EXPECT_EQ(first, order.most_tokens());
    for (uint64_t s = 0; s < order.steps(); ++s) {
      for (const MicroBatch& batch : order.step(s).micro_batches) EXPECT_LE(batch.tokens, first);
    }
  }
}

TEST(DataOrder, NoMicroBatchIsOverTheMostTokens) {
  for (const DataOrderSettings& settings : kAllKinds) {
    const DataOrder order(random_lengths(80), settings);
    for (uint64_t s = 0; s < order.steps(); ++s) {
      for (const MicroBatch& batch : order.step(s).micro_batches)
        EXPECT_LE(batch.tokens, order.most_tokens());
    }
  }
}

TEST(DataOrder, TurnsTellEpochsApart) {
  const DataOrder order(random_lengths(10), {.batching = Batching::kSamples, .accumulation = 4, .epochs = 3});
  std::set<uint64_t> turns;
  for (uint64_t s = 0; s < order.steps(); ++s) {
    const StepData step = order.step(s);
    for (const MicroBatch& batch : step.micro_batches) {
      ASSERT_EQ(batch.turns.size(), batch.examples.size());
      for (size_t i = 0; i < batch.turns.size(); ++i) {
        EXPECT_EQ(batch.turns[i], step.epoch * 10 + batch.examples[i]);
        turns.insert(batch.turns[i]);
      }
    }
  }
  EXPECT_EQ(turns.size(), 30u);
}

TEST(DataOrder, RanksShareAStepAndMayGetNothing) {
  const DataOrder order(random_lengths(9), {.batching = Batching::kSamples, .accumulation = 2, .world = 4});
  ASSERT_EQ(order.steps_per_epoch(), 2u);
  const StepData full = order.step(0);
  std::multiset<size_t> together;
  for (size_t rank = 0; rank < 4; ++rank) {
    const auto own = micro_batches_of_rank(full, rank, 4);
    EXPECT_EQ(own.size(), 2u);
    for (const MicroBatch& batch : own) together.insert(batch.examples.begin(), batch.examples.end());
  }
  EXPECT_EQ(together, examples_of(full));
  EXPECT_EQ(micro_batches_of_rank(order.step(1), 0, 4).size(), 1u);
  EXPECT_EQ(micro_batches_of_rank(order.step(1), 3, 4).size(), 0u);
}

TEST(DataOrder, StepsFollowHuggingFacesCount) {
  const auto steps = [](double epochs, uint64_t max_steps) {
    return DataOrder(
               random_lengths(10),
               {.batching = Batching::kSamples, .accumulation = 4, .epochs = epochs, .max_steps = max_steps})
        .steps();
  };
  EXPECT_EQ(steps(1, 0), 3u);
  EXPECT_EQ(steps(2.5, 0), 8u);  // ceil(7.5)
  EXPECT_EQ(steps(0.01, 0), 1u);
  EXPECT_EQ(steps(1, 20), 20u);
  const DataOrder order(random_lengths(10), {.batching = Batching::kSamples, .accumulation = 4});
  EXPECT_DOUBLE_EQ(order.epoch_after(4), 4.0 / 3);
}

TEST(DataOrder, FingerprintFollowsWhatDecidesTheOrder) {
  const auto fingerprint = [](const DataOrderSettings& settings, uint64_t lengths = 1) {
    return DataOrder(random_lengths(20, lengths), settings).fingerprint();
  };
  const DataOrderSettings base = {.batching = Batching::kSamples, .batch = 2, .accumulation = 4};
  EXPECT_EQ(fingerprint(base).size(), 8u);
  EXPECT_EQ(fingerprint({.batching = Batching::kSamples, .batch = 2, .accumulation = 4, .epochs = 9}),
            fingerprint(base));
  EXPECT_EQ(fingerprint({.batching = Batching::kPackedSamples, .batch = 1, .accumulation = 4, .world = 2}),
            fingerprint(base));
  EXPECT_NE(fingerprint(base, 2), fingerprint(base));
  EXPECT_NE(fingerprint({.batching = Batching::kSamples, .batch = 2, .accumulation = 4, .seed = 1}),
            fingerprint(base));
  EXPECT_NE(fingerprint({.batching = Batching::kPacks, .batch = 2, .accumulation = 8}), fingerprint(base));
}

TEST(DataOrder, BadInputIsRefused) {
  const auto error_of = [](const std::vector<size_t>& lengths, const DataOrderSettings& settings) {
    try {
      DataOrder(lengths, settings);
    } catch (const base::Error& error) {
      return error.one_line();
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of({}, {}),
            "there are no examples to train on (look at the data with cuset inspect --data)");
  EXPECT_EQ(error_of({1, 9}, {.capacity = 8}),
            "example 1 has 9 tokens, but a pack holds 8 (drop or cut long examples, or make packs larger)");
  EXPECT_EQ(error_of({1}, {.accumulation = 0}), "gradient_accumulation_steps is 0, but must be 1 or more");
  EXPECT_EQ(error_of({1}, {.batching = Batching::kSamples, .batch = 0}),
            "per_device_train_batch_size is 0, but must be 1 or more");
  EXPECT_EQ(error_of({1}, {.epochs = -1}), "num_train_epochs is -1, but must be over 0");
  EXPECT_EQ(error_of({1}, {.epochs = std::nan("")}), "num_train_epochs is nan, but must be over 0");
}

}  // namespace
}  // namespace cuset::train
