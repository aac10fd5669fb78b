#include "model/files/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/fault_injection.h"

namespace cuset::model {
namespace {

// A file from its parts, right or wrong.
std::string file_of(std::string_view header, size_t buffer_bytes) {
  const uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file.append(header).append(buffer_bytes, '\x01');
}

std::string failure(std::string_view content) {
  try {
    read_safetensors_header(std::as_bytes(std::span(content.data(), content.size())), "m.safetensors");
  } catch (const base::Error& error) {
    return error.one_line();
  }
  return "accepted";
}

std::string header_failure(std::string_view header, size_t buffer_bytes = 0) {
  return failure(file_of(header, buffer_bytes));
}

std::vector<NamedTensor> some_tensors() {
  return {{"weight", torch::arange(6, torch::kFloat32).view({2, 3})},
          {"half", torch::full({5}, 0.25, torch::kBFloat16)},
          {"empty", torch::empty({0, 4}, torch::kFloat32)},
          {"scalar", torch::tensor(7, torch::kInt64)},
          {"transposed", torch::arange(6, torch::kFloat64).view({2, 3}).t()},
          {"flags", torch::tensor({true, false, true})}};
}

TEST(Safetensors, WhatIsWrittenIsRead) {
  const base::TemporaryFolder folder;
  write_safetensors(folder / "a.safetensors", some_tensors(), {{"source", "a \"test\""}});
  const SafetensorsFile file(folder / "a.safetensors");
  ASSERT_EQ(file.tensors().size(), some_tensors().size());
  for (const auto& [name, tensor] : some_tensors()) {
    const StoredTensor* stored = file.find(name);
    ASSERT_NE(stored, nullptr) << name;
    EXPECT_EQ(stored->type, tensor.scalar_type());
    EXPECT_TRUE(torch::equal(file.view(*stored), tensor)) << name;
  }
  EXPECT_EQ(file.find("nothing"), nullptr);
  const std::vector<std::pair<std::string, std::string>> wanted = {{"source", "a \"test\""},
                                                                   {"format", "pt"}};
  EXPECT_EQ(file.metadata(), wanted);
}

TEST(Safetensors, TheBytesAreThoseOfTheFormat) {
  const base::TemporaryFolder folder;
  write_safetensors(folder / "a.safetensors", {{"x", torch::tensor({1.0F, -2.0F})}});
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  std::string wanted = file_of(header + std::string(8 - header.size() % 8, ' '), 0);
  wanted.append("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
  EXPECT_EQ(base::read_file(folder / "a.safetensors"), wanted);
}

TEST(Safetensors, ViewsSurviveReleaseAndReadAhead) {
  const base::TemporaryFolder folder;
  const auto big = torch::arange(100'000, torch::kFloat32);
  write_safetensors(folder / "a.safetensors", {{"small", torch::ones({3})}, {"big", big}});
  const SafetensorsFile file(folder / "a.safetensors");
  const torch::Tensor view = file.view(*file.find("big"));
  file.read_ahead(*file.find("big"));
  EXPECT_TRUE(torch::equal(view, big));
  file.release(*file.find("big"));
  EXPECT_TRUE(torch::equal(view, big));
}

TEST(Safetensors, AMisplacedTensorIsCopiedIntoPlace) {
  const base::TemporaryFolder folder;
  write_safetensors(folder / "a.safetensors", {{"byte", torch::ones({1}, torch::kUInt8)},
                                               {"x", torch::tensor({1.5, 2.5}, torch::kFloat64)}});
  const SafetensorsFile file(folder / "a.safetensors");
  EXPECT_TRUE(torch::equal(file.view(*file.find("x")), torch::tensor({1.5, 2.5}, torch::kFloat64)));
}

TEST(Safetensors, AMissingFileIsNamed) {
  const base::TemporaryFolder folder;
  try {
    const SafetensorsFile file(folder / "none.safetensors");
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.one_line(), "cannot open " + (folder / "none.safetensors").string() +
                                    ": No such file or directory (check the path)");
  }
}

TEST(Safetensors, AFullDiskKeepsTheOldFile) {
  const base::TemporaryFolder folder;
  // Made here, for LibTorch's threads do not survive the fork.
  const std::vector<NamedTensor> tensors = {{"x", torch::zeros({1 << 20})}};
  const auto said = support::run_on_small_disk(folder.path(), 64 << 10, [&]() -> std::string {
    const auto target = folder / "a.safetensors";
    base::write_file_atomic(target, "old");
    try {
      write_safetensors(target, tensors);
    } catch (const base::Error& error) {
      if (error.one_line() != "cannot write " + target.string() +
                                  ": No space left on device (free some space and run again; what was there "
                                  "before is untouched)") {
        return error.one_line();
      }
      return base::read_file(target) == "old" ? "" : "the old file is gone";
    }
    return "no failure";
  });
  if (!said) GTEST_SKIP() << "cannot mount a small disk here";
  EXPECT_EQ(*said, "");
}

TEST(SafetensorsHeader, TruncatedFiles) {
  EXPECT_EQ(
      failure(""),
      "m.safetensors: truncated: the file has 0 bytes, too few for a safetensors file (download it again)");
  const std::string whole = file_of(R"({"x":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", 16);
  EXPECT_EQ(failure(whole), "accepted");
  EXPECT_EQ(failure(std::string_view(whole).substr(0, whole.size() - 3)),
            "m.safetensors: truncated: the header promises 79 bytes, the file has 76 (download it again)");
  EXPECT_EQ(failure(std::string_view(whole).substr(0, 20)),
            "m.safetensors: truncated: the header has 55 bytes, the file only 12 more (download it again)");
  EXPECT_EQ(failure(whole + "\n"), "m.safetensors: 1 bytes follow the last tensor (download it again)");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(failure(std::string_view(whole).substr(0, size)), "accepted") << size;
  }
}

TEST(SafetensorsHeader, OtherFilesAreNotTakenForSafetensors) {
  EXPECT_EQ(
      failure("<!DOCTYPE html><html>"),
      "m.safetensors: not a safetensors file: the header would be 5789751444030890300 bytes long, at most "
      "100000000 are allowed (download it again)");
  EXPECT_EQ(failure("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
            "m.safetensors: this is a Git LFS pointer, not the weights (git lfs pull fetches them)");
  EXPECT_EQ(header_failure("[1]"),
            "m.safetensors: not a safetensors file: the header does not begin with '{' (download it again)");
  EXPECT_EQ(header_failure(R"({"x":)"),
            "m.safetensors: the header is not valid JSON at byte 14 (download it again)");
}

TEST(SafetensorsHeader, FaultyTensorsAreNamed) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {R"({"x":{"dtype":"F32","shape":[2,3],"data_offsets":[0,20]}})",
       R"(m.safetensors: tensor "x": data_offsets give 20 bytes, but the shape [2, 3] needs 24)"},
      {R"({"x":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})",
       R"(m.safetensors: tensor "x": the type "F8_E4M3" is not supported (supported are F32, BF16, F16, F64, I64, I32, I16, I8, U8, BOOL))"},
      {R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})",
       R"(m.safetensors: tensor "x": shape must not hold a negative number)"},
      {R"({"x":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})",
       R"(m.safetensors: tensor "x": shape must not hold a fraction)"},
      {R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})",
       R"(m.safetensors: tensor "x": the shape is too large)"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})",
       R"(m.safetensors: tensor "x": data_offsets 4 and 0 run backwards)"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})",
       R"(m.safetensors: tensor "x": data_offsets must be two numbers)"},
      {R"({"x":{"dtype":"F32","shape":[1]}})", R"(m.safetensors: tensor "x": data_offsets is missing)"},
      {R"({"x":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
       R"(m.safetensors: tensor "x": dtype appears twice)"},
      {R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"more":1}})",
       R"(m.safetensors: tensor "x": unknown key "more")"},
      {R"({"x":5})", R"(m.safetensors: header entry "x" is a number)"},
      {R"({"__metadata__":{"a":1}})", R"(m.safetensors: metadata "a" must be a string, not a number)"},
      {R"({"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
       R"(m.safetensors: tensor "x" appears twice)"},
      {R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"y":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
       R"(m.safetensors: tensor "y" begins at byte 1 of the buffer, inside the one before, which ends at byte 2)"},
      {R"({"x":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"y":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}})",
       R"(m.safetensors: tensor "y" begins at byte 3 of the buffer, after a hole from byte 2)"},
  };
  for (const auto& [header, message] : cases) EXPECT_EQ(header_failure(header, 4), message);
}

TEST(SafetensorsHeader, EmptyFilesAndEmptyTensorsAreFine) {
  EXPECT_EQ(header_failure("{}"), "accepted");
  EXPECT_EQ(header_failure(R"({"a":{"dtype":"F32","shape":[0,18446744073709551615],"data_offsets":[0,0]}})"),
            R"(m.safetensors: tensor "a": the shape is too large)");
  EXPECT_EQ(header_failure(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                           R"("a":{"dtype":"F32","shape":[0,9],"data_offsets":[0,0]}})",
                           1),
            "accepted");
}

}  // namespace
}  // namespace cuset::model
