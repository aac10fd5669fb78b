#include "execute/build/clusters.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "cuda_source/lexer.h"

namespace cuset::execute {
namespace {

using cuda_source::Token;
using cuda_source::TokenKind;

bool is_name_of_clusters(std::string_view word) {
  static constexpr std::array<std::string_view, 6> kNames = {"__cluster_dims__",
                                                             "this_cluster",
                                                             "cluster_group",
                                                             "cudaLaunchAttributeClusterDimension",
                                                             "cudaOccupancyMaxActiveClusters",
                                                             "cudaOccupancyMaxPotentialClusterSize"};
  return word.starts_with("__cluster_") || std::find(kNames.begin(), kNames.end(), word) != kNames.end();
}

// Inline PTX is text in strings.
bool is_ptx_of_clusters(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kWords = {"barrier.cluster", "%cluster_", "%clusterid",
                                                             "%nclusterid", "mapa."};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

}  // namespace

bool names_clusters(std::string_view source) {
  if (source.find("luster") == source.npos && source.find("mapa") == source.npos) return false;
  const std::vector<Token> tokens = cuda_source::lex(source);
  return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
    const std::string_view raw = source.substr(token.begin, token.end - token.begin);
    if (token.kind == TokenKind::kString || token.kind == TokenKind::kRawString)
      return is_ptx_of_clusters(raw);
    return token.is_identifier() && is_name_of_clusters(raw);
  });
}

bool has_clusters(std::string_view architecture) {
  const size_t digits = architecture.find_first_of("0123456789");
  int number = 0;
  if (digits != architecture.npos)
    std::from_chars(architecture.data() + digits, architecture.data() + architecture.size(), number);
  return number >= 90;
}

}  // namespace cuset::execute
