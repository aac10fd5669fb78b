// Prints what the CUDA source analyzer finds, one JSON object per input line, for checks against other
// programs. Input: JSONL with {"text": ...} on stdin. Output: {"defined": [...], "launched": [...],
// "regions": [...]}.
#include "answer_lines.h"
#include "cuda_source/regions.h"

namespace cuset::tests {
namespace {

base::Json answer(const base::Json& row) {
  const std::string text = row.at("text").get<std::string>();
  const cuda_source::KernelUse use = cuda_source::find_kernel_use(text);
  return {{"defined", use.defined},
          {"launched", use.launched},
          {"regions", cuda_source::regions_to_json(text, cuda_source::find_regions(text))}};
}

}  // namespace
}  // namespace cuset::tests

int main() { return cuset::tests::answer_lines(cuset::tests::answer); }
