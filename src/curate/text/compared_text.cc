#include "curate/text/compared_text.h"

#include <xxhash.h>

#include <algorithm>
#include <unordered_map>

#include "cuda_source/lexer.h"

namespace cuset::curate {
namespace {

bool is_word_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

ComparedText compared_prompt(std::string_view text) {
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

std::vector<CodeToken> tokens_of_task(const std::string& source) {
  return tokens_of_task(source, normalized_tokens(source));
}

std::vector<CodeToken> tokens_of_task(const std::string& source, const std::vector<CodeToken>& tokens) {
  const std::vector<cuda_source::Region> parts = parts_of_task(source);
  std::vector<CodeToken> kept;
  std::unordered_map<uint32_t, uint32_t> numbers;
  for (CodeToken token : tokens) {
    const bool counts = std::any_of(parts.begin(), parts.end(), [&](const cuda_source::Region& part) {
      return token.begin >= part.begin && token.end <= part.end;
    });
    if (!counts) continue;
    if (token.name != 0)
      token.name = numbers.emplace(token.name, static_cast<uint32_t>(numbers.size() + 1)).first->second;
    kept.push_back(token);
  }
  return kept.empty() ? tokens : kept;
}

std::vector<uint64_t> runs_of(const std::vector<std::string>& tokens) {
  std::vector<uint64_t> hashes;
  hashes.reserve(tokens.size());
  for (const std::string& token : tokens) hashes.push_back(XXH3_64bits(token.data(), token.size()));
  std::vector<uint64_t> runs;
  for (size_t i = 0; i + kRunTokens <= hashes.size(); ++i)
    runs.push_back(XXH3_64bits(&hashes[i], kRunTokens * sizeof(uint64_t)));
  std::sort(runs.begin(), runs.end());
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

}  // namespace cuset::curate
