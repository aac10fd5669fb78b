#include "gym/noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

#include "base/error.h"
#include "cuda_source/lexer.h"
#include "gym/clutter.h"
#include "gym/words/choice.h"
#include "gym/words/names.h"
#include "judge/audit/mutants.h"

namespace cuset::gym {
namespace {

// At most two of each kind, of which no size and no order of threads makes a right program.
std::vector<judge::Mutant> certain_mutants(const std::string& source) {
  constexpr long kMostPerKind = 2;
  std::vector<judge::Mutant> chosen;
  for (judge::Mutant& mutant : judge::mutants_of(source, std::numeric_limits<size_t>::max())) {
    const auto of_kind = [&](const judge::Mutant& other) { return other.kind == mutant.kind; };
    if (mutant.certain && std::count_if(chosen.begin(), chosen.end(), of_kind) < kMostPerKind)
      chosen.push_back(std::move(mutant));
  }
  return chosen;
}

std::string wrong(const std::string& source, base::RandomStream& stream) {
  const std::vector<judge::Mutant> mutants = certain_mutants(source);
  CUSET_CHECK(!mutants.empty(), "a program without certain mutants:\n{}", source);
  std::string mutant = mutants[stream.below(mutants.size())].source;
  // A call that a mutation took away leaves its success behind; a person leaves nothing.
  constexpr std::string_view kLeft = "cudaSuccess;\n";
  if (const size_t at = mutant.find(kLeft); at != std::string::npos && mutant[at - 1] == ' ') {
    const size_t begin = mutant.rfind('\n', at) + 1;
    mutant.erase(begin, at + kLeft.size() - begin);
  }
  return mutant;
}

constexpr std::string_view kIdleRemarks[] = {
    "// Here we declare the variables that we are going to need in the following lines of code.",
    "// This line is very important for the correct functioning of the whole program.",
    "// Now we proceed to the next step of the algorithm, as explained above.",
    "// NOTE: please make sure that the GPU driver is installed correctly before running this.",
    "// We use the CUDA runtime API here because it is convenient and widely used.",
    "// The following code is self-explanatory, but we explain it anyway for clarity.",
    "// See the CUDA programming guide for more details about this function.",
    "// Step completed, continue with the next one.",
    "// It is good practice to write clean code.",
    "// Modern GPUs have thousands of cores that can work in parallel.",
};

constexpr std::string_view kIdleSteps[] = {
    "cudaDeviceSynchronize();",
    "int device_count = 0; cudaGetDeviceCount(&device_count);",
    "if (false) { cudaDeviceSynchronize(); }",
    "int unused_flag = 0; unused_flag = unused_flag + 1; (void)unused_flag;",
    "size_t free_mem = 0, total_mem = 0; cudaMemGetInfo(&free_mem, &total_mem);",
};

// Remarks in front of about every third line of functions, and steps of main that nobody needs.
std::string verbose(const std::string& source, base::RandomStream& stream) {
  std::string result;
  std::vector<std::string_view> steps(std::begin(kIdleSteps), std::end(kIdleSteps));
  stream.shuffle(std::span(steps));
  bool in_main = false;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = source.find('\n', begin) + 1;
    const std::string line = source.substr(begin, end - begin);
    const size_t indent = line.find_first_not_of(' ');
    in_main = in_main || line.starts_with("int main");
    const bool is_statement = indent > 0 && line.ends_with(";\n") && !result.ends_with("\\\n");
    if (is_statement && stream.below(3) == 0)
      result += fmt::format("{:{}}{}\n", "", indent,
                            one_of(stream, std::span<const std::string_view>(kIdleRemarks)));
    result += line;
    const bool at_top = indent == 2 || indent == 4;
    if (in_main && is_statement && at_top && !line.starts_with("    return") && !steps.empty() &&
        stream.below(4) == 0) {
      result += fmt::format("{:{}}{}\n", "", indent, steps.back());
      steps.pop_back();
    }
    begin = end;
  }
  return result;
}

std::string random_word(base::RandomStream& stream) {
  constexpr std::string_view kFirst = "abcdfghkmqrstuvwxzAEOQXZ_";
  constexpr std::string_view kNext = "aeiouxz_0123479kqLMN";
  std::string word(1, kFirst[stream.below(kFirst.size())]);
  for (uint64_t left = 2 + stream.below(5); left > 0; --left) word += kNext[stream.below(kNext.size())];
  return word + "q";
}

// Every variable under a name that says nothing.
std::string with_random_names(const std::string& source, const std::vector<std::string>& variables,
                              base::RandomStream& stream) {
  NameScope scope;
  for (const std::string& variable : variables) scope.take(variable);
  std::map<std::string, std::string> renamed;
  for (const std::string& variable : variables) renamed[variable] = scope.take(random_word(stream));
  std::string result;
  size_t copied = 0;
  bool is_member = false;  // blockIdx.x stays, whatever a variable x is called
  for (const cuda_source::Token& token : cuda_source::lex(source)) {
    const auto found = renamed.find(source.substr(token.begin, token.end - token.begin));
    const bool was_member = is_member;
    is_member = token.is('.') || token.is(cuda_source::kArrow);
    if (!token.is_identifier() || found == renamed.end() || was_member) continue;
    result += source.substr(copied, token.begin - copied) + found->second;
    copied = token.end;
  }
  return result + source.substr(copied);
}

// All lines of a function on one, where no comment or directive forbids it.
std::string on_one_line(const std::string& source) {
  std::string result;
  bool in_directive = false;
  for (size_t begin = 0; begin < source.size();) {
    const size_t end = source.find('\n', begin);
    std::string line = source.substr(begin, end - begin);
    begin = end + 1;
    in_directive = in_directive || line.starts_with('#');
    const bool is_alone =
        in_directive || line.find("//") != std::string::npos || line.empty() || line[0] == '}';
    in_directive = in_directive && line.ends_with('\\');
    const bool is_inner = line.starts_with(' ');
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    result += line;
    result += is_alone || (!is_inner && !line.ends_with('{')) ? "\n" : " ";
  }
  return result;
}

// Macros for words that need none.
std::string with_macros(const std::string& source, base::RandomStream& stream) {
  static const std::map<std::string, std::string, std::less<>> kinds[] = {
      {{"int", "I32"}, {"float", "F32"}},
      {{"blockIdx", "BID"}, {"threadIdx", "TID"}, {"blockDim", "BDIM"}},
      {{"if", "WHEN"}, {"for", "LOOP"}},
      {{"return", "GIVE"}, {"const", "FIXED"}}};
  const auto& replaced = kinds[stream.below(std::size(kinds))];
  std::string result;
  size_t copied = 0;
  for (const cuda_source::Token& token : cuda_source::lex(source)) {
    const auto found = replaced.find(std::string_view(source).substr(token.begin, token.end - token.begin));
    if (found == replaced.end() || token.has(cuda_source::kInDirective) || !token.is_identifier()) continue;
    // The entry point keeps its type: tools look for it.
    if (source.compare(token.begin, 8, "int main") == 0) continue;
    result += source.substr(copied, token.begin - copied) + found->second;
    copied = token.end;
  }
  result += source.substr(copied);
  std::string defines;
  for (const auto& [word, macro] : replaced) defines += fmt::format("#define {} {}\n", macro, word);
  const size_t after_includes = result.find("\n\n") + 1;
  return result.substr(0, after_includes) + defines + result.substr(after_includes);
}

std::string odd_style(const GymProgram& program, base::RandomStream& stream) {
  std::string text = program.text;
  const uint64_t kinds = 1 + stream.below(7);  // at least one of three
  if (kinds & 1) text = with_random_names(text, program.variables, stream);
  if (kinds & 2) text = with_macros(text, stream);
  if (kinds & 4) text = on_one_line(text);
  return text;
}

}  // namespace

std::string_view name_of(Noise noise) {
  switch (noise) {
    case Noise::kNone:
      return "none";
    case Noise::kWrong:
      return "wrong";
    case Noise::kVerbose:
      return "verbose";
    case Noise::kOddStyle:
      return "odd_style";
    case Noise::kAround:
      return "around";
  }
  return "none";
}

NoiseMix noise_mix(const std::vector<std::string>& kinds) {
  constexpr Noise kKinds[] = {Noise::kWrong, Noise::kVerbose, Noise::kOddStyle, Noise::kAround};
  NoiseMix mix;
  mix.parts.clear();
  for (const std::string& text : kinds) {
    const size_t colon = text.find(':');
    const std::string_view name = std::string_view(text).substr(0, colon);
    const auto* const kind =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](Noise each) { return name_of(each) == name; });
    if (kind == std::end(kKinds))
      throw base::UsageError("{} is no kind of noise", base::in_quotes(name))
          .with_remedy("choose among wrong, verbose, odd_style and around");
    constexpr uint64_t kMost = 1000;
    uint64_t parts = 1;
    if (colon != std::string::npos) {
      const char* const end = text.data() + text.size();
      const auto read = std::from_chars(text.data() + colon + 1, end, parts);
      if (read.ec != std::errc() || read.ptr != end || parts < 1 || parts > kMost)
        throw base::UsageError("{}: the parts of a kind are a whole number from 1 to {}",
                               base::in_quotes(text), kMost);
    }
    mix.parts.emplace_back(*kind, parts);
  }
  if (mix.parts.empty()) throw base::UsageError("no kind of noise is named");
  return mix;
}

Noise draw_noise(double share, const NoiseMix& mix, base::RandomStream& stream) {
  const bool is_noisy = stream.uniform() < share;
  const Noise kind = weighted<Noise>(stream, std::span(mix.parts));
  return is_noisy ? kind : Noise::kNone;
}

std::string with_noise(const GymProgram& program, Noise noise, base::RandomStream stream) {
  switch (noise) {
    case Noise::kWrong:
      return wrong(program.text, stream);
    case Noise::kVerbose:
      return verbose(program.text, stream);
    case Noise::kOddStyle:
      return odd_style(program, stream);
    case Noise::kAround:
      return with_clutter(program.text, stream);
    default:
      return program.text;
  }
}

}  // namespace cuset::gym
