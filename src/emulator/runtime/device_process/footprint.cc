#include "runtime/device_process/footprint.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/kernel_name.h"
#include "execution_record.h"

namespace cuset_emulator {
namespace {

// As a record has it, and on one line.
std::string recorded_name(const std::string& mangled) {
  std::string name = cuset::base::kernel_name(mangled.c_str()).substr(0, sizeof(CusetKernelRecord::name) - 1);
  for (char& letter : name)
    if (static_cast<unsigned char>(letter) < ' ') letter = '?';
  return name;
}

bool is_same(const LaunchShape& a, const LaunchShape& b) {
  return std::equal(a.grid, a.grid + 3, b.grid) && std::equal(a.block, a.block + 3, b.block);
}

}  // namespace

uint64_t footprint_of(const std::vector<std::span<char>>& arguments, const FindMemory& find) {
  struct Reached {
    uint64_t lowest = 0;
    uint64_t end = 0;
  };
  std::map<uint64_t, Reached> allocations;  // by their beginning
  for (const std::span<char> argument : arguments) {
    for (size_t at = 0; at + 8 <= argument.size(); at += 8) {
      uint64_t word;
      std::memcpy(&word, argument.data() + at, 8);
      const std::optional<ReachedMemory> memory = find(word);
      if (!memory || word < memory->begin || word >= memory->end) continue;
      Reached& reached = allocations.try_emplace(memory->begin, Reached{word, memory->end}).first->second;
      reached.lowest = std::min(reached.lowest, word);
    }
  }
  uint64_t bytes = 0;
  for (const auto& [begin, reached] : allocations) bytes += reached.end - reached.lowest;
  return bytes;
}

void Footprints::add(const std::string& kernel, const LaunchShape& shape, uint64_t bytes) {
  if (bytes == 0) return;
  const std::string name = recorded_name(kernel);
  auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.kernel == name && is_same(entry.shape, shape);
  });
  if (found == entries_.end()) {
    if (entries_.size() >= CUSET_RECORD_KERNELS) return;
    found = entries_.insert(found, {name, shape});
  }
  ++found->launches;
  found->bytes += bytes;
}

std::string Footprints::text() const {
  std::string text;
  for (const Entry& entry : entries_)
    text += std::to_string(entry.bytes) + " " + std::to_string(entry.launches) + " " +
            sizes_text(entry.shape.grid) + " " + sizes_text(entry.shape.block) + " " + entry.kernel + "\n";
  return text;
}

}  // namespace cuset_emulator
