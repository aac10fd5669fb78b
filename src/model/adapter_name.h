// Declares Adapter (model/adapter.h) to headers that are free of LibTorch's.
#pragma once

namespace cuset::model {

struct Adapter;

}  // namespace cuset::model
