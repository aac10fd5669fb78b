// Our own sources obey the rules of the source layout.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "layers/declarations.h"
#include "layers/layers.h"

namespace cuset::tests {
namespace {

constexpr const char* kSources = "src";
constexpr const char* kModuleTable = "docs/architecture.md";

void expect_none(const std::vector<Violation>& violations) {
  for (const Violation& violation : violations) ADD_FAILURE() << kSources << "/" << violation.message();
}

TEST(OurSources, EveryModuleOfTheTableIsAFolder) {
  for (const auto& [name, allowed] : parse_module_table(base::read_file(kModuleTable)))
    EXPECT_TRUE(std::filesystem::is_directory(std::filesystem::path(kSources) / name)) << name;
}

TEST(OurSources, IncludeWhatTheTableAllows) {
  expect_none(find_forbidden_includes(kSources, parse_module_table(base::read_file(kModuleTable))));
}

TEST(OurSources, IncludeEachOtherInOneDirection) { expect_none(find_include_circles(kSources)); }

TEST(OurSources, DefineEachTypeNameInOneModule) { expect_none(find_doubled_types(kSources)); }

TEST(OurSources, HaveOneNamespacePerModule) { expect_none(find_foreign_namespaces(kSources)); }

}  // namespace
}  // namespace cuset::tests
