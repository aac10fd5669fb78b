// The places where the threads of a kernel wait for each other, prepared for regions (region_plan.h): each in a block of its
// own; what a thread asks for and is answered goes through variables of the thread instead of the worker's context.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "pass/thread_body.h"

namespace cuset_pass {

struct SuspensionPoint {
  llvm::BasicBlock* block = nullptr;
  llvm::CallBase* call = nullptr;
  uint32_t operation = 0;  // a CusetOperation
};

struct SuspensionPoints {
  std::vector<SuspensionPoint> points;
  std::map<unsigned, llvm::AllocaInst*> variables;  // by the context's field that they replace
};

// Nothing where a kernel waits in a way that regions do not have: grid barriers, spinning, numbered barriers.
std::optional<SuspensionPoints> separate_suspensions(llvm::Function& body);

}  // namespace cuset_pass
