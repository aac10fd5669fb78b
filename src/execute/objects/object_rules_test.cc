// Objects that the compilers of this machine make of small sources, held to the rules.
#include "execute/objects/object_rules.h"

#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "sandbox/process.h"

namespace cuset::execute {
namespace {

namespace fs = std::filesystem;

constexpr sandbox::ProcessOptions kPatient{.time_limit = std::chrono::minutes(5)};

class Objects : public testing::Test {
 protected:
  fs::path compile(const std::string& name, const std::string& source) {
    base::write_file_atomic(folder_ / (name + ".cc"), source);
    const fs::path object = folder_ / (name + ".o");
    const sandbox::ProcessResult done = sandbox::run_process(
        {"g++", "-O2", "-fPIE", "-c", (folder_ / (name + ".cc")).string(), "-o", object.string()}, kPatient);
    EXPECT_TRUE(done.succeeded()) << done.output;
    return object;
  }

  fs::path link(const std::vector<fs::path>& objects) {
    std::vector<std::string> command{"g++"};
    for (const fs::path& object : objects) command.push_back(object.string());
    command.insert(command.end(), {"-o", (folder_ / "program").string()});
    const sandbox::ProcessResult done = sandbox::run_process(command, kPatient);
    EXPECT_TRUE(done.succeeded()) << done.output;
    return folder_ / "program";
  }

  // What is wrong with `answer` beside our `main`, which calls work().
  std::string fault(Isolation isolation, const std::string& answer, const std::string& ours = "") {
    const fs::path of_answer = compile("answer", answer);
    const fs::path of_ours = compile("ours", "void work();\n" + ours + "int main() { work(); }\n");
    ObjectRules rules(isolation);
    rules.add_answer(of_answer);
    rules.add_ours(of_ours);
    if (const ObjectFault found = rules.check_objects(); found.found()) return found.text;
    return rules.check_program(link({of_ours, of_answer})).text;
  }

  base::TemporaryFolder folder_;
};

TEST_F(Objects, OrdinaryCodeIsFine) {
  const char* const ordinary = R"(
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
static std::vector<std::string> words{"a", "b"};
struct Base { virtual ~Base() = default; virtual int size() const { return 1; } };
struct Derived : Base { int size() const override { return 2; } };
void work() {
  std::map<std::string, std::vector<float>> table;
  for (const std::string& word : words) table[word].assign(10, 1.5f);
  std::sort(words.begin(), words.end());
  std::cout << table.size() << std::to_string(2) << std::endl;
  const Derived derived;
  if (static_cast<const Base&>(derived).size() != 2) throw std::string("no");
}
)";
  for (const Isolation isolation : {Isolation::kProgram, Isolation::kFunction, Isolation::kTested})
    EXPECT_EQ(fault(isolation, ordinary), "");
}

TEST_F(Objects, FunctionsOfLibrariesAreNotForAnswersToDefine) {
  const std::string work = "void work() { throw 1; }\n";
  for (const char* definition :
       {"extern \"C\" int chdir(const char*) { return 0; }",
        "extern \"C\" long write(int, const void*, unsigned long) { return 0; }",
        "int mine(const char*) __asm__(\"creat\"); int mine(const char*) { return 0; }",
        "extern \"C\" int mine() { return 0; } extern \"C\" int syncfs() __attribute__((alias(\"mine\")));",
        "#include <new>\nvoid* operator new(unsigned long) { return nullptr; }",
        "__asm__(\".globl usleep\\nusleep: ret\\n\");"}) {
    EXPECT_NE(fault(Isolation::kFunction, work + definition).find("which is a library's"), std::string::npos)
        << definition << ": " << fault(Isolation::kFunction, work + definition);
  }
  EXPECT_EQ(fault(Isolation::kProgram, work + "extern \"C\" int chdir(const char*) { return 0; }"), "");
}

TEST_F(Objects, WeakDefinitionsMustNotTakeWhatOurSideCalls) {
  const char* const weak =
      "void work() {}\nextern \"C\" __attribute__((weak)) int puts(const char*) { return 0; }\n";
  EXPECT_EQ(fault(Isolation::kFunction, weak,
                  "extern \"C\" int puts(const char*);\nstatic int said = puts(\"\");\n"),
            "it defines puts, which is a library's");
}

TEST_F(Objects, TemplatesOfOursStayOurs) {
  const char* const ours =
      "template <class T> struct Check { static __attribute__((noinline)) bool same(T a, T b) { return a == b; } };\n"
      "bool judge(int a) { return Check<int>::same(a, 2); }\n";
  const char* const answer =
      "template <class T> struct Check { static bool same(T a, T b); };\n"
      "template <> bool Check<int>::same(int, int) { return true; }\nvoid work() {}\n";
  EXPECT_EQ(fault(Isolation::kTested, answer, ours),
            "it replaces Check<int>::same(int, int), which our code uses");
}

TEST_F(Objects, NothingRunsBeforeAllElse) {
  EXPECT_EQ(fault(Isolation::kTested,
                  "static void early() {}\n__attribute__((section(\".preinit_array\"), used)) "
                  "static void (*at)() = early;\nvoid work() {}\n"),
            "it runs code before all other code of the program");
  EXPECT_EQ(fault(Isolation::kFunction, "__asm__(\".section .init,\\\"ax\\\"\\nnop\\n\");\nvoid work() {}\n"),
            "it runs code before all other code of the program");
  EXPECT_EQ(fault(Isolation::kFunction,
                  "static void one() {}\nstatic void (*choose())() { return one; }\n"
                  "extern \"C\" void both() __attribute__((ifunc(\"_ZL6choosev\")));\nvoid work() {}\n"),
            "it chooses both while it is loaded");
}

TEST_F(Objects, WhereKernelsAreAskedForNoHostCodeRuns) {
  const std::string hint = "and only a kernel is asked for";
  for (const char* text :
       {"struct Early { Early() { other = 1; } } early;",
        "__attribute__((constructor)) static void early() { other = 1; }",
        "__attribute__((constructor(200))) static void early() { other = 1; }",
        "__attribute__((destructor)) static void late() { other = 1; }",
        "static void early() {}\n__attribute__((section(\".ctors\"), used)) static void (*at)() = early;",
        "__attribute__((section(\".init_array\"), used)) static long at = 4096;"})
    EXPECT_NE(fault(Isolation::kKernels, "volatile int other;\n" + std::string(text)).find(hint),
              std::string::npos)
        << text;
  EXPECT_EQ(fault(Isolation::kKernels, "void work() {}\n"),
            "it defines work(), which our code calls and which is not a kernel");
}

TEST_F(Objects, TestedCodeReachesNoSystem) {
  const std::pair<const char*, const char*> cases[] = {
      {"#include <cstdio>\nvoid work() { std::fclose(std::fopen(\"x\", \"w\")); }", "it uses fclose"},
      {"#include <fstream>\nvoid work() { std::ofstream(\"x\") << 1; }", "it uses "},
      {"#include <filesystem>\nvoid work() { std::filesystem::remove(\"x\"); }", "it uses std::filesystem"},
      {"#include <unistd.h>\nvoid work() { syscall(231, 0); }", "it uses syscall"},
      {"#include <dlfcn.h>\nvoid work() { dlsym(nullptr, \"open\"); }", "it uses dlsym"},
      {"#include <csetjmp>\nvoid work() { jmp_buf b; longjmp(b, 1); }", "it uses "},
      {"#include <csignal>\nvoid work() { std::signal(11, [](int) {}); }", "it uses signal"},
      {"#include <sys/mman.h>\nvoid work() { mmap(0, 1, 7, 34, -1, 0); }", "it uses mmap"},
      {"extern \"C\" char __bss_start[];\nvoid work() { __bss_start[0] = 1; }", "it uses __bss_start"},
      {"extern \"C\" void cuset_test_passed();\nvoid work() { cuset_test_passed(); }",
       "it calls cuset_test_passed"},
      {"extern \"C\" void __enable_execute_stack(void*);\nvoid work() { __enable_execute_stack(0); }",
       "it uses __enable"},
      {"#include <unwind.h>\nvoid work() { _Unwind_SetIP(0, 1); }", "it uses _Unwind_SetIP"},
      {"extern \"C\" void _dl_make_stack_executable();\nvoid work() { _dl_make_stack_executable(); }",
       "it uses _dl_"},
  };
  for (const auto& [source, wanted] : cases) {
    ObjectRules rules(Isolation::kTested);
    rules.add_answer(compile("answer", source));
    EXPECT_TRUE(rules.check_objects().text.starts_with(wanted))
        << source << ": " << rules.check_objects().text;
  }
}

TEST_F(Objects, WhereHostWorkIsCountedFunctionsOfTheTestsDoNotHelp) {
  const fs::path ours = compile(
      "ours",
      "float scale = 2;\nfloat reference(float x) { return scale * x; }\n"
      "template <class T> __attribute__((noinline)) T twice(T x) { return 2 * x; }\ntemplate int twice(int);\n");
  const auto fault_of = [&](const std::string& answer, bool counted) {
    ObjectRules rules(Isolation::kTested);
    rules.add_answer(compile("answer", answer));
    rules.add_ours(ours);
    if (counted) rules.refuse_help_of_tests();
    return rules.check_objects().text;
  };
  const std::string calls = "float reference(float);\nfloat work(float x) { return reference(x); }\n";
  EXPECT_EQ(fault_of(calls, true), "it calls reference(float), a function of its tests");
  EXPECT_EQ(fault_of(calls, false), "");
  EXPECT_EQ(fault_of("template <class T> T twice(T x);\nint work(int x) { return twice(x); }\n", true),
            "it calls int twice<int>(int), a function of its tests");
  EXPECT_EQ(fault_of("extern float scale;\nfloat work(float x) { return scale * x; }\n", true), "");
}

TEST_F(Objects, DeviceCodeCallsNoHost) {
  ObjectRules rules(Isolation::kProgram);
  rules.add_device_code(
      compile("device", "extern \"C\" int open(const char*, int);\nint f() { return open(\"x\", 0); }\n"));
  EXPECT_EQ(rules.check_objects().text, "its device code calls open, a function of the host");
  ObjectRules forged(Isolation::kKernels);
  forged.add_ours(compile("ours", "extern \"C\" void cuset_test_exit(int) {}\n"));
  forged.add_device_code(
      compile("forged", "extern \"C\" void cuset_test_exit(int);\nvoid f() { cuset_test_exit(0); }\n"));
  EXPECT_EQ(forged.check_objects().text, "its device code calls cuset_test_exit, a function of the host");
  ObjectRules fine(Isolation::kProgram);
  fine.add_device_code(compile(
      "fine",
      "#include <cmath>\n__float128 f(float x) { return __float128(std::tgamma(x)) * std::exp(x); }\n"));
  EXPECT_EQ(fine.check_objects().text, "");
}

TEST_F(Objects, WhatCannotBeReadIsRefused) {
  base::write_file_atomic(folder_ / "text.o", "not an object");
  ObjectRules rules(Isolation::kTested);
  rules.add_answer(folder_ / "text.o");
  EXPECT_EQ(rules.check_objects().text, "its object text.o cannot be read");
  const std::string whole = base::read_file(compile("a", "int f() { return 1; }\n"));
  ASSERT_TRUE(parse_object(whole));
  for (size_t size = 0; size < whole.size(); size += 37) std::ignore = parse_object(whole.substr(0, size));
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    std::ignore = parse_object(damaged);
  }
}

}  // namespace
}  // namespace cuset::execute
