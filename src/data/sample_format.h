// The keys by which each form of a record is recognized.
#pragma once

#include <string_view>

#include "data/sample.h"

namespace cuset::data {

struct FormKeys {
  std::string_view prompt;  // empty where the other key holds the whole conversation
  std::string_view response;
};

FormKeys keys_of(SampleFormat format);

}  // namespace cuset::data
