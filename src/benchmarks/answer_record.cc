#include "benchmarks/answer_record.h"

#include <array>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/nearest_name.h"

namespace cuset::benchmarks {
namespace {

constexpr std::array<std::string_view, 5> kTaskKeys = {"task", "task_id", "name", "problem_id", "id"};
constexpr std::array<std::string_view, 3> kListKeys = {"outputs", "solutions", "completions"};
constexpr std::array<std::string_view, 7> kTextKeys = {
    "text", "completion", "generated_completion", "code", "response", "output", "generated_text"};
constexpr uint32_t kMostSamples = 1'000'000;

constexpr std::string_view kAnswersPage = "docs/verify.md lists the forms of answers";

// KernelBench counts its problems within a level.
std::string problem_name(const base::JsonCursor& record, const std::string& number) {
  const base::Json& level = base::json_member(record.value(), "level");
  return level.is_number_integer() ? fmt::format("{}/{}", level.dump(), number) : number;
}

std::string task_of(const base::JsonCursor& record) {
  for (const std::string_view key : kTaskKeys) {
    const base::JsonCursor field = record.get(key).with_remedy("it is the task's id");
    if (field.is_absent()) continue;
    const bool is_text = field.value().is_string();
    if (!is_text && !field.value().is_number_integer()) field.refuse_type("a string or a whole number");
    const std::string name = is_text ? field.nonempty_string() : field.value().dump();
    return key == "problem_id" ? problem_name(record, name) : name;
  }
  throw base::Error("{}: the record does not say whose answer it is", record.source())
      .with_remedy("give it the key \"task\" with the task's id");
}

std::optional<uint32_t> sample_of(const base::JsonCursor& record) {
  for (const std::string_view key : {"sample", "sample_id"}) {
    const base::JsonCursor field = record.get(key).with_remedy("samples are counted 0, 1, 2 ...");
    if (!field.is_absent()) return static_cast<uint32_t>(field.integer(0, kMostSamples - 1));
  }
  return std::nullopt;
}

// Of one answer: a number. Of a list of samples: a list as long, or one number that each of them has.
void read_tokens(const base::JsonCursor& tokens, int64_t AnswerRecord::Sample::* count,
                 AnswerRecord& answer) {
  if (!tokens.value().is_array()) {
    const int64_t each = tokens.integer_or(-1, 0, INT64_MAX);
    for (AnswerRecord::Sample& sample : answer.samples) sample.*count = each;
    return;
  }
  const std::vector<base::JsonCursor> counts = tokens.elements();
  if (counts.size() != answer.samples.size()) {
    tokens.refuse(fmt::format("has {} numbers for {} answers", counts.size(), answer.samples.size()));
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    answer.samples[i].*count = counts[i].integer_or(-1, 0, INT64_MAX);
  }
}

// The files of a compute-eval solution as one source, each opened by a comment with its path where there are
// several.
std::string joined_files(const base::JsonCursor& field) {
  const std::vector<base::JsonCursor> files = field.with_remedy("write {\"path\", \"content\"}").elements();
  if (files.empty()) field.refuse("must list at least one file");
  std::string text;
  for (const base::JsonCursor& file : files) {
    const base::JsonCursor path = file.get("path");
    if (files.size() > 1 && !path.is_absent())
      text += fmt::format("// file: {}\n", base::in_quotes(path.string(), 200));
    text += file.get("content").string();
    if (files.size() > 1 && !text.ends_with('\n')) text += '\n';
  }
  return text;
}

AnswerRecord::Sample sample_from(const base::JsonCursor& field) {
  if (field.is_absent()) return {};
  if (!field.value().is_object()) return {field.string()};
  if (const base::JsonCursor files = field.get("files"); !files.is_absent()) return {joined_files(files)};
  for (const std::string_view inner : kTextKeys) {
    if (const base::JsonCursor text = field.get(inner); !text.is_absent()) return {text.string()};
  }
  field.refuse_type("a string");
}

// ParEval asks for the same function under seven programming models; only one of them is ours.
bool is_about_another_model(const base::JsonCursor& record) {
  const base::JsonCursor model = record.get("parallelism_model");
  return !model.is_absent() && model.value() != "cuda";
}

// code1, code2, ... without a gap; a hole would shift what "the first three" means.
void read_numbered_codes(const base::JsonCursor& record, AnswerRecord& answer) {
  answer.first_sample = 0;
  size_t present = 0;
  for (const auto& [key, value] : record.value().items()) {
    const bool is_code = key.starts_with("code") && key.size() > 4 && key.size() < 11 &&
                         key.find_first_not_of("0123456789", 4) == std::string::npos;
    present += is_code ? 1 : 0;
  }
  answer.samples.reserve(present);
  const base::JsonCursor advised =
      record.with_remedy("number them code1, code2, ... without gaps; null is an answer without code");
  for (size_t number = 1; number <= present; ++number) {
    answer.samples.push_back(
        sample_from(advised.at(fmt::format("code{}", number)).with_remedy(kAnswersPage)));
  }
}

void read_list(const base::JsonCursor& list, AnswerRecord& answer) {
  const std::vector<base::JsonCursor> samples = list.elements();
  if (samples.empty()) list.refuse("must list at least one answer");
  if (samples.size() > kMostSamples)
    list.refuse(fmt::format("has {} answers, which are too many", samples.size()));
  for (const base::JsonCursor& sample : samples) answer.samples.push_back(sample_from(sample));
}

base::Error no_answer(const base::Json& record, std::string_view place) {
  std::vector<std::string> known(kTextKeys.begin(), kTextKeys.end());
  known.insert(known.end(), kListKeys.begin(), kListKeys.end());
  std::string suggestion;
  for (const auto& [key, value] : record.items()) {
    if (suggestion.empty() && !value.is_null()) suggestion = base::did_you_mean(key, known);
  }
  return base::Error("{}: the record holds no answer{}", place, suggestion)
      .with_remedy("give it the key \"text\"; docs/verify.md lists other forms");
}

void read_samples(const base::JsonCursor& record, AnswerRecord& answer) {
  if (const base::JsonCursor text = record.get("text"); !text.is_absent()) {
    answer.samples.push_back({text.string()});
    return;
  }
  if (record.value().contains("code1")) return read_numbered_codes(record, answer);
  for (const std::string_view key : kListKeys) {
    if (const base::JsonCursor list = record.get(key); !list.is_absent()) return read_list(list, answer);
  }
  if (const base::JsonCursor files = record.get("files"); !files.is_absent()) {
    answer.samples.push_back({joined_files(files)});
    return;
  }
  for (const std::string_view key : kTextKeys) {
    if (!record.value().contains(key)) continue;
    answer.samples.push_back(sample_from(record.get(key)));
    return;
  }
  throw no_answer(record.value(), record.source());
}

}  // namespace

AnswerRecord answer_record_from_json(const base::Json& json, const std::string& place) {
  const base::JsonCursor record = base::JsonCursor(json, place).with_remedy(kAnswersPage);
  record.expect_object();
  AnswerRecord answer;
  answer.task = task_of(record);
  if (is_about_another_model(record)) return answer;
  answer.first_sample = sample_of(record);
  read_samples(record, answer);
  read_tokens(record.get("tokens"), &AnswerRecord::Sample::tokens, answer);
  read_tokens(record.get("reasoning_tokens"), &AnswerRecord::Sample::reasoning_tokens, answer);
  return answer;
}

}  // namespace cuset::benchmarks
