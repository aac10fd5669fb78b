// Filters distributions for a test script. One JSON case per line on standard input: "logits", "seen",
// "temperature", "top_k", "top_p", "min_p", "repetition_penalty". One line per case on standard output: the
// list of probabilities that sample_tokens draws from.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json/json.h"
#include "generate/sampling.h"

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      const cuset::base::Json request = cuset::base::parse_json(line, "standard input");
      const auto logits = request.at("logits").get<std::vector<float>>();
      const auto seen = request.at("seen").get<std::vector<int64_t>>();
      cuset::generate::SamplingRow row;
      row.settings = {.temperature = request.at("temperature"),
                      .top_k = request.at("top_k"),
                      .top_p = request.at("top_p"),
                      .min_p = request.at("min_p"),
                      .repetition_penalty = request.at("repetition_penalty")};
      row.settings.check();
      row.seen = seen;
      std::cout << cuset::base::to_json_line(cuset::generate::filtered_distribution(logits, row))
                << std::endl;
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "sampling_dump: " << error.what() << "\n";
    return 1;
  }
}
