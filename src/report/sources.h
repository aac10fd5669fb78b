// Which files a report is drawn from: those that report.json names, or those that a run left behind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace cuset::report {

// The files of one method (vanilla, SFT, CuSeT); an empty path is a file that is not there.
struct MethodFiles {
  std::string name;
  std::filesystem::path metrics;
  std::filesystem::path answers;
  std::filesystem::path verdicts;
  std::filesystem::path summary;
  base::Json made = base::Json::object();  // how: RunDescription::about
};

struct ReportSources {
  base::Json about =
      base::Json::object();  // title, subtitle, created, machine, command, seconds, notes, as far as known
  std::filesystem::path analysis;
  std::filesystem::path tasks;
  std::vector<MethodFiles> methods;
};

// Throws Error where the folder holds nothing that a report could show, or a report.json of another form.
ReportSources find_sources(const std::filesystem::path& folder);

}  // namespace cuset::report
