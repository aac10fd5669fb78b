// cuset run as a user runs it: real compiler, real sandbox. Where the CPU executor cannot work, these tests
// are skipped.
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "base/json/json.h"
#include "e2e/program.h"
#include "e2e/started_program.h"
#include "support/scoped_variable.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

// What one `cuset run` printed, apart.
struct Shown {
  int status = -1;
  std::string output;
  std::string errors;
};

class CpuRun : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    missing_ = lack_of_cpu_executor();
    const base::Json report = base::parse_json(run_cuset({"doctor", "--json"}).output, "doctor");
    for (const base::Json& finding : report["findings"])
      if (finding["name"] == "nvcc") has_nvcc_ = finding["state"] == "good";
  }

  void SetUp() override {
    if (!missing_.empty()) GTEST_SKIP() << missing_;
  }

  fs::path source(const std::string& name, const std::string& text) {
    base::write_file_atomic(folder_ / name, "#include <cstdio>\n" + text);
    return folder_ / name;
  }

  Shown run(const fs::path& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"sh",
                                      "-c",
                                      "out=$1; shift; exec \"$@\" >\"$out/out\" 2>\"$out/err\"",
                                      "sh",
                                      folder_.path().string(),
                                      CUSET_PROGRAM,
                                      "run",
                                      file.string(),
                                      "--executor",
                                      "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    const sandbox::ProcessResult result = sandbox::run_process(words, {.time_limit = kTooLong});
    return {result.exit_status, base::read_file(folder_ / "out"), base::read_file(folder_ / "err")};
  }

  static inline std::string missing_;
  static inline bool has_nvcc_ = false;
  base::TemporaryFolder folder_;
};

TEST_F(CpuRun, ExampleRunsAndIsSummarized) {
  const Shown shown = run("examples/saxpy.cu", {"--", "5000"});
  EXPECT_EQ(shown.status, 0) << shown.errors;
  EXPECT_EQ(shown.output, "n = 5000, largest error 0\n");
  EXPECT_TRUE(has(shown.errors, "saxpy")) << shown.errors;
  EXPECT_TRUE(has(shown.errors, "(20,1,1)      (256,1,1)")) << shown.errors;
  EXPECT_TRUE(has(shown.errors, "done: exit status 0; ran ")) << shown.errors;
}

TEST_F(CpuRun, QuietLeavesOnlyTheProgramsOutput) {
  const Shown shown = run("examples/saxpy.cu", {"--quiet"});
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(shown.output, "n = 1048576, largest error 0\n");
  EXPECT_EQ(shown.errors, "");
}

// A Makefile as they are found: objects, C beside CUDA, headers and data of other folders, OpenMP.
TEST_F(CpuRun, FolderIsBuiltAsItsMakefileSays) {
  for (const char* name : {"app", "grid", "data", "toolkit"}) fs::create_directories(folder_ / name);
  base::write_file_atomic(
      folder_ / "app/Makefile",
      "NVCC = /usr/local/cuda/bin/nvcc\nOBJECTS = main.o clock.o limits.o\n"
      "solver: $(OBJECTS)\n\t$(NVCC) $^ -o $@ -Xcompiler -fopenmp -lgomp\n"
      "%.o: %.cu\n\t$(NVCC) -DSIZE=3 -I../toolkit -c $< -o $@\n%.o: %.c\n\tgcc -fopenmp -c $< -o $@\n%.o: %.cpp\n\tg++ -c $< -o $@\n");
  base::write_file_atomic(folder_ / "app/limits.cpp",
                          "#include <cuda.h>\n#include <cuda_runtime.h>\nint limit = CUDA_SUCCESS;\n");
  base::write_file_atomic(folder_ / "app/clock.c",
                          "#include <omp.h>\nint threads(void) { return omp_get_max_threads(); }\n");
  base::write_file_atomic(folder_ / "grid/grid.h", "#include \"part.h\"\n");
  base::write_file_atomic(folder_ / "grid/part.h", "inline int cells() { return 7; }\n");
  base::write_file_atomic(folder_ / "data/mesh.txt", "41\n");
  for (const char* header : {"cuda_runtime.h", "cuda_runtime_api.h"})
    base::write_file_atomic(folder_ / "toolkit" / header, "#error \"of a toolkit\"\n");
  base::write_file_atomic(folder_ / "app/main.cu",
                          "#include <cstdio>\n#include \"../grid/grid.h\"\nextern \"C\" int threads(void);\n"
                          "__global__ void add(int* x) { *x += 1; }\n"
                          "int main(int, char** names) {\n  int* x;\n  cudaMallocManaged(&x, 4);\n"
                          "  if (std::FILE* file = fopen(names[1], \"r\")) fscanf(file, \"%d\", x);\n"
                          "  add<<<1, 1>>>(x);\n  cudaDeviceSynchronize();\n"
                          "  printf(\"%d %d %d %d\\n\", *x, SIZE, cells(), threads());\n}\n");
  const Shown shown = run(folder_ / "app", {"--", "../data/mesh.txt"});
  EXPECT_EQ(shown.output, "42 3 7 1\n") << shown.errors;
  EXPECT_TRUE(has(shown.errors, "Makefile: solver (main.cu, clock.c, limits.cpp; -DSIZE=3")) << shown.errors;
  EXPECT_TRUE(has(run(folder_ / "app", {"--target", "absent"}).errors, "No rule to make target"))
      << shown.errors;
}

TEST_F(CpuRun, CheckFindsThePlantedBugsByLine) {
  const Shown overflow = run("examples/overflow.cu", {"--check"});
  EXPECT_EQ(overflow.status, 1) << overflow.errors;
  EXPECT_TRUE(has(overflow.errors, "examples/overflow.cu:9:")) << overflow.errors;
  EXPECT_TRUE(has(overflow.errors, ": out_of_bounds: ")) << overflow.errors;
  EXPECT_TRUE(has(overflow.errors, "    9 |   values[i] *= factor;\n")) << overflow.errors;
  const Shown race = run("examples/race.cu", {"--check"});
  EXPECT_EQ(race.status, 1) << race.errors;
  EXPECT_TRUE(has(race.errors, "examples/race.cu:11:")) << race.errors;
  EXPECT_TRUE(has(race.errors, ": shared_race: ")) << race.errors;
  const Shown clean = run("examples/saxpy.cu", {"--check"});
  EXPECT_EQ(clean.status, 0) << clean.errors;
  EXPECT_TRUE(has(clean.errors, "; nothing found\n")) << clean.errors;
}

TEST_F(CpuRun, OtherOrdersOfThreadsShowWhatDependsOnThem) {
  const fs::path last = source("last.cu",
                               "__global__ void k(int* p) { *p = threadIdx.x; }\n"
                               "int main() {\n"
                               "  int *p, last;\n"
                               "  cudaMalloc(&p, 4);\n"
                               "  k<<<1, 64>>>(p);\n"
                               "  cudaMemcpy(&last, p, 4, cudaMemcpyDeviceToHost);\n"
                               "  std::printf(\"last %d\\n\", last);\n"
                               "}\n");
  const Shown dependent = run(last, {"--schedules", "6"});
  EXPECT_EQ(dependent.status, 1) << dependent.errors;
  EXPECT_TRUE(has(dependent.errors, "order_dependent: with the threads in order ")) << dependent.errors;
  EXPECT_TRUE(has(dependent.errors, "line 1 of the output is \"last ")) << dependent.errors;
  EXPECT_EQ(run("examples/saxpy.cu", {"--schedules", "3"}).status, 0);
}

TEST_F(CpuRun, WhatTheClockSaysDoesNotDependOnTheOrder) {
  const fs::path clock = source("clock.cu",
                                "#include <ctime>\n"
                                "__global__ void k() {}\n"
                                "int main() {\n"
                                "  k<<<1, 64>>>();\n"
                                "  timespec now;\n"
                                "  clock_gettime(CLOCK_REALTIME, &now);\n"
                                "  std::printf(\"%ld.%09ld\\n\", now.tv_sec, now.tv_nsec);\n"
                                "}\n");
  const Shown shown = run(clock, {"--schedules", "3"});
  EXPECT_EQ(shown.status, 0) << shown.errors;
}

TEST_F(CpuRun, CompileErrorsNameTheFileAsTheUserDid) {
  const fs::path broken = source("broken.cu", "__global__ void k() { undeclared = 1; }\nint main() {}\n");
  const Shown shown = run(broken);
  EXPECT_EQ(shown.status, 1);
  EXPECT_TRUE(has(shown.errors, broken.string() + ":2:")) << shown.errors;
  EXPECT_TRUE(has(shown.errors, "error: use of undeclared identifier 'undeclared'")) << shown.errors;
  EXPECT_TRUE(has(shown.errors, "compile_error: not compiled (after ")) << shown.errors;
  EXPECT_FALSE(has(shown.errors, "new-")) << "the cache's folder is shown: " << shown.errors;
}

TEST_F(CpuRun, OddNamesWork) {
  const fs::path odd = source("-o my $(kernel).cu", "__global__ void k() { oops; }\nint main() {}\n");
  const Shown shown = run(odd);
  EXPECT_EQ(shown.status, 1);
  EXPECT_TRUE(has(shown.errors, odd.string() + ":2:")) << shown.errors;
}

TEST_F(CpuRun, HeadersBesideTheSourceAreSeenAsNvccSeesThem) {
  base::write_file_atomic(folder_ / "own.h", "#define ANSWER 42\n");
  const fs::path user =
      source("user.cu", "#include \"own.h\"\nint main() { std::printf(\"%d\\n\", ANSWER + MORE); }\n");
  const Shown quoted = run(user, {"-DMORE=1"});
  EXPECT_EQ(quoted.output, "43\n") << quoted.errors;
  const fs::path bracketed =
      source("bracketed.cu", "#include <own.h>\nint main() { std::printf(\"%d\\n\", ANSWER); }\n");
  const Shown hidden = run(bracketed);
  EXPECT_EQ(hidden.status, 1);
  EXPECT_TRUE(has(hidden.errors, "add -I " + folder_.path().string())) << hidden.errors;
  EXPECT_EQ(run(bracketed, {"-I", folder_.path().string()}).output, "42\n");
  EXPECT_EQ(run(bracketed, {"-I" + fs::relative(folder_.path()).string()}).output, "42\n");
}

TEST_F(CpuRun, HeadersBesideASourceOfAnotherFolderAreSeen) {
  base::write_file_atomic(folder_ / "own.h", "#define ANSWER 42\n");
  const fs::path user =
      source("user.cu", "#include \"own.h\"\nint main() { std::printf(\"%d\\n\", ANSWER); }\n");
  const fs::path there = fs::path("..") / fs::relative(user, fs::current_path().parent_path());
  const Shown shown = run(there);
  EXPECT_EQ(shown.output, "42\n") << shown.errors;
}

TEST_F(CpuRun, SeveralFilesAreOneProgram) {
  base::write_file_atomic(folder_ / "work.h", "int twice(int x);\n");
  const fs::path device = source("work.cu",
                                 "#include \"work.h\"\n"
                                 "__global__ void k(int* x) { *x *= 2; }\n"
                                 "int twice(int x) {\n"
                                 "  int* p;\n"
                                 "  cudaMallocManaged(&p, 4);\n"
                                 "  *p = x;\n"
                                 "  k<<<1, 1>>>(p);\n"
                                 "  cudaDeviceSynchronize();\n"
                                 "  return *p;\n"
                                 "}\n");
  const fs::path host =
      source("main.cpp",
             "#include <cuda_runtime.h>\n"
             "#include \"work.h\"\n"
             "#ifdef __CUDACC__\n"
             "#error this is C++ of the host\n"
             "#endif\n"
             "int main() { std::printf(\"%d %d\\n\", twice(21), (int)cudaGetLastError()); }\n");
  const Shown shown = run(host, {device.string(), "-std=c++17", "-arch=sm_80", "-Xcompiler", "-Wall", "-lm"});
  EXPECT_EQ(shown.output, "42 0\n") << shown.errors;
}

TEST_F(CpuRun, FilesOfTheHostMayCallLibraries) {
  const fs::path host = source("sums.cpp",
                               "#include <cublas_v2.h>\n"
                               "#include <cstdio>\n"
                               "int main() {\n"
                               "  float *x, sum = 0;\n"
                               "  cudaMallocManaged(&x, 12);\n"
                               "  x[0] = 1; x[1] = -2; x[2] = 4;\n"
                               "  cublasHandle_t handle;\n"
                               "  cublasCreate(&handle);\n"
                               "  cublasSasum(handle, 3, x, 1, &sum);\n"
                               "  std::printf(\"%g\\n\", sum);\n"
                               "}\n");
  const Shown shown = run(host, {"-lcublas"});
  EXPECT_EQ(shown.output, "7\n") << shown.errors;
}

TEST_F(CpuRun, DeviceCodeOfSeveralFilesIsOneWhereTheUserSaysSo) {
  const fs::path caller = source("caller.cu",
                                 "extern __device__ int base;\n"
                                 "__device__ int more(int x);\n"
                                 "__global__ void k(int* x) { *x = more(base); }\n"
                                 "int main() {\n"
                                 "  int* p;\n"
                                 "  cudaMallocManaged(&p, 4);\n"
                                 "  k<<<1, 1>>>(p);\n"
                                 "  cudaDeviceSynchronize();\n"
                                 "  std::printf(\"%d\\n\", *p);\n"
                                 "}\n");
  const fs::path callee =
      source("callee.cu", "__device__ int base = 40;\n__device__ int more(int x) { return x + 2; }\n");
  const Shown joined = run(caller, {callee.string(), "-rdc=true"});
  EXPECT_EQ(joined.output, "42\n") << joined.errors;
  const Shown apart = run(caller, {callee.string()});
  EXPECT_EQ(apart.status, 1);
  EXPECT_TRUE(has(apart.errors, "compile_error: ")) << apart.errors;
}

TEST_F(CpuRun, FilesThatASourceNamesAreThere) {
  fs::create_directories(folder_ / "data");
  base::write_file_atomic(folder_ / "data" / "numbers.txt", "17\n");
  const fs::path reader = source("reader.cu",
                                 "int main() {\n"
                                 "  int x = 0;\n"
                                 "  std::FILE* file = std::fopen(\"./data/numbers.txt\", \"r\");\n"
                                 "  if (file == nullptr || std::fscanf(file, \"%d\", &x) != 1) return 1;\n"
                                 "  std::printf(\"%d\\n\", x);\n"
                                 "}\n");
  const Shown shown = run(reader);
  EXPECT_EQ(shown.output, "17\n") << shown.errors;
}

TEST_F(CpuRun, StatusOfTheProgramIsSaid) {
  const Shown failed = run(source("three.cu", "int main() { return 3; }\n"));
  EXPECT_EQ(failed.status, 1);
  EXPECT_TRUE(has(failed.errors, "failed: exit status 3; ran ")) << failed.errors;
  const Shown crashed = run(source("abort.cu", "#include <cstdlib>\nint main() { std::abort(); }\n"));
  EXPECT_EQ(crashed.status, 1);
  EXPECT_TRUE(has(crashed.errors, "crash: crashed with SIGABRT")) << crashed.errors;
}

TEST_F(CpuRun, LaunchFailuresAreSeenEvenIfTheProgramDoesNotLook) {
  const Shown shown = run(source("big.cu", "__global__ void k() {}\nint main() { k<<<1, 2048>>>(); }\n"));
  EXPECT_EQ(shown.status, 1);
  EXPECT_TRUE(has(shown.errors, "launch_error: ")) << shown.errors;
}

TEST_F(CpuRun, EndlessKernelsEndAtTheTimeLimit) {
  const fs::path endless = source("endless.cu",
                                  "__global__ void k(volatile int* p) { while (*p == 0) {} }\n"
                                  "int main() {\n"
                                  "  int* p;\n"
                                  "  cudaMalloc((void**)&p, 4);\n"
                                  "  cudaMemset(p, 0, 4);\n"
                                  "  k<<<1, 1>>>(p);\n"
                                  "  cudaDeviceSynchronize();\n"
                                  "}\n");
  const Shown shown = run(endless, {"--timeout", "1"});
  EXPECT_EQ(shown.status, 1);
  EXPECT_TRUE(has(shown.errors, "timeout: killed after 1.0 s; ran ")) << shown.errors;
}

TEST_F(CpuRun, UnsupportedConstructsAreNamed) {
  const Shown library =
      run(source("layers.cu", "#include <cudnn.h>\nint main() { cudnnHandle_t h; cudnnCreate(&h); }\n"));
  EXPECT_EQ(library.status, 1);
  EXPECT_TRUE(has(library.errors, "\nunsupported: cuDNN (after ")) << library.errors;
  EXPECT_TRUE(has(library.errors, "run the program on a GPU (--executor gpu)")) << library.errors;
  EXPECT_FALSE(has(library.errors, "unknown type name")) << "follows from the first: " << library.errors;
  const Shown header = run(source("storage.cu", "#include <cufile.h>\nint main() { CUfileHandle_t h; }\n"));
  EXPECT_EQ(header.status, 1);
  EXPECT_TRUE(has(header.errors, "\nunsupported: the CUDA toolkit's header cufile.h (after "))
      << header.errors;
}

TEST_F(CpuRun, WhatNvccCompilesIsNoErrorOfTheProgram) {
  if (!has_nvcc_) GTEST_SKIP() << "no nvcc";
  const fs::path picky =
      source("picky.cu", "#ifdef __clang__\n#error nvcc only\n#endif\nint main() { return 4; }\n");
  for (const std::vector<std::string>& flags : {std::vector<std::string>{}, {"--nvcc"}}) {
    const Shown shown = run(picky, flags);
    EXPECT_EQ(shown.status, 1);
    EXPECT_TRUE(has(shown.errors, "\nunsupported: nvcc only (after ")) << shown.errors;
  }
  const fs::path wrong = source("wrong.cu", "int main() { return x; }\n");
  EXPECT_TRUE(has(run(wrong, {"--nvcc"}).errors, "error: identifier \"x\" is undefined"));
}

TEST_F(CpuRun, FilesGoInAndComeBack) {
  fs::create_directories(folder_ / "data");
  base::write_file_atomic(folder_ / "data/in.txt", "21");
  const fs::path twice = source("twice.cu",
                                "__global__ void k(int* p) { *p *= 2; }\n"
                                "int main() {\n"
                                "  int value = 0, *p;\n"
                                "  std::FILE* in = std::fopen(\"data/in.txt\", \"r\");\n"
                                "  if (!in || std::fscanf(in, \"%d\", &value) != 1) return 2;\n"
                                "  cudaMalloc(&p, 4);\n"
                                "  cudaMemcpy(p, &value, 4, cudaMemcpyHostToDevice);\n"
                                "  k<<<1, 1>>>(p);\n"
                                "  cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);\n"
                                "  std::FILE* out = std::fopen(\"data/out.txt\", \"w\");\n"
                                "  std::fprintf(out, \"%d\", value);\n"
                                "  std::fclose(out);\n"
                                "}\n");
  const Shown shown =
      run(twice, {"--input", (folder_ / "data").string(), "--output", (folder_ / "results").string(),
                  "--keep", (folder_ / "kept").string(), "--json", (folder_ / "run.json").string()});
  EXPECT_EQ(shown.status, 0) << shown.errors;
  EXPECT_EQ(base::read_file(folder_ / "results/data/out.txt"), "42");
  EXPECT_FALSE(fs::exists(folder_ / "results/data/in.txt"));
  EXPECT_TRUE(fs::exists(folder_ / "kept/program"));
  EXPECT_EQ(base::read_file(folder_ / "kept/files/data/out.txt"), "42");
  const base::Json json = base::read_json_file(folder_ / "run.json");
  EXPECT_EQ(json["clean"], true);
  EXPECT_EQ(json["build"]["outcome"], "done");
  EXPECT_EQ(json["run"]["kernels"][0]["launches"], 1);
}

TEST_F(CpuRun, NothingIsLeftBehind) {
  fs::create_directories(folder_ / "tmp");
  const fs::path messy =
      source("messy.cu",
             "#include <unistd.h>\n"
             "#include <sys/stat.h>\n"
             "int main() {\n"
             "  for (int i = 0; i < 40; ++i) { mkdir(\"deep\", 0700); if (chdir(\"deep\")) return 1; }\n"
             "  std::fclose(std::fopen(\"file\", \"w\"));\n"
             "  if (fork() == 0) { setsid(); sleep(1000); }\n"
             "}\n");
  const support::ScopedVariable temporary("TMPDIR", (folder_ / "tmp").string());
  const Shown shown = run(messy);
  EXPECT_EQ(shown.status, 0) << shown.errors;
  EXPECT_TRUE(fs::is_empty(folder_ / "tmp"));
}

TEST_F(CpuRun, InterruptKillsTheProgramAndSaysSo) {
  const fs::path endless = source("endless.cu", "#include <unistd.h>\nint main() { sleep(1000); }\n");
  StartedProgram program({"run", endless.string(), "--executor", "cpu", "--verbose"}, folder_ / "log");
  ASSERT_TRUE(program.wait_for(folder_ / "log"));
  program.signal(SIGINT);
  EXPECT_EQ(program.wait(), 128 + SIGINT);
  EXPECT_TRUE(has(program.output(), "interrupted: ")) << program.output();
}

TEST(Run, WrongUseIsOneLine) {
  const base::TemporaryFolder folder;
  base::write_file_atomic(folder / "empty.cu", " \n");
  base::write_file_atomic(folder / "notes.txt", "int main() {}\n");
  fs::create_directories(folder / "sub");
  base::write_file_atomic(folder / "a.cu", "int main() {}\n");
  const auto path = [&](const char* name) { return (folder / name).string(); };
  struct Case {
    std::vector<std::string> arguments;
    int status;
    std::string message;
  };
  const Case cases[] = {
      {{"run"}, 2, "cuset: no program to run (name a .cu file or a folder)\n"},
      {{"run", path("a.cu"), "-c"},
       2,
       "cuset: -c makes no program that could run (give all sources to one `cuset run`, without -c)\n"},
      {{"run", path("none.cu")}, 1, "cuset: cannot open " + path("none.cu") + ": No such file or directory"},
      {{"run", path("sub")},
       1,
       "cuset: " + path("sub") +
           " has no Makefile, no CMakeLists.txt and no source with a main function (name the program's source files)\n"},
      {{"run", path("notes.txt")},
       1,
       "cuset: " + path("notes.txt") +
           " is not a CUDA or C++ source (its name must end in .cu, .cpp, .cc, .cxx or .c)\n"},
      {{"run", path("empty.cu")}, 1, "cuset: " + path("empty.cu") + " is empty\n"},
      {{"run", path("a.cu"), "--timeout", "0"}, 2, "cuset: --timeout: 0 seconds is out of range\n"},
      {{"run", path("a.cu"), "--check", "--executor", "gpu"}, 2, "cuset: --check needs --executor cpu\n"},
      {{"run", path("a.cu"), "--include", "/no/such"},
       1,
       "cuset: /no/such is not a folder (check --include)\n"},
  };
  for (const Case& test : cases) {
    const sandbox::ProcessResult result = run_cuset(test.arguments);
    EXPECT_EQ(result.exit_status, test.status) << result.output;
    EXPECT_EQ(result.output.substr(0, test.message.size()), test.message);
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  }
}

}  // namespace
}  // namespace cuset::tests
