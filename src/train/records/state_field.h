// Fields of the JSON files of a checkpoint. Each function throws Error "<name>: 'step' is missing", or "...
// must be a whole number", with the advice to continue from another checkpoint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace cuset {

int64_t integer_field(const Json& object, std::string_view key, std::string_view name);
uint64_t unsigned_field(const Json& object, std::string_view key, std::string_view name);
double number_field(const Json& object, std::string_view key, std::string_view name);
std::string text_field(const Json& object, std::string_view key, std::string_view name);
const Json& object_field(const Json& object, std::string_view key, std::string_view name);
const Json& array_field(const Json& object, std::string_view key, std::string_view name);

}  // namespace cuset
