#include "cuda/planted_secrets.h"

#include <fcntl.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "base/error.h"
#include "base/files/remove_folder.h"
#include "base/lines.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "CUSET_TEST_SECRET";
constexpr const char* kFileName = "secret";

std::string random_word() {
  std::random_device random;
  return fmt::format("SECRET-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

}  // namespace

PlantedSecrets::PlantedSecrets(const fs::path& folder, const fs::path& cache) {
  if (const char* home = std::getenv("HOME"); home != nullptr && fs::is_directory(home)) {
    home_ = fs::path(home) / ("." + random_word());
    plant(home_);
  }
  plant(folder);              // the parent of the working folders
  plant(folder / "sibling");  // as if it were the working folder of another program
  plant(cache);
  // Open across exec, as a careless program would leave it.
  inherited_ = base::FileDescriptor(::open(files_.front().c_str(), O_RDONLY));
  variable_.emplace(kVariable, make("the environment"));
  add_passwords();
}

PlantedSecrets::~PlantedSecrets() {
  if (!home_.empty()) base::remove_folder(home_);
  std::error_code ignored;
  for (const fs::path& file : files_) fs::remove(file, ignored);
}

std::string PlantedSecrets::make(const std::string& place) {
  secrets_.push_back({place, random_word()});
  return secrets_.back().word;
}

void PlantedSecrets::plant(const fs::path& folder) {
  fs::create_directories(folder);
  const fs::path file = folder / kFileName;
  std::ofstream(file) << make(file.string()) << "\n";
  // Everybody may read it, so that only the sandbox stands before it.
  fs::permissions(folder, fs::perms(0755));
  fs::permissions(file, fs::perms(0644));
  files_.push_back(file);
}

// Who may read them could hand them on.
void PlantedSecrets::add_passwords() {
  std::ifstream shadow("/etc/shadow");
  std::string line;
  while (std::getline(shadow, line)) {
    if (line.size() > 12) secrets_.push_back({"/etc/shadow", line});
  }
}

std::vector<fs::path> PlantedSecrets::folders() const {
  std::vector<fs::path> folders;
  for (const fs::path& file : files_) folders.push_back(file.parent_path());
  return folders;
}

std::string PlantedSecrets::found_in(std::string_view text) const {
  for (const Secret& secret : secrets_) {
    if (text.find(secret.word) != std::string_view::npos) return secret.place;
  }
  return "";
}

std::string PlantedSecrets::damage() const {
  std::string lines;
  for (const fs::path& file : files_) {
    std::ifstream stream(file);
    std::string word;
    if (!std::getline(stream, word) || found_in(word) != file.string())
      lines += fmt::format("{} was changed or removed\n", file.string());
  }
  return lines;
}

}  // namespace cuset::tests
