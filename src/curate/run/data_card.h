// The data card of a curation: where its rows come from, what each stage refused, what is in the result.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "curate/run/curation_run.h"

namespace cuset::curate {

struct CardExample {
  std::string id;
  std::string stage;  // of a refused row
  std::string reason;
  std::string detail;
  std::string text;
};

struct SourceCount {
  size_t rows = 0;
  size_t kept = 0;
};

struct DataCard {
  std::string name;
  std::string plan;     // its text
  std::string version;  // of the program
  std::vector<StageCount> stages;
  std::map<std::string, SourceCount> sources;
  std::map<std::string, std::string> endpoints;      // source -> what was asked of it, in words
  std::map<std::string, size_t> families;            // of kept rows
  std::map<std::string, size_t> verdicts;            // of all rows that came to verify
  std::map<std::string, size_t> licenses;            // of kept rows
  std::map<std::string, size_t> difficulty;          // of kept rows
  std::vector<double> prompt_bytes, response_bytes;  // of kept rows
  base::Json selection;                              // Selection::summary
  size_t train = 0;
  size_t validation = 0;
  std::vector<CardExample> kept;
  std::vector<CardExample> rejected;  // one for each reason
};

std::string card_markdown(const DataCard& card);
std::string card_html(const DataCard& card);
base::Json json_of(const DataCard& card);

}  // namespace cuset::curate
