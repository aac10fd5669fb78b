// The native oracle "chain" (docs/tasks.md), for what no single oracle computes.
#pragma once

#include <string>
#include <vector>

#include "gym/family.h"

namespace cuset::gym {

// The last step has neither name nor shape.
struct OracleStep {
  std::string name = {};
  tasks::Shape shape = {};
  std::string native = {};
  std::vector<std::string> inputs = {};  // "$x" for an input, the name of an earlier step
  base::Json parameters = base::Json::object();
};

inline tasks::Oracle chain_of(const std::vector<OracleStep>& steps) {
  base::Json list = base::Json::array();
  for (const OracleStep& step : steps) {
    base::Json one = {{"native", step.native}, {"inputs", step.inputs}, {"parameters", step.parameters}};
    if (!step.name.empty()) {
      one["name"] = step.name;
      one["shape"] = step.shape;
    }
    list.push_back(std::move(one));
  }
  tasks::Oracle oracle;
  oracle.native = "chain";
  oracle.parameters = base::Json::object();
  oracle.parameters["steps"] = std::move(list);
  return oracle;
}

}  // namespace cuset::gym
