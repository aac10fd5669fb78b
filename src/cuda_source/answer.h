// Model answers: which program an answer gives, and where the CUDA regions of the whole answer are.
//
// An answer is, after the reasoning is taken away (reasoning.h), either code blocks among prose (fences.h)
// or, without any fence, one plain file. A block counts as CUDA or as Python by its content where that is
// decisive, else by its tag; blocks with the tag of another language (bash, json, text, cmake, ...) do not
// count.
//
// The program chosen, in this order:
//   1. The last complete block. CUDA is complete with a kernel definition and a `main`; Python is complete
//      with a `class ModelNew`, or a kernel in one of its strings. (A revised program usually follows the
//      first one. Graders that take the first block are matched by `choice = kFirst`.)
//   2. Otherwise all CUDA blocks that define or launch a kernel, include or define something, or hold `main`,
//      joined in their order: the parts of one program. A block whose kernels are all defined again later is
//      dropped.
//   3. Otherwise the last Python block.
// A plain file is the program if it opens like code or holds a kernel or a launch; prose is not. Indentation
// of a fence is taken off the lines of its block, as Markdown has it, so the code may consist of many spans;
// the spans' texts one after the other are exactly the code.
//
// Regions of an answer are those of every CUDA block, and of every string of a Python block that is not a
// docstring, each analysed on its own. Spans always refer to the answer's own bytes, through escapes and
// concatenations. Prose and reasoning have no regions; code blocks inside the reasoning have none unless
// asked for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_source/regions.h"
#include "cuda_source/span.h"

namespace cuset {

enum class ProgramLanguage : uint8_t { kCuda, kPython };

struct Program {
  std::string code;
  ProgramLanguage language = ProgramLanguage::kCuda;
  std::vector<ByteSpan> spans;  // of the answer
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

}  // namespace cuset
