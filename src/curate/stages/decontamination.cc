#include "curate/stages/decontamination.h"

#include <xxhash.h>

#include <algorithm>

#include "benchmarks/task_reader.h"
#include "cuda_source/answer.h"
#include "curate/text/compared_text.h"
#include "data/record_reader.h"

namespace cuset::curate {
namespace {

constexpr size_t kShortestWords = 5;     // of a prompt that can be recognized at all
constexpr size_t kShortestProgram = 16;  // tokens; a shorter part is everybody's

uint64_t hash_of_whole(const std::string& text) { return XXH3_64bits(text.data(), text.size()); }

bool is_program(const std::string& text) { return text.find("__global__") != std::string::npos; }

// The program in a text that may be prose, fences or a plain file.
std::string program_in(const std::string& text) {
  cuda_source::Extraction extraction = cuda_source::extract_code(text);
  return extraction.program ? std::move(extraction.program->code) : text;
}

// The hashes that say that two programs are the same: of all of it, and of what belongs to its task.
std::vector<CodeHash> hashes_of_program(const std::string& source) {
  const std::vector<CodeToken> tokens = normalized_tokens(source);
  std::vector<CodeHash> hashes;
  if (tokens.size() < kShortestProgram) return hashes;
  hashes.push_back(hash_of(tokens));
  const std::vector<CodeToken> part = tokens_of_task(source, tokens);
  if (part.size() >= kShortestProgram) hashes.push_back(hash_of(part));
  return hashes;
}

}  // namespace

void BenchmarkTexts::add_file(const std::filesystem::path& file) {
  if (data::is_data_file(file)) {
    data::RecordReader reader(file);
    while (const std::optional<base::Json> record = reader.next()) add_strings(*record, reader.place());
    return;
  }
  for (const tasks::Task& task : benchmarks::read_tasks(file).tasks) {
    for (const tasks::Prompt& prompt : task.prompts) add_text(prompt.text, task.place);
    add_text(task.oracle.program, task.place);
    add_text(task.module, task.place);
  }
}

void BenchmarkTexts::add_strings(const base::Json& value, const std::string& place) {
  if (value.is_string()) add_text(value.get<std::string>(), place);
  if (value.is_structured())
    for (const base::Json& part : value) add_strings(part, place);
}

void BenchmarkTexts::add_text(const std::string& text, const std::string& place) {
  if (is_program(text)) add_program(program_in(text), place);
  add_prompt(text, place);
}

void BenchmarkTexts::add_prompt(const std::string& text, const std::string& place) {
  const ComparedText compared = compared_prompt(text);
  if (compared.part.size() < kShortestWords) return;
  const std::vector<uint64_t> runs = runs_of(compared.part);
  const auto number = static_cast<uint32_t>(prompts_.size());
  if (!whole_prompts_.emplace(hash_of_whole(compared.whole), number).second) return;
  prompts_.push_back({place, static_cast<uint32_t>(runs.size())});
  for (const uint64_t run : runs) prompt_runs_[run].push_back(number);
}

void BenchmarkTexts::add_program(const std::string& source, const std::string& place) {
  const auto number = static_cast<uint32_t>(programs_.size());
  const std::vector<uint64_t> runs = runs_of(compared_program(source).part);
  for (const CodeHash& hash : hashes_of_program(source)) whole_programs_.emplace(hash, number);
  programs_.push_back({place, static_cast<uint32_t>(runs.size())});
  for (const uint64_t run : runs) program_runs_[run].push_back(number);
}

std::optional<std::string> BenchmarkTexts::find_runs(const std::vector<uint64_t>& runs, const Index& index,
                                                     const std::vector<Text>& texts, const char* what) const {
  std::unordered_map<uint32_t, uint32_t> shared;
  for (const uint64_t run : runs)
    if (const auto found = index.find(run); found != index.end())
      for (const uint32_t text : found->second) ++shared[text];
  const Text* most = nullptr;
  double largest = 0;
  for (const auto& [number, count] : shared) {
    const double share = static_cast<double>(count) / texts[number].runs;
    const bool is_earlier =
        most == nullptr || &texts[number] < most;  // the same whatever the order of the map
    if (share < largest || (share == largest && !is_earlier)) continue;
    largest = share;
    most = &texts[number];
  }
  if (most == nullptr || largest < overlap_) return std::nullopt;
  return fmt::format("{}: {:.0f} % of the runs of its {}", most->place, 100 * largest, what);
}

std::optional<std::string> BenchmarkTexts::find_in(const Row& row) const {
  if (const std::string program = row.program(); !program.empty()) {
    for (const CodeHash& hash : hashes_of_program(program))
      if (const auto found = whole_programs_.find(hash); found != whole_programs_.end())
        return fmt::format("{}: the same program", programs_[found->second].place);
    if (auto found = find_runs(runs_of(compared_program(program).part), program_runs_, programs_, "program"))
      return found;
  }
  if (row.is_document()) return std::nullopt;
  for (const base::Json& message : row.messages) {
    if (message["role"] != "user") continue;
    const ComparedText compared = compared_prompt(message["content"].get<std::string>());
    if (const auto found = whole_prompts_.find(hash_of_whole(compared.whole)); found != whole_prompts_.end())
      return fmt::format("{}: the same prompt", prompts_[found->second].place);
    if (auto found = find_runs(runs_of(compared.part), prompt_runs_, prompts_, "prompt")) return found;
  }
  return std::nullopt;
}

}  // namespace cuset::curate
