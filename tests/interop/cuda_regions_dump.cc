// Prints what the CUDA source analyzer finds, one JSON object per input line, for checks against other
// programs. Input: JSONL with {"text": ...} on stdin. Output: {"defined": [...], "launched": [...],
// "regions": [...]}.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "base/error.h"
#include "base/json/json.h"
#include "cuda_source/regions.h"

int main() try {
  std::string line;
  for (size_t number = 1; std::getline(std::cin, line); ++number) {
    const cuset::base::Json row = cuset::base::parse_json(line, fmt::format("stdin:{}", number));
    const std::string text = row.at("text").get<std::string>();
    const cuset::cuda_source::KernelUse use = cuset::cuda_source::find_kernel_use(text);
    const cuset::base::Json result = {
        {"defined", use.defined},
        {"launched", use.launched},
        {"regions", cuset::cuda_source::regions_to_json(text, cuset::cuda_source::find_regions(text))}};
    std::printf("%s\n", cuset::base::to_json_line(result).c_str());
  }
  return 0;
} catch (const cuset::base::Error& error) {
  std::fprintf(stderr, "%s\n", error.one_line().c_str());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
