#include "base/json/jsonl.h"
#include "support/error_text.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

#include "base/files/temporary_folder.h"
#include "base/log.h"
#include "support/fault_injection.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

// A reader's whole story: "line:value" per record, errors in place, reading on after each.
std::string dump(JsonlReader& reader) {
  std::string out;
  for (;;) {
    try {
      const std::optional<Json> value = reader.next();
      if (!value) return out;
      out += fmt::format("{}:{}\n", reader.line(), to_json_line(*value));
    } catch (const Error& error) {
      out += error.one_line() + "\n";
    }
  }
}

std::string dump(const fs::path& path, JsonlOptions options = {}) {
  JsonlReader reader(path, options);
  return dump(reader);
}

FileDescriptor in_memory(std::string_view content) {
  FileDescriptor file(::memfd_create("jsonl", MFD_CLOEXEC));
  EXPECT_EQ(::pwrite(file.get(), content.data(), content.size(), 0), static_cast<ssize_t>(content.size()));
  return file;
}

std::string dump_text(std::string_view content, JsonlOptions options = {}) {
  JsonlReader reader(in_memory(content), "f", options);
  return dump(reader);
}

// Writers warn about torn lines; the tests look at cut_bytes() instead.
class JsonlWriterTest : public testing::Test {
 protected:
  JsonlWriterTest() { set_log_level(LogLevel::kError); }
  ~JsonlWriterTest() override { set_log_level(LogLevel::kInfo); }

  void put(std::string_view content) { write_file_atomic(path_, content); }
  std::string content() const { return read_file(path_); }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "results.jsonl";
};

TEST(JsonlReader, Table) {
  const std::pair<std::string, std::string> cases[] = {
      {"", ""},
      {"\n\n", ""},
      {"{\"a\":1}\n[2]\n", "1:{\"a\":1}\n2:[2]\n"},
      {"1\n2", "1:1\n2:2\n"},
      {"{\"a\":1}\r\n\r\n{\"a\":2}\r\n", "1:{\"a\":1}\n3:{\"a\":2}\n"},
      {"\xEF\xBB\xBF{}\n{}\n", "1:{}\n2:{}\n"},
      {"\xEF\xBB\xBF\n{}", "2:{}\n"},
      {" \t\n  {}  \n", "2:{}\n"},
      {"\"a\\nb\"\n", "1:\"a\\nb\"\n"},
  };
  for (const auto& [text, records] : cases) {
    for (const size_t block : {1, 2, 3, 7, 1 << 20}) {
      EXPECT_EQ(dump_text(text, {.block_size = block}), records)
          << in_quotes(text) << " in blocks of " << block;
    }
  }
}

TEST(JsonlReader, BadLinesNamePlaceReasonAndRemedyAndReadingGoesOn) {
  EXPECT_EQ(
      dump_text("{}\n{\"a\":}\n{\"a\":NaN}\n\"\xff\"\n{}\n"),
      "1:{}\n"
      "f:2: not valid JSON at column 6: syntax error while parsing value - unexpected '}'; expected '[', "
      "'{', "
      "or a literal near '{\"a\":}' (correct or remove the line)\n"
      "f:3: not valid JSON at column 6: syntax error while parsing value - invalid literal near "
      "'{\"a\":NaN}' (NaN and Infinity are not JSON: write null)\n"
      "f:4: not valid JSON at column 2: syntax error while parsing value - invalid string: ill-formed UTF-8 "
      "byte near '\"\\xff\"' (convert the text to UTF-8)\n"
      "5:{}\n");
}

TEST(JsonlReader, HalfOfASurrogatePairIsNamedAlsoInTheFirstLine) {
  EXPECT_EQ(
      dump_text("{\"a\": \"\\ud800\"}\n"),
      "f:1: not valid JSON at column 14: syntax error while parsing value - invalid string: surrogate "
      "U+D800..U+DBFF must be followed by U+DC00..U+DFFF near '{\"a\": \"\\ud800\"}' (half of a character that "
      "takes two \\u escapes: write both, or remove it)\n");
}

TEST(JsonlReader, RemedyTellsWhatAnotherFormatIs) {
  const std::pair<std::string, std::string> cases[] = {
      {"\x1f\x8b\x08rest\n", "gunzip"},
      {"\x28\xb5\x2f\xfdrest\n", "zstd"},
      {"PAR1rest\n", "Parquet"},
      {"\xff\xfe{\n", "UTF-16"},
      {"ARROW1rest\n", "Dataset.from_file"},
      {"\xff\xff\xff\xff\x10\n", "Arrow"},
      {"PK\x03\x04rest\n", "zip"},
      {"prompt\t\"the answer\"\n", "CSV"},
      {"hello, world: a text\n", "check that this is the right file"},
      {"[\n{}\n]\n", "jq -c '.[]'"},
      {"{\n  \"a\": 1\n}\n", "jq -c ."},
      {"id,text\n", "pandas.read_csv"},
      {"\x1f\x8b no newline at all", "gunzip"},
  };
  for (const auto& [text, word] : cases) {
    for (const TornLine torn : {TornLine::kRefuse, TornLine::kIgnore}) {
      const std::string first = dump_text(text, {.torn_line = torn});
      EXPECT_EQ(first.find("f:1: not valid JSON at column "), 0u) << first;
      EXPECT_NE(first.find(word), std::string::npos) << first;
    }
  }
}

TEST(JsonlReader, TornLastLineIsAnErrorOrIgnoredWithItsSize) {
  for (const std::string torn : {"{\"a\": 12", "{\"a\": \"x", "{", "[1,", "{\"a\": \"\xc3"}) {
    for (const std::string before : {"", "{}\n"}) {
      const std::string text = before + torn;
      const std::string records = before.empty() ? "" : "1:{}\n";
      const std::string error = dump_text(text);
      EXPECT_NE(error.find(fmt::format("f:{}: the last line is torn: no newline after {} bytes, and ",
                                       before.empty() ? 1 : 2, torn.size())),
                std::string::npos)
          << error;
      EXPECT_NE(error.find("(its writer was interrupted: "), std::string::npos) << error;
      JsonlReader reader(in_memory(text), "f", {.torn_line = TornLine::kIgnore});
      EXPECT_EQ(dump(reader), records) << torn;
      EXPECT_EQ(reader.ignored_bytes(), torn.size());
    }
  }
  JsonlReader whole(in_memory("{}\n{}"), "f", {.torn_line = TornLine::kIgnore});
  EXPECT_EQ(dump(whole), "1:{}\n2:{}\n");
  EXPECT_EQ(whole.ignored_bytes(), 0u);
}

TEST(JsonlReader, IgnoringATornLineDoesNotExcuseABadLineBeforeIt) {
  EXPECT_NE(dump_text("{}\n{\"a\n{", {.torn_line = TornLine::kIgnore}).find("f:2: not valid JSON"),
            std::string::npos);
}

TEST(JsonlReader, LinesOverTheLimitAreRefusedAndPassedOver) {
  const std::string fits = "\"" + std::string(8, 'x') + "\"";
  const std::string over = "\"" + std::string(9, 'x') + "\"";
  const std::string error =
      "f:2: the line is longer than 10 bytes (JSONL has one value per line: check that this is the right "
      "file)\n";
  for (const size_t block : {1, 4, 11, 12, 1 << 20}) {
    const JsonlOptions options{.line_limit = 10, .block_size = block};
    EXPECT_EQ(dump_text(fits + "\n" + over + "\n" + fits + "\n", options),
              "1:" + fits + "\n" + error + "3:" + fits + "\n");
    EXPECT_EQ(dump_text(fits + "\n" + std::string(1000, 'x') + "\n" + fits, options),
              "1:" + fits + "\n" + error + "3:" + fits + "\n");
    EXPECT_EQ(dump_text(fits + "\n" + over, options), "1:" + fits + "\n" + error);
  }
}

TEST(JsonlReader, LongLinesCrossManyBlocks) {
  const std::string text = "\"" + std::string(3'000'000, 'x') + "\"";
  JsonlReader reader(in_memory("{}\n" + text + "\n" + text), "f", {.block_size = 4096});
  EXPECT_EQ(dump(reader), "1:{}\n2:" + text + "\n3:" + text + "\n");
}

TEST(JsonlReader, PlaceOpensCallersMessages) {
  JsonlReader reader(in_memory("\n{}\n"), "data.jsonl");
  reader.next();
  EXPECT_EQ(reader.place(), "data.jsonl:2");
}

TEST(JsonlReader, MissingFileAndFolderAreErrors) {
  const TemporaryFolder folder;
  EXPECT_EQ(support::error_of([&] { dump(folder / "none"); }),
            "cannot open " + (folder / "none").string() + ": No such file or directory (check the path)");
  EXPECT_EQ(support::error_of([&] { dump(folder.path()); }),
            "cannot read " + folder.path().string() +
                ": Is a directory (give the name of a file, not of a folder)");
}

TEST(JsonlReader, FailedReadNamesPlace) {
  const TemporaryFolder folder;
  JsonlReader reader(open_file(folder.path(), O_RDONLY), "f");
  EXPECT_EQ(support::error_of([&] { reader.next(); }).find("f:1: cannot read f: Is a directory"), 0u);
}

TEST(JsonlReader, DashIsStandardInput) {
  const FileDescriptor kept(::dup(STDIN_FILENO));
  const FileDescriptor input = in_memory("{\"a\":1}\nx\n");
  ASSERT_EQ(::dup2(input.get(), STDIN_FILENO), STDIN_FILENO);
  const std::string records = dump("-");
  ::dup2(kept.get(), STDIN_FILENO);
  EXPECT_EQ(records.find("1:{\"a\":1}\nstandard input:2: not valid JSON at column 1"), 0u) << records;
}

TEST(JsonlReader, PipeGivesEachLineAsItComes) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  JsonlReader reader(FileDescriptor{ends[0]}, "f");
  FileDescriptor in{ends[1]};
  for (const char* line : {"{\"a\":1}\n", "{\"a\":2}\n"}) {
    ASSERT_EQ(::write(in.get(), line, 8), 8);
    EXPECT_EQ(to_json_line(reader.next().value()) + "\n", line);
  }
  in.reset();
  EXPECT_EQ(reader.next(), std::nullopt);
}

TEST_F(JsonlWriterTest, MakesAFileAndContinuesIt) {
  {
    JsonlWriter writer(path_);
    writer.append({{"a", 1}, {"text", "x\ny"}});
    EXPECT_EQ(content(), "{\"a\":1,\"text\":\"x\\ny\"}\n");
    writer.flush();
  }
  JsonlWriter writer(path_);
  writer.append(Json::array({2}));
  EXPECT_EQ(content(), "{\"a\":1,\"text\":\"x\\ny\"}\n[2]\n");
  EXPECT_EQ(writer.cut_bytes(), 0u);
}

TEST_F(JsonlWriterTest, CutsATornLine) {
  const std::string long_line = "{\"text\": \"" + std::string(200'000, 'x');
  for (const std::string& torn :
       {std::string("{\"a\": 1"), std::string("{"), long_line, std::string(5000, '\0')}) {
    put("{}\n[1]\n" + torn);
    JsonlWriter writer(path_);
    EXPECT_EQ(writer.cut_bytes(), torn.size());
    EXPECT_EQ(content(), "{}\n[1]\n");
    writer.append({{"b", 2}});
    EXPECT_EQ(content(), "{}\n[1]\n{\"b\":2}\n");
  }
  put("{\"only\": ");
  EXPECT_EQ(JsonlWriter(path_).cut_bytes(), 9u);
  EXPECT_EQ(content(), "");
}

TEST_F(JsonlWriterTest, ALineThatOnlyLacksItsNewlineGetsIt) {
  put("{\"a\":1}\n{\"a\":2}");
  JsonlWriter writer(path_);
  writer.append({{"a", 3}});
  EXPECT_EQ(content(), "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
  EXPECT_EQ(writer.cut_bytes(), 0u);
}

TEST_F(JsonlWriterTest, FilesOfAnotherFormatStayUntouched) {
  for (const std::string& other : {std::string("PK\x03\x04 no newline"), std::string("\x7f\x45LF\n{"),
                                   std::string("name: value\nlast"), std::string(100, '\0')}) {
    put(other);
    const std::string error = support::error_of([&] { JsonlWriter writer(path_); });
    EXPECT_EQ(error.find(path_.string() + ": cannot append, for it is not a JSONL file: it begins with \""),
              0u)
        << error;
    EXPECT_EQ(content(), other);
  }
  put("{}\n{" + std::string(200'000, 'x'));
  EXPECT_NE(support::error_of([&] { JsonlWriter writer(path_, 1000); }).find("longer than 1000 bytes"),
            std::string::npos);
  EXPECT_EQ(content().size(), 200'004u);
  EXPECT_NE(support::error_of([&] { JsonlWriter writer("/dev/null"); }).find("not a regular file"),
            std::string::npos);
  EXPECT_NE(support::error_of([&] { JsonlWriter writer(folder_.path()); }).find("Is a directory"),
            std::string::npos);
}

TEST_F(JsonlWriterTest, SecondWriterIsRefusedUntilTheFirstEnds) {
  {
    JsonlWriter first(path_);
    EXPECT_EQ(support::error_of([&] { JsonlWriter second(path_); }),
              path_.string() +
                  ": another process is appending to it (wait until it ends, or write to another file)");
    first.append({{"a", 1}});
  }
  JsonlWriter second(path_);
  second.append({{"a", 2}});
  EXPECT_EQ(content(), "{\"a\":1}\n{\"a\":2}\n");
}

TEST_F(JsonlWriterTest, RecordsAreObjectsOrArraysWithinTheLimit) {
  JsonlWriter writer(path_, 100);
  EXPECT_THROW(writer.append(12), CheckFailure);
  EXPECT_EQ(support::error_of([&] { writer.append({{"a", std::string(93, 'x')}}); }),
            path_.string() +
                ": a record of 101 bytes is over the limit of 100 (store large content in a separate file)");
  writer.append({{"a", std::string(92, 'x')}});
  EXPECT_EQ(dump(path_, {.line_limit = 100}).size(), 103u);
}

TEST_F(JsonlWriterTest, ThreadsDoNotMixTheirLines) {
  JsonlWriter writer(path_);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 200; ++i) writer.append({{"thread", thread}, {"i", i}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::array<int, 4> next{};
  JsonlReader reader(path_);
  while (const std::optional<Json> record = reader.next()) {
    EXPECT_EQ(record->at("i"), next.at(record->at("thread").get<size_t>())++);
  }
  EXPECT_EQ(next, (std::array<int, 4>{200, 200, 200, 200}));
}

TEST_F(JsonlWriterTest, FullDiskTakesTheIncompleteLineBack) {
  const auto said = support::run_on_small_disk(folder_.path(), 64 << 10, [&] {
    JsonlWriter writer(path_);
    writer.append({{"a", 1}});
    const std::string error = support::error_of([&] { writer.append({{"a", std::string(100'000, 'x')}}); });
    if (error.find("cannot append to " + path_.string() + ": No space left on device (free some space") !=
        0) {
      return "wrong error: " + error;
    }
    if (content() != "{\"a\":1}\n") return "left after failure: " + in_quotes(content());
    writer.append({{"a", 2}});
    writer.flush();
    return content() == "{\"a\":1}\n{\"a\":2}\n" ? std::string()
                                                 : "left after going on: " + in_quotes(content());
  });
  if (!said) GTEST_SKIP() << "the kernel does not let us mount a small disk";
  EXPECT_EQ(*said, "");
}

// Numbers of the records, which must be 0, 1, 2, ... whatever happened to their writers.
int count_in_order(const fs::path& path, TornLine torn) {
  JsonlReader reader(path, {.torn_line = torn});
  int count = 0;
  while (const std::optional<Json> record = reader.next()) {
    if (record->at("i") != count)
      throw Error("{}: record {} instead of {}", reader.place(), (*record)["i"].dump(), count);
    ++count;
  }
  return count;
}

TEST_F(JsonlWriterTest, KilledAtAnyMomentLeavesWholeLinesAndContinues) {
  int before = 0;
  for (uint32_t kill = 0; kill < 60; ++kill) {
    if (kill % 5 == 0) {  // a new file now and then, or reading it all again takes most of the time
      std::filesystem::remove(path_);
      before = 0;
    }
    support::kill_at_random_moment(
        [&](const std::function<void()>& begun) {
          JsonlWriter writer(path_);
          for (int i = before;; ++i) {
            writer.append(
                {{"i", i}, {"text", std::string(static_cast<size_t>((50'000 + i * 37) % 100'000), 'x')}});
            if (i == before) begun();
          }
        },
        kill, 2000);
    ASSERT_GT(count_in_order(path_, TornLine::kIgnore), before) << "after kill " << kill;
    {
      JsonlWriter mends(path_);
    }
    before = count_in_order(path_, TornLine::kRefuse);
  }
}

}  // namespace
}  // namespace cuset::base
