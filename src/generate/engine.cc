#include "generate/engine.h"

#include <algorithm>
#include <chrono>
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

// The tokens of a sequence, each once.
class SeenTokens {
 public:
  explicit SeenTokens(int64_t vocab) : is_seen_(static_cast<size_t>(vocab), false) {}

  void add(int64_t id) {
    if (is_seen_.at(static_cast<size_t>(id))) return;
    is_seen_[static_cast<size_t>(id)] = true;
    ids_.push_back(id);
  }
  std::span<const int64_t> ids() const { return ids_; }

 private:
  std::vector<bool> is_seen_;
  std::vector<int64_t> ids_;
};

// A request that has a slot.
class Writing {
 public:
  Writing(RequestSource::Numbered numbered, const text::Tokenizer& tokenizer, int64_t vocab)
      : number_(numbered.number),
        request_(std::move(numbered.request)),
        random_(request_.random),
        text_(tokenizer, request_.settings.stop_strings),
        next_(request_.prompt) {
    if (request_.settings.sampling.repetition_penalty == 1) return;
    seen_.emplace(vocab);
    for (const int64_t id : request_.prompt) seen_->add(id);
  }

  size_t number() const { return number_; }
  std::span<const int64_t> next_tokens() const { return next_; }

  SamplingRow sampling_row() {
    return {request_.settings.sampling, seen_ ? seen_->ids() : std::span<const int64_t>(), random_.uniform(),
            request_.settings.keep_tokens, request_.settings.top_tokens};
  }

  // How the answer ended with this token; nothing where it continues.
  std::optional<Finish> take(const SampledToken& token, bool is_stop, int64_t positions) {
    ++tokens_;
    confidence_.add(token.confidence);
    next_.assign(1, token.id);
    ids_.push_back(token.id);
    if (request_.settings.keep_tokens) log_probabilities_.push_back(token.log_probability);
    if (seen_) seen_->add(token.id);
    if (is_stop) return text_.finish() ? Finish::kStopString : Finish::kStop;
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
  size_t number_;
  GenerationRequest request_;
  base::RandomStream random_;
  AnswerText text_;
  Confidence confidence_;
  std::optional<SeenTokens> seen_;
  std::vector<int64_t> next_;  // what the model has not read yet
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
      slots_[slot] = std::make_unique<Writing>(std::move(*waiting_), tokenizer_, model_.config().vocab);
      waiting_.reset();
    }
  }

  static void check(const GenerationRequest& request) {
    CUSET_CHECK(!request.prompt.empty(), "a request without a prompt");
    CUSET_CHECK(request.settings.max_new_tokens > 0, "a request for {} tokens",
                request.settings.max_new_tokens);
    CUSET_CHECK(!request.settings.keep_tokens || request.settings.sampling.repetition_penalty == 1,
                "log-probabilities under a repetition penalty");
  }

  // One token for every slot in use; false where there is none.
  bool step() {
    std::vector<model::SequenceExtension> extensions;
    std::vector<SamplingRow> rows;
    for (size_t slot = 0; slot < slots_.size(); ++slot) {
      if (!slots_[slot]) continue;
      extensions.push_back({static_cast<int64_t>(slot), slots_[slot]->next_tokens()});
      rows.push_back(slots_[slot]->sampling_row());
    }
    if (extensions.empty()) return false;
    // Rows of the head beyond the vocabulary are padding: they have no text.
    const torch::Tensor logits = model_.extend(extensions).slice(1, 0, tokenizer_.vocab_size());
    const std::vector<SampledToken> tokens = sample_tokens(logits, rows);
    for (size_t i = 0; i < tokens.size(); ++i) {
      take(static_cast<size_t>(extensions[i].slot), tokens[i]);
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

  void take(size_t slot, const SampledToken& token) {
    Writing& writing = *slots_[slot];
    const bool is_stop = std::find(options_.stop_tokens.begin(), options_.stop_tokens.end(), token.id) !=
                         options_.stop_tokens.end();
    const std::optional<Finish> finish = writing.take(token, is_stop, model_.limits().positions);
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
