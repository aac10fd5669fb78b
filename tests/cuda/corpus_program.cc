#include "cuda/corpus_program.h"

#include <algorithm>

#include "base/error.h"
#include "base/files/file.h"

namespace cuset::tests {
namespace {

// `text` begins with `// key:`: what follows, without one space.
bool takes_directive(std::string_view line, std::string_view key, std::string& value) {
  if (!line.starts_with(key)) return false;
  line.remove_prefix(key.size());
  if (line.starts_with(' ')) line.remove_prefix(1);
  value = line;
  return true;
}

[[noreturn]] void refuse(const CorpusProgram& program, std::string_view line) {
  throw base::Error("{}: unknown directive {}", program.file.string(), base::in_quotes(line))
      .with_remedy("tests/cuda/corpus_program.h lists them");
}

void read_need(std::string_view value, std::string_view line, CorpusProgram& program) {
  constexpr std::pair<std::string_view, const char*> kLibraries[] = {
      {"cuBLAS", "cublas"}, {"cuBLASLt", "cublasLt"}, {"cuFFT", "cufft"},
      {"cuRAND", "curand"}, {"cuSOLVER", "cusolver"}, {"cuSPARSE", "cusparse"}};
  if (value == "CCCL") {
    program.needs_cccl = true;
    return;
  }
  if (value == "CPU executor") {
    program.needs_cpu_executor = true;
    return;
  }
  for (const auto& [name, library] : kLibraries)
    if (value == name) {
      program.libraries.push_back(library);
      return;
    }
  refuse(program, line);
}

void read_directive(std::string_view line, CorpusProgram& program) {
  std::string value;
  if (takes_directive(line, "// expect:", value)) {
    program.output += value + "\n";
  } else if (takes_directive(line, "// kernels:", value)) {
    if (value != "0") refuse(program, line);
    program.launches_kernels = false;
  } else if (takes_directive(line, "// errors:", value)) {
    if (value != "on purpose") refuse(program, line);
    program.provokes_errors = true;
  } else if (takes_directive(line, "// check:", value)) {
    if (!value.starts_with("skip ") || value.size() < 8) refuse(program, line);
    program.skip_check = value.substr(5);
  } else if (takes_directive(line, "// nvcc:", value)) {
    if (value != "-rdc=true") refuse(program, line);
    program.relocatable = true;
  } else if (takes_directive(line, "// needs:", value)) {
    read_need(value, line, program);
  }
}

}  // namespace

void read_directives(std::string_view text, CorpusProgram& program) {
  while (text.starts_with("//")) {
    const size_t end = std::min(text.find('\n'), text.size());
    read_directive(text.substr(0, end), program);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (program.output.empty()) program.output = "PASS\n";
}

CorpusProgram read_corpus_program(const std::filesystem::path& root, const std::filesystem::path& file) {
  CorpusProgram program;
  program.file = file;
  program.name = (file.lexically_relative(root).parent_path() / file.stem()).string();
  std::replace(program.name.begin(), program.name.end(), '/', '_');
  read_directives(base::read_file(file), program);
  return program;
}

std::vector<CorpusProgram> read_corpus(const std::filesystem::path& root) {
  if (!std::filesystem::is_directory(root))
    throw base::Error("no such folder: {}", root.string()).with_remedy("run the test from the source folder");
  std::vector<CorpusProgram> programs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.path().extension() == ".cu") programs.push_back(read_corpus_program(root, entry.path()));
  std::sort(programs.begin(), programs.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return programs;
}

}  // namespace cuset::tests
