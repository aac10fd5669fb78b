#include "generate/answer_file.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json_cursor.h"

namespace cuset::generate {
namespace {

std::pair<std::string, uint32_t> key_of(const base::Json& line, const std::string& place) {
  const base::JsonCursor answer =
      base::JsonCursor(line, place)
          .with_remedy("the file does not hold answers to tasks; choose another --output");
  return {answer.at("task").string(), static_cast<uint32_t>(answer.at("sample").integer(0, UINT32_MAX))};
}

struct Line {
  size_t task = 0;  // its place among the tasks
  uint32_t sample = 0;
  std::string text;
};

}  // namespace

AnswerFile::AnswerFile(std::filesystem::path path) : path_(std::move(path)), writer_(path_) {
  base::JsonlReader reader(path_);
  while (const std::optional<base::Json> line = reader.next()) {
    if (answered_.insert(key_of(*line, reader.place())).second) continue;
    throw base::Error("{}: the same sample of a task for the second time", reader.place())
        .with_remedy("remove one of the two lines");
  }
}

void AnswerFile::append(const std::string& task, uint32_t sample, const GeneratedAnswer& answer,
                        const base::Json& more) {
  CUSET_CHECK(writer_, "the file is finished");
  base::Json line = {{"task", task},
                     {"sample", sample},
                     {"text", answer.text},
                     {"tokens", answer.tokens},
                     {"prompt_tokens", answer.prompt_tokens},
                     {"finish", name_of(answer.finish)},
                     {"confidence", answer.confidence},
                     {"lowest_window", answer.lowest_window},
                     {"seconds", answer.seconds}};
  if (more.is_object()) line.update(more);
  writer_->append(line);
  answered_.insert({task, sample});
}

void AnswerFile::sort(std::span<const std::string> tasks) {
  CUSET_CHECK(writer_, "the file is finished");
  writer_->flush();
  std::map<std::string_view, size_t> places;
  for (const std::string& task : tasks) places.emplace(task, places.size());
  std::vector<Line> lines;
  base::JsonlReader reader(path_);
  while (const std::optional<base::Json> line = reader.next()) {
    const auto [task, sample] = key_of(*line, reader.place());
    const auto place = places.find(task);
    // Those of other tasks keep their order, as equals do.
    const bool is_known = place != places.end();
    lines.push_back(
        {is_known ? place->second : places.size(), is_known ? sample : 0, base::to_json_line(*line)});
  }
  const auto is_before = [](const Line& a, const Line& b) {
    return std::pair(a.task, a.sample) < std::pair(b.task, b.sample);
  };
  if (std::is_sorted(lines.begin(), lines.end(), is_before)) return;
  std::stable_sort(lines.begin(), lines.end(), is_before);
  writer_.reset();  // the file is replaced
  base::AtomicFile file(path_);
  for (const Line& line : lines) file.write(line.text + "\n");
  file.commit();
}

}  // namespace cuset::generate
