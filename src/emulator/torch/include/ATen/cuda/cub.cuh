// Not served by the emulator.
#pragma once

#error "unsupported: ATen/cuda/cub.cuh"
