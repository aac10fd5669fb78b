#include "execute/build/cccl.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  base::write_file_atomic(path, text);
}

// As much of one as find_cccl() looks for.
void lay_cccl(const fs::path& folder) {
  write(folder / "thrust/version.h", "#define THRUST_VERSION 300001\n");
  write(folder / "cub/cub.cuh", "asm(\"ld.u16 %0, [%1];\" : \"=h\"(value) : \"l\"(address));\n");
  write(folder / "cub/util_device.cuh", "#  include <iostream>\nusing EmptyKernelPtr        = void (*)();\n");
  write(
      folder / "cub/util_ptx.cuh",
      "  static unsigned int match_any(unsigned int label)\n  {\n    unsigned int retval;\n    return retval;\n  }\n");
  write(folder / "cuda/std/version", "\n");
  write(folder / "nv/target", "#if defined(__NVCC__) || defined(__NVCC__MORE)\n#endif\n");
  write(folder / "cublas_v2.h", "not ours to use\n");
}

TEST(Cccl, ConstraintsThatClangRefusesAreReplaced) {
  EXPECT_EQ(adapt_assembly(R"(asm("add %0;" : "=h"(a), "+f" (b) : "h"(c), "f"(d), "r"(e));)"),
            R"(asm("add %0;" : "=r"(a), "+r" (b) : "r"(c), "r"(d), "r"(e));)");
}

TEST(Cccl, OtherTextStays) {
  for (const char* text : {R"(printf("f", (x));)", R"(puts("h");)", R"(const char* f = "=f";)", "\"",
                           "\"=", "\"=h\"", R"(asm("" : "=d"(x));)", ""})
    EXPECT_EQ(adapt_assembly(text), text);
}

TEST(Cccl, FirstWholeFolderIsFound) {
  const base::TemporaryFolder folder;
  lay_cccl(folder.path() / "whole");
  write(folder.path() / "part/thrust/version.h", "\n");
  EXPECT_EQ(find_cccl({folder.path() / "absent", folder.path() / "part", folder.path() / "whole"}),
            folder.path() / "whole");
  EXPECT_EQ(find_cccl({folder.path() / "part"}), std::nullopt);
}

TEST(Cccl, CopyHoldsAdaptedHeadersOfCcclAlone) {
  const base::TemporaryFolder folder;
  lay_cccl(folder.path() / "cccl");
  const fs::path copy = adapted_cccl(folder.path() / "cccl", folder.path() / "kept");
  EXPECT_NE(base::read_file(copy / "cub/cub.cuh").find("\"=r\"(value)"), std::string::npos);
  EXPECT_EQ(base::read_file(copy / "cub/util_device.cuh"),
            "#  include <ostream>\nusing EmptyKernelPtr        = void (CUSET_KERNEL_ABI *)();\n");
  EXPECT_NE(base::read_file(copy / "cub/util_ptx.cuh")
                .find("{\n    return __match_any_sync(~0u, LABEL_BITS < 32 ?"),
            std::string::npos);
  EXPECT_EQ(base::read_file(copy / "nv/target"),
            "#if defined(CUSET_COMPILER_IS_NVCC) || defined(__NVCC__MORE)\n#endif\n");
  EXPECT_FALSE(fs::exists(copy / "cublas_v2.h"));
  EXPECT_EQ(adapted_cccl(folder.path() / "cccl", folder.path() / "kept"), copy);
}

TEST(Cccl, AnotherVersionIsAnotherCopy) {
  const base::TemporaryFolder folder;
  lay_cccl(folder.path() / "cccl");
  const fs::path copy = adapted_cccl(folder.path() / "cccl", folder.path() / "kept");
  write(folder.path() / "cccl/thrust/version.h", "#define THRUST_VERSION 300100\n");
  EXPECT_NE(adapted_cccl(folder.path() / "cccl", folder.path() / "kept"), copy);
}

}  // namespace
}  // namespace cuset::execute
