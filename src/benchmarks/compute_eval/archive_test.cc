#include "benchmarks/compute_eval/archive.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <tuple>

#include "base/files/file.h"
#include "base/files/temporary_folder.h"
#include "support/archive_writer.h"
#include "support/error_text.h"

namespace cuset::benchmarks {
namespace {

using namespace std::string_literals;

std::string error_of_tar(const std::string& archive) {
  return support::error_of([&] { std::ignore = read_tar(archive, 100, "a.tar"); });
}

TEST(Archive, HoldsItsRegularFiles) {
  const base::TemporaryFolder folder;
  const std::string long_name = "folder/" + std::string(150, 'n') + ".h";
  const std::string archive =
      support::tar_entry({"./a.txt", "one"}) + support::tar_entry({"folder", "", '5'}) +
      support::tar_entry({"folder/b", std::string(1000, 'b')}) +
      support::tar_entry({"x", support::pax_record("path", long_name), 'x'}) +
      support::tar_entry({"short", "long"}) + support::tar_entry({"link", "", '2'}) + support::tar_end();
  base::write_file_atomic(folder / "a.tar.gz", support::gzipped(archive));
  const auto files = read_tar_gz(folder / "a.tar.gz");
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files.at("a.txt"), "one");
  EXPECT_EQ(files.at("folder/b"), std::string(1000, 'b'));
  EXPECT_EQ(files.at(long_name), "long");
}

TEST(Archive, GnuLongNamesAndPrefixesAreRead) {
  const std::string archive = support::tar_entry({"././@LongLink", "from/gnu\0"s, 'L'}) +
                              support::tar_entry({"cut", "1"}) +
                              support::tar_entry({"b", "2", '0', "pre/fix"}) + support::tar_end();
  const auto files = read_tar(archive, 100, "a.tar");
  EXPECT_EQ(files.at("from/gnu"), "1");
  EXPECT_EQ(files.at("pre/fix/b"), "2");
}

TEST(Archive, NamesThatLeaveTheFolderAreRefused) {
  for (const char* name : {"/etc/passwd", "../a", "a/../../b"})
    EXPECT_NE(error_of_tar(support::tar_entry({name, "x"}) + support::tar_end())
                  .find("not a relative path inside the archive"),
              std::string::npos)
        << name;
  EXPECT_NE(error_of_tar(support::tar_entry({"x", support::pax_record("path", "../../b"), 'x'}) +
                         support::tar_entry({"a", "x"}) + support::tar_end())
                .find("not a relative path inside the archive"),
            std::string::npos);
}

TEST(Archive, DamageIsNamed) {
  const std::string whole = support::tar_entry({"a.txt", std::string(600, 'a')}) + support::tar_end();
  std::string changed = whole;
  changed[0] = 'b';
  EXPECT_EQ(error_of_tar(changed).substr(0, 46), "a.tar: a tar header has a wrong checksum (the ");
  EXPECT_NE(error_of_tar(whole.substr(0, 700)).find("ends within"), std::string::npos);
  EXPECT_NE(error_of_tar(whole.substr(0, 1536)).find("without its closing blocks"), std::string::npos);
  EXPECT_NE(error_of_tar("").find("without its closing blocks"), std::string::npos);
  EXPECT_NE(error_of_tar(support::tar_entry({"x", "99 path=a\n", 'x'}) + support::tar_end()).find("pax"),
            std::string::npos);
  EXPECT_NE(error_of_tar(support::tar_entry({"x", support::pax_record("size", "99999999999999999999"), 'x'}) +
                         support::tar_entry({"a", "x"}) + support::tar_end())
                .find("ends within"),
            std::string::npos);
}

TEST(Archive, CompressedDataIsBounded) {
  const std::string packed = support::gzipped(std::string(1 << 20, '\0'));
  EXPECT_LT(packed.size(), 3000u);
  const auto unpack = [](std::string_view bytes, uint64_t limit) {
    return support::error_of([&] { std::ignore = gunzip(bytes, limit, "a.gz"); });
  };
  EXPECT_EQ(gunzip(packed, 1 << 20, "a.gz").size(), 1u << 20);
  EXPECT_NE(unpack(packed, (1 << 20) - 1).find("unpacks to more than"), std::string::npos);
  EXPECT_NE(unpack(packed.substr(0, packed.size() / 2), 1 << 21).find("cut off"), std::string::npos);
  EXPECT_NE(unpack("\x1f\x8bnothing like it", 1 << 21).find("damaged"), std::string::npos);
  EXPECT_NE(unpack("", 1 << 21).find("cut off"), std::string::npos);
  EXPECT_EQ(gunzip(support::gzipped("two ") + support::gzipped("members"), 100, "a.gz"), "two members");
}

TEST(Archive, FilesAreCounted) {
  std::string archive;
  for (int i = 0; i < 101; ++i) archive += support::tar_entry({std::to_string(i), ""});
  EXPECT_NE(error_of_tar(archive + support::tar_end()).find("more than 100 files"), std::string::npos);
}

}  // namespace
}  // namespace cuset::benchmarks
