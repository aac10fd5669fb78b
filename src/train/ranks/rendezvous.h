// How ranks find each other: a small key-value store that rank 0 (or torchrun) serves over TCP, in which
// every rank writes down where it runs. When all have done so, all know each other's places.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <string>
#include <vector>

#include "train/ranks/rank_environment.h"

namespace cuset::train {

struct RankPlace {
  std::string machine;  // equal for ranks on one machine (host name and boot)
  std::string cores;    // the processor cores it may use; equal for ranks that share them

  bool operator==(const RankPlace&) const = default;
};

struct Rendezvous {
  c10::intrusive_ptr<c10d::Store> store;
  std::vector<RankPlace> places;  // by rank
};

// Meets the other ranks. Throws Error where rank 0 cannot be reached, its port is taken or ranks are missing
// after `timeout` (the message says how many came and which did not), UsageError where two processes claim
// one rank or ranks disagree on how many they are.
Rendezvous meet(const RankEnvironment& environment, std::chrono::milliseconds timeout);

// What a LibTorch exception says, without the source line before it and the stack trace behind it.
std::string short_reason(const std::exception& fault);

}  // namespace cuset::train
