#include <yaml-cpp/yaml.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/yaml_source.h"
#include "curate/plan/plan.h"
#include "judge/verdict/verdict.h"

namespace cuset::curate {
namespace {

using base::Names;
using base::YamlEntry;

constexpr std::array<std::string_view, 6> kRules = {"all",      "concur",  "random",
                                                    "shortest", "longest", "fastest"};

// What the curation itself passes to the judge.
const Names kReservedInVerify = {"tasks", "answers", "output", "only", "limit",
                                 "audit", "show",    "json",   "level"};

class CurationPlanReader {
 public:
  explicit CurationPlanReader(const std::string& file) : file_(file), yaml_(file, "curation") {}

  CurationPlan read(std::string_view text);

 private:
  void read_section(const YamlEntry& section, CurationPlan& plan) const;
  PlannedSource read_source(const YamlEntry& entry) const;
  EndpointOptions read_endpoint(const YamlEntry& field, const std::string& where) const;
  void read_endpoint_field(const YamlEntry& field, const std::string& where, EndpointOptions& options) const;
  void check_endpoint(const EndpointOptions& options, const std::string& where, int line) const;
  void check_source(const PlannedSource& source) const;
  void read_normalize(const YamlEntry& field, NormalizeOptions& options) const;
  void read_duplicates(const YamlEntry& field, DuplicateOptions& options) const;
  void read_decontaminate(const YamlEntry& field, DecontaminationOptions& options) const;
  void read_screen(const YamlEntry& field, ScreeningOptions& options) const;
  void read_verify(const YamlEntry& field, VerifyOptions& options) const;
  LikelihoodOptions read_confidence(const YamlEntry& section) const;
  void read_select(const YamlEntry& field, SelectOptions& options) const;
  void read_weights(const YamlEntry& field, RowWeights& weights) const;

  std::string existing(const YAML::Node& node, const std::string& where) const;
  double number(const YAML::Node& node, const std::string& where, double low, double high) const;
  int64_t whole(const YAML::Node& node, const std::string& where, int64_t low) const;
  bool yes_or_no(const YAML::Node& node, const std::string& where) const;
  Names texts(const YAML::Node& node, const std::string& where) const;

  std::string file_;
  base::YamlSource yaml_;
};

// A file or folder: one that is missing is found before the work begins.
std::string CurationPlanReader::existing(const YAML::Node& node, const std::string& where) const {
  const std::string path = yaml_.text(node, where);
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) {
    throw yaml_.fault(base::YamlSource::line_of(node), "{}: no such file or folder: {}", where, path)
        .with_remedy("paths in a plan are relative to the current folder");
  }
  return path;
}

double CurationPlanReader::number(const YAML::Node& node, const std::string& where, double low,
                                  double high) const {
  const std::string digits = yaml_.text(node, where);
  double value = 0;
  if (!YAML::convert<double>::decode(node, value) || !(value >= low && value <= high)) {
    const std::string range = high == std::numeric_limits<double>::infinity()
                                  ? fmt::format("of {} or more", low)
                                  : fmt::format("from {} to {}", low, high);
    throw yaml_.fault(base::YamlSource::line_of(node), "{}: {} is not a number {}", where,
                      base::in_quotes(digits), range);
  }
  return value;
}

int64_t CurationPlanReader::whole(const YAML::Node& node, const std::string& where, int64_t low) const {
  const int64_t value = yaml_.whole_number(node, where);
  if (value < low)
    throw yaml_.fault(base::YamlSource::line_of(node), "{}: {} is less than {}", where, value, low);
  return value;
}

bool CurationPlanReader::yes_or_no(const YAML::Node& node, const std::string& where) const {
  bool value = false;
  if (!node.IsScalar() || !YAML::convert<bool>::decode(node, value)) {
    throw yaml_.fault(base::YamlSource::line_of(node), "{} is neither true nor false", where);
  }
  return value;
}

Names CurationPlanReader::texts(const YAML::Node& node, const std::string& where) const {
  Names found;
  for (const YAML::Node& item : yaml_.items_or_one(node, where)) found.push_back(yaml_.text(item, where));
  return found;
}

PlannedSource CurationPlanReader::read_source(const YamlEntry& entry) const {
  const std::string where = "sources." + entry.key;
  PlannedSource source;
  source.name = entry.key;
  source.line = entry.line;
  for (const YamlEntry& field : yaml_.mapping(entry.value, where)) {
    const std::string place = where + "." + field.key;
    yaml_.refuse_unknown(field, where,
                         {"folder", "file", "tasks", "answers", "endpoint", "level", "license", "prompt"});
    if (field.key == "folder") source.folder = existing(field.value, place);
    if (field.key == "file") source.file = existing(field.value, place);
    if (field.key == "tasks") source.tasks = existing(field.value, place);
    if (field.key == "answers") source.answers = existing(field.value, place);
    if (field.key == "endpoint") source.endpoint = read_endpoint(field, place);
    if (field.key == "level") source.level = yaml_.text(field.value, place);
    if (field.key == "license") source.license = yaml_.text(field.value, place);
    if (field.key == "prompt") source.prompt = yaml_.text(field.value, place);
  }
  check_source(source);
  return source;
}

void CurationPlanReader::check_source(const PlannedSource& source) const {
  const std::string where = "sources." + source.name;
  const int given =
      !source.folder.empty() + !source.file.empty() + !source.answers.empty() + (source.endpoint ? 1 : 0);
  if (given != 1) {
    throw yaml_
        .fault(source.line, "{} names {} of folder, file, answers and endpoint", where,
               given == 0 ? "none" : "several")
        .with_remedy(
            "write one: {{folder: F}}, {{file: F}}, {{file: F, tasks: T}}, {{tasks: T, answers: A}}, or "
            "{{tasks: T, endpoint: {{url: U, model: M}}}}");
  }
  if (!source.answers.empty() && source.tasks.empty())
    throw yaml_.fault(source.line, "{} has answers without tasks", where).with_remedy("add tasks: FILE");
  if (source.endpoint && source.tasks.empty())
    throw yaml_.fault(source.line, "{} has an endpoint without tasks to ask it", where)
        .with_remedy("add tasks: FILE");
  if (!source.folder.empty() && !source.tasks.empty())
    throw yaml_.fault(source.line, "{}: files of a folder answer no tasks", where)
        .with_remedy("remove tasks");
  if (source.folder.empty() && !source.prompt.empty())
    throw yaml_.fault(source.line, "{}: samples bring their own prompts", where).with_remedy("remove prompt");
}

EndpointOptions CurationPlanReader::read_endpoint(const YamlEntry& field, const std::string& where) const {
  EndpointOptions options;
  for (const YamlEntry& entry : yaml_.mapping(field.value, where)) {
    yaml_.refuse_unknown(
        entry, where,
        {"url", "model", "key", "samples", "temperature", "top_p", "max_tokens", "max_tokens_key", "seed",
         "reasoning_effort", "system", "parallel", "retries", "timeout", "backoff", "price_in", "price_out"});
    read_endpoint_field(entry, where + "." + entry.key, options);
  }
  check_endpoint(options, where, field.line);
  while (options.url.ends_with('/')) options.url.pop_back();
  return options;
}

void CurationPlanReader::read_endpoint_field(const YamlEntry& field, const std::string& where,
                                             EndpointOptions& options) const {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  const std::string& key = field.key;
  if (key == "url") options.url = yaml_.text(field.value, where);
  if (key == "model") options.model = yaml_.text(field.value, where);
  if (key == "key") options.key = yaml_.text(field.value, where);
  if (key == "samples") options.samples = whole(field.value, where, 1);
  if (key == "temperature") options.temperature = number(field.value, where, 0, 10);
  if (key == "top_p") options.top_p = number(field.value, where, 0, 1);
  if (key == "max_tokens") options.max_tokens = whole(field.value, where, 1);
  if (key == "max_tokens_key") options.max_tokens_key = yaml_.text(field.value, where);
  if (key == "seed") options.seed = whole(field.value, where, 0);
  if (key == "reasoning_effort") options.reasoning_effort = yaml_.text(field.value, where);
  if (key == "system") options.system = yaml_.text(field.value, where);
  if (key == "parallel") options.parallel = whole(field.value, where, 1);
  if (key == "retries") options.retries = whole(field.value, where, 0);
  if (key == "timeout") options.timeout = number(field.value, where, 0.001, 1e6);
  if (key == "backoff") options.backoff = number(field.value, where, 0, 60);
  if (key == "price_in") options.price_in = number(field.value, where, 0, kNoLimit);
  if (key == "price_out") options.price_out = number(field.value, where, 0, kNoLimit);
}

// What could be a key is not repeated: the plan is part of the data card, and messages end up in logs.
void CurationPlanReader::check_endpoint(const EndpointOptions& options, const std::string& where,
                                        int line) const {
  if (options.url.empty() || options.model.empty())
    throw yaml_.fault(line, "{} needs url and model", where)
        .with_remedy("write endpoint: {{url: https://host/v1, model: NAME}}");
  const bool is_web = options.url.starts_with("http://") || options.url.starts_with("https://");
  if (!is_web || options.url.find_first_of("@?# ") != std::string::npos)
    throw yaml_.fault(line, "{}.url is not of the form https://host/path", where)
        .with_remedy("a key belongs into an environment variable that key names");
  constexpr std::string_view kNameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  if (options.key.find_first_not_of(kNameLetters) != std::string::npos || options.key.size() > 64)
    throw yaml_.fault(line, "{}.key is not the name of an environment variable in capitals", where)
        .with_remedy("put the key itself into a variable, such as TEACHER_API_KEY, and name that");
  if (options.max_tokens_key != "max_tokens" && options.max_tokens_key != "max_completion_tokens")
    throw yaml_.fault(line, "{}.max_tokens_key is neither max_tokens nor max_completion_tokens", where);
  if (options.parallel > 1024) throw yaml_.fault(line, "{}.parallel is more than 1024", where);
}

void CurationPlanReader::read_normalize(const YamlEntry& field, NormalizeOptions& options) const {
  const std::string where = "normalize." + field.key;
  yaml_.refuse_unknown(field, "normalize", {"min_tokens", "max_bytes"});
  if (field.key == "min_tokens") options.min_tokens = whole(field.value, where, 0);
  if (field.key == "max_bytes") options.max_bytes = whole(field.value, where, 1);
}

void CurationPlanReader::read_duplicates(const YamlEntry& field, DuplicateOptions& options) const {
  const std::string where = "duplicates." + field.key;
  yaml_.refuse_unknown(field, "duplicates", {"exact", "near", "run", "across_tasks"});
  if (field.key == "exact") options.exact = yes_or_no(field.value, where);
  if (field.key == "near") options.near = number(field.value, where, 0, 1);
  if (field.key == "run") options.run = whole(field.value, where, 2);
  if (field.key == "across_tasks") options.across_tasks = yes_or_no(field.value, where);
}

void CurationPlanReader::read_decontaminate(const YamlEntry& field, DecontaminationOptions& options) const {
  const std::string where = "decontaminate." + field.key;
  yaml_.refuse_unknown(field, "decontaminate", {"files", "overlap"});
  if (field.key == "overlap") options.overlap = number(field.value, where, 0.01, 1);
  if (field.key != "files") return;
  for (const YAML::Node& item : yaml_.items_or_one(field.value, where))
    options.files.emplace_back(existing(item, where));
}

void CurationPlanReader::read_screen(const YamlEntry& field, ScreeningOptions& options) const {
  const std::string where = "screen." + field.key;
  yaml_.refuse_unknown(field, "screen", {"secrets", "licenses", "unknown_license"});
  if (field.key == "secrets") options.secrets = yes_or_no(field.value, where);
  if (field.key == "licenses") options.licenses = texts(field.value, where);
  if (field.key == "unknown_license") options.unknown_license = yes_or_no(field.value, where);
}

void CurationPlanReader::read_verify(const YamlEntry& field, VerifyOptions& options) const {
  const std::string where = "verify." + field.key;
  if (field.key == "unverified") {
    options.unverified = yes_or_no(field.value, where);
  } else if (field.key == "harness") {
    options.harness = yes_or_no(field.value, where);
  } else if (field.key == "harness_seconds") {
    options.harness_seconds = number(field.value, where, 0.1, 3600);
  } else if (field.key == "propose") {
    options.propose = texts(field.value, where);
  } else if (field.key == "propose_seconds") {
    options.propose_seconds = number(field.value, where, 0.1, 3600);
  } else if (field.key == "keep") {
    options.keep = texts(field.value, where);
    Names known;
    for (int i = 0; i < judge::kOutcomes; ++i)
      known.emplace_back(judge::name_of(static_cast<judge::Outcome>(i)));
    for (const std::string& outcome : options.keep) {
      if (base::has_name(known, outcome)) continue;
      throw yaml_.fault(field.line, "{}: {} is not an outcome", where, base::in_quotes(outcome))
          .with_remedy("outcomes are {}", fmt::join(known, ", "));
    }
  } else {
    yaml_.refuse_reserved(field, "verify", kReservedInVerify);
    options.judging.push_back(yaml_.setting(field, "verify"));
  }
}

LikelihoodOptions CurationPlanReader::read_confidence(const YamlEntry& section) const {
  LikelihoodOptions options;
  for (const YamlEntry& field : yaml_.mapping(section.value, section.key)) {
    const std::string where = "confidence." + field.key;
    yaml_.refuse_unknown(field, "confidence", {"model", "adapter", "tau", "unlikely", "device", "dtype"});
    if (field.key == "model") options.model = existing(field.value, where);
    if (field.key == "adapter") options.adapter = existing(field.value, where);
    if (field.key == "tau") options.tau = number(field.value, where, 0, 1);
    if (field.key == "unlikely") options.unlikely = number(field.value, where, 0, 1);
    if (field.key == "device") options.device = yaml_.text(field.value, where);
    if (field.key == "dtype") options.dtype = yaml_.text(field.value, where);
  }
  if (options.model.empty())
    throw yaml_.fault(section.line, "confidence names no model")
        .with_remedy("write confidence: {{model: FOLDER}}");
  return options;
}

void CurationPlanReader::read_select(const YamlEntry& field, SelectOptions& options) const {
  const std::string where = "select." + field.key;
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  yaml_.refuse_unknown(
      field, "select",
      {"rule", "per_task", "speedup", "single_share", "fused", "per_family", "count", "easy", "hard"});
  if (field.key == "rule") {
    const std::string name = yaml_.text(field.value, where);
    const auto found = std::find(kRules.begin(), kRules.end(), name);
    if (found == kRules.end()) {
      throw yaml_.fault(field.line, "{}: {} is not a rule", where, base::in_quotes(name))
          .with_remedy("rules are {}", fmt::join(kRules, ", "));
    }
    options.rule = rule_named(name);
  }
  if (field.key == "per_task") options.per_task = whole(field.value, where, 1);
  if (field.key == "speedup") options.speedup = number(field.value, where, 0, kNoLimit);
  if (field.key == "single_share") options.single_share = number(field.value, where, 0, 1);
  if (field.key == "fused") options.fused = texts(field.value, where);
  if (field.key == "per_family") options.per_family = whole(field.value, where, 0);
  if (field.key == "count") options.count = whole(field.value, where, 0);
  if (field.key == "easy") options.easy = whole(field.value, where, 0);
  if (field.key == "hard") options.hard = whole(field.value, where, 0);
}

void CurationPlanReader::read_weights(const YamlEntry& field, RowWeights& weights) const {
  const std::string where = "weights." + field.key;
  yaml_.refuse_unknown(field, "weights", {"verified", "unverified"});
  double& weight = field.key == "verified" ? weights.verified : weights.unverified;
  weight = number(field.value, where, 0, 1000);
}

void CurationPlanReader::read_section(const YamlEntry& section, CurationPlan& plan) const {
  const std::string& key = section.key;
  if (key == "validation") plan.validation = number(section.value, key, 0, 0.9);
  if (key == "seed") plan.seed = yaml_.whole_number(section.value, key);
  if (key == "confidence") plan.confidence = read_confidence(section);
  if (key == "validation" || key == "seed" || key == "confidence") return;
  for (const YamlEntry& entry : yaml_.mapping(section.value, key)) {
    if (key == "sources") {
      yaml_.check_name(entry, key);
      plan.sources.push_back(read_source(entry));
    }
    if (key == "normalize") read_normalize(entry, plan.normalize);
    if (key == "duplicates") read_duplicates(entry, plan.duplicates);
    if (key == "decontaminate") read_decontaminate(entry, plan.decontaminate);
    if (key == "screen") read_screen(entry, plan.screen);
    if (key == "verify") read_verify(entry, plan.verify);
    if (key == "select") read_select(entry, plan.select);
    if (key == "weights") read_weights(entry, plan.weights);
  }
}

CurationPlan CurationPlanReader::read(std::string_view text) {
  const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
  if (documents.size() > 1)
    throw base::UsageError("{}: {} YAML documents", file_, documents.size()).with_remedy("keep one");
  CurationPlan plan;
  plan.file = file_;
  plan.text = text;
  plan.name = std::filesystem::path(file_).stem().string();
  const Names sections = {"sources",    "normalize", "duplicates", "decontaminate", "screen", "verify",
                          "confidence", "select",    "weights",    "validation",    "seed"};
  const YAML::Node root = documents.empty() ? YAML::Node() : documents[0];
  for (const YamlEntry& section : yaml_.mapping(root, "the plan")) {
    yaml_.refuse_unknown(section, "", sections);
    read_section(section, plan);
  }
  if (plan.sources.empty()) {
    throw base::UsageError("{}: the section 'sources' is missing or empty", file_)
        .with_remedy("write sources: {{pairs: {{file: pairs.jsonl}}}}");
  }
  return plan;
}

}  // namespace

std::string_view name_of(SelectRule rule) { return kRules.at(static_cast<size_t>(rule)); }

SelectRule rule_named(std::string_view name) {
  const auto found = std::find(kRules.begin(), kRules.end(), name);
  CUSET_CHECK(found != kRules.end(), "no rule {}", name);
  return static_cast<SelectRule>(found - kRules.begin());
}

CurationPlan parse_curation_plan(std::string_view text, const std::string& file) {
  try {
    return CurationPlanReader(file).read(text);
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 1 : error.mark.line + 1;
    throw base::UsageError("{}:{}: not valid YAML: {}", file, line, error.msg)
        .with_remedy("docs/curate.md has an example");
  }
}

CurationPlan read_curation_plan(const std::filesystem::path& file) {
  return parse_curation_plan(base::read_file(file), file.string());
}

}  // namespace cuset::curate
