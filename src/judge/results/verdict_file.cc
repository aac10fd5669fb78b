#include "judge/results/verdict_file.h"

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/files/sha256.h"

namespace cuset {

VerdictFile::VerdictFile(const std::filesystem::path& path) : path_(path), writer_(path) { read(); }

void VerdictFile::read() {
  JsonlReader reader(path_);
  while (std::optional<Json> line = reader.next()) {
    const std::string place = reader.place();
    Kept kept;
    kept.answer = JsonCursor(*line, place).with_remedy("choose another --output").at("answer").string();
    line->erase("answer");
    kept.verdict = verdict_from_json(*line, place);
    kept_.insert_or_assign({kept.verdict.task, kept.verdict.sample}, kept);
  }
}

const Verdict* VerdictFile::find(const Answer& answer) const {
  const auto kept = kept_.find({answer.task, answer.sample});
  if (kept == kept_.end()) return nullptr;
  if (kept->second.answer != sha256(answer.text)) {
    throw Error("{}: sample {} of task {} was another answer there than {}", path_.string(), answer.sample,
                in_quotes(answer.task), answer.place)
        .with_remedy("choose another --output for other answers");
  }
  return &kept->second.verdict;
}

void VerdictFile::append(const Verdict& verdict, const Answer& answer) {
  Json line = json_of(verdict);
  line["answer"] = sha256(answer.text);
  writer_.append(line);
}

}  // namespace cuset
