#include "runtime/launch/recorder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_name.h"
#include "base/line_seal.h"
#include "cuset_emulator/host_api.h"
#include "cuset_emulator/library_work.h"
#include "cuset_emulator/memory_api.h"
#include "execution_record.h"
#include "support/test_kernels.h"
#include "timeline_variable.h"

namespace cuset_emulator {
namespace {

constexpr char kScene[] = "CUSET_TEST_SCENE";

// Runs this program again as a program of the emulator that plays one scene; the record it leaves.
struct Recorded {
  std::unique_ptr<CusetExecutionRecord> record = std::make_unique<CusetExecutionRecord>();
  std::string timeline;
  int status = 0;
};

std::string taken_from(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  std::remove(path.c_str());
  return text;
}

Recorded play(const std::string& scene) {
  std::string path = testing::TempDir() + "cuset_record_" + std::to_string(getpid());
  std::FILE* file = std::fopen(path.c_str(), "wb");
  EXPECT_EQ(ftruncate(fileno(file), sizeof(CusetExecutionRecord)), 0);
  std::fclose(file);
  std::string record = std::string(CUSET_RECORD_VARIABLE) + "=" + path;
  std::fclose(std::fopen((path + "_timeline").c_str(), "wb"));
  std::string timeline = std::string(CUSET_TIMELINE_VARIABLE) + "=" + path + "_timeline";
  std::string named = std::string(kScene) + "=" + scene;
  std::string filter = "--gtest_filter=Scene.*", self = "/proc/self/exe";
  std::vector<char*> arguments{self.data(), filter.data(), nullptr};
  std::vector<char*> environment{record.data(), timeline.data(), named.data(), nullptr};
  posix_spawn_file_actions_t quietly;
  posix_spawn_file_actions_init(&quietly);
  posix_spawn_file_actions_addopen(&quietly, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quietly, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  EXPECT_EQ(posix_spawn(&child, self.c_str(), &quietly, nullptr, arguments.data(), environment.data()), 0);
  posix_spawn_file_actions_destroy(&quietly);
  Recorded result;
  waitpid(child, &result.status, 0);
  file = std::fopen(path.c_str(), "rb");
  EXPECT_EQ(std::fread(result.record.get(), sizeof(CusetExecutionRecord), 1, file), 1u);
  std::fclose(file);
  std::remove(path.c_str());
  result.timeline = taken_from(path + "_timeline");
  return result;
}

void launch(const char& stub, unsigned blocks, int argument) {
  cudaConfigureCall(blocks, 64, 16, nullptr);
  cudaSetupArgument(&argument, sizeof(argument), 0);
  cudaLaunch(&stub);
}

// Played by the child only; a plain run of the tests passes it by.
TEST(Scene, IsPlayed) {
  const char* scene = std::getenv(kScene);
  if (!scene) GTEST_SKIP() << "a scene is played by a child process";
  register_test_kernels();
  EXPECT_EQ(std::getenv(CUSET_RECORD_VARIABLE), nullptr);
  EXPECT_EQ(std::getenv(CUSET_TIMELINE_VARIABLE), nullptr);
  if (!std::strcmp(scene, "launches")) {
    for (int i = 0; i < 3; ++i) launch(kQuietStub, 2, i);
    launch(kQuietStub, 5, 0);
    launch(kQuietStub, 0, 0);
    cudaDeviceSynchronize();
  } else if (!std::strcmp(scene, "fault")) {
    cudaConfigureCall(1, 1, 0, nullptr);
    cudaLaunch(&kTrapStub);
    cudaDeviceSynchronize();
    cudaSetDevice(7);
  } else if (!std::strcmp(scene, "host memory")) {
    float* own = new float[4];
    float factor = 1;
    int count = 4;
    void* arguments[] = {&own, &factor, &count};
    cudaLaunchKernel(&kScaleStub, 1, 4, arguments, 0, nullptr);
    delete[] own;
  } else if (!std::strcmp(scene, "lost output")) {
    launch(kPrintStub, 1, 0);
  } else if (!std::strcmp(scene, "unsupported")) {
    end_as_unsupported("CUDA graphs");
  } else if (!std::strcmp(scene, "timeline")) {
    launch(kQuietStub, 2, 0);
    void* memory = nullptr;
    cudaMalloc(&memory, 64);
    char host[64] = {};
    cudaMemcpy(memory, host, 64, cudaMemcpyHostToDevice);
    cudaMemset(memory, 1, 32);
    cuset_begin_library_work("not the library");
    cuset_note_library_result(host, 4, 4, 1, 1);
    cuset_end_library_work(4096, "DtoD", 16);
    cuset_begin_library();
    cuset_begin_library_work("add\nK");
    static_cast<char*>(memory)[0] = 7;
    cuset_note_library_result(memory, 4, 4, 1, 1);
    cuset_note_host_copy(memory, 4, 4);
    cuset_end_library_work(4096, "DtoD", 16);
    cudaMemcpy(host, memory, 48, cudaMemcpyDeviceToHost);
    EXPECT_EQ(host[0], 7);
  } else if (!std::strcmp(scene, "touched")) {
    void* memory = nullptr;
    cudaMalloc(&memory, 64);
    for (int i = 0; i < 100; ++i) launch(kQuietStub, 1, 0);
    static_cast<volatile char*>(memory)[0] = 7;
  } else if (!std::strcmp(scene, "killed")) {
    launch(kQuietStub, 1, 0);
    _exit(0);
  } else if (!std::strcmp(scene, "many findings")) {
    const CusetSite site{"a.cu", "k", 12, 3};
    if (count_finding_again("race", &site)) _exit(1);  // nothing is there yet
    for (int i = 0; i < 500; ++i)
      record_finding({.kind = "race", .kernel = "_Z1kv", .site = &site, .text = "x"});
    if (count_finding_again("out_of_bounds", &site)) _exit(1);  // of another kind
    for (int i = 0; i < 500; ++i) {
      if (!count_finding_again("race", &site)) _exit(1);
    }
    for (uint32_t i = 0; i < 100; ++i) {
      const CusetSite other{"a.cu", "k", 100 + i, 0};
      record_finding({.kind = "race", .kernel = "_Z1kv", .site = &other, .text = "y"});
    }
  }
}

TEST(Recorder, CountsLaunchesByKernelAndShape) {
  Recorded played = play("launches");
  const CusetExecutionRecord& record = *played.record;
  EXPECT_EQ(record.magic, static_cast<uint32_t>(CUSET_RECORD_MAGIC));
  EXPECT_EQ(record.finished, 1u);
  EXPECT_EQ(record.launches, 5u);
  ASSERT_EQ(record.kernel_count, 3u);
  EXPECT_STREQ(record.kernels[0].name, "quiet(int)");
  EXPECT_EQ(record.kernels[0].grid[0], 2u);
  EXPECT_EQ(record.kernels[0].block[0], 64u);
  EXPECT_EQ(record.kernels[0].shared_bytes, 16u);
  EXPECT_EQ(record.kernels[0].launches, 3u);
  EXPECT_EQ(record.kernels[1].grid[0], 5u);
  EXPECT_EQ(record.kernels[2].failed_launches, 1u);
  EXPECT_EQ(record.first_error, 9);
  EXPECT_EQ(record.device_error, 0);
}

TEST(Recorder, TellsDeviceFaultsFromOtherErrors) {
  const Recorded played = play("fault");
  EXPECT_EQ(played.record->first_error, 719);
  EXPECT_EQ(played.record->device_error, 719);
  ASSERT_EQ(played.record->finding_count, 1u);
  EXPECT_STREQ(played.record->findings[0].kind, "note");
  EXPECT_STREQ(played.record->findings[0].text, "__trap() was called");
}

TEST(Recorder, NamesTheArgumentThatIsHostMemory) {
  const Recorded played = play("host memory");
  EXPECT_EQ(played.record->device_error, 700);
  ASSERT_EQ(played.record->finding_count, 1u);
  EXPECT_STREQ(played.record->findings[0].text, "argument 1 of scale is host memory");
}

TEST(Recorder, NotesOutputThatNobodySaw) {
  const Recorded played = play("lost output");
  ASSERT_EQ(played.record->finding_count, 1u);
  EXPECT_STREQ(played.record->findings[0].kind, "note");
  EXPECT_NE(std::strstr(played.record->findings[0].text, "64 printf calls"), nullptr);
}

TEST(Recorder, EndsAsUnsupportedWithAStatusOfItsOwn) {
  const Recorded played = play("unsupported");
  ASSERT_TRUE(WIFEXITED(played.status));
  EXPECT_EQ(WEXITSTATUS(played.status), 87);
  ASSERT_EQ(played.record->finding_count, 1u);
  EXPECT_STREQ(played.record->findings[0].kind, "unsupported");
  EXPECT_STREQ(played.record->findings[0].text, "CUDA graphs");
}

TEST(Timeline, HasKernelsCopiesFillsAndTheWorkOfLibraries) {
  std::string kinds;
  const std::string timeline = play("timeline").timeline;
  uint32_t lines = 0;
  for (size_t at = 0, end = 0; (end = timeline.find('\n', at)) != std::string::npos; at = end + 1) {
    std::string_view sealed = std::string_view(timeline).substr(at, end - at);
    ASSERT_TRUE(cuset::base::take_seal(sealed, lines++, cuset::base::InputKey{})) << sealed;
    const std::string line(sealed);
    kinds += line[0] == 'H' ? "H;" : line[0] + line.substr(line.rfind(' ')) + ";";
  }
  EXPECT_EQ(kinds,
            "K quiet(int);C 64;S 32;L at::native::add?K;R at::native::add?K;H;C 16;K at::native::add?K;C 48;")
      << timeline;
  EXPECT_NE(timeline.find(" 0 4096,1,1 1,1,1 0 0 0 0 at::native::add?K\n"), std::string::npos) << timeline;
  EXPECT_NE(timeline.find(" HtoD 64\n"), std::string::npos);
  EXPECT_NE(timeline.find(" DtoH 48\n"), std::string::npos);
}

// What the host did by itself would not stand in it.
TEST(Timeline, KeepsTheHostOutOfDeviceMemory) { EXPECT_TRUE(WIFSIGNALED(play("touched").status)); }

TEST(Recorder, KeepsWhatHappenedBeforeASuddenEnd) {
  const Recorded played = play("killed");
  EXPECT_EQ(played.record->finished, 0u);
  EXPECT_EQ(played.record->launches, 1u);
}

TEST(Recorder, CountsFindingsOfOneLineTogether) {
  const Recorded played = play("many findings");
  EXPECT_EQ(played.record->finding_count, static_cast<uint32_t>(CUSET_RECORD_FINDINGS));
  EXPECT_EQ(played.record->findings_left_out, 101u - CUSET_RECORD_FINDINGS);
  EXPECT_EQ(played.record->findings[0].count, 1000u);
  EXPECT_EQ(played.record->findings[0].line, 12u);
  EXPECT_STREQ(played.record->findings[0].kernel, "k()");
}

TEST(ReadableName, DropsReturnTypeAndParameters) {
  EXPECT_EQ(cuset::base::kernel_signature("_Z5scalePffi"), "scale(float*, float, int)");
  EXPECT_EQ(cuset::base::kernel_signature("_Z6vectorIfEvPT_i"), "vector<float>(float*, int)");
  EXPECT_EQ(cuset::base::kernel_name("_Z6vectorIfEvPT_i"), "vector<float>");
  EXPECT_EQ(cuset::base::kernel_name("_Z4takePFviE"), "take");
  EXPECT_EQ(cuset::base::kernel_signature("plain"), "plain");
}

}  // namespace
}  // namespace cuset_emulator
