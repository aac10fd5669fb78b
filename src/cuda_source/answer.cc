#include "cuda_source/answer.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "cuda_source/fences.h"
#include "cuda_source/python_strings.h"
#include "cuda_source/reasoning.h"

namespace cuset::cuda_source {
namespace {

using namespace std::string_view_literals;

bool mentions_cuda(std::string_view text) {
  return text.find("__global__") != std::string_view::npos || text.find("<<<") != std::string_view::npos;
}

// The language of a code block, or none where it is something else.
std::optional<ProgramLanguage> language_of(std::string_view tag, std::string_view content) {
  static constexpr std::array kCudaTags = {"cuda"sv, "cu"sv,  "cpp"sv,      "c++"sv,      "c"sv,
                                           "cc"sv,   "cxx"sv, "cuda-cpp"sv, "cuda-c++"sv, "cuh"sv,
                                           "h"sv,    "hpp"sv, "cudacpp"sv};
  static constexpr std::array kPythonTags = {"python"sv, "py"sv, "python3"sv, "pytorch"sv};
  const bool cuda_tag = std::find(kCudaTags.begin(), kCudaTags.end(), tag) != kCudaTags.end();
  const bool python_tag = std::find(kPythonTags.begin(), kPythonTags.end(), tag) != kPythonTags.end();
  if (!tag.empty() && !cuda_tag && !python_tag) return std::nullopt;
  if (looks_like_python(content)) return ProgramLanguage::kPython;
  if (starts_like_code(content)) return ProgramLanguage::kCuda;
  if (python_tag) return ProgramLanguage::kPython;
  const bool cuda = cuda_tag || mentions_cuda(content);
  return cuda ? std::optional(ProgramLanguage::kCuda) : std::nullopt;
}

// A code block of the answer, with what decides whether it is the program.
struct Candidate {
  base::ByteSpan content;
  size_t indent = 0;
  ProgramLanguage language = ProgramLanguage::kCuda;
  bool complete = false;
  bool part = false;  // worth joining with others
  std::vector<std::string> kernels;
};

void judge_cuda(std::string_view code, Candidate& candidate) {
  const KernelUse use = find_kernel_use(code);
  candidate.kernels = use.defined;
  candidate.complete = use.mentions_main && !use.defined.empty();
  candidate.part =
      use.mentions_main || !use.defined.empty() || !use.launched.empty() || starts_like_code(code);
}

void judge_python(std::string_view code, Candidate& candidate) {
  if (code.find("class ModelNew") != std::string_view::npos) {
    candidate.complete = true;
    return;
  }
  for (const PythonString& string : find_python_strings(code)) {
    if (string.is_docstring() || !mentions_cuda(string.decoded())) continue;
    candidate.complete |= !find_kernel_use(string.decoded()).defined.empty();
  }
}

std::optional<Candidate> judge(std::string_view answer, const CodeBlock& block) {
  const std::string_view code = block.content.of(answer);
  const auto language = language_of(block.tag, code);
  if (!language || code.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::nullopt;
  Candidate candidate;
  candidate.content = block.content;
  candidate.indent = block.indent;
  candidate.language = *language;
  if (*language == ProgramLanguage::kCuda) {
    judge_cuda(code, candidate);
  } else {
    judge_python(code, candidate);
  }
  return candidate;
}

// Adds the block's lines, less the indentation of its fence, to the program.
void append(std::string_view answer, const Candidate& candidate, Program& program) {
  const auto add = [&](base::ByteSpan span) {
    if (span.begin >= span.end) return;
    program.code.append(span.of(answer));
    if (!program.spans.empty() && program.spans.back().end == span.begin) {
      program.spans.back().end = span.end;
    } else {
      program.spans.push_back(span);
    }
  };
  if (candidate.indent == 0) return add(candidate.content);
  for (size_t begin = candidate.content.begin; begin < candidate.content.end;) {
    const size_t line_end = std::min(answer.find('\n', begin), candidate.content.end - 1) + 1;
    size_t first = begin;
    while (first < line_end && first - begin < candidate.indent &&
           (answer[first] == ' ' || answer[first] == '\t')) {
      ++first;
    }
    add({first, line_end});
    begin = line_end;
  }
}

// Whether every kernel of candidates[i] is defined again in a later block.
bool is_superseded(const std::vector<Candidate>& candidates, size_t i) {
  if (candidates[i].kernels.empty()) return false;
  std::unordered_set<std::string_view> later;
  for (size_t j = i + 1; j < candidates.size(); ++j) {
    later.insert(candidates[j].kernels.begin(), candidates[j].kernels.end());
  }
  return std::all_of(candidates[i].kernels.begin(), candidates[i].kernels.end(),
                     [&](const std::string& name) { return later.contains(name); });
}

std::optional<Program> join_parts(std::string_view answer, const std::vector<Candidate>& candidates) {
  std::vector<Candidate> parts;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(parts),
               [](const Candidate& candidate) {
                 return candidate.language == ProgramLanguage::kCuda && candidate.part;
               });
  // Far more blocks than an answer has; comparing each with all later ones stays cheap.
  constexpr size_t kMostParts = 200;
  if (parts.size() > kMostParts) parts.erase(parts.begin(), parts.end() - kMostParts);
  if (parts.empty()) return std::nullopt;
  Program program;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!is_superseded(parts, i)) append(answer, parts[i], program);
  }
  return program;
}

std::optional<Program> choose(std::string_view answer, const std::vector<Candidate>& candidates,
                              BlockChoice choice) {
  const auto single = [&](const Candidate& candidate) {
    Program program;
    program.language = candidate.language;
    append(answer, candidate, program);
    return program;
  };
  const auto complete = [](const Candidate& candidate) { return candidate.complete; };
  if (choice == BlockChoice::kFirst) {
    const auto first = std::find_if(candidates.begin(), candidates.end(), complete);
    if (first != candidates.end()) return single(*first);
  } else {
    const auto last = std::find_if(candidates.rbegin(), candidates.rend(), complete);
    if (last != candidates.rend()) return single(*last);
  }
  if (auto joined = join_parts(answer, candidates)) return joined;
  return candidates.empty() ? std::nullopt : std::optional(single(candidates.back()));
}

// An answer without fences: code if it opens like code, or holds a kernel or a launch.
std::optional<CodeBlock> plain_file(std::string_view answer, base::ByteSpan span) {
  const std::string_view text = span.of(answer);
  if (!starts_like_code(text) && !mentions_cuda(text) && !looks_like_python(text)) return std::nullopt;
  return CodeBlock{span, "", 0, true};
}

// The code blocks of one stretch of the answer, with spans of the whole answer.
std::vector<CodeBlock> blocks_of(std::string_view answer, base::ByteSpan span) {
  std::vector<CodeBlock> blocks = find_code_blocks(span.of(answer));
  for (CodeBlock& block : blocks) {
    block.content.begin += span.begin;
    block.content.end += span.begin;
  }
  return blocks;
}

std::vector<CodeBlock> answer_blocks(std::string_view answer, const std::vector<base::ByteSpan>& spans) {
  std::vector<CodeBlock> blocks;
  for (const base::ByteSpan& span : spans) {
    const auto more = blocks_of(answer, span);
    blocks.insert(blocks.end(), more.begin(), more.end());
  }
  if (!blocks.empty()) return blocks;
  for (const base::ByteSpan& span : spans) {
    if (const auto file = plain_file(answer, span)) blocks.push_back(*file);
  }
  return blocks;
}

void add_shifted(std::vector<Region> regions, size_t offset, std::vector<Region>& out) {
  for (Region& region : regions) {
    region.begin += offset;
    region.end += offset;
    out.push_back(std::move(region));
  }
}

}  // namespace

Extraction extract_code(std::string_view answer, BlockChoice choice) {
  if (answer.find_first_not_of(" \t\r\n") == std::string_view::npos) return {std::nullopt, NoProgram::kEmpty};
  const Reasoning parts = split_reasoning(answer);
  std::vector<Candidate> candidates;
  for (const CodeBlock& block : answer_blocks(answer, parts.answer)) {
    if (auto candidate = judge(answer, block)) candidates.push_back(std::move(*candidate));
  }
  Extraction extraction;
  extraction.program = choose(answer, candidates, choice);
  if (!extraction.program)
    extraction.reason = parts.unfinished ? NoProgram::kUnfinishedReasoning : NoProgram::kNoCode;
  return extraction;
}

std::vector<Region> find_regions_in_answer(std::string_view answer, const AnswerOptions& options) {
  const Reasoning parts = split_reasoning(answer);
  std::vector<CodeBlock> blocks = answer_blocks(answer, parts.answer);
  if (options.code_in_reasoning) {
    for (const base::ByteSpan& span : parts.reasoning) {
      const auto more = blocks_of(answer, span);
      blocks.insert(blocks.end(), more.begin(), more.end());
    }
  }
  std::vector<Region> regions;
  for (const CodeBlock& block : blocks) {
    const std::string_view code = block.content.of(answer);
    const auto language = language_of(block.tag, code);
    if (!language) continue;
    const bool python = *language == ProgramLanguage::kPython;
    add_shifted(python ? find_regions_in_python(code, options.regions) : find_regions(code, options.regions),
                block.content.begin, regions);
  }
  sort_regions(regions);
  return regions;
}

std::vector<Region> find_regions_in_python(std::string_view source, const RegionOptions& options) {
  std::vector<Region> regions;
  for (const PythonString& string : find_python_strings(source)) {
    if (string.is_docstring()) continue;
    for (Region& region : find_regions(string.decoded(), options)) {
      const base::ByteSpan span = string.to_source({region.begin, region.end});
      region.begin = span.begin;
      region.end = span.end;
      regions.push_back(std::move(region));
    }
  }
  sort_regions(regions);
  return regions;
}

std::string_view name_of(ProgramLanguage language) {
  return language == ProgramLanguage::kCuda ? "cuda" : "python";
}

}  // namespace cuset::cuda_source
