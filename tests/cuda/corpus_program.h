// One program of testdata/cuda/corpus and what its opening comment says about running it. Directives are
// lines of the comment that opens the file:
//
//   // expect: text       a line of standard output; without any, the output is the line PASS
//   // kernels: 0         it launches none
//   // errors: on purpose it provokes CUDA errors and handles them, so the executor may report them
//   // check: skip reason it does on purpose what --check finds
//   // nvcc: -rdc=true    nvcc needs this option
//   // needs: CCCL        its headers, which come with the CUDA toolkit; skipped without them
//   // needs: cuBLAS      it is linked with that; so with cuBLASLt, cuFFT, cuRAND, cuSOLVER, cuSPARSE
//   // needs: CPU executor  a toolkit's library no longer has it; skipped on a GPU
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::tests {

struct CorpusProgram {
  std::filesystem::path file;
  std::string name;    // "warp_votes" of warp/votes.cu: fit for a test's name
  std::string output;  // standard output, exactly
  bool launches_kernels = true;
  bool provokes_errors = false;
  std::string skip_check;  // the reason; empty: --check must be silent
  bool relocatable = false;
  bool needs_cccl = false;
  bool needs_cpu_executor = false;
  std::vector<std::string> libraries = {};  // "cublas"
};

// Throws Error naming the file where a directive is not one of the above.
CorpusProgram read_corpus_program(const std::filesystem::path& root, const std::filesystem::path& file);

// Every .cu file below `root`, by name. Throws Error where the folder is absent.
std::vector<CorpusProgram> read_corpus(const std::filesystem::path& root);

// The directives of `text` into `program`; `text` is a whole source file.
void read_directives(std::string_view text, CorpusProgram& program);

}  // namespace cuset::tests
