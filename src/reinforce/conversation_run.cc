#include "reinforce/conversation_run.h"

#include <map>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "model/files/config.h"
#include "reinforce/feedback.h"
#include "reinforce/turn_rates.h"

namespace cuset::reinforce {
namespace {

namespace fs = std::filesystem;

using SampleKey = std::pair<std::string, uint32_t>;  // task, sample

Turn turn_from(const base::Json& line, const std::string& place) {
  const base::JsonCursor fields(line, place);
  Turn turn;
  turn.text = fields.at("text").string();
  turn.finish = fields.at("finish").string();
  turn.tokens = fields.at("tokens").integer(0, INT64_MAX);
  turn.prompt_tokens = fields.at("prompt_tokens").integer(0, INT64_MAX);
  if (fields.get("ids").is_absent()) {
    throw base::Error("{}: the answer was written without --turns, and its tokens are not known", place)
        .with_remedy("choose another --output");
  }
  for (const base::JsonCursor& id : fields.at("ids").elements())
    turn.ids.push_back(static_cast<uint32_t>(id.integer(0, UINT32_MAX)));
  return turn;
}

std::map<SampleKey, Turn> read_turns(const fs::path& file) {
  std::map<SampleKey, Turn> turns;
  base::JsonlReader reader(file);
  while (const std::optional<base::Json> line = reader.next()) {
    const std::string place = reader.place();
    const base::JsonCursor fields(*line, place);
    const auto sample = static_cast<uint32_t>(fields.at("sample").integer(0, UINT32_MAX));
    turns.insert_or_assign({fields.at("task").string(), sample}, turn_from(*line, place));
  }
  return turns;
}

fs::path folder_of_turns(const generate::AnswerSet& first) { return first.file.parent_path() / "turns"; }

generate::AnswerSet set_of_turn(const generate::AnswerSet& first, int64_t number) {
  generate::AnswerSet set = first;
  if (number > 1) set.file = folder_of_turns(first) / std::to_string(number) / "answers.jsonl";
  return set;
}

class ConversationRun {
 public:
  explicit ConversationRun(const ConversationPlan& plan)
      : plan_(plan),
        builder_(data::ExampleBuilder::from_model_folder(plan.generation.model.folder)),
        room_{model::read_model_config(plan.generation.model.folder).max_positions,
              plan.generation.generation.max_new_tokens} {}

  ConversationResult run() {
    result_.is_complete = begin();
    for (int64_t turn = 2; turn <= plan_.turns && result_.is_complete; ++turn)
      result_.is_complete = continue_all(turn);
    if (result_.is_complete) store();
    result_.prompts = std::move(first_.prompts);  // its prompts stay where they are
    return std::move(result_);
  }

 private:
  bool begin() {
    first_ = generate::run_generation(plan_.generation);
    for (const generate::AnswerSet& set : first_.sets) {
      std::vector<Conversation> conversations;
      for (const generate::EncodedPrompt& prompt : first_.prompts.prompts) {
        if (prompt.level != set.level) continue;
        for (uint32_t sample = 0; sample < plan_.generation.choice.samples; ++sample)
          conversations.push_back({prompt.task, sample, &prompt});
      }
      result_.sets.push_back({set, std::move(conversations)});
    }
    return first_.is_complete && judge_all(1);
  }

  // One turn of all conversations that have not ended. False where an interrupt came.
  bool continue_all(int64_t number) {
    generate::NextTurn turn{.number = number, .sets = {}, .wanted = {}};
    for (ConversationSet& set : result_.sets) {
      std::vector<generate::Continuation> wanted;
      for (Conversation& conversation : set.conversations) {
        if (!conversation.end.empty()) continue;
        wanted.push_back({conversation.task, conversation.sample, prompt_of(conversation)});
      }
      std::erase_if(wanted, [](const generate::Continuation& next) { return next.prompt.empty(); });
      if (wanted.empty()) continue;
      turn.sets.push_back(set_of_turn(set.set, number));
      turn.wanted.push_back(std::move(wanted));
    }
    return turn.sets.empty() ||
           (generate::continue_generation(plan_.generation, first_, turn) && judge_all(number));
  }

  // Empty, and the conversation ends, where there is no room.
  std::vector<int64_t> prompt_of(Conversation& conversation) const {
    Turn& last = conversation.turns.back();
    last.feedback = feedback_on(last.verdict, last.finish == "length");
    std::optional<std::vector<int64_t>> prompt = next_prompt(conversation, builder_, room_);
    if (prompt) return std::move(*prompt);
    last.feedback.clear();
    conversation.end = "context";
    return {};
  }

  bool judge_all(int64_t number) {
    for (ConversationSet& set : result_.sets) {
      const generate::AnswerSet of_turn = set_of_turn(set.set, number);
      const bool has_answers = std::any_of(set.conversations.begin(), set.conversations.end(),
                                           [](const Conversation& one) { return one.end.empty(); });
      if (!has_answers) continue;
      const std::vector<judge::Verdict> verdicts =
          plan_.judge({.set = of_turn, .first = set.set, .tasks = first_.tasks, .number = number});
      if (base::is_interrupt_requested()) return false;
      take(read_turns(of_turn.file), verdicts, set.conversations);
    }
    return true;
  }

  // Adds the turn to every conversation that has not ended.
  void take(std::map<SampleKey, Turn> answers, const std::vector<judge::Verdict>& verdicts,
            std::vector<Conversation>& conversations) const {
    for (const judge::Verdict& verdict : verdicts) {
      const auto answer = answers.find({verdict.task, verdict.sample});
      if (answer != answers.end()) answer->second.verdict = verdict;
    }
    for (Conversation& conversation : conversations) {
      if (!conversation.end.empty()) continue;
      const auto answer = answers.find({conversation.task, conversation.sample});
      CUSET_CHECK(answer != answers.end(), "no answer to {}", conversation.task);
      conversation.turns.push_back(std::move(answer->second));
      conversation.end = end_after(conversation);
    }
  }

  std::string end_after(const Conversation& conversation) const {
    const judge::Outcome outcome = conversation.turns.back().verdict.outcome;
    if (outcome == judge::Outcome::kCorrect || outcome == judge::Outcome::kFaultyTask)
      return std::string(judge::name_of(outcome));
    return std::ssize(conversation.turns) == plan_.turns ? "turns" : "";
  }

  void store() const {
    for (const ConversationSet& set : result_.sets) {
      const fs::path folder = folder_of_turns(set.set);
      base::make_folder(folder);
      base::AtomicFile file(folder / "conversations.jsonl");
      for (const Conversation& conversation : set.conversations)
        file.write(base::to_json_line(json_of(conversation)) + "\n");
      file.commit();
      base::write_json_file(folder / "rates.json", json_of_rates(set.conversations, plan_.turns));
    }
  }

  const ConversationPlan& plan_;
  const data::ExampleBuilder builder_;
  const ContextRoom room_;
  generate::GenerationResult first_;
  ConversationResult result_;
};

}  // namespace

ConversationResult run_conversations(const ConversationPlan& plan) {
  CUSET_CHECK(plan.generation.keep_ids, "conversations without the tokens of their answers");
  return ConversationRun(plan).run();
}

}  // namespace cuset::reinforce
