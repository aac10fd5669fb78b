#include "generate/engine.h"

#include <gtest/gtest.h>
#include <torch/utils.h>

#include <algorithm>
#include <csignal>

#include "base/interrupt.h"
#include "model/decoder.h"
#include "model/model_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_tokenizer.h"

namespace cuset::generate {
namespace {

constexpr int64_t kPositions = 96;

// Bytes, some merges and an end token.
base::Json tiny_vocabulary() {
  base::Json document = support::tiny_document({{"a", "b"}, {"ab", "c"}, {"0", "1"}});
  support::add_token(document, "<end>", {"special"});
  return document;
}

std::vector<model::NamedTensor> tiny_weights(const model::ModelConfig& config) {
  std::vector<model::NamedTensor> weights =
      model::random_model_weights(config, {torch::kFloat32, torch::kCPU}, base::RandomStream(1, "weights"));
  for (model::NamedTensor& weight : weights) {
    if (weight.tensor.dim() > 1) weight.tensor.mul_(8);
  }
  return weights;
}

model::Adapter tiny_adapter(const model::ModelConfig& config, uint64_t seed) {
  model::Decoder decoder(config, tiny_weights(config));
  decoder.add_adapter({.rank = 2, .alpha = 8}, base::RandomStream(seed, "adapter"));
  base::RandomStream stream(seed, "values");
  const torch::NoGradGuard no_gradient;
  for (int64_t i = 0; i < decoder.trained().size(); ++i) {
    decoder.trained().master()[i].add_(0.3 * stream.normal());
  }
  decoder.trained().refresh_compute();
  return decoder.adapter("base");
}

class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    threads_ = torch::get_num_threads();
    torch::set_num_threads(1);
  }
  void TearDown() override { torch::set_num_threads(threads_); }

  model::InferenceModel model(int64_t slots, int64_t positions = kPositions) const {
    model::InferenceModel model(config_, tiny_weights(config_), {slots, positions});
    for (const uint64_t seed : {1, 2}) model.add_adapter(tiny_adapter(config_, seed));
    return model;
  }

  EngineOptions options(std::vector<int64_t> stops = {}) const { return {.stop_tokens = std::move(stops)}; }

  std::vector<GeneratedAnswer> answers(const std::vector<GenerationRequest>& requests, int64_t slots,
                                       const EngineOptions& with) const {
    model::InferenceModel used = model(slots);
    std::vector<GeneratedAnswer> all(requests.size());
    std::vector<int> calls(requests.size(), 0);
    GenerationEvents events;
    events.on_answer = [&](size_t request, const GeneratedAnswer& answer) {
      all[request] = answer;
      ++calls[request];
    };
    EXPECT_TRUE(Engine(used, tokenizer_, with).run(requests, events));
    EXPECT_EQ(calls, std::vector<int>(requests.size(), 1));
    return all;
  }

  GeneratedAnswer answer(const GenerationRequest& request, const EngineOptions& with = {}) const {
    return answers({request}, 1, with)[0];
  }

  // Requests with prompts, lengths, adapters and settings of all kinds.
  std::vector<GenerationRequest> many_requests(size_t count) const {
    const std::vector<SamplingSettings> kinds = {{},
                                                 {.temperature = 1},
                                                 {.temperature = 0.8, .top_k = 10, .repetition_penalty = 1.2},
                                                 {.temperature = 1.3, .top_p = 0.9},
                                                 {.temperature = 1, .min_p = 0.1},
                                                 {.presence_penalty = 1.5, .frequency_penalty = 0.5},
                                                 {.temperature = 0.9, .frequency_penalty = -0.3}};
    base::RandomStream random(3, "requests");
    std::vector<GenerationRequest> requests(count);
    for (size_t i = 0; i < count; ++i) {
      const size_t length = 1 + random.below(40);
      for (size_t j = 0; j < length; ++j) {
        requests[i].prompt.push_back(static_cast<int64_t>(random.below(256)));
      }
      requests[i].adapter = static_cast<int64_t>(i % 3) - 1;
      requests[i].settings.sampling = kinds[i % kinds.size()];
      requests[i].settings.max_new_tokens = static_cast<int64_t>(1 + random.below(30));
      requests[i].settings.min_new_tokens = i % 4 == 0 ? 5 : 0;
      if (i % 3 == 0) requests[i].settings.logit_bias = {{static_cast<int64_t>(i), 3}, {255, -100}};
      requests[i].settings.score_prompt = i % 5 == 0;
      requests[i].random = base::RandomStream(7, "task").child(i);
    }
    return requests;
  }

  static GenerationRequest request_of(std::string_view prompt) {
    GenerationRequest request;
    for (const char c : prompt) request.prompt.push_back(static_cast<unsigned char>(c));
    request.settings.max_new_tokens = 20;
    return request;
  }

  // By the decoder that trains, the whole sequence for every token.
  std::vector<uint32_t> greedy_tokens(const GenerationRequest& request) const {
    model::Decoder decoder(config_, tiny_weights(config_));
    std::vector<int64_t> ids = request.prompt;
    std::vector<uint32_t> written;
    const torch::NoGradGuard no_gradient;
    for (int64_t i = 0; i < request.settings.max_new_tokens; ++i) {
      const torch::Tensor hidden = decoder.hidden(model::make_token_batch({ids}, torch::kCPU), {});
      const torch::Tensor logits = decoder.head().value.mv(hidden[-1]).slice(0, 0, tokenizer_.vocab_size());
      ids.push_back(logits.argmax().item<int64_t>());
      written.push_back(static_cast<uint32_t>(ids.back()));
    }
    return written;
  }

  static void expect_same(const GeneratedAnswer& a, const GeneratedAnswer& b, size_t i) {
    EXPECT_EQ(a.text, b.text) << i;
    EXPECT_EQ(a.tokens, b.tokens) << i;
    EXPECT_EQ(a.finish, b.finish) << i;
    EXPECT_EQ(a.confidence, b.confidence) << i;
    EXPECT_EQ(a.lowest_window, b.lowest_window) << i;
  }

  int threads_ = 1;
  const text::Tokenizer tokenizer_ = support::tokenizer_from(tiny_vocabulary());
  // The vocabulary is padded, as that of many models.
  const model::ModelConfig config_ =
      model::model_config_from_json(support::tiny_model_config(tokenizer_.vocab_size() + 11), "config.json");
};

TEST_F(EngineTest, SameTextAloneAndInCompanyWithAnyNumberOfSlots) {
  const std::vector<GenerationRequest> requests = many_requests(23);
  std::vector<GeneratedAnswer> alone;
  for (const GenerationRequest& request : requests) alone.push_back(answer(request));
  for (const int64_t slots : {1, 2, 5, 23, 40}) {
    EngineOptions with = options();
    with.prompt_tokens = slots == 5 ? 16 : 4096;
    const std::vector<GeneratedAnswer> together = answers(requests, slots, with);
    for (size_t i = 0; i < requests.size(); ++i) expect_same(together[i], alone[i], i);
  }
  EXPECT_NE(alone[1].text, alone[6].text) << "seeds differ";
}

TEST_F(EngineTest, OrderOfRequestsPlaysNoPart) {
  std::vector<GenerationRequest> requests = many_requests(12);
  const std::vector<GeneratedAnswer> forwards = answers(requests, 4, options());
  std::reverse(requests.begin(), requests.end());
  const std::vector<GeneratedAnswer> backwards = answers(requests, 4, options());
  for (size_t i = 0; i < requests.size(); ++i)
    expect_same(forwards[i], backwards[requests.size() - 1 - i], i);
}

// The whole sequence through the training decoder gives the logits that greedy answers follow.
TEST_F(EngineTest, GreedyTextIsTheDecodersOwn) {
  const GenerationRequest request = request_of("int main");
  EXPECT_EQ(answer(request).text, tokenizer_.decode(greedy_tokens(request), true));
}

TEST_F(EngineTest, StopTokenEndsTheAnswerAndIsNoText) {
  const GenerationRequest request = request_of("kernel");
  const std::vector<uint32_t> whole = greedy_tokens(request);
  for (const size_t place : {0, 4, 19}) {
    const auto first = std::find(whole.begin(), whole.end(), whole[place]) - whole.begin();
    const GeneratedAnswer cut = answer(request, options({whole[place], 1000}));
    EXPECT_EQ(cut.finish, Finish::kStop);
    EXPECT_EQ(cut.tokens, first + 1);
    EXPECT_EQ(cut.text, tokenizer_.decode(std::span(whole).first(static_cast<size_t>(first)), true));
  }
}

TEST_F(EngineTest, StopStringsAreCutExactly) {
  GenerationRequest request = request_of("abc");
  request.settings.sampling.temperature = 1.5;
  const GeneratedAnswer whole = answer(request);
  for (const size_t begin : {size_t{0}, size_t{2}, whole.text.size() / 2}) {
    const std::string stop = whole.text.substr(begin, 3);
    request.settings.stop_strings = {"never to be seen", stop};
    std::string streamed;
    model::InferenceModel used = model(1);
    GenerationEvents events;
    GeneratedAnswer cut;
    events.on_text = [&](size_t, std::string_view text) { streamed += text; };
    events.on_answer = [&](size_t, const GeneratedAnswer& given) { cut = given; };
    Engine(used, tokenizer_, options()).run({&request, 1}, events);
    EXPECT_EQ(cut.finish, Finish::kStopString);
    EXPECT_EQ(cut.text, whole.text.substr(0, whole.text.find(stop)));
    EXPECT_EQ(streamed, cut.text);
  }
}

TEST_F(EngineTest, LimitsOfTokensAndOfTheContext) {
  GenerationRequest request = request_of("x");
  request.settings.max_new_tokens = 1;
  EXPECT_EQ(answer(request).tokens, 1);
  request.settings.max_new_tokens = 1000;
  EXPECT_EQ(answer(request).tokens, kPositions - 1);
  EXPECT_EQ(answer(request).finish, Finish::kLength);
  request.prompt.assign(kPositions - 1, 'x');
  EXPECT_EQ(answer(request).tokens, 1);
  for (const int64_t length : {kPositions, 3 * kPositions}) {
    request.prompt.assign(static_cast<size_t>(length), 'x');
    const std::vector<GeneratedAnswer> both = answers({request, request_of("y")}, 1, options());
    EXPECT_EQ(both[0].tokens, 0);
    EXPECT_EQ(both[0].text, "");
    EXPECT_EQ(both[0].prompt_tokens, length);
    EXPECT_EQ(both[0].finish, Finish::kLength);
    EXPECT_EQ(both[1].tokens, 20) << "the others continue";
  }
}

TEST_F(EngineTest, RepetitionPenaltyCountsPromptAndAnswer) {
  GenerationRequest request = request_of("qqqq");
  request.settings.max_new_tokens = 80;
  request.settings.sampling.repetition_penalty = 1e6;
  const GeneratedAnswer all_different = answer(request);
  EXPECT_EQ(all_different.text.find('q'), std::string::npos) << "it stands in the prompt";
}

// As a plain loop over the decoder's logits.
TEST_F(EngineTest, PenaltiesByCountLookAtTheAnswerAlone) {
  GenerationRequest request = request_of("qqqq");
  request.settings.sampling.presence_penalty = 1;
  request.settings.sampling.frequency_penalty = 0.5;
  model::Decoder decoder(config_, tiny_weights(config_));
  std::vector<int64_t> ids = request.prompt, written;
  torch::Tensor counts = torch::zeros({tokenizer_.vocab_size()});
  const torch::NoGradGuard no_gradient;
  for (int64_t i = 0; i < request.settings.max_new_tokens; ++i) {
    const torch::Tensor hidden = decoder.hidden(model::make_token_batch({ids}, torch::kCPU), {});
    const torch::Tensor logits = decoder.head().value.mv(hidden[-1]).slice(0, 0, tokenizer_.vocab_size());
    ids.push_back((logits - 0.5 * counts - 1 * (counts > 0)).argmax().item<int64_t>());
    written.push_back(ids.back());
    counts[ids.back()] += 1;
  }
  EXPECT_EQ(answer(request).ids, written);
  EXPECT_NE(answer(request_of("qqqq")).ids, written);
}

TEST_F(EngineTest, EndTokensAreForbiddenIgnoredOrAdded) {
  const GenerationRequest plain = request_of("ends");
  const std::vector<int64_t> free = answer(plain).ids;
  const EngineOptions ended = options({free[3]});
  const auto first_end = static_cast<int64_t>(std::find(free.begin(), free.end(), free[3]) - free.begin());
  EXPECT_EQ(answer(plain, ended).tokens, first_end + 1);

  GenerationRequest longer = plain;
  longer.settings.min_new_tokens = 12;
  const GeneratedAnswer later = answer(longer, ended);
  EXPECT_GT(later.tokens, 12);
  EXPECT_EQ(std::count(later.ids.begin(), later.ids.begin() + 12, free[3]), 0);

  GenerationRequest ignoring = plain;
  ignoring.settings.ignores_end_tokens = true;
  EXPECT_EQ(answer(ignoring, ended).ids, free);
  ignoring.settings.stop_tokens = {free[3]};
  const GeneratedAnswer stopped = answer(ignoring, ended);
  EXPECT_EQ(stopped.tokens, first_end + 1);
  EXPECT_EQ(stopped.finish, Finish::kStop);
}

TEST_F(EngineTest, BiasForcesAndForbidsTokens) {
  GenerationRequest request = request_of("bias");
  request.settings.logit_bias = {{'x', 100}};
  EXPECT_EQ(answer(request).ids, std::vector<int64_t>(20, 'x'));
  const std::vector<int64_t> free = answer(request_of("bias")).ids;
  request.settings.logit_bias = {{free[0], -100}};
  const std::vector<int64_t> without = answer(request).ids;
  EXPECT_EQ(std::count(without.begin(), without.end(), free[0]), 0);
}

TEST_F(EngineTest, PromptsHaveTheLogProbabilitiesOfTheDecoderThatTrains) {
  GenerationRequest request = request_of(std::string(90, 'p') + "rompt");
  request.settings.sampling.temperature = 0.7;
  request.settings.score_prompt = true;
  request.settings.top_tokens = 2;
  request.settings.max_new_tokens = 0;
  model::Decoder decoder(config_, tiny_weights(config_));
  const torch::NoGradGuard no_gradient;
  const torch::Tensor hidden = decoder.hidden(model::make_token_batch({request.prompt}, torch::kCPU), {});
  const torch::Tensor head = decoder.head().value.slice(0, 0, tokenizer_.vocab_size());
  const torch::Tensor log_p = (hidden.mm(head.t()).to(torch::kFloat64) / 0.7).log_softmax(1);
  model::InferenceModel used = model(2);
  std::vector<SampledToken> prompt;
  std::optional<GeneratedAnswer> answer;
  GenerationEvents events;
  events.on_prompt = [&](size_t, const std::vector<SampledToken>& tokens) {
    EXPECT_FALSE(answer) << "the prompt comes first";
    prompt = tokens;
  };
  events.on_answer = [&](size_t, const GeneratedAnswer& given) { answer = given; };
  EXPECT_TRUE(Engine(used, tokenizer_, options()).run(std::span(&request, 1), events));
  ASSERT_EQ(prompt.size(), request.prompt.size());
  EXPECT_TRUE(std::isnan(prompt[0].log_probability));
  for (size_t i = 1; i < prompt.size(); ++i) {
    const torch::Tensor row = log_p[static_cast<int64_t>(i) - 1];
    EXPECT_EQ(prompt[i].id, request.prompt[i]);
    EXPECT_NEAR(prompt[i].log_probability, row[prompt[i].id].item<double>(), 1e-4) << i;
    ASSERT_EQ(prompt[i].top.size(), 2U);
    EXPECT_NEAR(prompt[i].top[0].log_probability, row.max().item<double>(), 1e-4) << i;
  }
  EXPECT_EQ(answer->tokens, 0);
  EXPECT_EQ(answer->finish, Finish::kLength);
}

TEST_F(EngineTest, AdaptersChangeTheAnswer) {
  GenerationRequest request = request_of("adapt");
  std::vector<GenerationRequest> requests(3, request);
  for (size_t i = 0; i < 3; ++i) requests[i].adapter = static_cast<int64_t>(i) - 1;
  const std::vector<GeneratedAnswer> all = answers(requests, 3, options());
  EXPECT_NE(all[0].text, all[1].text);
  EXPECT_NE(all[0].text, all[2].text);
  EXPECT_NE(all[1].text, all[2].text);
}

TEST_F(EngineTest, KeptTokensHaveTheLogProbabilitiesOfTheDecoderThatTrains) {
  GenerationRequest request = request_of("keep");
  request.settings.sampling = {.temperature = 0.7, .top_p = 0.9};
  request.settings.keep_tokens = true;
  const GeneratedAnswer kept = answer(request);
  ASSERT_EQ(std::ssize(kept.ids), kept.tokens);
  ASSERT_EQ(kept.log_probabilities.size(), kept.ids.size());
  std::vector<int64_t> ids = request.prompt;
  ids.insert(ids.end(), kept.ids.begin(), kept.ids.end());
  model::Decoder decoder(config_, tiny_weights(config_));
  const torch::NoGradGuard no_gradient;
  const torch::Tensor hidden = decoder.hidden(model::make_token_batch({ids}, torch::kCPU), {});
  const torch::Tensor head = decoder.head().value.slice(0, 0, tokenizer_.vocab_size());
  const torch::Tensor log_p = (hidden.mm(head.t()).to(torch::kFloat64) / 0.7).log_softmax(1);
  for (size_t i = 0; i < kept.ids.size(); ++i) {
    const auto row = std::ssize(request.prompt) - 1 + static_cast<int64_t>(i);
    EXPECT_NEAR(kept.log_probabilities[i], log_p[row][kept.ids[i]].item<double>(), 1e-4) << i;
  }
  const GeneratedAnswer plain = answer(request_of("keep"));
  EXPECT_EQ(std::ssize(plain.ids), plain.tokens);
  EXPECT_TRUE(plain.log_probabilities.empty()) << "only where they were asked for";
}

TEST_F(EngineTest, ReplacedAdaptersAnswerAsThoseThatReplacedThem) {
  GenerationRequest request = request_of("replace");
  request.adapter = 0;
  model::InferenceModel used = model(1);
  std::vector<std::string> texts;
  GenerationEvents events;
  events.on_answer = [&](size_t, const GeneratedAnswer& answer) { texts.push_back(answer.text); };
  Engine engine(used, tokenizer_, options());
  EXPECT_TRUE(engine.run(std::span(&request, 1), events));
  used.replace_adapter(0, tiny_adapter(config_, 2));
  EXPECT_TRUE(engine.run(std::span(&request, 1), events));
  request.adapter = 1;
  EXPECT_TRUE(engine.run(std::span(&request, 1), events));
  EXPECT_NE(texts[0], texts[1]);
  EXPECT_EQ(texts[1], texts[2]) << "adapter 1 has the same values";
}

// Gives one request at a time, and after a while no longer wants some of them.
class TrickledRequests : public RequestSource {
 public:
  TrickledRequests(std::vector<GenerationRequest> requests, std::vector<size_t> unwanted)
      : requests_(std::move(requests)), unwanted_(std::move(unwanted)) {}

  std::optional<Numbered> next(bool may_wait) override {
    ++calls_;
    if (next_ == requests_.size() || (!may_wait && calls_ % 3 != 0)) return std::nullopt;
    const size_t number = next_++;
    return Numbered{100 + number, requests_[number]};
  }
  bool is_wanted(size_t number) override {
    return ++asked_ < 10 || std::find(unwanted_.begin(), unwanted_.end(), number - 100) == unwanted_.end();
  }

 private:
  std::vector<GenerationRequest> requests_;
  std::vector<size_t> unwanted_;
  size_t next_ = 0;
  size_t calls_ = 0;
  size_t asked_ = 0;
};

TEST_F(EngineTest, RequestsThatJoinLateHaveTheSameAnswers) {
  const std::vector<GenerationRequest> requests = many_requests(12);
  const std::vector<GeneratedAnswer> wanted = answers(requests, 1, options());
  model::InferenceModel used = model(4);
  TrickledRequests source(requests, {});
  std::vector<GeneratedAnswer> got(requests.size());
  std::vector<std::vector<int64_t>> tokens(requests.size());
  GenerationEvents events;
  events.on_token = [&](size_t number, const SampledToken& token) {
    tokens.at(number - 100).push_back(token.id);
  };
  events.on_answer = [&](size_t number, const GeneratedAnswer& answer) { got.at(number - 100) = answer; };
  EXPECT_TRUE(Engine(used, tokenizer_, options()).run(source, events));
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(got[i].text, wanted[i].text) << i;
    EXPECT_EQ(got[i].ids, wanted[i].ids) << i;
    EXPECT_EQ(tokens[i], wanted[i].ids) << i;
  }
}

TEST_F(EngineTest, UnwantedAnswersEndWithoutAnEvent) {
  std::vector<GenerationRequest> requests = many_requests(6);
  for (GenerationRequest& request : requests) request.settings.max_new_tokens = 40;
  const std::vector<GeneratedAnswer> wanted = answers(requests, 1, options());
  model::InferenceModel used = model(2);
  TrickledRequests source(requests, {0, 1});
  std::vector<std::string> texts(requests.size(), "none");
  GenerationEvents events;
  events.on_answer = [&](size_t number, const GeneratedAnswer& answer) {
    texts.at(number - 100) = answer.text;
  };
  EXPECT_TRUE(Engine(used, tokenizer_, options()).run(source, events));
  EXPECT_EQ(texts[0], "none");
  for (size_t i = 2; i < requests.size(); ++i) EXPECT_EQ(texts[i], wanted[i].text) << i;
}

TEST_F(EngineTest, InterruptEndsItWithWhatIsDone) {
  model::InferenceModel used = model(2);
  const std::vector<GenerationRequest> requests = many_requests(10);
  const base::InterruptGuard guard;
  size_t done = 0;
  GenerationEvents events;
  events.on_answer = [&](size_t, const GeneratedAnswer&) {
    if (++done == 3) raise(SIGINT);
  };
  EXPECT_FALSE(Engine(used, tokenizer_, options()).run(requests, events));
  EXPECT_GE(done, 3u);
  EXPECT_LE(done, 4u) << "at most the other slot's answer of the same step";
}

TEST_F(EngineTest, ProgressCountsAnswersAndNotesTheSpeed) {
  struct Recorded : base::ProgressSink {
    void begin(uint64_t, uint64_t) override { FAIL() << "the caller knows how much there is"; }
    void add(uint64_t n) override { done += n; }
    void set_note(std::string_view text) override { note = text; }
    uint64_t done = 0;
    std::string note;
  };
  Recorded progress;
  model::InferenceModel used = model(2);
  GenerationEvents events;
  events.progress = &progress;
  EXPECT_TRUE(Engine(used, tokenizer_, options()).run(many_requests(5), events));
  EXPECT_EQ(progress.done, 5u);
  EXPECT_TRUE(progress.note.ends_with(" tokens/s")) << progress.note;
}

TEST_F(EngineTest, NothingToDoIsDone) {
  model::InferenceModel used = model(2);
  EXPECT_TRUE(Engine(used, tokenizer_, options()).run({}, {}));
}

}  // namespace
}  // namespace cuset::generate
