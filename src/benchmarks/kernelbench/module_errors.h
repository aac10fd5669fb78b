// What it means that the process of a module's answer ended, or that its Python raised an exception.
#pragma once

#include <optional>
#include <string>

#include "base/json/json.h"
#include "execute/executor.h"
#include "judge/verdict/verdict.h"

namespace cuset::benchmarks {

// Of a process that did not end by itself; nothing for others.
std::optional<judge::Outcome> outcome_of_ending(const execute::Run& run);

// What an exception in the answer's process means. `phase` is how far it had come.
judge::Outcome outcome_of_error(const std::string& phase, const std::string& error);

// A function that the light headers only declare is missed when the module is loaded.
bool failed_to_build(const base::Json& result);

// One line: of a build what the compiler says first.
std::string reason_of(const std::string& error);

std::string needs_gpu(const std::string& construct);

// What an answer asked of the emulator in vain, while it was built or run; empty where there is nothing.
std::string find_unserved(const execute::Run& run, const std::string& error);

}  // namespace cuset::benchmarks
