// PyTorch's CUDA graphs is not served by the emulator.
#pragma once

#error "unsupported: PyTorch's CUDA graphs"
