#include "reinforce/sampler_pass.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "generate/sampling.h"

namespace cuset::reinforce {
namespace {

// An example on its way through the model.
struct Sequence {
  std::vector<int64_t> ids;
  int64_t completion = 0;   // tokens
  int64_t first_token = 0;  // of the pack
  int64_t first_row = 0;

  int64_t prompt() const { return static_cast<int64_t>(ids.size()) - completion; }
};

std::vector<Sequence> sequences_of(std::span<const train::PolicyExample> pack) {
  std::vector<Sequence> sequences;
  int64_t tokens = 0, rows = 0;
  for (const train::PolicyExample& example : pack) {
    const auto& ids = example.tokens.ids;
    sequences.push_back({.ids = {ids.begin(), ids.end()},
                         .completion = std::ssize(example.sampler_log_probability),
                         .first_token = tokens,
                         .first_row = rows});
    tokens += std::ssize(ids);
    rows += sequences.back().completion;
  }
  return sequences;
}

class Pass {
 public:
  Pass(model::InferenceModel& model, const SamplerPassOptions& options, std::span<const Sequence> sequences)
      : model_(model), options_(options), sequences_(sequences) {
    const Sequence& last = sequences.back();
    const int64_t tokens = last.first_token + std::ssize(last.ids);
    for (int64_t layer = 0; layer <= model.config().layers; ++layer)
      result_.states.push_back(torch::empty({tokens, model.config().hidden}, torch::kFloat32));
    result_.log_probability = torch::empty({last.first_row + last.completion}, torch::kFloat32);
  }

  train::SamplerPass run() {
    const auto slots = static_cast<size_t>(model_.limits().slots);
    for (size_t begin = 0; begin < sequences_.size(); begin += slots)
      run_together(sequences_.subspan(begin, std::min(slots, sequences_.size() - begin)));
    return std::move(result_);
  }

 private:
  // The prompt without its last token, behind which nothing is asked; then the rest.
  void run_together(std::span<const Sequence> sequences) {
    std::vector<model::SequenceExtension> prompts, completions;
    for (size_t slot = 0; slot < sequences.size(); ++slot) {
      const Sequence& sequence = sequences[slot];
      const auto place = static_cast<int64_t>(slot);
      const auto asked = static_cast<size_t>(sequence.prompt() - 1);
      const auto ids = std::span(sequence.ids);
      model_.begin(place, options_.adapter);
      if (asked > 0) prompts.push_back({place, ids.first(asked), {}, states_from(sequence.first_token)});
      completions.push_back({place, ids.subspan(asked), logits_of(sequence),
                             states_from(sequence.first_token + sequence.prompt() - 1)});
    }
    model_.extend(prompts);
    model_.extend(completions);
  }

  model::StateReceiver states_from(int64_t first_token) {
    return [this, first_token](int64_t layer, int64_t first, const torch::Tensor& states) {
      result_.states[static_cast<size_t>(layer)].narrow(0, first_token + first, states.size(0)).copy_(states);
    };
  }

  // The logits behind a token are those of the next one; behind the last one nothing is asked.
  model::LogitsReceiver logits_of(const Sequence& sequence) {
    return [this, &sequence](int64_t first, const torch::Tensor& logits) {
      const int64_t count = std::min(logits.size(0), sequence.completion - first);
      if (count <= 0) return;
      const auto targets =
          std::span(sequence.ids)
              .subspan(static_cast<size_t>(sequence.prompt() + first), static_cast<size_t>(count));
      const auto scored = generate::score_tokens(logits.narrow(0, 0, count).narrow(1, 0, options_.vocabulary),
                                                 {.targets = targets, .temperature = options_.temperature});
      float* to = result_.log_probability.data_ptr<float>() + sequence.first_row + first;
      for (const generate::SampledToken& token : scored) *to++ = token.log_probability;
    };
  }

  model::InferenceModel& model_;
  const SamplerPassOptions& options_;
  std::span<const Sequence> sequences_;
  train::SamplerPass result_;
};

}  // namespace

train::SamplerPass run_sampler_pass(model::InferenceModel& model, const SamplerPassOptions& options,
                                    std::span<const train::PolicyExample> pack) {
  CUSET_CHECK(!pack.empty(), "a pass without completions");
  const torch::NoGradGuard no_gradient;
  const std::vector<Sequence> sequences = sequences_of(pack);
  return Pass(model, options, sequences).run();
}

}  // namespace cuset::reinforce
