// The CUDA source analyzer: any bytes give tokens that cover the text, and regions and programs within its
// bounds.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cuda_source/answer.h"
#include "cuda_source/kernel_interface.h"
#include "cuda_source/kernel_slices.h"
#include "cuda_source/lexer.h"
#include "cuda_source/python_strings.h"
#include "cuda_source/regions.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_gap(std::string_view gap) {
  require(gap.find_first_not_of(" \t\r\n\v\f\\") == std::string_view::npos);
}

void check_tokens(std::string_view text) {
  size_t covered = 0;
  for (const cuset::cuda_source::Token& token : cuset::cuda_source::lex(text)) {
    require(covered <= token.begin && token.begin < token.end && token.end <= text.size());
    check_gap(text.substr(covered, token.begin - covered));
    covered = token.end;
  }
  check_gap(text.substr(covered));
}

void check_regions(std::string_view text, std::vector<cuset::cuda_source::Region> regions) {
  for (const cuset::cuda_source::Region& region : regions)
    require(region.begin < region.end && region.end <= text.size());
  std::vector<cuset::cuda_source::Region> sorted = regions;
  cuset::cuda_source::sort_regions(sorted);
  require(sorted == regions);
  cuset::cuda_source::dump_regions(text, regions);
}

void check_slices(std::string_view text) {
  for (const cuset::cuda_source::KernelSlice& slice : cuset::cuda_source::cut_kernels(text))
    require(!slice.text.empty() && !slice.kernel.empty() && slice.begin < text.size());
}

void check_interfaces(std::string_view text) {
  for (const cuset::cuda_source::KernelInterface& kernel : cuset::cuda_source::find_kernel_interfaces(text)) {
    require(kernel.dimensions >= 1 && kernel.dimensions <= 3);
    for (const int64_t side : kernel.block) require(side >= 0);
  }
}

void check_program(std::string_view text) {
  const cuset::cuda_source::Extraction extraction = cuset::cuda_source::extract_code(text);
  require(extraction.program.has_value() == (extraction.reason == cuset::cuda_source::NoProgram::kNone));
  if (!extraction.program) return;
  std::string joined;
  size_t last = 0;
  for (const cuset::base::ByteSpan& span : extraction.program->spans) {
    require(last <= span.begin && span.begin < span.end && span.end <= text.size());
    joined += span.of(text);
    last = span.end;
  }
  require(joined == extraction.program->code);
}

void check_strings(std::string_view text) {
  for (const cuset::cuda_source::PythonString& string : cuset::cuda_source::find_python_strings(text)) {
    const cuset::base::ByteSpan all = string.to_source({0, string.decoded().size()});
    require(string.source().begin <= all.begin && all.end <= string.source().end && all.end <= text.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  cuset::cuda_source::AnswerOptions options;
  options.regions.sensitivity = options.regions.device_functions = true;
  options.code_in_reasoning = size % 2 == 1;
  options.regions.launch_brackets = size % 3 != 0;
  check_tokens(text);
  check_regions(text, cuset::cuda_source::find_regions(text, options.regions));
  check_regions(text, cuset::cuda_source::find_regions_in_python(text, options.regions));
  check_regions(text, cuset::cuda_source::find_regions_in_answer(text, options));
  check_slices(text);
  check_interfaces(text);
  check_program(text);
  check_strings(text);
  return 0;
}
