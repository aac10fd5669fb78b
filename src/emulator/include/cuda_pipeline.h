// Asynchronous copies in stages.
#pragma once
#define _CUDA_PIPELINE_H_  // NVIDIA's include guard

#include "cuda_pipeline_primitives.h"
#include "cuset_emulator/libcudacxx/pipeline.h"
