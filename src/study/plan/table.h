// A table of results and its four forms: for the terminal, Markdown, CSV and LaTeX; and as HTML.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stats/intervals.h"

namespace cuset::study {

// One place of a table.
struct TableCell {
  enum class Form { kText, kRate, kDifference, kSwitch };

  Form form = Form::kText;
  std::string text;         // kText
  base::Estimate estimate;  // kRate and kDifference, in [-1, 1]; shown in percent
  bool is_on = false;       // kSwitch
  int rank = 0;             // 1 is the best and 2 the second best of those compared

  static TableCell of_text(std::string text);
  static TableCell of_rate(const base::Estimate& estimate);
  static TableCell of_difference(const base::Estimate& estimate);
  static TableCell of_switch(bool is_on);
};

struct StudyTable {
  std::string name;   // of its files, without the extension
  std::string title;  // one line
  std::vector<std::string> columns;
  std::vector<std::vector<TableCell>> rows;  // as long as `columns`
  std::vector<size_t> rules;                 // rows that a line stands above
  std::vector<std::string> notes;
};

// Marks the best and the second best estimate of `column` among these rows. Equal ones share a rank.
void rank_column(StudyTable& table, size_t column, const std::vector<size_t>& rows);

// A rate reads "65.6 [61.0, 70.1]", in percent. The second form leaves out the notes.
std::string as_text(const StudyTable& table);
std::string as_text_without_notes(const StudyTable& table);
// The best is bold, the second best underlined (in Markdown: italic).
std::string as_markdown(const StudyTable& table);
// Estimates have three columns: value, low end and high end of the interval, in percent. Switches are 1 or 0.
std::string as_csv(const StudyTable& table);
// A table environment for booktabs; check marks need amssymb.
std::string as_latex(const StudyTable& table);
// A <table> with a caption.
std::string as_html(const StudyTable& table);

}  // namespace cuset::study
