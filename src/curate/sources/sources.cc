#include "curate/sources/sources.h"

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/log.h"
#include "benchmarks/answer_reader.h"
#include "benchmarks/task_reader.h"
#include "data/messages.h"
#include "data/record_reader.h"
#include "tasks/answer.h"

namespace cuset::curate {
namespace {

// A text, or a whole number as text.
std::string text_of(const base::Json& record, const char* key) {
  const base::Json& value = base::json_member(record, key);
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_integer() ? value.dump() : "";
}

int64_t count_of(const base::Json& record, const char* key) {
  const base::Json& value = base::json_member(record, key);
  return value.is_number_integer() && value >= 0 ? value.get<int64_t>() : -1;
}

class FileSource {
 public:
  FileSource(const PlannedSource& source, const TaskCatalog& catalog, RowSink& sink)
      : source_(source), catalog_(catalog), sink_(sink) {}

  void read() {
    data::RecordReader reader(source_.file);
    while (true) {
      std::optional<base::Json> record;
      try {
        record = reader.next();
      } catch (const base::Error& error) {
        refuse(reader.place(), "unreadable", error.what());
        continue;
      }
      if (!record) break;
      take(*record, reader.place());
    }
    if (!source_.tasks.empty() && without_task_ > 0)
      base::log_warning("sources.{}: {} of its rows name no task of {}", source_.name, without_task_,
                        source_.tasks.string());
  }

 private:
  void take(const base::Json& record, const std::string& place) {
    try {
      sink_.take(row_of(record, place));
    } catch (const base::Error& error) {
      refuse(place, "unreadable", error.what());
    }
  }

  Row row_of(const base::Json& record, const std::string& place) {
    data::Sample sample = data::sample_from_record(record, place);
    Row row;
    row.source = source_.name;
    row.place = place;
    row.messages = std::move(sample.messages);
    row.tools = std::move(sample.tools);
    row.weight = sample.weight;
    row.id = text_of(record, "id");
    row.family = text_of(record, "family");
    row.license = source_.license.empty() ? text_of(record, "license") : source_.license;
    row.tokens = count_of(record, "tokens");
    row.reasoning_tokens = count_of(record, "reasoning_tokens");
    find_task(record, row);
    if (row.id.empty()) row.id = row.place;
    return row;
  }

  void find_task(const base::Json& record, Row& row) {
    if (source_.tasks.empty()) return;
    for (const char* key : {"task", "id"}) {
      const tasks::Task* task = catalog_.find(text_of(record, key));
      if (task == nullptr) continue;
      row.task = task->id;
      if (row.family.empty()) row.family = task->family;
      return;
    }
    ++without_task_;
  }

  void refuse(const std::string& place, const std::string& reason, const std::string& detail) {
    sink_.refuse(source_.name, place, {"sources", reason, detail});
  }

  const PlannedSource& source_;
  const TaskCatalog& catalog_;
  RowSink& sink_;
  size_t without_task_ = 0;
};

// A row of a model's answer to a task, but for its place.
Row row_of_answer(const PlannedSource& source, const tasks::Task& task, int64_t sample, std::string text) {
  Row row;
  row.id = fmt::format("{}#{}", task.id, sample);
  row.source = source.name;
  row.task = task.id;
  row.family = task.family;
  row.license = source.license;
  row.messages = base::Json::array({data::make_message("user", prompt_of(task, source).text),
                                    data::make_message("assistant", std::move(text))});
  return row;
}

void read_answered(const PlannedSource& source, const TaskCatalog& catalog, RowSink& sink) {
  std::vector<tasks::Answer> answers = benchmarks::read_answers(source.answers);
  tasks::match_answers(answers, catalog.of_file(source.tasks));
  for (tasks::Answer& answer : answers) {
    const tasks::Task& task = *catalog.find(answer.task);
    Row row = row_of_answer(source, task, answer.sample, std::move(answer.text));
    row.place = answer.place;
    row.tokens = answer.tokens;
    row.reasoning_tokens = answer.reasoning_tokens;
    sink.take(std::move(row));
  }
}

// Why an answer of an endpoint is no row; empty where it is one.
Rejection fault_of(const SampledAnswer& answer) {
  if (!answer.failed.empty()) return {"sources", "no_answer", answer.failed};
  if (answer.reply.finish == "length") return {"sources", "cut_off", "the answer reached max_tokens"};
  if (answer.reply.finish == "content_filter")
    return {"sources", "filtered", "the endpoint's filter ended it"};
  if (answer.reply.text.empty()) return {"sources", "empty_answer", "the answer has no text"};
  return {};
}

// One row for each sample of every task, in their order, whatever order they were answered in.
void read_sampled(const PlannedSource& source, const TaskCatalog& catalog, RowSink& sink) {
  std::map<SampleKey, SampledAnswer> answers = read_sampled_answers(source.sampled);
  for (const WantedSample& wanted : wanted_samples(source, catalog)) {
    const std::string name = fmt::format("{}#{}", wanted.key.task, wanted.key.sample);
    const auto found = answers.find(wanted.key);
    if (found == answers.end()) {
      sink.refuse(source.name, name, {"sources", "no_answer", "not asked"});
      continue;
    }
    SampledAnswer& answer = found->second;
    if (const Rejection fault = fault_of(answer); !fault.reason.empty()) {
      sink.refuse(source.name, name, fault);
      continue;
    }
    Row row = row_of_answer(source, *catalog.find(wanted.key.task), wanted.key.sample,
                            std::move(answer.reply.text));
    row.place = answer.place;
    row.tokens = answer.reply.completion_tokens;
    row.reasoning_tokens = answer.reply.reasoning_tokens;
    sink.take(std::move(row));
  }
}

}  // namespace

const tasks::Prompt& prompt_of(const tasks::Task& task, const PlannedSource& source) {
  for (const tasks::Prompt& prompt : task.prompts)
    if (source.level.empty() || prompt.level == source.level) return prompt;
  throw base::Error("{}: the task {} has no prompt{}", task.place, task.id,
                    source.level.empty() ? "" : fmt::format(" of level {}", source.level))
      .with_remedy("set sources.{}.level to one that all tasks have", source.name);
}

std::vector<WantedSample> wanted_samples(const PlannedSource& source, const TaskCatalog& catalog) {
  std::vector<WantedSample> wanted;
  for (const tasks::Task& task : catalog.of_file(source.tasks)) {
    const std::string& prompt = prompt_of(task, source).text;
    for (int64_t sample = 0; sample < source.endpoint->samples; ++sample)
      wanted.push_back({{task.id, sample, prompt_hash(prompt)}, prompt});
  }
  return wanted;
}

TaskCatalog::TaskCatalog(const std::vector<PlannedSource>& sources) {
  for (const PlannedSource& source : sources) {
    if (source.tasks.empty() || files_.contains(source.tasks)) continue;
    std::vector<tasks::Task>& tasks = files_[source.tasks];
    tasks = benchmarks::read_tasks(source.tasks).tasks;
    for (const tasks::Task& task : tasks) {
      const auto [found, is_new] = by_id_.emplace(task.id, &task);
      if (is_new) {
        order_.push_back(&task);
      } else if (tasks::json_of(*found->second) != tasks::json_of(task)) {
        throw base::Error("{}: the task {} differs from the one of the same id at {}", task.place, task.id,
                          found->second->place)
            .with_remedy("give one of them another id, or curate the sources apart");
      }
    }
  }
}

const tasks::Task* TaskCatalog::find(const std::string& id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

const std::vector<tasks::Task>& TaskCatalog::of_file(const std::filesystem::path& file) const {
  return files_.at(file);
}

std::vector<tasks::Task> TaskCatalog::all() const {
  std::vector<tasks::Task> tasks;
  for (const tasks::Task* task : order_) tasks.push_back(*task);
  return tasks;
}

void read_source(const PlannedSource& source, const TaskCatalog& catalog, RowSink& sink) {
  if (!source.folder.empty()) return read_folder(source, sink);
  if (source.endpoint) return read_sampled(source, catalog, sink);
  if (!source.answers.empty()) return read_answered(source, catalog, sink);
  FileSource(source, catalog, sink).read();
}

}  // namespace cuset::curate
