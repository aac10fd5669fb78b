#include "execute/record/run_record.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <random>

#include "base/files/temporary_folder.h"
#include "emulator/execution_record.h"
#include "support/error_text.h"

namespace cuset::execute {
namespace {

std::unique_ptr<CusetExecutionRecord> saxpy_record() {
  auto record = std::make_unique<CusetExecutionRecord>();
  record->magic = CUSET_RECORD_MAGIC;
  record->version = CUSET_RECORD_VERSION;
  record->kernel_count = 1;
  record->finding_count = 1;
  record->launches = 3;
  record->first_error = 700;
  record->finished = 1;
  CusetKernelRecord& kernel = record->kernels[0];
  std::strcpy(kernel.name, "saxpy(int, float)");
  for (uint32_t i = 0; i < 3; ++i) kernel.grid[i] = 10 + i, kernel.block[i] = 20 + i;
  kernel.shared_bytes = 48;
  kernel.static_shared_bytes = 32;
  kernel.registers = 40;
  kernel.local_bytes = 8;
  kernel.launches = 3;
  kernel.failed_launches = 1;
  kernel.total_nanoseconds = 4'500'000;
  kernel.shortest_nanoseconds = 1'250'000;
  CusetFindingRecord& finding = record->findings[0];
  std::strcpy(finding.kind, "out_of_bounds");
  std::strcpy(finding.text, "4 bytes past the end");
  finding.line = 7;
  finding.thread[0] = 255;
  finding.count = 9;
  return record;
}

std::span<const std::byte> bytes_of(const CusetExecutionRecord& record) {
  return std::as_bytes(std::span(&record, 1));
}

TEST(RunRecord, EveryFieldIsRead) {
  const RunRecord run = parse_run_record(bytes_of(*saxpy_record()));
  ASSERT_EQ(run.state, RunRecord::State::kWhole);
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.launches, 3u);
  EXPECT_EQ(run.first_error, 700);
  EXPECT_EQ(run.device_error, 0);
  ASSERT_EQ(run.kernels.size(), 1u);
  const KernelLaunches& kernel = run.kernels[0];
  EXPECT_EQ(kernel.name, "saxpy(int, float)");
  EXPECT_EQ(kernel.grid[2], 12u);
  EXPECT_EQ(kernel.block[1], 21u);
  EXPECT_EQ(kernel.shared_bytes, 48u);
  EXPECT_EQ(kernel.static_shared_bytes, 32u);
  EXPECT_EQ(kernel.registers, 40u);
  EXPECT_EQ(kernel.local_bytes, 8u);
  EXPECT_EQ(kernel.failed, 1u);
  EXPECT_DOUBLE_EQ(kernel.total_ms, 4.5);
  EXPECT_DOUBLE_EQ(kernel.shortest_ms, 1.25);
  ASSERT_EQ(run.findings.size(), 1u);
  EXPECT_EQ(run.findings[0].line, 7u);
  EXPECT_EQ(run.findings[0].thread[0], 255u);
  EXPECT_EQ(run.findings[0].count, 9u);
  EXPECT_EQ(find_finding(run.findings, "out_of_bounds"), &run.findings[0]);
  EXPECT_EQ(find_finding(run.findings, "note"), nullptr);
}

TEST(RunRecord, UntouchedIsAbsentAndForeignIsDamaged) {
  auto record = std::make_unique<CusetExecutionRecord>();
  EXPECT_EQ(parse_run_record(bytes_of(*record)).state, RunRecord::State::kAbsent);
  record->input_key[1] = 7;
  EXPECT_EQ(parse_run_record(bytes_of(*record)).state, RunRecord::State::kAbsent)
      << "the key is not the program's";
  record->launches = 1;
  EXPECT_EQ(parse_run_record(bytes_of(*record)).state, RunRecord::State::kDamaged);
  record = saxpy_record();
  record->version = 99;
  EXPECT_EQ(parse_run_record(bytes_of(*record)).state, RunRecord::State::kDamaged);
  record = saxpy_record();
  EXPECT_EQ(parse_run_record(bytes_of(*record).first(sizeof *record - 1)).state, RunRecord::State::kDamaged);
  EXPECT_EQ(parse_run_record({}).state, RunRecord::State::kDamaged);
}

TEST(RunRecord, InsaneCountsAndUnendedTextsAreBounded) {
  auto record = saxpy_record();
  record->kernel_count = 0xffffffff;
  record->finding_count = 0xffffffff;
  std::memset(record->kernels[0].name, 'n', sizeof record->kernels[0].name);
  std::memset(record->findings[0].kind, '\x1b', sizeof record->findings[0].kind);
  record->findings[0].text[0] = '\xff';
  const RunRecord run = parse_run_record(bytes_of(*record));
  EXPECT_EQ(run.kernels.size(), size_t{CUSET_RECORD_KERNELS});
  EXPECT_EQ(run.findings.size(), size_t{CUSET_RECORD_FINDINGS});
  EXPECT_EQ(run.kernels[0].name, std::string(CUSET_RECORD_NAME, 'n'));
  EXPECT_EQ(run.findings[0].kind, std::string(32, '?'));
  EXPECT_EQ(run.findings[0].text, "? bytes past the end");
}

TEST(RunRecord, RandomDamageNeverGivesMoreThanTheRecordHolds) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    auto record = saxpy_record();
    auto* bytes = reinterpret_cast<unsigned char*>(record.get());
    for (int flip = 0; flip < 400; ++flip) bytes[8 + random() % (sizeof *record - 8)] = random() & 0xff;
    const RunRecord run = parse_run_record(bytes_of(*record));
    ASSERT_EQ(run.state, RunRecord::State::kWhole);
    ASSERT_LE(run.kernels.size(), size_t{CUSET_RECORD_KERNELS});
    for (const KernelLaunches& kernel : run.kernels) {
      for (const char c : kernel.name) ASSERT_TRUE(c >= 0x20 && c <= 0x7e);
    }
  }
}

TEST(RunRecordFile, HoldsOnToItsOwnFile) {
  const base::TemporaryFolder folder;
  {
    const RunRecordFile file(folder / "record");
    EXPECT_EQ(std::filesystem::file_size(file.path()), sizeof(CusetExecutionRecord));
    EXPECT_EQ(file.read().state, RunRecord::State::kAbsent);
    const auto record = saxpy_record();
    base::write_file_atomic(folder / "forged", {reinterpret_cast<const char*>(record.get()), sizeof *record});
    std::filesystem::rename(folder / "forged", file.path());
    EXPECT_EQ(file.read().state, RunRecord::State::kAbsent);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "record"));
}

TEST(RunRecordFile, WhatTheProgramCutsShortIsDamaged) {
  const base::TemporaryFolder folder;
  const RunRecordFile file(folder / "record");
  ASSERT_EQ(::truncate(file.path().c_str(), 100), 0);
  EXPECT_EQ(file.read().state, RunRecord::State::kDamaged);
}

TEST(RunRecordFile, ANameThatExistsIsRefused) {
  const base::TemporaryFolder folder;
  const RunRecordFile file(folder / "record");
  EXPECT_NE(support::error_of([&] { RunRecordFile second(folder / "record"); }), "no error");
}

}  // namespace
}  // namespace cuset::execute
