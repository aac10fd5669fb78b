#include "reinforce/unsaved_rollouts.h"

#include <cmath>

#include "base/error.h"

namespace cuset::reinforce {
namespace {

generate::Finish finish_named(const std::string& name, const std::string& place) {
  for (const auto finish :
       {generate::Finish::kStop, generate::Finish::kStopString, generate::Finish::kLength}) {
    if (generate::name_of(finish) == name) return finish;
  }
  throw base::Error("{}: {} is not how an answer ends", place, base::in_quotes(name));
}

base::Json json_of_answer(const generate::GeneratedAnswer& answer) {
  return {{"text", answer.text},
          {"finish", generate::name_of(answer.finish)},
          {"tokens", answer.tokens},
          {"prompt_tokens", answer.prompt_tokens},
          {"confidence", answer.confidence},
          {"lowest_window", answer.lowest_window},
          {"seconds", answer.seconds},
          {"ids", answer.ids},
          {"log_probabilities", answer.log_probabilities}};
}

generate::GeneratedAnswer answer_from(const base::Json& json, const std::string& place) {
  return {.text = json.at("text"),
          .tokens = json.at("tokens"),
          .prompt_tokens = json.at("prompt_tokens"),
          .finish = finish_named(json.at("finish"), place),
          .confidence = json.at("confidence"),
          .lowest_window = json.at("lowest_window"),
          .seconds = json.at("seconds"),
          .ids = json.at("ids"),
          .log_probabilities = json.at("log_probabilities")};
}

}  // namespace

UnsavedRollouts::UnsavedRollouts(std::filesystem::path path) : path_(std::move(path)) {
  writer_.emplace(path_);
  read();
}

void UnsavedRollouts::read() {
  base::JsonlReader reader(path_);
  while (const std::optional<base::Json> row = reader.next()) {
    try {
      Kept& kept = kept_[{row->at("draw").get<uint64_t>(), row->at("sample").get<uint32_t>(),
                          row->at("turn").get<uint32_t>()}];
      kept.task = row->at("task");
      if (row->contains("answer")) {
        kept.answer = answer_from(row->at("answer"), reader.place());
        kept.turn_prompt = row->at("answer").value("prompt", std::vector<int64_t>());
      }
      if (row->contains("verdict"))
        kept.verdict = judge::verdict_from_json(row->at("verdict"), reader.place());
    } catch (const base::Json::exception&) {
      throw base::Error("{}: not a line of a run's rollouts", reader.place())
          .with_remedy("remove the file: its answers are sampled and judged again");
    }
  }
}

void UnsavedRollouts::restore(Rollout& rollout) const {
  const auto found = kept_.find({rollout.draw, rollout.sample, rollout.turn});
  if (found == kept_.end()) return;
  const Kept& kept = found->second;
  if (kept.task != rollout.prompt->task->id) {
    throw base::Error("{}: draw {} is of {}, but this run draws {}", path_.string(), rollout.draw,
                      base::in_quotes(kept.task), base::in_quotes(rollout.prompt->task->id))
        .with_remedy("remove the file: its answers are sampled and judged again");
  }
  if (kept.answer) rollout.turn_prompt = kept.turn_prompt;
  rollout.answer = kept.answer;
  if (kept.answer) rollout.verdict = kept.verdict;
}

void UnsavedRollouts::append(const Rollout& rollout, const char* key, const base::Json& value) {
  writer_->append({{"draw", rollout.draw},
                   {"sample", rollout.sample},
                   {"turn", rollout.turn},
                   {"task", rollout.prompt->task->id},
                   {key, value}});
}

void UnsavedRollouts::append_answer(const Rollout& rollout) {
  base::Json answer = json_of_answer(*rollout.answer);
  if (rollout.turn > 1) answer["prompt"] = rollout.turn_prompt;
  append(rollout, "answer", answer);
}

void UnsavedRollouts::append_verdict(const Rollout& rollout) {
  append(rollout, "verdict", judge::json_of(*rollout.verdict));
}

void UnsavedRollouts::forget_below(uint64_t draw) {
  writer_.reset();
  std::string left;
  base::JsonlReader reader(path_);
  while (const std::optional<base::Json> row = reader.next()) {
    if (row->at("draw").get<uint64_t>() >= draw) left += base::to_json_line(*row) + "\n";
  }
  base::write_file_atomic(path_, left);
  kept_.erase(kept_.begin(), kept_.lower_bound({draw, 0, 0}));
  writer_.emplace(path_);
}

base::Json json_of(const Rollout& rollout, int64_t step) {
  const generate::GeneratedAnswer& answer = *rollout.answer;
  double sum = 0;
  for (const float log_p : answer.log_probabilities) sum += log_p;
  base::Json json = {{"step", step},
                     {"task", rollout.prompt->task->id},
                     {"level", rollout.prompt->level},
                     {"draw", rollout.draw},
                     {"sample", rollout.sample},
                     {"turn", rollout.turn},
                     {"text", answer.text},
                     {"tokens", answer.tokens},
                     {"prompt_tokens", answer.prompt_tokens},
                     {"finish", generate::name_of(answer.finish)},
                     {"log_probability", sum},
                     {"reward", rollout.reward.to_json()},
                     {"return", nullptr},
                     {"advantage", rollout.advantage},
                     {"verdict", judge::json_of(*rollout.verdict)}};
  if (!std::isnan(rollout.turn_return)) json["return"] = rollout.turn_return;
  if (!rollout.feedback.empty()) json["feedback"] = rollout.feedback;
  return json;
}

}  // namespace cuset::reinforce
