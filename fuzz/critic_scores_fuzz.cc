// The reply of a critic on any bytes: scores from 0 to 1, or what is wrong with it in one printable line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reinforce/critic_scores.h"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = cuset::reinforce::parse_critic_scores(text);
  if (const auto* fault = std::get_if<std::string>(&parsed)) {
    require(!fault->empty() && fault->find('\n') == std::string::npos);
  } else {
    const auto& scores = std::get<cuset::reinforce::CriticScores>(parsed);
    require(scores.mean() >= 0 && scores.mean() <= 1);
  }
  return 0;
}
