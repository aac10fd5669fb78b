#include "gym/clutter.h"

#include <fmt/format.h>

#include <string_view>

namespace cuset::gym {
namespace {

constexpr double kCluttered = 0.35;  // share of the lines of main with something in front of them

// "beduka", "orlisem"
std::string invented_word(base::RandomStream& stream) {
  constexpr std::string_view kStarts = "bcdfghjklmnprstvwz", kVowels = "aeiou", kEnds = "lmnrsxt";
  std::string word;
  for (uint64_t left = 2 + stream.below(3); left > 0; --left) {
    word += kStarts[stream.below(kStarts.size())];
    word += kVowels[stream.below(kVowels.size())];
    if (stream.below(3) == 0) word += kEnds[stream.below(kEnds.size())];
  }
  return word;
}

std::string invented_words(uint64_t count, base::RandomStream& stream) {
  std::string words = invented_word(stream);
  while (--count > 0) words += " " + invented_word(stream);
  return words;
}

std::string remark(base::RandomStream& stream) {
  return fmt::format("// {}", invented_words(4 + stream.below(9), stream));
}

// Writes a program's lines anew, with clutter between them.
class Clutter {
 public:
  Clutter(const std::string& source, base::RandomStream& stream) : source_(source), stream_(stream) {}

  std::string write() {
    for (uint64_t left = 1 + stream_.below(4); left > 0; --left) result_ += remark(stream_) + "\n";
    if (source_.find("#include <cstdio>") == std::string::npos) result_ += "#include <cstdio>\n";
    for (size_t begin = 0; begin < source_.size();) {
      const size_t end = std::min(source_.find('\n', begin), source_.size() - 1) + 1;
      write_line(source_.substr(begin, end - begin));
      begin = end;
    }
    for (uint64_t left = stream_.below(3); left > 0; --left) result_ += remark(stream_) + "\n";
    return std::move(result_);
  }

 private:
  void write_line(const std::string& line) {
    if (line.starts_with("int main")) in_main_ = true;
    const size_t indent = line.find_first_not_of(' ');
    if (begins_statement(line, indent) && stream_.uniform() < kCluttered)
      result_ += fmt::format("{:{}}{}\n", "", indent, idle_line(indent));
    result_ += line;
    const size_t last = line.find_last_not_of(" \n");
    if (last != std::string::npos)
      may_follow_ = std::string_view(";{}").find(line[last]) != std::string_view::npos;
  }

  // Whether a line may be put in front of this one: behind a whole statement, before another that is no launch.
  bool begins_statement(const std::string& line, size_t indent) const {
    return in_main_ && may_follow_ && indent > 0 && line.ends_with(";\n") && line[indent] != '}' &&
           line.find("<<<") == std::string::npos;
  }

  std::string idle_line(size_t indent) {
    constexpr size_t kTop = 4;  // deeper lines may be in a loop, where events and prints pile up
    switch (stream_.below(indent <= kTop ? 5 : 2)) {
      case 0:
        return remark(stream_);
      case 1:
        return fmt::format("const int {} = {};", fresh_name(), stream_.below(1000000));
      case 2:
        return fmt::format("const double {} = {}.{:04};", fresh_name(), stream_.below(1000),
                           stream_.below(10000));
      case 3:
        return fmt::format("printf(\"{} {}\\n\");", invented_words(2 + stream_.below(4), stream_),
                           stream_.below(100000));
      default: {
        const std::string event = fresh_name();
        return fmt::format("cudaEvent_t {0}; cudaEventCreate(&{0}); cudaEventRecord({0});", event);
      }
    }
  }

  // A name that the program does not have yet.
  std::string fresh_name() {
    std::string name = invented_word(stream_) + "_" + invented_word(stream_);
    while (source_.find(name) != std::string::npos || result_.find(name) != std::string::npos)
      name += invented_word(stream_);
    return name;
  }

  const std::string& source_;
  base::RandomStream& stream_;
  std::string result_;
  bool in_main_ = false;
  bool may_follow_ = false;  // the last line ended a statement, or began or ended a block
};

}  // namespace

std::string with_clutter(const std::string& source, base::RandomStream& stream) {
  return Clutter(source, stream).write();
}

}  // namespace cuset::gym
