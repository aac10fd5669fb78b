#include "curate/run/curation_output.h"

#include <algorithm>
#include <set>

#include "base/files/file.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/progress.h"
#include "base/stats/random.h"
#include "curate/run/collector.h"
#include "curate/run/data_card.h"
#include "data/messages.h"

namespace cuset::curate {
namespace {

constexpr size_t kRowsAtATime = 4096;
constexpr size_t kKeptExamples = 4;

class OutputWriter {
 public:
  explicit OutputWriter(const CurationOutput& from) : from_(from) {}
  OutputCounts write();

 private:
  base::Json output_record(const Row& row, uint32_t number) const;
  bool is_validation(const Row& row, uint32_t number) const;
  void add_to_card(const Row& row, uint32_t number, DataCard& card) const;
  void copy_refused(base::AtomicFile& rejected, DataCard& card) const;

  const CurationOutput& from_;
  OutputCounts counts_;
};

// Rows of one task, and copies of one program, are on the same side.
bool OutputWriter::is_validation(const Row& row, uint32_t number) const {
  const Fingerprint& print = from_.store.fingerprint(number);
  const base::RandomStream split(static_cast<uint64_t>(from_.plan.seed), "curate/validation");
  base::RandomStream stream = row.task.empty() ? split.child(print.code.low) : split.child(row.task);
  return stream.uniform() < from_.plan.validation;
}

base::Json OutputWriter::output_record(const Row& row, uint32_t number) const {
  const base::Json& note = from_.results.at("verify").notes.at(number);
  const std::string& verdict = base::json_string(note, "verdict");
  const bool is_vouched = verdict == judge::name_of(judge::Outcome::kCorrect);
  Row weighted = row;
  // What was proposed to ask for a kernel that came without a prompt.
  if (row.is_document() && note.contains("prompt"))
    weighted.messages = base::Json::array(
        {data::make_message("user", base::json_string(note, "prompt")),
         data::make_message("assistant", fmt::format("```cuda\n{}\n```\n", row.response()))});
  weighted.weight *= is_vouched ? from_.plan.weights.verified : from_.plan.weights.unverified;
  base::Json record = training_record(weighted);
  record["weight"] = weighted.weight;
  record["vouched"] = is_vouched;
  record["verdict"] = verdict;
  if (note.contains("tried")) record["tried"] = note["tried"];
  if (note.contains("speedup")) record["speedup"] = note["speedup"];
  const auto& chosen = from_.results.at("select").notes;
  if (const auto found = chosen.find(number); found != chosen.end())
    record["difficulty"] = found->second["difficulty"];
  if (!row.task.empty()) record["task"] = row.task;
  if (!row.family.empty()) record["family"] = row.family;
  if (!row.license.empty()) record["license"] = row.license;
  record["source"] = row.source;
  record["place"] = row.place;
  return record;
}

void OutputWriter::add_to_card(const Row& row, uint32_t number, DataCard& card) const {
  ++card.sources[row.source].kept;
  ++card.families[row.family];
  ++card.licenses[row.license];
  const auto& chosen = from_.results.at("select").notes;
  if (const auto found = chosen.find(number); found != chosen.end())
    ++card.difficulty[base::json_string(found->second, "difficulty")];
  if (!row.is_document()) card.prompt_bytes.push_back(static_cast<double>(row.prompt().size()));
  card.response_bytes.push_back(static_cast<double>(row.response().size()));
  if (card.kept.size() < kKeptExamples) card.kept.push_back({row.id, "", "", "", row.response()});
}

void OutputWriter::copy_refused(base::AtomicFile& rejected, DataCard& card) const {
  base::JsonlReader reader(from_.stages_folder / "refused.jsonl");
  std::set<std::string> shown;
  while (const std::optional<base::Json> refused = reader.next()) {
    base::Json record = {{"id", (*refused)["place"]}, {"stage", "sources"}};
    record.update(*refused);
    ++card.sources[base::json_string(*refused, "source")].rows;
    if (shown.insert(base::json_string(*refused, "reason")).second)
      card.rejected.push_back({base::json_string(*refused, "place"), "sources",
                               base::json_string(*refused, "reason"), base::json_string(*refused, "detail"),
                               ""});
    rejected.write(base::to_json_line(record) + "\n");
  }
}

OutputCounts OutputWriter::write() {
  base::AtomicFile train(from_.settings.output / "train.jsonl");
  base::AtomicFile validation(from_.settings.output / "validation.jsonl");
  base::AtomicFile rejected(from_.settings.output / "rejected.jsonl");
  DataCard card;
  card.name = from_.plan.name;
  card.plan = from_.plan.text;
  card.version = from_.settings.version;
  for (const PlannedSource& source : from_.plan.sources)
    if (source.endpoint)
      card.endpoints[source.name] =
          usage_line(usage_of(read_sampled_answers(source.sampled)), *source.endpoint);
  copy_refused(rejected, card);
  std::set<std::string> shown;
  base::Progress progress({.title = "write", .total = from_.store.size(), .unit = "rows"});
  for (uint32_t i = 0; i < from_.store.size(); ++i) {
    if (i % kRowsAtATime == 0) stop_if_interrupted();
    const Row row = from_.store.row(i);
    ++card.sources[row.source].rows;
    if (const auto refused = from_.rejected.find(i); refused != from_.rejected.end()) {
      const Rejection& rejection = refused->second;
      base::Json record = {{"id", row.id},
                           {"stage", rejection.stage},
                           {"reason", rejection.reason},
                           {"detail", rejection.detail}};
      record.update(json_of(row));
      rejected.write(base::to_json_line(record) + "\n");
      if (shown.insert(rejection.reason).second)
        // A secret is not shown again.
        card.rejected.push_back({row.id, rejection.stage, rejection.reason, rejection.detail,
                                 rejection.reason == "secret" ? "(not shown)" : row.response()});
    } else {
      const bool validates = is_validation(row, i);
      (validates ? validation : train).write(base::to_json_line(output_record(row, i)) + "\n");
      ++(validates ? counts_.validation : counts_.train);
      add_to_card(row, i, card);
    }
    progress.add();
  }
  progress.finish();
  for (const auto& [row, note] : from_.results.at("verify").notes)
    ++card.verdicts[base::json_string(note, "verdict")];
  card.selection = from_.results.at("select").summary;
  card.stages = from_.stages;
  card.train = counts_.train;
  card.validation = counts_.validation;
  train.commit();
  validation.commit();
  rejected.commit();
  base::write_file_atomic(from_.settings.output / "card.md", card_markdown(card));
  base::write_file_atomic(from_.settings.output / "card.html", card_html(card));
  base::write_json_file(from_.settings.output / "summary.json", json_of(card));
  return counts_;
}

}  // namespace

OutputCounts write_curation_output(const CurationOutput& output) { return OutputWriter(output).write(); }

}  // namespace cuset::curate
