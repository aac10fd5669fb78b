#include "serve/openai/completion_request.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "data/messages.h"

namespace cuset::serve {
namespace {

constexpr int64_t kMostSamples = 128;
constexpr int64_t kMostTop = 20;
constexpr int64_t kMostTokens = 1 << 20;
constexpr int64_t kMostStops = 16;
constexpr size_t kLongestStop = 4096;
// Long lists are refused before anything is made of them: others wait meanwhile.
constexpr size_t kMostFields = 1024;
constexpr size_t kMostMessages = size_t{1} << 14;
constexpr size_t kMostPrompts = 1024;
constexpr size_t kMostPromptTokens = size_t{1} << 20;
constexpr int64_t kMostStopTokens = 128;
constexpr int64_t kMostBiases = 1024;
constexpr int64_t kMostId = (int64_t{1} << 31) - 1;

// Read below.
constexpr std::array<std::string_view, 27> kKnown = {"model",
                                                     "messages",
                                                     "prompt",
                                                     "max_tokens",
                                                     "max_completion_tokens",
                                                     "temperature",
                                                     "top_p",
                                                     "top_k",
                                                     "min_p",
                                                     "repetition_penalty",
                                                     "stop",
                                                     "seed",
                                                     "n",
                                                     "stream",
                                                     "stream_options",
                                                     "logprobs",
                                                     "top_logprobs",
                                                     "echo",
                                                     "task",
                                                     "return_token_ids",
                                                     "logit_bias",
                                                     "best_of",
                                                     "min_tokens",
                                                     "presence_penalty",
                                                     "frequency_penalty",
                                                     "ignore_eos",
                                                     "stop_token_ids"};

// They change nothing that an answer is made of.
constexpr std::array<std::string_view, 9> kIgnored = {"user",
                                                      "metadata",
                                                      "store",
                                                      "safety_identifier",
                                                      "service_tier",
                                                      "parallel_tool_calls",
                                                      "prompt_cache_key",
                                                      "cache_prompt",
                                                      "request_id"};

// Fields with a value that asks for nothing; with any other they are refused.
struct Unsupported {
  std::string_view field;
  const char* neutral;
};
constexpr std::array<Unsupported, 23> kUnsupported = {{
    {"tools", "[]"},
    {"tool_choice", "\"none\""},
    {"tool_choice", "\"auto\""},
    {"functions", "[]"},
    {"function_call", "\"none\""},
    {"response_format", R"({"type":"text"})"},
    {"suffix", "\"\""},
    {"prompt_logprobs", "0"},
    {"modalities", R"(["text"])"},
    {"audio", "{}"},
    {"reasoning_effort", "\"none\""},
    {"skip_special_tokens", "true"},
    {"spaces_between_special_tokens", "true"},
    {"include_stop_str_in_output", "false"},
    {"add_generation_prompt", "true"},
    {"continue_final_message", "false"},
    {"add_special_tokens", "false"},
    {"chat_template_kwargs", "{}"},
    {"use_beam_search", "false"},
    {"length_penalty", "1"},
    {"typical_p", "1"},
    {"priority", "0"},
    {"verbosity", "\"medium\""},
}};

bool is_neutral(const base::Json& value, const Unsupported& unsupported) {
  const base::Json neutral = base::Json::parse(unsupported.neutral);
  return neutral.is_number() && value.is_number() ? value.get<double>() == neutral.get<double>()
                                                  : value == neutral;
}

void refuse_unsupported(const base::JsonCursor& body) {
  for (const Unsupported& unsupported : kUnsupported) {
    const base::JsonCursor field = body.get(unsupported.field);
    if (field.is_absent()) continue;
    const bool asks_for_nothing =
        std::any_of(kUnsupported.begin(), kUnsupported.end(), [&](const Unsupported& other) {
          return other.field == unsupported.field && is_neutral(field.value(), other);
        });
    if (!asks_for_nothing) field.refuse("is not supported by this server", "leave it out");
  }
}

void refuse_unknown(const base::JsonCursor& body) {
  if (body.value().size() > kMostFields) body.refuse(fmt::format("has more than {} fields", kMostFields));
  std::vector<std::string_view> known(kKnown.begin(), kKnown.end());
  known.insert(known.end(), kIgnored.begin(), kIgnored.end());
  for (const Unsupported& unsupported : kUnsupported) known.push_back(unsupported.field);
  // Clients send null for what they do not set.
  for (const auto& [key, value] : body.value().items()) {
    if (value.is_null()) known.push_back(key);
  }
  body.expect_only(known);
}

// A text, or parts of text.
std::string content_of(const base::JsonCursor& content) {
  if (content.value().is_string()) return content.string();
  std::string text;
  for (const base::JsonCursor& part : content.elements()) {
    const base::JsonCursor type = part.at("type");
    if (type.string() != "text") type.refuse("is not \"text\"", "this server takes text alone");
    text += part.at("text").string();
  }
  return text;
}

void refuse_longer(const base::JsonCursor& list, size_t most, std::string_view what) {
  if (list.value().is_array() && list.value().size() > most)
    list.refuse(fmt::format("has more than {} {}", most, what));
}

base::Json messages_of(const base::JsonCursor& list) {
  constexpr std::array<std::string_view, 4> kRoles = {"system", "developer", "user", "assistant"};
  base::Json messages = base::Json::array();
  refuse_longer(list, kMostMessages, "messages");
  for (const base::JsonCursor& message : list.elements()) {
    const base::JsonCursor role = message.at("role");
    if (std::find(kRoles.begin(), kRoles.end(), role.string()) == kRoles.end())
      role.refuse_name("a role", kRoles);
    message.expect_only(
        {"role", "content", "name", "refusal", "tool_calls", "function_call", "audio", "annotations"});
    for (const char* key : {"tool_calls", "function_call", "audio"}) {
      if (!message.get(key).is_absent() && !message.get(key).value().empty())
        message.get(key).refuse("is not supported by this server", "this server takes text alone");
    }
    // An answer that was nothing but calls of tools has no content.
    const bool is_silent = role.string() == "assistant" && message.get("content").is_absent();
    messages.push_back(data::make_message(role.string() == "developer" ? "system" : role.string(),
                                          is_silent ? "" : content_of(message.at("content"))));
  }
  if (messages.empty()) list.refuse("is empty", "give one message or more");
  return messages;
}

std::vector<int64_t> tokens_of(const base::JsonCursor& list) {
  std::vector<int64_t> tokens;
  refuse_longer(list, kMostPromptTokens, "tokens");
  for (const base::Json& token : list.value()) {
    if (!token.is_number_integer()) list.refuse("must be a list of tokens (whole numbers), or of prompts");
    tokens.push_back(token.get<int64_t>());
  }
  if (tokens.empty()) list.refuse("is empty", "give one token or more");
  return tokens;
}

// A text, tokens, or a list of either.
std::vector<CompletionRequest::PlainText> prompts_of(const base::JsonCursor& prompt) {
  if (prompt.value().is_string()) return {prompt.string()};
  const base::Json& list = prompt.value();
  if (list.is_array() && !list.empty() && list[0].is_number()) return {tokens_of(prompt)};
  refuse_longer(prompt, kMostPrompts, "prompts");
  const std::vector<base::JsonCursor> elements = prompt.elements();
  if (elements.empty()) prompt.refuse("is empty", "give one prompt or more");
  std::vector<CompletionRequest::PlainText> prompts;
  for (const base::JsonCursor& element : elements) {
    if (element.value().is_string()) {
      prompts.emplace_back(element.string());
    } else {
      if (!element.value().is_array()) element.refuse_type("a text or a list of tokens");
      prompts.emplace_back(tokens_of(element));
    }
  }
  return prompts;
}

std::vector<std::string> stops_of(const base::JsonCursor& stop) {
  if (stop.is_absent()) return {};
  std::vector<std::string> stops =
      stop.value().is_string() ? std::vector<std::string>{stop.string()} : stop.strings();
  if (std::ssize(stops) > kMostStops) stop.refuse(fmt::format("has more than {} texts", kMostStops));
  for (const std::string& text : stops) {
    if (text.empty()) stop.refuse("is an empty text, which would end every answer at once");
    if (text.size() > kLongestStop)
      stop.refuse(fmt::format("has a text of more than {} bytes", kLongestStop));
  }
  return stops;
}

void read_sampling(const base::JsonCursor& body, generate::SamplingSettings& sampling) {
  sampling.temperature = body.get("temperature").number_or(1);
  sampling.top_p = body.get("top_p").number_or(1);
  const base::JsonCursor top_k = body.get("top_k");
  // Others write -1 for all.
  sampling.top_k = std::max<int64_t>(0, top_k.integer_or(0, -1, kMostTokens));
  sampling.min_p = body.get("min_p").number_or(0);
  sampling.repetition_penalty = body.get("repetition_penalty").number_or(1);
  sampling.presence_penalty = body.get("presence_penalty").number_or(0);
  sampling.frequency_penalty = body.get("frequency_penalty").number_or(0);
  sampling.check();
}

// {"ID": NUMBER}, as OpenAI has it.
std::vector<generate::TokenBias> biases_of(const base::JsonCursor& field) {
  if (field.is_absent()) return {};
  field.expect_object();
  if (std::ssize(field.value()) > kMostBiases)
    field.refuse(fmt::format("has more than {} tokens", kMostBiases));
  std::map<int64_t, float> biases;
  for (const base::JsonCursor::Member& member : field.members()) {
    int64_t id = -1;
    const auto [end, error] = std::from_chars(member.key.data(), member.key.data() + member.key.size(), id);
    if (error != std::errc() || end != member.key.data() + member.key.size() || id < 0)
      field.refuse(fmt::format("names {}, which is not the id of a token", base::in_quotes(member.key)));
    const double bias = member.value.number();
    if (!(bias >= -100 && bias <= 100)) member.value.refuse("must be in -100 to 100");
    biases[id] = static_cast<float>(bias);
  }
  std::vector<generate::TokenBias> sorted;
  for (const auto& [id, bias] : biases) sorted.push_back({id, bias});
  return sorted;
}

void read_end_tokens(const base::JsonCursor& body, CompletionRequest& request) {
  generate::GenerationSettings& settings = request.settings;
  settings.min_new_tokens = body.get("min_tokens").integer_or(0, 0, kMostTokens);
  if (request.has_length && settings.min_new_tokens > settings.max_new_tokens)
    body.get("min_tokens").refuse("is more than max_tokens");
  settings.ignores_end_tokens = body.get("ignore_eos").boolean_or(false);
  const base::JsonCursor stops = body.get("stop_token_ids");
  if (std::ssize(stops.value()) > kMostStopTokens)
    stops.refuse(fmt::format("has more than {} tokens", kMostStopTokens));
  std::set<int64_t> ids;
  for (const base::JsonCursor& id : stops.elements_or_none()) ids.insert(id.integer(0, kMostId));
  settings.stop_tokens.assign(ids.begin(), ids.end());
}

void read_samples(const base::JsonCursor& body, CompletionRequest& request) {
  request.samples = body.get("n").integer_or(1, 1, kMostSamples);
  const base::JsonCursor best_of = body.get("best_of");
  request.best_of = best_of.integer_or(request.samples, 1, kMostSamples);
  if (request.best_of < request.samples) best_of.refuse("is less than n");
  if (request.best_of == request.samples) return;
  if (request.stream) best_of.refuse("cannot be streamed", "leave one of them out");
  request.settings.keep_tokens = true;
}

void read_length(const base::JsonCursor& body, CompletionRequest& request) {
  bool is_given = false;
  for (const char* key : {"max_tokens", "max_completion_tokens"}) {
    const base::JsonCursor field = body.get(key);
    if (field.is_absent()) continue;
    is_given = true;
    // Others write -1 for what the context holds.
    const bool is_whole_context = field.value() == -1;
    if (is_whole_context) continue;
    request.settings.max_new_tokens = field.integer(request.echo ? 0 : 1, kMostTokens);
    request.has_length = true;
  }
  if (is_given || request.kind == CompletionKind::kChat) return;
  request.settings.max_new_tokens = 16;  // OpenAI's
  request.has_length = true;
}

// Chats say true and top_logprobs, plain completions how many.
void read_log_probabilities(const base::JsonCursor& body, CompletionRequest& request) {
  const base::JsonCursor wanted = body.get("logprobs"), top = body.get("top_logprobs");
  if (request.kind == CompletionKind::kPlain) {
    if (!top.is_absent()) top.refuse("belongs to chats", "logprobs is the number here");
    request.log_probabilities = !wanted.is_absent();
    request.settings.top_tokens = wanted.integer_or(0, 0, kMostTop);
  } else {
    request.log_probabilities = wanted.boolean_or(false);
    request.settings.top_tokens = top.integer_or(0, 0, kMostTop);
    if (request.settings.top_tokens > 0 && !request.log_probabilities) top.refuse("needs logprobs: true");
  }
  request.settings.keep_tokens = request.log_probabilities;
  const bool has_answer = !request.has_length || request.settings.max_new_tokens > 0;
  request.settings.score_prompt = request.echo && (request.log_probabilities || !has_answer);
}

void read_stream(const base::JsonCursor& body, CompletionRequest& request) {
  request.stream = body.get("stream").boolean_or(false);
  const base::JsonCursor options = body.get("stream_options");
  if (options.is_absent()) return;
  if (!request.stream) options.refuse("needs stream: true");
  options.expect_only({"include_usage", "include_obfuscation", "continuous_usage_stats"});
  request.include_usage = options.get("include_usage").boolean_or(false);
  request.usage_in_chunks = request.include_usage && options.get("continuous_usage_stats").boolean_or(false);
}

}  // namespace

CompletionRequest completion_request_from_json(const base::Json& document, CompletionKind kind) {
  const base::JsonCursor body(document, "request");
  body.expect_object();
  refuse_unsupported(body);
  refuse_unknown(body);
  CompletionRequest request;
  request.kind = kind;
  request.model = body.get("model").string_or("");
  const bool is_chat = kind == CompletionKind::kChat;
  if (is_chat) {
    if (!body.get("prompt").is_absent()) body.get("prompt").refuse("belongs to /v1/completions");
    if (!body.get("echo").is_absent() && body.get("echo").boolean())
      body.get("echo").refuse("belongs to /v1/completions");
    request.messages = messages_of(body.at("messages"));
  } else {
    if (!body.get("messages").is_absent()) body.get("messages").refuse("belongs to /v1/chat/completions");
    request.prompts = prompts_of(body.at("prompt"));
    request.echo = body.get("echo").boolean_or(false);
  }
  read_sampling(body, request.settings.sampling);
  read_length(body, request);
  read_log_probabilities(body, request);
  read_stream(body, request);
  request.settings.stop_strings = stops_of(body.get("stop"));
  request.settings.logit_bias = biases_of(body.get("logit_bias"));
  read_end_tokens(body, request);
  read_samples(body, request);
  // Others write -1 for a fresh one.
  const base::JsonCursor seed = body.get("seed");
  if (!seed.is_absent() && seed.integer(-1) >= 0) request.seed = seed.integer(0);
  request.task = body.get("task").string_or("");
  request.return_tokens = body.get("return_token_ids").boolean_or(false);
  return request;
}

}  // namespace cuset::serve
