#include "generate/generation_run.h"

#include <algorithm>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/json/run_claim.h"
#include "base/last_part.h"
#include "base/log.h"
#include "base/progress.h"
#include "generate/answer_file.h"
#include "generate/fingerprint.h"
#include "ops/device/memory.h"

namespace cuset::generate {
namespace {

namespace fs = std::filesystem;

// The last part of an adapter's path that tells it from the others.
std::vector<std::string> names_of_adapters(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::string name = base::last_part(folder);
    if (name.empty()) name = "adapter";
    while (name == "base" || std::find(names.begin(), names.end(), name) != names.end()) name += "_";
    names.push_back(name);
  }
  return names;
}

std::vector<AnswerSet> answer_sets(const GenerationPlan& plan, const std::vector<std::string>& levels) {
  std::vector<AnswerSet> sets;
  const auto add = [&](const std::string& name, const std::string& adapter) {
    for (const std::string& level : levels) {
      sets.push_back({levels.size() > 1 ? fmt::format("{}-level{}", name, level) : name, adapter, level, ""});
    }
  };
  const std::vector<std::string>& adapters = plan.model.adapters;
  if (plan.base || adapters.empty()) add("base", "");
  const std::vector<std::string> names = names_of_adapters(adapters);
  for (size_t i = 0; i < adapters.size(); ++i) add(names[i], adapters[i]);
  const bool is_file = plan.output.extension() == ".jsonl";
  if (is_file && sets.size() > 1) {
    throw base::UsageError("output: {} sets of answers do not fit into one file", sets.size())
        .with_remedy("give a folder");
  }
  for (AnswerSet& set : sets) {
    set.file =
        is_file ? plan.output : (sets.size() > 1 ? plan.output / set.name : plan.output) / "answers.jsonl";
  }
  return sets;
}

fs::path record_beside(const fs::path& answers) {
  if (answers.filename() == "answers.jsonl") return answers.parent_path() / "generation.json";
  return fs::path(answers).replace_extension(".generation.json");
}

// What decides an answer of a set.
struct TurnIdentity {
  std::string prompts;  // fingerprint of the prompts that began
  int64_t turn = 1;
};

base::Json identity_of(const GenerationPlan& plan, const AnswerSet& set, const TurnIdentity& of) {
  const model::Placement placement = plan.model.placement.resolve();
  const std::string adapter = set.adapter.empty() ? "" : fingerprint_of(files_of_adapter(set.adapter));
  base::Json identity = {{"seed", plan.seed},
                         {"model_hash", fingerprint_of(files_of_model(plan.model.folder))},
                         {"adapter_hash", adapter},
                         {"prompts_hash", of.prompts},
                         {"level", set.level},
                         {"system", plan.choice.system},
                         {"dtype", placement.dtype},
                         {"device", placement.device},
                         {"max_new_tokens", plan.generation.max_new_tokens},
                         {"stop", plan.generation.stop_strings}};
  if (of.turn > 1) identity["turn"] = of.turn;
  identity.update(json_of(plan.generation.sampling));
  return identity;
}

// An answer that is still missing. The prompt belongs to the caller.
struct Wanted {
  size_t set = 0;
  std::string task;
  uint32_t sample = 0;
  const std::vector<int64_t>* prompt = nullptr;
};

// The files of some sets, and what is still missing in them.
class AnswerWriter {
 public:
  AnswerWriter(const GenerationPlan& plan, const data::ExampleBuilder& builder, std::vector<AnswerSet> sets,
               TurnIdentity identity)
      : plan_(plan), builder_(builder), sets_(std::move(sets)), identity_(std::move(identity)) {
    for (const AnswerSet& set : sets_) open(set);
  }

  const std::vector<AnswerSet>& sets() const { return sets_; }

  void want(Wanted wanted) {
    if (files_[wanted.set]->has(wanted.task, wanted.sample)) {
      ++done_;
    } else {
      wanted_.push_back(std::move(wanted));
    }
  }

  // Files that are complete get the order of `tasks`. False where an interrupt came.
  bool run(std::span<const std::string> tasks) {
    if (done_ > 0) base::log_info("{} of {} answers exist already", done_, done_ + wanted_.size());
    const bool is_complete = wanted_.empty() || generate();
    if (is_complete) {
      for (const auto& file : files_) file->sort(tasks);
    }
    return is_complete;
  }

 private:
  void open(const AnswerSet& set) {
    const fs::path record = record_beside(set.file);
    base::refuse_unclaimed(set.file, record);
    base::Json about = plan_.about;
    about["model"] = plan_.model.folder.string();
    about["adapter"] = set.adapter;
    base::claim_run(record, identity_of(plan_, set, identity_), about, "answers");
    files_.push_back(std::make_unique<AnswerFile>(set.file));
  }

  int64_t longest_prompt() const {
    size_t longest = 0;
    for (const Wanted& wanted : wanted_) longest = std::max(longest, wanted.prompt->size());
    return static_cast<int64_t>(longest);
  }

  GenerationRequest request_of(const Wanted& wanted) const {
    const auto adapter =
        std::find(plan_.model.adapters.begin(), plan_.model.adapters.end(), sets_[wanted.set].adapter);
    GenerationRequest request;
    request.prompt = *wanted.prompt;
    request.adapter = sets_[wanted.set].adapter.empty() ? -1 : adapter - plan_.model.adapters.begin();
    request.settings = plan_.generation;
    request.random = base::RandomStream(static_cast<uint64_t>(plan_.seed), wanted.task).child(wanted.sample);
    if (identity_.turn > 1) request.random = request.random.child(static_cast<uint64_t>(identity_.turn));
    return request;
  }

  // False where an interrupt ended it.
  bool generate() {
    ServedModelOptions options = plan_.model;
    options.slots = std::min<int64_t>(options.slots, std::ssize(wanted_));
    options.positions = longest_prompt() + plan_.generation.max_new_tokens;
    ServedModel model(options, builder_.tokenizer(), {builder_.closing_token()});
    warn_of_long_prompts(model.positions());
    std::vector<GenerationRequest> requests;
    for (const Wanted& wanted : wanted_) requests.push_back(request_of(wanted));

    base::Progress progress(
        {.title = identity_.turn > 1 ? fmt::format("generate turn {}", identity_.turn) : "generate",
         .total = done_ + wanted_.size(),
         .unit = "answers",
         .done = done_,
         .shorter = "a smaller max_new_tokens, samples or limit, a larger batch_size, or a GPU"});
    GenerationEvents events;
    events.progress = &progress;
    events.on_answer = [&](size_t i, const GeneratedAnswer& answer) { keep(wanted_[i], answer); };
    const bool is_complete = model.run(requests, events);
    if (is_complete) progress.finish();
    return is_complete;
  }

  void warn_of_long_prompts(int64_t positions) const {
    std::set<std::string> tasks;
    for (const Wanted& wanted : wanted_) {
      if (std::ssize(*wanted.prompt) >= positions) tasks.insert(wanted.task);
    }
    if (tasks.empty()) return;
    base::log_warning("{} prompts, as that of {}, fill the model's {} positions: their answers are empty",
                      tasks.size(), base::in_quotes(*tasks.begin()), positions);
  }

  void keep(const Wanted& wanted, const GeneratedAnswer& answer) {
    const AnswerSet& set = sets_[wanted.set];
    base::Json more = {{"reasoning_tokens", builder_.reasoning_tokens(answer.text)}, {"seed", plan_.seed}};
    if (!set.adapter.empty()) more["adapter"] = set.adapter;
    if (!set.level.empty()) more["level"] = set.level;
    if (plan_.keep_ids) more["ids"] = answer.ids;
    files_[wanted.set]->append(wanted.task, wanted.sample, answer, more);
  }

  const GenerationPlan& plan_;
  const data::ExampleBuilder& builder_;
  std::vector<AnswerSet> sets_;
  TurnIdentity identity_;
  std::vector<std::unique_ptr<AnswerFile>> files_;
  std::vector<Wanted> wanted_;
  size_t done_ = 0;  // by earlier runs
};

void want_prompts(const GenerationPlan& plan, const PromptSet& prompts, AnswerWriter& writer) {
  for (size_t set = 0; set < writer.sets().size(); ++set) {
    for (const EncodedPrompt& prompt : prompts.prompts) {
      if (prompt.level != writer.sets()[set].level) continue;
      for (uint32_t sample = 0; sample < plan.choice.samples; ++sample)
        writer.want({set, prompt.task, sample, &prompt.ids});
    }
  }
}

GenerationResult answer_prompts(const GenerationPlan& plan) {
  const auto builder = data::ExampleBuilder::from_model_folder(plan.model.folder);
  GenerationResult result;
  result.prompts = choose_prompts(plan.prompts, plan.choice, builder);
  result.sets = answer_sets(plan, result.prompts.levels);
  for (const EncodedPrompt& prompt : result.prompts.prompts) {
    if (result.tasks.empty() || result.tasks.back() != prompt.task) result.tasks.push_back(prompt.task);
  }
  AnswerWriter writer(plan, builder, result.sets, {result.prompts.fingerprint});
  want_prompts(plan, result.prompts, writer);
  result.is_complete = writer.run(result.tasks);
  return result;
}

bool answer_continuations(const GenerationPlan& plan, const GenerationResult& first, const NextTurn& turn) {
  const auto builder = data::ExampleBuilder::from_model_folder(plan.model.folder);
  AnswerWriter writer(plan, builder, turn.sets, {first.prompts.fingerprint, turn.number});
  for (size_t set = 0; set < turn.sets.size(); ++set) {
    for (const Continuation& next : turn.wanted[set])
      writer.want({set, next.task, next.sample, &next.prompt});
  }
  return writer.run(first.tasks);
}

// `work` with the remedy for too little memory.
template <typename Work>
auto with_memory_remedy(const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    if (!ops::is_lack_of_memory(error)) throw;
    throw ops::lack_of_memory("lower --batch-size or --max-new-tokens, or take a smaller model");
  }
}

}  // namespace

GenerationResult run_generation(const GenerationPlan& plan) {
  return with_memory_remedy([&] { return answer_prompts(plan); });
}

bool continue_generation(const GenerationPlan& plan, const GenerationResult& first, const NextTurn& turn) {
  return with_memory_remedy([&] { return answer_continuations(plan, first, turn); });
}

}  // namespace cuset::generate
