// The words of what the checks (checks.h) find.
#pragma once

#include <optional>
#include <string>

#include "runtime/launch/checks.h"
#include "runtime/launch/global_races.h"

namespace cuset_emulator {

const char* verb(Access kind);  // "atomic update"
const char* verb(GlobalRaces::Touch touch);
const char* past_verb(GlobalRaces::Touch touch);  // "updated"

std::string count_of(uint64_t bytes);                       // "1 byte"
std::string address_text(uint64_t address);                 // "0x7f10"
std::string access_text(Access kind, uint64_t bytes);       // "read of 4 bytes"
std::string allocation_text(const Allocation& allocation);  // "64 bytes of device memory (allocation 2)"
// The allocation that an address near it was probably meant for: "4 bytes past the end of ...".
std::string near_text(uint64_t address);
// Where an access outside of memory went: through a null pointer, past the end of `allocation`, or near one.
std::string outside_text(uint64_t address, uint64_t bytes, const std::optional<Allocation>& allocation);
std::string thread_text(const LaunchPlan& plan, uint32_t thread);  // "(1,0,0)"
std::string block_text(const LaunchPlan& plan, uint64_t block);
std::string line_text(const CusetSite* site);  // " at line 7"; empty where it is not known

}  // namespace cuset_emulator
