// Filters distributions for a test script. One JSON case per line on standard input: "logits", "prompt" and "answer" (lists
// of tokens), "bias" (pairs of token and number), "temperature", "top_k", "top_p", "min_p", "repetition_penalty",
// "presence_penalty", "frequency_penalty". One line per case on standard output: the list of probabilities that
// sample_tokens draws from.
#include <string>
#include <vector>

#include "answer_lines.h"
#include "generate/sampling.h"

namespace cuset::tests {
namespace {

base::Json answer(const base::Json& request) {
  const auto logits = request.at("logits").get<std::vector<float>>();
  generate::TokenHistory history;
  for (const int64_t id : request.at("prompt").get<std::vector<int64_t>>()) history.add_prompt(id);
  for (const int64_t id : request.at("answer").get<std::vector<int64_t>>()) history.add_answer(id);
  std::vector<generate::TokenBias> bias;
  for (const base::Json& pair : request.at("bias")) bias.push_back({pair.at(0), pair.at(1)});
  generate::SamplingRow row;
  row.settings = {.temperature = request.at("temperature"),
                  .top_k = request.at("top_k"),
                  .top_p = request.at("top_p"),
                  .min_p = request.at("min_p"),
                  .repetition_penalty = request.at("repetition_penalty"),
                  .presence_penalty = request.at("presence_penalty"),
                  .frequency_penalty = request.at("frequency_penalty")};
  row.settings.check();
  row.used = history.tokens();
  row.bias = bias;
  return generate::filtered_distribution(logits, row);
}

}  // namespace
}  // namespace cuset::tests

int main() { return cuset::tests::answer_lines(cuset::tests::answer); }
