#include "data/record_reader.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/temporary_folder.h"

namespace cuset::data {
namespace {

// "place=record" of every record of a file with this content.
std::string dump(const std::string& content) {
  const base::TemporaryFolder folder;
  const std::filesystem::path file = folder / "d.json";
  base::write_file_atomic(file, content);
  std::string out;
  try {
    RecordReader reader(file);
    while (const std::optional<base::Json> record = reader.next()) {
      out += reader.place().substr(folder.path().string().size() + 1) + "=" + record->dump() + " ";
    }
  } catch (const base::Error& error) {
    out += "error";
  }
  return out;
}

TEST(RecordReader, LinesAndArraysGiveTheSameRecords) {
  EXPECT_EQ(dump("{\"a\":1}\n\n{\"a\":2}\n"), "d.json:1={\"a\":1} d.json:3={\"a\":2} ");
  EXPECT_EQ(dump("[{\"a\":1},\n {\"a\":2}]\n"), "d.json#1={\"a\":1} d.json#2={\"a\":2} ");
  EXPECT_EQ(dump("\xef\xbb\xbf \r\n[\n  {\"a\": 1}\n]"), "d.json#1={\"a\":1} ");
}

TEST(RecordReader, EmptyFilesAndArraysHaveNoRecords) {
  for (const char* content : {"", "\n", "[]", " [ ] "}) EXPECT_EQ(dump(content), "") << content;
}

TEST(RecordReader, ArrayCutShortIsAnError) {
  EXPECT_EQ(dump("[{\"a\":1},\n {\"a\":"), "error");
  EXPECT_EQ(dump("[1] [2]"), "error");
}

}  // namespace
}  // namespace cuset::data
