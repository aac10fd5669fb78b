#include "generate/generation_prompts.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files/sha256.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "base/table_text.h"
#include "data/messages.h"
#include "data/prompt_record.h"
#include "data/record_reader.h"

namespace cuset::generate {
namespace {

void add_system(const std::string& system, base::Json& messages) {
  if (system.empty()) return;
  if (!messages.empty() && messages.front()["role"] == "system") {
    messages.front() = data::make_message("system", system);
  } else {
    messages.insert(messages.begin(), data::make_message("system", system));
  }
}

std::string fingerprint_of_prompts(const std::vector<PlainPrompt>& prompts) {
  base::Sha256 hash;
  for (const PlainPrompt& prompt : prompts) {
    hash.update(base::to_json_line({prompt.task, prompt.level, prompt.messages, prompt.tools}));
    hash.update("\n");
  }
  return hash.digest();
}

// In the order of their names.
std::vector<std::string> levels_of(const std::vector<PlainPrompt>& prompts, const std::string& wanted) {
  std::set<std::string> levels;
  for (const PlainPrompt& prompt : prompts) levels.insert(prompt.level);
  if (wanted == "all" || levels == std::set<std::string>{""}) return {levels.begin(), levels.end()};
  if (levels.contains(wanted)) return {wanted};
  std::string known;
  for (const std::string& level : levels) known += (known.empty() ? "" : ", ") + level;
  throw base::UsageError("level: no prompt has the level {}", base::in_quotes(wanted))
      .with_remedy("there are: {}", known.empty() ? "no prompts at all" : known);
}

std::vector<std::string> names_of(const std::vector<PlainPrompt>& prompts) {
  std::vector<std::string> names;
  for (const PlainPrompt& prompt : prompts) {
    if (names.empty() || names.back() != prompt.task) names.push_back(prompt.task);
  }
  return names;
}

EncodedPrompt encoded(PlainPrompt prompt, const data::ExampleBuilder& builder) try {
  const std::vector<uint32_t> ids = builder.encode_prompt(prompt.messages, prompt.tools);
  if (ids.empty()) throw base::Error("an empty prompt");
  return {prompt.task,
          prompt.level,
          {ids.begin(), ids.end()},
          std::move(prompt.messages),
          std::move(prompt.tools)};
} catch (const base::Error& error) {
  throw base::Error("prompt of {}: {}", base::in_quotes(prompt.task), error.what())
      .with_remedy("{}", error.remedy());
}

}  // namespace

std::vector<PlainPrompt> read_prompt_file(const std::filesystem::path& path) {
  std::vector<PlainPrompt> prompts;
  std::set<std::string> names;
  data::RecordReader reader(path);
  while (std::optional<base::Json> record = reader.next()) {
    data::PromptRecord prompt = data::prompt_from_record(std::move(*record), reader.place());
    if (prompt.name.empty()) prompt.name = std::to_string(prompts.size() + 1);
    if (!names.insert(prompt.name).second) {
      throw base::Error("{}: a second prompt has the id {}", reader.place(), base::in_quotes(prompt.name))
          .with_remedy("give every prompt its own \"id\"");
    }
    prompts.push_back({prompt.name, "", std::move(prompt.messages), std::move(prompt.tools)});
  }
  if (prompts.empty())
    throw base::Error("{}: no prompts", path.string()).with_remedy("docs/data.md has their forms");
  base::log_info("{}: {}", path.string(), base::counted(prompts.size(), "prompt"));
  return prompts;
}

PromptSet choose_prompts(std::vector<PlainPrompt> all, const PromptChoice& choice,
                         const data::ExampleBuilder& builder) {
  PromptSet set;
  set.fingerprint = fingerprint_of_prompts(all);
  set.levels = levels_of(all, choice.level);
  const std::set<std::string> wanted = base::chosen_names(choice.only, names_of(all));
  std::set<std::string> taken;
  for (PlainPrompt& prompt : all) {
    const bool has_level = std::find(set.levels.begin(), set.levels.end(), prompt.level) != set.levels.end();
    const bool has_room =
        choice.limit == 0 || std::ssize(taken) < choice.limit || taken.contains(prompt.task);
    if (!has_level || !has_room || !wanted.contains(prompt.task)) continue;
    taken.insert(prompt.task);
    add_system(choice.system, prompt.messages);
    set.prompts.push_back(encoded(std::move(prompt), builder));
  }
  if (taken.size() < wanted.size() && choice.limit == 0) {
    base::log_warning("{} of {} tasks have no prompt of level {}; they are left out",
                      wanted.size() - taken.size(), wanted.size(), choice.level);
  }
  if (set.prompts.empty()) throw base::Error("there is no prompt to answer");
  return set;
}

}  // namespace cuset::generate
