// Whether what a program does depends on the order in which its threads run: the same program, run again
// under another order, should end the same way, print the same lines and leave the same files.
//
// Some programs differ from run to run by themselves: they print times, or addresses. So a difference counts
// only where both orders, each run twice, repeat themselves at that place.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace cuset::execute {

// What one run left behind. The folder stays as long as it is compared.
struct RunTrace {
  std::string ending;  // "exit status 0"
  std::string output;  // standard output
  std::filesystem::path folder;
};

// Where two runs differ.
struct Differences {
  bool ending = false;
  std::set<size_t> lines;       // of the output, from 0; past the shorter output's end, too
  std::set<std::string> files;  // by path below the folder; those that only one run has, too

  bool empty() const { return !ending && lines.empty() && files.empty(); }
  Differences without(const Differences& others) const;
};

Differences differences_between(const RunTrace& one, const RunTrace& other);

// The first of `differences`, in words: line 3 of the output is "sum 12" instead of "sum 10". None must not
// be asked for.
std::string first_difference(const RunTrace& usual, const RunTrace& other, const Differences& differences);

}  // namespace cuset::execute
