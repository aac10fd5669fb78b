#include "data/dataset.h"

#include <algorithm>
#include <functional>
#include <span>
#include <unordered_map>

#include "base/error.h"
#include "base/log.h"
#include "base/machine/worker_pool.h"
#include "base/progress.h"
#include "data/record_reader.h"

namespace cuset::data {
namespace {

// Rows taken from the file before the threads work on them.
constexpr size_t kRowsPerRound = 1024;

class Loader {
 public:
  Loader(const ExampleBuilder& builder, const DatasetOptions& options)
      : builder_(builder), options_(options), progress_({.title = "reading", .unit = "rows"}) {}

  void read(const std::filesystem::path& file) {
    RecordReader reader(file);
    std::vector<Sample> round;
    for (size_t row = 0; options_.max_rows == 0 || row < options_.max_rows; ++row) {
      const auto record = reader.next();
      if (!record) break;
      round.push_back(sample_from_record(*record, reader.place()));
      if (round.size() == kRowsPerRound) take(std::exchange(round, {}));
    }
    take(round);
  }

  Dataset finish() {
    progress_.finish();
    if (dataset_.examples.empty() && dataset_.rows > 0) {
      const DroppedRow& row = dataset_.dropped.front();
      base::log_warning("no example is left of {} rows; the first, {}: {}, {}", dataset_.rows, row.place,
                        name_of(row.reason), row.detail);
    }
    return std::move(dataset_);
  }

  void take(std::span<const Sample> round) {
    std::vector<Example> examples(round.size());
    base::WorkerPool{.threads = options_.threads}.run(round.size(), [&](size_t i) {
      examples[i] = builder_.build(round[i]);
      progress_.add();
    });
    for (Example& example : examples) admit(std::move(example));
  }

 private:
  void admit(Example example) {
    ++dataset_.rows;
    const bool has_response = example.response.size() > 0;
    const size_t tokens = example.ids.size();
    if (tokens > options_.max_tokens && !shorten(example)) return;
    // A prompt that fills the limit, or an empty response, leaves nothing but the closing to learn.
    if (!has_response || example.labels() == 0) {
      const char* detail = has_response ? "the prompt alone reaches the limit" : "the response is empty";
      dataset_.dropped.push_back({example.place, DropReason::kNothingToLearn, detail});
      return;
    }
    if (is_duplicate(example) && !options_.keep_duplicates) return;
    if (!options_.keep_text) forget_text(example);
    dataset_.examples.push_back(std::move(example));
  }

  // Applies the policy for over-long examples; false if the example is dropped.
  bool shorten(Example& example) {
    const std::string detail = fmt::format("{} tokens, {} allowed", example.ids.size(), options_.max_tokens);
    if (options_.over_length == OverLength::kError) {
      throw base::Error("{}: {}", example.place, detail)
          .with_remedy("raise the limit, or drop or truncate over-long samples");
    }
    if (options_.over_length == OverLength::kDrop) {
      dataset_.dropped.push_back({example.place, DropReason::kTooLong, detail});
      return false;
    }
    truncate_example(example, options_.max_tokens);
    ++dataset_.truncated;
    return true;
  }

  bool is_duplicate(const Example& example) {
    const size_t hash = std::hash<std::string>{}(example.text) ^ example.response.begin;
    const auto [first, is_new] = places_.try_emplace(hash, example.place);
    if (is_new) return false;
    const DroppedRow row{example.place, DropReason::kDuplicate, "repeats " + first->second};
    (options_.keep_duplicates ? dataset_.duplicates : dataset_.dropped).push_back(row);
    return true;
  }

  static void forget_text(Example& example) {
    example.text = {};
    example.spans = {};
    example.regions = {};
  }

  const ExampleBuilder& builder_;
  const DatasetOptions& options_;
  base::Progress progress_;
  Dataset dataset_;
  std::unordered_map<size_t, std::string> places_;  // hash of text and border -> first place
};

template <typename Count>
size_t sum_over(const std::vector<Example>& examples, Count count) {
  size_t sum = 0;
  for (const Example& example : examples) sum += count(example);
  return sum;
}

}  // namespace

std::string_view name_of(DropReason reason) {
  switch (reason) {
    case DropReason::kTooLong:
      return "too long";
    case DropReason::kNothingToLearn:
      return "nothing to learn";
    case DropReason::kDuplicate:
      return "duplicate";
  }
  return "";
}

size_t Dataset::tokens() const {
  return sum_over(examples, [](const Example& e) { return e.ids.size(); });
}

size_t Dataset::labels() const {
  return sum_over(examples, [](const Example& e) { return e.labels(); });
}

size_t Dataset::cuda_labels() const {
  return sum_over(examples, [](const Example& e) { return e.cuda_labels(); });
}

Dataset load_dataset(const std::vector<std::filesystem::path>& files, const ExampleBuilder& builder,
                     const DatasetOptions& options) {
  Loader loader(builder, options);
  for (const std::filesystem::path& file : files) loader.read(file);
  return loader.finish();
}

Dataset build_dataset(const std::vector<Sample>& samples, const ExampleBuilder& builder,
                      const DatasetOptions& options) {
  Loader loader(builder, options);
  loader.take(samples);
  return loader.finish();
}

}  // namespace cuset::data
