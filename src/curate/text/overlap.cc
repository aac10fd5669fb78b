#include "curate/text/overlap.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "cuda_source/answer.h"
#include "curate/text/compared_text.h"

namespace cuset::curate {
namespace {

using Tokens = std::vector<std::string>;

struct ComparedFile {
  std::map<std::string, Tokens> prompts;  // whole text -> part
  std::map<std::string, Tokens> programs;
};

void add_program(const std::string& answer, ComparedFile& file) {
  const cuda_source::Extraction extraction = cuda_source::extract_code(answer);
  ComparedText text = compared_program(extraction.program ? extraction.program->code : answer);
  if (!text.whole.empty()) file.programs.emplace(std::move(text.whole), std::move(text.part));
}

ComparedFile read_compared(const std::filesystem::path& path) {
  ComparedFile file;
  const auto add_prompt = [&](const std::string& prompt) {
    ComparedText text = compared_prompt(prompt);
    file.prompts.emplace(std::move(text.whole), std::move(text.part));
  };
  base::JsonlReader reader(path);
  while (const std::optional<base::Json> record = reader.next()) {
    const std::string place = reader.place();
    base::JsonCursor(*record, place).expect_object();
    if (const std::string& prompt = base::json_string(*record, "prompt"); !prompt.empty()) add_prompt(prompt);
    for (const char* key : {"response", "text"})
      if (const std::string& answer = base::json_string(*record, key); !answer.empty())
        add_program(answer, file);
    for (const base::Json& prompt : base::json_list(*record, "prompts"))
      if (base::json_member(prompt, "text").is_string()) add_prompt(base::json_string(prompt, "text"));
  }
  return file;
}

OverlapOfTexts overlap_of(const std::map<std::string, Tokens>& training,
                          const std::map<std::string, Tokens>& held_out) {
  OverlapOfTexts result;
  result.training = training.size();
  result.held_out = held_out.size();
  std::unordered_map<uint64_t, std::vector<uint32_t>> places;  // run -> training texts
  uint32_t number = 0;
  for (const auto& [whole, part] : training) {
    for (const uint64_t run : runs_of(part)) places[run].push_back(number);
    ++number;
  }
  std::vector<uint32_t> shared(training.size());
  for (const auto& [whole, part] : held_out) {
    if (training.contains(whole) && ++result.repeated == 1) result.example = whole;
    const std::vector<uint64_t> runs = runs_of(part);
    if (runs.empty()) continue;
    std::fill(shared.begin(), shared.end(), 0);
    for (const uint64_t run : runs)
      if (const auto found = places.find(run); found != places.end())
        for (const uint32_t text : found->second) ++shared[text];
    const uint32_t most = shared.empty() ? 0 : *std::max_element(shared.begin(), shared.end());
    result.overlap.push_back(static_cast<double>(most) / static_cast<double>(runs.size()));
  }
  std::sort(result.overlap.begin(), result.overlap.end());
  return result;
}

base::Json json_of(const OverlapOfTexts& texts, double threshold) {
  const std::vector<double>& overlap = texts.overlap;
  const auto quantile = [&](double share) {
    return overlap.empty() ? 0
                           : overlap[static_cast<size_t>(share * static_cast<double>(overlap.size() - 1))];
  };
  const auto above = overlap.end() - std::lower_bound(overlap.begin(), overlap.end(), threshold);
  return {{"training", texts.training}, {"held_out", texts.held_out},
          {"repeated", texts.repeated}, {"median", quantile(0.5)},
          {"p90", quantile(0.9)},       {"p99", quantile(0.99)},
          {"largest", quantile(1)},     {"above", above}};
}

}  // namespace

Overlap measure_overlap(const std::filesystem::path& training, const std::filesystem::path& held_out) {
  const ComparedFile known = read_compared(training);
  const ComparedFile measured = read_compared(held_out);
  return {overlap_of(known.prompts, measured.prompts), overlap_of(known.programs, measured.programs)};
}

base::Json json_of(const Overlap& overlap, double threshold) {
  return {{"prompts", json_of(overlap.prompts, threshold)},
          {"programs", json_of(overlap.programs, threshold)}};
}

}  // namespace cuset::curate
