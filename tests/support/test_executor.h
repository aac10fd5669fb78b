// The executor that tests of CUDA programs run on, with one cache of compiled programs for all of them. Tests
// are skipped where the machine lacks it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "execute/executor.h"

namespace cuset::tests {

// CUSET_TEST_EXECUTOR=gpu chooses the GPU for tests that run on either.
inline bool is_gpu_chosen() {
  const char* chosen = std::getenv("CUSET_TEST_EXECUTOR");
  return chosen != nullptr && std::string_view(chosen) == "gpu";
}

struct TestExecutor {
  std::unique_ptr<execute::Executor> executor;  // null where the machine has none
  std::string absent = {};                      // why it has none
};

inline TestExecutor make_test_executor(bool on_gpu = false) {
  execute::ExecutorSettings settings;
  settings.cache = CUSET_TEST_CACHE;
  std::filesystem::create_directories(settings.cache);
  try {
    return {on_gpu ? execute::make_gpu_executor(settings) : execute::make_cpu_executor(settings)};
  } catch (const base::Error& error) {
    return {nullptr, error.one_line()};
  }
}

// A fixture with a CPU executor; `Base` is testing::Test or a testing::TestWithParam.
template <typename Base>
class WithCpuExecutor : public Base {
 protected:
  void SetUp() override {
    TestExecutor made = make_test_executor();
    if (!made.executor) GTEST_SKIP() << "skipped: no executor here: " << made.absent;
    executor_ = std::move(made.executor);
    prepare();
  }
  // What a fixture sets up once it has its executor.
  virtual void prepare() {}

  std::unique_ptr<execute::Executor> executor_;
};

}  // namespace cuset::tests
