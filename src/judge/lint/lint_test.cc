#include "judge/lint/lint.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/files/file.h"
#include "base/json/json.h"
#include "base/json/jsonl.h"

namespace cuset::judge {
namespace {

namespace fs = std::filesystem;

// "rejected 2 `fork` ..." cut after the first quoted word; "-" for nothing.
std::string summary(const std::string& source) {
  const auto finding = lint(source);
  if (!finding) return "-";
  const char* weight = finding->weight == LintFinding::Weight::kHack ? "hack" : "rejected";
  return weight + (" " + std::to_string(finding->line)) + " " + finding->text;
}

struct Row {
  const char* source;
  const char* wanted;  // beginning of the summary
};

void expect(std::initializer_list<Row> rows) {
  for (const auto& [source, wanted] : rows)
    EXPECT_TRUE(summary(source).starts_with(wanted)) << source << "\n  " << summary(source);
}

TEST(Lint, FilesOfTheHostAreNotCompiledIn) {
  expect({
      {"#include \"/etc/passwd\"", "rejected 1 `#include` of \"/etc/passwd\" reads a file"},
      {"\n#include <../../secret.h>", "rejected 2"},
      {"#include \"a/../../b.h\"", "rejected 1"},
      {"#include_next </proc/self/environ>", "rejected 1"},
      {"#define P \"/etc/passwd\"\n#include P", "rejected 2 `#include` of the macro \"P\" hides"},
      {"#include __FILE__", "rejected 1"},
      {"#if __has_include(\"/etc/passwd\")\n#endif", "rejected 1 `__has_include` asks"},
      {"#if __has_include(</etc/passwd>)\n#endif", "rejected 1"},
      {"const char x[] = {\n#embed \"data.bin\"\n};", "rejected 2 `#embed`"},
      {"asm(\".incbin \\\"/etc/passwd\\\"\");", "rejected 1 `.incbin` reads"},
      {"asm volatile (\".inc\" \"bin \\\"x\\\"\" ::);", "rejected 1 `.incbin`"},
      {"__asm__(\"\\x2eincbin x\");", "rejected 1 `.incbin`"},
      {"__asm__(\"\\056include x\");", "rejected 1 `.include`"},
      {"#define A asm(R\"(.incbin \"x\")\")", "rejected 1 `.incbin`"},
      {"#include <vector>\n#include \"mine.h\"\n#include <cub/cub.cuh>", "-"},
      {"#if __has_include(<cuda_fp16.h>)\n#endif", "-"},
      {"// #include \"/etc/passwd\"\nconst char* s = \".incbin\";", "-"},
      {"asm volatile(\"{ .reg .pred p; cp.async.ca.shared.global [%0], [%1], 4; }\" :: \"r\"(a));", "-"},
  });
}

TEST(Lint, ProcessesAndTheSystemAreLeftAlone) {
  expect({
      {"int main() { fork(); }", "rejected 1 `fork` starts"},
      {"int main() { return std::system(\"ls\"); }", "rejected 1 `system`"},
      {"int main() { ::syscall(1, 2); }", "rejected 1 `syscall` asks"},
      {"auto f = &popen;", "rejected 1 `popen`"},
      {"extern \"C\" void* dlsym(void*, const char*);", "rejected 1 `dlsym` loads"},
      {"#define GO execve", "rejected 1 `execve`"},
      {"void f() { asm volatile(\"syscall\" ::: \"rcx\"); }", "rejected 1 `syscall` asks"},
      {"void f() { asm(\"int $0x80\"); }", "rejected 1 `int $0x80`"},
      {"struct Tree { Tree clone() { return *this; } };\nTree g(Tree t) { return clone(t); }", "-"},
      {"void f(Solver s) { s.system(1); linear::system(2); int fork = 3; fork++; }", "-"},
      {"void f() { printf(\"fork() and system()\"); }", "-"},
      {"unsigned long long t() { unsigned lo, hi; asm volatile(\"rdtsc\" : \"=a\"(lo), \"=d\"(hi)); return "
       "lo; }",
       "-"},
  });
}

TEST(Lint, TheJudgementIsNotTouched) {
  expect({
      {"auto p = getenv(\"CUSET_EXECUTION_RECORD\");", "hack 1 CUSET_ names"},
      {"auto p = getenv(\"CUSE\" \"T_EXECUTION_RECORD\");", "hack 1 CUSET_ names"},
      {"setenv(\"CUDA_INJECTION64_PATH\", \"\", 1);", "hack 1 CUDA_INJECTION64_PATH"},
      {"#include <cupti.h>\nint x = cuptiSubscribe(0, 0, 0);", "hack 2 `cuptiSubscribe`"},
      {"extern \"C\" void cuset_register_module(void*);", "hack 1 `cuset_register_module`"},
      {"FILE* f = fopen(\"/proc/self/maps\", \"r\");", "hack 1 /proc/"},
      {"FILE* f = fopen(\"\\x2fproc/self/maps\", \"r\");", "hack 1 /proc/"},
      {"__attribute__((constructor)) void f() { _exit(0); }", "hack 1 `constructor` runs"},
      {"void f() __attribute__((__destructor__(101)));", "hack 1 `destructor`"},
      {"[[gnu::constructor]] void f() {}", "hack 1 `constructor`"},
      {"__attribute__((section(\".init_array\"))) void (*p)() = f;", "hack 1 a section"},
      {"asm(\".pushsection .init_array\");", "hack 1 `.init_array`"},
      {"setenv(\"CUDA_VISIBLE_DEVICES\", \"0\", 1);", "-"},
      {"struct __attribute__((aligned(16))) V { float x; };", "-"},
      {"int constructor = 1; // __attribute__((constructor))", "-"},
  });
}

TEST(Lint, FunctionsOfTheLibraryAreNotReplaced) {
  expect({
      {"cudaError_t cudaMalloc(void** p, size_t n) { return cudaSuccess; }",
       "hack 1 it defines `cudaMalloc`"},
      {"extern \"C\" cudaError_t cudaEventElapsedTime(float* t, cudaEvent_t, cudaEvent_t) { *t = 0; }",
       "hack 1"},
      {"extern \"C\" {\nint clock_gettime(clockid_t, timespec*) { return 0; }\n}", "hack 2"},
      {"size_t fwrite(const void*, size_t, size_t n, FILE*) { return n; }", "hack 1"},
      {"extern \"C\" ssize_t write(int, const void*, size_t n) { return n; }", "hack 1"},
      {"extern \"C\" int fork() { return 0; }", "hack 1"},
      {"int mine() asm(\"cudaLaunchKernel\");", "hack 1 a function takes the place of `cudaLaunchKernel`"},
      {"extern \"C\" void f() __attribute__((alias(\"g\")));", "hack 1 `alias`"},
      {"void write(const char* name, const float* x, int n) {}\nvoid read(int* x) {}", "-"},
      {"namespace mine { void fwrite(int) {} }", "-"},
      {"struct File { size_t fread(void* p) { return 0; } };", "-"},
      {"int main() { if (cudaMalloc(&p, 4) != cudaSuccess) { return 1; } else { fwrite(p, 1, 1, f); } }",
       "-"},
      {"void cudaCheck(cudaError_t e) {}\n#define CUDA_CHECK(x) cudaCheck(x)", "-"},
      {"int f() { return clock(); }", "-"},
  });
}

TEST(Lint, MacrosDoNotChangeWhatCodeSays) {
  expect({
      {"#define __global__ static", "hack 1 `#define __global__` changes"},
      {"#define return while(0) return", "hack 1"},
      {"#define main other", "hack 1"},
      {"#undef __shared__", "hack 1 `#undef __shared__`"},
      {"#define cudaDeviceSynchronize() cudaSuccess", "hack 1"},
      {"#ifdef __CUDACC__\n#define __device__\n#endif", "hack 2"},
      {"#define __INTELLISENSE__\n#ifdef __INTELLISENSE__\n#define __global__\n#endif", "hack 1"},
      {"#ifndef return\n#define return 0;\n#endif", "hack 2"},
      {"#ifdef __INTELLISENSE__\n#define __global__\n#define __syncthreads()\n#endif", "-"},
      {"#ifndef __CUDACC__\n#define __global__\n#endif", "-"},
      {"#ifdef __CUDACC__\n#define HD __host__ __device__\n#else\n#define HD\n#define __device__\n#endif",
       "-"},
      {"#if !defined(__CUDACC__)\n#define __device__\n#endif", "-"},
      {"#ifndef __launch_bounds__\n#define __launch_bounds__(n)\n#endif", "-"},
      {"#if defined(__HIPCC__)\n#define cudaMalloc hipMalloc\n#endif", "-"},
      {"#define N 1024\n#define CHECK(call) do { call; } while (0)\n#define min(a, b) ((a) < (b) ? (a) : "
       "(b))",
       "-"},
  });
}

TEST(Lint, TheFirstFindingInTheTextIsTheOneNamed) {
  EXPECT_TRUE(
      summary("int a;\nint b = fork();\n#define return\nint clock() { }\n").starts_with("rejected 2"));
  EXPECT_TRUE(summary("int clock() { }\nint b = fork();\n").starts_with("hack 1"));
}

TEST(Lint, AnyBytesAreRead) {
  for (const char* source :
       {"", "#", "#define", "#include", "#include \"", "asm(", "asm(\"\\x", "asm(\"\\", "__attribute__((",
        "__has_include(", "gnu::", "#if\n#else\n#elif\n#endif\n#endif", "R\"(", "__attribute__((section("})
    lint(source);
}

TEST(Lint, OwnProgramsAreClean) {
  size_t programs = 0;
  for (const char* folder : {"testdata/cuda/corpus", "bench/programs", "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cu") continue;
      ++programs;
      EXPECT_EQ(summary(base::read_file(entry.path())), "-") << entry.path();
    }
  EXPECT_GT(programs, 150u);
}

TEST(Lint, ReferencesOfCudaBenchAreClean) {
  const char* fixtures = std::getenv("CUSET_FIXTURES");
  const fs::path file =
      fs::path(fixtures ? fixtures : "../shared/fixtures") / "benchmarks/cudabench-open.jsonl";
  if (!fs::exists(file)) GTEST_SKIP() << "skipped: " << file << " is absent";
  size_t programs = 0;
  base::JsonlReader reader(file);
  while (const auto record = reader.next()) {
    ++programs;
    EXPECT_EQ(summary((*record)["bench.cu"].get<std::string>()), "-") << (*record)["id"].dump();
  }
  EXPECT_EQ(programs, 201u);
}

std::string repeated(const std::string& part, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

// A quadratic step would take minutes here.
TEST(Lint, HostileSourcesTakeTimeInProportion) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* part :
       {"(", "{", "[", "a<", "asm(", "__attribute__((", "\"a\" ", "#", "#ifdef A\n", "__has_include (",
        "extern \"C\" { void open(){}", "k<<<1,1>>>(", "#define f(x) x##y ", "[[gnu::x("})
    lint(repeated(part, 1 << 20));
  lint(repeated("#ifdef A\n", 1 << 19) +
       repeated("#ifndef __CUDACC__\n#define __global__\n#endif\n", 1 << 19));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

}  // namespace
}  // namespace cuset::judge
