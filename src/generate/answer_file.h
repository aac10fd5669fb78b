// answers.jsonl: one answer a line, appended as they come (docs/generate.md).
//
//   {"task", "sample", "text", "tokens", "prompt_tokens", "finish", "confidence", "lowest_window", "seconds",
//   "reasoning_tokens", ...}
//
// A killed run leaves whole lines and at worst a torn one, which the next run cuts. While it is written, the
// file has the order in which answers ended; sort() gives it the order of the tasks, so that a finished file
// is the same however often its run was interrupted, but for "seconds".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "base/json/jsonl.h"
#include "generate/generation.h"

namespace cuset::generate {

class AnswerFile {
 public:
  // Opens or makes the file and reads what is there. Throws Error where another run writes to it, or a line
  // is not an answer.
  explicit AnswerFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  size_t size() const { return answered_.size(); }
  bool has(const std::string& task, uint32_t sample) const { return answered_.contains({task, sample}); }

  // `more` is an object, or null: what else the line says. Returns with the line in the file.
  void append(const std::string& task, uint32_t sample, const GeneratedAnswer& answer,
              const base::Json& more);

  // Nothing more will be appended: brings the lines into the order of `tasks`, then of samples, and onto the
  // disk. Answers to other tasks come last, as they are.
  void sort(std::span<const std::string> tasks);

 private:
  std::filesystem::path path_;
  std::optional<base::JsonlWriter> writer_;  // holds the lock before anything is read
  std::set<std::pair<std::string, uint32_t>> answered_;
};

}  // namespace cuset::generate
