// Runs a program again in other orders of its threads and reports what depends on the order (order_check.h).
#pragma once

#include <filesystem>
#include <functional>

#include "execute/executor.h"

namespace cuset::execute {

struct OrderTrial {
  // Runs the program in `folder`. Order 0 is the usual one.
  std::function<Run(uint64_t order, const std::filesystem::path& folder)> run;
  std::filesystem::path untouched;  // the files the program starts with; every run gets a copy
  std::filesystem::path left;       // what the usual run made of them
  int orders = 0;                   // to try beside the usual one
  uint64_t seed = 0;                // the first of them is seed + 1
};

// Adds to `usual` what other orders find, and one finding `order_dependent` where results depend on the
// order. Ends early where a run was interrupted: then `usual` was, too.
void try_orders(const OrderTrial& trial, Run& usual);

}  // namespace cuset::execute
