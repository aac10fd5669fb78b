// From saved results to one HTML file that needs nothing else: no network, no server, no second file.
//
// docs/report.md says what a folder may hold and what the page shows. Everything on it comes from files, so
// the report of an old run can be drawn again.
#pragma once

#include <filesystem>

namespace cuset::report {

// Draws `page`, or where that is empty FOLDER/report.html, from what the folder holds: report.json, or analysis.json alone, or the results of
// `cuset train`, `verify` or `evaluate`. Returns the page's path. Parts that are not there are left out, with
// a warning where report.json names their file. Throws Error where there is nothing to show, and for a file
// that cannot be read, with its place.
std::filesystem::path write_report(const std::filesystem::path& folder, std::filesystem::path page = {});

}  // namespace cuset::report
