#include "serve/openai/completions.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <utility>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "serve/http/error_reply.h"
#include "serve/http/request_body.h"
#include "serve/openai/completion_reply.h"

namespace cuset::serve {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostAnswers = 1024;  // of one request
// Log-probabilities of one request: some hundred bytes each while the reply is put together.
constexpr int64_t kMostLogProbabilities = 1 << 20;

constexpr size_t kMostTokensOfText = size_t{1} << 16;  // of /detokenize

// When the folder was written, in seconds since 1970; 0 where it is gone.
int64_t time_of_folder(const fs::path& folder) {
  struct stat entry{};
  return ::stat(folder.c_str(), &entry) == 0 ? entry.st_mtime : 0;
}

int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

uint64_t random_number() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

void refuse_model(HttpExchange& exchange, const std::string& name) {
  exchange.reply(
      404,
      error_body(404, fmt::format("there is no model {}; GET /v1/models lists them", base::in_quotes(name)),
                 "model_not_found"));
}

std::string new_id(CompletionKind kind) {
  return fmt::format("{}-{:016x}", kind == CompletionKind::kChat ? "chatcmpl" : "cmpl", random_number());
}

}  // namespace

// One request on its way. Belongs to the server's thread.
struct Completions::Job {
  std::shared_ptr<HttpExchange> exchange;
  const text::Tokenizer* tokenizer = nullptr;
  CompletionHead head;
  std::string adapter;
  bool is_stream = false;
  bool include_usage = false;
  bool usage_in_chunks = false;
  std::vector<std::vector<int64_t>> prompts;
  std::vector<CompletionChoice> choices;  // whole, or of a stream what is not sent yet
  size_t samples = 1, best_of = 1;        // of each prompt: given, and written
  std::vector<double> scores;             // mean log-probabilities of the choices, where the best are given
  std::vector<size_t> numbers;            // of the engine's requests
  size_t unfinished = 0;
  std::vector<int64_t> written;  // tokens of each choice so far, where keeps_tokens()
  CompletionUsage usage;

  bool keeps_tokens() const { return head.log_probabilities || head.return_tokens || usage_in_chunks; }
  void send_chunk(size_t index, base::Json chunk) const {
    // As OpenAI has it, null before the last event.
    if (include_usage)
      chunk["usage"] =
          usage_in_chunks ? usage_json({usage.prompt_tokens, written[index]}) : base::Json(nullptr);
    exchange->send(server_sent_event(chunk));
  }
  void send_news(size_t index) {
    CompletionChoice& news = choices[index];
    send_chunk(index, completion_chunk(head, index, news, *tokenizer));
    const size_t offset = news.offset + characters_of(news.tokens, *tokenizer);
    news = {};
    news.offset = offset;
  }
  void take_text(size_t index, std::string_view text) {
    choices[index].text += text;
    if (is_stream) send_news(index);
  }
  void take_token(size_t index, const generate::SampledToken& token) {
    choices[index].tokens.push_back(token);
    ++written[index];
  }
  void take_prompt(size_t index, const std::vector<generate::SampledToken>& tokens) {
    if (head.log_probabilities) {
      choices[index].tokens = tokens;
      choices[index].echoed = tokens.size();
    }
    echo(index);
  }
  void echo(size_t index) {
    const std::vector<int64_t>& prompt = prompts[index / best_of];
    take_text(index, tokenizer->decode(std::vector<uint32_t>(prompt.begin(), prompt.end()), true));
  }
  // The most probable choices of each prompt, by the mean over their tokens.
  void keep_best() {
    std::vector<CompletionChoice> best;
    for (size_t first = 0; first < choices.size(); first += best_of) {
      std::vector<size_t> order(best_of);
      std::iota(order.begin(), order.end(), first);
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] > scores[b]; });
      for (size_t i = 0; i < samples; ++i) best.push_back(std::move(choices[order[i]]));
    }
    choices = std::move(best);
  }
  void finish(size_t index, const std::string& finish, int64_t tokens) {
    choices[index].finish = finish;
    usage.completion_tokens += tokens;
    if (is_stream) send_news(index);
    if (--unfinished == 0) complete();
  }
  void complete() {
    if (!is_stream) return reply_whole();
    if (include_usage) exchange->send(server_sent_event(usage_chunk(head, usage)));
    exchange->send(kLastServerSentEvent);
    exchange->end_stream();
  }
  void reply_whole() {
    if (best_of > samples) keep_best();
    base::Json body = completion_json(head, choices, usage, *tokenizer);
    if (head.return_tokens && prompts.size() == 1) body["prompt_token_ids"] = prompts[0];
    exchange->reply(200, base::to_json_line(body));
  }
  void fail(const std::string& reason) {
    if (!is_stream) return exchange->reply(500, error_body(500, reason));
    exchange->send("data: " + error_body(500, reason) + "\n\n");
    exchange->end_stream();
  }
};

Completions::Completions(HttpServer& server, GenerationService& service, const data::ExampleBuilder& builder,
                         CompletionOptions options)
    : server_(server), service_(service), builder_(builder), options_(std::move(options)) {
  const text::Tokenizer& tokenizer = builder_.tokenizer();
  for (uint32_t id = 0; id < tokenizer.vocab_size(); ++id)
    longest_token_ = std::max(longest_token_, tokenizer.decode({&id, 1}).size());
}

// A text that cannot fit is refused before it is encoded, which would keep all others waiting.
void Completions::check_size(size_t bytes) const {
  const size_t least = bytes / longest_token_;
  if (least >= static_cast<size_t>(service_.positions()))
    refuse_length(fmt::format("{} tokens or more", least));
}

// Where clients do not know the code they look for these words.
void Completions::refuse_length(const std::string& length) const {
  throw ContextLengthExceeded(
      "request: this model's maximum context length is {} tokens, but the prompt has {} (shorten it to leave room for an answer, or start "
      "the server with a larger --context)",
      service_.positions(), length);
}

std::string Completions::adapter_named(const std::string& model) const {
  const bool is_base = model.empty() || model == options_.model_name || model == options_.model_folder;
  return is_base ? "" : model;
}

bool Completions::knows_model(const std::string& model) const {
  const std::string adapter = adapter_named(model);
  return adapter.empty() || service_.has_adapter(adapter);
}

std::vector<int64_t> Completions::encode_plain(const CompletionRequest::PlainText& prompt) const {
  const text::Tokenizer& tokenizer = builder_.tokenizer();
  if (const auto* tokens = std::get_if<std::vector<int64_t>>(&prompt)) {
    for (const int64_t token : *tokens) check_token("prompt", token);
    return *tokens;
  }
  check_size(std::get<std::string>(prompt).size());
  const text::Encoding encoding = tokenizer.encode(std::get<std::string>(prompt));
  return {encoding.ids.begin(), encoding.ids.end()};
}

std::vector<std::vector<int64_t>> Completions::prompts_of(const CompletionRequest& request) const {
  std::vector<std::vector<int64_t>> prompts;
  if (request.kind == CompletionKind::kChat) {
    if (std::ssize(request.messages) >= service_.positions())  // each has a token or more
      refuse_length(fmt::format("{} messages", request.messages.size()));
    size_t bytes = 0;
    for (const base::Json& message : request.messages)
      bytes += message.value("content", base::Json("")).get_ref<const std::string&>().size();
    check_size(bytes);
    const std::vector<uint32_t> ids = builder_.encode_prompt(request.messages);
    prompts.emplace_back(ids.begin(), ids.end());
  }
  for (const CompletionRequest::PlainText& prompt : request.prompts) prompts.push_back(encode_plain(prompt));
  for (const std::vector<int64_t>& prompt : prompts) {
    if (prompt.empty()) throw base::Error("request: the prompt is empty");
    if (std::ssize(prompt) >= service_.positions()) refuse_length(fmt::format("{} tokens", prompt.size()));
  }
  check_amount(request, prompts);
  return prompts;
}

// Before anything is kept in memory.
void Completions::check_amount(const CompletionRequest& request,
                               const std::vector<std::vector<int64_t>>& prompts) const {
  if (prompts.size() * static_cast<size_t>(request.best_of) > kMostAnswers)
    throw base::Error("request: more than {} answers are asked for", kMostAnswers);
  const int64_t length = request.has_length ? request.settings.max_new_tokens : service_.positions();
  int64_t tokens = std::ssize(prompts) * std::min(length, service_.positions());
  for (const std::vector<int64_t>& prompt : prompts)
    tokens += request.settings.score_prompt ? std::ssize(prompt) : 0;
  const int64_t kept = request.best_of * tokens * (request.settings.top_tokens + 1);
  if (request.log_probabilities && kept > kMostLogProbabilities)
    throw base::Error("request: up to {} log-probabilities are asked for, more than {}", kept,
                      kMostLogProbabilities)
        .with_remedy("ask for fewer answers, tokens or top_logprobs");
}

void Completions::check_token(const char* field, int64_t token) const {
  const int64_t vocabulary = builder_.tokenizer().vocab_size();
  if (token < 0 || token >= vocabulary)
    throw base::Error("request: field '{}' holds the token {}, but the vocabulary has 0 to {}", field, token,
                      vocabulary - 1);
}

void Completions::complete(const std::shared_ptr<HttpExchange>& exchange, CompletionKind kind) {
  const CompletionRequest request = completion_request_from_json(json_body(*exchange), kind);
  if (!knows_model(request.model)) return refuse_model(*exchange, request.model);
  for (const generate::TokenBias& bias : request.settings.logit_bias) check_token("logit_bias", bias.id);
  for (const int64_t token : request.settings.stop_tokens) check_token("stop_token_ids", token);
  const auto job = std::make_shared<Job>();
  job->exchange = exchange;
  job->tokenizer = &builder_.tokenizer();
  job->adapter = adapter_named(request.model);
  job->head = {.kind = kind,
               .id = new_id(kind),
               .created = seconds_since_1970(),
               .model = request.model.empty() ? options_.model_name : request.model,
               .log_probabilities = request.log_probabilities,
               .return_tokens = request.return_tokens};
  job->is_stream = request.stream;
  job->include_usage = request.include_usage;
  job->usage_in_chunks = request.usage_in_chunks;
  job->prompts = prompts_of(request);
  for (const std::vector<int64_t>& prompt : job->prompts) job->usage.prompt_tokens += std::ssize(prompt);
  job->samples = static_cast<size_t>(request.samples);
  job->best_of = static_cast<size_t>(request.best_of);
  job->unfinished = job->prompts.size() * job->best_of;
  job->choices.resize(job->unfinished);
  job->scores.resize(job->unfinished);
  job->written.resize(job->unfinished);
  if (!submit(job, request)) {
    for (const size_t number : job->numbers) service_.cancel(number);
    return exchange->reply(429, error_body(429, "too many answers are waiting; try again later"),
                           "application/json", {{"Retry-After", "1"}});
  }
  exchange->on_finished([this, numbers = job->numbers] {
    for (const size_t number : numbers) service_.cancel(number);
  });
}

// False where too many wait. What the engine sends meanwhile is handled afterwards, because this is the server's thread.
bool Completions::submit(const std::shared_ptr<Job>& job, const CompletionRequest& request) {
  const uint64_t seed = request.seed ? static_cast<uint64_t>(*request.seed) : random_number();
  for (size_t i = 0; i < job->choices.size(); ++i) {
    const size_t prompt = i / job->best_of;
    generate::GenerationRequest wanted;
    wanted.prompt = job->prompts[prompt];
    wanted.settings = request.settings;
    const int64_t room = service_.positions() - std::ssize(wanted.prompt);
    if (!request.has_length) wanted.settings.max_new_tokens = room;
    // As `cuset generate` calls prompts that have no id.
    const std::string name = request.task.empty() ? std::to_string(prompt + 1) : request.task;
    wanted.random = base::RandomStream(seed, name).child(i % job->best_of);
    const std::optional<size_t> number =
        service_.submit(std::move(wanted), job->adapter, listener_for(job, i));
    if (!number) return false;
    job->numbers.push_back(*number);
  }
  if (job->is_stream) job->exchange->begin_stream("text/event-stream");
  for (size_t i = 0; i < job->choices.size(); ++i) {
    if (job->is_stream && job->head.kind == CompletionKind::kChat)
      job->send_chunk(i, opening_chunk(job->head, i));
    if (request.echo && !request.settings.score_prompt) job->echo(i);
  }
  return true;
}

GenerationListener Completions::listener_for(const std::shared_ptr<Job>& job, size_t index) {
  GenerationListener listener;
  listener.on_prompt = [this, job, index](const std::vector<generate::SampledToken>& tokens) {
    server_.post([job, index, tokens] { job->take_prompt(index, tokens); });
  };
  if (job->keeps_tokens()) {
    listener.on_token = [this, job, index](const generate::SampledToken& token) {
      server_.post([job, index, token] { job->take_token(index, token); });
    };
  }
  listener.on_text = [this, job, index](std::string_view text) {
    server_.post([job, index, text = std::string(text)] { job->take_text(index, text); });
  };
  listener.on_answer = [this, job, index](const generate::GeneratedAnswer& answer) {
    const std::vector<float>& all = answer.log_probabilities;
    const double score = std::accumulate(all.begin(), all.end(), 0.0) / std::max<double>(1, std::size(all));
    server_.post([job, index, finish = finish_reason(answer.finish), tokens = answer.tokens, score] {
      job->scores[index] = score;
      job->finish(index, finish, tokens);
    });
  };
  listener.on_failure = [this, job](const std::string& reason) {
    server_.post([job, reason] { job->fail(reason); });
  };
  return listener;
}

void Completions::show_model(HttpExchange& exchange) const {
  const std::string name = exchange.part_behind("/v1/models/");
  for (const base::Json& model : models()) {
    if (model["id"] == name) return exchange.reply(200, base::to_json_line(model));
  }
  refuse_model(exchange, name);
}

void Completions::tokenize(HttpExchange& exchange) const {
  const base::Json document = json_body(exchange);
  const base::JsonCursor body(document, "request");
  body.expect_only({"model", "prompt", "messages", "add_special_tokens", "add_generation_prompt"});
  const bool is_chat = !body.get("messages").is_absent();
  base::Json fields = {
      {is_chat ? "messages" : "prompt", document.value(is_chat ? "messages" : "prompt", base::Json())}};
  const CompletionRequest request =
      completion_request_from_json(fields, is_chat ? CompletionKind::kChat : CompletionKind::kPlain);
  const std::vector<int64_t> tokens = prompts_of(request)[0];
  exchange.reply(
      200, base::to_json_line(
               {{"count", tokens.size()}, {"max_model_len", service_.positions()}, {"tokens", tokens}}));
}

void Completions::detokenize(HttpExchange& exchange) const {
  const base::Json document = json_body(exchange);
  const base::JsonCursor body(document, "request");
  body.expect_only({"model", "tokens"});
  if (body.at("tokens").value().size() > kMostTokensOfText)  // others wait meanwhile
    body.at("tokens").refuse(fmt::format("has more than {} tokens", kMostTokensOfText));
  const CompletionRequest request =
      completion_request_from_json({{"prompt", body.at("tokens").value()}}, CompletionKind::kPlain);
  if (!std::holds_alternative<std::vector<int64_t>>(request.prompts[0]))
    body.at("tokens").refuse_type("a list of tokens");
  const std::vector<int64_t> tokens = encode_plain(request.prompts[0]);
  const std::string text = builder_.tokenizer().decode(std::vector<uint32_t>(tokens.begin(), tokens.end()));
  exchange.reply(200, base::to_json_line({{"prompt", text}}));
}

void Completions::list_models(HttpExchange& exchange) const {
  exchange.reply(200, base::to_json_line({{"object", "list"}, {"data", models()}}));
}

base::Json Completions::models() const {
  base::Json models = base::Json::array();
  const auto add = [&](const std::string& id, const std::string& root, const base::Json& parent) {
    models.push_back({{"id", id},
                      {"object", "model"},
                      {"created", time_of_folder(root)},
                      {"owned_by", "cuset"},
                      {"root", root},
                      {"parent", parent},
                      {"max_model_len", service_.positions()}});
  };
  add(options_.model_name, options_.model_folder, nullptr);
  for (const NamedAdapter& adapter : service_.adapters())
    add(adapter.name, adapter.folder.string(), options_.model_name);
  return models;
}

fs::path Completions::allowed_folder(const std::string& path) const {
  // The system would read no further than a zero byte.
  const bool is_path = path.find('\0') == std::string::npos;
  const fs::path root = fs::canonical(options_.adapter_root);
  std::error_code missing;
  const fs::path folder = fs::canonical(root / path, missing);
  const fs::path below = folder.lexically_relative(root);
  if (!is_path || missing || below.empty() || *below.begin() == "..") {
    throw base::Error("lora_path: {} is not a folder below the server's --adapter-root",
                      base::in_quotes(path))
        .with_remedy("put the adapter there");
  }
  return folder;
}

void Completions::load_adapter(const std::shared_ptr<HttpExchange>& exchange) {
  if (options_.adapter_root.empty()) {
    return exchange->reply(
        403, error_body(403, "adapters cannot be loaded: the server was started without --adapter-root"));
  }
  const base::Json document = json_body(*exchange);
  const base::JsonCursor body(document, "request");
  body.expect_only({"lora_name", "lora_path", "load_inplace"});
  const NamedAdapter adapter{body.at("lora_name").nonempty_string(),
                             allowed_folder(body.at("lora_path").nonempty_string())};
  if (adapter_named(adapter.name).empty()) body.at("lora_name").refuse("is the name of the base model");
  service_.load_adapter(adapter, body.get("load_inplace").boolean_or(false),
                        [this, exchange](const std::string& problem) {
                          server_.post([exchange, problem] {
                            if (!problem.empty()) return exchange->reply(400, error_body(400, problem));
                            exchange->reply(200, R"({"status":"loaded"})");
                          });
                        });
}

void Completions::unload_adapter(HttpExchange& exchange) {
  const base::Json document = json_body(exchange);
  const base::JsonCursor body(document, "request");
  body.expect_only({"lora_name", "lora_int_id"});
  const std::string& name = body.at("lora_name").nonempty_string();
  if (!service_.unload_adapter(name))
    return exchange.reply(404, error_body(404, fmt::format("there is no adapter {}", base::in_quotes(name))));
  exchange.reply(200, R"({"status":"unloaded"})");
}

}  // namespace cuset::serve
