#include "cuda/hostile_programs.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "base/error.h"
#include "base/files/file.h"
#include "base/lines.h"
#include "cuda/corpus_program.h"

namespace cuset::tests {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHostileFolder = "testdata/cuda/hostile";
constexpr const char* kHonestFolder = "testdata/cuda/corpus";

std::vector<fs::path> cuda_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Of a line such as: #elif TRICK == 3  // what it does
void add_trick(std::string_view line, const fs::path& source, std::vector<TestProgram>& programs) {
  constexpr std::string_view kMark = "TRICK == ";
  const size_t mark = line.find(kMark), comment = line.find("// ");
  if (!line.starts_with("#") || mark == std::string_view::npos) return;
  if (comment == std::string_view::npos)
    throw base::Error("{}: no description at: {}", source.string(), line);
  TestProgram program;
  const char* number = line.data() + mark + kMark.size();
  std::from_chars(number, line.data() + line.size(), program.trick);
  program.source = source;
  program.family = source.stem().string();
  program.name = fmt::format("{}/{}: {}", program.family, program.trick, line.substr(comment + 3));
  programs.push_back(std::move(program));
}

}  // namespace

std::vector<TestProgram> hostile_programs() {
  std::vector<TestProgram> programs;
  for (const fs::path& file : cuda_files(kHostileFolder)) {
    const std::string text = base::read_file(file);
    for (const std::string_view line : base::lines_of(text)) add_trick(line, file, programs);
  }
  return programs;
}

std::vector<TestProgram> honest_programs(size_t count) {
  std::vector<CorpusProgram> corpus = read_corpus(kHonestFolder);
  // What an executor reports about errors that a program provokes is the corpus's own matter.
  std::erase_if(corpus, [](const CorpusProgram& program) { return program.provokes_errors; });
  if (corpus.size() < count)
    throw base::Error("{} holds {} programs, {} are wanted", kHonestFolder, corpus.size(), count);
  std::vector<TestProgram> programs;
  for (size_t i = 0; i < count; ++i) {
    const CorpusProgram& honest = corpus[i * corpus.size() / count];
    programs.push_back({honest.file.string(), honest.file, "", 0, honest.output});
  }
  return programs;
}

std::vector<TestProgram> some_of_each_family(const std::vector<TestProgram>& programs, size_t count) {
  std::set<std::string> families;
  for (const TestProgram& program : programs) families.insert(program.family);
  const int each = static_cast<int>((count + families.size() - 1) / families.size());
  std::vector<TestProgram> some;
  std::copy_if(programs.begin(), programs.end(), std::back_inserter(some),
               [&](const TestProgram& program) { return program.trick <= each; });
  return some;
}

const TestProgram& find_trick(const std::vector<TestProgram>& programs, const std::string& family,
                              int trick) {
  const auto found = std::find_if(programs.begin(), programs.end(), [&](const TestProgram& program) {
    return program.family == family && program.trick == trick;
  });
  if (found == programs.end()) throw base::Error("no trick {} in {}/{}.cu", trick, kHostileFolder, family);
  return *found;
}

}  // namespace cuset::tests
