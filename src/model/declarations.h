// Declares Adapter (model/adapter.h) and InferenceModel (model/inference/inference.h) to headers that are free of LibTorch's.
#pragma once

namespace cuset::model {

struct Adapter;
class InferenceModel;

}  // namespace cuset::model
