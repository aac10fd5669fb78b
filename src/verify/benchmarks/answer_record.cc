#include "verify/benchmarks/answer_record.h"

#include <array>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset {
namespace {

constexpr std::array<std::string_view, 5> kTaskKeys = {"task", "task_id", "name", "problem_id", "id"};
constexpr std::array<std::string_view, 3> kListKeys = {"outputs", "solutions", "completions"};
constexpr std::array<std::string_view, 4> kTextKeys = {"text", "completion", "generated_completion", "code"};
constexpr uint32_t kMostSamples = 1'000'000;

const Json* value_of(const Json& record, std::string_view key) {
  const auto value = record.find(key);
  return value == record.end() ? nullptr : &*value;
}

const Json* value_that_is_set(const Json& record, std::string_view key) {
  const Json* value = value_of(record, key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string required_text(const Json& value, const std::string& place, std::string_view key) {
  if (!value.is_string()) {
    throw Error("{}: {}: {} instead of a text", place, key, value.type_name())
        .with_remedy("docs/verify.md lists the forms of answers");
  }
  return value.get<std::string>();
}

// KernelBench counts its problems within a level.
std::string problem_name(const Json& record, const std::string& number) {
  const Json* level = value_that_is_set(record, "level");
  return level != nullptr && level->is_number_integer() ? fmt::format("{}/{}", level->dump(), number)
                                                        : number;
}

std::string task_of(const Json& record, const std::string& place) {
  for (const std::string_view key : kTaskKeys) {
    const Json* value = value_that_is_set(record, key);
    if (value == nullptr) continue;
    if (!value->is_string() && !value->is_number_integer()) {
      throw Error("{}: {}: {} instead of a task's id", place, key, value->type_name())
          .with_remedy("an id is a text or a whole number");
    }
    const std::string name = value->is_string() ? value->get<std::string>() : value->dump();
    if (name.empty()) throw Error("{}: {}: the task's id is empty", place, key);
    return key == "problem_id" ? problem_name(record, name) : name;
  }
  throw Error("{}: the record does not say whose answer it is", place)
      .with_remedy("give it the key \"task\" with the task's id");
}

std::optional<uint32_t> sample_of(const Json& record, const std::string& place) {
  for (const std::string_view key : {"sample", "sample_id"}) {
    const Json* value = value_that_is_set(record, key);
    if (value == nullptr) continue;
    const bool fits = value->is_number_integer() && *value >= 0 && *value < kMostSamples;
    if (!fits) {
      throw Error("{}: {}: {} is no number of a sample", place, key, in_quotes(value->dump()))
          .with_remedy("samples are counted 0, 1, 2 ...");
    }
    return value->get<uint32_t>();
  }
  return std::nullopt;
}

int64_t tokens_of(const Json& value, const std::string& place) {
  if (value.is_null()) return -1;
  if (!value.is_number_integer() || value < 0 || value > INT64_MAX) {
    throw Error("{}: tokens: {} is no count", place, in_quotes(value.dump()));
  }
  return value.get<int64_t>();
}

// Of one answer: a number. Of a list of samples: a list as long, or one number that each of them has.
void read_tokens(const Json& record, const std::string& place, AnswerRecord& answer) {
  const Json* tokens = value_that_is_set(record, "tokens");
  if (tokens == nullptr) return;
  if (tokens->is_array() && tokens->size() != answer.samples.size()) {
    throw Error("{}: tokens: {} numbers for {} answers", place, tokens->size(), answer.samples.size());
  }
  for (size_t i = 0; i < answer.samples.size(); ++i) {
    answer.samples[i].tokens = tokens_of(tokens->is_array() ? (*tokens)[i] : *tokens, place);
  }
}

// The files of a compute-eval solution as one source, each opened by a comment with its path where there are
// several.
std::string joined_files(const Json& files, const std::string& place, std::string_view key) {
  if (!files.is_array() || files.empty()) throw Error("{}: {}: a list of files is wanted", place, key);
  std::string text;
  for (const Json& file : files) {
    const Json* content = file.is_object() ? value_that_is_set(file, "content") : nullptr;
    if (content == nullptr) {
      throw Error("{}: {}: a file without content", place, key)
          .with_remedy("write {{\"path\", \"content\"}}");
    }
    const Json* path = value_that_is_set(file, "path");
    if (files.size() > 1 && path != nullptr)
      text += fmt::format("// file: {}\n", in_quotes(required_text(*path, place, key), 200));
    text += required_text(*content, place, key);
    if (files.size() > 1 && !text.ends_with('\n')) text += '\n';
  }
  return text;
}

AnswerRecord::Sample sample_from(const Json& value, const std::string& place, std::string_view key) {
  if (value.is_null()) return {};
  if (value.is_object() && value.contains("files")) return {joined_files(value["files"], place, "files")};
  if (value.is_object()) {
    for (const std::string_view inner : kTextKeys) {
      if (const Json* text = value_that_is_set(value, inner)) return {required_text(*text, place, inner)};
    }
  }
  return {required_text(value, place, key)};
}

// ParEval asks for the same function under seven programming models; only one of them is ours.
bool is_about_another_model(const Json& record) {
  const Json* model = value_that_is_set(record, "parallelism_model");
  return model != nullptr && *model != "cuda";
}

// code1, code2, ... without a gap; a hole would shift what "the first three" means.
void read_numbered_codes(const Json& record, const std::string& place, AnswerRecord& answer) {
  answer.first_sample = 0;
  size_t present = 0;
  for (const auto& [key, value] : record.items()) {
    const bool is_code = key.starts_with("code") && key.size() > 4 && key.size() < 11 &&
                         key.find_first_not_of("0123456789", 4) == std::string::npos;
    present += is_code ? 1 : 0;
  }
  answer.samples.reserve(present);
  for (size_t number = 1; number <= present; ++number) {
    const std::string key = fmt::format("code{}", number);
    const Json* code = value_of(record, key);
    if (code == nullptr) {
      throw Error("{}: {} is missing among {} codes", place, key, present)
          .with_remedy("number them code1, code2, ... without gaps; null is an answer without code");
    }
    answer.samples.push_back(sample_from(*code, place, key));
  }
}

void read_list(const Json& list, const std::string& place, std::string_view key, AnswerRecord& answer) {
  if (!list.is_array() || list.empty())
    throw Error("{}: {}: a list of answers is wanted, one at least", place, key);
  if (list.size() > kMostSamples) throw Error("{}: {}: {} answers are too many", place, key, list.size());
  for (const Json& value : list) answer.samples.push_back(sample_from(value, place, key));
}

Error no_answer(const Json& record, const std::string& place) {
  std::vector<std::string> known(kTextKeys.begin(), kTextKeys.end());
  known.insert(known.end(), kListKeys.begin(), kListKeys.end());
  std::string suggestion;
  for (const auto& [key, value] : record.items()) {
    if (suggestion.empty() && !value.is_null()) suggestion = did_you_mean(key, known);
  }
  return Error("{}: the record holds no answer{}", place, suggestion)
      .with_remedy("give it the key \"text\"; docs/verify.md lists other forms");
}

void read_samples(const Json& record, const std::string& place, AnswerRecord& answer) {
  if (const Json* text = value_that_is_set(record, "text")) {
    answer.samples.push_back({required_text(*text, place, "text")});
    return;
  }
  if (record.contains("code1")) return read_numbered_codes(record, place, answer);
  for (const std::string_view key : kListKeys) {
    if (const Json* list = value_that_is_set(record, key)) return read_list(*list, place, key, answer);
  }
  if (const Json* files = value_that_is_set(record, "files")) {
    answer.samples.push_back({joined_files(*files, place, "files")});
    return;
  }
  for (const std::string_view key : kTextKeys) {
    const Json* value = value_of(record, key);
    if (value == nullptr) continue;
    answer.samples.push_back(sample_from(*value, place, key));
    return;
  }
  throw no_answer(record, place);
}

}  // namespace

AnswerRecord answer_record_from_json(const Json& record, const std::string& place) {
  if (!record.is_object()) {
    throw Error("{}: {} instead of an answer", place, record.type_name())
        .with_remedy("docs/verify.md lists the forms of answers");
  }
  AnswerRecord answer;
  answer.task = task_of(record, place);
  if (is_about_another_model(record)) return answer;
  answer.first_sample = sample_of(record, place);
  read_samples(record, place, answer);
  read_tokens(record, place, answer);
  return answer;
}

}  // namespace cuset
