#include "curate/run/curation_run.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/interrupt.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"
#include "base/log.h"
#include "base/machine/worker_pool.h"
#include "base/seconds_since.h"
#include "base/stats/random.h"
#include "curate/run/collector.h"
#include "curate/run/curation_output.h"
#include "curate/run/row_store.h"
#include "curate/run/stage_file.h"
#include "curate/stages/decontamination.h"
#include "curate/stages/duplicates.h"
#include "curate/stages/screening.h"
#include "curate/stages/selection.h"
#include "curate/stages/tried_rows.h"
#include "curate/text/compared_text.h"

namespace cuset::curate {
namespace {

namespace fs = std::filesystem;

// Keeps other runs out of the folder.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : file_(base::open_file(folder / "lock", O_RDWR | O_CREAT)) {
    if (flock(file_.get(), LOCK_EX | LOCK_NB) == 0) return;
    throw base::Error("{}: another run works in this folder", folder.string())
        .with_remedy("wait for it, or choose another --output");
  }

 private:
  base::FileDescriptor file_;
};

class Curation {
 public:
  Curation(const CurationPlan& plan, const CurationSettings& settings)
      : plan_(plan), settings_(settings), folder_(settings.output / "stages") {}

  CurationResult run() {
    try {
      run_stages();
      stop_if_interrupted();
      const CurationOutput output{plan_, *store_, rejected_, results_, result_.stages, folder_, settings_};
      const OutputCounts written = write_curation_output(output);
      result_.train = written.train;
      result_.validation = written.validation;
    } catch (const StageInterrupted&) {
      result_.is_interrupted = true;
    }
    return std::move(result_);
  }

 private:
  void run_stages();
  void collect();
  // Asks the endpoints of the plan for what they have not answered yet.
  void sample_endpoints();
  // Does a stage, or takes what an earlier run decided; then its rows are out.
  void stage(const std::string& name, const base::Json& settings, const std::function<StageResult()>& work);

  StageResult find_exact();
  StageResult decontaminate();
  StageResult screen_rows();
  StageResult verify();
  void try_without_task(std::span<const uint32_t> rows, StageResult& result);
  base::Json trial_settings() const;
  judge::Judge& judge();
  execute::Executor& trial_executor();
  StageResult find_unlikely();
  StageResult find_near();
  StageResult select();
  StageResult duplicates_result(const std::map<uint32_t, DuplicateOf>& found, const char* stage,
                                const char* reason) const;
  Rejection rejection_of(const judge::Verdict& verdict) const;

  std::vector<uint32_t> rows_left() const;
  // Rows that come to no decision: on several threads, with progress.
  StageResult check_each(const char* title,
                         const std::function<std::optional<Rejection>(const Row&)>& check) const;

  CurationPlan plan_;  // with the files of what endpoints answered
  const CurationSettings& settings_;
  fs::path folder_;
  std::string key_;  // of the last stage
  std::optional<TaskCatalog> catalog_;
  std::string tasks_key_;
  std::string rows_key_;
  std::optional<RowStore> store_;
  std::vector<uint8_t> is_left_;
  std::map<uint32_t, Rejection> rejected_;
  judge::Judge* judge_ = nullptr;               // made when it is needed
  fs::path verdicts_;                           // its folder
  std::map<std::string, StageResult> results_;  // of stages that leave notes
  CurationResult result_;
};

base::Json settings_of(const PlannedSource& source) {
  base::Json keys = base::Json::object();
  for (const fs::path* path : {&source.folder, &source.file, &source.tasks, &source.answers, &source.sampled})
    keys.push_back({path->string(), path->empty() ? "" : content_key(*path)});
  return {{"name", source.name},     {"paths", keys},
          {"level", source.level},   {"license", source.license},
          {"prompt", source.prompt}, {"samples", source.endpoint ? source.endpoint->samples : 0}};
}

void Curation::stage(const std::string& name, const base::Json& settings,
                     const std::function<StageResult()>& work) {
  stop_if_interrupted();
  key_ = stage_key(key_, name, settings);
  const fs::path file = folder_ / (name + ".jsonl");
  const auto start = std::chrono::steady_clock::now();
  StageCount count{.name = name};
  count.in = static_cast<size_t>(std::count(is_left_.begin(), is_left_.end(), 1));
  std::optional<StageResult> decided = read_stage(file, name, key_);
  count.was_done = decided.has_value();
  if (!decided) {
    decided = work();
    write_stage(file, name, key_, *decided);
  }
  for (auto& [row, rejection] : decided->rejected) {
    is_left_[row] = 0;
    ++count.reasons[rejection.reason];
    rejected_.emplace(row, std::move(rejection));
  }
  decided->rejected.clear();
  results_[name] = std::move(*decided);
  count.out = static_cast<size_t>(std::count(is_left_.begin(), is_left_.end(), 1));
  count.seconds = base::seconds_since(start);
  result_.stages.push_back(std::move(count));
}

void Curation::sample_endpoints() {
  for (PlannedSource& source : plan_.sources) {
    if (!source.endpoint) continue;
    const std::string key = stage_key("", "endpoint", sampling_settings(*source.endpoint));
    const fs::path folder = folder_ / ("endpoint-" + key.substr(0, 12));
    base::make_folder(folder);
    source.sampled = folder / "answers.jsonl";
    if (!sample_endpoint(*source.endpoint, wanted_samples(source, *catalog_), {source.name, source.sampled}))
      throw StageInterrupted();
    const EndpointUsage usage = usage_of(read_sampled_answers(source.sampled));
    base::log_info("sources.{}: {}", source.name, usage_line(usage, *source.endpoint));
  }
}

void Curation::collect() {
  catalog_.emplace(plan_.sources);
  sample_endpoints();
  base::Json sources = base::Json::array();
  for (const PlannedSource& source : plan_.sources) sources.push_back(settings_of(source));
  key_ = stage_key("", "sources",
                   {{"sources", sources},
                    {"min_tokens", plan_.normalize.min_tokens},
                    {"max_bytes", plan_.normalize.max_bytes},
                    {"run", plan_.duplicates.run}});
  rows_key_ = key_;
  // Verdicts depend on the tasks alone: rows that come or go leave those that are there.
  std::set<std::string> tasks;
  for (const PlannedSource& source : plan_.sources)
    if (!source.tasks.empty()) tasks.insert(content_key(source.tasks));
  tasks_key_ = stage_key("", "tasks", tasks);
  const auto start = std::chrono::steady_clock::now();
  const fs::path file = folder_ / "normalize.jsonl";
  std::optional<StageResult> done = read_stage(file, "normalize", key_);
  const bool was_done = done.has_value();
  if (!done) {
    // Results of later stages speak of rows that are about to be replaced.
    for (const char* name :
         {"normalize", "exact", "decontaminate", "screen", "verify", "confidence", "near", "select"})
      fs::remove(folder_ / (std::string(name) + ".jsonl"));
    Collector collector(plan_, settings_.workers, folder_);
    for (const PlannedSource& source : plan_.sources) read_source(source, *catalog_, collector);
    done = collector.finish();
    write_stage(file, "normalize", key_, *done);
  }
  store_.emplace(folder_);
  is_left_.assign(store_->size(), 1);
  StageCount sources_count{.name = "sources"}, count{.name = "normalize"};
  sources_count.was_done = count.was_done = was_done;
  base::JsonlReader refused(folder_ / "refused.jsonl");
  while (const auto record = refused.next()) ++sources_count.reasons[base::json_string(*record, "reason")];
  for (const auto& [reason, number] : sources_count.reasons) sources_count.in += number;
  sources_count.in += store_->size();
  sources_count.out = count.in = store_->size();
  for (auto& [row, rejection] : done->rejected) {
    is_left_[row] = 0;
    ++count.reasons[rejection.reason];
    rejected_.emplace(row, std::move(rejection));
  }
  count.out = count.in - done->rejected.size();
  count.seconds = base::seconds_since(start);
  result_.stages.push_back(std::move(sources_count));
  result_.stages.push_back(std::move(count));
}

void Curation::run_stages() {
  collect();
  const DuplicateOptions& duplicates = plan_.duplicates;
  stage("exact", {{"exact", duplicates.exact}}, [&] { return find_exact(); });
  base::Json benchmarks = base::Json::array();
  for (const fs::path& file : plan_.decontaminate.files) benchmarks.push_back(content_key(file));
  stage("decontaminate", {{"files", benchmarks}, {"overlap", plan_.decontaminate.overlap}},
        [&] { return decontaminate(); });
  stage("screen",
        {{"secrets", plan_.screen.secrets},
         {"licenses", plan_.screen.licenses},
         {"unknown_license", plan_.screen.unknown_license}},
        [&] { return screen_rows(); });
  base::Json judging = base::Json::array();
  for (const base::ConfigEntry& entry : plan_.verify.judging)
    if (entry.key != "workers") judging.push_back({entry.key, entry.values});
  tasks_key_ = stage_key(tasks_key_, "judging", judging);
  stage("verify",
        {{"tasks", tasks_key_},
         {"keep", plan_.verify.keep},
         {"unverified", plan_.verify.unverified},
         {"trials", trial_settings()}},
        [&] { return verify(); });
  if (const auto& confidence = plan_.confidence)
    stage("confidence",
          {{"reader", settings_.reader.key}, {"tau", confidence->tau}, {"unlikely", confidence->unlikely}},
          [&] { return find_unlikely(); });
  stage("near", {{"near", duplicates.near}, {"across_tasks", duplicates.across_tasks}},
        [&] { return find_near(); });
  const SelectOptions& chosen = plan_.select;
  stage("select",
        {{"rule", name_of(chosen.rule)},
         {"per_task", chosen.per_task},
         {"speedup", chosen.speedup},
         {"single_share", chosen.single_share},
         {"fused", chosen.fused},
         {"per_family", chosen.per_family},
         {"count", chosen.count},
         {"easy", chosen.easy},
         {"hard", chosen.hard},
         {"seed", plan_.seed}},
        [&] { return select(); });
}

std::vector<uint32_t> Curation::rows_left() const {
  std::vector<uint32_t> rows;
  for (size_t i = 0; i < is_left_.size(); ++i)
    if (is_left_[i] != 0) rows.push_back(static_cast<uint32_t>(i));
  return rows;
}

StageResult Curation::check_each(const char* title,
                                 const std::function<std::optional<Rejection>(const Row&)>& check) const {
  const std::vector<uint32_t> rows = rows_left();
  std::vector<std::optional<Rejection>> found(rows.size());
  base::Progress progress({.title = title, .total = rows.size(), .unit = "rows"});
  const base::WorkerPool pool{.threads = static_cast<size_t>(settings_.workers), .stops_at_interrupt = true};
  pool.run(rows.size(), [&](size_t i) {
    found[i] = check(store_->row(rows[i]));
    progress.add();
  });
  stop_if_interrupted();
  progress.finish();
  StageResult result;
  for (size_t i = 0; i < rows.size(); ++i)
    if (found[i]) result.rejected.emplace(rows[i], std::move(*found[i]));
  return result;
}

StageResult Curation::duplicates_result(const std::map<uint32_t, DuplicateOf>& found, const char* stage,
                                        const char* reason) const {
  StageResult result;
  for (const auto& [row, first] : found)
    result.rejected[row] = {stage, reason,
                            fmt::format("of {} ({:.2f})", store_->row(first.row).id, first.similarity)};
  return result;
}

StageResult Curation::find_exact() {
  if (!plan_.duplicates.exact) return {};
  const auto key_of = [&](uint32_t row) {
    const Fingerprint& print = store_->fingerprint(row);
    return ProgramKey{print.code, print.scope};
  };
  return duplicates_result(find_exact_duplicates(rows_left(), key_of), "exact", "exact_duplicate");
}

StageResult Curation::decontaminate() {
  if (plan_.decontaminate.files.empty()) return {};
  BenchmarkTexts benchmarks(plan_.decontaminate.overlap);
  for (const fs::path& file : plan_.decontaminate.files) benchmarks.add_file(file);
  base::log_info("decontaminate: {} prompts and {} programs of benchmarks", benchmarks.prompts(),
                 benchmarks.programs());
  return check_each("decontaminate", [&](const Row& row) -> std::optional<Rejection> {
    std::optional<std::string> place = benchmarks.find_in(row);
    if (!place) return std::nullopt;
    return Rejection{"decontaminate", "contaminated", std::move(*place)};
  });
}

StageResult Curation::screen_rows() {
  if (!plan_.screen.secrets && plan_.screen.licenses.empty()) return {};
  return check_each("screen", [&](const Row& row) { return screen(row, plan_.screen); });
}

Rejection Curation::rejection_of(const judge::Verdict& verdict) const {
  return {"verify", std::string(judge::name_of(verdict.outcome)), verdict.explanation};
}

// The CPU executor: checks and orders of threads are its own.
execute::Executor& Curation::trial_executor() {
  execute::Executor& executor = judge().executor();
  if (executor.name() == "cpu") return executor;
  if (execute::Executor* beside = executor.checking_executor()) return *beside;
  throw base::Error("rows without a task cannot be run: this machine lacks the CPU executor")
      .with_remedy("install clang 19 (setup/packages.txt, group emulator), or set verify.harness to false");
}

judge::Judge& Curation::judge() {
  if (judge_ == nullptr) {
    verdicts_ = folder_ / ("verify-" + tasks_key_.substr(0, 12));
    base::make_folder(verdicts_);
    judge_ = &settings_.make_judge(verdicts_);
  }
  return *judge_;
}

void Curation::try_without_task(std::span<const uint32_t> rows, StageResult& result) {
  if (rows.empty()) return;
  const VerifyOptions& verify = plan_.verify;
  TrialRun run;
  run.workers = settings_.workers;
  run.options.seed = static_cast<uint64_t>(plan_.seed);
  run.options.seconds = verify.harness_seconds;
  run.options.command = {verify.propose,
                         std::chrono::milliseconds(static_cast<int64_t>(verify.propose_seconds * 1000))};
  const std::string key = stage_key("", "trials", trial_settings());
  run.file = folder_ / fmt::format("trials-{}.jsonl", key.substr(0, 12));
  const TriedRows tried =
      try_rows(rows, [&](uint32_t row) { return store_->row(row); }, trial_executor(), run);
  if (!tried.is_complete) throw StageInterrupted();
  for (const auto& [row, trial] : tried.results) {
    result.notes[row] = {{"verdict", "unverified"}, {"tried", trial.how}};
    if (!trial.prompt.empty()) result.notes[row]["prompt"] = trial.prompt;
    if (!trial.is_clean()) result.rejected[row] = {"verify", trial.reason, trial.detail};
  }
}

base::Json Curation::trial_settings() const {
  const VerifyOptions& verify = plan_.verify;
  return {{"harness", verify.harness},
          {"seconds", verify.harness_seconds},
          {"propose", verify.propose},
          {"seed", plan_.seed}};
}

StageResult Curation::verify() {
  StageResult result;
  std::vector<uint32_t> with_task, without_task;
  for (const uint32_t row : rows_left()) {
    if (store_->fingerprint(row).scope != 0) {
      with_task.push_back(row);
    } else if (!plan_.verify.unverified) {
      result.rejected[row] = {"verify", "unverified", "no task says what is right"};
    } else if (plan_.verify.harness) {
      without_task.push_back(row);
    } else {
      result.notes[row] = {{"verdict", "unverified"}};
    }
  }
  try_without_task(without_task, result);
  if (with_task.empty()) return result;
  judge::Judge& judge = this->judge();
  const fs::path folder = verdicts_;
  const auto row_of = [&](uint32_t row) { return store_->row(row); };
  const VerifiedRows verified = verify_rows(with_task, row_of, *catalog_, folder, judge, settings_.workers);
  if (!verified.is_complete) throw StageInterrupted();
  for (const auto& [row, verdict] : verified.verdicts) {
    base::Json note = {{"verdict", judge::name_of(verdict.outcome)}};
    // Without a reference there is nothing to be faster than.
    if (verdict.timing && verdict.timing->reference_us > 0) note["speedup"] = verdict.timing->speedup;
    result.notes[row] = std::move(note);
    const std::vector<std::string>& keep = plan_.verify.keep;
    const bool is_kept = std::find(keep.begin(), keep.end(), judge::name_of(verdict.outcome)) != keep.end();
    const bool is_open = !judge::is_verdict(verdict.outcome) && plan_.verify.unverified;
    if (!is_kept && !is_open) result.rejected[row] = rejection_of(verdict);
  }
  return result;
}

StageResult Curation::find_unlikely() {
  const std::vector<uint32_t> rows = rows_left();
  std::vector<data::Sample> samples;
  for (const uint32_t row : rows) {
    samples.push_back(sample_of(store_->row(row)));
    // Places of a source may repeat; what is known of a row is kept under its number.
    samples.back().place = fmt::format("row {}", row);
  }
  const std::string key = stage_key(rows_key_, "confidences", settings_.reader.key);
  const fs::path file = folder_ / fmt::format("confidences-{}.jsonl", key.substr(0, 12));
  const auto shares = settings_.reader.unlikely_shares(samples, file);
  if (!shares) throw StageInterrupted();
  const LikelihoodOptions& limits = *plan_.confidence;
  StageResult result;
  for (size_t i = 0; i < rows.size(); ++i)
    if (shares->at(i) > limits.unlikely)
      result.rejected[rows[i]] = {
          "confidence", "unlikely_text",
          fmt::format("{:.1f} % of its tokens have p <= {:g}", 100 * shares->at(i), limits.tau)};
  return result;
}

StageResult Curation::find_near() {
  if (plan_.duplicates.near == 0) return {};
  NearDuplicateSearch search;
  search.threshold = plan_.duplicates.near;
  search.across_tasks = plan_.duplicates.across_tasks;
  search.signature_of = [&](uint32_t row) -> const Signature& { return store_->fingerprint(row).signature; };
  search.scope_of = [&](uint32_t row) { return store_->fingerprint(row).scope; };
  search.similarity_of = [&](uint32_t a, uint32_t b) {
    const auto run = static_cast<size_t>(plan_.duplicates.run);
    return jaccard(runs_of_code(tokens_of_task(store_->row(a).program()), run),
                   runs_of_code(tokens_of_task(store_->row(b).program()), run));
  };
  const std::vector<uint32_t> rows = rows_left();
  base::Progress progress({.title = "near", .total = rows.size(), .unit = "rows"});
  search.on_row = [&] {
    stop_if_interrupted();
    progress.add();
  };
  const std::map<uint32_t, DuplicateOf> found = find_near_duplicates(rows, search);
  progress.finish();
  return duplicates_result(found, "near", "near_duplicate");
}

StageResult Curation::select() {
  const std::map<uint32_t, base::Json>& notes = results_["verify"].notes;
  std::vector<Candidate> candidates;
  for (const auto& [number, note] : notes) {
    const Row row = store_->row(number);
    Candidate made;
    made.row = number;
    made.task = row.task;
    made.family = row.family;
    made.is_correct = base::json_string(note, "verdict") == "correct";
    made.is_left = is_left_[number] != 0;
    if (note.contains("speedup")) made.speedup = note["speedup"].get<double>();
    made.reasoning_tokens = row.reasoning_tokens;
    made.reasoning_words = row.reasoning_words();
    candidates.push_back(std::move(made));
  }
  Selection selection = select_rows(candidates, plan_.select, static_cast<uint64_t>(plan_.seed));
  StageResult result;
  result.rejected = std::move(selection.rejected);
  for (const auto& [row, difficulty] : selection.difficulty) result.notes[row] = {{"difficulty", difficulty}};
  result.summary = std::move(selection.summary);
  return result;
}

}  // namespace

CurationResult run_curation(const CurationPlan& plan, const CurationSettings& settings) {
  base::make_folder(settings.output / "stages");
  const FolderLock lock(settings.output);
  return Curation(plan, settings).run();
}

std::string stage_table(const std::vector<StageCount>& stages) {
  std::string text = fmt::format("{:14} {:>9} {:>9} {:>9}\n", "stage", "in", "out", "refused");
  for (const StageCount& stage : stages) {
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : stage.reasons) reasons.push_back(fmt::format("{} {}", reason, count));
    if (stage.was_done) reasons.emplace_back("(done before)");
    text += fmt::format("{:14} {:9} {:9} {:9}{}{}\n", stage.name, stage.in, stage.out, stage.in - stage.out,
                        reasons.empty() ? "" : "  ", fmt::join(reasons, ", "));
  }
  return text;
}

}  // namespace cuset::curate
