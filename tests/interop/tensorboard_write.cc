// Writes TensorBoard event files for a test script. One JSON request per line on standard input:
//   {"folder", "forget_from": step or null, "events": [[step, {tag: value, ...}], ...]}
// one line with the file's path on standard output.
#include <iostream>
#include <string>

#include "base/error.h"
#include "base/json/json.h"
#include "train/records/tensorboard.h"

namespace cuset::tests {
namespace {

std::string write_events(const base::Json& request) {
  std::optional<int64_t> forget_from;
  if (!request["forget_from"].is_null()) forget_from = request["forget_from"].get<int64_t>();
  train::TensorBoardWriter writer(request["folder"].get<std::string>(), forget_from);
  for (const base::Json& event : request["events"]) {
    std::vector<train::Scalar> scalars;
    for (const auto& [tag, value] : event[1].items()) scalars.push_back({tag, value.get<double>()});
    writer.add(event[0].get<int64_t>(), scalars);
  }
  writer.flush();
  return writer.path().string();
}

}  // namespace
}  // namespace cuset::tests

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      std::cout << cuset::tests::write_events(cuset::base::parse_json(line, "request")) << std::endl;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
