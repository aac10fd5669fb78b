// Control groups of the kernel: limits on the memory and the number of processes of a whole tree.
//
// Version 2 has one hierarchy; the new group lies in the nearest group above our own that lets us make one
// with both controllers. Version 1 has a hierarchy per controller; the new groups lie inside our own ones, so
// that limits set on us keep binding. Where nothing can be made, the group is empty and limits nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"

namespace cuset::sandbox {

struct GroupLimits {
  uint64_t memory = 0;  // bytes
  uint32_t processes = 0;
};

class ResourceGroup {
 public:
  // Never throws for what the machine lacks: see the two questions below.
  explicit ResourceGroup(const GroupLimits& limits);
  // Removes the folders. Every process of the group must be dead by then.
  ~ResourceGroup();
  ResourceGroup(const ResourceGroup&) = delete;
  ResourceGroup& operator=(const ResourceGroup&) = delete;

  bool limits_memory() const { return !memory_folder_.empty(); }
  bool limits_processes() const { return !processes_folder_.empty(); }
  // "v2, memory and pids", "v1, memory and pids", or why there is none.
  const std::string& description() const { return description_; }

  // Files a process joins the group through, by writing "0".
  std::vector<int> entrances() const;

  // Processes the kernel killed because the group's memory was full.
  uint64_t memory_kills() const;
  // Bytes, with caches and files in memory; 0 if unknown.
  uint64_t peak_memory() const;

 private:
  bool make_unified(const GroupLimits& limits);
  void make_separate(const GroupLimits& limits);
  bool enter(const std::filesystem::path& folder, const char* entrance);

  std::string name_;
  std::vector<std::filesystem::path> folders_;
  std::vector<base::FileDescriptor> entrances_;
  std::filesystem::path memory_folder_;
  std::filesystem::path processes_folder_;
  std::string description_;
};

}  // namespace cuset::sandbox
