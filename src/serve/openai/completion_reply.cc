#include "serve/openai/completion_reply.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "text/unicode/utf8.h"

namespace cuset::serve {
namespace {

std::string bytes_of_token(int64_t id, const text::Tokenizer& tokenizer) {
  return tokenizer.token_bytes(static_cast<uint32_t>(id));
}

base::Json chat_token(int64_t id, float log_probability, const text::Tokenizer& tokenizer) {
  const std::string text = bytes_of_token(id, tokenizer);
  base::Json bytes = base::Json::array();
  for (const char c : text) bytes.push_back(static_cast<unsigned char>(c));
  return {
      {"token", text::replace_invalid_utf8(text)}, {"logprob", log_probability}, {"bytes", std::move(bytes)}};
}

base::Json chat_log_probabilities(const std::vector<generate::SampledToken>& tokens,
                                  const text::Tokenizer& tokenizer) {
  base::Json content = base::Json::array();
  for (const generate::SampledToken& token : tokens) {
    base::Json entry = chat_token(token.id, token.log_probability, tokenizer);
    entry["top_logprobs"] = base::Json::array();
    for (const generate::TokenLogProbability& other : token.top)
      entry["top_logprobs"].push_back(chat_token(other.id, other.log_probability, tokenizer));
    content.push_back(std::move(entry));
  }
  return {{"content", std::move(content)}, {"refusal", nullptr}};
}

bool continues_character(char c) { return (c & 0xC0) == 0x80; }

// Of the tokens of one character the first counts it.
size_t characters_of(const std::string& bytes) {
  return static_cast<size_t>(
      std::count_if(bytes.begin(), bytes.end(), [](char c) { return !continues_character(c); }));
}

// What plain completions call a token: its text, or as OpenAI has it "bytes:\\xe6\\xbc" for a part of a character.
std::string name_of_token(int64_t id, const text::Tokenizer& tokenizer) {
  std::string bytes = bytes_of_token(id, tokenizer);
  if (text::find_invalid_utf8(bytes) == std::string::npos) return bytes;
  std::string name = "bytes:";
  for (const char c : bytes) name += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return name;
}

// The most probable tokens and the token itself, which clients compare. Of tokens with equal texts the first counts.
base::Json plain_top(const generate::SampledToken& token, const text::Tokenizer& tokenizer) {
  base::Json top = base::Json::object();
  const auto add = [&](int64_t id, float log_probability) {
    const std::string name = name_of_token(id, tokenizer);
    if (!top.contains(name)) top[name] = log_probability;
  };
  for (const generate::TokenLogProbability& other : token.top) add(other.id, other.log_probability);
  add(token.id, token.log_probability);
  return top;
}

base::Json plain_log_probabilities(const std::vector<generate::SampledToken>& tokens,
                                   const text::Tokenizer& tokenizer, size_t offset) {
  base::Json texts = base::Json::array(), values = base::Json::array(), tops = base::Json::array(),
             offsets = base::Json::array();
  for (const generate::SampledToken& token : tokens) {
    const std::string bytes = bytes_of_token(token.id, tokenizer);
    const bool has_none = std::isnan(token.log_probability);
    texts.push_back(name_of_token(token.id, tokenizer));
    values.push_back(has_none ? base::Json(nullptr) : base::Json(token.log_probability));
    tops.push_back(has_none ? base::Json(nullptr) : plain_top(token, tokenizer));
    // A part of a character is where that begins.
    const bool is_inside = offset > 0 && !bytes.empty() && continues_character(bytes.front());
    offsets.push_back(is_inside ? offset - 1 : offset);
    offset += characters_of(bytes);
  }
  return {{"tokens", texts}, {"token_logprobs", values}, {"top_logprobs", tops}, {"text_offset", offsets}};
}

base::Json head_json(const CompletionHead& head, std::string_view chat_object,
                     std::string_view plain_object) {
  return {{"id", head.id},
          {"object", head.kind == CompletionKind::kChat ? chat_object : plain_object},
          {"created", head.created},
          {"model", head.model}};
}

// What whole choices and chunks have in common.
void add_common(const CompletionHead& head, const CompletionChoice& choice, const text::Tokenizer& tokenizer,
                base::Json& json) {
  json["logprobs"] = nullptr;
  if (head.log_probabilities)
    json["logprobs"] = log_probabilities_json(head.kind, choice.tokens, tokenizer, choice.offset);
  json["finish_reason"] = choice.finish.empty() ? base::Json(nullptr) : base::Json(choice.finish);
  if (!head.return_tokens) return;
  json["token_ids"] = base::Json::array();
  for (size_t i = choice.echoed; i < choice.tokens.size(); ++i)
    json["token_ids"].push_back(choice.tokens[i].id);
}

base::Json choice_json(const CompletionHead& head, size_t index, const CompletionChoice& choice,
                       const text::Tokenizer& tokenizer) {
  base::Json json = {{"index", index}};
  if (head.kind == CompletionKind::kChat) {
    json["message"] = {{"role", "assistant"}, {"content", choice.text}, {"refusal", nullptr}};
  } else {
    json["text"] = choice.text;
  }
  add_common(head, choice, tokenizer, json);
  return json;
}

}  // namespace

std::string finish_reason(generate::Finish finish) {
  return finish == generate::Finish::kLength ? "length" : "stop";
}

size_t characters_of(const std::vector<generate::SampledToken>& tokens, const text::Tokenizer& tokenizer) {
  size_t count = 0;
  for (const generate::SampledToken& token : tokens)
    count += characters_of(bytes_of_token(token.id, tokenizer));
  return count;
}

base::Json log_probabilities_json(CompletionKind kind, const std::vector<generate::SampledToken>& tokens,
                                  const text::Tokenizer& tokenizer, size_t offset) {
  return kind == CompletionKind::kChat ? chat_log_probabilities(tokens, tokenizer)
                                       : plain_log_probabilities(tokens, tokenizer, offset);
}

base::Json completion_json(const CompletionHead& head, const std::vector<CompletionChoice>& choices,
                           const CompletionUsage& usage, const text::Tokenizer& tokenizer) {
  base::Json json = head_json(head, "chat.completion", "text_completion");
  json["choices"] = base::Json::array();
  for (size_t i = 0; i < choices.size(); ++i)
    json["choices"].push_back(choice_json(head, i, choices[i], tokenizer));
  json["usage"] = usage_json(usage);
  return json;
}

base::Json completion_chunk(const CompletionHead& head, size_t index, const CompletionChoice& news,
                            const text::Tokenizer& tokenizer) {
  base::Json json = head_json(head, "chat.completion.chunk", "text_completion");
  base::Json choice = {{"index", index}};
  if (head.kind == CompletionKind::kChat) {
    choice["delta"] = base::Json::object();
    if (!news.text.empty()) choice["delta"]["content"] = news.text;
  } else {
    choice["text"] = news.text;
  }
  add_common(head, news, tokenizer, choice);
  json["choices"] = base::Json::array({std::move(choice)});
  return json;
}

base::Json opening_chunk(const CompletionHead& head, size_t index) {
  base::Json json = head_json(head, "chat.completion.chunk", "text_completion");
  const base::Json choice = {{"index", index},
                             {"delta", {{"role", "assistant"}, {"content", ""}}},
                             {"logprobs", nullptr},
                             {"finish_reason", nullptr}};
  json["choices"] = base::Json::array({choice});
  return json;
}

base::Json usage_json(const CompletionUsage& usage) {
  return {{"prompt_tokens", usage.prompt_tokens},
          {"completion_tokens", usage.completion_tokens},
          {"total_tokens", usage.prompt_tokens + usage.completion_tokens}};
}

base::Json usage_chunk(const CompletionHead& head, const CompletionUsage& usage) {
  base::Json json = head_json(head, "chat.completion.chunk", "text_completion");
  json["choices"] = base::Json::array();
  json["usage"] = usage_json(usage);
  return json;
}

std::string server_sent_event(const base::Json& data) { return "data: " + base::to_json_line(data) + "\n\n"; }

}  // namespace cuset::serve
