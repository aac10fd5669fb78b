// Which executor a command takes where the user leaves it to us: the GPU if there is one, else the CPU.
#pragma once

#include <memory>
#include <string>

#include "execute/executor.h"

namespace cuset::execute {

struct ChosenExecutor {
  std::unique_ptr<Executor> executor;
  std::string reason;  // why this one, where nobody asked for it
};

// `wanted` is "cpu", "gpu" or "auto". Throws Error with the remedy where the machine lacks what it needs.
ChosenExecutor choose_executor(const std::string& wanted, const ExecutorSettings& settings);

}  // namespace cuset::execute
