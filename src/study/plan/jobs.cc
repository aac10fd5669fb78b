#include "study/plan/jobs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/sha256.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

constexpr double kGymCount = 1000;  // default of `cuset gym --count`
constexpr double kTrainEpochs = 3;  // default of `cuset train --num-train-epochs`
constexpr int64_t kVerifySeed = 1;  // a fixed one, so that all answers see the same inputs

// Settings that say how something is computed or logged, not what: a change redoes nothing.
const std::set<std::string>& keys_without_effect(std::string_view command) {
  static const std::set<std::string> kTrain = {"logging_steps", "save_strategy", "save_steps",
                                               "save_total_limit", "report_to"};
  static const std::set<std::string> kGenerate = {"batch_size", "threads"};
  static const std::set<std::string> kOthers = {"workers", "threads"};
  return command == "train" ? kTrain : command == "generate" ? kGenerate : kOthers;
}

// "2e-3" and "0.002" are the same.
base::Json comparable(const std::string& text) {
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = status == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  return is_number ? base::Json(number) : base::Json(text);
}

base::Json comparable_settings(std::string_view command, const PlanSettings& settings) {
  std::map<std::string, base::Json> sorted;
  for (const base::ConfigEntry& entry : settings) {
    if (keys_without_effect(command).contains(entry.key)) continue;
    if (entry.values.empty() && !entry.is_list) continue;  // null: the default stays
    base::Json values = base::Json::array();
    for (const std::string& value : entry.values) values.push_back(comparable(value));
    sorted[entry.key] = entry.is_list ? values : values[0];
  }
  base::Json object = base::Json::object();
  for (auto& [key, value] : sorted) object[key] = std::move(value);
  return object;
}

std::string digest_of(const base::Json& made_with) {
  return base::sha256(base::to_json_line(made_with)).substr(0, 16);
}

double lines_of(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return 0;
  const std::string text = base::read_file(file);
  return static_cast<double>(std::count(text.begin(), text.end(), '\n'));
}

// What a file held when it was copied into the study: the hash of the file, or the recorded one where the
// file is not on this machine.
std::string hash_of_source(const fs::path& source, const fs::path& record) {
  std::error_code failed;
  if (fs::is_regular_file(source, failed)) return base::sha256(base::read_file(source));
  if (!fs::exists(record, failed)) return "";
  try {
    return base::read_json_file(record).at("made_with").value("sha256", "");
  } catch (const std::exception&) {
    return "";  // a damaged record: the job is done again, and then misses the file
  }
}

class JobBuilder {
 public:
  JobBuilder(const StudyPlan& plan, fs::path output) : plan_(plan), output_(std::move(output)) {}

  StudyJobs build() {
    const std::vector<StudyCell> cells = cells_of(plan_);
    for (const std::string& base : bases_of(plan_, cells)) add_base_sets(base);
    for (const StudyCell& cell : cells) add_cell(cell);
    return std::move(made_);
  }

 private:
  // A model that cells start from.
  struct Model {
    std::string folder;
    base::Json made_with;
    std::vector<size_t> needs;
  };

  std::string in_output(const fs::path& path) const { return (output_ / path).string(); }

  size_t add(StudyJob job) {
    made_.jobs.push_back(std::move(job));
    return made_.jobs.size() - 1;
  }

  const StudyJob& job(size_t index) const { return made_.jobs[index]; }

  // A job of the gym, or a copy of a file, once.
  size_t file_job(const std::string& kind, const PlannedFile& planned, std::optional<int64_t> seed) {
    const std::string stem = seed ? fmt::format("{}-{}", planned.name, *seed) : planned.name;
    const fs::path file = fs::path(kind) / (stem + ".jsonl");
    if (const auto known = files_.find(file); known != files_.end()) return known->second;
    StudyJob job;
    job.part = StudyPart::kData;
    job.kind = kind;
    job.name = (fs::path(kind) / stem).string();
    job.record = fs::path(kind) / (stem + ".job.json");
    job.log = fs::path(kind) / (stem + ".log");
    job.results = job.leftovers = {file};
    job.resumes = false;
    if (planned.is_of_gym()) {
      fill_gym_job(job, planned, seed.value_or(planned.seed.value_or(0)));
    } else {
      job.copied_from = planned.file;
      job.made_with = {{"file", planned.file},
                       {"sha256", hash_of_source(planned.file, output_ / job.record)}};
      job.work = std::max(lines_of(planned.file), lines_of(output_ / file));
    }
    return files_[file] = add(std::move(job));
  }

  void fill_gym_job(StudyJob& job, const PlannedFile& planned, int64_t seed) const {
    job.command = {"gym", job.kind, "--output", in_output(job.results[0]), "--seed", std::to_string(seed)};
    job.settings = planned.options;
    job.settings_file = fs::path(job.record).replace_extension().replace_extension(".yaml");
    job.made_with = {{"command", "gym " + job.kind},
                     {"seed", seed},
                     {"settings", comparable_settings("gym", planned.options)}};
    job.work = number_setting_of(planned.options, "count").value_or(kGymCount);
    if (job.kind == "data" && is_curated(planned.name)) {
      const fs::path tasks = fs::path(job.results[0]).replace_extension(".tasks.jsonl");
      job.command.insert(job.command.end(), {"--tasks", in_output(tasks)});
      job.made_with["with_tasks"] = true;
      job.results.push_back(tasks);
      job.leftovers.push_back(tasks);
    }
  }

  bool is_curated(const std::string& name) const {
    return std::any_of(plan_.data.begin(), plan_.data.end(),
                       [&](const PlannedFile& data) { return data.curated == name; });
  }

  size_t data_job(const std::string& name, int64_t seed) {
    const PlannedFile& data = entry_named(plan_.data, name);
    const std::optional<int64_t> own = seed_varies(plan_, data) ? std::optional(seed) : std::nullopt;
    return data.curated.empty() ? file_job("data", data, own) : curate_job(data, own);
  }

  size_t curate_job(const PlannedFile& data, std::optional<int64_t> seed) {
    const fs::path folder = fs::path("data") / (seed ? fmt::format("{}-{}", data.name, *seed) : data.name);
    if (const auto known = files_.find(folder); known != files_.end()) return known->second;
    const size_t from = file_job("data", entry_named(plan_.data, data.curated), seed);
    StudyJob made;
    made.part = StudyPart::kData;
    made.kind = "curate";
    made.name = folder.string();
    made.needs = {from};
    made.record = folder.string() + ".job.json";
    made.log = folder.string() + ".log";
    made.input_file = folder.string() + ".plan.yaml";
    made.input_text = fmt::format("{}\nsources:\n  data: {{file: {}, tasks: {}}}\n", data.curation_plan,
                                  base::to_json_line(in_output(job(from).results[0])),
                                  base::to_json_line(in_output(job(from).results[1])));
    made.results = {folder / "train.jsonl"};
    made.leftovers = {folder};
    made.command = {"curate", in_output(made.input_file), "--output", in_output(folder)};
    made.made_with = {{"data", digest_of(job(from).made_with)}, {"plan", base::sha256(data.curation_plan)}};
    made.work = job(from).work;
    return files_[folder] = add(std::move(made));
  }

  size_t tasks_job(const std::string& name) {
    return file_job("tasks", entry_named(plan_.tasks, name), std::nullopt);
  }

  // A training into `folder`; the rest of the job is the same for cells and bases.
  StudyJob training_job(const Model& model, size_t data, const fs::path& folder,
                        const PlanSettings& settings) const {
    StudyJob job;
    job.part = StudyPart::kTrain;
    job.kind = "train";
    job.name = folder.lexically_relative(*folder.begin()).string();
    job.needs = model.needs;
    job.needs.push_back(data);
    job.record = folder / "train.job.json";
    job.log = folder / "train.log";
    job.settings = settings;
    job.settings_file = folder / "train.yaml";
    job.results = {folder / "adapter_config.json", folder / "adapter_model.safetensors"};
    job.leftovers = {folder};
    job.command = {
        "train",    "--model",         model.folder, "--data", in_output(this->job(data).results[0]),
        "--output", in_output(folder), "--resume"};
    job.made_with = {{"model", model.made_with},
                     {"data", digest_of(this->job(data).made_with)},
                     {"settings", comparable_settings("train", settings)}};
    job.work = this->job(data).work * number_setting_of(settings, "num_train_epochs").value_or(kTrainEpochs);
    if (const auto steps = number_setting_of(settings, "max_steps"); steps && *steps > 0)
      job.work = *steps * number_setting_of(settings, "per_device_train_batch_size").value_or(1);
    return job;
  }

  const Model& model_of(const std::string& name) {
    if (const auto known = models_.find(name); known != models_.end()) return known->second;
    const PlannedBase& base = entry_named(plan_.bases, name);
    Model model;
    if (base.parent.empty()) {
      model = {base.model, {{"folder", base.model}}, {}};
    } else {
      model = model_of(base.parent);
    }
    return models_[name] = base.is_made() ? made_model(base, model) : model;
  }

  // SFT unless the base says otherwise: a base is meant to know its data, whatever is studied on it.
  PlanSettings settings_of_base(const PlannedBase& base) const {
    const base::ConfigEntry sft{.key = "objective", .values = {"sft"}, .is_list = false, .line = base.line};
    return merged_settings(merged_settings(plan_.train, {sft}), base.train);
  }

  Model made_model(const PlannedBase& base, const Model& parent) {
    const fs::path folder = fs::path("bases") / base.name;
    const size_t data = data_job(base.data, 0);
    const size_t training = add(training_job(parent, data, folder / "adapter", settings_of_base(base)));
    StudyJob merge;
    merge.part = StudyPart::kTrain;
    merge.kind = "merge";
    merge.name = base.name + "/model";
    merge.needs = parent.needs;
    merge.needs.push_back(training);
    merge.record = folder / "merge.job.json";
    merge.log = folder / "merge.log";
    merge.results = {folder / "model/config.json"};
    merge.leftovers = {folder / "model"};
    merge.resumes = false;
    merge.command = {"merge",
                     "--model",
                     parent.folder,
                     "--adapter",
                     in_output(folder / "adapter"),
                     "--output",
                     in_output(folder / "model")};
    merge.made_with = {{"adapter", digest_of(job(training).made_with)}};
    merge.work = 1;
    const base::Json made_with = {{"made", digest_of(merge.made_with)}};
    return {in_output(folder / "model"), made_with, {add(std::move(merge))}};
  }

  // The answers of one set and their verdicts, for every decoding and part of the tasks.
  std::vector<size_t> add_sets(const AnswerSetPlace& about, const std::string& set,
                               std::optional<size_t> training) {
    std::vector<size_t> added;
    for (const PlannedSettings& decoding : plan_.decodings) {
      for (const PlannedFile& tasks : plan_.tasks) {
        AnswerSetPlace place = about;
        place.decoding = decoding.name;
        place.tasks = tasks.name;
        const size_t generation = add(generation_job(place, set, training));
        place.verification = add(verification_job(place, generation));
        place.training = training.value_or(0);
        added.insert(added.end(), {generation, place.verification});
        made_.sets.push_back(std::move(place));
      }
    }
    return added;
  }

  StudyJob generation_job(const AnswerSetPlace& place, const std::string& set,
                          std::optional<size_t> training) {
    const Model model = model_of(place.base);
    const size_t tasks = tasks_job(place.tasks);
    StudyJob job;
    job.part = StudyPart::kGenerate;
    job.kind = "generate";
    job.shared_output = fs::path("answers") / place.base / place.decoding / place.tasks;
    const fs::path folder = job.shared_output / set;
    job.name = folder.lexically_relative("answers").string();
    job.needs = model.needs;
    job.needs.push_back(tasks);
    if (training) {
      job.needs.push_back(*training);
      job.adapter = this->job(*training).record.parent_path();
    }
    job.record = folder / "generate.job.json";
    job.log = folder / "generate.log";
    job.settings = generation_settings_of(plan_, place.decoding);
    job.settings_file = job.shared_output / "generate.yaml";
    job.results = {folder / "answers.jsonl", folder / "generation.json"};
    job.leftovers = {folder};
    job.command = {"generate", "--model", model.folder, "--tasks", in_output(this->job(tasks).results[0])};
    job.made_with = {{"model", model.made_with},
                     {"adapter", training ? digest_of(this->job(*training).made_with) : ""},
                     {"tasks", digest_of(this->job(tasks).made_with)},
                     {"settings", comparable_settings("generate", job.settings)}};
    job.work = this->job(tasks).work * number_setting_of(job.settings, "samples").value_or(1);
    return job;
  }

  StudyJob verification_job(const AnswerSetPlace& place, size_t generation) {
    const size_t tasks = tasks_job(place.tasks);
    const fs::path folder = job(generation).record.parent_path();
    StudyJob made;
    made.part = StudyPart::kVerify;
    made.kind = "verify";
    made.name = job(generation).name;
    made.needs = {tasks, generation};
    made.record = folder / "verify.job.json";
    made.log = folder / "verify.log";
    made.settings = plan_.verify;
    made.settings_file = folder / "verify.yaml";
    made.results = {folder / "verdicts.jsonl", folder / "summary.json"};
    made.leftovers = {folder / "verdicts.jsonl", folder / "summary.json", folder / "run.json"};
    made.command = {"verify",
                    "--tasks",
                    in_output(job(tasks).results[0]),
                    "--answers",
                    in_output(folder / "answers.jsonl"),
                    "--output",
                    in_output(folder)};
    if (!setting_of(plan_.verify, "seed"))
      made.command.insert(made.command.end(), {"--seed", std::to_string(kVerifySeed)});
    made.made_with = {{"answers", digest_of(job(generation).made_with)},
                      {"settings", comparable_settings("verify", plan_.verify)}};
    made.work = job(generation).work;
    return made;
  }

  void add_base_sets(const std::string& base) {
    AnswerSetPlace place;
    place.base = base;
    place.method = kNoMethod;
    add_sets(place, std::string(kNoMethod), std::nullopt);
  }

  void add_cell(const StudyCell& cell) {
    const Model model = model_of(cell.base);
    const size_t data = data_job(cell.data, cell.seed);
    StudyJob training = training_job(model, data, fs::path("cells") / cell.base / cell.folder_name(),
                                     training_settings_of(plan_, cell.method));
    training.command.insert(training.command.end(), {"--seed", std::to_string(cell.seed)});
    training.made_with["seed"] = cell.seed;
    const size_t index = add(std::move(training));
    AnswerSetPlace place;
    place.base = cell.base;
    place.data = cell.data;
    place.method = cell.method;
    place.seed = cell.seed;
    std::vector<size_t> jobs = add_sets(place, cell.folder_name(), index);
    jobs.insert(jobs.begin(), index);
    made_.jobs_of_cell.push_back(std::move(jobs));
  }

  const StudyPlan& plan_;
  fs::path output_;
  StudyJobs made_;
  std::map<fs::path, size_t> files_;
  std::map<std::string, Model> models_;
};

}  // namespace

std::string_view name_of(StudyPart part) {
  switch (part) {
    case StudyPart::kData:
      return "data";
    case StudyPart::kTrain:
      return "train";
    case StudyPart::kGenerate:
      return "generate";
    case StudyPart::kVerify:
      return "verify";
    case StudyPart::kTables:
      return "tables";
  }
  return "";
}

StudyJobs jobs_of(const StudyPlan& plan, const fs::path& output) { return JobBuilder(plan, output).build(); }

std::vector<bool> chosen_jobs(const StudyJobs& jobs, const std::string& pattern) {
  std::vector<bool> chosen(jobs.jobs.size(), pattern.empty());
  for (const AnswerSetPlace& set : jobs.sets) {
    const bool is_base = set.method == kNoMethod;
    const std::string name =
        is_base ? set.base + "/" + set.method : StudyCell{set.base, set.data, set.method, set.seed}.name();
    if (fits_pattern(name, pattern)) chosen[set.verification] = true;
  }
  for (size_t i = jobs.jobs.size(); i-- > 0;) {
    if (!chosen[i]) continue;
    for (const size_t need : jobs.jobs[i].needs) chosen[need] = true;
  }
  return chosen;
}

std::string settings_as_yaml(const PlanSettings& settings) {
  std::string text;
  const auto quoted = [](const std::string& value) { return base::to_json_line(value); };
  for (const base::ConfigEntry& entry : settings) {
    if (entry.values.empty() && !entry.is_list) continue;  // null: the default stays
    std::vector<std::string> values;
    for (const std::string& value : entry.values) values.push_back(quoted(value));
    const std::string joined = fmt::format("{}", fmt::join(values, ", "));
    text += fmt::format("{}: {}\n", quoted(entry.key), entry.is_list ? "[" + joined + "]" : joined);
  }
  return text;
}

}  // namespace cuset::study
