// What this machine is made of and can do, as a list of findings. Everything is looked up or tried, nothing
// assumed.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"

namespace cuset::study {

enum class State {
  kGood,      // there and working
  kOptional,  // not there; some jobs need it
  kBad,       // not there; nothing works properly without it
};

struct Finding {
  std::string area;  // "GPU"
  std::string name;  // "driver"
  State state;
  std::string detail;  // what was seen
  std::string remedy;  // the command that adds it; empty where nothing is missing
};

struct MachineReport {
  std::vector<Finding> findings;
  // What follows for the user, as "train", "on the CPU (2 threads)".
  std::vector<std::pair<std::string, std::string>> abilities;

  bool has_bad() const;
};

// Remedies name `make` only where the program runs from its source tree.
MachineReport examine_machine(bool from_source_tree);

// "AMD EPYC 9654 96-Core Processor"; empty where the system does not say.
std::string processor_name();

base::Json to_json(const MachineReport& report);

}  // namespace cuset::study
