#include "reinforce/conversation.h"

#include <numeric>

#include "cuda_source/reasoning.h"
#include "data/messages.h"

namespace cuset::reinforce {
namespace {

// Where the answer begins that follows all reasoning; nothing where reasoning stands in other places, too.
std::optional<size_t> begin_after_reasoning(const std::string& text, const cuda_source::Reasoning& parts) {
  if (parts.reasoning.empty()) return 0;
  if (parts.answer.empty()) return text.size();
  if (parts.answer.size() > 1 || parts.answer[0].end != text.size()) return std::nullopt;
  const size_t begin = text.find_first_not_of(" \n\r\t", parts.answer[0].begin);
  return begin == std::string::npos ? text.size() : begin;
}

// The tokens whose text is that from byte `begin` on; none where a token lies across it.
std::vector<uint32_t> ids_from(size_t begin, const std::vector<uint32_t>& ids,
                               const text::Tokenizer& tokenizer) {
  text::StreamingDecoder decoder(tokenizer);
  size_t bytes = 0;
  size_t first = 0;
  while (first < ids.size() && bytes < begin) bytes += decoder.push(ids[first++]).size();
  return bytes == begin ? std::vector<uint32_t>(ids.begin() + static_cast<std::ptrdiff_t>(first), ids.end())
                        : std::vector<uint32_t>();
}

std::vector<int64_t> prompt_from(size_t first, const Conversation& conversation,
                                 const data::ExampleBuilder& builder) {
  base::Json messages = conversation.prompt->messages;
  std::vector<data::SampledMessage> sampled;
  for (size_t i = first; i < conversation.turns.size(); ++i) {
    const Turn& turn = conversation.turns[i];
    SpokenAnswer answer = spoken_answer(turn, builder.tokenizer());
    if (!answer.ids.empty()) sampled.push_back({messages.size(), std::move(answer.ids)});
    messages.push_back(data::make_message("assistant", std::move(answer.text)));
    messages.push_back(data::make_message("user", turn.feedback));
  }
  const std::vector<uint32_t> ids = builder.encode_prompt(messages, conversation.prompt->tools, sampled);
  return {ids.begin(), ids.end()};
}

base::Json json_of_turn(const Turn& turn, size_t number) {
  base::Json json = {{"turn", number},
                     {"text", turn.text},
                     {"tokens", turn.tokens},
                     {"prompt_tokens", turn.prompt_tokens},
                     {"finish", turn.finish},
                     {"word", judge::name_of(turn.verdict.outcome)},
                     {"explanation", turn.verdict.explanation}};
  if (!turn.feedback.empty()) json["feedback"] = turn.feedback;
  return json;
}

}  // namespace

int64_t Conversation::tokens() const {
  return std::accumulate(turns.begin(), turns.end(), int64_t{0},
                         [](int64_t sum, const Turn& turn) { return sum + turn.tokens; });
}

int64_t Conversation::prompt_tokens() const {
  return std::accumulate(turns.begin(), turns.end(), int64_t{0},
                         [](int64_t sum, const Turn& turn) { return sum + turn.prompt_tokens; });
}

SpokenAnswer spoken_answer(const Turn& turn, const text::Tokenizer& tokenizer) {
  const cuda_source::Reasoning parts = cuda_source::split_reasoning(turn.text);
  const std::optional<size_t> begin = begin_after_reasoning(turn.text, parts);
  SpokenAnswer answer;
  if (!begin) {
    for (const base::ByteSpan& span : parts.answer) answer.text += span.of(turn.text);
    return answer;
  }
  answer.text = turn.text.substr(*begin);
  std::vector<uint32_t> ids = turn.ids;
  if (turn.finish == "stop" && !ids.empty()) ids.pop_back();  // the template writes the end token
  ids = ids_from(*begin, ids, tokenizer);
  // A stop string that was cut off, for one, makes the tokens those of another text.
  if (tokenizer.decode(ids, /*skip_special=*/true) == answer.text) answer.ids = std::move(ids);
  return answer;
}

std::optional<std::vector<int64_t>> next_prompt(const Conversation& conversation,
                                                const data::ExampleBuilder& builder,
                                                const ContextRoom& room) {
  std::vector<int64_t> ids;
  for (size_t first = 0; first < conversation.turns.size(); ++first) {
    ids = prompt_from(first, conversation, builder);
    if (room.positions == 0 || std::ssize(ids) + room.max_new_tokens <= room.positions) return ids;
  }
  if (std::ssize(ids) >= room.positions) return std::nullopt;
  return ids;
}

base::Json json_of(const Conversation& conversation) {
  const judge::Verdict& last = conversation.turns.back().verdict;
  base::Json json = {{"task", conversation.task},
                     {"sample", conversation.sample},
                     {"word", judge::name_of(last.outcome)},
                     {"explanation", last.explanation},
                     {"end", conversation.end},
                     {"tokens", conversation.tokens()},
                     {"prompt_tokens", conversation.prompt_tokens()},
                     {"turns", base::Json::array()}};
  for (size_t i = 0; i < conversation.turns.size(); ++i)
    json["turns"].push_back(json_of_turn(conversation.turns[i], i + 1));
  return json;
}

}  // namespace cuset::reinforce
