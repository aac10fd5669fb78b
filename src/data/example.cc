#include "data/example.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/log.h"
#include "cuda_source/reasoning.h"
#include "data/marked_text.h"
#include "text/chat/chat_template.h"

namespace cuset::data {
namespace {

namespace fs = std::filesystem;

// Beginnings of a response that a generation prompt may already hold.
constexpr std::array<std::string_view, 3> kSuppliedBeginnings = {"<think>\n\n</think>\n\n", "<think>\n",
                                                                 "<think>"};

base::Json read_tokenizer_config(const fs::path& folder) {
  const fs::path path = folder / "tokenizer_config.json";
  base::Json config = fs::exists(path) ? base::read_json_file(path) : base::Json::object();
  if (!config.is_object()) throw base::Error("{}: not a JSON object", path.string());
  return config;
}

bool names_chat_template(const fs::path& folder, const base::Json& config) {
  if (fs::exists(folder / "chat_template.jinja")) return true;
  return config.contains("chat_template") && !config["chat_template"].is_null();
}

// "eos_token" is a string, or an object that describes the token.
std::string end_of_sequence_of(const base::Json& config) {
  if (!config.contains("eos_token")) return "";
  const base::Json& token = config["eos_token"];
  if (token.is_string()) return token.get<std::string>();
  if (token.is_object() && token.contains("content") && token["content"].is_string()) return token["content"];
  return "";
}

// The prompt of one sample, where its control tokens are, where its answers with their closings, and where the
// contents of its messages that the template copied unchanged.
struct Prompt {
  std::string text;
  std::vector<TokenMark> marks;
  std::vector<base::ByteSpan> answers = {};
  std::vector<std::optional<base::ByteSpan>> contents = {};  // by message
};

std::vector<std::optional<base::ByteSpan>> copied_contents(const text::RenderedChat& rendered,
                                                           const base::Json& messages) {
  std::vector<std::optional<base::ByteSpan>> contents;
  for (size_t i = 0; i < messages.size(); ++i) {
    std::optional<base::ByteSpan> span = rendered.find_message(i);
    if (span && span->of(rendered.text) != base::json_string(messages[i], "content")) span.reset();
    contents.push_back(span);
  }
  return contents;
}

// The stretch of a prompt that begins at `begin` and ends at `end`.
Prompt part_of(const Prompt& prompt, size_t begin, size_t end) {
  Prompt part{prompt.text.substr(begin, end - begin), {}};
  for (const TokenMark& mark : prompt.marks) {
    if (mark.begin >= begin && mark.end <= end)
      part.marks.push_back({mark.begin - begin, mark.end - begin, mark.id});
  }
  return part;
}

// The text and token that end a response.
struct Closing {
  std::string text;  // before the token, usually empty
  std::string token;
  uint32_t id = 0;
};

// Marks every byte of `text` that lies in a region of the mask.
std::vector<uint8_t> masked_bytes(const Example& example, const ExampleOptions& options) {
  std::vector<uint8_t> masked(example.text.size(), 0);
  for (const cuda_source::Region& region : example.regions) {
    const bool counts =
        cuda_source::in_cuda_mask(region.kind) || region.kind == cuda_source::RegionKind::kDeviceBody ||
        (options.signature_in_mask && region.kind == cuda_source::RegionKind::kKernelSignature);
    if (counts) std::fill(masked.begin() + region.begin, masked.begin() + region.end, uint8_t{1});
  }
  return masked;
}

void set_cuda_mask(const ExampleOptions& options, Example& example) {
  const std::vector<uint8_t> masked = masked_bytes(example, options);
  example.is_cuda.assign(example.ids.size(), 0);
  for (size_t i = 0; i < example.ids.size(); ++i) {
    if (!example.is_label[i]) continue;
    const auto begin = masked.begin() + example.spans[i].begin;
    const auto end = masked.begin() + example.spans[i].end;
    example.is_cuda[i] = std::find(begin, end, 1) != end;
  }
}

std::vector<cuda_source::Region> regions_of_document(const Sample& sample,
                                                     const cuda_source::AnswerOptions& options) {
  return sample.is_source ? cuda_source::find_regions(sample.response(), options.regions)
                          : cuda_source::find_regions_in_answer(sample.response(), options);
}

// The response's regions, moved to where the response stands in the example. `skipped` bytes of it are in the
// prompt.
std::vector<cuda_source::Region> regions_of(const std::string& response, size_t skipped, size_t offset,
                                            const cuda_source::AnswerOptions& options) {
  std::vector<cuda_source::Region> regions;
  for (cuda_source::Region region : cuda_source::find_regions_in_answer(response, options)) {
    if (region.end <= skipped) continue;
    region.begin = std::max(region.begin, skipped) - skipped + offset;
    region.end = region.end - skipped + offset;
    regions.push_back(std::move(region));
  }
  return regions;
}

// LLaMA-Factory's v1 marks messages that are not learned.
bool is_learned(const base::Json& message) { return base::json_member(message, "loss_weight") != 0; }

// Labels of the prompt, and the turns: which of its tokens begin inside an answer.
void label_prompt(const Prompt& prompt, Learn learn, Example& example) {
  example.turns.push_back({});
  bool was_answer = false;
  size_t next = 0;  // answer that may hold the token
  for (size_t i = 0; i < example.spans.size(); ++i) {
    const size_t begin = example.spans[i].begin;
    while (next < prompt.answers.size() && prompt.answers[next].end <= begin) ++next;
    const bool is_answer = next < prompt.answers.size() && prompt.answers[next].begin <= begin;
    if (was_answer && !is_answer) example.turns.push_back({});
    ++(is_answer ? example.turns.back().answer : example.turns.back().prompt);
    was_answer = is_answer;
    example.is_label.push_back(learn == Learn::kEverything || (is_answer && learn == Learn::kAllAnswers));
  }
}

// The regions of earlier answers that are learned.
void append_earlier_regions(const Prompt& prompt, const cuda_source::AnswerOptions& options,
                            Example& example) {
  for (const base::ByteSpan& answer : prompt.answers) {
    const std::string text = prompt.text.substr(answer.begin, answer.end - answer.begin);
    for (cuda_source::Region region : cuda_source::find_regions_in_answer(text, options)) {
      region.begin += answer.begin;
      region.end += answer.begin;
      example.regions.push_back(std::move(region));
    }
  }
}

// How many tokens of a turn's prompt and answer stay within `limit`.
TurnTokens shortened_turn(const TurnTokens& turn, size_t limit) {
  size_t most = limit;  // of the answer
  if (turn.answer * 2 >= limit) {
    most = turn.prompt * 2 < limit ? limit - turn.prompt : limit * turn.answer / (turn.prompt + turn.answer);
  }
  const size_t answer = std::min(most, turn.answer);
  return {std::min(limit - answer, turn.prompt), answer};
}

template <typename T>
void keep_only(const std::vector<uint8_t>& kept, std::vector<T>& values) {
  size_t count = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (kept[i]) values[count++] = values[i];
  }
  values.resize(count);
}

size_t supplied_beginning(std::string_view prompt, std::string_view response) {
  for (const std::string_view beginning : kSuppliedBeginnings) {
    if (prompt.ends_with(beginning) && response.starts_with(beginning)) return beginning.size();
  }
  return 0;
}

size_t count_ones(const std::vector<uint8_t>& flags) {
  return std::accumulate(flags.begin(), flags.end(), size_t{0});
}

}  // namespace

struct ExampleBuilder::Parts {
  explicit Parts(text::Tokenizer loaded) : tokenizer(std::move(loaded)) {}

  text::Tokenizer tokenizer;
  std::optional<text::ChatTemplate> chat;
  ExampleOptions options;
  Closing closing;      // of an answer
  Closing end_of_text;  // of a document
  std::string folder;

  Prompt render_prompt(const base::Json& context, const base::Json& tools) const;
  std::vector<base::ByteSpan> find_answers(const text::RenderedChat& rendered,
                                           const base::Json& context) const;
  text::Encoding encode(const Prompt& prompt) const;
  Closing closing_named(const std::string& end_of_sequence) const;
  Example build_document(const Sample& sample) const;
  std::optional<Closing> closing_of_template() const;
};

// What the template writes after an assistant's message, up to its first control token.
std::optional<Closing> ExampleBuilder::Parts::closing_of_template() const {
  if (!chat) return std::nullopt;
  const base::Json trial = base::Json::array(
      {{{"role", "user"}, {"content", "question"}}, {{"role", "assistant"}, {"content", "answer"}}});
  const text::RenderedChat rendered = chat->render(trial);
  const auto answer = rendered.find_message(1);
  if (!answer) return std::nullopt;
  const std::string after = rendered.text.substr(answer->end);
  const std::vector<TokenMark> tokens = find_control_tokens(tokenizer, after);
  if (tokens.empty()) return std::nullopt;
  const TokenMark& first = tokens[0];
  return Closing{after.substr(0, first.begin), after.substr(first.begin, first.end - first.begin), first.id};
}

Closing ExampleBuilder::Parts::closing_named(const std::string& end_of_sequence) const {
  if (end_of_sequence.empty()) {
    throw base::Error(
        "{}: no end-of-sequence token: neither the chat template nor tokenizer_config.json names one", folder)
        .with_remedy("add \"eos_token\" to tokenizer_config.json");
  }
  const auto id = tokenizer.token_to_id(end_of_sequence);
  if (!id)
    throw base::Error("{}: tokenizer.json has no token {}, the eos_token", folder,
                      base::in_quotes(end_of_sequence));
  return {"", end_of_sequence, *id};
}

Prompt ExampleBuilder::Parts::render_prompt(const base::Json& context, const base::Json& tools) const {
  if (!chat) {
    Prompt plain;
    for (const base::Json& message : context) {
      const size_t begin = plain.text.size();
      plain.text += message["content"].get<std::string>();
      const bool is_answer = message["role"] == "assistant" && is_learned(message);
      if (is_answer) plain.answers.push_back({begin, plain.text.size()});
      plain.contents.push_back(base::ByteSpan{begin, plain.text.size()});
      plain.text += "\n\n";
    }
    return plain;
  }
  text::ChatOptions chat_options;
  chat_options.add_generation_prompt = true;
  chat_options.tools = tools;
  text::RenderedChat rendered = chat->render(context, chat_options);
  std::vector<TokenMark> marks = find_marks(tokenizer, rendered, context);
  std::vector<base::ByteSpan> answers = find_answers(rendered, context);
  std::vector<std::optional<base::ByteSpan>> contents = copied_contents(rendered, context);
  return {std::move(rendered.text), std::move(marks), std::move(answers), std::move(contents)};
}

std::vector<base::ByteSpan> ExampleBuilder::Parts::find_answers(const text::RenderedChat& rendered,
                                                                const base::Json& context) const {
  const std::string ending = closing.text + closing.token;
  std::vector<base::ByteSpan> answers;
  for (size_t i = 0; i < context.size(); ++i) {
    if (context[i]["role"] != "assistant" || !is_learned(context[i])) continue;
    std::optional<base::ByteSpan> answer = rendered.find_message(i);
    if (!answer) continue;  // the template left it out
    if (std::string_view(rendered.text).substr(answer->end).starts_with(ending)) answer->end += ending.size();
    answers.push_back(*answer);
  }
  return answers;
}

text::Encoding ExampleBuilder::Parts::encode(const Prompt& prompt) const {
  return encode_marked(tokenizer, prompt.text, prompt.marks, /*opens=*/!chat);
}

ExampleBuilder ExampleBuilder::from_model_folder(const fs::path& folder, const ExampleOptions& options) {
  if (!fs::is_directory(folder)) {
    throw base::Error("{} is not a folder", folder.string())
        .with_remedy("--model names a Hugging Face model folder");
  }
  const base::Json config = read_tokenizer_config(folder);
  auto parts = std::make_unique<Parts>(text::Tokenizer::from_file(folder / "tokenizer.json"));
  parts->options = options;
  parts->folder = folder.string();
  if (names_chat_template(folder, config)) {
    parts->chat = text::ChatTemplate::from_model_folder(folder);
  } else {
    base::log_info("{} has no chat template: prompts are used as plain text, followed by an empty line",
                   folder.string());
  }
  const std::optional<Closing> of_template = parts->closing_of_template();
  const std::string end_of_sequence = end_of_sequence_of(config);
  const bool named = !of_template || parts->tokenizer.token_to_id(end_of_sequence).has_value();
  parts->end_of_text = named ? parts->closing_named(end_of_sequence) : *of_template;
  parts->closing = of_template.value_or(parts->end_of_text);
  return ExampleBuilder(std::move(parts));
}

ExampleBuilder::ExampleBuilder(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ExampleBuilder::ExampleBuilder(ExampleBuilder&&) noexcept = default;
ExampleBuilder& ExampleBuilder::operator=(ExampleBuilder&&) noexcept = default;
ExampleBuilder::~ExampleBuilder() = default;

const text::Tokenizer& ExampleBuilder::tokenizer() const { return parts_->tokenizer; }

bool ExampleBuilder::has_chat_template() const { return parts_->chat.has_value(); }

size_t ExampleBuilder::reasoning_tokens(std::string_view answer) const {
  const text::EncodeOptions options{.special_tokens = text::SpecialTokens::Parse,
                                    .add_special_tokens = false};
  size_t tokens = 0;
  for (const base::ByteSpan& span : cuda_source::split_reasoning(answer).reasoning)
    tokens += tokenizer().encode(answer.substr(span.begin, span.end - span.begin), options).ids.size();
  return tokens;
}

uint32_t ExampleBuilder::closing_token() const { return parts_->closing.id; }

std::vector<uint32_t> ExampleBuilder::encode_prompt(const base::Json& messages, const base::Json& tools,
                                                    std::span<const SampledMessage> sampled) const {
  const Prompt prompt = parts_->render_prompt(messages, tools);
  std::vector<uint32_t> ids;
  size_t done = 0;  // bytes of the prompt
  const auto add_until = [&](size_t end) {
    const Prompt part = part_of(prompt, done, end);
    const text::Encoding encoding =
        encode_marked(tokenizer(), part.text, part.marks, /*opens=*/!has_chat_template() && done == 0);
    ids.insert(ids.end(), encoding.ids.begin(), encoding.ids.end());
  };
  for (const SampledMessage& message : sampled) {
    const std::optional<base::ByteSpan>& content = prompt.contents.at(message.message);
    if (!content) continue;
    add_until(content->begin);
    ids.insert(ids.end(), message.ids.begin(), message.ids.end());
    done = content->end;
  }
  add_until(prompt.text.size());
  return ids;
}

Example ExampleBuilder::Parts::build_document(const Sample& sample) const {
  Example example;
  example.weight = sample.weight;
  example.vouched = sample.vouched;
  example.place = sample.place;
  example.response = {0, sample.response().size()};
  text::Encoding encoding =
      tokenizer.encode(sample.response(), {.special_tokens = text::SpecialTokens::PlainText});
  example.text = sample.response() + end_of_text.token;
  example.ids = std::move(encoding.ids);
  example.spans = std::move(encoding.spans);
  // Tokens that the post-processor wrote stand for no text; one at the end is the closing already.
  if (example.ids.empty() || example.ids.back() != end_of_text.id) {
    example.ids.push_back(end_of_text.id);
    example.spans.push_back(
        {static_cast<uint32_t>(example.response.end), static_cast<uint32_t>(example.text.size())});
  }
  example.is_label.assign(example.ids.size(), 1);
  if (example.spans[0].begin == example.spans[0].end) example.is_label[0] = 0;
  example.is_source = sample.is_source;
  example.regions = regions_of_document(sample, options.answer);
  set_cuda_mask(options, example);
  return example;
}

Example ExampleBuilder::build(const Sample& sample) const try {
  const Parts& parts = *parts_;
  if (sample.is_document()) return parts.build_document(sample);
  Example example;
  example.weight = sample.weight;
  example.vouched = sample.vouched;
  example.place = sample.place;
  base::Json context = sample.messages;
  context.erase(context.size() - 1);
  const Prompt prompt = parts.render_prompt(context, sample.tools);
  const size_t skipped = supplied_beginning(prompt.text, sample.response());
  const std::string response = sample.response().substr(skipped);
  example.response = {prompt.text.size(), prompt.text.size() + response.size()};

  const text::Encoding before = parts.encode(prompt);
  const std::string ending = response + parts.closing.text + parts.closing.token;
  std::vector<TokenMark> marks = find_assistant_tags(parts.tokenizer, response);
  marks.push_back({ending.size() - parts.closing.token.size(), ending.size(), parts.closing.id});
  const text::Encoding after = encode_marked(parts.tokenizer, ending, marks);

  example.text = prompt.text + ending;
  example.ids = before.ids;
  example.ids.insert(example.ids.end(), after.ids.begin(), after.ids.end());
  example.spans = before.spans;
  const auto offset = static_cast<uint32_t>(prompt.text.size());
  label_prompt(prompt, parts.options.learn, example);
  if (example.turns.back().answer > 0) example.turns.push_back({});
  example.turns.back().answer = after.ids.size();
  for (const text::TokenSpan& span : after.spans)
    example.spans.push_back({span.begin + offset, span.end + offset});
  example.is_label.resize(example.ids.size(), 1);
  if (parts.options.learn != Learn::kLastAnswer)
    append_earlier_regions(prompt, parts.options.answer, example);
  for (cuda_source::Region& region : regions_of(sample.response(), skipped, offset, parts.options.answer))
    example.regions.push_back(std::move(region));
  set_cuda_mask(parts.options, example);
  return example;
} catch (const base::Error& error) {
  throw base::Error("{}: {}", sample.place, error.what()).with_remedy("{}", error.remedy());
}

size_t Example::labels() const { return count_ones(is_label); }

size_t Example::cuda_labels() const { return count_ones(is_cuda); }

size_t Example::supervised_tokens() const {
  return labels() - (!is_label.empty() && is_label[0] != 0 ? 1 : 0);
}

void truncate_turns(Example& example, size_t limit) {
  if (example.ids.size() <= limit) return;
  // Where only the last answer is learned, it has the first claim.
  size_t answers_learned = 0;
  size_t token = 0;
  for (const TurnTokens& turn : example.turns) {
    token += turn.prompt + turn.answer;
    answers_learned += example.is_label[token - 1];
  }
  const bool last_first = answers_learned < example.turns.size();
  std::vector<TurnTokens> kept(example.turns.size());
  size_t left = limit;
  for (size_t i = 0; i < kept.size() && left > 0; ++i) {
    const size_t turn = last_first ? kept.size() - 1 - i : i;
    kept[turn] = shortened_turn(example.turns[turn], left);
    left -= kept[turn].prompt + kept[turn].answer;
  }
  std::vector<uint8_t> is_kept;
  is_kept.reserve(example.ids.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    is_kept.insert(is_kept.end(), kept[i].prompt, 1);
    is_kept.insert(is_kept.end(), example.turns[i].prompt - kept[i].prompt, 0);
    is_kept.insert(is_kept.end(), kept[i].answer, 1);
    is_kept.insert(is_kept.end(), example.turns[i].answer - kept[i].answer, 0);
  }
  keep_only(is_kept, example.ids);
  keep_only(is_kept, example.is_label);
  keep_only(is_kept, example.is_cuda);
  keep_only(is_kept, example.spans);
  example.turns = std::move(kept);
  example.truncated = true;
}

Example piece_of(const Example& document, size_t begin, size_t tokens) {
  Example piece = document;
  const auto cut = [&](auto& values) {
    values.erase(values.begin() + static_cast<ptrdiff_t>(begin + tokens), values.end());
    values.erase(values.begin(), values.begin() + static_cast<ptrdiff_t>(begin));
  };
  cut(piece.ids);
  cut(piece.is_label);
  cut(piece.is_cuda);
  cut(piece.spans);
  return piece;
}

void truncate_example(Example& example, size_t limit) {
  if (example.ids.size() <= limit) return;
  example.ids.resize(limit);
  example.is_label.resize(limit);
  example.is_cuda.resize(limit);
  example.spans.resize(limit);
  example.truncated = true;
  const size_t end = limit == 0 ? 0 : example.spans.back().end;
  example.text.resize(std::min(example.text.size(), end));
  example.response.begin = std::min(example.response.begin, end);
  example.response.end = std::min(example.response.end, end);
  std::erase_if(example.regions, [&](const cuda_source::Region& region) { return region.begin >= end; });
  for (cuda_source::Region& region : example.regions) region.end = std::min(region.end, end);
}

}  // namespace cuset::data
