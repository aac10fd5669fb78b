// The main function of the small programs that scripts of this folder talk to.
#pragma once

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

#include "base/error.h"
#include "base/json/json.h"

namespace cuset::tests {

// Main's status: 0 once `work` is done, 1 after printing what it throws.
template <typename Work>
int run_main(Work work) {
  try {
    work();
    return 0;
  } catch (const base::Error& error) {
    std::fprintf(stderr, "%s\n", error.one_line().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}

// Answers every line of JSON on standard input with one on standard output.
template <typename Answer>
int answer_lines(Answer answer) {
  return run_main([&] {
    std::string line;
    for (size_t number = 1; std::getline(std::cin, line); ++number) {
      const base::Json request = base::parse_json(line, fmt::format("stdin:{}", number));
      std::cout << base::to_json_line(answer(request)) << std::endl;
    }
  });
}

}  // namespace cuset::tests
