#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace cuset::sandbox {
namespace {

// The kernel's interface, version 6; older C headers know only parts of it.
struct RulesetAttributes {
  uint64_t handled_files = 0;
  uint64_t handled_network = 0;  // from version 4
  uint64_t scoped = 0;           // from version 6
};

struct [[gnu::packed]] BeneathAttributes {
  uint64_t allowed = 0;
  int32_t parent = -1;
};

constexpr uint64_t kWriteFile = 1 << 1;
constexpr uint64_t kRemoveAndMake =
    0x1ff0;                              // remove folder, file; make device, folder, file, socket, fifo, link
constexpr uint64_t kRefer = 1 << 13;     // rename between folders, from version 2
constexpr uint64_t kTruncate = 1 << 14;  // from version 3
constexpr uint64_t kTcp = 3;             // bind, connect
constexpr uint64_t kSocketsAndSignals = 3;

constexpr unsigned kAskVersion = 1;
constexpr int kRuleBeneath = 1;

uint64_t changes_known_to(int version) {
  return kWriteFile | kRemoveAndMake | (version >= 2 ? kRefer : 0) | (version >= 3 ? kTruncate : 0);
}

size_t size_known_to(int version) { return version >= 6 ? 24 : version >= 4 ? 16 : 8; }

void allow(int rules, const std::filesystem::path& path, uint64_t access) {
  const base::FileDescriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.is_open()) return;
  const BeneathAttributes beneath{.allowed = access, .parent = place.get()};
  ::syscall(SYS_landlock_add_rule, rules, kRuleBeneath, &beneath, 0);
}

}  // namespace

int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

base::FileDescriptor make_landlock_rules(const std::filesystem::path& folder) {
  const int version = landlock_version();
  if (version == 0) return {};
  const uint64_t changes = changes_known_to(version);
  const RulesetAttributes attributes{.handled_files = changes,
                                     .handled_network = version >= 4 ? kTcp : 0,
                                     .scoped = version >= 6 ? kSocketsAndSignals : 0};
  base::FileDescriptor rules(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size_known_to(version), 0)));
  if (!rules.is_open()) return rules;
  allow(rules.get(), folder, changes);
  // Device nodes, and names of threads, are written but never made.
  const uint64_t existing = kWriteFile | (changes & kTruncate);
  allow(rules.get(), "/dev", existing);
  allow(rules.get(), "/proc", existing);
  return rules;
}

}  // namespace cuset::sandbox
