// CUDA code as people keep it: JSONL in the forms of training data, source files, folders of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/sample.h"

namespace cuset::study {

// The files that `inputs` name: a file stands for itself, a folder for every .cu and .cuh below it, sorted by
// path. Throws UsageError for an input that is not there, is of another kind, or for a folder without such
// a file.
std::vector<std::filesystem::path> find_code_files(const std::vector<std::string>& inputs);

// The first `most` samples of the files (0: all): records of a .jsonl file, and each source file as one.
// Throws Error naming file and line.
std::vector<data::Sample> read_code(const std::vector<std::filesystem::path>& files, size_t most = 0);

}  // namespace cuset::study
