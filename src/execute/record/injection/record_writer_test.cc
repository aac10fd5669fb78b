#include "execute/record/injection/record_writer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "base/files/temporary_folder.h"
#include "execute/record/run_record.h"

namespace cuset_injection {
namespace {

using cuset::execute::RunRecord;

constexpr Shape kShape{{4, 2, 1}, {256, 1, 1}};

// The writer serves one process: each test has its own, which ends as a killed program would, without any
// clean-up.
RunRecord written_by(const std::function<void(RecordWriter&)>& work) {
  const cuset::base::TemporaryFolder folder;
  const cuset::execute::RunRecordFile file(folder / "record");
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv(CUSET_RECORD_VARIABLE, file.path().c_str(), 1);
    if (RecordWriter* writer = RecordWriter::get()) work(*writer);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  return file.read();
}

TEST(RecordWriter, LaunchesOfOneShapeAreCountedTogether) {
  const RunRecord record = written_by([](RecordWriter& writer) {
    for (uint64_t time : {50, 20, 30}) {
      writer.launched("_Z5saxpyifPKfPf", kShape, 16);
      writer.completed("_Z5saxpyifPKfPf", kShape, {48, 32, 40, 8}, time);
    }
    writer.launched("_Z5saxpyifPKfPf", {{1, 1, 1}, {32, 1, 1}}, 0);
    writer.finish();
  });
  ASSERT_EQ(record.state, RunRecord::State::kWhole);
  EXPECT_TRUE(record.finished);
  EXPECT_EQ(record.launches, 4u);
  ASSERT_EQ(record.kernels.size(), 2u);
  EXPECT_EQ(record.kernels[0].name, "saxpy");
  EXPECT_EQ(record.kernels[0].grid[1], 2u);
  EXPECT_EQ(record.kernels[0].block[0], 256u);
  EXPECT_EQ(record.kernels[0].launches, 3u);
  EXPECT_EQ(record.kernels[0].shared_bytes, 48u);
  EXPECT_EQ(record.kernels[0].static_shared_bytes, 32u);
  EXPECT_EQ(record.kernels[0].registers, 40u);
  EXPECT_EQ(record.kernels[0].local_bytes, 8u);
  EXPECT_DOUBLE_EQ(record.kernels[0].total_ms, 100e-6);
  EXPECT_DOUBLE_EQ(record.kernels[0].shortest_ms, 20e-6);
  EXPECT_EQ(record.kernels[1].launches, 1u);
}

TEST(RecordWriter, GraphsCountByTheirEndsAndHangsByTheirLaunches) {
  const RunRecord record = written_by([](RecordWriter& writer) {
    for (int i = 0; i < 5; ++i) writer.completed("from_graph", kShape, {}, 10);
    for (int i = 0; i < 3; ++i) writer.launched("endless", kShape, 0);
  });
  EXPECT_EQ(record.launches, 8u);
  EXPECT_FALSE(record.finished);
  EXPECT_EQ(record.kernels.at(0).launches, 5u);
  EXPECT_EQ(record.kernels.at(1).launches, 3u);
}

TEST(RecordWriter, AFaultNamesTheKernelsSinceAllWasWell) {
  const RunRecord record = written_by([](RecordWriter& writer) {
    writer.launched("innocent", kShape, 0);
    writer.all_is_well();
    writer.launched("_Z6guiltyv", kShape, 0);
    writer.result(600);  // not ready: no error
    writer.result(700);
    writer.result(719);
  });
  EXPECT_EQ(record.first_error, 700);
  EXPECT_EQ(record.device_error, 700);
  ASSERT_EQ(record.findings.size(), 1u);
  EXPECT_EQ(record.findings[0].kind, "device_fault");
  EXPECT_EQ(record.findings[0].kernel, "guilty");
  EXPECT_EQ(record.findings[0].text, "cudaErrorIllegalAddress: an illegal memory access was encountered");
}

TEST(RecordWriter, ManySuspectsAreCutShort) {
  const RunRecord record = written_by([](RecordWriter& writer) {
    for (const char* name : {"a", "b", "a", "c", "d", "e", "f"}) writer.launched(name, kShape, 0);
    writer.result(716);
  });
  EXPECT_EQ(record.findings.at(0).kernel, "a or b or c or d or another");
}

TEST(RecordWriter, RefusedLaunchesAndErrorsTheProgramAskedFor) {
  const RunRecord record = written_by([](RecordWriter& writer) {
    writer.refused("_Z5saxpyifPKfPf", {{1, 1, 1}, {2048, 1, 1}});
    writer.result(9);
    writer.error_seen();
    writer.error_seen();
  });
  EXPECT_EQ(record.first_error, 9);
  EXPECT_EQ(record.device_error, 0);
  EXPECT_EQ(record.launches, 0u);
  EXPECT_EQ(record.kernels.at(0).failed, 1u);
  ASSERT_EQ(record.findings.size(), 1u);
  EXPECT_EQ(record.findings[0].kind, "error_seen");
}

TEST(RecordWriter, WhatDoesNotFitIsCounted) {
  const RunRecord record = written_by([](RecordWriter& writer) {
    for (uint32_t i = 1; i <= CUSET_RECORD_KERNELS + 10; ++i) writer.launched("k", {{i, 1, 1}, {1, 1, 1}}, 0);
    writer.launched(std::string(1000, 'n').c_str(), kShape, 0);
  });
  EXPECT_EQ(record.kernels.size(), size_t{CUSET_RECORD_KERNELS});
  EXPECT_EQ(record.kernels_left_out, 11u);
  EXPECT_EQ(record.launches, CUSET_RECORD_KERNELS + 11u);
}

TEST(RecordWriter, ThreadsLaunchAtOnce) {
  const RunRecord record = written_by([](RecordWriter& writer) {
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 4; ++t) {
      threads.emplace_back([&writer, t] {
        for (uint32_t i = 0; i < 1000; ++i) writer.launched("k", {{t / 2 + 1, 1, 1}, {1, 1, 1}}, 0);
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(record.launches, 4000u);
  EXPECT_EQ(record.kernels.size(), 2u);
}

TEST(RecordWriter, WithoutARecordThereIsNoWriter) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::unsetenv(CUSET_RECORD_VARIABLE);
    ::_exit(RecordWriter::get() == nullptr ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace cuset_injection
