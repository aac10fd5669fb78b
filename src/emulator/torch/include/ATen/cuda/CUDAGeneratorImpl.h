// PyTorch's generators of CUDA is not served by the emulator.
#pragma once

#error "unsupported: PyTorch's generators of CUDA"
