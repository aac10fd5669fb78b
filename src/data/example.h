// A training example: the tokens of one conversation and, for each, whether it is learned and whether it is CUDA.
//
//   prompt     the conversation up to the response, exactly as the model will see it when it generates: rendered by
//              the model's chat template with its generation prompt. Special tokens are recognized only where the
//              template wrote them; the same letters inside a message stay letters.
//   response   the last message's content, tokenized on its own as plain text. It never goes through the template,
//              because several (Qwen3, QwQ, R1-Distill) delete reasoning from assistant messages. If the generation
//              prompt already ends with the response's beginning ("<think>\n"), that part is not repeated.
//   closing    what the template writes after an assistant's message up to its first control token ("<|im_end|>";
//              for DeepSeek-Coder a newline and "<|EOT|>"), else the end-of-sequence token.
// Labels cover the response and the closing, nothing else, unless ExampleOptions says otherwise: earlier answers of
// the conversation, as the template renders them, or the whole prompt.
//
// A document ({"text"}) has no prompt: the tokenizer's post-processor opens it, all of it is learned, control
// tokens in it stay letters, and the end-of-sequence token closes it.
//
// A folder without a chat template renders plainly: system and user texts separated by an empty line, one
// empty line, the response, the end-of-sequence token; the tokenizer's own post-processor opens the sequence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuda_source/answer.h"
#include "data/sample.h"
#include "text/tokenizer/tokenizer.h"

namespace cuset::data {

// One round of a conversation: tokens up to an answer, tokens of the answer with its closing.
struct TurnTokens {
  size_t prompt = 0;
  size_t answer = 0;
};

struct Example {
  std::vector<uint32_t> ids;      // [tokens]
  std::vector<uint8_t> is_label;  // [tokens], 1 where the token is learned
  // [tokens], 1 where it overlaps a region of the CUDA mask (only where is_label)
  std::vector<uint8_t> is_cuda;
  std::vector<text::TokenSpan> spans;        // [tokens], bytes of `text`
  std::string text;                          // prompt, response, closing
  base::ByteSpan response;                   // of `text`
  std::vector<cuda_source::Region> regions;  // of `text`, all kinds found, for inspection
  std::vector<TurnTokens> turns;             // in their order, together all tokens; none of a document
  double weight = 1.0;
  bool vouched = true;  // as Sample::vouched; is_cuda does not depend on it
  std::string place;    // "data.jsonl:7"
  bool truncated = false;
  bool is_source = false;  // as Sample::is_source

  size_t labels() const;
  size_t cuda_labels() const;
  // Tokens that are learned: labels but for the first token, which nothing predicts.
  size_t supervised_tokens() const;
};

// The tokens that a model wrote for the content of one message.
struct SampledMessage {
  size_t message = 0;  // its index
  std::vector<uint32_t> ids;
};

// What is learned of a conversation.
enum class Learn { kLastAnswer, kAllAnswers, kEverything };

struct ExampleOptions {
  cuda_source::AnswerOptions answer;  // which regions are looked for
  bool signature_in_mask = false;     // the kernel's signature counts as CUDA too
  Learn learn = Learn::kLastAnswer;
};

// Turns samples into examples for one model folder (tokenizer.json, chat template, special tokens).
class ExampleBuilder {
 public:
  // Throws Error naming the folder's missing or faulty file.
  static ExampleBuilder from_model_folder(const std::filesystem::path& folder,
                                          const ExampleOptions& options = {});
  ExampleBuilder(ExampleBuilder&&) noexcept;
  ExampleBuilder& operator=(ExampleBuilder&&) noexcept;
  ~ExampleBuilder();

  // Thread-safe. Throws Error opening with the sample's place.
  Example build(const Sample& sample) const;

  // The prompt alone, as build() puts it before a response: messages as in Sample, without the assistant's
  // last. Thread-safe. Throws Error where the template refuses them.
  // Messages of `sampled`, in their order, keep the tokens that the model wrote, where the template copies their
  // content unchanged; the text around them is encoded on its own, as it was when the model wrote them.
  std::vector<uint32_t> encode_prompt(const base::Json& messages, const base::Json& tools = nullptr,
                                      std::span<const SampledMessage> sampled = {}) const;

  // The number of tokens of the reasoning in an answer (cuda_source/reasoning.h), its tags among them. Thread-safe.
  size_t reasoning_tokens(std::string_view answer) const;

  // The token that closes a response.
  uint32_t closing_token() const;

  const text::Tokenizer& tokenizer() const;
  bool has_chat_template() const;

 private:
  struct Parts;
  explicit ExampleBuilder(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// Cuts an example to `limit` tokens as LLaMA-Factory does: the turns from the first on (from the last on, where only
// the last answer is learned) share the limit. Of a turn that is too long, the longer of prompt and answer is cut at
// its end; both in proportion, where each takes more than half. Text, spans and regions stay as they were.
void truncate_turns(Example& example, size_t limit);

// `tokens` tokens of a document from `begin` on, as an example of its own; its text and regions are the document's.
Example piece_of(const Example& document, size_t begin, size_t tokens);

// Cuts an example to `limit` tokens from the end. The closing token goes first, then the response.
void truncate_example(Example& example, size_t limit);

}  // namespace cuset::data
