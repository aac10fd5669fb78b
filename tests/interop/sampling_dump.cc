// Filters distributions for a test script. One JSON case per line on standard input: "logits", "seen",
// "temperature", "top_k", "top_p", "min_p", "repetition_penalty". One line per case on standard output: the
// list of probabilities that sample_tokens draws from.
#include <string>
#include <vector>

#include "answer_lines.h"
#include "generate/sampling.h"

namespace cuset::tests {
namespace {

base::Json answer(const base::Json& request) {
  const auto logits = request.at("logits").get<std::vector<float>>();
  const auto seen = request.at("seen").get<std::vector<int64_t>>();
  generate::SamplingRow row;
  row.settings = {.temperature = request.at("temperature"),
                  .top_k = request.at("top_k"),
                  .top_p = request.at("top_p"),
                  .min_p = request.at("min_p"),
                  .repetition_penalty = request.at("repetition_penalty")};
  row.settings.check();
  row.seen = seen;
  return generate::filtered_distribution(logits, row);
}

}  // namespace
}  // namespace cuset::tests

int main() { return cuset::tests::answer_lines(cuset::tests::answer); }
