// Asynchronous copies in stages.
#pragma once

#include "cuda_pipeline_primitives.h"
#include "cuset_emulator/libcudacxx/pipeline.h"
