// The spellings that names are drawn from: what people call things in CUDA programs. A spelling that stands
// twice in a pool is twice as common.
#pragma once

#include <string_view>
#include <vector>

namespace cuset::gym {

using NamePool = std::vector<std::string_view>;

// For the key of a local, size, scalar, constant or scratch array; nullptr where there is no pool.
const NamePool* local_pool(std::string_view key);
// For the key of an input's or output's file.
const NamePool* input_pool(std::string_view key);
const NamePool* output_pool(std::string_view key);

// Words of C++ and CUDA, functions that device code calls, and functions of the C library that a name at file
// scope would clash with.
bool is_reserved_word(std::string_view name);

}  // namespace cuset::gym
