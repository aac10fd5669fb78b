#include "execute/run/neighbor_files.h"

#include <algorithm>
#include <map>
#include <set>

#include "cuda_source/lexer.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 10'000;

void add_parts(std::string_view path, std::set<std::string>& parts) {
  while (!path.empty()) {
    const size_t end = std::min(path.find_first_of("/\""), path.size());
    if (end > 0) parts.emplace(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
}

// The parts of all paths that strings may be.
std::set<std::string> named_parts(const std::vector<std::string>& sources,
                                  const std::vector<std::string>& words) {
  std::set<std::string> parts;
  for (const std::string& text : sources) {
    for (const cuda_source::Token& token : cuda_source::lex(text)) {
      const bool is_text =
          token.kind == cuda_source::TokenKind::kString || token.kind == cuda_source::TokenKind::kRawString;
      if (is_text) add_parts(cuda_source::spelling(text, token), parts);
    }
  }
  for (const std::string& word : words) add_parts(word.substr(word.find('=') + 1), parts);
  return parts;
}

bool is_source(const fs::path& path) {
  static constexpr std::string_view kEndings[] = {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".h", ".hpp", ".c"};
  return std::find(std::begin(kEndings), std::end(kEndings), path.extension().string()) != std::end(kEndings);
}

}  // namespace

std::vector<fs::path> files_named_in(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& words, const fs::path& folder) {
  const std::set<std::string> parts = named_parts(sources, words);
  std::set<fs::path> named;
  size_t seen = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator item(folder, failed), end; !failed && item != end;
       item.increment(failed)) {
    if (++seen > kMostFiles) return {};
    if (is_source(item->path()) || !parts.contains(item->path().filename().string())) continue;
    named.insert(folder / *item->path().lexically_relative(folder).begin());
  }
  return {named.begin(), named.end()};
}

}  // namespace cuset::execute
