#include "benchmarks/answer_reader.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <unordered_map>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "base/json/jsonl.h"
#include "base/lines.h"
#include "benchmarks/answer_record.h"
#include "benchmarks/compute_eval/archive.h"

namespace cuset::benchmarks {
namespace {

namespace fs = std::filesystem;

// Collects answers, counts samples where nobody numbered them, and refuses the same sample twice.
class AnswerList {
 public:
  void add(AnswerRecord record, const std::string& place) {
    std::map<uint32_t, std::string>& places = places_[record.task];
    uint32_t sample = record.first_sample.value_or(places.empty() ? 0 : places.rbegin()->first + 1);
    for (AnswerRecord::Sample& given : record.samples) {
      const auto [earlier, is_new] = places.emplace(sample, place);
      if (!is_new) {
        throw base::Error("{}: a second answer for sample {} of task {}; the first is at {}", place, sample,
                          base::in_quotes(record.task), earlier->second)
            .with_remedy("number the samples of a task 0, 1, 2 ..., or leave the numbers out");
      }
      answers_.push_back(
          {record.task, sample, std::move(given.text), given.tokens, place, given.reasoning_tokens});
      ++sample;
    }
  }

  std::vector<tasks::Answer> take(const fs::path& path) {
    if (answers_.empty()) {
      throw base::Error("{}: no answers in it", path.string())
          .with_remedy("docs/verify.md lists the forms of answers");
    }
    return std::move(answers_);
  }

 private:
  std::vector<tasks::Answer> answers_;
  std::unordered_map<std::string, std::map<uint32_t, std::string>> places_;  // by task, by sample
};

bool is_regular(const fs::path& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

enum class FileKind { kLines, kList, kArchive };

// A list in one JSON value is how ParEval writes answers, an archive how compute-eval does. What is not a plain
// file can be read but once: it has to be JSONL.
FileKind kind_of(const fs::path& path) {
  if (!is_regular(path)) return FileKind::kLines;
  const base::MappedFile file(path);
  const std::string_view text = file.text();
  if (looks_like_gzip(text)) return FileKind::kArchive;
  const size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return begin != std::string_view::npos && text[begin] == '[' ? FileKind::kList : FileKind::kLines;
}

void read_archive(const fs::path& path, AnswerList& answers) {
  for (const auto& [name, content] : read_tar_gz(path)) {
    if (fs::path(name).filename() != "solutions.jsonl") continue;
    size_t number = 0;
    for (const std::string_view line : base::lines_of(content)) {
      const std::string place = fmt::format("{}:{}:{}", path.string(), name, ++number);
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      answers.add(answer_record_from_json(base::parse_json(line, place), place), place);
    }
  }
}

void add_list(const base::Json& list, const std::string& place, AnswerList& answers) {
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string where = fmt::format("{}[{}]", place, i);
    answers.add(answer_record_from_json(list[i], where), where);
  }
}

void read_lines(const fs::path& path, AnswerList& answers) {
  base::JsonlReader reader(path);
  while (const std::optional<base::Json> record = reader.next()) {
    answers.add(answer_record_from_json(*record, reader.place()), reader.place());
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 6 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// "level_1_problem_23_sample_0_kernel": how KernelBench's own scripts name what they generate.
std::optional<AnswerRecord> kernelbench_name(const std::string& stem) {
  int level = 0;
  int problem = 0;
  uint32_t sample = 0;
  int end = 0;
  if (std::sscanf(stem.c_str(), "level_%5d_problem_%6d_sample_%6u_kernel%n", &level, &problem, &sample,
                  &end) != 3 ||
      end == 0 || static_cast<size_t>(end) != stem.size()) {
    return std::nullopt;
  }
  return AnswerRecord{fmt::format("{}/{}", level, problem), sample, {}};
}

AnswerRecord named_record(const std::string& stem) {
  if (std::optional<AnswerRecord> record = kernelbench_name(stem)) return *record;
  const size_t underscore = stem.rfind('_');
  if (underscore == std::string::npos || underscore == 0 || !is_number(stem.substr(underscore + 1))) {
    return {stem, 0, {}};
  }
  return {stem.substr(0, underscore), static_cast<uint32_t>(std::stoul(stem.substr(underscore + 1))), {}};
}

void read_folder(const fs::path& folder, AnswerList& answers) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".cu" || extension == ".py")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    AnswerRecord record = named_record(file.stem().string());
    record.samples.push_back({base::read_file(file)});
    answers.add(std::move(record), file.string());
  }
}

}  // namespace

std::vector<tasks::Answer> read_answers(const fs::path& path) {
  AnswerList answers;
  if (fs::is_directory(path)) {
    read_folder(path, answers);
    return answers.take(path);
  }
  switch (kind_of(path)) {
    case FileKind::kLines:
      read_lines(path, answers);
      break;
    case FileKind::kList:
      add_list(base::read_json_file(path), path.string(), answers);
      break;
    case FileKind::kArchive:
      read_archive(path, answers);
      break;
  }
  return answers.take(path);
}

}  // namespace cuset::benchmarks
