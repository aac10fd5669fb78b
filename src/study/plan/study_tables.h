// The tables of a study, in the forms of the CuSeT paper, and the files that hold them.
//
//   methods-DECODING   rates of all methods (Table 2)
//   tasks-DECODING     the parts of the tasks apart
//   pairs-DECODING     paired differences with p-values
//   bases-DECODING     every base and what methods add to it (Table 4), where there are several
//   switches-DECODING  CuSeT's parts on and off (Table 5), where methods differ in them
//   curve-KEY-DECODING one numeric setting of a method (Fig. 4), where methods differ in nothing else
//   outcomes-DECODING  how answers fail
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "study/plan/plan.h"
#include "study/plan/results.h"
#include "study/plan/table.h"

namespace cuset::study {

// A curve of the page: correct pass@1 and pass@k over a setting.
struct StudyCurve {
  std::string name;  // of the table with the same points
  std::string title;
  std::string setting;
  struct Point {
    double x = 0;
    const MethodResult* method = nullptr;
  };
  std::vector<Point> points;  // by x
};

// Where the numbers come from: stated in every table.
struct StudyOrigin {
  std::string command;
  std::string version;  // of the program that made the tables
};

// `results` must outlive the curves.
std::vector<StudyCurve> curves_of(const StudyPlan& plan, const DecodingResult& decoding);

// The tables of one decoding. None where it has no results.
std::vector<StudyTable> tables_of(const StudyPlan& plan, const StudyResults& results,
                                  const DecodingResult& decoding, const StudyOrigin& origin);

// Writes OUTPUT/tables: every table as .txt, .md, .csv and .tex, summary.json and study.html. Files of tables
// that are no longer made are removed. Returns the text of all tables, for the terminal.
std::string write_study_tables(const StudyPlan& plan, const StudyResults& results, const StudyOrigin& origin,
                               const std::filesystem::path& output);

}  // namespace cuset::study
