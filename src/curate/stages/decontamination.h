// Benchmarks that training data must not contain.
//
// Every text of a benchmark file is held against every row: programs against the row's program, all texts against its
// prompt. A row is contaminated where
//   its program, or the part of it that belongs to the task, equals one of the benchmark but for comments, white space
//   and names; or
//   it holds at least a share of the runs of 13 tokens of one text of the benchmark (text/compared_text.h); or
//   its prompt equals one in words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json/json.h"
#include "curate/sources/row.h"
#include "curate/text/normalized_code.h"

namespace cuset::curate {

class BenchmarkTexts {
 public:
  // `overlap` is the share of a text's runs from which a row counts as contaminated.
  explicit BenchmarkTexts(double overlap) : overlap_(overlap) {}

  // JSONL or JSON of any form: every string in it counts. Anything else is read as tasks (benchmarks/task_reader.h).
  // Throws Error.
  void add_file(const std::filesystem::path& file);
  void add_text(const std::string& text, const std::string& place);

  // Which text of a benchmark the row holds, as "bench.jsonl:7, 92 % of its prompt"; nothing where it holds none. Safe
  // to call from several threads.
  std::optional<std::string> find_in(const Row& row) const;

  size_t prompts() const { return prompts_.size(); }
  size_t programs() const { return programs_.size(); }

 private:
  struct Text {
    std::string place;
    uint32_t runs = 0;
  };
  using Index = std::unordered_map<uint64_t, std::vector<uint32_t>>;  // run -> texts

  void add_strings(const base::Json& value, const std::string& place);
  void add_prompt(const std::string& text, const std::string& place);
  void add_program(const std::string& source, const std::string& place);
  std::optional<std::string> find_runs(const std::vector<uint64_t>& runs, const Index& index,
                                       const std::vector<Text>& texts, const char* what) const;

  double overlap_;
  std::vector<Text> prompts_, programs_;
  Index prompt_runs_, program_runs_;
  std::unordered_map<uint64_t, uint32_t> whole_prompts_;
  std::unordered_map<CodeHash, uint32_t> whole_programs_;  // and their parts
};

}  // namespace cuset::curate
