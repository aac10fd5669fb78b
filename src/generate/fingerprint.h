// A name for the content of files, so that answers of one model are not continued with another.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace cuset::generate {

// Of the files' names (without folders), sizes and bytes, in the order given. Of a file over 64 MiB only the
// first and the last MiB count, so that 15 GB of weights cost no time.
std::string fingerprint_of(std::span<const std::filesystem::path> files);

// Those files of a model folder that decide what it writes: configuration, tokenizer, template, weights.
std::vector<std::filesystem::path> files_of_model(const std::filesystem::path& folder);

// The two files of an adapter.
std::vector<std::filesystem::path> files_of_adapter(const std::filesystem::path& folder);

}  // namespace cuset::generate
