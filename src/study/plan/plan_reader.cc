// The reader of plans: YAML to StudyPlan. Everything that is wrong is a UsageError with file, line and place.
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/nearest_name.h"
#include "study/plan/plan.h"

namespace cuset::study {
namespace {

constexpr size_t kLongestName = 60;
constexpr size_t kMostEntries = 1000;  // of a mapping or list; a study with more is a mistake
constexpr size_t kMostCells = 10'000;  // likewise

using Names = std::vector<std::string>;

// One entry of a mapping.
struct YamlEntry {
  std::string key;
  YAML::Node value;
  int line = 0;
};

class PlanReader {
 public:
  explicit PlanReader(std::string file) : file_(std::move(file)) {}

  StudyPlan read(std::string_view text);

 private:
  template <typename... Args>
  base::UsageError fault(int line, fmt::format_string<Args...> format, Args&&... args) const {
    return base::UsageError("{}:{}: {}", file_, line, fmt::format(format, std::forward<Args>(args)...));
  }

  static int line_of(const YAML::Node& node) { return node.Mark().is_null() ? 1 : node.Mark().line + 1; }

  std::vector<YamlEntry> mapping(const YAML::Node& node, const std::string& where) const;
  std::vector<YAML::Node> items(const YAML::Node& node, const std::string& where) const;
  std::string text(const YAML::Node& node, const std::string& where) const;
  int64_t whole_number(const YAML::Node& node, const std::string& where) const;
  void refuse_unknown(const YamlEntry& entry, const std::string& where, const Names& known) const;
  void check_name(const YamlEntry& entry, const std::string& where) const;
  void check_known(const std::string& name, const Names& known, const std::string& where, int line) const;

  base::ConfigEntry setting(const YamlEntry& entry, const std::string& where) const;
  PlanSettings settings(const YAML::Node& node, const std::string& where, const Names& reserved) const;

  void read_section(const YamlEntry& section, StudyPlan& plan);
  PlannedBase read_base(const YamlEntry& entry) const;
  PlannedFile read_file_entry(const YamlEntry& entry, const std::string& where, const Names& reserved) const;
  void read_method(const YamlEntry& entry, std::vector<PlannedSettings>& methods) const;
  void read_sweep(const YamlEntry& sweep, const PlannedSettings& method,
                  std::vector<PlannedSettings>& methods) const;
  std::vector<int64_t> read_seeds(const YAML::Node& node, const std::string& where) const;
  void read_cells(StudyPlan& plan) const;
  CellChoice read_choice(const YAML::Node& node, const CellChoice& all, const StudyPlan& plan) const;
  Names read_chosen(const YAML::Node& node, const std::string& where, const Names& known) const;
  void read_pairs(StudyPlan& plan) const;

  void require_sections(const StudyPlan& plan) const;
  void check_bases(const StudyPlan& plan) const;
  void check_methods(const StudyPlan& plan) const;
  void check_decodings(const StudyPlan& plan) const;

  std::string file_;
  YAML::Node cells_;  // read last: they name what other sections declare
  YAML::Node compare_;
};

// What the study itself passes to each command.
const Names& reserved_in_training() {
  static const Names kKeys = {"model",
                              "model_name_or_path",
                              "data",
                              "dataset",
                              "output",
                              "output_dir",
                              "resume",
                              "resume_from_checkpoint",
                              "overwrite_output_dir",
                              "finetuning_type",
                              "from_scratch"};
  return kKeys;
}

Names reserved_in_methods() {
  Names keys = reserved_in_training();
  keys.push_back("seed");
  return keys;
}

const Names kReservedInGeneration = {"model",   "adapter", "base", "tasks",
                                     "prompts", "output",  "only", "limit"};
const Names kReservedInVerification = {"tasks", "answers", "output", "only",
                                       "limit", "audit",   "show",   "json"};

template <typename Entry>
Names names_of_entries(const std::vector<Entry>& entries) {
  Names names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

bool has_name(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<YamlEntry> PlanReader::mapping(const YAML::Node& node, const std::string& where) const {
  if (node.IsNull()) return {};
  if (!node.IsMap()) {
    throw fault(line_of(node), "{} is not a mapping", where).with_remedy("write {{key: value, ...}}");
  }
  if (node.size() > kMostEntries) {
    throw fault(line_of(node), "{} has {} entries, more than {}", where, node.size(), kMostEntries);
  }
  std::vector<YamlEntry> entries;
  std::set<std::string> seen;
  for (const auto& pair : node) {
    const int line = line_of(pair.first);
    if (!pair.first.IsScalar()) throw fault(line, "{}: a key is not plain text", where);
    entries.push_back({pair.first.Scalar(), pair.second, line});
    if (!seen.insert(entries.back().key).second)
      throw fault(line, "{}: key {} appears twice", where, base::in_quotes(entries.back().key));
  }
  return entries;
}

std::vector<YAML::Node> PlanReader::items(const YAML::Node& node, const std::string& where) const {
  if (!node.IsSequence()) throw fault(line_of(node), "{} is not a list", where).with_remedy("write [a, b]");
  if (node.size() > kMostEntries)
    throw fault(line_of(node), "{} has {} items, more than {}", where, node.size(), kMostEntries);
  return {node.begin(), node.end()};
}

std::string PlanReader::text(const YAML::Node& node, const std::string& where) const {
  if (!node.IsScalar()) throw fault(line_of(node), "{} is not plain text", where);
  return node.Scalar();
}

int64_t PlanReader::whole_number(const YAML::Node& node, const std::string& where) const {
  const std::string digits = text(node, where);
  int64_t value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc() || end != digits.data() + digits.size() || value < 0) {
    throw fault(line_of(node), "{}: {} is not a whole number from 0 on", where, base::in_quotes(digits));
  }
  return value;
}

void PlanReader::refuse_unknown(const YamlEntry& entry, const std::string& where, const Names& known) const {
  if (has_name(known, entry.key)) return;
  throw fault(entry.line, "{}unknown key {}{}", where.empty() ? "" : where + ": ", base::in_quotes(entry.key),
              base::did_you_mean(entry.key, known))
      .with_remedy("it takes {}", fmt::join(known, ", "));
}

// Names become parts of file names and are joined by '-'.
void PlanReader::check_name(const YamlEntry& entry, const std::string& where) const {
  const std::string& name = entry.key;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool is_good =
      !name.empty() && name.size() <= kLongestName && is_plain(name[0]) &&
      std::all_of(name.begin(), name.end(), [&](char c) { return is_plain(c) || c == '_' || c == '.'; });
  if (!is_good) {
    throw fault(entry.line, "{}: {} cannot be a name", where, base::in_quotes(name))
        .with_remedy("use up to {} letters, digits, '_' and '.', a letter or digit first", kLongestName);
  }
}

void PlanReader::check_known(const std::string& name, const Names& known, const std::string& where,
                             int line) const {
  if (has_name(known, name)) return;
  throw fault(line, "{}: the plan has no {}{}", where, base::in_quotes(name), base::did_you_mean(name, known))
      .with_remedy("it has {}", fmt::join(known, ", "));
}

base::ConfigEntry PlanReader::setting(const YamlEntry& entry, const std::string& where) const {
  base::ConfigEntry made{
      .key = entry.key, .values = {}, .is_list = entry.value.IsSequence(), .line = entry.line};
  if (entry.value.IsNull()) return made;
  if (!made.is_list) {
    made.values.push_back(text(entry.value, where + "." + entry.key));
    return made;
  }
  for (const YAML::Node& item : items(entry.value, where + "." + entry.key))
    made.values.push_back(text(item, where + "." + entry.key));
  return made;
}

PlanSettings PlanReader::settings(const YAML::Node& node, const std::string& where,
                                  const Names& reserved) const {
  PlanSettings made;
  for (const YamlEntry& entry : mapping(node, where)) {
    if (has_name(reserved, entry.key)) {
      throw fault(entry.line, "{}: the study itself sets '{}'", where, entry.key)
          .with_remedy("remove this key");
    }
    made.push_back(setting(entry, where));
  }
  return made;
}

PlannedBase PlanReader::read_base(const YamlEntry& entry) const {
  const std::string where = "bases." + entry.key;
  PlannedBase made{.name = entry.key, .model = {}, .parent = {}, .data = {}, .train = {}, .line = entry.line};
  if (entry.value.IsScalar()) {
    made.model = entry.value.Scalar();
  } else {
    for (const YamlEntry& field : mapping(entry.value, where)) {
      refuse_unknown(field, where, {"model", "base", "data", "train"});
      if (field.key == "model") made.model = text(field.value, where + ".model");
      if (field.key == "base") made.parent = text(field.value, where + ".base");
      if (field.key == "data") made.data = text(field.value, where + ".data");
      if (field.key == "train") made.train = settings(field.value, where + ".train", reserved_in_training());
    }
  }
  if (made.model.empty() == made.parent.empty()) {
    throw fault(entry.line, "{} needs either a model folder or another base", where)
        .with_remedy("write {}: FOLDER, or {}: {{model: FOLDER, data: NAME}}", entry.key, entry.key);
  }
  return made;
}

PlannedFile PlanReader::read_file_entry(const YamlEntry& entry, const std::string& where,
                                        const Names& reserved) const {
  PlannedFile made{.name = entry.key, .file = {}, .options = {}, .seed = {}, .line = entry.line};
  for (const YamlEntry& field : mapping(entry.value, where)) {
    if (field.key == "file") {
      made.file = text(field.value, where + ".file");
    } else if (field.key == "seed") {
      made.seed = whole_number(field.value, where + ".seed");
    } else if (has_name(reserved, field.key)) {
      throw fault(field.line, "{}: the study itself sets '{}'", where, field.key)
          .with_remedy("remove this key");
    } else {
      made.options.push_back(setting(field, where));
    }
  }
  if (!made.file.empty() && (!made.options.empty() || made.seed)) {
    throw fault(entry.line, "{}: options of the gym beside a file", where)
        .with_remedy("keep either file or the options");
  }
  return made;
}

void PlanReader::read_method(const YamlEntry& entry, std::vector<PlannedSettings>& methods) const {
  const std::string where = "methods." + entry.key;
  if (entry.key == kNoMethod) {
    throw fault(entry.line, "methods: '{}' stands for the base without an adapter", kNoMethod)
        .with_remedy("choose another name");
  }
  PlannedSettings method{.name = entry.key, .settings = {}, .line = entry.line};
  std::optional<YamlEntry> sweep;
  for (const YamlEntry& field : mapping(entry.value, where)) {
    if (field.key == "sweep") {
      sweep = field;
    } else if (has_name(reserved_in_methods(), field.key)) {
      throw fault(field.line, "{}: the study itself sets '{}'", where, field.key)
          .with_remedy("remove this key");
    } else {
      method.settings.push_back(setting(field, where));
    }
  }
  if (sweep) {
    read_sweep(*sweep, method, methods);
  } else {
    methods.push_back(std::move(method));
  }
}

// sweep: {tau: [0.1, 0.3]} stands for the methods NAME_tau_0.1 and NAME_tau_0.3.
void PlanReader::read_sweep(const YamlEntry& sweep, const PlannedSettings& method,
                            std::vector<PlannedSettings>& methods) const {
  const std::string where = fmt::format("methods.{}.sweep", method.name);
  const std::vector<YamlEntry> keys = mapping(sweep.value, where);
  if (keys.size() != 1) {
    throw fault(sweep.line, "{} names {} settings", where, keys.size())
        .with_remedy("name one: sweep: {{tau: [0.1, 0.3]}}");
  }
  if (has_name(reserved_in_methods(), keys[0].key))
    throw fault(keys[0].line, "{}: the study itself sets '{}'", where, keys[0].key);
  for (const YAML::Node& value : items(keys[0].value, where + "." + keys[0].key)) {
    const base::ConfigEntry point{.key = keys[0].key,
                                  .values = {text(value, where + "." + keys[0].key)},
                                  .is_list = false,
                                  .line = line_of(value)};
    const std::string name = fmt::format("{}_{}_{}", method.name, point.key, point.values[0]);
    check_name({name, value, point.line}, where);
    if (has_name(names_of_entries(methods), name))
      throw fault(point.line, "{}: the method {} appears twice", where, name);
    methods.push_back({name, merged_settings(method.settings, {point}), point.line});
  }
}

std::vector<int64_t> PlanReader::read_seeds(const YAML::Node& node, const std::string& where) const {
  std::vector<YAML::Node> nodes;
  if (node.IsScalar()) {
    nodes.push_back(node);
  } else {
    nodes = items(node, where);
  }
  std::vector<int64_t> seeds;
  for (const YAML::Node& item : nodes) {
    seeds.push_back(whole_number(item, where));
    if (std::count(seeds.begin(), seeds.end(), seeds.back()) > 1)
      throw fault(line_of(item), "{}: {} appears twice", where, seeds.back());
  }
  if (seeds.empty()) throw fault(line_of(node), "{} is empty", where).with_remedy("write [1, 2, 3]");
  return seeds;
}

void PlanReader::read_section(const YamlEntry& section, StudyPlan& plan) {
  const std::string& key = section.key;
  if (key == "question") {
    plan.question = text(section.value, key);
  } else if (key == "prediction") {
    plan.prediction = text(section.value, key);
  } else if (key == "train") {
    plan.train = settings(section.value, key, reserved_in_methods());
  } else if (key == "generate") {
    plan.generate = settings(section.value, key, kReservedInGeneration);
  } else if (key == "verify") {
    plan.verify = settings(section.value, key, kReservedInVerification);
  } else if (key == "seeds") {
    plan.seeds = read_seeds(section.value, key);
  } else if (key == "cells") {
    cells_.reset(section.value);
  } else if (key == "compare") {
    compare_.reset(section.value);
  } else {
    for (const YamlEntry& entry : mapping(section.value, key)) {
      check_name(entry, key);
      const std::string where = key + "." + entry.key;
      if (key == "bases") plan.bases.push_back(read_base(entry));
      if (key == "data") plan.data.push_back(read_file_entry(entry, where, {"output"}));
      if (key == "tasks") plan.tasks.push_back(read_file_entry(entry, where, {"output", "answers"}));
      if (key == "methods") read_method(entry, plan.methods);
      if (key == "decodings") {
        plan.decodings.push_back(
            {entry.key, settings(entry.value, where, kReservedInGeneration), entry.line});
      }
    }
  }
}

void PlanReader::require_sections(const StudyPlan& plan) const {
  const auto require = [&](bool is_there, const char* section, const char* example) {
    if (is_there) return;
    throw base::UsageError("{}: the section '{}' is missing or empty", file_, section)
        .with_remedy("write {}: {}", section, example);
  };
  require(!plan.bases.empty(), "bases", "{builtin: assets/model}");
  require(!plan.data.empty(), "data", "{clean: {count: 3000}}");
  require(!plan.methods.empty(), "methods", "{sft: {objective: sft}}");
  require(!plan.tasks.empty(), "tasks", "{seen: {split: held_out, count: 240, seed: 100}}");
  require(!plan.seeds.empty(), "seeds", "[1, 2, 3]");
}

void PlanReader::check_bases(const StudyPlan& plan) const {
  Names earlier;
  for (const PlannedBase& base : plan.bases) {
    const std::string where = "bases." + base.name;
    if (!base.parent.empty()) check_known(base.parent, earlier, where + ".base (an earlier one)", base.line);
    earlier.push_back(base.name);
    if (!base.is_made()) {
      if (base.parent.empty() && base.train.empty()) continue;
      throw fault(base.line, "{} has no data to be tuned on", where).with_remedy("add data: NAME");
    }
    check_known(base.data, names_of_entries(plan.data), where + ".data", base.line);
    const PlannedFile& data = entry_named(plan.data, base.data);
    if (data.file.empty() && !data.seed) {
      throw fault(base.line, "{}: its data '{}' has no seed of its own", where, base.data)
          .with_remedy("add seed: 77 to data.{}", base.data);
    }
  }
}

void PlanReader::check_methods(const StudyPlan& plan) const {
  for (const PlannedSettings& method : plan.methods) {
    const PlanSettings all = merged_settings(plan.train, method.settings);
    if (setting_of(all, "objective") || setting_of(all, "method")) continue;
    throw fault(method.line, "methods.{} has no objective", method.name)
        .with_remedy("add objective: sft, or another one of `cuset train --help`");
  }
}

void PlanReader::check_decodings(const StudyPlan& plan) const {
  for (const PlannedSettings& decoding : plan.decodings) {
    const PlanSettings all = merged_settings(plan.generate, decoding.settings);
    if (setting_of(all, "level") == "all") {
      throw fault(decoding.line, "decodings.{}: level all makes several sets of answers", decoding.name)
          .with_remedy("make one decoding for each level");
    }
  }
}

Names PlanReader::read_chosen(const YAML::Node& node, const std::string& where, const Names& known) const {
  std::vector<YAML::Node> nodes;
  if (node.IsScalar()) {
    nodes.push_back(node);
  } else {
    nodes = items(node, where);
  }
  Names chosen;
  for (const YAML::Node& item : nodes) {
    chosen.push_back(text(item, where));
    check_known(chosen.back(), known, where, line_of(item));
  }
  if (chosen.empty()) throw fault(line_of(node), "{} is empty", where).with_remedy("remove the key: all");
  return chosen;
}

CellChoice PlanReader::read_choice(const YAML::Node& node, const CellChoice& all,
                                   const StudyPlan& plan) const {
  CellChoice choice = all;
  for (const YamlEntry& field : mapping(node, "cells")) {
    refuse_unknown(field, "cells", {"base", "data", "method", "seed"});
    const std::string where = "cells." + field.key;
    if (field.key == "base") choice.bases = read_chosen(field.value, where, names_of_entries(plan.bases));
    if (field.key == "data") choice.data = read_chosen(field.value, where, names_of_entries(plan.data));
    if (field.key == "method")
      choice.methods = read_chosen(field.value, where, names_of_entries(plan.methods));
    if (field.key == "seed") choice.seeds = read_seeds(field.value, where);
  }
  return choice;
}

// Data that a base is made of is left out of "all": it is there for the base.
void PlanReader::read_cells(StudyPlan& plan) const {
  CellChoice all{names_of_entries(plan.bases), {}, names_of_entries(plan.methods), plan.seeds};
  for (const PlannedFile& data : plan.data) {
    const bool makes_base = std::any_of(plan.bases.begin(), plan.bases.end(),
                                        [&](const PlannedBase& base) { return base.data == data.name; });
    if (!makes_base) all.data.push_back(data.name);
  }
  if (cells_.IsNull()) {
    plan.cells.push_back(std::move(all));
  } else {
    for (const YAML::Node& item : items(cells_, "cells")) plan.cells.push_back(read_choice(item, all, plan));
  }
  size_t cells = 0;
  for (const CellChoice& choice : plan.cells)
    cells += choice.bases.size() * choice.data.size() * choice.methods.size() * choice.seeds.size();
  if (cells == 0) {
    throw base::UsageError("{}: the plan has no cell: all of its data makes bases", file_)
        .with_remedy("add a data set, or name one under cells");
  }
  if (cells > kMostCells)
    throw base::UsageError("{}: {} cells, more than {}", file_, cells, kMostCells)
        .with_remedy("choose fewer combinations under cells");
}

void PlanReader::read_pairs(StudyPlan& plan) const {
  Names known = names_of_entries(plan.methods);
  known.emplace_back(kNoMethod);
  if (!compare_.IsNull()) {
    for (const YAML::Node& item : items(compare_, "compare")) {
      const Names pair = read_chosen(item, "compare", known);
      if (pair.size() != 2 || pair[0] == pair[1]) {
        throw fault(line_of(item), "compare: an entry is not two different methods")
            .with_remedy("write [[cuset, sft], [cuset, base]]");
      }
      plan.compare.push_back({pair[0], pair[1]});
    }
    return;
  }
  for (const PlannedSettings& method : plan.methods)
    plan.compare.push_back({method.name, std::string(kNoMethod)});
  if (!has_name(known, "sft")) return;
  for (const PlannedSettings& method : plan.methods)
    if (method.name != "sft") plan.compare.push_back({method.name, "sft"});
}

StudyPlan PlanReader::read(std::string_view text) {
  const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
  if (documents.size() > 1)
    throw base::UsageError("{}: {} YAML documents", file_, documents.size()).with_remedy("keep one");
  StudyPlan plan;
  plan.file = file_;
  plan.name = std::filesystem::path(file_).stem().string();
  const Names sections = {"question",  "prediction", "bases",  "data",  "methods", "train",  "tasks",
                          "decodings", "generate",   "verify", "seeds", "cells",   "compare"};
  const YAML::Node root = documents.empty() ? YAML::Node() : documents[0];
  for (const YamlEntry& section : mapping(root, "the plan")) {
    refuse_unknown(section, "", sections);
    read_section(section, plan);
  }
  require_sections(plan);
  if (plan.decodings.empty()) plan.decodings.push_back({"greedy", {}, 1});
  check_bases(plan);
  check_methods(plan);
  check_decodings(plan);
  read_cells(plan);
  read_pairs(plan);
  return plan;
}

}  // namespace

StudyPlan parse_study_plan(std::string_view text, const std::string& file) {
  try {
    return PlanReader(file).read(text);
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 1 : error.mark.line + 1;
    throw base::UsageError("{}:{}: not valid YAML: {}", file, line, error.msg)
        .with_remedy("docs/study.md has an example");
  }
}

StudyPlan read_study_plan(const std::filesystem::path& file) {
  return parse_study_plan(base::read_file(file), file.string());
}

}  // namespace cuset::study
