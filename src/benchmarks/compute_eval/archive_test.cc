#include "benchmarks/compute_eval/archive.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <tuple>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/archive_writer.h"
#include "support/error_text.h"

namespace cuset {
namespace {

using namespace std::string_literals;

std::string error_of_tar(const std::string& archive) {
  return error_of([&] { std::ignore = read_tar(archive, 100, "a.tar"); });
}

TEST(Archive, HoldsItsRegularFiles) {
  const TemporaryFolder folder;
  const std::string long_name = "folder/" + std::string(150, 'n') + ".h";
  const std::string archive = tar_entry({"./a.txt", "one"}) + tar_entry({"folder", "", '5'}) +
                              tar_entry({"folder/b", std::string(1000, 'b')}) +
                              tar_entry({"x", pax_record("path", long_name), 'x'}) +
                              tar_entry({"short", "long"}) + tar_entry({"link", "", '2'}) + tar_end();
  write_file_atomic(folder / "a.tar.gz", gzipped(archive));
  const auto files = read_tar_gz(folder / "a.tar.gz");
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files.at("a.txt"), "one");
  EXPECT_EQ(files.at("folder/b"), std::string(1000, 'b'));
  EXPECT_EQ(files.at(long_name), "long");
}

TEST(Archive, GnuLongNamesAndPrefixesAreRead) {
  const std::string archive = tar_entry({"././@LongLink", "from/gnu\0"s, 'L'}) + tar_entry({"cut", "1"}) +
                              tar_entry({"b", "2", '0', "pre/fix"}) + tar_end();
  const auto files = read_tar(archive, 100, "a.tar");
  EXPECT_EQ(files.at("from/gnu"), "1");
  EXPECT_EQ(files.at("pre/fix/b"), "2");
}

TEST(Archive, NamesThatLeaveTheFolderAreRefused) {
  for (const char* name : {"/etc/passwd", "../a", "a/../../b"})
    EXPECT_NE(error_of_tar(tar_entry({name, "x"}) + tar_end()).find("no path below"), std::string::npos)
        << name;
  EXPECT_NE(
      error_of_tar(tar_entry({"x", pax_record("path", "../../b"), 'x'}) + tar_entry({"a", "x"}) + tar_end())
          .find("no path below"),
      std::string::npos);
}

TEST(Archive, DamageIsNamed) {
  const std::string whole = tar_entry({"a.txt", std::string(600, 'a')}) + tar_end();
  std::string changed = whole;
  changed[0] = 'b';
  EXPECT_EQ(error_of_tar(changed).substr(0, 46), "a.tar: a tar header has a wrong checksum (the ");
  EXPECT_NE(error_of_tar(whole.substr(0, 700)).find("ends within"), std::string::npos);
  EXPECT_NE(error_of_tar(whole.substr(0, 1536)).find("without its closing blocks"), std::string::npos);
  EXPECT_NE(error_of_tar("").find("without its closing blocks"), std::string::npos);
  EXPECT_NE(error_of_tar(tar_entry({"x", "99 path=a\n", 'x'}) + tar_end()).find("pax"), std::string::npos);
  EXPECT_NE(error_of_tar(tar_entry({"x", pax_record("size", "99999999999999999999"), 'x'}) +
                         tar_entry({"a", "x"}) + tar_end())
                .find("ends within"),
            std::string::npos);
}

TEST(Archive, CompressedDataIsBounded) {
  const std::string packed = gzipped(std::string(1 << 20, '\0'));
  EXPECT_LT(packed.size(), 3000u);
  const auto unpack = [](std::string_view bytes, uint64_t limit) {
    return error_of([&] { std::ignore = gunzip(bytes, limit, "a.gz"); });
  };
  EXPECT_EQ(gunzip(packed, 1 << 20, "a.gz").size(), 1u << 20);
  EXPECT_NE(unpack(packed, (1 << 20) - 1).find("unpacks to more than"), std::string::npos);
  EXPECT_NE(unpack(packed.substr(0, packed.size() / 2), 1 << 21).find("cut off"), std::string::npos);
  EXPECT_NE(unpack("\x1f\x8bnothing like it", 1 << 21).find("damaged"), std::string::npos);
  EXPECT_NE(unpack("", 1 << 21).find("cut off"), std::string::npos);
  EXPECT_EQ(gunzip(gzipped("two ") + gzipped("members"), 100, "a.gz"), "two members");
}

TEST(Archive, FilesAreCounted) {
  std::string archive;
  for (int i = 0; i < 101; ++i) archive += tar_entry({std::to_string(i), ""});
  EXPECT_NE(error_of_tar(archive + tar_end()).find("more than 100 files"), std::string::npos);
}

}  // namespace
}  // namespace cuset
