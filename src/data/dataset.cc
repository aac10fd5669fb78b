#include "data/dataset.h"

#include <algorithm>
#include <functional>
#include <optional>
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

// Malformed rows that are listed one by one; of the others there is only the number.
constexpr size_t kBadRowsShown = 20;

class Loader {
 public:
  Loader(const ExampleBuilder& builder, const DatasetOptions& options)
      : builder_(builder), options_(options), progress_({.title = "reading", .unit = "rows"}) {}

  void read(const DataSource& source) {
    RecordReader reader(source.file);
    std::vector<Sample> round;
    const auto is_within = [](size_t row, size_t limit) { return limit == 0 || row < limit; };
    for (size_t row = 0; is_within(row, options_.max_rows) && is_within(row, source.max_rows); ++row) {
      try {
        const auto record = reader.next();
        if (!record) break;
        round.push_back(sample_of(*record, reader.place(), source));
      } catch (const base::Error& error) {
        if (reader.place() == last_bad_place_) throw;  // the file cannot be read on
        last_bad_place_ = reader.place();
        note_bad_row(last_bad_place_, error);
      }
      if (round.size() == kRowsPerRound) take(std::exchange(round, {}));
    }
    take(round);
  }

  Dataset finish() {
    progress_.finish();
    if (!bad_rows_.empty()) report_bad_rows();
    if (dataset_.examples.empty() && dataset_.rows > 0) {
      const DroppedRow& row = dataset_.dropped.front();
      base::log_warning("no example is left of {} rows; the first, {}: {}, {}", dataset_.rows, row.place,
                        name_of(row.reason), row.detail);
    }
    return std::move(dataset_);
  }

  void take(std::span<const Sample> round) {
    std::vector<Example> examples(round.size());
    std::vector<std::optional<base::Error>> faults(round.size());
    base::WorkerPool{.threads = options_.threads}.run(round.size(), [&](size_t i) {
      try {
        examples[i] = builder_.build(round[i]);
      } catch (const base::Error& error) {
        faults[i] = error;
      }
      progress_.add();
    });
    for (size_t i = 0; i < round.size(); ++i) {
      if (faults[i]) {
        note_bad_row(round[i].place, *faults[i]);
      } else {
        admit(std::move(examples[i]));
      }
    }
  }

 private:
  static Sample sample_of(const base::Json& record, const std::string& place, const DataSource& source) {
    return source.form ? sample_from_record(source.form->to_known_form(record, place), place)
                       : sample_from_record(record, place);
  }

  void note_bad_row(const std::string& place, const base::Error& error) {
    ++dataset_.rows;
    dataset_.dropped.push_back({place, DropReason::kMalformed, error.what()});
    bad_rows_.push_back(error);
  }

  void report_bad_rows() const {
    const base::Error& first = bad_rows_.front();
    const bool is_other_file = bad_rows_.size() == dataset_.rows;  // no row is good: the first says why
    if ((bad_rows_.size() == 1 || is_other_file) && !options_.skip_bad_rows) throw base::Error(first);
    const size_t shown = std::min(bad_rows_.size(), kBadRowsShown);
    for (size_t i = 0; i < shown; ++i) base::log_warning("{}", bad_rows_[i].one_line());
    if (shown < bad_rows_.size()) base::log_warning("{} more rows are malformed", bad_rows_.size() - shown);
    if (options_.skip_bad_rows) return;
    throw base::Error("{} of {} rows are malformed; the first: {}", bad_rows_.size(), dataset_.rows,
                      first.what())
        .with_remedy("correct them, or train without them: --skip-bad-rows");
  }

  void admit(Example example) {
    ++dataset_.rows;
    const bool has_response = example.response.size() > 0;
    const size_t tokens = example.ids.size();
    if (tokens > options_.max_tokens && options_.over_length == OverLength::kTruncateTurns &&
        example.turns.empty()) {
      return admit_pieces(example);
    }
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
    if (options_.over_length == OverLength::kTruncateTurns) {
      truncate_turns(example, options_.max_tokens);
    } else {
      truncate_example(example, options_.max_tokens);
    }
    ++dataset_.truncated;
    return true;
  }

  // A document that is longer than the limit, as several.
  void admit_pieces(const Example& document) {
    for (size_t begin = 0; begin < document.ids.size(); begin += options_.max_tokens) {
      Example piece = piece_of(document, begin, std::min(options_.max_tokens, document.ids.size() - begin));
      if (piece.supervised_tokens() == 0) continue;
      if (!options_.keep_text) forget_text(piece);
      dataset_.examples.push_back(std::move(piece));
    }
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
    example.turns = {};
  }

  const ExampleBuilder& builder_;
  const DatasetOptions& options_;
  base::Progress progress_;
  Dataset dataset_;
  std::vector<base::Error> bad_rows_;
  std::string last_bad_place_;
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
    case DropReason::kMalformed:
      return "malformed";
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

Dataset load_dataset(const std::vector<DataSource>& sources, const ExampleBuilder& builder,
                     const DatasetOptions& options) {
  Loader loader(builder, options);
  for (const DataSource& source : sources) loader.read(source);
  return loader.finish();
}

Dataset load_dataset(const std::vector<std::filesystem::path>& files, const ExampleBuilder& builder,
                     const DatasetOptions& options) {
  std::vector<DataSource> sources;
  for (const std::filesystem::path& file : files) sources.push_back({file});
  return load_dataset(sources, builder, options);
}

Dataset build_dataset(const std::vector<Sample>& samples, const ExampleBuilder& builder,
                      const DatasetOptions& options) {
  Loader loader(builder, options);
  loader.take(samples);
  return loader.finish();
}

}  // namespace cuset::data
