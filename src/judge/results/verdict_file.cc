#include "judge/results/verdict_file.h"

#include "base/error.h"
#include "base/files/sha256.h"
#include "base/json/json_cursor.h"

namespace cuset::judge {

VerdictFile::VerdictFile(const std::filesystem::path& path) : path_(path), writer_(path) { read(); }

void VerdictFile::read() {
  base::JsonlReader reader(path_);
  while (std::optional<base::Json> line = reader.next()) {
    const std::string place = reader.place();
    Kept kept;
    kept.answer = base::JsonCursor(*line, place).with_remedy("choose another --output").at("answer").string();
    line->erase("answer");
    kept.verdict = verdict_from_json(*line, place);
    kept_.insert_or_assign({kept.verdict.task, kept.verdict.sample}, kept);
  }
}

const Verdict* VerdictFile::find(const tasks::Answer& answer) const {
  const auto kept = kept_.find({answer.task, answer.sample});
  if (kept == kept_.end()) return nullptr;
  if (kept->second.answer != base::sha256(answer.text)) {
    throw base::Error("{}: sample {} of task {} was another answer there than {}", path_.string(),
                      answer.sample, base::in_quotes(answer.task), answer.place)
        .with_remedy("choose another --output for other answers");
  }
  return &kept->second.verdict;
}

void VerdictFile::append(const Verdict& verdict, const tasks::Answer& answer) {
  base::Json line = json_of(verdict);
  line["answer"] = base::sha256(answer.text);
  writer_.append(line);
}

}  // namespace cuset::judge
