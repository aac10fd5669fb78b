#include "execute/objects/imported_functions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(ImportedFunctions, OfThisProgram) {
  const std::vector<std::string> names = imported_functions("/proc/self/exe");
  EXPECT_TRUE(holds(names, "memcmp") || holds(names, "memcpy"));
  EXPECT_FALSE(holds(names, "main"));
  EXPECT_FALSE(holds(names, "no_such_function"));
}

TEST(ImportedFunctions, OtherAndDamagedFilesGiveNone) {
  const base::TemporaryFolder folder;
  const std::string program = base::read_file("/proc/self/exe");
  for (const size_t size : {0, 3, 16, 63, 64, 4096}) {
    base::write_file_atomic(folder / "cut", program.substr(0, size));
    EXPECT_TRUE(imported_functions(folder / "cut").empty()) << size;
  }
  base::write_file_atomic(folder / "text", std::string(1000, 'x'));
  EXPECT_TRUE(imported_functions(folder / "text").empty());
}

TEST(ImportedFunctions, TablesThatPointOutsideAreLeftOut) {
  const base::TemporaryFolder folder;
  std::string program = base::read_file("/proc/self/exe");
  program.replace(0x28, 8, std::string(8, '\xff'));  // where the sections are
  base::write_file_atomic(folder / "damaged", program);
  EXPECT_TRUE(imported_functions(folder / "damaged").empty());
}

}  // namespace
}  // namespace cuset::execute
