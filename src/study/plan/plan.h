// The plan of a study: one YAML file that names bases, data, methods, tasks, decodings and seeds, and which of
// their combinations to measure. docs/study.md has the format.
//
// Settings of other commands (cuset train, generate, verify, gym) stay text here, with the line that they
// stand in: the commands' own readers know what each key takes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/config_file.h"

namespace cuset::study {

// In the order of the file.
using PlanSettings = std::vector<base::ConfigEntry>;

// A model folder, or a model that the study makes: another one, tuned on a data set of the plan and merged.
struct PlannedBase {
  std::string name;
  std::string model;   // folder; empty where `parent` is given
  std::string parent;  // name of another base
  std::string data;    // data set that it is tuned on; empty: `model` is used as it is
  PlanSettings train;
  int line = 0;

  bool is_made() const { return !data.empty(); }
};

// A file, options of `cuset gym data`, or what `cuset curate` leaves of a data set of the gym; tasks likewise, with options
// of `cuset gym tasks`.
struct PlannedFile {
  std::string name;
  std::string file;           // empty: the gym or a curation makes it
  std::string curated;        // name of the data set that is curated; empty: none
  std::string curation_plan;  // text of the plan, without sources
  PlanSettings options;
  std::optional<int64_t> seed;  // absent: the seed of the cell
  int line = 0;

  bool is_of_gym() const { return file.empty() && curated.empty(); }
};

// A named group of settings: a method's of `cuset train`, a decoding's of `cuset generate`.
struct PlannedSettings {
  std::string name;
  PlanSettings settings;
  int line = 0;
};

// Every combination of what it names.
struct CellChoice {
  std::vector<std::string> bases;
  std::vector<std::string> data;
  std::vector<std::string> methods;
  std::vector<int64_t> seeds;
};

// The name that stands for the base without an adapter, in `compare` and in tables.
inline constexpr std::string_view kNoMethod = "base";

// Two methods on the same data, or two data sets under the same method.
struct ComparedPair {
  std::string left;  // the difference is left - right
  std::string right;
};

struct StudyPlan {
  std::string name;  // of the file, without its extension
  std::string file;  // as given, for messages and reports
  std::string question;
  std::string prediction;
  std::vector<PlannedBase> bases;
  std::vector<PlannedFile> data;
  std::vector<PlannedSettings> methods;
  std::vector<PlannedFile> tasks;
  std::vector<PlannedSettings> decodings;
  PlanSettings train;
  PlanSettings generate;
  PlanSettings verify;
  std::vector<int64_t> seeds;
  std::vector<CellChoice> cells;  // at least one
  std::vector<ComparedPair> compare;
  std::vector<ComparedPair> compare_data;
};

// Throws UsageError "name:line: what is wrong (remedy)".
StudyPlan parse_study_plan(std::string_view text, const std::string& file);
StudyPlan read_study_plan(const std::filesystem::path& file);

// Throws UsageError if `command` ("train", "gym data") does not take these settings. `file` opens messages.
using SettingsCheck =
    std::function<void(std::string_view command, const PlanSettings& settings, const std::string& file)>;

// Asks `check` about every group of settings in the plan.
void check_plan_settings(const StudyPlan& plan, const SettingsCheck& check);

// The entry of this name. A bug of ours where there is none: the reader has checked names.
template <typename Entry>
const Entry& entry_named(const std::vector<Entry>& entries, std::string_view name);

extern template const PlannedBase& entry_named(const std::vector<PlannedBase>&, std::string_view);
extern template const PlannedFile& entry_named(const std::vector<PlannedFile>&, std::string_view);
extern template const PlannedSettings& entry_named(const std::vector<PlannedSettings>&, std::string_view);

// Whether this data is another one for every seed of the cells.
bool seed_varies(const StudyPlan& plan, const PlannedFile& data);

// The setting `key` if it is there with one value.
std::optional<std::string> setting_of(const PlanSettings& settings, std::string_view key);
// The same as a number; nothing also where the text is not one.
std::optional<double> number_setting_of(const PlanSettings& settings, std::string_view key);

// `shared` with `own` after it; an own entry replaces the shared one of the same key.
PlanSettings merged_settings(const PlanSettings& shared, const PlanSettings& own);

// What `cuset train` and `cuset generate` get.
PlanSettings training_settings_of(const StudyPlan& plan, const std::string& method);
PlanSettings generation_settings_of(const StudyPlan& plan, const std::string& decoding);

}  // namespace cuset::study
