// A data set: every example of one or more JSONL files, and an account of what was left out and why.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset_info.h"
#include "data/example.h"

namespace cuset::data {

// kTruncate cuts at the end. kTruncateTurns cuts each turn's prompt and answer in proportion, as LLaMA-Factory does;
// a document it cuts into pieces that are all learned.
enum class OverLength { kDrop, kError, kTruncate, kTruncateTurns };

struct DatasetOptions {
  size_t max_tokens = 4096;  // of one example
  size_t max_rows = 0;       // of one file, the first ones; 0: all
  OverLength over_length = OverLength::kDrop;
  bool keep_duplicates = true;  // exact repetitions of prompt and response are reported; false drops them
  bool keep_text = true;        // text, spans and regions, for inspection; training needs none
  bool skip_bad_rows = false;   // malformed rows are dropped and counted instead of ending the run
  unsigned threads = 0;         // 0: all cores
};

enum class DropReason { kTooLong, kNothingToLearn, kDuplicate, kMalformed };

// "too long", "nothing to learn", "duplicate", "malformed".
std::string_view name_of(DropReason reason);

struct DroppedRow {
  std::string place;  // "data.jsonl:7"
  DropReason reason;
  std::string detail;  // "5012 tokens, 4096 allowed", "repeats data.jsonl:3"
};

struct Dataset {
  std::vector<Example> examples;  // in the order of the files
  std::vector<DroppedRow> dropped;
  std::vector<DroppedRow> duplicates;  // kept, but repeated
  size_t rows = 0;                     // records read
  size_t truncated = 0;

  size_t tokens() const;
  size_t labels() const;
  size_t cuda_labels() const;
};

// Reads, renders and tokenizes on several threads, with progress on the terminal. The result does not depend
// on the number of threads. Malformed rows are listed in the log (the first 20), and one Error at the end counts
// them and names the first (file:line); an over-long row ends the reading where kError is set.
Dataset load_dataset(const std::vector<DataSource>& sources, const ExampleBuilder& builder,
                     const DatasetOptions& options = {});
Dataset load_dataset(const std::vector<std::filesystem::path>& files, const ExampleBuilder& builder,
                     const DatasetOptions& options = {});

// The same for samples at hand.
Dataset build_dataset(const std::vector<Sample>& samples, const ExampleBuilder& builder,
                      const DatasetOptions& options = {});

}  // namespace cuset::data
