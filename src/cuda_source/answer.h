// Model answers: which program an answer gives, and where the CUDA regions of the whole answer are.
//
// An answer is, after the reasoning is taken away (reasoning.h), either code blocks among prose (fences.h)
// or, without any fence, one plain file. A block counts as CUDA or Python by its content where that is
// decisive, else by its tag; blocks tagged as another language do not count. The program chosen is
//   1. the last complete block: CUDA with a kernel and a `main`; Python with a `class ModelNew`, or with
//      a kernel in a string (kFirst takes the first such block, as KernelBench's grader does);
//   2. else all CUDA blocks with something to compile, joined in order, without those whose kernels are all
//      defined again later;
//   3. else the last Python block.
// Regions are those of every CUDA block, and of every string of a Python block that is not a docstring, each
// analyzed on its own; spans refer to the answer's own bytes, through escapes and concatenations. Prose and
// reasoning have none. docs/cuda-regions.md says more.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_span.h"
#include "cuda_source/regions.h"

namespace cuset::cuda_source {

enum class ProgramLanguage : uint8_t { kCuda, kPython };

// The texts of `spans`, one after the other, are exactly `code`: the indentation of a fence is taken off the
// lines of its block.
struct Program {
  std::string code;
  ProgramLanguage language = ProgramLanguage::kCuda;
  std::vector<base::ByteSpan> spans;  // of the answer
};

enum class NoProgram : uint8_t {
  kNone,                 // there is a program
  kEmpty,                // nothing but white space
  kUnfinishedReasoning,  // the answer ends inside its reasoning
  kNoCode,               // only prose
};

struct Extraction {
  std::optional<Program> program;
  NoProgram reason = NoProgram::kNone;
};

enum class BlockChoice : uint8_t { kLast, kFirst };

struct AnswerOptions {
  RegionOptions regions;
  BlockChoice choice = BlockChoice::kLast;
  bool code_in_reasoning = false;  // regions also in code blocks of the reasoning
};

// The program to compile. Any bytes are accepted.
Extraction extract_code(std::string_view answer, BlockChoice choice = BlockChoice::kLast);

// The regions of all code of the answer, sorted as find_regions sorts.
std::vector<Region> find_regions_in_answer(std::string_view answer, const AnswerOptions& options = {});

// The regions of a Python file: those of its strings, docstrings left out.
std::vector<Region> find_regions_in_python(std::string_view source, const RegionOptions& options = {});

// The language of an answer's program or of a file: "cuda", "python".
std::string_view name_of(ProgramLanguage language);

}  // namespace cuset::cuda_source
