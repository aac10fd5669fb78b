#include "generate/engine.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/human_readable.h"
#include "base/interrupt.h"
#include "base/seconds_since.h"
#include "generate/answer_text.h"
#include "generate/confidence.h"
#include "generate/sampling.h"

namespace cuset::generate {
namespace {

bool contains(const std::vector<int64_t>& tokens, int64_t id) {
  return std::find(tokens.begin(), tokens.end(), id) != tokens.end();
}

// The biases of a request, with those tokens forbidden that would end the answer.
std::vector<TokenBias> bias_without(const std::vector<TokenBias>& bias, const std::vector<int64_t>& ends) {
  std::vector<TokenBias> early;
  for (const TokenBias& token : bias) {
    if (!contains(ends, token.id)) early.push_back(token);
  }
  for (const int64_t id : ends) early.push_back({id, kForbidden});
  return early;
}

// A request that has a slot.
class Writing {
 public:
  Writing(RequestSource::Numbered numbered, const text::Tokenizer& tokenizer,
          const std::vector<int64_t>& stop_tokens)
      : number_(numbered.number),
        request_(std::move(numbered.request)),
        vocab_(tokenizer.vocab_size()),
        random_(request_.random),
        text_(tokenizer, request_.settings.stop_strings),
        ends_(request_.settings.stop_tokens),
        next_(request_.prompt) {
    const GenerationSettings& settings = request_.settings;
    for (const int64_t id : stop_tokens) {
      if (!settings.ignores_end_tokens && !contains(ends_, id)) ends_.push_back(id);
    }
    if (settings.min_new_tokens > 0) early_bias_ = bias_without(settings.logit_bias, ends_);
    if (!counts_tokens(settings.sampling)) return;
    history_.emplace();
    for (const int64_t id : request_.prompt) history_->add_prompt(id);
  }

  size_t number() const { return number_; }
  bool is_new() const { return tokens_ == 0; }
  bool scores_prompt() const { return request_.settings.score_prompt; }
  bool wants_tokens() const { return request_.settings.max_new_tokens > 0; }

  model::SequenceExtension extension(int64_t slot) {
    model::SequenceExtension extension{slot, next_};
    if (!is_new() || !scores_prompt()) return extension;
    prompt_.assign(1, {.id = request_.prompt[0], .log_probability = std::numeric_limits<float>::quiet_NaN()});
    extension.on_logits = [this](int64_t first, const torch::Tensor& logits) { score(first, logits); };
    return extension;
  }
  const std::vector<SampledToken>& prompt() const { return prompt_; }

  SamplingRow sampling_row() {
    const GenerationSettings& settings = request_.settings;
    return {.settings = settings.sampling,
            .used = history_ ? history_->tokens() : std::span<const UsedToken>(),
            .draw = random_.uniform(),
            .wants_log_probability = settings.keep_tokens,
            .top_tokens = settings.keep_tokens ? settings.top_tokens : 0,
            .bias = tokens_ < settings.min_new_tokens ? early_bias_ : settings.logit_bias};
  }

  // How the answer ended with this token; nothing where it continues.
  std::optional<Finish> take(const SampledToken& token, int64_t positions) {
    ++tokens_;
    confidence_.add(token.confidence);
    next_.assign(1, token.id);
    ids_.push_back(token.id);
    if (request_.settings.keep_tokens) log_probabilities_.push_back(token.log_probability);
    if (history_) history_->add_answer(token.id);
    if (contains(ends_, token.id)) return text_.finish() ? Finish::kStopString : Finish::kStop;
    if (text_.push(static_cast<uint32_t>(token.id))) return Finish::kStopString;
    const int64_t length = std::ssize(request_.prompt) + tokens_;
    if (tokens_ < request_.settings.max_new_tokens && length < positions) return std::nullopt;
    return text_.finish() ? Finish::kStopString : Finish::kLength;
  }

  std::string_view take_certain_text() { return text_.take_certain(); }

  GeneratedAnswer answer(Finish finish) const {
    return {.text = text_.text(),
            .tokens = tokens_,
            .prompt_tokens = std::ssize(request_.prompt),
            .finish = finish,
            .confidence = confidence_.mean(),
            .lowest_window = confidence_.lowest_window(),
            .seconds = base::seconds_since(start_),
            .ids = ids_,
            .log_probabilities = log_probabilities_};
  }

 private:
  // Logits behind prompt tokens from `first` on: they tell of the tokens after those.
  void score(int64_t first, const torch::Tensor& logits) {
    const auto following = std::span<const int64_t>(request_.prompt).subspan(static_cast<size_t>(first) + 1);
    const int64_t count = std::min(logits.size(0), std::ssize(following));
    if (count == 0) return;
    const GivenTokens given{.targets = following.first(static_cast<size_t>(count)),
                            .temperature = request_.settings.sampling.temperature,
                            .top_tokens = request_.settings.top_tokens};
    const std::vector<SampledToken> tokens =
        score_tokens(logits.slice(0, 0, count).slice(1, 0, vocab_), given);
    prompt_.insert(prompt_.end(), tokens.begin(), tokens.end());
  }

  size_t number_;
  GenerationRequest request_;
  int64_t vocab_;  // tokens that have a text
  base::RandomStream random_;
  AnswerText text_;
  Confidence confidence_;
  std::vector<int64_t> ends_;            // tokens that end the answer
  std::vector<TokenBias> early_bias_;    // of the first min_new_tokens
  std::optional<TokenHistory> history_;  // for penalties
  std::vector<SampledToken> prompt_;     // with log-probabilities, where they are wanted
  std::vector<int64_t> next_;            // what the model has not read yet
  int64_t tokens_ = 0;
  std::vector<int64_t> ids_;
  std::vector<float> log_probabilities_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// All requests of a call, in their order.
class ListedRequests : public RequestSource {
 public:
  explicit ListedRequests(std::span<const GenerationRequest> requests) : requests_(requests) {}

  std::optional<Numbered> next(bool) override {
    if (next_ == requests_.size()) return std::nullopt;
    const size_t number = next_++;
    return Numbered{number, requests_[number]};
  }
  bool is_wanted(size_t) override { return true; }

 private:
  std::span<const GenerationRequest> requests_;
  size_t next_ = 0;
};

// One call of Engine::run.
class EngineRun {
 public:
  struct With {
    model::InferenceModel& model;
    const text::Tokenizer& tokenizer;
    const EngineOptions& options;
  };

  EngineRun(const With& with, RequestSource& source, const GenerationEvents& events)
      : model_(with.model),
        tokenizer_(with.tokenizer),
        options_(with.options),
        source_(source),
        events_(events),
        slots_(static_cast<size_t>(with.model.limits().slots)) {}

  bool run() {
    while (!base::is_interrupt_requested()) {
      drop_unwanted();
      admit();
      if (!step()) return true;
    }
    return false;
  }

 private:
  void drop_unwanted() {
    for (std::unique_ptr<Writing>& slot : slots_) {
      if (slot && !source_.is_wanted(slot->number())) slot.reset();
    }
  }

  bool is_idle() const {
    return std::none_of(slots_.begin(), slots_.end(), [](const auto& slot) { return slot != nullptr; });
  }

  // Gives free slots to waiting requests.
  void admit() {
    int64_t prompt_tokens = 0;
    for (size_t slot = 0; slot < slots_.size();) {
      if (slots_[slot]) {
        ++slot;
        continue;
      }
      if (!waiting_) waiting_ = source_.next(is_idle());
      if (!waiting_) return;
      const GenerationRequest& request = waiting_->request;
      const int64_t length = std::ssize(request.prompt);
      check(request);
      if (length >= model_.limits().positions) {
        report(waiting_->number, {.prompt_tokens = length, .finish = Finish::kLength});
        waiting_.reset();
        continue;
      }
      if (prompt_tokens > 0 && prompt_tokens + length > options_.prompt_tokens) return;
      prompt_tokens += length;
      model_.begin(static_cast<int64_t>(slot), request.adapter);
      slots_[slot] = std::make_unique<Writing>(std::move(*waiting_), tokenizer_, options_.stop_tokens);
      waiting_.reset();
    }
  }

  static void check(const GenerationRequest& request) {
    CUSET_CHECK(!request.prompt.empty(), "a request without a prompt");
    CUSET_CHECK(request.settings.max_new_tokens >= (request.settings.score_prompt ? 0 : 1),
                "a request for {} tokens", request.settings.max_new_tokens);
  }

  // One token for every slot in use; false where there is none.
  bool step() {
    std::vector<model::SequenceExtension> extensions;
    std::vector<SamplingRow> rows;
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if (!slots_[slot]) continue;
      extensions.push_back(slots_[slot]->extension(static_cast<int64_t>(slot)));
      rows.push_back(slots_[slot]->sampling_row());
    }
    if (extensions.empty()) return false;
    // Rows of the head beyond the vocabulary are padding: they have no text.
    const torch::Tensor logits = model_.extend(extensions).slice(1, 0, tokenizer_.vocab_size());
    const std::vector<SampledToken> tokens = sample_tokens(logits, rows);
    for (size_t i = 0; i < tokens.size(); ++i) {
      const auto slot = static_cast<size_t>(extensions[i].slot);
      if (slots_[slot]->is_new()) tell_prompt(slot);
      if (slots_[slot]) take(slot, tokens[i]);
    }
    tokens_ += tokens.size();
    if (events_.progress != nullptr) events_.progress->set_note(speed_text());
    if (events_.on_step) events_.on_step();
    return true;
  }

  std::string speed_text() const {
    return fmt::format("{} tokens/s",
                       base::human_count(static_cast<double>(tokens_) / base::seconds_since(start_)));
  }

  // The first step has read it. Where no token is wanted, that is all.
  void tell_prompt(size_t slot) {
    Writing& writing = *slots_[slot];
    if (writing.scores_prompt() && events_.on_prompt) events_.on_prompt(writing.number(), writing.prompt());
    if (writing.wants_tokens()) return;
    report(writing.number(), writing.answer(Finish::kLength));
    slots_[slot].reset();
  }

  void take(size_t slot, const SampledToken& token) {
    Writing& writing = *slots_[slot];
    const std::optional<Finish> finish = writing.take(token, model_.limits().positions);
    if (events_.on_token) events_.on_token(writing.number(), token);
    if (events_.on_text) {
      if (const std::string_view text = writing.take_certain_text(); !text.empty()) {
        events_.on_text(writing.number(), text);
      }
    }
    if (!finish) return;
    report(writing.number(), writing.answer(*finish));
    slots_[slot].reset();
  }

  void report(size_t request, const GeneratedAnswer& answer) {
    if (events_.on_answer) events_.on_answer(request, answer);
    if (events_.progress != nullptr) events_.progress->add();
  }

  model::InferenceModel& model_;
  const text::Tokenizer& tokenizer_;
  const EngineOptions& options_;
  RequestSource& source_;
  const GenerationEvents& events_;
  std::vector<std::unique_ptr<Writing>> slots_;
  std::optional<RequestSource::Numbered> waiting_;  // taken from the source, and without a slot yet
  size_t tokens_ = 0;                               // generated
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Engine::Engine(model::InferenceModel& model, const text::Tokenizer& tokenizer, EngineOptions options)
    : model_(model), tokenizer_(tokenizer), options_(std::move(options)) {}

bool Engine::run(std::span<const GenerationRequest> requests, const GenerationEvents& events) {
  ListedRequests listed(requests);
  return run(listed, events);
}

bool Engine::run(RequestSource& source, const GenerationEvents& events) {
  return EngineRun({model_, tokenizer_, options_}, source, events).run();
}

}  // namespace cuset::generate
