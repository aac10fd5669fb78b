#include "base/machine/home_folder.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace cuset::base {
namespace {

std::filesystem::path home_of_account() {
  std::array<char, 16384> texts;  // more than any entry needs
  passwd account{};
  passwd* found = nullptr;
  if (getpwuid_r(geteuid(), &account, texts.data(), texts.size(), &found) != 0 || found == nullptr) return {};
  return found->pw_dir;
}

}  // namespace

std::filesystem::path home_folder() {
  const char* home = std::getenv("HOME");
  const std::filesystem::path folder = home != nullptr && *home != '\0' ? home : home_of_account();
  return folder.is_absolute() ? folder : std::filesystem::path();
}

}  // namespace cuset::base
