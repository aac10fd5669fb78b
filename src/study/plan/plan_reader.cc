// The reader of plans: YAML to StudyPlan. Everything that is wrong is a UsageError with file, line and place.
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/yaml_source.h"
#include "curate/plan/plan.h"
#include "study/plan/plan.h"

namespace cuset::study {
namespace {

using base::has_name;
using base::Names;
using base::YamlEntry;
using base::YamlSource;

constexpr size_t kMostCells = 10'000;  // a study with more is a mistake

class PlanReader {
 public:
  explicit PlanReader(const std::string& file) : file_(file), yaml_(file, "study") {}

  StudyPlan read(std::string_view text);

 private:
  void read_section(const YamlEntry& section, StudyPlan& plan);
  PlannedBase read_base(const YamlEntry& entry) const;
  PlannedFile read_file_entry(const YamlEntry& entry, const std::string& where, const Names& reserved) const;
  void read_curation(PlannedFile& data, const std::string& plan, const std::string& where) const;
  void read_method(const YamlEntry& entry, std::vector<PlannedSettings>& methods) const;
  void read_sweep(const YamlEntry& sweep, const PlannedSettings& method,
                  std::vector<PlannedSettings>& methods) const;
  std::vector<int64_t> read_seeds(const YAML::Node& node, const std::string& where) const;
  void read_cells(StudyPlan& plan) const;
  CellChoice read_choice(const YAML::Node& node, const CellChoice& all, const StudyPlan& plan) const;
  Names read_chosen(const YAML::Node& node, const std::string& where, const Names& known) const;
  void read_pairs(StudyPlan& plan) const;
  std::vector<ComparedPair> read_pairs_of(const YAML::Node& node, const std::string& where,
                                          const Names& known, const char* example) const;

  void require_sections(const StudyPlan& plan) const;
  void check_curations(const StudyPlan& plan) const;
  void check_bases(const StudyPlan& plan) const;
  void check_methods(const StudyPlan& plan) const;
  void check_decodings(const StudyPlan& plan) const;

  std::string file_;
  YamlSource yaml_;
  YAML::Node cells_;  // read last: they name what other sections declare
  YAML::Node compare_;
  YAML::Node compare_data_;
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

PlannedBase PlanReader::read_base(const YamlEntry& entry) const {
  const std::string where = "bases." + entry.key;
  PlannedBase made{.name = entry.key, .model = {}, .parent = {}, .data = {}, .train = {}, .line = entry.line};
  if (entry.value.IsScalar()) {
    made.model = entry.value.Scalar();
  } else {
    for (const YamlEntry& field : yaml_.mapping(entry.value, where)) {
      yaml_.refuse_unknown(field, where, {"model", "base", "data", "train"});
      if (field.key == "model") made.model = yaml_.text(field.value, where + ".model");
      if (field.key == "base") made.parent = yaml_.text(field.value, where + ".base");
      if (field.key == "data") made.data = yaml_.text(field.value, where + ".data");
      if (field.key == "train")
        made.train = yaml_.settings(field.value, where + ".train", reserved_in_training());
    }
  }
  if (made.model.empty() == made.parent.empty()) {
    throw yaml_.fault(entry.line, "{} needs either a model folder or another base", where)
        .with_remedy("write {}: FOLDER, or {}: {{model: FOLDER, data: NAME}}", entry.key, entry.key);
  }
  return made;
}

PlannedFile PlanReader::read_file_entry(const YamlEntry& entry, const std::string& where,
                                        const Names& reserved) const {
  PlannedFile made;
  made.name = entry.key;
  made.line = entry.line;
  std::string plan;
  for (const YamlEntry& field : yaml_.mapping(entry.value, where)) {
    if (field.key == "file") {
      made.file = yaml_.text(field.value, where + ".file");
    } else if (field.key == "seed") {
      made.seed = yaml_.whole_number(field.value, where + ".seed");
    } else if (field.key == "curate") {
      made.curated = yaml_.text(field.value, where + ".curate");
    } else if (field.key == "plan") {
      plan = yaml_.text(field.value, where + ".plan");
    } else {
      yaml_.refuse_reserved(field, where, reserved);
      made.options.push_back(yaml_.setting(field, where));
    }
  }
  if (!made.file.empty() && (!made.options.empty() || made.seed)) {
    throw yaml_.fault(entry.line, "{}: options of the gym beside a file", where)
        .with_remedy("keep either file or the options");
  }
  if (!made.curated.empty() || !plan.empty()) read_curation(made, plan, where);
  return made;
}

void PlanReader::read_curation(PlannedFile& data, const std::string& plan, const std::string& where) const {
  if (data.curated.empty() || plan.empty() || !data.file.empty() || !data.options.empty() || data.seed) {
    throw yaml_.fault(data.line, "{}: a curation needs curate and plan, and nothing else", where)
        .with_remedy("write {}: {{curate: NAME_OF_DATA, plan: FILE}}", data.name);
  }
  std::error_code failed;
  if (!std::filesystem::is_regular_file(plan, failed)) {
    throw yaml_.fault(data.line, "{}.plan: no such file: {}", where, plan)
        .with_remedy("paths in a plan are relative to the current folder");
  }
  data.curation_plan = base::read_file(plan);
  // Faults are found before the work begins. What stands in for the source is any file.
  const std::string source = fmt::format("\nsources: {{data: {{file: {}}}}}\n", base::in_quotes(plan));
  const curate::CurationPlan read = curate::parse_curation_plan(data.curation_plan + source, plan);
  if (read.sources.size() > 1)
    throw base::UsageError("{}: a study names the source itself", plan)
        .with_remedy("remove the section sources");
}

void PlanReader::read_method(const YamlEntry& entry, std::vector<PlannedSettings>& methods) const {
  const std::string where = "methods." + entry.key;
  if (entry.key == kNoMethod) {
    throw yaml_.fault(entry.line, "methods: '{}' stands for the base without an adapter", kNoMethod)
        .with_remedy("choose another name");
  }
  PlannedSettings method{.name = entry.key, .settings = {}, .line = entry.line};
  std::optional<YamlEntry> sweep;
  for (const YamlEntry& field : yaml_.mapping(entry.value, where)) {
    if (field.key == "sweep") {
      sweep = field;
    } else {
      yaml_.refuse_reserved(field, where, reserved_in_methods());
      method.settings.push_back(yaml_.setting(field, where));
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
  const std::vector<YamlEntry> keys = yaml_.mapping(sweep.value, where);
  if (keys.size() != 1) {
    throw yaml_.fault(sweep.line, "{} names {} settings", where, keys.size())
        .with_remedy("name one: sweep: {{tau: [0.1, 0.3]}}");
  }
  yaml_.refuse_reserved(keys[0], where, reserved_in_methods());
  for (const YAML::Node& value : yaml_.items(keys[0].value, where + "." + keys[0].key)) {
    const base::ConfigEntry point{.key = keys[0].key,
                                  .values = {yaml_.text(value, where + "." + keys[0].key)},
                                  .is_list = false,
                                  .line = YamlSource::line_of(value)};
    const std::string name = fmt::format("{}_{}_{}", method.name, point.key, point.values[0]);
    yaml_.check_name({name, value, point.line}, where);
    if (has_name(names_of_entries(methods), name))
      throw yaml_.fault(point.line, "{}: the method {} appears twice", where, name);
    methods.push_back({name, merged_settings(method.settings, {point}), point.line});
  }
}

std::vector<int64_t> PlanReader::read_seeds(const YAML::Node& node, const std::string& where) const {
  std::vector<int64_t> seeds;
  for (const YAML::Node& item : yaml_.items_or_one(node, where)) {
    seeds.push_back(yaml_.whole_number(item, where));
    if (std::count(seeds.begin(), seeds.end(), seeds.back()) > 1)
      throw yaml_.fault(YamlSource::line_of(item), "{}: {} appears twice", where, seeds.back());
  }
  if (seeds.empty())
    throw yaml_.fault(YamlSource::line_of(node), "{} is empty", where).with_remedy("write [1, 2, 3]");
  return seeds;
}

void PlanReader::read_section(const YamlEntry& section, StudyPlan& plan) {
  const std::string& key = section.key;
  if (key == "question") {
    plan.question = yaml_.text(section.value, key);
  } else if (key == "prediction") {
    plan.prediction = yaml_.text(section.value, key);
  } else if (key == "train") {
    plan.train = yaml_.settings(section.value, key, reserved_in_methods());
  } else if (key == "generate") {
    plan.generate = yaml_.settings(section.value, key, kReservedInGeneration);
  } else if (key == "verify") {
    plan.verify = yaml_.settings(section.value, key, kReservedInVerification);
  } else if (key == "seeds") {
    plan.seeds = read_seeds(section.value, key);
  } else if (key == "cells") {
    cells_.reset(section.value);
  } else if (key == "compare") {
    compare_.reset(section.value);
  } else if (key == "compare_data") {
    compare_data_.reset(section.value);
  } else {
    for (const YamlEntry& entry : yaml_.mapping(section.value, key)) {
      yaml_.check_name(entry, key);
      const std::string where = key + "." + entry.key;
      if (key == "bases") plan.bases.push_back(read_base(entry));
      if (key == "data") plan.data.push_back(read_file_entry(entry, where, {"output", "tasks"}));
      if (key == "tasks")
        plan.tasks.push_back(read_file_entry(entry, where, {"output", "answers", "curate", "plan"}));
      if (key == "methods") read_method(entry, plan.methods);
      if (key == "decodings") {
        plan.decodings.push_back(
            {entry.key, yaml_.settings(entry.value, where, kReservedInGeneration), entry.line});
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

void PlanReader::check_curations(const StudyPlan& plan) const {
  Names of_gym;
  for (const PlannedFile& data : plan.data) {
    if (!data.curated.empty())
      yaml_.check_known(data.curated, of_gym,
                        fmt::format("data.{}.curate (earlier data of the gym)", data.name), data.line);
    if (data.is_of_gym()) of_gym.push_back(data.name);
  }
}

void PlanReader::check_bases(const StudyPlan& plan) const {
  Names earlier;
  for (const PlannedBase& base : plan.bases) {
    const std::string where = "bases." + base.name;
    if (!base.parent.empty())
      yaml_.check_known(base.parent, earlier, where + ".base (an earlier one)", base.line);
    earlier.push_back(base.name);
    if (!base.is_made()) {
      if (base.parent.empty() && base.train.empty()) continue;
      throw yaml_.fault(base.line, "{} has no data to be tuned on", where).with_remedy("add data: NAME");
    }
    yaml_.check_known(base.data, names_of_entries(plan.data), where + ".data", base.line);
    const PlannedFile& data = entry_named(plan.data, base.data);
    if (seed_varies(plan, data)) {
      throw yaml_.fault(base.line, "{}: its data '{}' has no seed of its own", where, base.data)
          .with_remedy("add seed: 77 to data.{}", data.curated.empty() ? base.data : data.curated);
    }
  }
}

void PlanReader::check_methods(const StudyPlan& plan) const {
  for (const PlannedSettings& method : plan.methods) {
    const PlanSettings all = merged_settings(plan.train, method.settings);
    if (setting_of(all, "objective") || setting_of(all, "method")) continue;
    throw yaml_.fault(method.line, "methods.{} has no objective", method.name)
        .with_remedy("add objective: sft, or another one of `cuset train --help`");
  }
}

void PlanReader::check_decodings(const StudyPlan& plan) const {
  for (const PlannedSettings& decoding : plan.decodings) {
    const PlanSettings all = merged_settings(plan.generate, decoding.settings);
    if (setting_of(all, "level") == "all") {
      throw yaml_.fault(decoding.line, "decodings.{}: level all makes several sets of answers", decoding.name)
          .with_remedy("make one decoding for each level");
    }
  }
}

Names PlanReader::read_chosen(const YAML::Node& node, const std::string& where, const Names& known) const {
  Names chosen;
  for (const YAML::Node& item : yaml_.items_or_one(node, where)) {
    chosen.push_back(yaml_.text(item, where));
    yaml_.check_known(chosen.back(), known, where, YamlSource::line_of(item));
  }
  if (chosen.empty())
    throw yaml_.fault(YamlSource::line_of(node), "{} is empty", where).with_remedy("remove the key: all");
  return chosen;
}

CellChoice PlanReader::read_choice(const YAML::Node& node, const CellChoice& all,
                                   const StudyPlan& plan) const {
  CellChoice choice = all;
  for (const YamlEntry& field : yaml_.mapping(node, "cells")) {
    yaml_.refuse_unknown(field, "cells", {"base", "data", "method", "seed"});
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
    for (const YAML::Node& item : yaml_.items(cells_, "cells"))
      plan.cells.push_back(read_choice(item, all, plan));
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
  plan.compare_data =
      read_pairs_of(compare_data_, "compare_data", names_of_entries(plan.data), "[[curated, noisy]]");
  if (!compare_.IsNull()) {
    plan.compare = read_pairs_of(compare_, "compare", known, "[[cuset, sft], [cuset, base]]");
    return;
  }
  for (const PlannedSettings& method : plan.methods)
    plan.compare.push_back({method.name, std::string(kNoMethod)});
  if (!has_name(known, "sft")) return;
  for (const PlannedSettings& method : plan.methods)
    if (method.name != "sft") plan.compare.push_back({method.name, "sft"});
}

std::vector<ComparedPair> PlanReader::read_pairs_of(const YAML::Node& node, const std::string& where,
                                                    const Names& known, const char* example) const {
  std::vector<ComparedPair> pairs;
  if (node.IsNull()) return pairs;
  for (const YAML::Node& item : yaml_.items(node, where)) {
    const Names pair = read_chosen(item, where, known);
    if (pair.size() != 2 || pair[0] == pair[1])
      throw yaml_.fault(YamlSource::line_of(item), "{}: an entry is not two different names", where)
          .with_remedy("write {}", example);
    pairs.push_back({pair[0], pair[1]});
  }
  return pairs;
}

StudyPlan PlanReader::read(std::string_view text) {
  const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
  if (documents.size() > 1)
    throw base::UsageError("{}: {} YAML documents", file_, documents.size()).with_remedy("keep one");
  StudyPlan plan;
  plan.file = file_;
  plan.name = std::filesystem::path(file_).stem().string();
  const Names sections = {"question",  "prediction", "bases",  "data",  "methods", "train",   "tasks",
                          "decodings", "generate",   "verify", "seeds", "cells",   "compare", "compare_data"};
  const YAML::Node root = documents.empty() ? YAML::Node() : documents[0];
  for (const YamlEntry& section : yaml_.mapping(root, "the plan")) {
    yaml_.refuse_unknown(section, "", sections);
    read_section(section, plan);
  }
  require_sections(plan);
  if (plan.decodings.empty()) plan.decodings.push_back({"greedy", {}, 1});
  check_curations(plan);
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
