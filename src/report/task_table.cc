#include "report/task_table.h"

#include <algorithm>
#include <map>

#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/stats/pass_at_k.h"
#include "base/stats/rounding.h"

namespace cuset::report {
namespace {

// The answers of one method to one task, by number of the sample.
using Samples = std::map<int64_t, base::Json>;

struct TaskEntry {
  std::string id;
  std::string family;
  std::string prompt;
  std::string level;   // of the prompts that the answers were made from; empty where unknown
  base::Json prompts;  // of the task's record
  std::vector<Samples> methods;
};

// In the order in which tasks are first seen.
class TaskList {
 public:
  explicit TaskList(size_t methods) : methods_(methods) {}

  TaskEntry& at(const std::string& id) {
    const auto [place, is_new] = places_.emplace(id, entries_.size());
    if (is_new) {
      TaskEntry& entry = entries_.emplace_back();
      entry.id = id;
      entry.methods.resize(methods_);
    }
    return entries_[place->second];
  }
  std::vector<TaskEntry>& entries() { return entries_; }

 private:
  size_t methods_;
  std::map<std::string, size_t> places_;
  std::vector<TaskEntry> entries_;
};

// At most `limit` bytes, whole characters, and a word that something is missing.
std::string cut(std::string text, size_t limit) {
  if (text.size() <= limit) return text;
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  const size_t rest = text.size() - limit;
  text.resize(limit);
  return text + fmt::format("\n… {} bytes more", rest);
}

std::string task_at(const base::Json& record, const char* key, const base::JsonlReader& reader) {
  const std::string place = reader.place();
  return base::JsonCursor(record, place).at(key).nonempty_string();
}

int64_t sample_at(const base::Json& record) {
  const base::Json& sample = base::json_member(record, "sample");
  return sample.is_number_integer() ? sample.get<int64_t>() : 0;
}

void read_tasks(const std::filesystem::path& file, TaskList& list) {
  base::JsonlReader reader(file);
  while (std::optional<base::Json> record = reader.next()) {
    TaskEntry& entry = list.at(task_at(*record, "id", reader));
    entry.family = base::json_string(*record, "family");
    entry.prompts = base::json_list(*record, "prompts");
  }
}

void read_answers(const std::filesystem::path& file, size_t method, TaskList& list) {
  base::JsonlReader reader(file, {.torn_line = base::TornLine::kIgnore});
  while (std::optional<base::Json> record = reader.next()) {
    TaskEntry& entry = list.at(task_at(*record, "task", reader));
    base::Json& sample = entry.methods[method][sample_at(*record)];
    sample["text"] = cut(base::json_string(*record, "text"), kMostTextBytes);
    if (const base::Json& tokens = base::json_member(*record, "tokens"); tokens.is_number())
      sample["tokens"] = tokens;
    if (entry.level.empty()) entry.level = base::json_string(*record, "level");
  }
}

// The first output with wrong elements of the first trial that went wrong.
base::Json first_wrong(const base::Json& verdict) {
  for (const base::Json& trial : base::json_list(verdict, "trials")) {
    if (base::json_string(trial, "word") == "correct") continue;
    for (const base::Json& output : base::json_list(trial, "outputs")) {
      if (!output.is_object() || !output.contains("first")) continue;
      base::Json wrong = {{"trial", base::json_string(trial, "variation")}};
      for (const char* key : {"name", "elements", "wrong", "first"})
        wrong[key] = output.value(key, base::Json());
      return wrong;
    }
  }
  return nullptr;
}

void read_verdicts(const std::filesystem::path& file, size_t method, TaskList& list) {
  base::JsonlReader reader(file, {.torn_line = base::TornLine::kIgnore});
  while (std::optional<base::Json> record = reader.next()) {
    TaskEntry& entry = list.at(task_at(*record, "task", reader));
    if (entry.family.empty()) entry.family = base::json_string(*record, "family");
    base::Json& sample = entry.methods[method][sample_at(*record)];
    sample["word"] = task_at(*record, "word", reader);
    if (const std::string text = base::json_string(*record, "explanation"); !text.empty())
      sample["explanation"] = text;
    if (const std::string text = base::json_string(*record, "compiler_messages"); !text.empty()) {
      sample["messages"] = cut(text, kMostMessageBytes);
    }
    if (base::Json wrong = first_wrong(*record); !wrong.is_null()) sample["wrong"] = std::move(wrong);
    if (base::Json findings = base::json_list(*record, "findings"); !findings.empty())
      sample["findings"] = findings;
  }
}

void choose_prompt(TaskEntry& entry) {
  for (const base::Json& prompt : entry.prompts) {
    const bool is_wanted = entry.level.empty() || base::json_string(prompt, "level") == entry.level;
    if (entry.prompt.empty() || is_wanted)
      entry.prompt = cut(base::json_string(prompt, "text"), kMostTextBytes);
    if (is_wanted) return;
  }
}

int index_of(base::Json& words, const std::string& word) {
  const auto place = std::find(words.begin(), words.end(), word);
  if (place != words.end()) return static_cast<int>(place - words.begin());
  words.push_back(word);
  return static_cast<int>(words.size()) - 1;
}

// Answers with a verdict, and those that are correct.
base::TaskTally tally_of(const Samples& samples) {
  base::TaskTally tally;
  for (const auto& [number, sample] : samples) {
    const std::string word = base::json_string(sample, "word");
    if (word.empty() || word == "unsupported" || word == "faulty_task") continue;
    ++tally.samples;
    tally.correct += word == "correct" ? 1 : 0;
  }
  return tally;
}

base::Json difference_of(const std::vector<TaskEntry>& entries, size_t from, size_t to) {
  base::TalliesByTask before;
  base::TalliesByTask after;
  for (const TaskEntry& entry : entries) {
    before[entry.id] = tally_of(entry.methods[from]);
    after[entry.id] = tally_of(entry.methods[to]);
  }
  const std::optional<base::PassGain> gain = base::pass_gain(before, after);
  if (!gain) return nullptr;
  return {{"from", from},
          {"to", to},
          {"tasks", gain->tasks},
          {"value", base::five_digits(gain->estimate.value)},
          {"low", base::five_digits(gain->estimate.interval.low)},
          {"high", base::five_digits(gain->estimate.interval.high)}};
}

void add_entry(const TaskEntry& entry, TaskTable& table) {
  base::Json results = base::Json::array();
  base::Json answers = base::Json::array();
  for (const Samples& samples : entry.methods) {
    base::Json words = base::Json::array();
    base::Json shown = base::Json::array();
    for (const auto& [number, sample] : samples) {
      const std::string word = base::json_string(sample, "word");
      words.push_back(word.empty() ? -1 : index_of(table.overview["words"], word));
      shown.push_back(sample);
      shown.back().erase("word");
    }
    results.push_back(std::move(words));
    answers.push_back(std::move(shown));
  }
  table.overview["tasks"].push_back(
      {{"id", entry.id}, {"family", entry.family}, {"results", std::move(results)}});
  table.details.push_back({{"prompt", entry.prompt}, {"answers", std::move(answers)}});
}

}  // namespace

TaskTable read_task_table(const ReportSources& sources) {
  TaskList list(sources.methods.size());
  if (!sources.tasks.empty()) read_tasks(sources.tasks, list);
  for (size_t i = 0; i < sources.methods.size(); ++i) {
    if (!sources.methods[i].answers.empty()) read_answers(sources.methods[i].answers, i, list);
    if (!sources.methods[i].verdicts.empty()) read_verdicts(sources.methods[i].verdicts, i, list);
  }
  std::vector<TaskEntry>& entries = list.entries();
  // Tasks of the file that nobody answered are of no interest here.
  std::erase_if(entries, [](const TaskEntry& entry) {
    return std::all_of(entry.methods.begin(), entry.methods.end(),
                       [](const Samples& samples) { return samples.empty(); });
  });
  TaskTable table;
  table.differences = base::Json::array();
  // Against the first, which is the model without an adapter wherever it answered, and the second, as on the terminal.
  for (size_t from = 0; from < std::min<size_t>(2, sources.methods.size()); ++from) {
    for (size_t to = from + 1; to < sources.methods.size(); ++to) {
      if (base::Json row = difference_of(entries, from, to); !row.is_null()) table.differences.push_back(row);
    }
  }
  table.overview = {{"words", base::Json::array()}, {"tasks", base::Json::array()}};
  table.overview["left_out"] = entries.size() - std::min(entries.size(), kMostTasks);
  table.details = base::Json::array();
  entries.resize(std::min(entries.size(), kMostTasks));
  for (TaskEntry& entry : entries) {
    choose_prompt(entry);
    add_entry(entry, table);
  }
  return table;
}

}  // namespace cuset::report
