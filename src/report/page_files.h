// The page as it was when the program was built: our own files of page/, and the chart library.
#pragma once

#include <string_view>

namespace cuset::report {

struct PageFiles {
  std::string_view html;    // with the places title, style, data, details, charts, script
  std::string_view style;   // CSS
  std::string_view script;  // JavaScript, all files one after the other
  std::string_view charts;  // D3 with its license; empty where the build found none: tables stand for charts
};

extern const PageFiles kPageFiles;

}  // namespace cuset::report
