#include "execute/build/bracket_check.h"

#include <gtest/gtest.h>

namespace cuset::execute {
namespace {

TEST(BracketCheck, FindsWhatNoCompilerAccepts) {
  for (const char* source : {"int main() {", "int main() { } }", "void f(int x { }", "int a[3;", "f(]",
                             "#include <cstdio>\n#define N 4\nint main() {",
                             "#define CHECK(x) do { (x); } while (0)\nint main() {", "/* open",
                             "auto x = R\"(open", "k<<<1, 2>>>(x;"}) {
    EXPECT_TRUE(has_unmatched_brackets(source)) << source;
  }
}

TEST(BracketCheck, LetsPassWhatMayBeRight) {
  for (const char* source : {"", "int main() { return f(a[0]); }", "const char* s = \"{\"; char c = '(';",
                             "// {\n/* ( */", "auto x = R\"({)\";", "#define OPEN {\nint main() OPEN }",
                             "#ifdef X\nvoid f() {\n#else\nvoid g() {\n#endif\n}", "#include \"opens.h\"\n}",
                             "#if 0\n{\n#endif\n", "int main() <% %>", "k<<<dim3(1), 2>>>(x);"}) {
    EXPECT_FALSE(has_unmatched_brackets(source)) << source;
  }
}

}  // namespace
}  // namespace cuset::execute
