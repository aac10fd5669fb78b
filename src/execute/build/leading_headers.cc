#include "execute/build/leading_headers.h"

#include <algorithm>
#include <array>

#include "cuda_source/lexer.h"

namespace cuset::execute {
namespace {

constexpr size_t kLongestOpening = 8192;  // bytes of a source that are looked at

// Few, so that sources agree in what they include; sorted. <cmath>, <cstdio>, <cstring> and the like are
// behind cuda_runtime.h or cost next to nothing.
constexpr std::array<std::string_view, 14> kHeaders = {
    "algorithm", "chrono",  "cuda_bf16.h", "cuda_fp16.h", "fstream", "functional", "iomanip",
    "iostream",  "numeric", "random",      "sstream",     "string",  "thread",     "vector"};

// Headers that may stand between those, beside the C++ library's, which have no dot in their names. Another
// one might define macros that reach into what follows.
constexpr std::array<std::string_view, 16> kPlainHeaders = {"assert.h",
                                                            "cuda.h",
                                                            "cuda_bf16.h",
                                                            "cuda_fp16.h",
                                                            "cuda_runtime.h",
                                                            "cuda_runtime_api.h",
                                                            "device_launch_parameters.h",
                                                            "float.h",
                                                            "limits.h",
                                                            "math.h",
                                                            "math_constants.h",
                                                            "stdint.h",
                                                            "stdio.h",
                                                            "stdlib.h",
                                                            "string.h",
                                                            "time.h"};

bool is_plain(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return std::all_of(name.begin(), name.end(), is_letter) ||
         std::binary_search(kPlainHeaders.begin(), kPlainHeaders.end(), name);
}

// "vector" of `<vector>`, "cuda.h" of `"cuda.h"`; empty for another form. Sources that have a file of such a name beside them
// are built without precompiled headers.
std::string_view plain_name(std::string_view header) {
  if (header.size() < 3) return {};
  const std::string_view name = header.substr(1, header.size() - 2);
  if (header.front() == '<' && header.back() == '>') return is_plain(name) ? name : std::string_view();
  const bool quoted = header.front() == '"' && header.back() == '"';
  const bool is_known = std::binary_search(kPlainHeaders.begin(), kPlainHeaders.end(), name);
  return quoted && is_known ? name : std::string_view();
}

bool names_header(const cuda_source::Token& token) {
  return token.kind == cuda_source::TokenKind::kHeaderName || token.kind == cuda_source::TokenKind::kString;
}

}  // namespace

std::vector<std::string> leading_headers(std::string_view source) {
  const std::string_view opening = source.substr(0, std::min(source.size(), kLongestOpening));
  std::vector<cuda_source::Token> tokens = cuda_source::lex(opening);
  std::erase_if(
      tokens, [](const cuda_source::Token& token) { return token.kind == cuda_source::TokenKind::kComment; });
  std::vector<std::string> headers;
  for (size_t i = 0; i + 2 < tokens.size() && tokens[i].kind == cuda_source::TokenKind::kHash; i += 3) {
    if (cuda_source::spelling(opening, tokens[i + 1]) != "include" || !names_header(tokens[i + 2])) break;
    const std::string header = cuda_source::spelling(opening, tokens[i + 2]);
    const std::string_view name = plain_name(header);
    if (name.empty()) break;
    if (std::binary_search(kHeaders.begin(), kHeaders.end(), name)) headers.emplace_back(name);
  }
  std::sort(headers.begin(), headers.end());
  headers.erase(std::unique(headers.begin(), headers.end()), headers.end());
  return headers;
}

}  // namespace cuset::execute
