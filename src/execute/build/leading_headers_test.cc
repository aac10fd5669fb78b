#include "execute/build/leading_headers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

std::string found(std::string_view source) {
  return fmt::format("{}", fmt::join(leading_headers(source), " "));
}

TEST(LeadingHeaders, AreThoseBeforeEverythingElse) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"#include <vector>", "vector"},
      {"// a\n/* b */ #include <vector>\n\n# include <fstream> // c\nint x;\n#include <string>\n",
       "fstream vector"},
      {"#include <vector>\n#include <cstdio>\n#include <vector>\n#include <cuda_runtime.h>\n#include "
       "<string>\n",
       "string vector"},
      {"#include <vec\\\ntor>\n", ""},
      {"#define private public\n#include <vector>\n", ""},
      {"#include <vector>\n#define private public\n#include <string>\n", "vector"},
      {"#include <vector>\n#pragma once\n#include <string>\n", "vector"},
      {"#include <vector>\n#ifdef X\n#include <string>\n#endif\n", "vector"},
      {"#include <vector>\n#include \"string\"\n#include <string>\n", "vector"},
      {"#include \"cuda_runtime.h\"\n#include <vector>\n#include \"cuda_fp16.h\"\n", "cuda_fp16.h vector"},
      {"#include \"own.h\"\n#include <vector>\n", ""},
      {"#include \"cuda.h>\n#include <vector>\n", ""},
      {"#include <vector>\n#include HEADER\n#include <string>\n", "vector"},
      {"#include <vector> x\n#include <string>\n", "vector"},
      {"#include <cassert>\n#include <string>\n#include </etc/passwd>\n#include <vector>\n", "string"},
      {"#include <complex.h>\n#include <string>\n", ""},
      {"#include_next <vector>\n", ""},
      {"#include <vector", ""},
      {"/* open #include <vector>\n", ""},
  };
  for (const auto& [source, headers] : cases) EXPECT_EQ(found(source), headers) << source;
}

}  // namespace
}  // namespace cuset::execute
