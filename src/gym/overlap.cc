#include "gym/overlap.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "cuda_source/answer.h"
#include "cuda_source/lexer.h"
#include "cuda_source/regions.h"

namespace cuset::gym {
namespace {

using Tokens = std::vector<std::string>;

// A text as it is compared: all of it for repetitions, the part that is the task's for runs.
struct ComparedText {
  std::string whole;
  Tokens part;
};

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

ComparedText compared_prompt(const std::string& text) {
  ComparedText result;
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ' ';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (is_word_letter(c)) {
      word += c;
      continue;
    }
    if (!word.empty()) result.part.push_back(word);
    if (c > ' ') result.part.push_back(std::string(1, c));
    word.clear();
  }
  for (const std::string& token : result.part) result.whole += token + " ";
  return result;
}

// The bytes of a program that belong to its task.
std::vector<cuda_source::Region> parts_of_task(const std::string& source) {
  std::vector<cuda_source::Region> parts;
  for (const cuda_source::Region& region : cuda_source::find_regions(source))
    if (region.kind != cuda_source::RegionKind::kLaunchDefinition) parts.push_back(region);
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = std::min(source.find('\n', begin), source.size());
    const std::string_view line = std::string_view(source).substr(begin, end - begin);
    const size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view text = line.substr(first);
    if (text.starts_with("#define ") || text.starts_with("const ") || text.starts_with("constexpr "))
      parts.push_back({begin, end, cuda_source::RegionKind::kLaunchDefinition, ""});
    begin = end + 1;
  }
  cuda_source::sort_regions(parts);
  return parts;
}

ComparedText compared_program(const std::string& source) {
  ComparedText result;
  const std::vector<cuda_source::Region> parts = parts_of_task(source);
  for (const cuda_source::Token& token : cuda_source::lex(source)) {
    if (token.kind == cuda_source::TokenKind::kComment) continue;
    const std::string text = cuda_source::spelling(source, token);
    result.whole += text + " ";
    const bool counts = std::any_of(parts.begin(), parts.end(), [&](const cuda_source::Region& part) {
      return token.begin >= part.begin && token.end <= part.end;
    });
    if (counts) result.part.push_back(text);
  }
  return result;
}

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

// The hashes of all runs of a text, each once.
std::vector<uint64_t> runs_of(const Tokens& tokens) {
  std::vector<uint64_t> runs;
  for (size_t i = 0; i + kRunTokens <= tokens.size(); ++i) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t k = i; k < i + kRunTokens; ++k)
      for (const char c : tokens[k] + " ") hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    runs.push_back(hash);
  }
  std::sort(runs.begin(), runs.end());
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
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

}  // namespace cuset::gym
