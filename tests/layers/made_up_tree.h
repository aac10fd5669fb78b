// A small tree of sources on disk, for tests of the rules of the source layout.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "layers/layers.h"

namespace cuset::tests {

class MadeUpTree : public testing::Test {
 protected:
  const std::filesystem::path& root() const { return folder_.path(); }

  void write(const char* file, std::string_view text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    base::write_file_atomic(folder_ / file, text);
  }

  static std::vector<std::string> messages(const std::vector<Violation>& violations) {
    std::vector<std::string> texts;
    for (const Violation& violation : violations) texts.push_back(violation.message());
    return texts;
  }

 private:
  base::TemporaryFolder folder_;
};

}  // namespace cuset::tests
