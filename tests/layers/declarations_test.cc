#include "layers/declarations.h"

#include <gtest/gtest.h>

#include "layers/made_up_tree.h"

namespace cuset::tests {
namespace {

using Messages = std::vector<std::string>;

// "line kind scope|name", a line each.
std::string dump(std::string_view source) {
  std::string out;
  for (const Declaration& one : scan_declarations(source)) {
    const char* kind = one.kind == Declaration::Kind::kNamespace ? "namespace"
                       : one.kind == Declaration::Kind::kType    ? "type"
                                                                 : "using";
    out += fmt::format("{} {} {}|{}\n", one.line, kind, one.scope, one.name);
  }
  return out;
}

TEST(ScanDeclarations, FindsTypesOfEveryKind) {
  EXPECT_EQ(dump("namespace cuset::text {\n"
                 "struct A {};\n"
                 "class B final : public A, private std::vector<int> { int x; };\n"
                 "enum class C : uint8_t { kOne };\n"
                 "union D { int i; };\n"
                 "using E = std::vector<A>;\n"
                 "template <typename T, class U = A<T>>\nusing F = std::map<T, U>;\n"
                 "template <typename T>\nclass alignas(64) [[nodiscard]] G {};\n"
                 "typedef unsigned long H;\n"
                 "}\n"
                 "struct I {};\n"),
            "1 namespace |cuset::text\n"
            "2 type cuset::text|A\n"
            "3 type cuset::text|B\n"
            "4 type cuset::text|C\n"
            "5 type cuset::text|D\n"
            "6 type cuset::text|E\n"
            "8 type cuset::text|F\n"
            "10 type cuset::text|G\n"
            "11 type cuset::text|H\n"
            "13 type |I\n");
}

TEST(ScanDeclarations, LeavesOutWhatDefinesNoTypeOfTheNamespace) {
  EXPECT_EQ(dump("class Declared;\n"
                 "enum Later : int;\n"
                 "template <> struct std::hash<A> {};\n"
                 "template <> struct Special<int> {};\n"
                 "struct stat info = {};\n"
                 "struct Result make() { struct Local {}; using Inner = int; return {}; }\n"
                 "struct Result make(int a = 1'000'000) noexcept;\n"
                 "int values[] = {1, 2};\n"
                 "enum { kUnnamed };\n"
                 "using std::swap;\n"
                 "namespace fs = std::filesystem;\n"
                 "auto f = [](struct Pair p) { class Hidden {}; };\n"),
            "");
}

TEST(ScanDeclarations, MembersAndUnnamedNamespacesAreOfNobodyElse) {
  EXPECT_EQ(dump("namespace cuset::text {\n"
                 "namespace {\nstruct Own {}; using Mine = int; namespace deeper { class Too {}; }\n}\n"
                 "class Outer { struct Member {}; enum Kind { kA }; using Type = int; };\n"
                 "namespace jinja { struct Value {}; }\n"
                 "}\n"),
            "1 namespace |cuset::text\n"
            "5 type cuset::text|Outer\n"
            "6 namespace cuset::text|cuset::text::jinja\n"
            "6 type cuset::text::jinja|Value\n");
}

TEST(ScanDeclarations, CommentsAndLiteralsHideCode) {
  EXPECT_EQ(dump("// struct A { \\\n struct B {};\n"
                 "/* namespace x {\n */\n"
                 "const char* a = \"} struct C {\\\"\"; char b = '{'; char c = '\\'';\n"
                 "const char* d = R\"cuda(struct D {)\" {)cuda\"; const char* e = u8R\"({)\";\n"
                 "#define F \\\n  struct F {\n"
                 "struct G {};\n"),
            "9 type |G\n");
}

TEST(ScanDeclarations, BranchesOfThePreprocessorBeginAlike) {
  EXPECT_EQ(dump("#ifdef A\nnamespace a {\n#elif defined(B)\nnamespace b {\n#else\nnamespace c {\n#endif\n"
                 "struct D {};\n}\n"
                 "struct E {};\n"),
            "2 namespace |a\n4 namespace |b\n6 namespace |c\n8 type a|D\n10 type |E\n");
}

TEST(ScanDeclarations, LinkageIsTransparent) {
  EXPECT_EQ(dump("extern \"C\" {\nstruct A {};\n}\nextern \"C\" void f() { struct B {}; }\nstruct C {};\n"),
            "2 type |A\n5 type |C\n");
}

TEST(ScanDeclarations, UsingDirectivesAreFoundAnywhere) {
  EXPECT_EQ(dump("using namespace std;\nnamespace {\nvoid f() { using namespace a::b; }\n}\n"),
            "1 using |std\n3 using |a::b\n");
}

class DoubledTypes : public MadeUpTree {
 protected:
  Messages complaints() const { return messages(find_doubled_types(root())); }
};

TEST_F(DoubledTypes, AreToldWithBothPlaces) {
  write("model/decoder.h", "#pragma once\nnamespace cuset::model {\nclass Decoder {};\n}\n");
  write("text/decoder.h", "namespace cuset::text {\nstruct Decoder {};\n}\n");
  write("text/other.cc", "namespace cuset::text {\nusing Decoder = int;\n}\n");
  EXPECT_EQ(complaints(),
            (Messages{"text/decoder.h:2: defines the type Decoder, and so does model/decoder.h:3",
                      "text/other.cc:2: defines the type Decoder, and so does model/decoder.h:3"}));
}

TEST_F(DoubledTypes, DeclarationsUnnamedNamespacesAndOneModuleAreFine) {
  write("model/a.h", "namespace cuset::model {\nclass Decoder {};\n}\n");
  write("model/b.cc", "namespace cuset::model {\nnamespace inner { class Decoder {}; }\n}\n");
  write("text/a.h", "namespace cuset::model {\nclass Decoder;\n}\n");
  write("text/b.cc", "namespace cuset::text {\nnamespace {\nclass Decoder {};\n}\n}\n");
  EXPECT_EQ(complaints(), Messages{});
}

TEST_F(DoubledTypes, ANamespaceInsideAModuleHasWordsOfItsOwn) {
  write("cuda_source/lexer.h", "namespace cuset::cuda_source {\nstruct Token {};\n}\n");
  write("text/jinja/lexer.h", "namespace cuset::text::jinja {\nstruct Token {};\n}\n");
  EXPECT_EQ(complaints(), Messages{});
}

TEST_F(DoubledTypes, ProgramsOfTheirOwnMayRepeatNames) {
  write("base/a.h", "namespace cuset::base {\nclass Arena {};\n}\n");
  write("emulator/runtime/memory/arena.h", "namespace cuset_emulator {\nclass Arena {};\n}\n");
  write("execute/injection/arena.h", "namespace cuset_injection {\nclass Arena {};\n}\n");
  EXPECT_EQ(complaints(), Messages{});
}

class ForeignNamespaces : public MadeUpTree {
 protected:
  Messages complaints() const { return messages(find_foreign_namespaces(root())); }
};

TEST_F(ForeignNamespaces, AModuleIsOneNamespace) {
  write(
      "text/a.h",
      "namespace cuset::text {\nnamespace {\n}\nnamespace jinja {\n}\n}\nnamespace cuset::text::jinja {\n}\n");
  write("text/a_test.cc", "using namespace std::string_literals;\nnamespace cuset::text {\n}\n");
  write("text/b.h", "namespace CLI {\nclass App;\n}\n");
  EXPECT_EQ(complaints(), Messages{});
}

TEST_F(ForeignNamespaces, OthersAreTold) {
  write("text/a.h", "namespace cuset {\n}\n");
  write("text/b.cc", "\nnamespace cuset::model {\n}\n");
  write("text/c.cu", "namespace cuset::text_parts {\n}\nnamespace std {\n}\n");
  EXPECT_EQ(complaints(),
            (Messages{"text/a.h:1: opens namespace cuset; its module is cuset::text",
                      "text/b.cc:2: opens namespace cuset::model; its module is cuset::text",
                      "text/c.cu:1: opens namespace cuset::text_parts; its module is cuset::text",
                      "text/c.cu:3: opens namespace std; its module is cuset::text"}));
}

TEST_F(ForeignNamespaces, AHeaderSaysUsingNamespaceNowhere) {
  write("text/a.h", "inline void f() {\n  using namespace std;\n}\n");
  write("ops/a.cuh", "using namespace cuset::base;\n");
  EXPECT_EQ(complaints(), (Messages{"ops/a.cuh:1: says `using namespace cuset::base` in a header",
                                    "text/a.h:2: says `using namespace std` in a header"}));
}

TEST_F(ForeignNamespaces, ProgramsOfTheirOwnHaveTheirs) {
  write("emulator/include/cuda.h", "namespace cuda {\n}\ninline void f() { using namespace cuda; }\n");
  write("emulator/runtime/a.cc", "namespace cuset_emulator {\n}\n");
  write("execute/injection/a.cc", "namespace cuset_emulator {\n}\n");
  EXPECT_EQ(
      complaints(),
      Messages{"execute/injection/a.cc:1: opens namespace cuset_emulator; its module is cuset::execute"});
}

}  // namespace
}  // namespace cuset::tests
