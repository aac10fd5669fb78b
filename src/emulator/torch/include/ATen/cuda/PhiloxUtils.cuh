// Not served by the emulator.
#pragma once

#error "unsupported: ATen/cuda/PhiloxUtils.cuh"
