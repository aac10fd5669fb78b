#include "base/machine/openmp_waiting.h"

#include <alloca.h>
#include <linux/limits.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace cuset::base {
namespace {

constexpr const char* kChoices[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
constexpr const char* kBriefly[] = {"GOMP_SPINCOUNT=1000", "KMP_BLOCKTIME=0"};

bool is_of(const char* entry, const char* name) {
  const size_t length = std::strlen(name);
  return std::strncmp(entry, name, length) == 0 && entry[length] == '=';
}

// Started as `ld-linux.so PROGRAM`, the executable of the process is the loader, which has no interpreter.
bool is_run_by_a_loader() { return getauxval(AT_BASE) == 0; }

bool is_privileged() { return getauxval(AT_SECURE) != 0; }

}  // namespace

bool chooses_waiting(const char* const* environment) {
  for (; *environment != nullptr; ++environment)
    for (const char* name : kChoices)
      if (is_of(*environment, name)) return true;
  return false;
}

void restart_to_wait_briefly(int /*argc*/, char** argv, char** environment) {
  if (chooses_waiting(environment) || is_run_by_a_loader() || is_privileged()) return;
  // By its path, for of /proc/self/exe the process would be named "exe".
  char program[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return;
  program[length] = '\0';

  size_t count = 0;
  while (environment[count] != nullptr) ++count;
  auto** more = static_cast<const char**>(alloca((count + std::size(kBriefly) + 1) * sizeof(char*)));
  std::memcpy(more, environment, count * sizeof(char*));
  for (const char* entry : kBriefly) more[count++] = entry;
  more[count] = nullptr;
  ::execve(program, argv, const_cast<char**>(more));
}

std::map<std::string, std::string> waiting_policy() {
  std::map<std::string, std::string> policy;
  for (const char* name : kChoices)
    if (const char* value = std::getenv(name)) policy[name] = value;
  return policy;
}

}  // namespace cuset::base
