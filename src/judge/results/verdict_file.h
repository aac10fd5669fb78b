// verdicts.jsonl: one verdict per line, appended as they are reached.
//
// A line is json_of(Verdict) and "answer", the SHA-256 of the answer's text, so that a folder cannot be
// continued with other answers under the same names.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "base/json/jsonl.h"
#include "judge/verdict/verdict.h"
#include "tasks/answer.h"

namespace cuset::judge {

class VerdictFile {
 public:
  // Opens or makes the file and reads what is there. A line that a killed writer left unfinished is cut.
  // Throws Error where another run writes to it, or a line is not a verdict.
  explicit VerdictFile(const std::filesystem::path& path);

  // The verdict on `answer`, or nullptr. Throws Error where it was made for another text.
  const Verdict* find(const tasks::Answer& answer) const;

  // Safe to call from several threads. What is added is not found by find().
  void append(const Verdict& verdict, const tasks::Answer& answer);

  // Returns once everything is on disk.
  void flush() { writer_.flush(); }

 private:
  struct Kept {
    Verdict verdict;
    std::string answer;
  };

  void read();

  std::filesystem::path path_;
  base::JsonlWriter writer_;  // holds the lock before anything is read
  std::map<std::pair<std::string, uint32_t>, Kept> kept_;
};

}  // namespace cuset::judge
