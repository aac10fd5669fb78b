#include "study/code_inputs.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::study {
namespace {

namespace fs = std::filesystem;

class CodeInputs : public testing::Test {
 protected:
  CodeInputs() {
    fs::create_directories(folder_ / "src/deep");
    fs::create_directories(folder_ / "empty");
    base::write_file_atomic(folder_ / "src/b.cu", "int b;");
    base::write_file_atomic(folder_ / "src/deep/a.cuh", "int a;");
    base::write_file_atomic(folder_ / "src/notes.txt", "no code");
    base::write_file_atomic(folder_ / "data.jsonl",
                            "{\"prompt\": \"p\", \"response\": \"one\"}\n{\"text\": \"two\"}\n");
  }
  std::string place(const std::string& name) const { return (folder_ / name).string(); }

  std::string refusal(const std::string& input) const {
    try {
      find_code_files({place(input)});
    } catch (const base::UsageError& error) {
      return error.one_line();
    }
    return "nothing was thrown";
  }

  base::TemporaryFolder folder_;
};

TEST_F(CodeInputs, FoldersGiveTheirSourcesInOrder) {
  const std::vector<fs::path> files = find_code_files({place("data.jsonl"), place("src")});
  EXPECT_EQ(files, (std::vector<fs::path>{place("data.jsonl"), place("src/b.cu"), place("src/deep/a.cuh")}));
}

TEST_F(CodeInputs, RecordsAndSourcesBecomeSamples) {
  const std::vector<data::Sample> samples =
      read_code(find_code_files({place("data.jsonl"), place("src/b.cu")}));
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].place, place("data.jsonl") + ":1");
  EXPECT_EQ(samples[1].response(), "two");
  EXPECT_FALSE(samples[1].is_source);
  EXPECT_EQ(samples[2].place, place("src/b.cu"));
  EXPECT_EQ(samples[2].response(), "int b;");
  EXPECT_TRUE(samples[2].is_source);
}

TEST_F(CodeInputs, MostCountsOverAllFiles) {
  const std::vector<fs::path> files = find_code_files({place("src"), place("data.jsonl")});
  EXPECT_EQ(read_code(files, 3).size(), 3u);
  EXPECT_EQ(read_code(files, 1).size(), 1u);
  EXPECT_EQ(read_code(files, 0).size(), 4u);
}

TEST_F(CodeInputs, FilesWithoutSamplesAreRefused) {
  base::write_file_atomic(place("empty.jsonl"), "\n");
  EXPECT_THROW(read_code({place("empty.jsonl")}), base::Error);
}

TEST_F(CodeInputs, WhatCannotBeReadIsNamed) {
  EXPECT_NE(refusal("nowhere.cu").find("there is no"), std::string::npos);
  EXPECT_NE(refusal("src/notes.txt").find("is neither .jsonl nor .json, .cu or .cuh"), std::string::npos);
  EXPECT_NE(refusal("empty").find("no .cu or .cuh file below"), std::string::npos);
}

}  // namespace
}  // namespace cuset::study
