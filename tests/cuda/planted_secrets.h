// Secrets that hostile programs are told to look for: random words in files around the places where programs
// work, in an environment variable of ours, and in a descriptor that children inherit. None of them may ever
// come back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/scoped_variable.h"

namespace cuset::tests {

class PlantedSecrets {
 public:
  // `folder` is the parent of all working folders, `cache` that of the objects.
  PlantedSecrets(const std::filesystem::path& folder, const std::filesystem::path& cache);
  ~PlantedSecrets();
  PlantedSecrets(const PlantedSecrets&) = delete;
  PlantedSecrets& operator=(const PlantedSecrets&) = delete;

  const std::vector<std::filesystem::path>& files() const { return files_; }
  // The folders they lie in.
  std::vector<std::filesystem::path> folders() const;

  // Where the secret was planted that `text` contains; "" if it contains none.
  std::string found_in(std::string_view text) const;

  // What happened to the planted files, one line each; "" if they are as they were.
  std::string damage() const;

 private:
  struct Secret {
    std::string place;
    std::string word;
  };
  std::string make(const std::string& place);
  void plant(const std::filesystem::path& folder);
  void add_passwords();

  std::filesystem::path home_;  // a folder of ours in $HOME
  std::vector<Secret> secrets_;
  std::vector<std::filesystem::path> files_;
  base::FileDescriptor inherited_;
  std::optional<support::ScopedVariable> variable_;
};

}  // namespace cuset::tests
